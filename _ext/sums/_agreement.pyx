"""Agreement: which examples agree with a query where, aggregated.

A_u is the set of attributes on which update u agrees with the query, both specified.
Examples with the same A_u act as one whose net count is their sum, and one whose sum is
zero does not act at all. Attributes that the sets do not tell apart act as one, too.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memset

import numpy as np

from _bits cimport popcount
from _random cimport mix64


cdef Py_ssize_t merge(
    uint64_t[:, ::1] sets, int64_t[::1] counts, Py_ssize_t n
) except -1:
    """Merge equal sets among the first n, in place; return how many are left.

    Their counts are added up. Sets stay in the order in which they come first.
    """
    cdef Py_ssize_t n_words = sets.shape[1], n_slots = 1, n_left = 0, i, w, slot, a
    cdef size_t n_bytes = n_words * sizeof(uint64_t)
    cdef uint64_t hashed
    while n_slots <= n:
        n_slots *= 2
    cdef int64_t[::1] slots = np.full(n_slots, -1, dtype=np.int64)
    with nogil:
        for i in range(n):
            hashed = 0
            for w in range(n_words):
                hashed = mix64(hashed ^ sets[i, w])
            slot = <Py_ssize_t> (hashed & <uint64_t> (n_slots - 1))
            while True:
                a = slots[slot]
                if a < 0:
                    slots[slot] = n_left
                    for w in range(n_words):
                        sets[n_left, w] = sets[i, w]
                    counts[n_left] = counts[i]
                    n_left += 1
                    break
                if memcmp(&sets[a, 0], &sets[i, 0], n_bytes) == 0:
                    counts[a] += counts[i]
                    break
                slot = (slot + 1) & (n_slots - 1)
    return n_left


def aggregate(
    *,
    const int32_t[:, ::1] examples,   # IN (m, n_attributes) codes, 0 = unspecified
    const int64_t[::1] net_counts,    # IN (m,)
    const int32_t[::1] row,          # IN (n_attributes,) the query's codes
    const int64_t[::1] specified,    # IN (n,) attributes that the query specifies
    uint64_t[:, ::1] sets,           # OUT (m, words of n bits) distinct A_u
    int64_t[::1] sums,               # OUT (m,) their net counts, none of them zero
):
    """Aggregate examples; return the number of sets with a non-zero net count."""
    cdef Py_ssize_t n_words = sets.shape[1], u, j, w, a, n_sets = 0, kept = 0
    with nogil:
        for u in range(net_counts.shape[0]):
            if net_counts[u] == 0:
                continue
            memset(&sets[n_sets, 0], 0, n_words * sizeof(uint64_t))
            for j in range(specified.shape[0]):
                if examples[u, specified[j]] == row[specified[j]]:
                    sets[n_sets, j >> 6] |= <uint64_t> 1 << (j & 63)
            sums[n_sets] = net_counts[u]
            n_sets += 1
    n_sets = merge(sets, sums, n_sets)
    for a in range(n_sets):
        if sums[a] != 0:
            sums[kept] = sums[a]
            for w in range(n_words):
                sets[kept, w] = sets[a, w]
            kept += 1
    return kept


def transpose(
    const uint64_t[:, ::1] sets,     # IN (m, words of n bits)
    uint64_t[:, ::1] columns,        # OUT (n, words of m bits), zeros on entry
):
    """Transpose: list, for each attribute, the examples whose A_u contains it."""
    cdef Py_ssize_t u, j
    with nogil:
        for u in range(sets.shape[0]):
            for j in range(columns.shape[0]):
                columns[j, u >> 6] |= ((sets[u, j >> 6] >> (j & 63)) & 1) << (u & 63)


def compress(
    uint64_t[:, ::1] columns,        # IN/OUT (n, words of m bits), the kept ones first
    Py_ssize_t m,
    int64_t[::1] multiplicities,     # IN ones, OUT (n,) of the kept attributes
):
    """Merge twin attributes, and take out those that are in every set.

    Returns
    -------
    n_kept, n_free : int
        Distinct columns, and attributes that every update agrees on.
    """
    cdef Py_ssize_t n = columns.shape[0], n_words = columns.shape[1], j, w, n_left = 0
    cdef int64_t size
    for j in range(n):
        size = 0
        for w in range(n_words):
            size += popcount(columns[j, w])
        if size < m:
            for w in range(n_words):
                columns[n_left, w] = columns[j, w]
            n_left += 1
    return merge(columns, multiplicities, n_left), n - n_left
