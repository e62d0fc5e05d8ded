"""Multisplits: partitions of minimum average class entropy, one of each arity."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._entropy_cuts._segments import TIE, is_whole
from sklearn_dnfwinnow._kernels import entropy

# The largest table of n log n, in entries of 8 bytes.
_LARGEST_TABLE = 1 << 21


class Multisplits(NamedTuple):
    """An optimal partition into each number of intervals that is possible.

    Attributes
    ----------
    entropies : ndarray of shape (n_arities,)
        Average class entropy of the partition into 1, 2, ... intervals, in bits.
    starts : list of n_arities ndarrays of shape (1,), (2,), ...
        First segment of each interval.
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class in each segment.
    """

    entropies: np.ndarray
    starts: list
    counts: np.ndarray

    def interval_counts(self, arity):
        """Return the weight of each class in each interval of a partition."""
        return np.add.reduceat(self.counts, self.starts[arity - 1], axis=0)


def n_log_n(weights):
    """Return a table of n log2 n for n = 0, 1, ..., up to the sum of some weights.

    It is faster than logarithms, and threads can share it. It is empty if weights are
    not integers, or if their sum is too large.
    """
    total = weights.sum()
    if not is_whole(weights) or total >= _LARGEST_TABLE:
        return np.empty(0)
    n = np.arange(int(total) + 1, dtype=np.float64)
    return n * np.log2(np.maximum(n, 1.0))


def multisplits(counts, max_intervals, min_weight, table, halted):
    """Find the optimal partitions.

    Parameters
    ----------
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class in each segment.
    max_intervals : int
        The largest arity.
    min_weight : float
        Minimum weight of an interval if there are several; 0 for no minimum.
    table : ndarray
        See `n_log_n`.
    halted : ndarray of shape (1,), uint8
        Set to a nonzero value by another thread to end the call.

    Returns
    -------
    found : Multisplits

    Raises
    ------
    RuntimeError
        If it was halted.
    """
    n_segments, n_classes = counts.shape
    prefix = np.vstack([np.zeros(n_classes), counts.cumsum(axis=0)])
    weight = prefix.sum(axis=1)
    total = weight[-1]
    n_arities = min(max_intervals, n_segments)
    if min_weight > 0.0:
        # Maximum number of intervals with this weight.
        most = int(total / max(min_weight - TIE * total, TIE * total))
        n_arities = max(1, min(n_arities, most))
        min_weight = min(min_weight, total)
    shape = n_arities, n_segments + 1
    cost, start = np.full(shape, np.inf), np.zeros(shape, dtype=np.intp)
    relaxed = np.full(shape, np.inf) if min_weight > 0.0 else cost
    entropy.multisplit(
        prefix=prefix,
        weight=weight,
        min_weight=min_weight,
        tie=TIE * total,
        table=table,
        halted=halted,
        known=np.full(n_segments, -1.0),
        cost=cost,
        start=start,
        relaxed=relaxed,
    )
    if halted[0]:
        raise RuntimeError("The search for partitions was halted.")
    starts = []
    for arity in range(1, 1 + int(np.isfinite(cost[:, -1]).sum())):
        path = [n_segments]
        for k in range(arity - 1, -1, -1):
            path.append(start[k, path[-1]])
        starts.append(np.array(path[:0:-1]))
    return Multisplits(cost[: len(starts), -1] / total, starts, counts)
