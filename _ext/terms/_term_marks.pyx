"""Marks of the terms of an index: which of them a class may have.

A term is allowed if all its literals are, and no two of its columns conflict; so the
terms that contain one that is not allowed need no look.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

import numpy as np

from _column_conflicts cimport ColumnConflicts, column_conflicts, conflict
from _signals cimport listen


cdef struct Allowed:
    const uint8_t* literals          # (n_codes,) whether each is
    const int64_t* firsts            # (n_columns + 1,) of each column in `literals`
    ColumnConflicts conflicts


def mark(
    *,
    object index,                    # see `TermIndex`
    object conditions,               # see `Conditions`
    Py_ssize_t k,                    # of the class
    uint16_t[::1] marks,             # IN zeros, OUT (n_terms,) 1 where allowed
):
    """Mark the allowed terms of an index that numbers them, or lists those of rows."""
    cdef const uint8_t[:, ::1] literals = conditions.flags.view(np.uint8)
    cdef const int64_t[::1] firsts = conditions.firsts
    cdef Allowed allowed = Allowed(
        &literals[k, 0], &firsts[0], column_conflicts(conditions.conflicts)
    )
    if index.kind == "numbers":
        mark_numbered(index.n_longer, &allowed, marks)
    else:
        mark_listed(index.rows, index.terms, index.starts, &allowed, marks)


cdef mark_numbered(
    const int64_t[:, ::1] n_longer, const Allowed* allowed, uint16_t[::1] marks
):
    """Mark the allowed terms of an index that numbers them depth first."""
    cdef Py_ssize_t n = n_longer.shape[1] - 1, cap = n_longer.shape[0] - 1
    cdef Py_ssize_t depth = 0, j = 0, i
    cdef int64_t number = 0, work = 0, n_values
    cdef int64_t code = 1
    cdef bint clash
    cdef int64_t[::1] column = np.empty(cap + 1, dtype=np.int64)
    cdef int64_t[::1] code_of = np.empty(cap + 1, dtype=np.int64)
    marks[0] = 1
    number = 1
    with nogil:
        # The term in hand has literals of `column[0]` to `column[depth - 1]`; the
        # one to look at adds (j = code), and has this number.
        while True:
            if depth == cap or j == n:
                if depth == 0:
                    break
                depth -= 1
                j, code = column[depth], code_of[depth] + 1
                continue
            n_values = n_longer[1, j] - n_longer[1, j + 1]
            if code > n_values:
                j += 1
                code = 1
                continue
            listen(&work, 2)
            clash = not allowed.literals[allowed.firsts[j] + code]
            for i in range(depth):
                clash |= conflict(&allowed.conflicts, column[i], j)
            if clash:
                # With all that are longer.
                number += n_longer[cap - depth - 1, j + 1]
                code += 1
                continue
            marks[number] = 1
            number += 1
            column[depth], code_of[depth] = j, code
            depth += 1
            j += 1
            code = 1


cdef mark_listed(
    const int32_t[:, ::1] rows, const int32_t[::1] terms, const int64_t[:, ::1] starts,
    const Allowed* allowed, uint16_t[::1] marks,
):
    """Mark the allowed terms of an index that lists those of each row.

    Terms of one size are in lexicographic order of their columns, so that the places of
    their parents, without the last column, are the same in rows of so many literals.
    """
    cdef Py_ssize_t n = rows.shape[1], cap = starts.shape[1] - 2
    cdef Py_ssize_t row, j, size, i, k, out, up, n_specified, n_latest = -1
    cdef int64_t first, longest = 0, work = 0
    cdef bint may
    for row in range(rows.shape[0]):
        longest = max(longest, starts[row, cap + 1] - starts[row, 0])
    cdef int64_t[::1] specified = np.empty(n, dtype=np.int64)
    cdef int32_t[::1] latest = np.empty(longest, dtype=np.int32)
    cdef int32_t[::1] parents = np.empty(longest, dtype=np.int32)
    cdef int64_t[::1] bounds = np.empty(cap + 2, dtype=np.int64)
    with nogil:
        for row in range(rows.shape[0]):
            n_specified = 0
            for j in range(n):
                if rows[row, j]:
                    specified[n_specified] = j
                    n_specified += 1
            if n_specified != n_latest:
                # The last column of each term, and the place of its parent.
                n_latest = n_specified
                latest[0] = parents[0] = -1
                bounds[0], bounds[1] = 0, 1
                for size in range(1, cap + 1):
                    out = bounds[size]
                    for i in range(bounds[size - 1], bounds[size]):
                        for k in range(latest[i] + 1, n_specified):
                            latest[out] = <int32_t> k
                            parents[out] = <int32_t> i
                            out += 1
                    bounds[size + 1] = out
            first = starts[row, 0]
            marks[terms[first]] = 1
            for i in range(1, bounds[cap + 1]):
                j = specified[latest[i]]
                may = (
                    marks[terms[first + parents[i]]]
                    and allowed.literals[allowed.firsts[j] + rows[row, j]]
                )
                up = parents[i]
                while may and up > 0:
                    may = not conflict(&allowed.conflicts, specified[latest[up]], j)
                    up = parents[up]
                marks[terms[first + i]] = may
            listen(&work, 2 * bounds[cap + 1])
