"""
=====================
Choosing by the folds
=====================

By default `fit` tries a few settings, the *candidates*, on folds of its rows, and
trains the one of the least log loss on all rows. This page looks at what was tried, and
gives the classifier candidates of one's own. A search over them is one fit, and needs
no GridSearchCV.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# What fit chooses
# ----------------
# The table of cars has words, numbers and gaps. The classifier takes it as it is: its
# discretizer cuts the columns of numbers, in each fold without the rows held out.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import ParameterGrid

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto
from sklearn_dnfwinnow.inspection import ValidationDisplay

X, y = load_auto(return_X_y=True, as_frame=True)
clf = DNFWinnowClassifier(random_state=0).fit(X, y)
print("update:       ", clf.update_)
print("alpha:        ", clf.alpha_)
print("max_term_size:", clf.max_term_size_)
print("epochs:       ", clf.n_iter_)

# %%
# The log loss of each candidate on the rows held out, at some epochs. Candidates that
# fall behind are dropped.

ValidationDisplay.from_estimator(clf)
plt.show()

# %%
# The same as a data frame. NaN stands where a parameter does not apply: updates by
# margin have no `scale`, updates by residual no `margin`.

columns = ["candidate", "margin", "scale", "alpha", "max_term_size", "n_epochs"]
validation = pd.DataFrame(clf.validation_)
best = validation.loc[validation.groupby("candidate")["log_loss"].idxmin()]
print(best[[*columns, "log_loss"]].sort_values("log_loss").to_string(index=False))

# %%
# Candidates of one's own
# -----------------------
# A candidate is a dict of parameters. ParameterGrid makes such dicts of lists of
# values, and lists of dicts can be added up. A parameter that a candidate does not have
# is that of the classifier.

grid = ParameterGrid(
    {
        "scale": [10, 30, 100],
        "max_term_size": [1, 2, 3],
        "discretizer": [
            ClassEntropyDiscretizer(),
            ClassEntropyDiscretizer(selection="quantiles", max_intervals=8),
        ],
    }
)
own = DNFWinnowClassifier(candidates=grid, random_state=0).fit(X, y)
print(f"{len(grid)} candidates")
print("discretizer:  ", own.discretizer_)
print("scale:        ", own.scale_)
print("max_term_size:", own.max_term_size_)

# %%
# A heat map has the least log loss of each pair of values, over all other parameters
# and all epochs.

fig, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
for ax, y_axis in zip(axes, ("max_term_size", "discretizer")):
    ValidationDisplay.from_estimator(own, kind="heatmap", x="scale", y=y_axis, ax=ax)
plt.show()

# %%
# The least of many log losses is a little lucky: it is that of rows that had a part in
# the choice. What the classifier is worth, `cross_val_score` says, which holds out rows
# that `fit` does not see.
