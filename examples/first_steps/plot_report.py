"""
===============================
A report, and one explained row
===============================

A report tells a colleague what a model does: how often it is right, by which rules, and
what to doubt. It is one HTML file. This example writes a report about a model of breast
tumours, and then looks closer at the prediction that was least certain.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The report
# ----------
# Each of the 569 rows has thirty measurements of cell nuclei, and the class says
# whether the tumour was malignant. A quarter of the rows is held out: all figures of
# the report are measured on these. The rules are learned from the training rows.

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import ExplanationDisplay, report, shapley_values

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = DNFWinnowClassifier(random_state=0).fit(X_train, y_train)
print(f"log loss: {log_loss(y_test, model.predict_proba(X_test)):.3f}")

path = Path(tempfile.mkdtemp()) / "tumours.html"
report(model, X_test, y_test, path, X=X_train, y=y_train, class_of_interest="malignant")
print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")

# %%
# The most important columns
# --------------------------
# The importance of a column is its mean absolute Shapley value: by how much it moves
# the log-odds, on average over some held-out rows.

importances = shapley_values(model, X_test[::3]).feature_importances()
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
importances.sort_values()[-10:].plot.barh(ax=ax, xlabel="mean absolute Shapley value")
plt.show()

# %%
# The least certain prediction
# ----------------------------
# An explanation starts from the log-odds of the average training row, and says how much
# each column moves them: +0.69 doubles the odds. Bars to the right speak for the
# predicted class, and bars to the left for the other one. Here they nearly cancel. The
# right panel has the rules with the largest contributions: by how much the log-odds
# would be less without the rule. None of them decides alone.

row = int(np.abs(model.decision_function(X_test)).argmin())
print(model.explain(X_test[row : row + 1], top=4)[0])
ExplanationDisplay.from_estimator(model, X_test, row, top=4)
plt.show()
