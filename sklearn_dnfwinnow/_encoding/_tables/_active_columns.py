"""Active columns: the columns of a wide sparse matrix of which terms are made.

Codes are dense, so that a model of all columns of a wide matrix has no room. Columns
are ranked by what a literal of theirs tells about the class, and by what pairs of
literals tell beyond both.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array

# Quantiles of the values of a column that its literals are compared with.
_QUANTILES = (0.25, 0.5, 0.75)
# Weight that a gain takes off, so that few samples do not win by luck.
_DOUBT = 2.0
# Part of the columns that is left for pairs; least weight of a pair; maximum number of
# multiplications of the products that find pairs; number of columns at a time, and of
# blocks that are multiplied with the same columns.
_OF_PAIRS, _LEAST, _MOST_WORK, _BLOCK, _RESTS = 1 / 4, 4, 1 << 29, 1 << 7, 1 << 5


def active_columns(matrix, labels, weights, n_columns):
    """Return the columns that say most about the classes of samples.

    The gain of a literal is ``sum(r) ** 2 / (n + 2)``, summed over the classes, where n
    is the weight of the samples that satisfy it, and r their residuals: 1 for a sample
    of the class, minus the fraction of the class. Literals are that a value is present,
    and that it is above or below a quartile. A pair of columns has the gain of what
    their joint presence adds to the mean residuals of each. Three quarters of the
    columns have the largest gains alone, a quarter is of the best pairs.

    Parameters
    ----------
    matrix : csc_array of shape (n_samples, n_features)
        Without zeros and NaN.
    labels : ndarray of shape (n_samples,), int
        Class indices.
    weights : ndarray of shape (n_samples,)
        Positive.
    n_columns : int
        Maximum number of columns.

    Returns
    -------
    positions : ndarray of int
        Ascending; a function of the weights of distinct samples.
    """
    if matrix.shape[1] <= n_columns:
        return np.arange(matrix.shape[1])
    gains = np.zeros(matrix.shape[1])
    for literals in _literals(matrix):
        gains = np.maximum(gains, _gains(literals, labels, weights))
    # Sums of weights that are not whole depend on their order in the last bits.
    gains = gains.astype(np.float32)
    best = np.argsort(-gains, kind="stable")
    best = best[gains[best] > 0]
    n_alone = min(n_columns - int(_OF_PAIRS * n_columns), len(best))
    chosen = dict.fromkeys(best[:n_alone].tolist())
    for pair in _best_pairs(matrix, labels, weights, n_columns):
        if len(chosen) >= n_columns:
            break
        chosen.update(dict.fromkeys(pair))
    chosen.update(dict.fromkeys(best.tolist()))
    return np.sort(np.array([*chosen][:n_columns], dtype=np.intp))


def _literals(matrix):
    """Yield matrices of the literals of all columns: csc_array, 1.0 where one holds."""
    yield _where(matrix, np.ones(matrix.nnz, dtype=bool))
    counts = np.diff(matrix.indptr)
    owners = np.repeat(np.arange(matrix.shape[1]), counts)
    ascending = matrix.data[np.lexsort((matrix.data, owners))]
    if not len(ascending):
        return
    for quantile in _QUANTILES:
        places = matrix.indptr[:-1] + (quantile * counts).astype(np.intp)
        cuts = ascending[places.clip(max=len(ascending) - 1)]
        is_above = matrix.data > cuts[owners]
        if is_above.any():
            yield _where(matrix, is_above)
            yield _where(matrix, ~is_above)


def _where(matrix, holds):
    """Return 1.0 where a condition on the stored values holds."""
    ends = np.append(0, np.cumsum(holds))[matrix.indptr]
    ones = np.ones(int(ends[-1]))
    return csc_array((ones, matrix.indices[holds], ends), shape=matrix.shape)


def _gains(literals, labels, weights):
    """Return the gain of each literal: (n_literals,)."""
    n_classes = int(labels.max()) + 1
    shape = len(labels), n_classes
    of_classes = csr_array((weights, labels, np.arange(len(labels) + 1)), shape=shape)
    parts = np.bincount(labels, weights, n_classes) / weights.sum()
    counts = csr_array(literals.T @ of_classes)
    rows = literals.T @ weights
    # The square of counts - rows * parts, without a dense array of all classes.
    squares = counts.multiply(counts).sum(axis=1)
    sums = squares - 2 * rows * (counts @ parts) + rows**2 * (parts @ parts)
    return sums / (rows + _DOUBT)


def _best_pairs(matrix, labels, weights, n_pairs):
    """Return pairs of columns, by descending gain: list of [int, int]."""
    present = _where(matrix, np.ones(matrix.nnz, dtype=bool))
    totals = present.T @ weights
    # Ascending: a block is multiplied with the columns after it, which are longer.
    frequent = np.argsort(totals, kind="stable")
    frequent = frequent[totals[frequent] >= _LEAST]
    present = csr_array(present[:, frequent])
    work = float((np.diff(present.indptr).astype(float) ** 2).sum())
    parts = np.bincount(labels, weights) / weights.sum()
    # Two classes have opposite residuals.
    classes = np.argsort(-parts, kind="stable")[: max(1, len(parts) - 1)]
    classes = classes[: int(_MOST_WORK // max(work, 1.0))]
    if not len(frequent) or not len(classes):
        return []
    transposed, best = csr_array(present.T), np.zeros((3, 0))
    all_residuals = [((labels == k) - parts[k]) * weights for k in classes]
    totals = totals[frequent]
    all_means = [transposed @ residuals / totals for residuals in all_residuals]
    for first in range(0, len(frequent), _BLOCK):
        if not first % (_RESTS * _BLOCK):
            start, rest = first, present[:, first:]
        left, gains = transposed[first : first + _BLOCK], 0.0
        for residuals, means in zip(all_residuals, all_means):
            # Weights and residuals in one product: the entries are in the same order.
            both = (left @ diags_array(weights + 1j * residuals) @ rest).tocoo()
            kept = both.data.real >= _LEAST
            kept &= both.row + first < both.col + start
            i, j = both.row[kept] + first, both.col[kept] + start
            n, sums = both.data.real[kept], both.data.imag[kept]
            gains = gains + (sums - n * (means[i] + means[j])) ** 2
        found = np.stack([-(gains / (n + _DOUBT)).astype(np.float32), i, j])
        if found.shape[1] > n_pairs:
            last = np.partition(found[0], n_pairs)[n_pairs]
            found = found[:, found[0] <= last]
        best = np.concatenate([best, found], axis=1)
        best = best[:, np.lexsort(best[::-1])[:n_pairs]]
    return np.sort(frequent[best[1:].astype(np.intp)], axis=0).T.tolist()
