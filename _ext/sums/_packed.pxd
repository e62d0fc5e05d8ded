"""Packed codes: updates of all classes compared with one query, many at a time."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from _random cimport mix64

# The narrowest that all codes fit, so that the most of them fit a register.
ctypedef fused code_t:
    uint8_t
    uint16_t
    uint32_t


cdef inline Py_ssize_t size_of_table(Py_ssize_t n) noexcept nogil:
    """Return the size of a table for numbers of up to n things: a power of two > n."""
    cdef Py_ssize_t size = 1
    while size <= n:
        size *= 2
    return size


cdef inline void compare(
    const code_t* columns,           # (n_attributes, m) codes of the updates
    Py_ssize_t m,
    const code_t* row,               # (n_attributes,) codes of the query
    const int64_t* specified,        # (n,) attributes that the query specifies
    Py_ssize_t n,
    uint8_t* planes,                 # SCRATCH (8 n_words, m)
    uint64_t* sets,                  # OUT (m, n_words) agreement sets
    Py_ssize_t n_words,
) noexcept nogil:
    """Compute the agreement sets of all updates, eight attributes at a time."""
    cdef Py_ssize_t u, j, b, w
    cdef uint64_t word
    cdef uint8_t* plane
    cdef const code_t* column
    cdef code_t code
    cdef int bit
    memset(planes, 0, 8 * n_words * m)
    for j in range(n):
        plane = planes + (j >> 3) * m
        column = columns + specified[j] * m
        code = row[specified[j]]
        bit = 1 << (j & 7)
        for u in range(m):
            plane[u] |= <uint8_t> bit if column[u] == code else <uint8_t> 0
    for u in range(m):
        for w in range(n_words):
            word = 0
            for b in range(8):
                word |= <uint64_t> planes[(8 * w + b) * m + u] << (8 * b)
            sets[u * n_words + w] = word


cdef inline Py_ssize_t number_sets(
    uint64_t* sets,                  # IN/OUT (m, n_words), the distinct ones first
    Py_ssize_t m,
    Py_ssize_t n_words,
    int32_t* set_of,                 # OUT (m,) which of them each was
    int32_t* table,                  # SCRATCH (mask + 1,)
    Py_ssize_t mask,                 # a power of two above m, less 1
) noexcept nogil:
    """Number the distinct agreement sets, by order of arrival; return how many."""
    cdef Py_ssize_t u, w, slot, n_sets = 0
    cdef size_t n_bytes = n_words * sizeof(uint64_t)
    cdef uint64_t hashed
    memset(table, -1, (mask + 1) * sizeof(int32_t))
    for u in range(m):
        hashed = 0
        for w in range(n_words):
            hashed = mix64(hashed ^ sets[u * n_words + w])
        slot = <Py_ssize_t> (hashed & <uint64_t> mask)
        while table[slot] >= 0 and memcmp(
            sets + table[slot] * n_words, sets + u * n_words, n_bytes
        ):
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = <int32_t> n_sets
            memcpy(sets + n_sets * n_words, sets + u * n_words, n_bytes)
            n_sets += 1
        set_of[u] = table[slot]
    return n_sets


cdef inline Py_ssize_t add_up(
    const int32_t* updates,          # (n_acting,) those that act in a class
    const int64_t* exponents,        # (n_acting,) and their exponents there
    Py_ssize_t n_acting,
    const int32_t* set_of,           # (m,)
    int32_t* place,                  # SCRATCH (n_sets,) -1, on entry and on return
    int32_t* own,                    # OUT (n_acting,) sets of the class
    int64_t* sums,                   # OUT (n_acting,) their exponents, none zero
) noexcept nogil:
    """Add up exponents in one class; return the number of sets where they are not 0."""
    cdef Py_ssize_t e, a, n_own = 0, kept = 0
    cdef int32_t number
    for e in range(n_acting):
        number = set_of[updates[e]]
        if place[number] < 0:
            place[number] = <int32_t> n_own
            own[n_own] = number
            sums[n_own] = 0
            n_own += 1
        sums[place[number]] += exponents[e]
    for a in range(n_own):
        place[own[a]] = -1
        if sums[a] != 0:
            sums[kept] = sums[a]
            own[kept] = own[a]
            kept += 1
    return kept
