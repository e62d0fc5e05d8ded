"""Products of memberships, from which a basis of the rows is made."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t

from _signals cimport listen


def add_gram(
    *,
    const int64_t[::1] starts,       # IN (n_lists + 1,)
    const int32_t[::1] members,      # IN (starts[-1],) ascending in each list
    const double[::1] weights,       # IN (n_lists,)
    double[:, ::1] gram,             # IN/OUT (n, n) lower triangle
):
    """Add the weight of each list to all pairs of its members."""
    cdef Py_ssize_t g, e, f
    cdef double* line
    cdef int64_t work = 0, size
    with nogil:
        for g in range(weights.shape[0]):
            if weights[g] == 0.0:
                continue
            for e in range(starts[g], starts[g + 1]):
                line = &gram[members[e], 0]
                for f in range(starts[g], e + 1):
                    line[members[f]] += weights[g]
            size = starts[g + 1] - starts[g]
            listen(&work, size * size // 2)
