"""Background: a sample of the training rows, to compare a row with."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._computing import merged_rows, stream

#: Maximum number of rows of a background.
MOST_ROWS = 256


@dataclass(frozen=True, eq=False)
class Background:
    """Distinct rows of codes, with the number of training rows that each stands for.

    Up to `MOST_ROWS` distinct rows are kept as they are. More rows are thinned by
    systematic sampling: the rows are laid side by side in lexicographic order, each as
    long as its weight, and points at equal distances choose the rows. Similar rows are
    neighbours, so the sample represents them more evenly than a random one. The first
    point is a function of the distinct rows. The result therefore depends neither on
    the order of the rows nor on a seed, and a weight has the effect of repetitions.

    Attributes
    ----------
    codes : ndarray of shape (n_rows, n_features), int32
        In lexicographic order.
    weights : ndarray of shape (n_rows,), float64
        Positive.
    """

    codes: np.ndarray
    weights: np.ndarray

    @classmethod
    def empty(cls, n_features):
        """Return the background without any rows."""
        return cls(np.empty((0, n_features), dtype=np.int32), np.empty(0))

    @classmethod
    def of_rows(cls, codes, weights):
        """Return a background of all distinct rows, with their total weights."""
        distinct, totals = merged_rows(codes, weights)
        return cls(np.ascontiguousarray(distinct), totals)

    def with_rows(self, codes, weights):
        """Return the background of these and further rows, thinned to `MOST_ROWS`."""
        every = self.of_rows(
            np.concatenate([self.codes, codes]),
            np.concatenate([self.weights, weights]),
        )
        return every.thinned(MOST_ROWS)

    def thinned(self, n_rows):
        """Return a background of at most `n_rows` rows, with the same total weight."""
        if len(self.codes) <= n_rows:
            return self
        ends = np.cumsum(self.weights)
        first = stream(row=self.codes) / 2.0**64
        points = (np.arange(n_rows) + first) * (ends[-1] / n_rows)
        places = np.searchsorted(ends, points, side="right")
        chosen, counts = np.unique(
            np.minimum(places, len(ends) - 1), return_counts=True
        )
        return Background(self.codes[chosen], counts * (ends[-1] / n_rows))
