"""Random streams: xoshiro256++ generators side by side, one a lane, passed by pointer.

The generator is Blackman & Vigna's (2021, ACM TOMS 47:36); splitmix64 (Steele, Lea &
Flood 2014) spreads one 64-bit stream number over its state.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t, uint64_t

from _bits cimport words_t

cdef enum:
    # Chains are advanced side by side. Sixteen lanes fill two vectors of the widest
    # registers, which hides the latency of one behind the work of the other.
    LANES = 16


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """One step of splitmix64: a bijection of 64 bits without visible structure."""
    x += <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline void seed_lane(
    uint64_t* generators,  # OUT (4, LANES)
    Py_ssize_t lane,
    uint64_t stream,
) noexcept nogil:
    """Start the generator of one lane at the beginning of a stream."""
    cdef Py_ssize_t i
    for i in range(4):
        generators[i * LANES + lane] = mix64(
            stream + <uint64_t> i * <uint64_t> 0x9E3779B97F4A7C15
        )


cdef inline void draw_lanes(
    words_t generators,  # IN/OUT (4, LANES)
    words_t draws,       # OUT (LANES,) 64 random bits each
) noexcept nogil:
    """Draw 64 random bits in every lane."""
    cdef Py_ssize_t lane
    cdef uint64_t a, b, c, d, t
    for lane in range(LANES):
        a = generators[lane]
        b = generators[LANES + lane]
        c = generators[2 * LANES + lane]
        d = generators[3 * LANES + lane]
        t = a + d
        draws[lane] = ((t << 23) | (t >> 41)) + a
        t = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = (d << 45) | (d >> 19)
        generators[lane] = a
        generators[LANES + lane] = b
        generators[2 * LANES + lane] = c
        generators[3 * LANES + lane] = d


# -- probabilities as integers out of 2^53 ---------------------------------------------

cdef inline int64_t threshold_of(double probability) noexcept nogil:
    """Return the threshold that a draw falls below with a probability."""
    return <int64_t> (probability * 9007199254740992.0)


cdef inline bint falls_below(uint64_t draw, int64_t threshold) noexcept nogil:
    """Return whether the high 53 bits of a draw are below a threshold."""
    return <int64_t> (draw >> 11) < threshold


cdef inline double uniform_of(uint64_t draw) noexcept nogil:
    """Return a draw as a number in [0, 1)."""
    return <double> (draw >> 11) / 9007199254740992.0
