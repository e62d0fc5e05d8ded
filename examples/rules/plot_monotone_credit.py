"""
=======================================
Monotonic constraints in a credit score
=======================================

A credit score should rise with the income and fall with the debts, all else being
equal. Because labels are noisy, the score of an unconstrained model violates this for
many applicants, which is hard to explain to them. Monotonic constraints guarantee it
for all applicants.
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

random = np.random.RandomState(1)
n = 800
X = pd.DataFrame(
    {
        "income": random.lognormal(3.4, 0.5, n).round(1),
        "debt": random.gamma(2.0, 6.0, n).round(1),
        "late": random.poisson(0.7, n),
        "years": random.exponential(6.0, n).round(1),
        "purpose": random.choice(["car", "home", "study", "travel"], n),
        "sex": random.choice(["f", "m"], n),
    }
)
risk = 0.12 * X["debt"] - 0.06 * X["income"] + 0.9 * X["late"] - 0.05 * X["years"]
risk += 0.8 * (X["purpose"] == "travel")
y = np.where(risk + random.logistic(size=n) > 0.5, "bad", "good")
print(pd.Series(y).value_counts().to_string())

# %%
# Two models
# ----------
# The first model has no constraints. In the second model, the score of "good" can only
# rise with income and years, and can only fall with debts and late payments. The second
# model must not use the feature sex, and starts from an expert rule.

free = DNFWinnowClassifier(random_state=0)
monotone = DNFWinnowClassifier(
    monotonic_cst={"income": 1, "years": 1, "debt": -1, "late": -1},
    forbidden=["sex"],
    initial_terms=[("late > 2 & debt > 15", "bad", 5.0)],
    random_state=0,
)
models = {"no constraints": free.fit(X, y), "monotone": monotone.fit(X, y)}

# %%
# The figure shows the probability of "good" for four applicants as a function of the
# income, with all other features fixed.

incomes = np.linspace(5, 110, 200)
applicants = [3, 4, 8, 21]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    for applicant in applicants:
        rows = X.iloc[[applicant] * len(incomes)].assign(income=incomes)
        probabilities = model.predict_proba(rows)[:, 1]
        ax.plot(incomes, probabilities, label=f"applicant {applicant}")
    ax.set(title=name, xlabel="income")
axes[0].set_ylabel("probability of 'good'")
axes[1].legend(frameon=False)
plt.show()

# %%
# The number of applicants with a curve that falls somewhere, although the income rises:

for name, model in models.items():
    n_falling = 0
    for applicant in range(100):
        rows = X.iloc[[applicant] * len(incomes)].assign(income=incomes)
        steps = np.diff(model.predict_proba(rows)[:, 1])
        n_falling += (steps < -1e-9).any()
    print(f"{name}: {n_falling} of 100 applicants")

# %%
# Accuracy
# --------
# The constraints hold for the process that generated the data, so they do not cost
# accuracy.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
for name, model in models.items():
    errors = 1 - cross_val_score(model, X, y, cv=folds)
    std_error = errors.std() / len(errors) ** 0.5
    print(f"{name}: {errors.mean():.1%} ± {std_error:.1%} errors")

# %%
# Among the top-weighted :term:`terms <term>` for "good" are lower bounds of the income,
# and upper bounds of debts and late payments.

print(monotone.terms("good", top=6)[["term", "log_weight"]].to_string(index=False))
