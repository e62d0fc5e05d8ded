"""Columns of numbers, for methods that take nothing else.

A category is a column of zeros and ones, a missing category as well. A number that is
missing is the median, and a column tells where. Numbers stay as they are, or become
zeros and ones: whether they are above each of some quantiles.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd


class Columns:
    """Makes an array of a data frame; `sources_` has the column each one is of."""

    def __init__(self, n_cuts=None):
        self.n_cuts = n_cuts

    def fit(self, X):
        self.values_ = [self._values(X.iloc[:, j]) for j in range(X.shape[1])]
        blocks = self._blocks(X)
        widths = [block.shape[1] for block in blocks]
        self.sources_ = np.repeat(np.arange(X.shape[1]), widths)
        return self

    def transform(self, X):
        return np.column_stack(self._blocks(X)).astype(float)

    def _values(self, column):
        """Return categories; or median, cuts, and whether a number is missing."""
        if not pd.api.types.is_numeric_dtype(column):
            values = column.astype(object).where(column.notna(), None)
            return list(dict.fromkeys(values))
        seen, cuts = column.dropna(), None
        median = float(seen.median()) if len(seen) else 0.0
        if self.n_cuts is not None:
            inner = np.arange(1, self.n_cuts + 1) / (self.n_cuts + 1)
            cuts = np.unique(np.quantile(seen, inner)) if len(seen) else np.empty(0)
            cuts = cuts[cuts < seen.max()]
        return median, cuts, bool(column.isna().any())

    def _blocks(self, X):
        return [self._block(X.iloc[:, j], self.values_[j]) for j in range(X.shape[1])]

    @staticmethod
    def _block(column, values):
        """Return the columns of numbers that are made of one column."""
        if isinstance(values, list):
            given = column.astype(object).where(column.notna(), None).to_numpy()
            # Of two values one column says it all.
            shown = values[:1] if len(values) == 2 else values
            return np.column_stack([given == value for value in shown])
        median, cuts, has_missing = values
        numbers = column.fillna(median).to_numpy(float)
        block = numbers[:, None] if cuts is None else numbers[:, None] > cuts
        if has_missing:
            block = np.column_stack([block, column.isna()])
        return block
