"""Superset sums of a batch of short rows, each over all its 2^n terms at once.

Updates are compared with a row once for all classes, and no set is looked up or merged.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from _packed cimport code_t, compare
from _yates cimport RUN_BITS, SupersetProblem, solve


def log_sums(
    *,
    const code_t[:, ::1] columns,    # IN (n_attributes, m) codes of the updates
    const code_t[:, ::1] rows,       # IN (n_rows, n_attributes) codes of the queries
    const int64_t[::1] starts,       # IN (n_classes + 1,) where a class starts in
    const int32_t[::1] updates,      # IN (n_acting,) updates that act in classes
    const int64_t[::1] exponents,    # IN (n_acting,) and their exponents there
    double log_alpha,
    double log_beta,
    bint narrow,                     # whether every phi fits 16 bits, else 32
    double[:, ::1] sums,             # OUT (n_rows, n_classes)
):
    """Compute log W of some rows in all classes."""
    cdef Py_ssize_t m = columns.shape[1], r, j, k, e, n, size, longest = 0
    cdef SupersetProblem problem
    cdef bint fits = True
    cdef int64_t[::1] specified = np.empty(columns.shape[0], dtype=np.int64)
    cdef double[::1] log_odds = np.full(columns.shape[0], log_beta)
    cdef uint8_t[::1] planes = np.empty(8 * m, dtype=np.uint8)
    cdef uint64_t[::1] sets = np.empty(m, dtype=np.uint64)
    cdef uint64_t[::1] own_sets = np.empty(m, dtype=np.uint64)
    cdef int16_t[::1] f16
    cdef int32_t[::1] f32
    for r in range(rows.shape[0]):
        n = 0
        for j in range(rows.shape[1]):
            n += rows[r, j] != 0
        longest = max(longest, n)
    size = <Py_ssize_t> 1 << max(longest, <Py_ssize_t> RUN_BITS)
    f16 = np.empty(size if narrow else 1, dtype=np.int16)
    f32 = np.empty(1 if narrow else size, dtype=np.int32)
    problem.sets = &own_sets[0]
    problem.log_odds = &log_odds[0]
    with nogil:
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
            problem.n = problem.max_term_size = n
            size = <Py_ssize_t> 1 << max(n, <Py_ssize_t> RUN_BITS)
            for k in range(starts.shape[0] - 1):
                problem.m = starts[k + 1] - starts[k]
                problem.exponents = &exponents[0] + starts[k]
                for e in range(problem.m):
                    own_sets[e] = sets[updates[starts[k] + e]]
                if narrow:
                    memset(&f16[0], 0, size * sizeof(int16_t))
                    fits &= solve(
                        &problem, &f16[0], size, log_alpha, &sums[r, k], NULL, 0
                    )
                else:
                    memset(&f32[0], 0, size * sizeof(int32_t))
                    fits &= solve(
                        &problem, &f32[0], size, log_alpha, &sums[r, k], NULL, 0
                    )
    if not fits:
        raise MemoryError
