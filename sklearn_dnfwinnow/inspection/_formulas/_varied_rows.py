"""Varied rows: samples of which some values are those of other samples.

Many formulas agree on a few samples, and differ elsewhere. There, the model tells which
of them is like it. Breiman and Shang ("Born again trees", 1996) make rows for a tree in
this way.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Fraction of the values of a varied row that are drawn again.
_CHANGED = 0.1


def varied_rows(codes, weights, n_rows, sources):
    """Return rows of codes, of which some columns are those of other rows.

    They are a function of the distribution of the rows, whatever their order.

    Parameters
    ----------
    codes : ndarray of shape (n_distinct, n_columns), int
        Distinct rows, in lexicographic order.
    weights : ndarray of shape (n_distinct,), float64
    n_rows : int
    sources : ndarray of shape (n_columns,), int
        Columns of the same source change together.

    Returns
    -------
    varied : ndarray of shape (n_rows, n_columns), int
    """
    rng = np.random.default_rng(0)
    ends = np.cumsum(weights)

    def drawn(points):
        places = np.searchsorted(ends, points * ends[-1], side="right")
        return np.minimum(places, len(codes) - 1)

    varied = codes[drawn((np.arange(n_rows) + 0.5) / n_rows)]
    for source in np.unique(sources):
        rows = np.flatnonzero(rng.random(n_rows) < _CHANGED)
        others = drawn(rng.random(len(rows)))
        for j in np.flatnonzero(sources == source):
            varied[rows, j] = codes[others, j]
    return varied
