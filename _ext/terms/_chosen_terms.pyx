"""Lists of the chosen terms that rows satisfy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t

from _signals cimport listen


cdef inline bint _holds(
    const int32_t* row, const int32_t* columns, const int32_t* codes, Py_ssize_t n
) noexcept nogil:
    """Return whether a row satisfies all literals of a term but the first."""
    cdef Py_ssize_t i
    for i in range(1, n):
        if row[columns[i]] != codes[i]:
            return False
    return True


def satisfied(
    *,
    const int32_t[:, ::1] rows,      # IN (n_rows, n_columns) codes
    const int32_t[:, ::1] columns,   # IN (n_terms, longest) of the literals of terms
    const int32_t[:, ::1] codes,     # IN (n_terms, longest)
    const int64_t[::1] offsets,      # IN (n_columns,) numbers of the first literals
    const int64_t[:, ::1] heads,     # IN (longest + 1, n_literals + 1) the first term
                                     # of each size with each first literal
    int64_t[:, ::1] starts,          # IN, OUT (n_rows, longest + 2), see `TermIndex`
    int32_t[::1] terms,              # OUT terms by row and size; empty to only count
):
    """List the terms of each row by size, the empty one first; or count them."""
    cdef Py_ssize_t longest = columns.shape[1], n_columns = rows.shape[1], i, j, size
    cdef int64_t at = 0, first, t, work = 0
    cdef bint counts_only = terms.shape[0] == 0
    with nogil:
        for i in range(rows.shape[0]):
            starts[i, 0] = at
            if not counts_only:
                terms[at] = 0
            at += 1
            starts[i, 1] = at
            for size in range(1, longest + 1):
                for j in range(n_columns):
                    if rows[i, j] == 0:
                        continue
                    first = offsets[j] + rows[i, j] - 1
                    for t in range(heads[size, first], heads[size, first + 1]):
                        if _holds(&rows[i, 0], &columns[t, 0], &codes[t, 0], size):
                            if not counts_only:
                                terms[at] = <int32_t> t
                            at += 1
                starts[i, size + 1] = at
            listen(&work, n_columns * longest)
    return at
