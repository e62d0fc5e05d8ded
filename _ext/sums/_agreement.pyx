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


cdef inline Py_ssize_t size_of_table(Py_ssize_t n) noexcept nogil:
    """Return the size of a table for numbers of up to n things: a power of two > n."""
    cdef Py_ssize_t size = 1
    while size <= n:
        size *= 2
    return size


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
    cdef Py_ssize_t m = net_counts.shape[0], n = specified.shape[0]
    cdef Py_ssize_t n_words = sets.shape[1]
    cdef int64_t[::1] table = np.empty(size_of_table(m), dtype=np.int64)
    cdef Py_ssize_t mask = table.shape[0] - 1
    cdef Py_ssize_t u, j, w, slot, a, kept, n_sets = 0
    cdef int32_t code
    cdef uint64_t hashed
    cdef size_t n_bytes = n_words * sizeof(uint64_t)
    with nogil:
        for slot in range(table.shape[0]):
            table[slot] = -1
        for u in range(m):
            if net_counts[u] == 0:
                continue
            memset(&sets[n_sets, 0], 0, n_bytes)
            for j in range(n):
                code = row[specified[j]]
                if examples[u, specified[j]] == code:
                    sets[n_sets, j >> 6] |= <uint64_t> 1 << (j & 63)
            hashed = 0
            for w in range(n_words):
                hashed = mix64(hashed ^ sets[n_sets, w])
            slot = <Py_ssize_t> (hashed & <uint64_t> mask)
            while True:
                a = table[slot]
                if a < 0:
                    table[slot] = n_sets
                    sums[n_sets] = net_counts[u]
                    n_sets += 1
                    break
                if memcmp(&sets[a, 0], &sets[n_sets, 0], n_bytes) == 0:
                    sums[a] += net_counts[u]
                    break
                slot = (slot + 1) & mask
        kept = 0
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
    int64_t[::1] multiplicities,     # OUT (n,) of the kept attributes
):
    """Merge twin attributes, and take out those that are in every set.

    Returns
    -------
    n_kept, n_free : int
        Distinct columns, and attributes that every update agrees on.
    """
    cdef Py_ssize_t n = columns.shape[0], n_words = columns.shape[1]
    cdef int64_t[::1] table = np.empty(size_of_table(n), dtype=np.int64)
    cdef Py_ssize_t mask = table.shape[0] - 1
    cdef Py_ssize_t j, w, slot, a, n_kept = 0, n_free = 0
    cdef int64_t size
    cdef uint64_t hashed
    with nogil:
        for slot in range(table.shape[0]):
            table[slot] = -1
        for j in range(n):
            hashed = 0
            size = 0
            for w in range(n_words):
                hashed = mix64(hashed ^ columns[j, w])
                size += popcount(columns[j, w])
            if size == m:
                n_free += 1
                continue
            slot = <Py_ssize_t> (hashed & <uint64_t> mask)
            while True:
                a = table[slot]
                if a < 0:
                    table[slot] = n_kept
                    multiplicities[n_kept] = 1
                    for w in range(n_words):
                        columns[n_kept, w] = columns[j, w]
                    n_kept += 1
                    break
                if memcmp(
                    &columns[a, 0], &columns[j, 0], n_words * sizeof(uint64_t)
                ) == 0:
                    multiplicities[a] += 1
                    break
                slot = (slot + 1) & mask
    return n_kept, n_free


def bit_planes(
    const int64_t[::1] net_counts,    # IN (m,)
    uint64_t[:, ::1] planes,         # OUT (n_planes, words of m bits), zeros on entry
):
    """Set the bits of the net counts in two's complement, the last plane negative."""
    cdef Py_ssize_t u, b
    with nogil:
        for u in range(net_counts.shape[0]):
            for b in range(planes.shape[0]):
                planes[b, u >> 6] |= (
                    ((<uint64_t> net_counts[u] >> b) & 1) << (u & 63)
                )
