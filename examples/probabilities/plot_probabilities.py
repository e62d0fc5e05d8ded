"""
========================
Calibrated probabilities
========================

The predictions with a :term:`confidence` of 80 % should be correct for 80 % of the
rows. A reliability diagram compares confidence and accuracy. This example compares
DNFWinnowClassifier with its defaults and logistic regression on one-hot encoded
features, on four bundled data sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The probabilities
# -----------------
# `fit` uses :term:`internal cross-validation` to minimize the log loss. It selects a
# setting, the number of epochs, and the factor `scale_` by which the scores are
# multiplied before the softmax. The probabilities in the diagram are those of test
# rows in two-fold cross-validation, with the same folds for both classifiers.

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
folds = StratifiedKFold(2, shuffle=True, random_state=0)
confidence = {name: [] for name in models}
correct = {name: [] for name in models}
print(f"{'log loss':<18}" + "".join(f"{name:>22}" for name in models))
for set_name, load in loaders.items():
    X, y = load(return_X_y=True, as_frame=True)
    losses = []
    for name, model in models.items():
        probabilities = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
        winners = np.unique(y)[probabilities.argmax(axis=1)]
        confidence[name].append(probabilities.max(axis=1))
        correct[name].append(winners == y)
        losses.append(log_loss(y, probabilities))
    print(f"{set_name:<18}" + "".join(f"{loss:>22.3f}" for loss in losses))

# %%
# Reliability diagram
# -------------------
# The diagram combines the rows of the four data sets, in bins by confidence: the
# probability of the predicted class. Points on the diagonal are :term:`calibrated
# <calibration>`. Points above it are underconfident, and points below it are
# overconfident. Error bars are standard errors. The histogram below has a logarithmic
# scale: most rows are in the last bin.

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
    p, hit = np.concatenate(confidence[name]), np.concatenate(correct[name])
    # A confidence below 1/2 occurs only in the data set with four classes.
    which = np.clip(np.digitize(p, edges) - 1, 0, len(edges) - 2)
    n = np.bincount(which, minlength=len(edges) - 1)
    mean_confidence = np.bincount(which, p) / n
    accuracy = np.bincount(which, hit) / n
    error = np.sqrt(accuracy * (1 - accuracy) / n)
    top.errorbar(mean_confidence, accuracy, yerr=error, fmt="o-", capsize=3, label=name)
    width = 0.03
    bottom.bar(edges[:-1] + 0.05 + (i - 0.5) * width, n, width)
    print(f"{name}: mean confidence {p.mean():.3f}, accuracy {hit.mean():.3f}")
top.set(ylabel="accuracy", title="Reliability diagram")
top.legend()
bottom.set(xlabel="confidence", ylabel="rows", yscale="log")
plt.show()
