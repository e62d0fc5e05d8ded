"""
=======================
How sure it is, rightly
=======================

Of the rows that a classifier is 80 % sure of, it should be right on 80 %. A reliability
diagram shows how near it comes to that: here the defaults of DNFWinnowClassifier,
beside logistic regression on indicator columns, over four bundled sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The probabilities
# -----------------
# `fit` holds out a part of its rows in turn, and chooses what has the least log loss on
# them: among a few settings, for how many epochs, and the factor `scale_` by which
# scores are multiplied for the softmax. No row of the diagram was seen in training:
# five folds, the same for both.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import (
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_tic_tac_toe,
)

loaders = {
    "tic-tac-toe": load_tic_tac_toe,
    "car": load_car,
    "house-votes-84": load_house_votes_84,
    "breast cancer": load_breast_cancer_ljubljana,
}
models = {
    "DNFWinnow": DNFWinnowClassifier(random_state=0),
    "logistic regression": make_pipeline(
        OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=1000)
    ),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
sure = {name: [] for name in models}
right = {name: [] for name in models}
print(f"{'log loss':<18}" + "".join(f"{name:>22}" for name in models))
for set_name, load in loaders.items():
    X, y = load(return_X_y=True, as_frame=True)
    losses = []
    for name, model in models.items():
        probabilities = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
        winners = np.unique(y)[probabilities.argmax(axis=1)]
        sure[name].append(probabilities.max(axis=1))
        right[name].append(winners == y)
        losses.append(log_loss(y, probabilities))
    print(f"{set_name:<18}" + "".join(f"{loss:>22.3f}" for loss in losses))

# %%
# The diagram
# -----------
# All rows of the four sets together, in bins by the probability of the class that was
# predicted. Points on the diagonal keep what they promise; those above could have
# promised more. Bars are standard errors. The counts below are on a logarithmic scale:
# most rows are in the last bin.

edges = np.linspace(0.5, 1.0, 6)
fig, (top, bottom) = plt.subplots(
    nrows=2,
    figsize=(6, 6.5),
    sharex=True,
    height_ratios=[3, 1],
    layout="constrained",
)
top.plot([0.5, 1], [0.5, 1], color="0.7", linewidth=1)
for i, name in enumerate(models):
    p, hit = np.concatenate(sure[name]), np.concatenate(right[name])
    # Below 1/2 there are a few rows of the one set with four classes.
    which = np.clip(np.digitize(p, edges) - 1, 0, len(edges) - 2)
    n = np.bincount(which, minlength=len(edges) - 1)
    promised = np.bincount(which, p) / n
    kept = np.bincount(which, hit) / n
    error = np.sqrt(kept * (1 - kept) / n)
    top.errorbar(promised, kept, yerr=error, fmt="o-", capsize=3, label=name)
    width = 0.03
    bottom.bar(edges[:-1] + 0.05 + (i - 0.5) * width, n, width)
    print(f"{name}: {p.mean():.3f} promised, {hit.mean():.3f} kept, in the mean")
top.set(ylabel="share of right predictions", title="Promised and kept")
top.legend()
bottom.set(xlabel="probability of the predicted class", ylabel="rows", yscale="log")
plt.show()
