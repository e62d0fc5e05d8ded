"""Computing: tasks in parallel, numbers of random streams, and distinct rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache
from hashlib import blake2b

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController


class Halted(Exception):
    """A task ends because an error or Ctrl-C ended another one."""


def run_tasks(function, tasks, n_jobs=None, all_progress=()):
    """Return the results of a function for each tuple of arguments, as a list.

    The calls run in threads, whatever the backend of joblib. If a call raises an error,
    all progress reports are stopped.
    """
    if effective_n_jobs(n_jobs) == 1:
        # As joblib would, in a fraction of its time.
        return [function(*arguments) for arguments in tasks]
    try:
        return Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(function)(*arguments) for arguments in tasks
        )
    except BaseException:
        # Ctrl-C interrupts only this thread.
        for progress in all_progress:
            progress.halt()
        raise


def one_blas_thread():
    """Return a context in which BLAS has one thread."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries():
    """Return the libraries with threads; to find them takes longer than a small fit."""
    return ThreadpoolController()


def stream(*keys, row):
    """Return the 64-bit stream number of some integer keys and one row of codes.

    The number is a hash of the content, not of a position. Equal rows have equal
    streams, so results do not depend on batches, on the order of rows, or on threads.
    """
    digest = blake2b(np.asarray(row, dtype="<i4").tobytes(), digest_size=8)
    for key in keys:
        digest.update(int(key).to_bytes(8, "little"))
    return int.from_bytes(digest.digest(), "little")


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
    for column in np.asfortranarray(codes).T:
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


def merged_rows(rows, weights):
    """Return distinct rows in lexicographic order, and their total weights.

    The totals do not depend on the order of the rows, not even in their last bits.
    """
    distinct, _, inverse = distinct_rows(rows)
    order = np.lexsort((weights, inverse))
    return distinct, np.bincount(inverse[order], weights[order], len(distinct))


def distinct_in_order(rows):
    """Return distinct rows in order of appearance, and the index of each row there."""
    distinct, first, inverse = distinct_rows(rows)
    arrival = np.argsort(first)
    turn = np.empty_like(arrival)
    turn[arrival] = np.arange(len(arrival))
    return distinct[arrival], turn[inverse]


def _ranks(keys):
    """Return the rank of each key; equal keys have equal ranks."""
    return np.unique(keys, return_inverse=True)[1]
