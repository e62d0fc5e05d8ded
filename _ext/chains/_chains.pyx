"""Chains: Markov chains on the terms a query satisfies, side by side in lanes.

A chain at rung alpha_i has the stationary law

    pi(S) ~ beta^|S| alpha_i^phi(S),   phi(S) = sum of c_u over updates u with S in A_u,

on the subsets S of the n specified attributes (Tao & Scott 2004, section 3.1; beta is
the term prior). Every sampler changes one attribute j at a time, and all it needs is

    K = sum of c_u over the updates that only attribute j would kill,

for then phi(S + j) = phi(S - j) - K. Which updates those are costs O(M / 64) words:

* in a systematic sweep (Gibbs, Table III; Metropolized Gibbs, section 4.3) the updates
  alive without j are (those that survive the attributes before j, already renewed) and
  (those that survive the attributes after j, still old): a backward pass of suffix
  ANDs, then a running prefix AND;
* at random sites (Metropolis, Table II) a counter for each update, bit-sliced over the
  words, says how many constrained attributes kill it.

K is an integer, so the probability of each outcome is read from a table of thresholds,
and a sample reduces to its integer phi, counted in a histogram.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, fmin, isnan, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from _bits cimport const_integers_t, const_words_t, integers_t, popcount, words_t
from _random cimport LANES, draw_lanes, mix64, seed_lane

cdef enum Sampler:
    METROPOLIS = 0
    GIBBS = 1
    METROPOLIZED_GIBBS = 2

# Names for Python: the one table of what this kernel can run.
SAMPLERS = {
    "metropolis": METROPOLIS,
    "gibbs": GIBBS,
    "metropolized_gibbs": METROPOLIZED_GIBBS,
}
CHAINS_AT_ONCE = LANES

cdef double TWO_53 = 9007199254740992.0
# Between two looks for Ctrl-C, in words of a site update: well under a second.
cdef int64_t WORK_BETWEEN_SIGNALS = 1 << 25
# Batch means (of the standard error) from at most this many batches of a chain.
cdef Py_ssize_t MOST_BATCHES = 32


cdef struct Problem:
    Py_ssize_t n                  # specified attributes
    Py_ssize_t n_words            # 64-bit words of a set of updates
    Py_ssize_t n_planes           # bits of an exponent, two's complement
    Py_ssize_t n_counts           # bits of a counter of killers; 0 in systematic sweeps
    const uint64_t* columns       # (n, n_words): updates that survive attribute j
    const uint64_t* planes        # (n_planes, n_words): bit planes of the exponents
    int64_t phi_low               # sum of the negative exponents, <= 0
    Py_ssize_t width              # distinct values that phi can take
    const double* log_odds        # (n_kinds,) of constraining an attribute, each kind
    const int64_t* kinds          # (n,) kind of each attribute
    Py_ssize_t n_kinds


# A block of LANES chains. `draws` is all the randomness of one step, so that a step is
# a function of (state, draws) and can be tested branch by branch.
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


ctypedef void (*step_t)(const Problem*, Block*) noexcept nogil


# -- one step of each sampler ----------------------------------------------------------

cdef inline void add_exponents(
    const_words_t sets,    # (LANES,) one word of a set of updates, each lane
    const_words_t planes,  # the same word of every bit plane, `stride` apart
    Py_ssize_t n_planes,
    Py_ssize_t stride,
    integers_t totals,     # IN/OUT (LANES,)
) noexcept nogil:
    """Add the exponents of the updates in the sets: popcounts of bit planes."""
    cdef Py_ssize_t plane, lane
    cdef uint64_t bits
    for plane in range(n_planes - 1):
        bits = planes[plane * stride]
        for lane in range(LANES):
            totals[lane] += popcount(sets[lane] & bits) << plane
    # The last plane of two's complement weighs negatively.
    bits = planes[(n_planes - 1) * stride]
    for lane in range(LANES):
        totals[lane] -= popcount(sets[lane] & bits) << (n_planes - 1)


cdef inline void renew(
    const_integers_t thresholds, Py_ssize_t width, int64_t phi_low,
    const_words_t draws, const_integers_t kinds, const_words_t old,
    const_integers_t K, words_t new, integers_t phi,
) noexcept nogil:
    """Draw the new state of one attribute in every lane, given K and its old state."""
    cdef Py_ssize_t lane, table
    cdef int64_t threshold, place
    for lane in range(LANES):
        table = <Py_ssize_t> (2 * kinds[lane] + <int64_t> (old[lane] & 1))
        place = min(max(K[lane] - phi_low, 0), <int64_t> width - 1)
        threshold = thresholds[(table * width + place) * LANES + lane]
        new[lane] = -<uint64_t> (<int64_t> (draws[lane] >> 11) < threshold)
        phi[lane] += (K[lane] & <int64_t> old[lane]) - (K[lane] & <int64_t> new[lane])


cdef inline void sweep(const Problem* p, Block* b, Py_ssize_t n_words) noexcept nogil:
    cdef Py_ssize_t n = p.n, j, w, lane, here, after
    cdef words_t state = b.state
    cdef words_t alive = b.alive
    cdef const uint64_t* columns = p.columns
    cdef uint64_t survivors
    cdef uint64_t[LANES] killed
    cdef uint64_t[LANES] new
    cdef int64_t[LANES] K
    cdef int64_t[LANES] kinds

    # alive[j] = updates that survive the constrained attributes j, j + 1, ..., n - 1.
    for w in range(n_words):
        for lane in range(LANES):
            alive[(n * n_words + w) * LANES + lane] = ~(<uint64_t> 0)
            alive[w * LANES + lane] = ~(<uint64_t> 0)
    for j in range(n - 1, 0, -1):
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            here = (j * n_words + w) * LANES
            after = here + n_words * LANES
            for lane in range(LANES):
                alive[here + lane] = (
                    alive[after + lane] & (survivors | ~state[j * LANES + lane])
                )
    # alive[0] is free for the running prefix: updates that survive 0, ..., j - 1.
    for j in range(n):
        for lane in range(LANES):
            K[lane] = 0
            kinds[lane] = p.kinds[j]
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            after = ((j + 1) * n_words + w) * LANES
            for lane in range(LANES):
                killed[lane] = (
                    alive[w * LANES + lane] & alive[after + lane] & ~survivors
                )
            add_exponents(killed, p.planes + w, p.n_planes, n_words, K)
        renew(
            b.thresholds, p.width, p.phi_low, b.draws + j * LANES, kinds,
            b.state + j * LANES, K, new, b.phi,
        )
        for lane in range(LANES):
            state[j * LANES + lane] = new[lane]
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            for lane in range(LANES):
                alive[w * LANES + lane] &= survivors | ~new[lane]


cdef inline void random_site(
    const Problem* p, Block* b, Py_ssize_t n_words
) noexcept nogil:
    cdef Py_ssize_t n = p.n, k, w, lane, i
    cdef words_t counts = b.counts
    cdef const_integers_t all_kinds = p.kinds
    cdef uint64_t passed
    cdef uint64_t[LANES] old
    cdef uint64_t[LANES] high
    cdef uint64_t[LANES] carry
    cdef uint64_t[LANES] new
    cdef uint64_t[LANES] killed
    cdef int64_t[LANES] K
    cdef int64_t[LANES] kinds
    cdef Py_ssize_t[LANES] site

    for lane in range(LANES):
        site[lane] = <Py_ssize_t> (((b.draws[lane] >> 32) * <uint64_t> n) >> 32)
        old[lane] = b.state[site[lane] * LANES + lane]
        K[lane] = 0
    for lane in range(LANES):
        kinds[lane] = all_kinds[site[lane]]
    for w in range(n_words):
        for lane in range(LANES):
            high[lane] = 0
        for k in range(1, p.n_counts):
            i = (k * n_words + w) * LANES
            for lane in range(LANES):
                high[lane] |= counts[i + lane]
        for lane in range(LANES):
            # Killed by j alone: no killer yet if j is free, one killer if j is it.
            killed[lane] = (
                (counts[w * LANES + lane] ^ ~old[lane])
                & ~high[lane] & ~p.columns[site[lane] * n_words + w]
            )
        add_exponents(killed, p.planes + w, p.n_planes, n_words, K)
    renew(
        b.thresholds, p.width, p.phi_low, b.draws + LANES, kinds, old, K, new, b.phi,
    )
    for lane in range(LANES):
        b.state[site[lane] * LANES + lane] = new[lane]
    for w in range(n_words):
        for lane in range(LANES):
            carry[lane] = (
                ~p.columns[site[lane] * n_words + w] & (new[lane] ^ old[lane])
            )
        for k in range(p.n_counts):
            i = (k * n_words + w) * LANES
            for lane in range(LANES):
                # A carry when a killer is added, a borrow when one is taken away.
                passed = (counts[i + lane] ^ old[lane]) & carry[lane]
                counts[i + lane] ^= carry[lane]
                carry[lane] = passed


# The common case of one word gets code of its own, without loops over words.
cdef void sweep_narrow(const Problem* p, Block* b) noexcept nogil:
    sweep(p, b, 1)


cdef void sweep_wide(const Problem* p, Block* b) noexcept nogil:
    sweep(p, b, p.n_words)


cdef void random_site_narrow(const Problem* p, Block* b) noexcept nogil:
    random_site(p, b, 1)


cdef void random_site_wide(const Problem* p, Block* b) noexcept nogil:
    random_site(p, b, p.n_words)


cdef step_t step_of(int sampler, Py_ssize_t n_words) noexcept nogil:
    if sampler == METROPOLIS:
        return random_site_narrow if n_words == 1 else random_site_wide
    return sweep_narrow if n_words == 1 else sweep_wide


# -- a block of chains -----------------------------------------------------------------

cdef void free_block(Block* b) noexcept nogil:
    free(b.state)
    free(b.counts)
    free(b.phi)
    free(b.generators)
    free(b.draws)
    free(b.alive)
    free(b.thresholds)
    free(b.histogram)
    free(b.batch)


cdef bint allocate_block(const Problem* p, Block* b) noexcept nogil:
    """Room for one block; False, with what there is to be freed, if memory is short."""
    cdef size_t words = LANES * sizeof(uint64_t)
    b.state = <uint64_t*> malloc(p.n * words)
    b.counts = <uint64_t*> malloc((p.n_counts * p.n_words + 1) * words)
    b.phi = <int64_t*> malloc(words)
    b.generators = <uint64_t*> malloc(4 * words)
    b.draws = <uint64_t*> malloc((p.n + 1) * words)
    b.alive = <uint64_t*> malloc((p.n + 1) * p.n_words * words)
    b.thresholds = <int64_t*> malloc(2 * p.n_kinds * p.width * words)
    b.histogram = <int64_t*> malloc(p.width * words)
    b.batch = <double*> malloc(words)
    return (
        b.state != NULL and b.counts != NULL and b.phi != NULL
        and b.generators != NULL and b.draws != NULL and b.alive != NULL
        and b.thresholds != NULL and b.histogram != NULL and b.batch != NULL
    )


cdef void set_thresholds(
    const Problem* p, Block* b, int sampler, const double* log_alphas
) noexcept nogil:
    """Tabulate P(new state = constrained | old state, K) as integers out of 2^53.

    With x = o alpha_i^-K, o being beta or, for twins, (1 + beta)^k - 1, the
    odds of constraining the attribute: Gibbs (Table III, with the current Q where it
    prints P) x / (1 + x) whatever the old state; Metropolis and Metropolized Gibbs
    change it with probability (1 - 1/n) min(1, x) from free, (1 - 1/n) min(1, 1/x) from
    constrained.

    The 1/n is Table II's rest, without which the chain could be periodic. Metropolized
    Gibbs needs it too: as the paper has it, a sweep where every ratio is 1 turns each S
    into its complement and back, for ever, and never sees another term. At n = 1 a
    chain that always rests would not move, and rests half of the time instead.
    """
    cdef Py_ssize_t kind, k, lane, i
    cdef Py_ssize_t zero = -p.phi_low
    cdef Py_ssize_t second = p.width * LANES
    cdef int64_t* thresholds
    cdef double x, on, stay
    cdef double move = 1.0 - 1.0 / <double> (p.n if p.n > 1 else 2)
    cdef double[LANES] odds
    cdef double[LANES] factor
    cdef int direction

    for i in range(2 * p.n_kinds):
        kind, direction = i >> 1, i & 1
        thresholds = b.thresholds + 2 * kind * second
        # Running products from K = 0 outwards, so that no entry needs an exponential.
        for lane in range(LANES):
            odds[lane] = exp(fmin(p.log_odds[kind], 690.0))
            factor[lane] = exp(log_alphas[lane] if direction else -log_alphas[lane])
        k = zero
        while 0 <= k < p.width:
            for lane in range(LANES):
                x = odds[lane]
                if sampler == GIBBS:
                    on = x / (1.0 + x)
                    stay = on
                else:
                    on = move * (1.0 if x > 1.0 else x)
                    stay = 1.0 - move * (1.0 / x if x > 1.0 else 1.0)
                thresholds[k * LANES + lane] = <int64_t> (on * TWO_53)
                thresholds[second + k * LANES + lane] = <int64_t> (stay * TWO_53)
                x *= factor[lane]
                odds[lane] = x if x < 1e300 else 1e300
            k += -1 if direction else 1


cdef void set_state(const Problem* p, Block* b) noexcept nogil:
    """Recompute all that follows from the state: phi, and the counters of killers."""
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
        add_exponents(alive, p.planes + w, p.n_planes, p.n_words, b.phi)


cdef void draw(const Problem* p, Block* b, Py_ssize_t n_draws) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n_draws):
        draw_lanes(b.generators, b.draws + i * LANES)


cdef void start(const Problem* p, Block* b, const uint8_t* from_term) noexcept nogil:
    """Start from a term, or the law of the first rung, which can be drawn exactly."""
    cdef Py_ssize_t j, lane
    cdef double odds
    cdef int64_t threshold
    draw(p, b, p.n)
    for j in range(p.n):
        if from_term != NULL:
            for lane in range(LANES):
                b.state[j * LANES + lane] = -<uint64_t> from_term[j]
            continue
        odds = exp(fmin(p.log_odds[p.kinds[j]], 690.0))
        threshold = <int64_t> (odds / (1.0 + odds) * TWO_53)
        for lane in range(LANES):
            b.state[j * LANES + lane] = -<uint64_t> (
                <int64_t> (b.draws[j * LANES + lane] >> 11) < threshold
            )
    set_state(p, b)


cdef void swap_states(
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


cdef bint accepts_swap(
    int64_t phi_below, int64_t phi_above, double log_step, double uniform
) noexcept nogil:
    """Table IV, line 2: neighbours alpha_i < alpha_i+1 = exp(log_step) alpha_i."""
    return uniform < exp(log_step * <double> (phi_below - phi_above))


cdef struct Swaps:
    double probability            # of an attempt, before each step
    double log_step
    Py_ssize_t n_chains
    uint64_t* generators          # (4, LANES); only the first three lanes are looked at
    int64_t* attempted            # (n_chains - 1,) by pairs, after burn-in; may be NULL
    int64_t* accepted             # the same


cdef void attempt_swap(const Problem* p, Block* blocks, Swaps* swaps) noexcept nogil:
    """Table IV, line 2: with some probability, try one neighbouring pair of chains."""
    cdef uint64_t[LANES] draws
    cdef Py_ssize_t i
    cdef Block* below
    cdef Block* above
    draw_lanes(swaps.generators, draws)
    if <double> (draws[0] >> 11) >= swaps.probability * TWO_53:
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
        swaps.log_step, <double> (draws[2] >> 11) / TWO_53,
    ):
        swap_states(p, below, i % LANES, above, (i + 1) % LANES)
        if swaps.attempted != NULL:
            swaps.accepted[i] += 1


# -- what diagnostics are made of ------------------------------------------------------

# Of every rung, after burn-in. NULL where nobody asks: histograms on their own, all the
# others together.
cdef struct Observations:
    int64_t* histograms           # (n_rungs, width) samples by phi
    int64_t* moves                # (n_rungs,) site updates that changed the site
    int64_t* attempted            # (n_rungs,) swaps with the next rung
    int64_t* accepted             # the same
    int32_t* traces               # (n_rungs, n_traced) phi - phi_low of kept samples
    Py_ssize_t every              # one sample of so many is kept
    Py_ssize_t n_traced
    uint64_t* before              # (n, LANES) room for the state before a step


cdef inline void observe_moves(
    const Problem* p, const Block* b, const Observations* seen,
    Py_ssize_t first, Py_ssize_t n_chains,
) noexcept nogil:
    """Count what a step changed, a site being updated once in it at most."""
    cdef Py_ssize_t j, lane
    for j in range(p.n):
        for lane in range(n_chains):
            seen.moves[first + lane] += <int64_t> (
                (seen.before[j * LANES + lane] ^ b.state[j * LANES + lane]) & 1
            )


cdef inline void observe_phi(
    const Problem* p, const Block* b, const Observations* seen,
    Py_ssize_t first, Py_ssize_t n_chains, Py_ssize_t t,
) noexcept nogil:
    cdef Py_ssize_t lane
    for lane in range(n_chains):
        seen.traces[(first + lane) * seen.n_traced + t // seen.every] = (
            <int32_t> (b.phi[lane] - p.phi_low)
        )


# -- a group of chains, and the ladder of groups ---------------------------------------

cdef struct Plan:
    int sampler
    Py_ssize_t n_rungs            # chains of the full ladder
    double log_step               # alpha_i = exp(i log_step), i = 1, ..., n_rungs
    Py_ssize_t burn_in            # steps, not site updates
    Py_ssize_t n_samples          # steps after burn-in, each giving a sample
    Py_ssize_t n_batches
    double swap_probability       # 0 without tempering
    uint64_t stream
    const uint8_t* from_term      # (n,) where all chains start; NULL: at alpha = 1


cdef inline Py_ssize_t batch_end(const Plan* plan, Py_ssize_t batch) noexcept nogil:
    """Samples taken by the end of a batch: as equal in size as they can be."""
    return ((batch + 1) * plan.n_samples) // plan.n_batches


cdef void record(const Problem* p, Block* b, const double* ratio) noexcept nogil:
    cdef Py_ssize_t lane, k
    for lane in range(LANES):
        k = b.phi[lane] - p.phi_low
        b.histogram[lane * p.width + k] += 1
        b.batch[lane] += ratio[k]


cdef inline int look_for_signals(int64_t* work, int64_t done) except -1 nogil:
    """Let Ctrl-C through, now and then."""
    work[0] += done
    if work[0] > WORK_BETWEEN_SIGNALS:
        work[0] = 0
        with gil:
            PyErr_CheckSignals()
    return 0


cdef inline int advance(
    const Problem* p, const Plan* plan, Block* blocks, Py_ssize_t n_blocks,
    Swaps* swaps, int64_t* work,
) except -1 nogil:
    """One step of every chain, after what Table IV does before it."""
    cdef Py_ssize_t block
    # A step of a random-site sampler is one site, with a draw for the choice of it.
    cdef Py_ssize_t n_sites = 1 if plan.sampler == METROPOLIS else p.n
    cdef Py_ssize_t n_draws = 2 if plan.sampler == METROPOLIS else p.n
    cdef step_t step = step_of(plan.sampler, p.n_words)
    look_for_signals(work, n_blocks * LANES * p.n_words * n_sites)
    if swaps.probability > 0.0:
        attempt_swap(p, blocks, swaps)
    for block in range(n_blocks):
        draw(p, blocks + block, n_draws)
        step(p, blocks + block)
    return 0


cdef int advance_observed(
    const Problem* p, const Plan* plan, Block* blocks, Py_ssize_t n_blocks,
    Swaps* swaps, int64_t* work, const Observations* seen, Py_ssize_t first,
    Py_ssize_t t,
) except -1 nogil:
    """The same as `advance`, block by block, under observation."""
    cdef Py_ssize_t block, n_lanes, rung
    cdef Swaps none
    memset(&none, 0, sizeof(Swaps))
    if swaps.probability > 0.0:
        attempt_swap(p, blocks, swaps)
    for block in range(n_blocks):
        n_lanes = min(LANES, swaps.n_chains - block * LANES)
        rung = first - 1 + block * LANES
        memcpy(seen.before, blocks[block].state, p.n * LANES * sizeof(uint64_t))
        advance(p, plan, blocks + block, 1, &none, work)
        observe_moves(p, blocks + block, seen, rung, n_lanes)
        if t % seen.every == 0:
            observe_phi(p, blocks + block, seen, rung, n_lanes, t)
    return 0


cdef int simulate(
    const Problem* p, const Plan* plan, Block* blocks, Py_ssize_t n_chains,
    Py_ssize_t first, const double* ratio, double* batches, int64_t* work,
    const Observations* seen,
) except -1 nogil:
    """Run the chains of rungs first, ..., first + n_chains - 1 in step with each other.

    Leaves the histogram of every chain in its block, and in `batches` (n_batches,
    chains rounded up to whole blocks) the sums of `ratio` over each batch of samples.
    """
    cdef Py_ssize_t n_blocks = (n_chains + LANES - 1) // LANES
    cdef Py_ssize_t block, lane, rung, batch, _, t = 0
    cdef double[LANES] log_alphas
    cdef uint64_t[4 * LANES] swap_generators
    cdef Swaps swaps
    cdef Block* b

    swaps.probability = plan.swap_probability if n_chains > 1 else 0.0
    swaps.log_step = plan.log_step
    swaps.n_chains = n_chains
    swaps.generators = swap_generators
    swaps.attempted = NULL
    for lane in range(LANES):
        # Rungs count from 1: the swaps of a group take the numbers below them.
        seed_lane(
            swap_generators, lane,
            mix64(plan.stream ^ mix64(<uint64_t> (-first * LANES - lane))),
        )
    for block in range(n_blocks):
        b = blocks + block
        for lane in range(LANES):
            rung = first + block * LANES + lane
            # Lanes beyond the ladder repeat its last rung; nobody looks at them.
            log_alphas[lane] = plan.log_step * <double> min(rung, plan.n_rungs)
            seed_lane(
                b.generators, lane, mix64(plan.stream ^ mix64(<uint64_t> rung))
            )
        set_thresholds(p, b, plan.sampler, log_alphas)
        memset(b.histogram, 0, p.width * LANES * sizeof(int64_t))
        start(p, b, plan.from_term)

    for _ in range(plan.burn_in):
        advance(p, plan, blocks, n_blocks, &swaps, work)
    if seen.attempted != NULL:
        swaps.attempted = seen.attempted + first - 1
        swaps.accepted = seen.accepted + first - 1
    for batch in range(plan.n_batches):
        for block in range(n_blocks):
            memset(blocks[block].batch, 0, LANES * sizeof(double))
        while t < batch_end(plan, batch):
            if seen.moves == NULL:
                advance(p, plan, blocks, n_blocks, &swaps, work)
            else:
                advance_observed(
                    p, plan, blocks, n_blocks, &swaps, work, seen, first, t
                )
            for block in range(n_blocks):
                record(p, blocks + block, ratio)
            t += 1
        for block in range(n_blocks):
            for lane in range(LANES):
                batches[(batch * n_blocks + block) * LANES + lane] = (
                    blocks[block].batch[lane]
                )
    return 0


cdef double log_mean_ratio(
    const Problem* p, const int64_t* histogram, double log_step
) noexcept nogil:
    """Log of the mean of exp(-log_step phi) over a histogram of phi."""
    cdef Py_ssize_t k, lowest = -1
    cdef int64_t n_samples = 0
    cdef double total = 0.0
    for k in range(p.width):
        if histogram[k] > 0:
            if lowest < 0:
                lowest = k
            n_samples += histogram[k]
            total += <double> histogram[k] * exp(-log_step * <double> (k - lowest))
    return (
        log(total / <double> n_samples) - log_step * <double> (lowest + p.phi_low)
    )


cdef double batch_variance(
    const Plan* plan, double* batches, Py_ssize_t n_lanes,
    Py_ssize_t first, Py_ssize_t last,
) noexcept nogil:
    """Variance of the summed log ratios of chains first, ..., last - 1, by batch means.

    Tempered chains share their states, so their errors are summed inside a batch before
    they are squared; independent chains are asked for one by one.
    """
    cdef Py_ssize_t batch, chain, size
    cdef double mean, deviation, total = 0.0
    if plan.n_batches < 2:
        return INFINITY
    for chain in range(first, last):
        mean = 0.0
        for batch in range(plan.n_batches):
            mean += batches[batch * n_lanes + chain]
        mean /= <double> plan.n_samples
        if not mean > 0.0:
            return INFINITY
        for batch in range(plan.n_batches):
            size = batch_end(plan, batch) - batch_end(plan, batch - 1)
            batches[batch * n_lanes + chain] /= mean * <double> size
    for batch in range(plan.n_batches):
        deviation = 0.0
        for chain in range(first, last):
            deviation += batches[batch * n_lanes + chain] - 1.0
        total += deviation * deviation
    return total / <double> (plan.n_batches * (plan.n_batches - 1))


# The optimized solution (Table I): a bound on W that every chain tightens, and that may
# settle the side of the threshold before the last chain has run (Theorems 5 and 6).
cdef struct Verdict:
    double bound                  # log; below W if the guess is 1, above it if 0
    double log_threshold          # NaN: the sum itself is wanted, there is no stop
    double slack                  # what one chain's log ratio differs from the bound by
    bint guess


cdef Verdict open_verdict(
    double log_first, double log_alpha, double log_step,
    double phi_min, double phi_max, double log_threshold, bint guess,
) noexcept nogil:
    """Table I, lines 3 and 13: the bound before any chain has run."""
    cdef Verdict verdict
    cdef double phi = phi_min if guess else phi_max
    verdict.bound = log_first + log_alpha * phi
    verdict.slack = log_step * phi
    verdict.log_threshold = log_threshold
    verdict.guess = guess
    return verdict


cdef void take_in(Verdict* verdict, double log_ratio) noexcept nogil:
    """Table I, lines 6 and 16: let log(W_i / W_i-1) tighten the bound."""
    verdict.bound += log_ratio - verdict.slack


cdef bint is_settled(const Verdict* verdict) noexcept nogil:
    """Table I, lines 7 and 17: does the bound tell the side of the threshold?

    Theorem 5 calls the stop certain, of true ratios. These are estimates, and the stop
    is as certain as they are; before the first chain (no ratio at all) it is certain.
    """
    if isnan(verdict.log_threshold):
        return False
    if verdict.guess:
        return verdict.bound >= verdict.log_threshold
    return verdict.bound < verdict.log_threshold


cdef struct Climb:
    Verdict verdict
    Py_ssize_t n_used             # chains whose ratios the verdict took in
    Py_ssize_t n_simulated        # the same, rounded up to whole groups


cdef int climb_ladder(
    const Problem* p, const Plan* plan, Block* blocks, Py_ssize_t group_size,
    const double* ratio, double* batches, Climb* climb,
    double* log_ratios, double* variances, const Observations* seen,
) except -1 nogil:
    """Simulate group after group of rungs until the verdict is settled or all ran."""
    cdef Py_ssize_t n_lanes, n_chains, first, chain, rung, i, done = 0
    cdef int64_t work = 0
    cdef bint settled = is_settled(&climb.verdict)
    cdef bint tempering = plan.swap_probability > 0.0
    cdef bint downwards = climb.verdict.guess
    cdef const int64_t* histogram
    while done < plan.n_rungs and not settled:
        n_chains = min(group_size, plan.n_rungs - done)
        n_lanes = (n_chains + LANES - 1) // LANES * LANES
        # Theorem 6: from the top if W is thought to exceed theta, else from below.
        first = plan.n_rungs - done - n_chains + 1 if downwards else done + 1
        simulate(p, plan, blocks, n_chains, first, ratio, batches, &work, seen)
        for i in range(n_chains):
            chain = n_chains - 1 - i if downwards else i
            rung = first + chain - 1
            histogram = blocks[chain // LANES].histogram + (chain % LANES) * p.width
            log_ratios[rung] = -log_mean_ratio(p, histogram, plan.log_step)
            if seen.histograms != NULL:
                memcpy(
                    seen.histograms + rung * p.width, histogram,
                    p.width * sizeof(int64_t),
                )
            if not tempering:
                variances[rung] = batch_variance(
                    plan, batches, n_lanes, chain, chain + 1
                )
            # Tempered chains are judged as a group (section 4.4), others one by one.
            if tempering or not settled:
                take_in(&climb.verdict, log_ratios[rung])
                settled = is_settled(&climb.verdict)
                climb.n_used += 1
        if tempering:
            # The variance of the group's sum, booked on its chains in equal parts.
            variances[first - 1] = batch_variance(plan, batches, n_lanes, 0, n_chains)
            for chain in range(n_chains - 1, -1, -1):
                variances[first - 1 + chain] = variances[first - 1] / n_chains
        climb.n_simulated += n_chains
        done += n_chains
    return 0


# -- Python's side ---------------------------------------------------------------------

cdef Problem open_problem(
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    int64_t phi_low, int64_t phi_high,
    const double[::1] log_odds, const int64_t[::1] kinds, int sampler,
) noexcept:
    cdef Problem p
    cdef Py_ssize_t n = columns.shape[0]
    p.n = n
    p.n_words = columns.shape[1]
    p.n_planes = planes.shape[0]
    p.n_counts = 0
    if sampler == METROPOLIS:
        # Bits that can count to n killers.
        while n > 0:
            p.n_counts += 1
            n >>= 1
    p.columns = &columns[0, 0]
    p.planes = &planes[0, 0]
    p.phi_low = phi_low
    p.width = <Py_ssize_t> (phi_high - phi_low) + 1
    p.log_odds = &log_odds[0]
    p.kinds = &kinds[0]
    p.n_kinds = log_odds.shape[0]
    return p


def climb(
    const uint64_t[:, ::1] columns,  # IN (n, n_words) updates that survive attribute j
    const uint64_t[:, ::1] planes,   # IN (n_planes, n_words) bits of the exponents
    int64_t phi_low,                 # sum of the negative exponents
    int64_t phi_high,                # sum of the positive exponents
    double log_alpha,
    const double[::1] log_odds,      # IN (n_kinds,) of constraining an attribute
    const int64_t[::1] kinds,        # IN (n,) kind of each attribute
    double log_first,                # log W at alpha = 1
    int sampler,
    Py_ssize_t n_rungs,              # chains of the full ladder
    Py_ssize_t group_size,           # chains simulated side by side
    Py_ssize_t burn_in,              # in site updates
    Py_ssize_t n_steps,              # in site updates
    double swap_probability,         # 0 without tempering
    uint64_t stream,
    double log_threshold,            # NaN: no stop
    bint guess,
    double phi_min,                  # bounds on phi for the stop
    double phi_max,
    double[::1] log_ratios,          # OUT (n_rungs,) log(W_i / W_i-1)
    double[::1] variances,           # OUT (n_rungs,) of the log ratios
    int64_t[:, ::1] histograms=None,  # OUT (n_rungs, phi_high - phi_low + 1), optional
    int64_t[:, ::1] counts=None,     # OUT (3, n_rungs) moves, swaps tried and accepted
    int32_t[:, ::1] traces=None,     # OUT (n_rungs, samples kept), if there are counts
    Py_ssize_t every=1,              # of so many samples one is kept in traces
    const uint8_t[::1] from_term=None,  # IN (n,) 1 where the first states constrain
):
    """Estimate the ratios of weighted sums along a ladder of chains.

    Returns
    -------
    bound : float
        Log of Table I's running bound; of the estimate of W once all chains have run.
    n_used, n_simulated : int
        Chains whose ratios were used, and chains run (whole groups).
    """
    cdef Problem p = open_problem(
        columns, planes, phi_low, phi_high, log_odds, kinds, sampler
    )
    cdef Py_ssize_t sites = 1 if sampler == METROPOLIS else p.n
    cdef Py_ssize_t n_blocks = (group_size + LANES - 1) // LANES
    cdef Py_ssize_t i
    cdef Plan plan
    cdef Climb climb
    cdef Block* blocks = NULL
    cdef double* ratio = NULL
    cdef double* batches = NULL
    cdef Observations seen

    memset(&seen, 0, sizeof(Observations))
    plan.sampler = sampler
    plan.n_rungs = n_rungs
    plan.log_step = log_alpha / <double> n_rungs
    plan.burn_in = (burn_in + sites - 1) // sites
    plan.n_samples = max(1, (n_steps + sites - 1) // sites)
    # As many batches as each has sweeps, so that both their number and their length
    # grow; a sample of a random-site sampler is the n-th part of a sweep.
    plan.n_batches = max(
        1, min(MOST_BATCHES, <Py_ssize_t> sqrt(plan.n_samples * sites // max(p.n, 1)))
    )
    plan.swap_probability = swap_probability
    plan.stream = stream
    plan.from_term = NULL
    if from_term is not None:
        plan.from_term = &from_term[0]
    climb.n_used = 0
    climb.n_simulated = 0
    climb.verdict = open_verdict(
        log_first, log_alpha, plan.log_step, phi_min, phi_max, log_threshold, guess,
    )
    if histograms is not None:
        seen.histograms = &histograms[0, 0]
    if counts is not None:
        seen.moves, seen.attempted = &counts[0, 0], &counts[1, 0]
        seen.accepted = &counts[2, 0]
        seen.traces, seen.every, seen.n_traced = &traces[0, 0], every, traces.shape[1]
    try:
        blocks = <Block*> calloc(n_blocks, sizeof(Block))
        ratio = <double*> malloc(p.width * sizeof(double))
        batches = <double*> malloc(plan.n_batches * n_blocks * LANES * sizeof(double))
        seen.before = <uint64_t*> malloc(p.n * LANES * sizeof(uint64_t))
        if blocks == NULL or ratio == NULL or batches == NULL or seen.before == NULL:
            raise MemoryError
        for i in range(n_blocks):
            if not allocate_block(&p, blocks + i):
                raise MemoryError
        with nogil:
            # f_i = (alpha_i-1 / alpha_i)^phi is the same function at every rung.
            for i in range(p.width):
                ratio[i] = exp(-plan.log_step * <double> (i + p.phi_low))
            climb_ladder(
                &p, &plan, blocks, group_size, ratio, batches, &climb,
                &log_ratios[0], &variances[0], &seen,
            )
    finally:
        if blocks != NULL:
            for i in range(n_blocks):
                free_block(blocks + i)
        free(blocks)
        free(ratio)
        free(batches)
        free(seen.before)
    return climb.verdict.bound, climb.n_used, climb.n_simulated


def gibbs_terms(
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    int64_t phi_low, int64_t phi_high, double log_alpha,
    const double[::1] log_odds, const int64_t[::1] kinds,
    uint64_t stream,
    const uint8_t[:, ::1] starts,    # IN (n_chains, n) 1 where constrained
    uint8_t[:, :, ::1] terms,        # OUT (n_chains, n_sweeps, n)
    int64_t[:, ::1] phis,            # OUT (n_chains, n_sweeps)
):
    """Terms that Gibbs sweeps come to from given ones, after a first sweep.

    `phi_low` and `phi_high` bound the table of probabilities: where an attribute
    changes phi by more, the probability is that of the nearer bound.
    """
    cdef Problem p = open_problem(
        columns, planes, phi_low, phi_high, log_odds, kinds, GIBBS
    )
    cdef Py_ssize_t n_chains = starts.shape[0], first, n_lanes, t, j, lane
    cdef double[LANES] log_alphas
    cdef Block b
    memset(&b, 0, sizeof(Block))
    for lane in range(LANES):
        log_alphas[lane] = log_alpha
    try:
        if not allocate_block(&p, &b):
            raise MemoryError
        with nogil:
            set_thresholds(&p, &b, GIBBS, log_alphas)
            first = 0
            while first < n_chains:
                n_lanes = min(LANES, n_chains - first)
                for lane in range(LANES):
                    seed_lane(b.generators, lane, mix64(stream + first + lane))
                    for j in range(p.n):
                        b.state[j * LANES + lane] = -<uint64_t> (
                            starts[first + lane % n_lanes, j]
                        )
                set_state(&p, &b)
                for t in range(-1, terms.shape[1]):
                    draw(&p, &b, p.n)
                    step_of(GIBBS, p.n_words)(&p, &b)
                    if t < 0:
                        continue
                    for lane in range(n_lanes):
                        phis[first + lane, t] = b.phi[lane]
                        for j in range(p.n):
                            terms[first + lane, t, j] = b.state[j * LANES + lane] & 1
                first += LANES
    finally:
        free_block(&b)


# Doors for the tests, which want each piece without its randomness.

def py_step(
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    int64_t phi_low, int64_t phi_high, double log_alpha,
    const double[::1] log_odds, const int64_t[::1] kinds, int sampler,
    uint8_t[:, ::1] states,          # IN/OUT (LANES, n) 1 where constrained
    const uint64_t[:, ::1] draws,    # IN (LANES, n) or (LANES, 2)
    int64_t[::1] phis,               # OUT (LANES,) phi of the new states
):
    """One step in every lane, from given states and with given draws."""
    cdef Problem p = open_problem(
        columns, planes, phi_low, phi_high, log_odds, kinds, sampler
    )
    cdef Block b
    cdef Py_ssize_t j, lane
    cdef double[LANES] log_alphas
    memset(&b, 0, sizeof(Block))
    try:
        if not allocate_block(&p, &b):
            raise MemoryError
        for lane in range(LANES):
            log_alphas[lane] = log_alpha
            for j in range(p.n):
                b.state[j * LANES + lane] = -<uint64_t> states[lane, j]
            for j in range(draws.shape[1]):
                b.draws[j * LANES + lane] = draws[lane, j]
        set_thresholds(&p, &b, sampler, log_alphas)
        set_state(&p, &b)
        step_of(sampler, p.n_words)(&p, &b)
        for lane in range(LANES):
            phis[lane] = b.phi[lane]
            for j in range(p.n):
                states[lane, j] = b.state[j * LANES + lane] & 1
    finally:
        free_block(&b)


def py_accepts_swap(
    int64_t phi_below, int64_t phi_above, double log_step, double uniform
):
    """Whether a swap of neighbouring chains is accepted."""
    return accepts_swap(phi_below, phi_above, log_step, uniform)


def py_early_stop(
    const double[::1] log_ratios, double log_first, double log_alpha,
    double phi_min, double phi_max, double log_threshold, bint guess,
):
    """Table I on given ratios: the answer and the number of chains it took."""
    cdef Py_ssize_t n_rungs = log_ratios.shape[0], used = 0
    cdef Verdict verdict = open_verdict(
        log_first, log_alpha, log_alpha / <double> n_rungs,
        phi_min, phi_max, log_threshold, guess,
    )
    while used < n_rungs and not is_settled(&verdict):
        used += 1
        take_in(&verdict, log_ratios[n_rungs - used if guess else used - 1])
    return verdict.bound >= log_threshold, used


def py_draws(uint64_t stream, uint64_t[::1] draws):
    """The first draws of a stream."""
    cdef uint64_t[4 * LANES] generators
    cdef uint64_t[LANES] row
    cdef Py_ssize_t i
    for i in range(LANES):
        seed_lane(generators, i, stream)
    for i in range(draws.shape[0]):
        draw_lanes(generators, row)
        draws[i] = row[LANES - 1]
