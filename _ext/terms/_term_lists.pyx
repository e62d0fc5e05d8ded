"""Lists of the terms of rows, each term numbered, without any hashing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from _partitions cimport Partition, partitions, refine

# Between two looks for Ctrl-C, in rows split by an attribute: well under a second.
cdef int64_t ROWS_BETWEEN_SIGNALS = 1 << 23


def list_terms(
    const int32_t[:, ::1] columns,   # IN (n_attributes, n_rows) codes, rows distinct
    int32_t[::1] count,              # SCRATCH (largest code + 1,) zeros
    int32_t[::1] seen,               # SCRATCH (largest code + 1,)
    int64_t[:, ::1] cursors,         # IN (n_rows, max_term_size + 1) starts of segments
    int32_t[::1] terms,              # OUT term numbers of all rows
):
    """Number all terms that a row satisfies, list each row's, return their number.

    Attribute subsets are visited depth first; those of one size come in lexicographic
    order. Each splits the rows as its parent did, and then by one attribute more, so
    that rows with equal values are found without any hashing.
    """
    cdef Py_ssize_t n = columns.shape[0], n_rows = columns.shape[1]
    cdef Py_ssize_t cap = cursors.shape[1] - 1, depth = 0, j = 0, g, i
    cdef int32_t row
    cdef int64_t n_terms = 1, work = 0
    cdef Py_ssize_t* attribute = <Py_ssize_t*> malloc((cap + 1) * sizeof(Py_ssize_t))
    cdef Partition* levels = <Partition*> malloc((cap + 1) * sizeof(Partition))
    cdef int32_t* room = NULL
    if levels != NULL:
        room = partitions(levels, cap + 1, n_rows)
    if attribute == NULL or room == NULL:
        free(attribute)
        free(levels)
        free(room)
        raise MemoryError
    try:
        with nogil:
            for i in range(n_rows):
                terms[cursors[i, 0]] = 0
            while True:
                if depth < cap and j < n:
                    work += levels[depth].bounds[levels[depth].n_groups]
                    if work > ROWS_BETWEEN_SIGNALS:
                        work = 0
                        with gil:
                            PyErr_CheckSignals()
                    refine(
                        &levels[depth], &levels[depth + 1], &columns[j, 0], &count[0],
                        &seen[0],
                    )
                    if levels[depth + 1].n_groups:
                        depth += 1
                        attribute[depth] = j
                        for g in range(levels[depth].n_groups):
                            for i in range(
                                levels[depth].bounds[g], levels[depth].bounds[g + 1]
                            ):
                                row = levels[depth].rows[i]
                                terms[cursors[row, depth]] = <int32_t> (n_terms + g)
                                cursors[row, depth] += 1
                        n_terms += levels[depth].n_groups
                    j += 1
                elif depth == 0:
                    break
                else:
                    j = attribute[depth] + 1
                    depth -= 1
    finally:
        free(attribute)
        free(levels)
        free(room)
    return n_terms
