"""The terms of one row after another: looked up in lists, or numbered from its codes.

A row's terms come in segments, one for each size.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport malloc
from libc.string cimport memset

# Numbers of terms are written in blocks, which vector instructions are for.
cdef enum:
    BLOCK = 16


cdef struct RowTerms:
    # Either kind's way to take the terms of another row in hand.
    void (*look_up)(RowTerms* hand, int64_t row) noexcept nogil
    Py_ssize_t n_segments
    # The row in hand, -1 at first: its terms, and where its segments start.
    int64_t row
    const int32_t* terms
    const int64_t* starts            # (n_segments + 1,)
    # Lists of all rows, or NULL.
    const int32_t* lists
    const int64_t* list_starts       # (n_rows, n_segments + 1)
    # For numbering.
    Py_ssize_t n_attributes
    const int32_t* codes             # (n_rows, n_attributes)
    const int64_t* n_longer          # (n_segments, n_attributes + 1)
    int32_t* room                    # of the terms of a row
    int64_t* room_starts
    int64_t* specified               # (n_attributes,) those of the row in hand
    int64_t* after                   # (n_attributes + 1,) see `_number_terms`
    int32_t* reach                   # (n_attributes + BLOCK,)
    int32_t* latest                  # the last attribute of each term
    Py_ssize_t n_latest              # for rows of so many specified ones


cdef inline RowTerms* row_terms(index, const int32_t[:, ::1] rows) except NULL:
    """Return room for the terms of a row, listed or numbered as a `TermIndex` has them.

    The arrays have to live as long. If terms are numbered, any rows will do.
    """
    cdef const int32_t[::1] terms = index.terms
    cdef const int64_t[:, ::1] starts = index.starts
    cdef const int64_t[:, ::1] n_longer = index.n_longer
    cdef Py_ssize_t n_segments = len(index.log_priors), n_attributes = rows.shape[1]
    cdef Py_ssize_t size, n_numbered = 0
    cdef double combinations = 1.0
    cdef RowTerms* hand
    if n_longer.shape[0]:
        for size in range(n_segments):
            n_numbered += <Py_ssize_t> (combinations + 0.5)
            combinations *= <double> (n_attributes - size) / <double> (size + 1)
    hand = <RowTerms*> malloc(
        sizeof(RowTerms)
        + (2 * n_attributes + n_segments + 2) * sizeof(int64_t)
        + (2 * n_numbered + n_attributes + 2 * BLOCK) * sizeof(int32_t)
    )
    if hand == NULL:
        raise MemoryError
    hand.row = -1
    hand.look_up = _number_terms if n_longer.shape[0] else _find_list
    hand.n_segments = n_segments
    hand.lists = &terms[0] if terms.shape[0] else NULL
    hand.list_starts = &starts[0, 0] if terms.shape[0] else NULL
    hand.n_attributes = n_attributes
    hand.codes = &rows[0, 0]
    hand.n_longer = &n_longer[0, 0] if n_longer.shape[0] else NULL
    hand.specified = <int64_t*> (hand + 1)
    hand.after = hand.specified + n_attributes
    hand.room_starts = hand.after + n_attributes + 1
    hand.room = <int32_t*> (hand.room_starts + n_segments + 1)
    hand.latest = hand.room + n_numbered + BLOCK
    hand.reach = hand.latest + n_numbered
    memset(hand.reach, 0, (n_attributes + BLOCK) * sizeof(int32_t))
    hand.n_latest = -1
    return hand


cdef inline void take(RowTerms* hand, int64_t row) noexcept nogil:
    """Take the terms of a row in hand."""
    if hand.row != row:
        hand.row = row
        hand.look_up(hand, row)


cdef inline int64_t n_terms(const RowTerms* hand) noexcept nogil:
    """Return how many terms the row in hand has."""
    return hand.starts[hand.n_segments] - hand.starts[0]


cdef inline void _find_list(RowTerms* hand, int64_t row) noexcept nogil:
    hand.terms = hand.lists
    hand.starts = hand.list_starts + row * (hand.n_segments + 1)


cdef inline void _number_terms(RowTerms* hand, int64_t row) noexcept nogil:
    """Number all terms of a row, satisfied elsewhere or not, size by size.

    Terms are numbered depth first: the empty one, then for each attribute and value
    the terms that start with it. With n_longer[c, j] terms of up to c literals over the
    attributes from j on, the term that adds (j' = v) to one that ends on j, with room
    for c literals more, is n_longer[c, j + 1] - n_longer[c, j'] + 1 further on, and
    (v - 1) n_longer[c - 1, j' + 1] for the values before v.
    """
    cdef Py_ssize_t n = hand.n_attributes, cap = hand.n_segments - 1
    cdef Py_ssize_t size, j, k, t, i, out, n_specified = 0
    cdef const int64_t* longer
    cdef const int64_t* shorter
    cdef const int32_t* codes = hand.codes + row * n
    cdef const int64_t* starts = hand.room_starts
    cdef int32_t* room = hand.room
    cdef int32_t* reach = hand.reach
    cdef int64_t* specified = hand.specified
    cdef int64_t* after = hand.after
    cdef const int32_t* latest = hand.latest
    cdef int32_t base
    cdef int32_t block[BLOCK]
    for j in range(n):
        if codes[j]:
            specified[n_specified] = j
            n_specified += 1
    if n_specified != hand.n_latest:
        _list_latest(hand, n_specified)
    room[0] = 0
    for size in range(1, cap + 1):
        longer = hand.n_longer + (cap - size + 1) * (n + 1)
        shorter = longer - (n + 1)
        after[0] = longer[0] + 1
        for k in range(n_specified):
            j = specified[k]
            reach[k] = <int32_t> ((codes[j] - 1) * shorter[j + 1] - longer[j])
            after[k + 1] = longer[j + 1] + 1
        out = starts[size]
        for i in range(starts[size - 1], starts[size]):
            k = latest[i] + 1
            base = room[i] + <int32_t> after[k]
            # What a block writes too much, the next one overwrites.
            while k < n_specified:
                for t in range(BLOCK):
                    block[t] = base + reach[k + t]
                for t in range(BLOCK):
                    room[out + t] = block[t]
                k += BLOCK
                out += BLOCK
            out += min(n_specified - k, 0)
    hand.terms = room
    hand.starts = starts


cdef inline void _list_latest(RowTerms* hand, Py_ssize_t n_specified) noexcept nogil:
    """List the last attribute of each term of rows with so many specified ones."""
    cdef Py_ssize_t size, i, k, out = 1
    cdef int64_t* starts = hand.room_starts
    hand.n_latest = n_specified
    hand.latest[0] = -1
    starts[0] = 0
    starts[1] = 1
    for size in range(1, hand.n_segments):
        for i in range(starts[size - 1], starts[size]):
            for k in range(hand.latest[i] + 1, n_specified):
                hand.latest[out] = <int32_t> k
                out += 1
        starts[size + 1] = out
