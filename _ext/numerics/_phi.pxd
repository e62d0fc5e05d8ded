"""phi, the sum of the net counts of a set of examples, from bit planes of them.

Plane b holds bit b of every net count, in two's complement: the last plane weighs
negatively. phi is a sum of popcounts, one for each plane.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t, uint64_t

from _bits cimport const_words_t, integers_t, popcount
from _random cimport LANES


cdef inline int64_t phi_of_set(
    const uint64_t* examples,      # (n_words,)
    const uint64_t* among,        # (n_words,) or NULL: of these alone
    const uint64_t* planes,       # (n_planes, n_words)
    Py_ssize_t n_planes,
    Py_ssize_t n_words,
) noexcept nogil:
    """Return the sum of the net counts of some updates."""
    cdef Py_ssize_t w, b
    cdef int64_t count, phi = 0
    cdef uint64_t bits
    for b in range(n_planes):
        count = 0
        for w in range(n_words):
            bits = examples[w] & planes[b * n_words + w]
            count += popcount(bits if among == NULL else bits & among[w])
        phi += -(count << b) if b == n_planes - 1 else count << b
    return phi


cdef inline void add_net_counts(
    const_words_t sets,           # (LANES,) one word of a set of updates, each lane
    const_words_t planes,         # the same word of every bit plane, `stride` apart
    Py_ssize_t n_planes,
    Py_ssize_t stride,
    integers_t totals,            # IN/OUT (LANES,)
) noexcept nogil:
    """Add the net counts of the updates in each lane's set to its total."""
    cdef Py_ssize_t plane, lane
    cdef uint64_t bits
    for plane in range(n_planes - 1):
        bits = planes[plane * stride]
        for lane in range(LANES):
            totals[lane] += popcount(sets[lane] & bits) << plane
    bits = planes[(n_planes - 1) * stride]
    for lane in range(LANES):
        totals[lane] -= popcount(sets[lane] & bits) << (n_planes - 1)
