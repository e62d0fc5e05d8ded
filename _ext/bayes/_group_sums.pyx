"""Group sums: products with the matrix Z of which row is in which group.

Z has a row for each row of the table, and a column for each group. The groups list
their rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from scipy.linalg import cython_lapack

from _linear_algebra cimport posv_t, routine_of
from _signals cimport listen

cdef posv_t posv = <posv_t> routine_of(cython_lapack.__pyx_capi__["dposv"])


def add_to_rows(
    *,
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const double[::1] sums,          # IN (n_groups,)
    double[::1] predictor,           # OUT (n_rows,) Z sums
):
    """Add up the sums of each row's groups."""
    cdef Py_ssize_t g, e
    cdef double x
    with nogil:
        predictor[:] = 0.0
        for g in range(sums.shape[0]):
            x = sums[g]
            for e in range(starts[g], starts[g + 1]):
                predictor[members[e]] += x


def add_to_groups(
    *,
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const double[::1] values,        # IN (n_rows,)
    double[::1] totals,              # OUT (n_groups,) Z' values
):
    """Add up a value of each group's rows."""
    cdef Py_ssize_t g, e
    cdef double x
    with nogil:
        for g in range(totals.shape[0]):
            x = 0.0
            for e in range(starts[g], starts[g + 1]):
                x += values[members[e]]
            totals[g] = x


def add_vectors_to_rows(
    *,
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const double[:, ::1] vectors,    # IN (n_groups, q)
    double[:, ::1] totals,           # OUT (n_rows, q) Z vectors
):
    """Add up the vectors of each row's groups."""
    cdef Py_ssize_t g, e, o, q = vectors.shape[1]
    cdef const double* x
    cdef double* y
    cdef int64_t work = 0
    with nogil:
        memset(&totals[0, 0], 0, totals.shape[0] * q * sizeof(double))
        for g in range(vectors.shape[0]):
            x = &vectors[g, 0]
            for e in range(starts[g], starts[g + 1]):
                y = &totals[members[e], 0]
                for o in range(q):
                    y[o] += x[o]
            listen(&work, (starts[g + 1] - starts[g]) * q)


def add_gram(
    *,
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const int64_t[::1] row_starts,   # IN (n_rows + 1,)
    const int64_t[::1] entries,      # IN of each row, where it is in `members`
    const int32_t[::1] entry_groups,  # IN and of which group
    const double[::1] weights,       # IN (n_groups,)
    double[:, ::1] gram,             # IN/OUT (n_rows, n_rows) lower triangle
):
    """Add ``Z diag(weights) Z'`` of the groups of some entries to a matrix."""
    cdef Py_ssize_t i, a, f, g
    cdef double x
    cdef double* line
    cdef int64_t work = 0
    with nogil:
        for i in range(gram.shape[0]):
            # Line by line, which stay in the cache.
            line = &gram[i, 0]
            for a in range(row_starts[i], row_starts[i + 1]):
                g = entry_groups[a]
                x = weights[g]
                if x == 0.0:
                    continue
                for f in range(starts[g], entries[a] + 1):
                    line[members[f]] += x
                listen(&work, entries[a] - starts[g])


def solve_positive(
    double[:, ::1] matrix,           # IN/OUT (n, n) lower triangle; a factor of it
    double[::1] vector,              # IN/OUT (n,) the solution
):
    """Solve a system with a positive definite matrix; return whether it is one."""
    cdef int n = <int> vector.shape[0], one = 1, info = 0
    # The lower triangle by rows is the upper one by columns.
    cdef char uplo = b"U"
    with nogil:
        posv(&uplo, &n, &one, &matrix[0, 0], &n, &vector[0], &n, &info)
    return info == 0
