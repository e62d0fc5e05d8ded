"""
==================================
Imbalanced data: find a rare class
==================================

Frauds, faults and diseases are rare: a model that never predicts them is right nearly
always, and useless. This example searches for one percent of fraud in a table of
customers. It compares what changes the ranking of the customers (cut points), what
changes how many of them are reported (a threshold), and what changes both (class
weights). Then it looks at the calibration of the probabilities.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The table
# ---------
# The customers are made up, so the rules are known: these are the rules for fraud.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    precision_score,
    recall_score,
)
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF

X, y, truth = make_customers(8000, target="fraud", random_state=0, return_truth=True)
X = X.drop(columns=["customer_id", "signup_date"])
X_train, X_test = X[:4000], X[4000:]
y_train, y_test = y[:4000].to_numpy(), y[4000:].to_numpy()
print(truth.formula)
print(f"fraud: {y_train.sum()} of {len(y_train)} training rows")

# %%
# Three models
# ------------
# The first model has no other parameters. In the second, all frauds together weigh
# as much as all other customers. The third model cuts numbers where fraud becomes more
# or less frequent, instead of into intervals of equally many customers.

mdl = ClassEntropyDiscretizer(selection="mdl")
models = {
    "single model": DNFWinnowClassifier(n_estimators=1, random_state=0),
    "class_weight='balanced'": DNFWinnowClassifier(
        class_weight="balanced", n_estimators=1, random_state=0
    ),
    "selection='mdl'": DNFWinnowClassifier(
        discretizer=mdl, max_term_size=2, n_estimators=1, random_state=0
    ),
}
found = {
    name: model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    for name, model in models.items()
}
for name, p in found.items():
    print(
        f"{name:<24} average precision {average_precision_score(y_test, p):.2f}, "
        f"reported {np.mean(p > 0.5):.1%}"
    )

# %%
# The threshold
# -------------
# A classifier reports the customers whose probability of fraud is above one half. This
# is the best threshold for the accuracy, which does not matter here.
# `TunedThresholdClassifierCV` selects the threshold with the best F1 score by
# cross-validation. If costs are known, no search is needed. Suppose that a missed fraud
# costs ten times as much as a needless check: then the best threshold is 1 / 11.
# The probabilities have to be calibrated for that, and they are not with class weights.

best = models["selection='mdl'"]
tuned = TunedThresholdClassifierCV(best, scoring="f1", cv=2, random_state=0)
thresholds = {
    "one half": best,
    "best F1": tuned.fit(X_train, y_train),
    "costs 10 : 1": FixedThresholdClassifier(
        FrozenEstimator(best), threshold=1 / 11
    ).fit(X_train, y_train),
}
points = {}
for name, model in thresholds.items():
    reported = model.predict(X_test)
    points[name] = recall_score(y_test, reported), precision_score(y_test, reported)
    print(f"{name:<14} recall {points[name][0]:.2f}, precision {points[name][1]:.2f}")

# %%
# All thresholds of the three models, the three thresholds above, and the true rules.
# These miss a tenth of the fraud, which has no rule.

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for name, p in found.items():
    precision, recall, _ = precision_recall_curve(y_test, p)
    left.step(recall, precision, where="post", label=name)
rules = DNF.parse(truth.formula, values=X).holds(X_test)
points["true rules"] = recall_score(y_test, rules), precision_score(y_test, rules)
for marker, (name, point) in zip("osv*", points.items()):
    left.plot(*point, marker, color="0.2", markersize=9, alpha=0.7, label=name)
left.set(xlabel="recall", ylabel="precision", ylim=(0, 1.05))
left.legend(loc="lower left", ncols=2, fontsize=8)

# Mean probability and frequency of fraud, in groups of increasing probability.
for name, p in found.items():
    order = np.argsort(p)
    parts = np.array_split(order, [3600, 3850, 3925])
    means = [[values[part].mean() for part in parts] for values in (p, y_test)]
    right.loglog(*np.maximum(means, 1e-4), "o-", label=name)
right.plot([1e-4, 1], [1e-4, 1], color="0.7", zorder=0)
right.set(xlabel="mean probability", ylabel="fraction of fraud", title="Calibration")
right.legend()
plt.show()

# %%
# A lower threshold finds more of the fraud, here at the same precision. Cut points that
# follow the class raise the average precision a little: no threshold and no weight
# finds a rule whose threshold is inside an interval. With class weights, the
# probabilities are too high: several times the fraction of fraud. The other two models
# have probabilities closer to the diagonal.
#
# The rules
# ---------
# `to_dnf` reads rules from the tuned classifier, with its threshold. It leaves out
# rules of fewer than one percent of the rows, so the second rule of the table is
# missing.

print(to_dnf(tuned, 1, X=X_train, y=y_train))
