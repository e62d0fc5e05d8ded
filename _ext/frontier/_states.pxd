"""States of the frontier: sets of examples alive, with their values, in a hash table.

A state is a record in an array, a mask of any width and a value; the table says where
in the array the record of a mask is. Where sizes of terms count, values are apart, one
for each size.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from _frontier_problem cimport Problem
from _log_sum_exp cimport of_log
from _memory cimport Arena, regrow, room

cdef enum:
    FEWEST_STATES = 1024
    # Places, and a table twice as long, fit 32 bits.
    MOST_STATES = 1 << 30


cdef struct States:
    Py_ssize_t n, capacity
    uint64_t* records             # (capacity, n_words + 1): examples alive, value
    uint32_t* table               # open addressing: tag and place + 1, 0 if empty
    uint64_t table_mask
    uint32_t place_mask           # bits of a place; the others are a tag, of the hash
    Py_ssize_t n_sizes            # 0 where sizes do not count
    double* by_size               # (capacity, n_sizes)
    # Partial terms that leave no update alive, and those that leave one, split by
    # whether it survives to the end: what they come to is settled.
    double* settled_alive         # (m, n_sizes or 1)
    double* settled               # (n_sizes or 1,) behind it


# -- the table of states ---------------------------------------------------------------

cdef inline uint64_t hash_of(
    const uint64_t* alive, Py_ssize_t n_words
) noexcept nogil:
    cdef uint64_t h = 0
    cdef Py_ssize_t w
    for w in range(n_words):
        h = (h ^ alive[w]) * <uint64_t> 0x9E3779B97F4A7C15
        h ^= h >> 32
    return h


cdef inline bint same(
    const uint64_t* a, const uint64_t* b, Py_ssize_t n_words
) noexcept nogil:
    cdef Py_ssize_t w
    for w in range(n_words):
        if a[w] != b[w]:
            return False
    return True


# The value lies behind the mask: what is read together comes with one line of cache.
cdef inline uint64_t* alive_of(
    const States* s, Py_ssize_t i, Py_ssize_t n_words
) noexcept nogil:
    return s.records + i * (n_words + 1)


cdef inline double value_of(
    const States* s, Py_ssize_t i, Py_ssize_t n_words
) noexcept nogil:
    cdef double value
    memcpy(&value, s.records + i * (n_words + 1) + n_words, sizeof(double))
    return value


cdef inline void set_value(
    States* s, Py_ssize_t i, Py_ssize_t n_words, double value
) noexcept nogil:
    memcpy(s.records + i * (n_words + 1) + n_words, &value, sizeof(double))


cdef inline double* sizes_of(const States* s, Py_ssize_t i) noexcept nogil:
    return s.by_size + i * s.n_sizes


cdef inline uint32_t entry_of(
    const States* s, uint64_t hashed, Py_ssize_t i
) noexcept nogil:
    return (<uint32_t> (hashed >> 32) & ~s.place_mask) | <uint32_t> (i + 1)


cdef inline void index(States* s, Py_ssize_t n_words) noexcept nogil:
    """Fill the table with the places of all states."""
    cdef Py_ssize_t i
    cdef uint64_t slot, hashed
    memset(s.table, 0, (s.table_mask + 1) * sizeof(uint32_t))
    for i in range(s.n):
        hashed = hash_of(alive_of(s, i, n_words), n_words)
        slot = hashed & s.table_mask
        while s.table[slot]:
            slot = (slot + 1) & s.table_mask
        s.table[slot] = entry_of(s, hashed, i)


cdef inline int grow(
    States* s, Py_ssize_t capacity, Py_ssize_t n_words
) except -1 nogil:
    """Make room for so many states, and a table at least twice as long."""
    cdef uint64_t length = 2 * FEWEST_STATES
    cdef size_t record = (n_words + 1) * sizeof(uint64_t)
    cdef size_t by_size = s.n_sizes * sizeof(double)
    cdef void* records
    cdef void* table
    cdef void* values = NULL
    while length < 2 * <uint64_t> capacity:
        length *= 2
    records = regrow(s.records, s.n * record, capacity * record)
    if records != NULL:
        s.records = <uint64_t*> records
    table = regrow(s.table, 0, length * sizeof(uint32_t))
    if table != NULL:
        s.table = <uint32_t*> table
    if by_size:
        values = regrow(s.by_size, s.n * by_size, capacity * by_size)
        if values != NULL:
            s.by_size = <double*> values
    if records == NULL or table == NULL or (by_size and values == NULL):
        with gil:
            raise MemoryError
    s.capacity = capacity
    s.table_mask = length - 1
    s.place_mask = <uint32_t> (length - 1)
    index(s, n_words)
    return 0


# -- the states of a run ---------------------------------------------------------------

cdef inline int open_settled(
    const Problem* p, States* s, Arena* arena
) except -1 nogil:
    cdef Py_ssize_t n_values = max(p.n_sizes, 1)
    s.settled_alive = <double*> room(arena, (p.m + 1) * n_values * sizeof(double))
    s.settled = s.settled_alive + p.m * n_values
    return 0


cdef inline int open_states(
    const Problem* p, States* s, Arena* arena
) except -1 nogil:
    """Open with one state, in which all examples are alive."""
    cdef Py_ssize_t i, n_values = max(p.n_sizes, 1)
    cdef double nothing = of_log(-INFINITY, p.logs)
    s.n_sizes = p.n_sizes
    open_settled(p, s, arena)
    grow(s, FEWEST_STATES, p.n_words)
    for i in range((p.m + 1) * n_values):
        s.settled_alive[i] = nothing
    for i in range(p.n_sizes):
        s.by_size[i] = of_log(0.0, p.logs) if i == 0 else nothing
    memset(s.records, 0, p.n_words * sizeof(uint64_t))
    for i in range(p.m):
        s.records[i >> 6] |= <uint64_t> 1 << (i & 63)
    set_value(s, 0, p.n_words, of_log(0.0, p.logs))
    s.n = 1
    index(s, p.n_words)
    return 0


cdef inline int copy_states(
    const Problem* p, const States* a, States* b, Arena* arena
) except -1 nogil:
    """Copy the states a to b, which may have room already."""
    cdef size_t settled = (p.m + 1) * max(p.n_sizes, 1) * sizeof(double)
    b.n_sizes = p.n_sizes
    if b.capacity < a.n:
        grow(b, a.capacity, p.n_words)
    if b.settled_alive == NULL:
        open_settled(p, b, arena)
    b.n = a.n
    memcpy(b.settled_alive, a.settled_alive, settled)
    if p.n_sizes:
        memcpy(b.by_size, a.by_size, a.n * p.n_sizes * sizeof(double))
    memcpy(b.records, a.records, a.n * (p.n_words + 1) * sizeof(uint64_t))
    index(b, p.n_words)
    return 0


cdef inline void free_states(States* s) noexcept nogil:
    free(s.records)
    free(s.table)
    free(s.by_size)
