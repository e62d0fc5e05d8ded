"""Cubes: phi of all 2^n terms of a query at once, class by class.

    f[S] = sum of c_i over all i with A_i = S
    phi(S) = sum of f[T] over all supersets T of S

As in `_superset`, but for many short queries: updates are compared once for all
classes, each adds its exponent to a run of 16 cells, and no set is looked up or merged.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from _bits cimport popcount
from _packed cimport code_t, compare

cdef enum:
    RUN_BITS = 4
    RUN = 16              # cells that an update fills at once, and running sums


cdef void _fill(
    int32_t* phi,                    # OUT (2^n, at least a run)
    Py_ssize_t n,
    const uint64_t* sets,            # (m,) agreement sets
    const int32_t* updates,          # (n_acting,) those that act in the class
    const int64_t* exponents,        # (n_acting,) and their exponents there
    Py_ssize_t n_acting,
    const int32_t* subsets,          # (RUN, RUN) whether one contains the other
) noexcept nogil:
    """phi of all subsets."""
    cdef Py_ssize_t n_cells = max(RUN, (<Py_ssize_t> 1) << n), e, i, start, j
    cdef int32_t exponent
    cdef uint64_t set_
    cdef int32_t* run
    cdef const int32_t* inside
    memset(phi, 0, n_cells * sizeof(int32_t))
    for e in range(n_acting):
        set_ = sets[updates[e]]
        run = phi + (set_ >> RUN_BITS << RUN_BITS)
        inside = subsets + (set_ & (RUN - 1)) * RUN
        exponent = <int32_t> exponents[e]
        for i in range(RUN):
            run[i] += exponent * inside[i]
    j = RUN
    while j < n_cells:
        start = 0
        while start < n_cells:
            for i in range(start, start + j):
                phi[i] += phi[i + j]
            start += 2 * j
        j *= 2


cdef double _log_sum(
    const int32_t* phi,
    Py_ssize_t n,
    const double* powers,            # (n_powers,) alpha^-d
    int32_t n_powers,
    const double* weights,           # (n + 1,) beta^s
    double log_alpha,
) noexcept nogil:
    """log W: relative to the largest phi, in running sums."""
    cdef Py_ssize_t n_cells = (<Py_ssize_t> 1) << n, width = min(RUN, n_cells)
    cdef Py_ssize_t start, i
    cdef int32_t top = phi[0], below
    cdef double weight
    cdef double[RUN] low
    cdef double[RUN] totals
    for i in range(n_cells):
        top = max(top, phi[i])
    for i in range(RUN):
        totals[i] = 0.0
        low[i] = weights[popcount(i)] if i < width else 0.0
    start = 0
    while start < n_cells:
        weight = weights[popcount(start)]
        for i in range(RUN):
            below = min(max(top - phi[start + i], 0), n_powers - 1)
            totals[i] += weight * (low[i] * powers[below])
        start += RUN
    weight = 0.0
    for i in range(RUN):
        weight += totals[i]
    return log(weight) + <double> top * log_alpha


def sum_cubes(
    const code_t[:, ::1] columns,    # IN (n_attributes, m) codes of the updates
    const code_t[:, ::1] rows,       # IN (n_rows, n_attributes) codes of the queries
    const int64_t[::1] starts,       # IN (n_classes + 1,) where a class starts in
    const int32_t[::1] updates,      # IN (n_acting,) updates that act in classes
    const int64_t[::1] exponents,    # IN (n_acting,) and their exponents there
    const double[::1] powers,        # IN (n_powers,) alpha^-d, the last one 0
    const double[::1] weights,       # IN (longest row + 1,) beta^s
    double log_alpha,
    int64_t[::1] specified,          # SCRATCH (n_attributes,)
    uint8_t[::1] planes,             # SCRATCH (8 m,)
    uint64_t[::1] sets,              # SCRATCH (m,)
    int32_t[:, ::1] subsets,         # SCRATCH (16, 16)
    int32_t[::1] phi,                # SCRATCH (2^n of the longest row, 16 at least)
    double[:, ::1] log_sums,         # OUT (n_rows, n_classes)
):
    """log W of some rows in all classes."""
    cdef Py_ssize_t m = columns.shape[1], r, j, k, n
    with nogil:
        for j in range(RUN):
            for k in range(RUN):
                subsets[j, k] = k & ~j == 0
        for r in range(rows.shape[0]):
            n = 0
            for j in range(rows.shape[1]):
                if rows[r, j]:
                    specified[n] = j
                    n += 1
            compare(
                &columns[0, 0], m, &rows[r, 0], &specified[0], n, &planes[0], &sets[0],
                1,
            )
            for k in range(starts.shape[0] - 1):
                _fill(
                    &phi[0], n, &sets[0], &updates[0] + starts[k],
                    &exponents[0] + starts[k], starts[k + 1] - starts[k],
                    &subsets[0, 0],
                )
                log_sums[r, k] = _log_sum(
                    &phi[0], n, &powers[0], <int32_t> powers.shape[0], &weights[0],
                    log_alpha,
                )
