"""Extents: the terms that exactly the same rows satisfy, found all at once.

The extent of a term is the set of rows that satisfy it. Attributes are taken one by
one; a state is the extent of all partial terms that it stands for, and its value their
total initial weight. It stays (attribute unconstrained), and for each value goes on to
the rows with that value, times beta. Equal states merge, so that at the end there is
one for each closed pattern: the compression of Li & Neal (2008). As a state stays for
ever, states are only ever added, and it is clear early when there are too many.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy

import numpy as np

from _bits cimport lowest_bit, popcount
from _log_sum_exp cimport log_add
from _random cimport mix64
from _signals cimport listen


cdef inline uint64_t _hash(const uint64_t* mask, Py_ssize_t n_words) noexcept nogil:
    cdef uint64_t hashed = 0
    cdef Py_ssize_t w
    for w in range(n_words):
        hashed = mix64(hashed ^ mask[w])
    return hashed


cdef inline Py_ssize_t _find(
    const uint64_t* masks,
    const uint64_t* mask,
    Py_ssize_t n_words,
    const int32_t* slots,            # (last_slot + 1,) a power of two; 0 for none
    uint64_t last_slot,
) noexcept nogil:
    """The slot of the state of a mask, or the one that it would take."""
    cdef uint64_t slot = _hash(mask, n_words) & last_slot
    while slots[slot] and memcmp(
        masks + (slots[slot] - 1) * n_words, mask, n_words * sizeof(uint64_t)
    ):
        slot = (slot + 1) & last_slot
    return <Py_ssize_t> slot


def closed_extents(
    const uint64_t[:, ::1] literals,  # IN (n_literals, n_words) rows that satisfy each
    const int64_t[::1] first,        # IN (n_attributes + 1,) literals of an attribute
    const double[:, ::1] log_rest,   # IN (n_attributes + 1, n_rows) initial weight of
                                     # the terms of a row over attributes from j on
    double log_beta,
    int64_t max_listed,              # give up where sizes sum up to more than this
    int64_t max_work,                # or so many words of masks were looked at
    uint64_t[:, ::1] extents,        # OUT (max_states, n_words) those of two or more
    double[::1] log_weights,         # OUT (max_states,) their initial weights
    double[::1] log_singles,         # IN -inf, OUT (n_rows,) of extents of one row
):
    """Number of extents of two or more rows; -1 if there is no room, -2 if too many.

    An extent of one row is settled at once: what follows stays with that row.
    """
    cdef Py_ssize_t n = first.shape[0] - 1, n_words = literals.shape[1]
    cdef Py_ssize_t n_rows = log_singles.shape[0], max_states = extents.shape[0]
    cdef Py_ssize_t j, s, w, row, slot, n_old, n_states = 0
    cdef int64_t literal, size, listed = n_rows, work = 0, unheard = 0
    cdef double value
    cdef uint64_t last_slot = 1
    while last_slot < 2 * <uint64_t> max_states:
        last_slot *= 2
    cdef int32_t[::1] slots = np.zeros(last_slot, dtype=np.int32)
    cdef uint64_t[::1] mask = np.zeros(n_words, dtype=np.uint64)
    # Values before the attribute in hand.
    cdef double[::1] before = np.empty(max_states)
    last_slot -= 1
    with nogil:
        if n_rows == 1:
            log_singles[0] = log_rest[0, 0]
        else:
            for w in range(n_words):
                extents[0, w] = 0
            for row in range(n_rows):
                extents[0, row >> 6] |= <uint64_t> 1 << (row & 63)
            slot = _find(
                &extents[0, 0], &extents[0, 0], n_words, &slots[0], last_slot
            )
            slots[slot] = 1
            log_weights[0] = 0.0
            n_states = 1
        for j in range(n):
            n_old = n_states
            if work + n_old * (first[j + 1] - first[j]) * n_words > max_work:
                n_states = -2
                break
            memcpy(&before[0], &log_weights[0], n_old * sizeof(double))
            for s in range(n_old):
                work += (first[j + 1] - first[j]) * n_words
                listen(&unheard, 8 * (first[j + 1] - first[j]) * n_words)
                value = before[s] + log_beta
                for literal in range(first[j], first[j + 1]):
                    size = 0
                    for w in range(n_words):
                        mask[w] = extents[s, w] & literals[literal, w]
                        size += popcount(mask[w])
                    if size == 0:
                        continue
                    if size == 1:
                        w = 0
                        while mask[w] == 0:
                            w += 1
                        row = 64 * w + lowest_bit(mask[w])
                        log_singles[row] = log_add(
                            log_singles[row], value + log_rest[j + 1, row]
                        )
                        continue
                    slot = _find(
                        &extents[0, 0], &mask[0], n_words, &slots[0], last_slot
                    )
                    if slots[slot]:
                        log_weights[slots[slot] - 1] = log_add(
                            log_weights[slots[slot] - 1], value
                        )
                        continue
                    listed += size
                    if n_states == max_states or listed > max_listed:
                        n_states = -1 if listed <= max_listed else -2
                        break
                    memcpy(&extents[n_states, 0], &mask[0], n_words * sizeof(uint64_t))
                    log_weights[n_states] = value
                    n_states += 1
                    slots[slot] = <int32_t> n_states
                if n_states < 0:
                    break
            if n_states < 0:
                break
    return n_states


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
                    sizes[64 * w + lowest_bit(word)] += 1
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
                    row = 64 * w + lowest_bit(word)
                    lists[cursors[row]] = <int32_t> s
                    cursors[row] += 1
                    word &= word - 1
