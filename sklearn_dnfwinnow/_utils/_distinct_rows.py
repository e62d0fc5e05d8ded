"""Distinct rows of an array of codes, found by keys of 64 bits."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

_LARGEST_KEY = 2**64 - 1


def distinct_rows(codes):
    """Return distinct rows in lexicographic order, faster than `numpy.unique`.

    The key of a row is a number in mixed radix, with one digit per column. If another
    digit would overflow 64 bits, the keys so far are replaced by their ranks, which
    have the same order.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_columns), int
        Non-negative, below 2^32.

    Returns
    -------
    rows : ndarray of shape (n_distinct, n_columns)
    first : ndarray of shape (n_distinct,), intp
        Position of the first equal row for each distinct row.
    inverse : ndarray of shape (n_rows,), intp
        Position of each row among the distinct rows.
    """
    if len(codes) == 1:
        only = np.zeros(1, dtype=np.intp)
        return codes.copy(), only, only.copy()
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
    # In reverse order, because the last write remains.
    first[inverse[::-1]] = np.arange(len(codes))[::-1]
    return codes[first], first, inverse


def distinct_in_order(rows):
    """Return distinct rows in order of appearance, and the index of each row there."""
    distinct, first, inverse = distinct_rows(rows)
    arrival = np.argsort(first)
    turn = np.empty_like(arrival)
    turn[arrival] = np.arange(len(arrival))
    return distinct[arrival], turn[inverse]


def behind_examples(examples, codes):
    """Append to distinct updates the rows of codes that are not among them.

    Returns
    -------
    rows : ndarray of shape (n_distinct, n_columns)
        The updates, followed by the other distinct rows in order of appearance.
    places : ndarray of shape (n_rows,), intp
        Position of each row of codes among them.
    """
    rows, places = distinct_in_order(np.concatenate([examples, codes]))
    return rows, places[len(examples) :]


def _ranks(keys):
    """Return the rank of each key; equal keys have equal ranks."""
    return np.unique(keys, return_inverse=True)[1]
