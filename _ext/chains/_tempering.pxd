"""Parallel tempering: swaps between chains of neighbouring rungs (Table IV)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp
from libc.stdint cimport int64_t, uint64_t

from _chain_block cimport Block, Problem
from _random cimport LANES, draw_lanes, uniform_of


cdef struct Swaps:
    double probability            # of an attempt, before each step
    double log_step
    Py_ssize_t n_chains
    uint64_t* generators          # (4, LANES); only the first three lanes are looked at
    int64_t* attempted            # (n_chains - 1,) by pairs, after burn-in; may be NULL
    int64_t* accepted             # the same


cdef inline void swap_states(
    const Problem* p, Block* a, Py_ssize_t i, Block* b, Py_ssize_t j
) noexcept nogil:
    """Exchange the states of lane i of one block and lane j of another."""
    cdef Py_ssize_t k
    a.phi[i], b.phi[j] = b.phi[j], a.phi[i]
    for k in range(p.n):
        a.state[k * LANES + i], b.state[k * LANES + j] = (
            b.state[k * LANES + j], a.state[k * LANES + i]
        )
    for k in range(p.n_counts * p.n_words):
        a.counts[k * LANES + i], b.counts[k * LANES + j] = (
            b.counts[k * LANES + j], a.counts[k * LANES + i]
        )


cdef inline bint accepts_swap(
    int64_t phi_below, int64_t phi_above, double log_step, double uniform
) noexcept nogil:
    """Decide a swap of neighbours alpha_i < alpha_i+1 = exp(log_step) alpha_i."""
    return uniform < exp(log_step * <double> (phi_below - phi_above))


cdef inline void attempt_swap(
    const Problem* p, Block* blocks, Swaps* swaps
) noexcept nogil:
    """Try to swap one pair of neighbouring chains, with some probability."""
    cdef uint64_t[LANES] draws
    cdef Py_ssize_t i
    cdef Block* below
    cdef Block* above
    draw_lanes(swaps.generators, draws)
    if uniform_of(draws[0]) >= swaps.probability:
        return
    i = <Py_ssize_t> (
        ((draws[1] >> 32) * <uint64_t> (swaps.n_chains - 1)) >> 32
    )
    below = blocks + i // LANES
    above = blocks + (i + 1) // LANES
    if swaps.attempted != NULL:
        swaps.attempted[i] += 1
    if accepts_swap(
        below.phi[i % LANES], above.phi[(i + 1) % LANES],
        swaps.log_step, uniform_of(draws[2]),
    ):
        swap_states(p, below, i % LANES, above, (i + 1) % LANES)
        if swaps.attempted != NULL:
            swaps.accepted[i] += 1
