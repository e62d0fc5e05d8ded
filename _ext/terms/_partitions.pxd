"""Partitions of rows, each refined by one attribute after another, without hashing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t
from libc.stdlib cimport malloc

cdef struct Partition:
    # Rows, those with equal values together: group g is rows[bounds[g]:bounds[g + 1]],
    # a part of group parents[g] of the partition that this one refines.
    int32_t* rows
    int32_t* bounds
    int32_t* parents
    Py_ssize_t n_groups


cdef inline void refine(
    const Partition* whole,
    Partition* parts,
    const int32_t* column,
    int32_t* count,                  # zeros for all codes, on entry and on return
    int32_t* seen,
) noexcept nogil:
    """Split each group by the codes of one attribute, dropping unspecified ones.

    The order of rows inside a group is kept.
    """
    cdef Py_ssize_t g, i, t, first, last, n_seen, n_rows = 0, n_groups = 0
    cdef int32_t code, size
    parts.bounds[0] = 0
    for g in range(whole.n_groups):
        first = whole.bounds[g]
        last = whole.bounds[g + 1]
        if last - first == 1:
            parts.rows[n_rows] = whole.rows[first]
            if column[whole.rows[first]]:
                n_rows += 1
                parts.parents[n_groups] = <int32_t> g
                n_groups += 1
                parts.bounds[n_groups] = <int32_t> n_rows
            continue
        n_seen = 0
        for i in range(first, last):
            code = column[whole.rows[i]]
            if code == 0:
                continue
            if count[code] == 0:
                seen[n_seen] = code
                n_seen += 1
            count[code] += 1
        for t in range(n_seen):
            size = count[seen[t]]
            count[seen[t]] = <int32_t> n_rows
            n_rows += size
            parts.parents[n_groups] = <int32_t> g
            n_groups += 1
            parts.bounds[n_groups] = <int32_t> n_rows
        for i in range(first, last):
            code = column[whole.rows[i]]
            if code:
                parts.rows[count[code]] = whole.rows[i]
                count[code] += 1
        for t in range(n_seen):
            count[seen[t]] = 0
    parts.n_groups = n_groups


cdef inline int32_t* partitions(
    Partition* levels, Py_ssize_t n_levels, Py_ssize_t n_rows
) noexcept nogil:
    """Room for partitions, the first of them all rows in one group; NULL if none."""
    cdef Py_ssize_t d, i
    cdef int32_t* room = <int32_t*> malloc(
        n_levels * (3 * n_rows + 1) * sizeof(int32_t)
    )
    if room == NULL:
        return NULL
    for d in range(n_levels):
        levels[d].rows = room + d * (3 * n_rows + 1)
        levels[d].bounds = levels[d].rows + n_rows
        levels[d].parents = levels[d].bounds + n_rows + 1
        levels[d].n_groups = 0
    for i in range(n_rows):
        levels[0].rows[i] = <int32_t> i
    levels[0].bounds[0] = 0
    levels[0].bounds[1] = <int32_t> n_rows
    levels[0].parents[0] = 0
    levels[0].n_groups = 1
    return room
