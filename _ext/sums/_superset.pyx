"""Superset sums: log W of one query, or of a batch of short ones, over all terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from _yates cimport SupersetProblem, solve


def log_sum(
    *,
    const uint64_t[:, ::1] sets,     # IN (m, 1) attributes of each agreement set
    const int64_t[::1] net_counts,    # IN (m,)
    const double[::1] log_odds,      # IN (n,) of constraining each attribute
    double log_alpha,
    Py_ssize_t max_term_size,        # larger terms are left out
):
    """Return log W of one query."""
    cdef SupersetProblem p
    cdef double log_value = 0.0
    cdef bint fits
    p.n = log_odds.shape[0]
    p.m = net_counts.shape[0]
    p.max_term_size = max_term_size
    p.sets = &sets[0, 0]
    p.net_counts = &net_counts[0]
    p.log_odds = &log_odds[0]
    with nogil:
        fits = solve(&p, log_alpha, &log_value)
    if not fits:
        raise MemoryError
    return log_value


def log_sums(
    *,
    const int32_t[:, ::1] columns,   # IN (n_attributes, m) codes of the examples
    const int32_t[:, ::1] rows,      # IN (n_rows, n_attributes) codes of the queries
    const int64_t[::1] starts,       # IN (n_classes + 1,) where a class starts in
    const int64_t[::1] examples,      # IN (n_acting,) examples that act in classes
    const int64_t[::1] net_counts,    # IN (n_acting,) and their net counts there
    double log_alpha,
    double log_beta,
    double[:, ::1] sums,             # OUT (n_rows, n_classes)
):
    """Compute log W of some short rows in all classes.

    Examples are compared with a row once for all classes; no set is looked up or
    merged.
    """
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
                fits &= solve(&problem, log_alpha, &sums[r, k])
    if not fits:
        raise MemoryError
