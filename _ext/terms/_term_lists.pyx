"""Lists of the terms of rows, each term numbered, without any hashing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t

from _memory cimport Arena, free_arena, room
from _signals cimport listen


# -- partitions of rows, each refined by one attribute after another -------------------

cdef struct Partition:
    # Rows, those with equal values together: group g is rows[bounds[g]:bounds[g + 1]].
    int32_t* rows
    int32_t* bounds
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


cdef inline Partition* partitions(
    Py_ssize_t n_levels, Py_ssize_t n_rows, Arena* arena
) except NULL nogil:
    """Return room for partitions, the first of them all rows in one group."""
    cdef Py_ssize_t d, i
    cdef Partition* levels = <Partition*> room(arena, n_levels * sizeof(Partition))
    for d in range(n_levels):
        levels[d].rows = <int32_t*> room(arena, n_rows * sizeof(int32_t))
        levels[d].bounds = <int32_t*> room(arena, (n_rows + 1) * sizeof(int32_t))
    for i in range(n_rows):
        levels[0].rows[i] = <int32_t> i
    levels[0].bounds[1] = <int32_t> n_rows
    levels[0].n_groups = 1
    return levels


# -- lists of terms --------------------------------------------------------------------

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
    cdef Arena arena = Arena(NULL)
    cdef Py_ssize_t* attribute
    cdef Partition* levels
    try:
        attribute = <Py_ssize_t*> room(&arena, (cap + 1) * sizeof(Py_ssize_t))
        levels = partitions(cap + 1, n_rows, &arena)
        with nogil:
            for i in range(n_rows):
                terms[cursors[i, 0]] = 0
            while True:
                if depth < cap and j < n:
                    listen(&work, 8 * levels[depth].bounds[levels[depth].n_groups])
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
        free_arena(&arena)
    return n_terms
