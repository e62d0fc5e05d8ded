"""Subset sums: log W of one query for all sets of its attributes that are known.

Cells are sets of literals, or of attributes, as bits. The weight of a term comes from
phi, by Yates passes over supersets; the sums over the terms that a set has, by Yates
passes over subsets:

    W(S) = sum of w[T] over all subsets T of S
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int64_t, uint64_t

import numpy as np

from _bits cimport popcount
from _log_sum_exp cimport log_add

cdef enum:
    # How far the heaviest term may be above the empty one for plain sums (natural
    # logarithms). All sums have the empty term, so that none of them underflows; what
    # does is lighter by far than the last digit of any sum.
    LARGEST_SPAN = 600


cdef void add_supersets(int64_t* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if half == 0:
        return
    for S in range(half):
        f[S] += f[half + S]
    add_supersets(f, half)
    add_supersets(f + half, half)


cdef void add_subsets(double* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if half == 0:
        return
    for S in range(half):
        f[half + S] += f[S]
    add_subsets(f, half)
    add_subsets(f + half, half)


cdef void add_subsets_of_logs(double* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if half == 0:
        return
    for S in range(half):
        f[half + S] = log_add(f[half + S], f[S])
    add_subsets_of_logs(f, half)
    add_subsets_of_logs(f + half, half)


def log_weights(
    *,
    const uint64_t[::1] sets,        # IN (m,) literals that each update agrees on
    const int64_t[::1] net_counts,    # IN (m,)
    double log_alpha,
    double log_beta,
    Py_ssize_t max_term_size,        # larger terms have no weight
    double[::1] cells,               # OUT (2^n_literals,) log weights, -inf where none
):
    """Compute the weights of all terms of a query."""
    cdef Py_ssize_t size = cells.shape[0], u, S, length
    cdef int64_t[::1] phi = np.zeros(size, dtype=np.int64)
    with nogil:
        for u in range(net_counts.shape[0]):
            phi[sets[u]] += net_counts[u]
        add_supersets(&phi[0], size)
        for S in range(size):
            length = popcount(S)
            cells[S] = (
                log_alpha * <double> phi[S] + log_beta * <double> length
                if length <= max_term_size else -INFINITY
            )


def log_sums(
    double[::1] cells,               # IN/OUT (2^n,) log weights; the empty set has one
):
    """Turn weights into sums over subsets, both as logarithms."""
    cdef Py_ssize_t size = cells.shape[0], S
    cdef double top = -INFINITY
    with nogil:
        for S in range(size):
            top = max(top, cells[S])
        if top - cells[0] > LARGEST_SPAN:
            add_subsets_of_logs(&cells[0], size)
        else:
            for S in range(size):
                cells[S] = exp(cells[S] - top)
            add_subsets(&cells[0], size)
            for S in range(size):
                cells[S] = top + log(cells[S])
