"""Blocks of chains: sixteen Markov chains on the terms of a problem, side by side.

Words and integers of a block come in rows of LANES, one lane a chain, so that loops
over lanes become vector code.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, fmin
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from _memory cimport Arena, room
from _phi cimport add_net_counts
from _random cimport LANES, draw_lanes, falls_below, threshold_of


# How a chain moves: see `_transitions.pxd`.
cdef struct Transition:
    bint random_site              # a step renews an attribute at random; else all
    bint heat_bath                # a new state is drawn; else a change is accepted


cdef struct Problem:
    Py_ssize_t n                  # specified attributes
    Py_ssize_t n_words            # 64-bit words of a set of examples
    Py_ssize_t n_planes           # bits of a net count, two's complement
    Py_ssize_t n_counts           # bits of a counter of killers; 0 in sweeps
    const uint64_t* columns       # (n, n_words): examples that survive attribute j
    const uint64_t* planes        # (n_planes, n_words): bit planes of the net counts
    int64_t phi_low               # sum of the negative net counts, <= 0
    Py_ssize_t width              # distinct values that phi can take
    const double* log_odds        # (n_kinds,) of constraining an attribute, each kind
    const int64_t* kinds          # (n,) kind of each attribute
    Py_ssize_t n_kinds
    Transition transition


# `draws` is all the randomness of one step, so that a step is a function of (state,
# draws) and can be tested branch by branch.
cdef struct Block:
    uint64_t* state               # (n, LANES): all ones where constrained
    uint64_t* counts              # (n_counts, n_words, LANES): killers, bit-sliced
    int64_t* phi                  # (LANES,)
    uint64_t* generators          # (4, LANES)
    uint64_t* draws               # (n, LANES) or (2, LANES)
    uint64_t* alive               # (n + 1, n_words, LANES): prefix and suffix ANDs
    int64_t* thresholds           # (n_kinds, 2, width, LANES): by kind, old state, K
    int64_t* histogram            # (LANES, width)
    double* batch                 # (LANES,): sum of f over the running batch


cdef inline Problem open_problem(
    object problem,               # see `AgreementProblem`
    const double[::1] log_odds,
    const int64_t[::1] kinds,
    Transition transition,
):
    """Return a problem whose arrays belong to the caller."""
    cdef const uint64_t[:, ::1] columns = problem.columns
    cdef const uint64_t[:, ::1] planes = problem.planes
    cdef Problem p
    cdef Py_ssize_t n = columns.shape[0]
    p.n = n
    p.n_words = columns.shape[1]
    p.n_planes = planes.shape[0]
    p.n_counts = 0
    if transition.random_site:
        # Bits that can count to n killers.
        while n > 0:
            p.n_counts += 1
            n >>= 1
    p.columns = &columns[0, 0]
    p.planes = &planes[0, 0]
    p.phi_low = problem.phi_low
    p.width = <Py_ssize_t> (problem.phi_high - p.phi_low) + 1
    p.log_odds = &log_odds[0]
    p.kinds = &kinds[0]
    p.n_kinds = log_odds.shape[0]
    p.transition = transition
    return p


cdef inline int allocate_block(
    const Problem* p, Block* b, Arena* arena
) except -1 nogil:
    """Allocate the arrays of a block."""
    cdef size_t words = LANES * sizeof(uint64_t)
    b.state = <uint64_t*> room(arena, p.n * words)
    b.counts = <uint64_t*> room(arena, p.n_counts * p.n_words * words)
    b.phi = <int64_t*> room(arena, words)
    b.generators = <uint64_t*> room(arena, 4 * words)
    b.draws = <uint64_t*> room(arena, (p.n + 1) * words)
    b.alive = <uint64_t*> room(arena, (p.n + 1) * p.n_words * words)
    b.thresholds = <int64_t*> room(arena, 2 * p.n_kinds * p.width * words)
    b.histogram = <int64_t*> room(arena, p.width * words)
    b.batch = <double*> room(arena, words)
    return 0


cdef inline void set_state(const Problem* p, Block* b) noexcept nogil:
    """Recompute what follows from the state: phi, and the counters of killers."""
    cdef Py_ssize_t j, k, w, lane, i
    cdef uint64_t carry, passed
    cdef uint64_t[LANES] alive
    memset(b.counts, 0, p.n_counts * p.n_words * LANES * sizeof(uint64_t))
    for lane in range(LANES):
        b.phi[lane] = 0
    for w in range(p.n_words):
        for lane in range(LANES):
            alive[lane] = ~(<uint64_t> 0)
            for j in range(p.n):
                carry = ~p.columns[j * p.n_words + w] & b.state[j * LANES + lane]
                alive[lane] &= ~carry
                for k in range(p.n_counts):
                    i = (k * p.n_words + w) * LANES + lane
                    passed = b.counts[i] & carry
                    b.counts[i] ^= carry
                    carry = passed
        add_net_counts(alive, p.planes + w, p.n_planes, p.n_words, b.phi)


cdef inline void draw(Block* b, Py_ssize_t n_draws) noexcept nogil:
    """Draw so many rows of `draws`."""
    cdef Py_ssize_t i
    for i in range(n_draws):
        draw_lanes(b.generators, b.draws + i * LANES)


cdef inline void start(
    const Problem* p, Block* b, const uint8_t* from_term
) noexcept nogil:
    """Start from a term; from NULL, by the law at alpha = 1, which can be drawn."""
    cdef Py_ssize_t j, lane
    cdef double odds
    cdef int64_t threshold
    draw(b, p.n)
    for j in range(p.n):
        if from_term != NULL:
            for lane in range(LANES):
                b.state[j * LANES + lane] = -<uint64_t> from_term[j]
            continue
        odds = exp(fmin(p.log_odds[p.kinds[j]], 690.0))
        threshold = threshold_of(odds / (1.0 + odds))
        for lane in range(LANES):
            b.state[j * LANES + lane] = -<uint64_t> (
                falls_below(b.draws[j * LANES + lane], threshold)
            )
    set_state(p, b)
