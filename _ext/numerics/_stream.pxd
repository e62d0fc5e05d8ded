"""Stream: random numbers from one 64-bit number, drawn ahead, sixteen at a time."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport uint32_t, uint64_t

from _draws cimport bitgen_t
from _random cimport LANES, draw_lanes, mix64, seed_lane, uniform_of


cdef struct Stream:
    uint64_t[4 * LANES] generators
    uint64_t[LANES] draws
    Py_ssize_t n_used


cdef inline void open_stream(Stream* stream, uint64_t number) noexcept nogil:
    """Start at the beginning of a stream; each lane has its own part of it."""
    cdef Py_ssize_t lane
    for lane in range(LANES):
        number = mix64(number)
        seed_lane(stream.generators, lane, number)
    stream.n_used = LANES


cdef inline uint64_t stream_bits(void* state) noexcept nogil:
    """Draw 64 random bits."""
    cdef Stream* stream = <Stream*> state
    if stream.n_used == LANES:
        draw_lanes(stream.generators, stream.draws)
        stream.n_used = 0
    stream.n_used += 1
    return stream.draws[stream.n_used - 1]


cdef inline uint32_t stream_half(void* state) noexcept nogil:
    """Draw 32 random bits."""
    return <uint32_t> (stream_bits(state) >> 32)


cdef inline double stream_uniform(void* state) noexcept nogil:
    """Draw a uniform number in [0, 1)."""
    return uniform_of(stream_bits(state))


cdef inline bitgen_t bits_of_stream(Stream* stream) noexcept nogil:
    """Return a stream as a generator of NumPy's."""
    cdef bitgen_t bits
    bits.state = <void*> stream
    bits.next_uint64 = stream_bits
    bits.next_uint32 = stream_half
    bits.next_double = stream_uniform
    bits.next_raw = stream_bits
    return bits
