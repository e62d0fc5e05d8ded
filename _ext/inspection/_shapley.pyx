"""Shapley values of games whose values are known for all sets of players."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from _bits cimport popcount

cdef enum:
    LANES = 16            # running sums, so that additions need not wait for each other


cdef inline double weighted(
    const double* weights, const double* low, const double* high, Py_ssize_t n
) noexcept nogil:
    """Sum of the weighted differences of two runs of values."""
    cdef double[LANES] sums
    cdef double total = 0.0
    cdef Py_ssize_t S, part, lane, n_parts = n // LANES
    if n_parts:
        for lane in range(LANES):
            sums[lane] = 0.0
        for part in range(n_parts):
            S = part * LANES
            for lane in range(LANES):
                sums[lane] += weights[S + lane] * (high[S + lane] - low[S + lane])
        for lane in range(LANES):
            total += sums[lane]
    for S in range(n_parts * LANES, n):
        total += weights[S] * (high[S] - low[S])
    return total


def shapley_values(
    *,
    const double[:, ::1] values,     # IN (n_games, 2^n) values of sets, as bits
    const double[::1] weights,       # IN (n,) of a set without a player, by its size
    double[:, ::1] effects,          # OUT (n_games, n)
):
    """Compute the Shapley values of all players."""
    cdef Py_ssize_t size = values.shape[1], k, j, S, pair, stride
    cdef double[::1] of_sets = np.empty(size)
    cdef double total
    with nogil:
        # That of all players is not used.
        of_sets[size - 1] = 0.0
        for S in range(size - 1):
            of_sets[S] = weights[popcount(S)]
        for k in range(values.shape[0]):
            for j in range(effects.shape[1]):
                stride = <Py_ssize_t> 1 << j
                total = 0.0
                for pair in range(size >> (j + 1)):
                    S = 2 * stride * pair
                    total += weighted(
                        &of_sets[S], &values[k, S], &values[k, S + stride], stride
                    )
                effects[k, j] = total
