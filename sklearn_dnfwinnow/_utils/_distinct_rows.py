"""Rows: which of them are distinct, by keys rather than by comparing whole rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

_LARGEST_KEY = 2**64 - 1


def distinct_rows(codes):
    """Distinct rows in lexicographic order, as `numpy.unique` has them, but faster.

    A key is a number in mixed radix, one digit a column. Where another digit would
    leave 64 bits, the keys so far give way to their ranks, which are in the same order.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_columns), int
        Not negative, below 2^32.

    Returns
    -------
    rows : ndarray of shape (n_distinct, n_columns)
    first : ndarray of shape (n_distinct,), intp
        Where each of them comes first.
    inverse : ndarray of shape (n_rows,), intp
        Which of them each row is.
    """
    keys = np.zeros(len(codes), dtype=np.uint64)
    largest = 0
    for column in codes.T:
        base = int(column.max(initial=0)) + 1
        if largest * base + base - 1 > _LARGEST_KEY:
            keys = _ranks(keys).astype(np.uint64)
            largest = int(keys.max())
            if largest == len(keys) - 1:
                break  # all distinct: what is left changes neither that nor the order
        keys *= np.uint64(base)
        keys += column.astype(np.uint64)
        largest = largest * base + base - 1
    inverse = _ranks(keys)
    first = np.empty(int(inverse.max(initial=-1)) + 1, dtype=np.intp)
    # Backwards, as the last to be written stays.
    first[inverse[::-1]] = np.arange(len(codes))[::-1]
    return codes[first], first, inverse


def distinct_in_order(rows):
    """Distinct rows in order of arrival, and where each row is among them."""
    distinct, first, inverse = distinct_rows(rows)
    arrival = np.argsort(first)
    turn = np.empty_like(arrival)
    turn[arrival] = np.arange(len(arrival))
    return distinct[arrival], turn[inverse]


def behind_updates(updates, codes):
    """Distinct rows, some updates (distinct ones) being the first, and where codes are.

    Returns
    -------
    rows : ndarray of shape (n_distinct, n_columns)
    places : ndarray of shape (n_rows,), intp
        Which of them each row of codes is.
    """
    rows, places = distinct_in_order(np.concatenate([updates, codes]))
    return rows, places[len(updates) :]


def _ranks(keys):
    return np.unique(keys, return_inverse=True)[1]
