"""
=======================================
Categorical, numeric and missing values
=======================================

Most data sets contain both categorical and numeric features, and missing values. The
data set of this example describes cars by makes, body styles and dimensions, with
missing values in features of both kinds. The class is the risk rating by insurers. The
classifier takes the data frame without preprocessing.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The data set
# ------------
# Ten features are categorical and fifteen are numeric. The normalized losses are
# missing for a fifth of the cars.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import OneHotEncoder

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto
from sklearn_dnfwinnow.inspection import TermsDisplay, to_dnf

X, y = load_auto(return_X_y=True, as_frame=True)
numbers = X.select_dtypes("number").columns
words = X.columns.difference(numbers, sort=False)
print(f"{len(X)} cars, {len(words)} categorical features, {len(numbers)} numeric ones")
print(X.isna().sum().loc[lambda n: n > 0].to_string())
print(y.value_counts().sort_index(key=lambda risk: risk.astype(int)).to_string())

# %%
# Fit without preprocessing
# -------------------------
# `fit` divides the numeric features into intervals. All other features are categorical.
# A missing value satisfies no condition, so rules that test it do not apply; all other
# rules do. Nothing is imputed. A single model is quicker than the average of several,
# which is the default.

model = DNFWinnowClassifier(n_estimators=1, random_state=0).fit(X, y)
n_intervals = model.discretizer_.n_intervals_
cut = pd.DataFrame(
    {
        "intervals": n_intervals[[X.columns.get_loc(c) for c in numbers]],
        "distinct values": X[numbers].nunique().to_numpy(),
    },
    index=numbers,
)
print(cut.to_string())

# %%
# Accuracy
# --------
# The accuracy is estimated by three-fold cross-validation. In each fold, the intervals
# are computed from the training rows only. A random forest on the same folds is
# shown for comparison. It needs one-hot encoded categorical features, and handles
# missing numeric values itself.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
indicators.set_output(transform="pandas").fit(X[words])
contestants = {
    "DNFWinnow": (model, X),
    "random forest": (
        RandomForestClassifier(100, random_state=0),
        pd.concat([X[numbers], indicators.transform(X[words])], axis=1),
    ),
}
predictions = {
    name: cross_val_predict(estimator, table, y, cv=folds)
    for name, (estimator, table) in contestants.items()
}
for name, predicted in predictions.items():
    print(f"{name:<14} wrong on {np.mean(predicted != y):.1%}")

# %%
# On these few cars, the forest is right a little more often. Most mistakes are off by
# only one step of the scale.

risks = ["-2", "-1", "0", "1", "2", "3"]
fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, predicted) in zip(axes, predictions.items()):
    ConfusionMatrixDisplay.from_predictions(
        y, predicted, labels=risks, ax=ax, colorbar=False, cmap="Blues"
    )
    ax.set_title(name)
plt.show()

# %%
# The top-weighted rules
# ----------------------
# The rules combine conditions on categorical and numeric features, in
# the units of the data set. Their precision is measured on the training rows here,
# which is optimistic.

TermsDisplay.from_estimator(model, X, y, class_of_interest="3", top=8)
plt.show()

# %%
# Rules for the riskiest cars:

rule = to_dnf(model, "3", X=X, y=y)
print(rule)
print({name: round(score, 3) for name, score in rule.scores.items()})
