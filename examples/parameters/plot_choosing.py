"""
==========================
Model selection inside fit
==========================

By default, `fit` compares a few settings, called :term:`candidates <candidate>`, by
:term:`internal cross-validation`. It selects the candidate with the lowest log loss,
and trains it on all samples. On small tables of numbers, it averages the log-odds of up
to three such models. This example shows the results of this selection. It then searches
over a custom list of candidates. Such a search needs a single call of `fit`, and no
GridSearchCV.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The candidates of the default
# -----------------------------
# The data set of cars has categorical features, numeric features and missing values.
# The classifier needs no preprocessing. Its discretizer divides the numeric features
# into intervals; in each fold, it is fitted without the held-out samples.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import ParameterGrid

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto

X, y = load_auto(return_X_y=True, as_frame=True)
clf = DNFWinnowClassifier(random_state=0).fit(X, y)
for one in clf.estimators_:
    rule = f"update by {one.update_}, alpha {one.alpha_}"
    print(f"{rule}, max_term_size {one.max_term_size_}, {one.n_iter_} epochs")

# %%
# `validation_` has the log loss of each candidate on the held-out samples, at some
# epochs. `fit` stops training candidates that fall behind.

validation = pd.DataFrame(clf.validation_)
curves = validation.pivot(index="n_epochs", columns="candidate", values="log_loss")
curves.plot(logx=True, style=".-", ylabel="held-out log loss")
plt.show()

# %%
# The lowest log loss of each candidate. NaN means that a parameter does not apply:
# `scale` does not apply to updates by margin, and `margin` does not apply to updates by
# residual.

columns = ["candidate", "margin", "scale", "alpha", "max_term_size", "n_epochs"]
best = validation.loc[validation.groupby("candidate")["log_loss"].idxmin()]
print(best[[*columns, "log_loss"]].sort_values("log_loss").to_string(index=False))

# %%
# Custom candidates
# -----------------
# A candidate is a dict of parameters. ParameterGrid makes a list of such dicts from
# lists of values, and several lists can be concatenated. A parameter that a candidate
# does not set has the value given to the classifier.

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
# The lowest log loss for each pair of values, over both discretizers and all epochs:

validation = pd.DataFrame(own.validation_)
losses = validation.pivot_table("log_loss", "max_term_size", "scale", aggfunc="min")
print(losses.round(3))

# %%
# The lowest of many log losses is optimistic, because the same samples were used to
# select it. Use `cross_val_score` to estimate the performance of the classifier: it
# holds out samples that `fit` does not see.
