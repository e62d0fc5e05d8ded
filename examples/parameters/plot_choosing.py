"""
==========================
Model selection inside fit
==========================

By default, `fit` compares a few settings, called :term:`candidates <candidate>`, by
:term:`internal cross-validation`. It selects the candidate with the lowest log loss,
and trains it on all rows. On small tables of numbers, it averages the log-odds of up
to three such models. This example shows the results of this selection.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The candidates of the default
# -----------------------------
# The data set of cars has categorical features, numeric features and missing values.
# The classifier needs no preprocessing. Its discretizer divides the numeric features
# into intervals; in each fold, it is fitted without the held-out rows.

import matplotlib.pyplot as plt
import pandas as pd

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto

X, y = load_auto(return_X_y=True, as_frame=True)
clf = DNFWinnowClassifier(random_state=0).fit(X, y)
for one in clf.estimators_:
    rule = f"scale {one.scale_:.3g}" if one.margin_ is None else f"margin {one.margin_}"
    size = f"max_term_size {one.max_term_size_}"
    print(f"{rule}, alpha {one.alpha_}, {size}, {one.n_iter_} epochs")

# %%
# `validation_` has the log loss of each candidate on the held-out rows, at some
# epochs. `fit` stops training candidates that fall behind.

validation = pd.DataFrame(clf.validation_)
curves = validation.pivot(index="n_epochs", columns="candidate", values="log_loss")
ax = curves.plot(logx=True, style=".-", ylabel="held-out log loss", xlabel="epochs")
epochs = [1, 2, 4, 8, 16, 32, 64]
ax.set_xticks(epochs, epochs)
ax.set_xticks([], minor=True)
plt.show()

# %%
# The lowest log loss of each candidate. NaN means that a parameter does not apply:
# `scale` does not apply to updates by margin, and `margin` does not apply to updates by
# residual.

columns = ["candidate", "margin", "scale", "alpha", "max_term_size", "n_epochs"]
best = validation.loc[validation.groupby("candidate")["log_loss"].idxmin()]
print(best[[*columns, "log_loss"]].sort_values("log_loss").to_string(index=False))

# %%
# A parameter that is set has its value in all candidates: `scale` leaves those that
# update by residuals. The lowest of many log losses is optimistic, because the same
# rows were used to select it. Use `cross_val_score` to estimate the performance of the
# classifier: it holds out rows that `fit` does not see.
