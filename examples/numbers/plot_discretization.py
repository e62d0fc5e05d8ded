"""
=============================================
Supervised discretization of numeric features
=============================================

ClassEntropyDiscretizer divides a numeric feature into intervals, with :term:`cut points
<cut point>` where the class distribution changes. This example shows the cut points of
features of cars, the options that select the number of intervals, and a comparison with
intervals of equal width.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Intervals of a feature
# ----------------------
# The classes are risk ratings of cars by insurers, from -2 to 3. The discretizer
# divides the wheel base into ten intervals. Among all partitions into ten intervals,
# this one has the lowest class entropy. The figure shows the classes along the feature.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DiscretizationDisplay
from sklearn_dnfwinnow.datasets import load_auto

X, y = load_auto(return_X_y=True, as_frame=True)
discretizer = ClassEntropyDiscretizer().fit(X, y)
DiscretizationDisplay.from_estimator(discretizer, X, y, feature="wheel-base")
plt.show()

# %%
# Labels and typical values
# -------------------------
# `interval_labels_` describes the intervals with few digits. `representatives_`
# contains the median of each interval, which `inverse_transform` returns.

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
# The number of intervals
# -----------------------
# More intervals never increase the class entropy, even on noise. The parameter
# `selection` determines how many are used:
#
# * 'max' takes up to `max_intervals` intervals, if each of them lowers the entropy.
#
# * 'mdl' takes the number with the minimum description length.
#
# * 'balanced' maximizes the ratio of the entropy reduction to the logarithm of the
#   number of intervals.
#
# In the data below, the class is mostly 1 in two bands of the first feature. The second
# feature is noise.

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
            fitted, bands, labels, feature=name, n_bars=30, ax=ax
        )
        ax.set_title(f"{selection}: {n_intervals} intervals")
        if ax is not axes[0, 1]:
            ax.get_legend().remove()
plt.show()

# %%
# Minimum number of rows per interval
# -----------------------------------
# An interval with few rows is weak evidence. `min_samples_interval` sets a minimum.
# The discretizer finds the best partition that satisfies it.

for least in (1, 20, 0.1):
    fitted = ClassEntropyDiscretizer(min_samples_interval=least).fit(bands, labels)
    codes = fitted.transform(bands)[:, 0].astype(int)
    print(f"at least {least:>3}: rows {np.bincount(codes)}")

# %%
# Comparison with equal widths and quantiles
# ------------------------------------------
# Five intervals of equal width, or with equal numbers of rows, miss the ends of the
# bands. Five intervals of minimum class entropy match them.

edges = {
    "equal widths": np.linspace(0, 10, 6)[1:-1],
    "quantiles": np.quantile(bands["bands"], [0.2, 0.4, 0.6, 0.8]),
    "minimum entropy": ClassEntropyDiscretizer(max_intervals=5)
    .fit(bands, labels)
    .cut_points_[0],
}
for name, cut_points in edges.items():
    codes = np.searchsorted(cut_points, bands["bands"])
    rate = pd.Series(labels).groupby(codes).mean()
    print(f"{name:<15} fraction of class 1: {rate.round(2).tolist()}")
