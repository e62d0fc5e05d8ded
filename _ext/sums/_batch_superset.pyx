"""Superset sums of a batch of short rows, each over all its 2^n terms at once.

Examples are compared with a row once for all classes; no set is looked up or merged.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from _yates cimport SupersetProblem, allocate_and_solve


def log_sums(
    *,
    const int32_t[:, ::1] columns,   # IN (n_attributes, m) codes of the examples
    const int32_t[:, ::1] rows,      # IN (n_rows, n_attributes) codes of the queries
    const int64_t[::1] starts,       # IN (n_classes + 1,) where a class starts in
    const int64_t[::1] examples,      # IN (n_acting,) examples that act in classes
    const int64_t[::1] net_counts,    # IN (n_acting,) and their net counts there
    double log_alpha,
    double log_beta,
    bint narrow,                     # whether every phi fits 16 bits, else 32
    double[:, ::1] sums,             # OUT (n_rows, n_classes)
):
    """Compute log W of some rows in all classes."""
    cdef Py_ssize_t m = columns.shape[1], r, j, k, e, u, n
    cdef SupersetProblem problem
    cdef bint fits = True
    cdef const int32_t* column
    cdef int32_t code
    cdef double[::1] log_odds = np.full(columns.shape[0], log_beta)
    cdef uint64_t[::1] sets = np.empty(m, dtype=np.uint64)
    cdef uint64_t[::1] own_sets = np.empty(m, dtype=np.uint64)
    problem.sets = &own_sets[0]
    problem.log_odds = &log_odds[0]
    with nogil:
        for r in range(rows.shape[0]):
            n = 0
            sets[:] = 0
            for j in range(rows.shape[1]):
                code = rows[r, j]
                if code:
                    column = &columns[j, 0]
                    for u in range(m):
                        sets[u] |= <uint64_t> (column[u] == code) << n
                    n += 1
            problem.n = problem.max_term_size = n
            for k in range(starts.shape[0] - 1):
                problem.m = starts[k + 1] - starts[k]
                problem.net_counts = &net_counts[0] + starts[k]
                for e in range(problem.m):
                    own_sets[e] = sets[examples[starts[k] + e]]
                fits &= allocate_and_solve(
                    &problem, narrow, log_alpha, &sums[r, k], NULL, 0
                )
    if not fits:
        raise MemoryError
