"""Subset sums: log W of one row for all sets of its attributes that are known.

Known attributes bring all their literals with them, unknown ones none. The sum over
the terms whose attributes are all known is W of the row with the others unspecified.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import subset_sums

#: Sets of literals, or of attributes: 16 MiB, and a fraction of a second a class.
MOST_CELLS = 1 << 20
# Rows that are summed one by one.
_MOST_ROWS = 1 << 13


def by_terms(
    row, owners, updates, exponents, *, log_alpha, log_beta, max_term_size=None
):
    """Return log W for all sets of known attributes, from all terms of a row.

    Parameters
    ----------
    row : ndarray of shape (n_literals,), int32
        Codes of the literals of a row, none of them unspecified.
    owners : ndarray of shape (n_literals,), int
        The attribute of each literal, from 0.
    updates : ndarray of shape (m, n_literals), int32
        Codes of the updates.
    exponents : ndarray of shape (n_classes, m), int64
    log_alpha, log_beta : float
    max_term_size : int or None

    Returns
    -------
    log_sums : ndarray of shape (n_classes, 2 ** n_attributes), float64, or None
        Bit j of an index is whether attribute j is known. None if the literals have
        more than `MOST_CELLS` sets.
    """
    n_literals = len(row)
    if 1 << n_literals > MOST_CELLS:
        return None
    bits = np.uint64(1) << np.arange(n_literals, dtype=np.uint64)
    sets = (updates == row) @ bits
    # All literals of all sets of attributes.
    whole = np.zeros(1, dtype=np.int64)
    for j in range(owners.max(initial=-1) + 1):
        own = int(bits[owners == j].sum())
        whole = np.concatenate([whole, whole | own])
    log_sums = np.empty((len(exponents), len(whole)))
    cells = np.empty(1 << n_literals)
    for of_class, amounts in zip(log_sums, exponents):
        subset_sums.log_weights(
            sets=sets,
            exponents=amounts,
            log_alpha=log_alpha,
            log_beta=log_beta,
            max_term_size=n_literals if max_term_size is None else max_term_size,
            cells=cells,
        )
        subset_sums.log_sums(cells)
        of_class[:] = cells[whole]
    return log_sums


def by_rows(row, estimate_log_sums, max_attributes=None):
    """Return log W for all sets of known attributes, from the sums of small sets.

    If terms have at most t attributes, the terms with exactly the attributes T weigh
    W(T) less all terms of smaller sets, and nothing where T is larger than t. Rounding
    is harmless, as W(T) is a part of all sums that T is in.

    Parameters
    ----------
    row : ndarray of shape (n_features,), int32
        Codes, 0 where unspecified.
    estimate_log_sums : callable
        From rows of codes to log W and its standard errors: (n_rows, n_classes) each.
    max_attributes : int or None
        Most attributes of a term, None for any number.

    Returns
    -------
    log_sums : ndarray of shape (n_classes, 2 ** n_attributes), float64, or None
        As `by_terms` returns it, of the attributes that the row specifies. None if that
        takes too many sums, or some are estimates.
    """
    specified = np.flatnonzero(row)
    n = len(specified)
    longest = n if max_attributes is None else min(max_attributes, n)
    n_rows = sum(comb(n, size) for size in range(longest + 1))
    if n_rows > _MOST_ROWS or 1 << n > MOST_CELLS:
        return None
    members = [
        np.array([*combinations(range(n), size)], dtype=np.int64)
        for size in range(longest + 1)
    ]
    small = np.concatenate([(1 << of_size).sum(axis=1) for of_size in members])
    known = small[:, None] >> np.arange(n) & 1
    rows = np.zeros((n_rows, len(row)), dtype=np.int32)
    rows[:, specified] = np.where(known, row[specified], 0)
    found, errors = estimate_log_sums(rows)
    if errors.any():
        return None
    log_sums = np.full((found.shape[1], 1 << n), -np.inf)
    log_sums[:, small] = found.T
    if longest == n:
        return log_sums
    for of_size in members:
        _subtract_subsets(log_sums, of_size)
    for of_class in log_sums:
        subset_sums.log_sums(of_class)
    return log_sums


def _subtract_subsets(logs, members):
    """Turn the sums of sets of one size into the weights of their own terms.

    Parameters
    ----------
    logs : ndarray of shape (n_classes, 2 ** n), float64
        Logarithms, of weights where sets are smaller.
    members : ndarray of shape (n_sets, size), int64
    """
    sets, size = (1 << members).sum(axis=1), members.shape[1]
    if size == 0:
        return
    smaller = np.full((len(logs), len(sets)), -np.inf)
    for chosen in range((1 << size) - 1):
        within = [place for place in range(size) if chosen >> place & 1]
        parts = logs[:, (1 << members[:, within]).sum(axis=1)]
        np.logaddexp(smaller, parts, out=smaller)
    with np.errstate(divide="ignore"):
        # Nothing is left but rounding where a set has no terms of its own.
        shares = np.maximum(-np.expm1(smaller - logs[:, sets]), 0.0)
        logs[:, sets] += np.log(shares)
