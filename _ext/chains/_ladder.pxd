"""The ladder of chains: groups of rungs in step with each other, and what they give.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from _chain_block cimport Block, Problem, start
from _early_stop cimport EarlyStop, is_settled, tighten
from _random cimport LANES, mix64, seed_lane
from _signals cimport listen
from _tempering cimport Swaps, attempt_swap
from _transitions cimport draw_step, set_thresholds, sites_a_step, step_of

cdef enum:
    # Batch means (of the standard error) from at most this many batches of a chain.
    MOST_BATCHES = 32


cdef struct Plan:
    Py_ssize_t n_rungs            # chains of the full ladder
    Py_ssize_t group_size         # chains simulated side by side
    double log_step               # alpha_i = exp(i log_step), i = 1, ..., n_rungs
    Py_ssize_t burn_in            # steps, not site examples
    Py_ssize_t n_samples          # steps after burn-in, each giving a sample
    Py_ssize_t n_batches
    double swap_probability       # 0 without tempering
    uint64_t stream
    const uint8_t* from_term      # (n,) where all chains start; NULL: at alpha = 1
    const double* ratio           # (width,) f_i = (alpha_i-1 / alpha_i)^phi


# What is seen of every rung, after burn-in; NULL where nobody asks.
cdef struct Observations:
    int64_t* moves                # (n_rungs,) site examples that changed the site
    int64_t* attempted            # (n_rungs,) swaps with the next rung
    int64_t* accepted             # the same
    int32_t* traces               # (n_rungs, n_traced) phi - phi_low of kept samples
    Py_ssize_t every              # one sample of so many is kept
    Py_ssize_t n_traced
    uint64_t* before              # (n, LANES) room for the state before a step


# What a climb comes to.
cdef struct Climb:
    EarlyStop stop
    Py_ssize_t n_used             # chains whose ratios tightened the bound
    Py_ssize_t n_simulated        # the same, rounded up to whole groups
    double* log_ratios            # (n_rungs,) log(W_i / W_i-1)
    double* variances             # (n_rungs,) of the log ratios
    double* batches               # (n_batches, chains of a group, whole blocks) room


# -- one step of a group ---------------------------------------------------------------

cdef inline void observe(
    const Problem* p,
    const Block* b,
    const Observations* seen,
    Py_ssize_t first,             # row of the block's first chain
    Py_ssize_t n_chains,
    Py_ssize_t t,
) noexcept nogil:
    """Count what a step changed, a site being updated once in it at most; trace phi."""
    cdef Py_ssize_t j, lane
    for j in range(p.n):
        for lane in range(n_chains):
            seen.moves[first + lane] += <int64_t> (
                (seen.before[j * LANES + lane] ^ b.state[j * LANES + lane]) & 1
            )
    if t % seen.every == 0:
        for lane in range(n_chains):
            seen.traces[(first + lane) * seen.n_traced + t // seen.every] = (
                <int32_t> (b.phi[lane] - p.phi_low)
            )


cdef inline int advance(
    const Problem* p,
    Block* blocks,
    Py_ssize_t n_blocks,
    Swaps* swaps,
    int64_t* work,
    const Observations* seen,
    Py_ssize_t first,             # rung of the first chain
    Py_ssize_t t,                 # number of the sample, -1 if it is none
) except -1 nogil:
    """Attempt a swap (Table IV), let every chain take a step, and observe it."""
    cdef Py_ssize_t block, n_chains
    cdef bint observes = seen.moves != NULL and t >= 0
    listen(work, 2 * n_blocks * LANES * p.n_words * sites_a_step(p))
    if swaps.probability > 0.0:
        attempt_swap(p, blocks, swaps)
    for block in range(n_blocks):
        if observes:
            memcpy(seen.before, blocks[block].state, p.n * LANES * sizeof(uint64_t))
        draw_step(p, blocks + block)
        step_of(p)(p, blocks + block)
        if observes:
            n_chains = min(LANES, swaps.n_chains - block * LANES)
            observe(p, blocks + block, seen, first - 1 + block * LANES, n_chains, t)
    return 0


cdef inline void record(
    const Problem* p, Block* b, const double* ratio
) noexcept nogil:
    """Take in a sample of every chain."""
    cdef Py_ssize_t lane, k
    for lane in range(LANES):
        k = b.phi[lane] - p.phi_low
        b.histogram[lane * p.width + k] += 1
        b.batch[lane] += ratio[k]


# -- a group of chains -----------------------------------------------------------------

cdef inline Py_ssize_t batch_end(const Plan* plan, Py_ssize_t batch) noexcept nogil:
    """Return how many samples were taken by the end of a batch: all nearly equal."""
    return ((batch + 1) * plan.n_samples) // plan.n_batches


cdef inline void begin(
    const Problem* p,
    const Plan* plan,
    Block* blocks,
    Py_ssize_t n_blocks,
    Py_ssize_t first,
) noexcept nogil:
    """Prepare the chains of rungs first, first + 1, ..., each with its own stream."""
    cdef Py_ssize_t block, lane, rung
    cdef double[LANES] log_alphas
    cdef Block* b
    for block in range(n_blocks):
        b = blocks + block
        for lane in range(LANES):
            rung = first + block * LANES + lane
            # Lanes beyond the ladder repeat its last rung; nobody looks at them.
            log_alphas[lane] = plan.log_step * <double> min(rung, plan.n_rungs)
            seed_lane(
                b.generators, lane, mix64(plan.stream ^ mix64(<uint64_t> rung))
            )
        set_thresholds(p, b, log_alphas)
        memset(b.histogram, 0, p.width * LANES * sizeof(int64_t))
        start(p, b, plan.from_term)


cdef inline int simulate(
    const Problem* p,
    const Plan* plan,
    Block* blocks,
    Py_ssize_t n_chains,
    Py_ssize_t first,
    double* batches,
    int64_t* work,
    const Observations* seen,
) except -1 nogil:
    """Run the chains of rungs first, ..., first + n_chains - 1 in step with each other.

    Leaves the histogram of every chain in its block, and in `batches` (n_batches,
    chains rounded up to whole blocks) the sums of `ratio` over each batch of samples.
    """
    cdef Py_ssize_t n_blocks = (n_chains + LANES - 1) // LANES
    cdef Py_ssize_t block, lane, batch, _, t = 0
    cdef uint64_t[4 * LANES] swap_generators
    cdef Swaps swaps

    swaps.probability = plan.swap_probability if n_chains > 1 else 0.0
    swaps.log_step = plan.log_step
    swaps.n_chains = n_chains
    swaps.generators = swap_generators
    swaps.attempted = swaps.accepted = NULL
    for lane in range(LANES):
        # Rungs count from 1: the swaps of a group take the numbers below them.
        seed_lane(
            swap_generators, lane,
            mix64(plan.stream ^ mix64(<uint64_t> (-first * LANES - lane))),
        )
    begin(p, plan, blocks, n_blocks, first)
    for _ in range(plan.burn_in):
        advance(p, blocks, n_blocks, &swaps, work, seen, first, -1)
    if seen.attempted != NULL:
        swaps.attempted = seen.attempted + first - 1
        swaps.accepted = seen.accepted + first - 1
    for batch in range(plan.n_batches):
        for block in range(n_blocks):
            memset(blocks[block].batch, 0, LANES * sizeof(double))
        while t < batch_end(plan, batch):
            advance(p, blocks, n_blocks, &swaps, work, seen, first, t)
            for block in range(n_blocks):
                record(p, blocks + block, plan.ratio)
            t += 1
        for block in range(n_blocks):
            for lane in range(LANES):
                batches[(batch * n_blocks + block) * LANES + lane] = (
                    blocks[block].batch[lane]
                )
    return 0


# -- estimates from samples ------------------------------------------------------------

cdef inline double log_mean_ratio(
    const Problem* p, const int64_t* histogram, double log_step
) noexcept nogil:
    """Return the log of the mean of exp(-log_step phi) over a histogram of phi."""
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


cdef inline double batch_variance(
    const Plan* plan,
    double* batches,
    Py_ssize_t n_lanes,
    Py_ssize_t first,
    Py_ssize_t last,
) noexcept nogil:
    """Return the variance of the summed log ratios of some chains, by batch means.

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


# -- the ladder of groups --------------------------------------------------------------

cdef inline int climb_ladder(
    const Problem* p,
    const Plan* plan,
    Block* blocks,
    Climb* climb,
    const Observations* seen,
) except -1 nogil:
    """Simulate group after group of rungs until the side is settled or all have run."""
    cdef Py_ssize_t n_lanes, n_chains, first, chain, rung, i
    cdef int64_t work = 0
    cdef bint settled = is_settled(&climb.stop)
    cdef bint tempering = plan.swap_probability > 0.0
    cdef bint downwards = climb.stop.guess
    cdef const int64_t* histogram
    while climb.n_simulated < plan.n_rungs and not settled:
        n_chains = min(plan.group_size, plan.n_rungs - climb.n_simulated)
        n_lanes = (n_chains + LANES - 1) // LANES * LANES
        # Theorem 6: from the top if W is thought to exceed theta, else from below.
        first = climb.n_simulated + 1
        if downwards:
            first = plan.n_rungs - climb.n_simulated - n_chains + 1
        simulate(p, plan, blocks, n_chains, first, climb.batches, &work, seen)
        for i in range(n_chains):
            chain = n_chains - 1 - i if downwards else i
            rung = first + chain - 1
            histogram = blocks[chain // LANES].histogram + (chain % LANES) * p.width
            climb.log_ratios[rung] = -log_mean_ratio(p, histogram, plan.log_step)
            if not tempering:
                climb.variances[rung] = batch_variance(
                    plan, climb.batches, n_lanes, chain, chain + 1
                )
            # Tempered chains are judged as a group (section 4.4), others one by one.
            if tempering or not settled:
                tighten(&climb.stop, climb.log_ratios[rung])
                settled = is_settled(&climb.stop)
                climb.n_used += 1
        if tempering:
            # The variance of the group's sum, booked on its chains in equal parts.
            climb.variances[first - 1] = batch_variance(
                plan, climb.batches, n_lanes, 0, n_chains
            )
            for chain in range(n_chains - 1, -1, -1):
                climb.variances[first - 1 + chain] = (
                    climb.variances[first - 1] / n_chains
                )
        climb.n_simulated += n_chains
    return 0
