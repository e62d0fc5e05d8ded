"""
===========================
Effects of numeric features
===========================

A model of rules has no coefficients of features. Its effect of a feature
is a curve: by how much a value of the feature raises or lowers the log-odds of a class,
on average. This example draws the curves of numbers, counts and categories, and
compares them with the partial dependence of a random forest.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A table with known rules
# ------------------------
# The customers of this made-up table leave (class 1) with a probability of 0.89 if one
# of three rules holds, and of 0.11 otherwise. The identifier and the date are dropped.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import PartialDependenceDisplay

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import FeatureEffectDisplay, feature_effect

X, y, truth = make_customers(1000, random_state=0, as_frame=True, return_truth=True)
X = X.drop(columns=["customer_id", "signup_date"])
print(truth.formula)
clf = DNFWinnowClassifier(n_estimators=1, random_state=0).fit(X, y)

# %%
# A number
# --------
# The curve has a step at each cut point of the model, and only there. The histogram
# shows how many rows support each part of it. The rule has its threshold at 0.

display = FeatureEffectDisplay.from_estimator(clf, X, "balance")
display.ax_.axvline(0, color="0.5", linestyle="--")
plt.show()

# %%
# The numbers behind the curve:

print(display.effect)

# %%
# Counts, missing values and categories
# -------------------------------------
# A number with few values is not cut: each value has a dot. The diamond at the right of
# a curve is the effect of a missing value.

FeatureEffectDisplay.from_estimator(clf, X, "support_calls")
plt.show()

FeatureEffectDisplay.from_estimator(clf, X, "income")
plt.show()

FeatureEffectDisplay.from_estimator(clf, X, "plan")
plt.show()

# %%
# Effects in a part of the data
# -----------------------------
# An effect is a mean over rows. Support calls matter in one rule only, which is
# about the basic plan. So the effect differs between the plans.

values = np.arange(6)
for plan, rows in X.groupby("plan"):
    found = feature_effect(clf, rows, "support_calls")
    effects = dict(zip(found.values, found.effects))
    print(f"{plan:<6}", *(f"{effects[value]:+.2f}" for value in values))

# %%
# Beside a random forest
# ----------------------
# Iris has three classes. The left panel shows the effect of a feature on the log-odds
# of each class against the others. The right panel shows the partial dependence of a
# random forest: the mean probability of class 1, on a grid. Both are means over the
# same rows.

X_iris, y_iris = load_iris(return_X_y=True, as_frame=True)
feature = "petal width (cm)"
iris = DNFWinnowClassifier(n_estimators=1, random_state=0).fit(X_iris, y_iris)
forest = RandomForestClassifier(random_state=0).fit(X_iris, y_iris)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
FeatureEffectDisplay.from_estimator(iris, X_iris, feature, ax=left)
PartialDependenceDisplay.from_estimator(forest, X_iris, [feature], target=1, ax=right)
plt.show()

# %%
# A monotone feature
# ------------------
# With a monotonic constraint, the curve can only rise.

monotone = DNFWinnowClassifier(
    monotonic_cst={"support_calls": 1}, n_estimators=1, random_state=0
)
FeatureEffectDisplay.from_estimator(monotone.fit(X, y), X, "support_calls")
plt.show()
