"""Chains: Markov chains on the terms a query satisfies, side by side in lanes.

A chain at rung alpha_i has the stationary law

    pi(S) ~ beta^|S| alpha_i^phi(S),   phi(S) = sum of c_u over the u with S in A_u,

on the subsets S of the n specified attributes (Tao & Scott 2004, section 3.1; beta is
the term prior). Every sampler changes one attribute j at a time, and all it needs is

    K = sum of c_u over the examples that only attribute j would kill,

for then phi(S + j) = phi(S - j) - K. Which examples those are costs O(M / 64) words:

* in a systematic sweep (Gibbs, Table III; Metropolized Gibbs, section 4.3) the examples
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

# Compiled for each level of the instruction set.

from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from _chain_block cimport (
    Block, Problem, Transition, allocate_block, open_problem, set_state,
)
from _early_stop cimport open_stop
from _ladder cimport MOST_BATCHES, Climb, Observations, Plan, climb_ladder
from _memory cimport Arena, free_arena, room
from _random cimport LANES, mix64, seed_lane
from _transitions cimport draw_step, set_thresholds, sites_a_step, step_of

# What this kernel can run, by the names that users have for it.
SAMPLERS = {
    "metropolis": Transition(random_site=True, heat_bath=False),
    "gibbs": Transition(random_site=False, heat_bath=True),
    "metropolized_gibbs": Transition(random_site=False, heat_bath=False),
}
CHAINS_AT_ONCE = LANES


cdef Plan plan_of(
    const Problem* p, Py_ssize_t n_rungs, double log_alpha,
    Py_ssize_t burn_in, Py_ssize_t n_steps,
) noexcept:
    """Return a plan whose lengths are steps, from lengths that are site examples."""
    cdef Plan plan
    cdef Py_ssize_t sites = sites_a_step(p)
    memset(&plan, 0, sizeof(Plan))
    plan.n_rungs = n_rungs
    plan.log_step = log_alpha / <double> n_rungs
    plan.burn_in = (burn_in + sites - 1) // sites
    plan.n_samples = max(1, (n_steps + sites - 1) // sites)
    # As many batches as each has sweeps, so that both their number and their length
    # grow; a sample of a random-site sampler is the n-th part of a sweep.
    plan.n_batches = max(
        1, min(MOST_BATCHES, <Py_ssize_t> sqrt(plan.n_samples * sites // max(p.n, 1)))
    )
    return plan


cdef Observations open_observations(object observed):
    """Return what is to be seen; the arrays belong to `observed`."""
    cdef int64_t[::1] moves = observed.moves
    cdef int64_t[::1] attempted = observed.attempted
    cdef int64_t[::1] accepted = observed.accepted
    cdef int32_t[:, ::1] traces = observed.traces
    cdef Observations seen
    memset(&seen, 0, sizeof(Observations))
    if moves is not None:
        seen.moves = &moves[0]
        seen.attempted = &attempted[0]
        seen.accepted = &accepted[0]
        seen.traces = &traces[0, 0]
        seen.every = observed.every
        seen.n_traced = traces.shape[1]
    return seen


def climb(
    *,
    object problem,                  # see `AgreementProblem`
    const double[::1] log_odds,      # IN (n_kinds,) of constraining an attribute
    const int64_t[::1] kinds,        # IN (n,) kind of each attribute
    double log_alpha,
    double log_first,                # log W at alpha = 1
    Transition transition,           # one of SAMPLERS
    Py_ssize_t group_size,           # chains simulated side by side
    Py_ssize_t burn_in,              # in site examples
    Py_ssize_t n_steps,              # in site examples
    double swap_probability,         # 0 without tempering
    uint64_t stream,
    double log_threshold,            # NaN: no stop
    bint guess,
    double phi_min,                  # bounds on phi for the stop
    double phi_max,
    object observed,                 # OUT arrays, see `Observed` in Python
    const uint8_t[::1] from_term=None,  # IN (n,) 1 where the first states constrain
):
    """Estimate the ratios of weighted sums along a ladder of chains.

    The ladder has as many rungs as `observed.log_ratios` has entries.

    Returns
    -------
    bound : float
        Log of Table I's running bound; of the estimate of W once all chains have run.
    n_used, n_simulated : int
        Chains whose ratios were used, and chains run (whole groups).
    """
    cdef Problem p = open_problem(problem, log_odds, kinds, transition)
    cdef double[::1] log_ratios = observed.log_ratios
    cdef double[::1] variances = observed.variances
    cdef Plan plan = plan_of(&p, log_ratios.shape[0], log_alpha, burn_in, n_steps)
    cdef Observations seen = open_observations(observed)
    cdef Py_ssize_t n_blocks = (group_size + LANES - 1) // LANES, i
    cdef Climb climb
    cdef Arena arena = Arena(NULL)
    cdef Block* blocks
    cdef double* ratio

    plan.group_size = group_size
    plan.swap_probability = swap_probability
    plan.stream = stream
    if from_term is not None:
        plan.from_term = &from_term[0]
    memset(&climb, 0, sizeof(Climb))
    climb.log_ratios = &log_ratios[0]
    climb.variances = &variances[0]
    climb.stop = open_stop(
        log_first, log_alpha, plan.log_step, phi_min, phi_max, log_threshold, guess
    )
    try:
        blocks = <Block*> room(&arena, n_blocks * sizeof(Block))
        plan.ratio = ratio = <double*> room(&arena, p.width * sizeof(double))
        climb.batches = <double*> room(
            &arena, plan.n_batches * n_blocks * LANES * sizeof(double)
        )
        seen.before = <uint64_t*> room(&arena, p.n * LANES * sizeof(uint64_t))
        for i in range(n_blocks):
            allocate_block(&p, blocks + i, &arena)
        with nogil:
            # f_i = (alpha_i-1 / alpha_i)^phi is the same function at every rung.
            for i in range(p.width):
                ratio[i] = exp(-plan.log_step * <double> (i + p.phi_low))
            climb_ladder(&p, &plan, blocks, &climb, &seen)
    finally:
        free_arena(&arena)
    return climb.stop.bound, climb.n_used, climb.n_simulated


def gibbs_terms(
    *,
    object problem,
    int64_t most,                    # larger changes of phi count as this one
    double log_alpha,
    const double[::1] log_odds,
    const int64_t[::1] kinds,
    uint64_t stream,
    const uint8_t[:, ::1] starts,    # IN (n_chains, n) 1 where constrained
    uint8_t[:, :, ::1] terms,        # OUT (n_chains, n_sweeps, n)
    int64_t[:, ::1] phis,            # OUT (n_chains, n_sweeps)
):
    """Find the terms that Gibbs sweeps visit from given ones, after a first sweep.

    Where an attribute changes phi by more than `most`, its probability is that of a
    change by so much.
    """
    cdef Problem p = open_problem(problem, log_odds, kinds, SAMPLERS["gibbs"])
    cdef Py_ssize_t n_chains = starts.shape[0], first, n_lanes, t, j, lane
    cdef double[LANES] log_alphas
    cdef Arena arena = Arena(NULL)
    cdef Block b
    for lane in range(LANES):
        log_alphas[lane] = log_alpha
    p.phi_low = max(p.phi_low, -most)
    p.width = <Py_ssize_t> (min(<int64_t> problem.phi_high, most) - p.phi_low) + 1
    try:
        allocate_block(&p, &b, &arena)
        with nogil:
            set_thresholds(&p, &b, log_alphas)
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
                    draw_step(&p, &b)
                    step_of(&p)(&p, &b)
                    if t < 0:
                        continue
                    for lane in range(n_lanes):
                        phis[first + lane, t] = b.phi[lane]
                        for j in range(p.n):
                            terms[first + lane, t, j] = b.state[j * LANES + lane] & 1
                first += LANES
    finally:
        free_arena(&arena)
