"""Binnings: other ways to cut a column, each a function from values and classes.

All return ascending cut points; a value equal to one lies below it. `Binned` makes a
transformer of them that treats missing values and other columns as ours does.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.tree import DecisionTreeClassifier


def quantile(values, y, max_intervals):
    """Intervals of about as many rows each."""
    inner = np.arange(1, max_intervals) / max_intervals
    return np.unique(np.quantile(values, inner))


def uniform(values, y, max_intervals):
    """Intervals of the same width."""
    return np.unique(np.linspace(values.min(), values.max(), max_intervals + 1)[1:-1])


def tree(values, y, max_intervals):
    """The leaves of a tree that is grown best first, by entropy."""
    grown = DecisionTreeClassifier(
        criterion="entropy", max_leaf_nodes=max_intervals, random_state=0
    ).fit(values[:, None], y)
    inner = grown.tree_.children_left >= 0
    return np.unique(grown.tree_.threshold[inner])


def mdlp(values, y, max_intervals=None):
    """Binary splits as long as they shorten the description (Fayyad & Irani 1993)."""
    distinct, at = np.unique(values, return_inverse=True)
    classes, labels = np.unique(y, return_inverse=True)
    counts = np.zeros((len(distinct), len(classes)))
    np.add.at(counts, (at, labels), 1)
    prefix = np.vstack([np.zeros(len(classes)), counts.cumsum(axis=0)])
    cuts, parts = [], [(0, len(distinct))]
    while parts:
        start, end = parts.pop()
        if end - start < 2:
            continue
        left = prefix[start + 1 : end] - prefix[start]
        right = prefix[end] - prefix[start + 1 : end]
        whole = prefix[end] - prefix[start]
        after = n_entropies(left) + n_entropies(right)
        best = int(after.argmin())
        rows, before = whole.sum(), n_entropies(whole)
        k, k1, k2 = [(c > 0).sum() for c in (whole, left[best], right[best])]
        entropies = [
            part * n_entropies(c) / c.sum()
            for part, c in ((k, whole), (k1, left[best]), (k2, right[best]))
        ]
        delta = np.log2(3.0**k - 2) - (entropies[0] - entropies[1] - entropies[2])
        if before - after[best] > np.log2(rows - 1) + delta:
            cut = start + best + 1
            cuts.append((distinct[cut - 1] + distinct[cut]) / 2)
            parts += [(start, cut), (cut, end)]
    return np.sort(cuts)


def n_entropies(counts):
    """Entropy times rows, in bits."""
    rows = counts.sum(axis=-1)
    return n_log_n(rows) - n_log_n(counts).sum(axis=-1)


def n_log_n(n):
    """n log2 n, 0 for 0."""
    return n * np.log2(np.maximum(n, 1e-300))


class Binned(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cuts the numeric columns of a data frame; other columns pass through."""

    def __init__(self, binning, max_intervals=10):
        self.binning = binning
        self.max_intervals = max_intervals

    def fit(self, X, y):
        self.cut_points_ = {}
        for name in X.select_dtypes("number"):
            values = X[name].to_numpy(dtype=float)
            seen = ~np.isnan(values)
            self.cut_points_[name] = (
                self.binning(values[seen], np.asarray(y)[seen], self.max_intervals)
                if seen.any()
                else np.empty(0)
            )
        self.n_intervals_ = np.array([len(c) + 1 for c in self.cut_points_.values()])
        return self

    def transform(self, X):
        out = X.copy()
        for name, cut_points in self.cut_points_.items():
            values = X[name].to_numpy(dtype=float)
            codes = np.searchsorted(cut_points, values, side="left")
            out[name] = np.where(np.isnan(values), np.nan, codes)
        return out
