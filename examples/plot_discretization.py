"""
===========================
Where to cut, and how often
===========================

ClassEntropyDiscretizer cuts a column where the classes change. Here are the cut points
of some measurements of cars, the three ways to choose how many, and what comes of equal
widths instead.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A column in pieces
# ------------------
# The classes are the risk that insurers see in a car, -2 to 3. Of all ways to cut the
# wheel base into ten intervals these leave the least entropy of the classes inside: the
# picture has the classes along the column, and what each further interval would save.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DiscretizationDisplay
from sklearn_dnfwinnow.datasets import load_auto

X, y = load_auto(return_X_y=True, as_frame=True)
discretizer = ClassEntropyDiscretizer().fit(X, y)
DiscretizationDisplay.from_estimator(discretizer, X, y, column="wheel-base")
plt.show()

# %%
# Names, and typical values
# -------------------------
# `interval_labels_` says in few digits what the intervals are, `representatives_` has
# the median of each, which is what `inverse_transform` returns.

position = list(X.columns).index("wheel-base")
print(
    pd.DataFrame(
        {
            "interval": discretizer.interval_labels_[position],
            "median": discretizer.representatives_[position],
        }
    ).to_string()
)

# %%
# How many
# --------
# More intervals never leave more entropy, even where there is nothing to be found.
# `selection='max'` takes as many as `max_intervals` allows, if each leaves less; 'mdl'
# takes those that pay for their own description; 'balanced' the best ratio of what is
# saved to the logarithm of their number. Below, the class is 1 in two bands of the
# first column; the second is noise.

rng = np.random.default_rng(0)
columns = rng.uniform(0, 10, size=(500, 2))
inside = (np.abs(columns[:, 0] - 2.5) < 1) | (np.abs(columns[:, 0] - 7) < 1.5)
labels = np.where(rng.random(500) < 0.9, inside, ~inside).astype(int)
bands = pd.DataFrame(columns, columns=["bands", "noise"])

selections = ("max", "mdl", "balanced")
fig, axes = plt.subplots(
    nrows=3, ncols=2, figsize=(8, 7.5), sharex=True, sharey="col", layout="constrained"
)
for row, selection in zip(axes, selections):
    fitted = ClassEntropyDiscretizer(selection=selection).fit(bands, labels)
    for ax, name, n_intervals in zip(row, bands, fitted.n_intervals_):
        DiscretizationDisplay.from_estimator(
            fitted, bands, labels, column=name, n_bars=30, ax=ax
        )
        ax.set_title(f"{selection}: {n_intervals} intervals")
        ax.get_legend().remove()
plt.show()

# %%
# A least number of rows
# ----------------------
# Few rows in an interval are weak evidence. `min_samples_interval` asks for more: the
# partition is still the best of those that are left.

for least in (1, 20, 0.1):
    fitted = ClassEntropyDiscretizer(min_samples_interval=least).fit(bands, labels)
    codes = fitted.transform(bands)[:, 0].astype(int)
    print(f"at least {least:>3}: rows {np.bincount(codes)}")

# %%
# Equal widths
# ------------
# Five intervals of the same width, or of as many rows each, miss the ends of the bands;
# five where the classes change do not.

edges = {
    "equal widths": np.linspace(0, 10, 6)[1:-1],
    "quantiles": np.quantile(bands["bands"], [0.2, 0.4, 0.6, 0.8]),
    "least entropy": ClassEntropyDiscretizer(max_intervals=5)
    .fit(bands, labels)
    .cut_points_[0],
}
for name, cut_points in edges.items():
    codes = np.searchsorted(cut_points, bands["bands"])
    rate = pd.Series(labels).groupby(codes).mean()
    print(f"{name:<14} share of class 1: {rate.round(2).tolist()}")
