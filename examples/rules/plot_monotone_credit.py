"""
=======================================
Monotonic constraints in a credit score
=======================================

A credit score should rise with the income and fall with debts and late payments, all
else being equal. A model without constraints can violate this where it has seen few
applicants, or none, which is hard to explain to them. Monotonic constraints guarantee
it for all applicants.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The data
# --------
# The data set is random. Loans are more often bad if debts and late payments are high
# relative to the income.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, cross_val_score

from sklearn_dnfwinnow import DNFWinnowClassifier

random = np.random.RandomState(0)
n = 600
X = pd.DataFrame(
    {
        "income": random.lognormal(3.4, 0.5, n).round(1),
        "debt": random.gamma(2.0, 6.0, n).round(1),
        "late": random.poisson(0.7, n),
        "years": random.exponential(6.0, n).round(1),
        "purpose": random.choice(["car", "home", "study", "travel"], n),
    }
)
risk = 0.12 * X["debt"] - 0.06 * X["income"] + 0.9 * X["late"] - 0.05 * X["years"]
risk += 0.8 * (X["purpose"] == "travel")
y = np.where(risk + random.logistic(size=n) > 0.5, "bad", "good")
print(pd.Series(y).value_counts().to_string())
print(X["late"].value_counts().sort_index().to_string())

# %%
# Two models
# ----------
# The first model has no constraints. In the second model, the score of "good" can only
# rise with income and years, and can only fall with debts and late payments.

free = DNFWinnowClassifier(n_estimators=1, random_state=0)
monotone = DNFWinnowClassifier(
    monotonic_cst={"income": 1, "years": 1, "debt": -1, "late": -1},
    n_estimators=1,
    random_state=0,
)
models = {"no constraints": free.fit(X, y), "monotone": monotone.fit(X, y)}

# %%
# The figure shows the probability of "good" for four applicants as a function of the
# number of late payments, with all other features fixed. No applicant in the data has
# more than four. The first model ignores the value 5, because no training row
# contains it, so that the probability rises again. The second one treats 5 as more
# than 4.

counts = np.arange(8)
applicants = [3, 4, 8, 21]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    for applicant in applicants:
        rows = X.iloc[[applicant] * len(counts)].assign(late=counts)
        probabilities = model.predict_proba(rows)[:, 1]
        ax.plot(counts, probabilities, "o-", label=f"applicant {applicant}")
    ax.axvline(X["late"].max() + 0.5, color="0.7", zorder=0)
    ax.set(title=name, xlabel="late payments")
axes[0].set_ylabel("probability of 'good'")
axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()

# %%
# The number of applicants with a curve that rises somewhere with the late payments:

for name, model in models.items():
    n_rising = 0
    for applicant in range(100):
        rows = X.iloc[[applicant] * len(counts)].assign(late=counts)
        steps = np.diff(model.predict_proba(rows)[:, 1])
        n_rising += (steps > 1e-9).any()
    print(f"{name}: {n_rising} of 100 applicants")

# %%
# Accuracy
# --------
# The constraints hold for the process that generated the data, so they cost little
# accuracy, or none.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
for name, model in models.items():
    errors = 1 - cross_val_score(model, X, y, cv=folds)
    std_error = errors.std() / len(errors) ** 0.5
    print(f"{name}: {errors.mean():.1%} ± {std_error:.1%} errors")

# %%
# The top-weighted rules for "good" are upper bounds of debts and late
# payments, and lower bounds of the income.

print(monotone.terms("good", top=6)[["term", "lift"]].round(2).to_string(index=False))
