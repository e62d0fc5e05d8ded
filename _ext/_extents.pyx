"""Extents: the terms that exactly the same rows satisfy, found all at once.

The extent of a term is the set of rows that satisfy it. Attributes are taken one by
one; a state is the extent of all partial terms that it stands for, and its value their
total initial weight. It stays (attribute unconstrained), and for each value goes on to
the rows with that value, times beta. Equal states merge, so that at the end there is
one for each closed pattern: the compression of Li & Neal (2008).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, log1p
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from _bits cimport popcount
from _random cimport mix64

cdef struct States:
    uint64_t* masks                  # (max_states, n_words)
    double* log_values               # (max_states,)
    Py_ssize_t n_states


cdef inline double _log_add(double a, double b) noexcept nogil:
    return a + log1p(exp(b - a)) if a >= b else b + log1p(exp(a - b))


cdef inline uint64_t _hash(const uint64_t* mask, Py_ssize_t n_words) noexcept nogil:
    cdef uint64_t hashed = 0
    cdef Py_ssize_t w
    for w in range(n_words):
        hashed = mix64(hashed ^ mask[w])
    return hashed


cdef bint _merge(
    States* states,
    Py_ssize_t max_states,
    const uint64_t* mask,
    Py_ssize_t n_words,
    double log_value,
    int32_t* slots,                  # (last_slot + 1,) a power of two; 0 for none
    uint64_t last_slot,
) noexcept nogil:
    """Add a value to the state of a mask, new or not; False where there is no room."""
    cdef uint64_t slot = _hash(mask, n_words) & last_slot
    cdef Py_ssize_t s
    while slots[slot]:
        s = slots[slot] - 1
        if memcmp(states.masks + s * n_words, mask, n_words * sizeof(uint64_t)) == 0:
            states.log_values[s] = _log_add(states.log_values[s], log_value)
            return True
        slot = (slot + 1) & last_slot
    s = states.n_states
    if s == max_states:
        return False
    memcpy(states.masks + s * n_words, mask, n_words * sizeof(uint64_t))
    states.log_values[s] = log_value
    states.n_states = s + 1
    slots[slot] = <int32_t> (s + 1)
    return True


def closed_extents(
    const uint64_t[:, ::1] literals,  # IN (n_literals, n_words) rows that satisfy each
    const int64_t[::1] first,        # IN (n_attributes + 1,) literals of an attribute
    const double[:, ::1] log_rest,   # IN (n_attributes + 1, n_rows) initial weight of
                                     # the terms of a row over attributes from j on
    double log_beta,
    Py_ssize_t max_states,
    uint64_t[:, ::1] extents,        # SCRATCH, OUT (max_states, n_words) of two or more
    double[::1] log_weights,         # SCRATCH, OUT (max_states,) their initial weights
    double[::1] log_singles,         # IN -inf, OUT (n_rows,) of extents of one row
):
    """Number of extents of two or more rows; -1 if there are more states than allowed.

    An extent of one row is settled at once: what follows stays with that row.
    """
    cdef Py_ssize_t n = first.shape[0] - 1, n_words = literals.shape[1]
    cdef Py_ssize_t n_rows = log_singles.shape[0]
    cdef Py_ssize_t j, s, w, row
    cdef int64_t literal, size
    cdef double value
    cdef bint room = True
    cdef uint64_t last_slot = 1
    cdef States[2] states
    cdef States* old
    cdef States* new
    while last_slot < 2 * <uint64_t> max_states:
        last_slot *= 2
    cdef int32_t* slots = <int32_t*> calloc(last_slot, sizeof(int32_t))
    cdef uint64_t* mask = <uint64_t*> calloc(n_words, sizeof(uint64_t))
    states[0].masks = &extents[0, 0]
    states[0].log_values = &log_weights[0]
    states[1].masks = <uint64_t*> malloc(max_states * n_words * sizeof(uint64_t))
    states[1].log_values = <double*> malloc(max_states * sizeof(double))
    if (
        slots == NULL or mask == NULL or states[1].masks == NULL
        or states[1].log_values == NULL
    ):
        free(slots)
        free(mask)
        free(states[1].masks)
        free(states[1].log_values)
        raise MemoryError
    last_slot -= 1
    with nogil:
        old = &states[0]
        new = &states[1]
        old.n_states = new.n_states = 0
        if n_rows == 1:
            log_singles[0] = log_rest[0, 0]
        else:
            for row in range(n_rows):
                old.masks[row >> 6] = 0
            for row in range(n_rows):
                old.masks[row >> 6] |= <uint64_t> 1 << (row & 63)
            old.log_values[0] = 0.0
            old.n_states = 1
        for j in range(n):
            memset(slots, 0, (last_slot + 1) * sizeof(int32_t))
            new.n_states = 0
            for s in range(old.n_states):
                room = _merge(
                    new, max_states, old.masks + s * n_words, n_words,
                    old.log_values[s], slots, last_slot,
                )
                if not room:
                    break
                value = old.log_values[s] + log_beta
                for literal in range(first[j], first[j + 1]):
                    size = 0
                    for w in range(n_words):
                        mask[w] = old.masks[s * n_words + w] & literals[literal, w]
                        size += popcount(mask[w])
                    if size == 1:
                        w = 0
                        while mask[w] == 0:
                            w += 1
                        row = 64 * w + popcount((mask[w] & -mask[w]) - 1)
                        log_singles[row] = _log_add(
                            log_singles[row], value + log_rest[j + 1, row]
                        )
                    elif size > 1:
                        room = _merge(
                            new, max_states, mask, n_words, value, slots, last_slot
                        )
                        if not room:
                            break
                if not room:
                    break
            if not room:
                break
            old, new = new, old
        if room and old != &states[0]:
            memcpy(
                states[0].masks, old.masks,
                old.n_states * n_words * sizeof(uint64_t),
            )
            memcpy(
                states[0].log_values, old.log_values, old.n_states * sizeof(double)
            )
    cdef Py_ssize_t n_extents = old.n_states if room else -1
    free(slots)
    free(mask)
    free(states[1].masks)
    free(states[1].log_values)
    return n_extents


def count_rows(
    const uint64_t[:, ::1] extents,  # IN (n_extents, n_words)
    int64_t[::1] sizes,              # IN, OUT (n_rows,) extents that a row is in
):
    """Count, for each row, the extents that it is in."""
    cdef Py_ssize_t s, w
    cdef uint64_t word
    with nogil:
        for s in range(extents.shape[0]):
            for w in range(extents.shape[1]):
                word = extents[s, w]
                while word:
                    sizes[64 * w + popcount((word & -word) - 1)] += 1
                    word &= word - 1


def list_extents(
    const uint64_t[:, ::1] extents,  # IN (n_extents, n_words)
    int64_t[::1] cursors,            # IN, OUT (n_rows,) where the list of a row starts
    int32_t[::1] lists,              # OUT numbers of extents, of all rows
):
    """List, for each row, the extents that it is in."""
    cdef Py_ssize_t s, w, row
    cdef uint64_t word
    with nogil:
        for s in range(extents.shape[0]):
            for w in range(extents.shape[1]):
                word = extents[s, w]
                while word:
                    row = 64 * w + popcount((word & -word) - 1)
                    lists[cursors[row]] = <int32_t> s
                    cursors[row] += 1
                    word &= word - 1
