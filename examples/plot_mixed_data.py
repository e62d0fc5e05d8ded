"""
=======================
Words, numbers and gaps
=======================

Most tables are neither all categories nor all numbers, and have holes. Here is one of
cars: makes, body styles, measurements, missing cells in both kinds, and the risk that
insurers see in them. The classifier takes the table as it is.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The table
# ---------
# Ten columns of words, fifteen of numbers. A fifth of the cars have no figure for their
# losses.

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
print(f"{len(X)} cars, {len(words)} columns of words, {len(numbers)} of numbers")
print(X.isna().sum().loc[lambda n: n > 0].to_string())
print(y.value_counts().sort_index(key=lambda risk: risk.astype(int)).to_string())

# %%
# One step
# --------
# `fit` cuts the columns of numbers into intervals; all others are categories.
# A missing number stays missing, and a missing cell satisfies no condition: the rules
# that ask for it do not apply, and all others do. Nothing is imputed.

model = DNFWinnowClassifier(random_state=0).fit(X, y)
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
# How good it is
# --------------
# Five folds; in each, columns are cut by the training rows alone. For comparison, a
# forest on the same folds, which needs its words as indicator columns, and takes
# missing numbers since it learned to.

folds = StratifiedKFold(5, shuffle=True, random_state=0)
keep = (y != "-2").to_numpy()  # Three cars are too few for five folds.
indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
indicators.set_output(transform="pandas").fit(X[words])
contestants = {
    "DNFWinnow": (model, X[keep]),
    "random forest": (
        RandomForestClassifier(100, random_state=0),
        pd.concat([X[numbers], indicators.transform(X[words])], axis=1)[keep],
    ),
}
predictions = {
    name: cross_val_predict(estimator, table, y[keep], cv=folds)
    for name, (estimator, table) in contestants.items()
}
for name, predicted in predictions.items():
    print(f"{name:<14} wrong on {np.mean(predicted != y[keep]):.1%}")

# %%
# Where they are wrong, it is more often than not by one step of the scale.

risks = ["-1", "0", "1", "2", "3"]
fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, predicted) in zip(axes, predictions.items()):
    ConfusionMatrixDisplay.from_predictions(
        y[keep], predicted, labels=risks, ax=ax, colorbar=False, cmap="Blues"
    )
    ax.set_title(name)
plt.show()

# %%
# What it goes by
# ---------------
# Conditions on words and numbers stand side by side, in the units of the table.

TermsDisplay.from_estimator(
    model, X, y, class_="3", top=8, irredundant=True, measure="share"
)
plt.show()

# %%
# As a rule for the riskiest cars, from four terms:

rule = to_dnf(model, "3", n_terms=4, X=X, y=y)
print(rule)
print({name: round(score, 3) for name, score in rule.scores.items()})
