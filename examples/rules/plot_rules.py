"""
==========================================
Rules and feature contributions of a model
==========================================

A DNFWinnowClassifier is a :term:`weighted sum` over all conjunctions of feature values,
the rules. This example shows the top-weighted rules, a short formula
that approximates the model, its export to SQL and Python, and the contribution of each
feature.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The top-weighted rules
# ----------------------
# The data set contains votes of the 435 members of the US House of Representatives, and
# the class is their party. `terms` finds the rules with the largest weights. The search
# is exact: no other rule of a class has a larger weight than those that are listed. If
# rows are given, `terms` counts how many satisfy each rule, and how many of these
# belong to the class.
#
# A large margin is set here, so that a few rules have most of the weight. By default,
# `fit` selects the setting with the lowest log loss, which can be a model of many rules
# with small weights.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import (
    TermsDisplay,
    shapley_values,
    terms,
    to_dnf,
)

X, y = load_house_votes_84(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.3, stratify=y, random_state=0
)
large = {"margin": 1.0, "alpha": 1.1, "max_term_size": 3}
clf = DNFWinnowClassifier(**large, random_state=0).fit(X_train, y_train)
table = terms(clf, "democrat", top=5, X=X_test, y=y_test)
print(table.round(2).to_string(index=False))

# %%
# The same rules as a figure, for both classes: the precision of each, with an interval.

TermsDisplay.from_estimator(clf, X_test, y_test, top=6)
plt.show()

# %%
# A short formula
# ---------------
# Often a few rules predict nearly as well as all rules. `to_dnf` finds rules that
# follow the labels and the model on the training rows, and stand on held-out ones.

dnf = to_dnf(clf, "republican", X=X_train, y=y_train)
print(dnf)
print({name: round(score, 3) for name, score in dnf.scores.items()})

# %%
# Export to SQL and Python
# ------------------------
# The exported formula does not depend on this package. It is an SQL condition or a
# Python function. In both, a missing vote satisfies no condition, as in the model.

print(dnf.to_sql())

# %%

print(dnf.to_python())

# %%
# Numeric features
# ----------------
# Rules use the names and values of the original data frame: the intervals of the
# discretizer are translated back, in the classifier as well as in a pipeline before it.

iris = load_iris(as_frame=True)
species = iris.target.map(dict(enumerate(iris.target_names)))
flowers = DNFWinnowClassifier(
    **large,
    literals="equal",
    discretizer=ClassEntropyDiscretizer(selection="mdl"),
    random_state=0,
).fit(iris.data, species)

TermsDisplay.from_estimator(flowers, iris.data, species, top=4)
plt.show()

# %%
# Importance of each feature
# --------------------------
# The importances of `shapley_values` are mean absolute Shapley values: by how much a
# feature moves the log-odds. They need neither class labels nor permutations. They do
# not measure how much a score would fall without the feature; permutation importance
# does. Both find the most informative vote. Most other votes carry the same information
# again: the model uses all of them, and none of them is necessary.

found = shapley_values(clf, X_test).feature_importances()
importances = permutation_importance(
    clf, X_test, y_test, scoring="neg_log_loss", n_repeats=3, random_state=0
).importances

order = np.argsort(found.to_numpy())
fig, (left, right) = plt.subplots(
    1, 2, figsize=(9, 4.4), sharey=True, layout="constrained"
)
left.barh(X.columns[order], found.iloc[order])
left.set(xlabel="mean absolute Shapley value", title="shapley_values")
right.barh(
    X.columns[order],
    importances.mean(axis=1)[order],
    xerr=importances.std(axis=1)[order],
    color="C1",
    error_kw={"elinewidth": 1},
)
right.set(xlabel="increase of log loss", title="permutation_importance")
plt.show()
