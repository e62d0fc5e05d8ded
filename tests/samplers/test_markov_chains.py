"""The chains kernel, first without its randomness, then with it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
from functools import partial

import numpy as np
import pytest
from internals.kernels import _chains_testing, _kernels
from kernel_sums import nothing_observed
from numpy.testing import assert_allclose, assert_array_equal
from reference import (
    log_sum,
    phis,
    problem_of,
    random_problem,
    spread_out,
    subsets,
)

from sklearn_dnfwinnow.samplers import Gibbs

LANES = _kernels.chains.CHAINS_AT_ONCE
LARGEST = 2**53 - 1
SAMPLERS = sorted(_kernels.chains.SAMPLERS)
# A transition is a description: another one takes no code of its own.
TRANSITIONS = {
    **_kernels.chains.SAMPLERS,
    "random-scan gibbs": {"random_site": True, "heat_bath": True},
}


# -- transition matrices, read from the kernel by scripted draws -----------------------


class Steps:
    """One sampler on one problem, stepped with scripted draws in all lanes."""

    def __init__(self, sampler, agreements, net_counts, alpha, beta, wide=False):
        self.transition = TRANSITIONS[sampler]
        self.problem = compressed = problem_of(agreements, net_counts)
        if wide:
            self.problem = spread_out(self.problem)
        self.alpha, self.n = alpha, compressed.n
        self.phis = phis(compressed.agreements, compressed.net_counts)
        self.log_odds = compressed.log_odds(np.log(beta))

    def target(self, alpha):
        """pi(S), from its definition."""
        weights = alpha**self.phis * np.exp(subsets(self.n) @ self.log_odds)
        return weights / weights.sum()

    def __call__(self, state, draws):
        """New states and phis (one a lane) from one state and draws (LANES, k)."""
        states = np.tile(np.asarray(state, dtype=np.uint8), (LANES, 1))
        new_phis = np.empty(LANES, dtype=np.int64)
        _chains_testing.take_step(
            problem=self.problem,
            log_alpha=np.log(self.alpha),
            log_odds=self.log_odds,
            kinds=np.arange(self.n),
            transition=self.transition,
            states=states,
            draws=np.ascontiguousarray(draws, dtype=np.uint64),
            phis=new_phis,
        )
        return states, new_phis

    def probability(self, state, before, j, column):
        """P(attribute j is constrained), by a search for the draw where it turns.

        `before` are the draws in front of the one searched, which is number `column`.
        """
        low, high = 0, LARGEST + 1  # constrained below low, free from high on
        width = max(self.n, 2)
        while low < high:
            probes = np.linspace(low, high - 1, LANES).astype(np.int64)
            draws = np.zeros((LANES, width), dtype=np.uint64)
            draws[:, :column] = before
            draws[:, column] = probes.astype(np.uint64) << np.uint64(11)
            constrained = self(state, draws)[0][:, j].astype(bool)
            assert not (np.diff(constrained.astype(int)) > 0).any()
            low = max([low, *(probes[constrained] + 1)])
            high = min([high, *probes[~constrained]])
        return low / 2**53

    def matrix(self):
        """Transition matrix of a step."""
        if self.transition["random_site"]:
            return self.site_matrices().mean(axis=0)
        return self.sweep_matrix()

    def sweep_matrix(self):
        """Transition matrix of a systematic sweep: a product along each path."""
        states = subsets(self.n)
        matrix = np.zeros((len(states), len(states)))
        for row, state in enumerate(states):
            known = {}
            for column, new in enumerate(states):
                weight, draws = 1.0, []
                for j in range(self.n):
                    path = tuple(new[:j])
                    if path not in known:
                        known[path] = self.probability(state, draws, j, j)
                    on = known[path]
                    weight *= on if new[j] else 1 - on
                    draws.append(0 if new[j] else LARGEST << 11)
                matrix[row, column] = weight
        return matrix

    def site_matrices(self):
        """Transition matrix of a random-site sampler for each site drawn."""
        states = subsets(self.n)
        index = {tuple(state): i for i, state in enumerate(states)}
        matrices = np.zeros((self.n, len(states), len(states)))
        for j, (row, state) in itertools.product(range(self.n), enumerate(states)):
            site = -(-(j << 32) // self.n) << 32
            on = self.probability(state, [site], j, 1)
            for value, weight in ((True, on), (False, 1 - on)):
                new = state.copy()
                new[j] = value
                matrices[j, row, index[tuple(new)]] += weight
        return matrices


PROBLEMS = {
    "small": (*random_problem(3, 5, seed=1), 1.5, 1.0),
    "prior": (*random_problem(4, 9, seed=2), 1.3, 0.25),
    "twins": (
        random_problem(3, 9, seed=12)[0][:, [0, 1, 1, 2, 1]],
        range(-4, 5),
        1.4,
        0.6,
    ),
    # More than one word of updates.
    "wide": (*random_problem(4, 12, seed=3), 1.1, 0.8, True),
    "one attribute": (np.array([[True], [False]]), [3, -1], 2.0, 1.0),
    "large exponents": (*random_problem(3, 6, seed=4, largest=40), 1.05, 1.5),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("sampler", TRANSITIONS)
def test_transitions_leave_the_target_invariant(sampler, name):
    agreements, net_counts, alpha, beta, *wide = PROBLEMS[name]
    steps = Steps(sampler, agreements, net_counts, alpha, beta, *wide)
    assert (steps.problem.columns.shape[1] > 1) == bool(wide)
    pi = steps.target(alpha)
    matrix = steps.matrix()
    if steps.transition["random_site"]:
        for site in [*steps.site_matrices(), matrix]:
            flow = pi[:, None] * site
            assert_allclose(flow, flow.T, atol=1e-15)  # detailed balance
    assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    assert_allclose(pi @ matrix, pi, atol=1e-12)
    # Irreducible and aperiodic: some power is positive everywhere.
    assert (np.linalg.matrix_power(matrix, 2 * steps.n + 2) > 0).all()
    # And not of any other target.
    wrong = steps.target(alpha * 1.1)
    assert np.abs(wrong @ matrix - wrong).max() > 1e-5


@pytest.mark.parametrize("n", [2, 5])
def test_metropolized_gibbs_moves_where_every_ratio_is_one(n):
    # As published the sweep turns each S into its complement and back, for ever.
    steps = Steps(
        "metropolized_gibbs", np.eye(n, dtype=bool), [1] * n, alpha=1 + 1e-12, beta=1.0
    )
    matrix = np.linalg.matrix_power(steps.sweep_matrix(), 200)
    assert_allclose(matrix, 1 / 2**n, atol=1e-3)


@pytest.mark.parametrize("sampler", TRANSITIONS)
def test_phi_is_kept_up_to_date(sampler):
    agreements, net_counts = random_problem(6, 150, seed=5)
    steps = Steps(sampler, agreements, net_counts, alpha=1.2, beta=0.7)
    table = dict(zip(map(tuple, subsets(6)), steps.phis))
    random = np.random.RandomState(0)
    for state in subsets(6):
        draws = random.randint(0, 2**63, size=(LANES, 6), dtype=np.uint64) << 1
        states, new_phis = steps(state, draws)
        expected = [table[tuple(new.astype(bool))] for new in states]
        assert_array_equal(new_phis, expected)


def test_swaps_are_in_detailed_balance():
    steps = Steps("gibbs", *random_problem(3, 5, seed=6), alpha=1.5, beta=1.0)
    phi, log_step = steps.phis, 0.07
    below, above = (
        steps.target(np.exp(3 * log_step)),
        steps.target(np.exp(4 * log_step)),
    )

    def accepted(s, t):
        probability = min(1.0, np.exp(log_step * (phi[s] - phi[t])))
        decide = partial(
            _chains_testing.decide_swap, int(phi[s]), int(phi[t]), log_step
        )
        assert decide(probability * (1 - 1e-12))
        if probability < 1:
            assert not decide(probability * (1 + 1e-12))
        return probability

    for s, t in itertools.product(range(len(phi)), repeat=2):
        forth = below[s] * above[t] * accepted(s, t)
        back = below[t] * above[s] * accepted(t, s)
        assert_allclose(forth, back, rtol=1e-12)


# -- random numbers --------------------------------------------------------------------


def test_generator_golden_values():
    # xoshiro256++ on a state from splitmix64, in Python integers.
    mask = 2**64 - 1

    def mix(x):
        x = (x + 0x9E3779B97F4A7C15) & mask
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & mask

    stream, expected = 20041, []
    s = [mix((stream + i * 0x9E3779B97F4A7C15) & mask) for i in range(4)]
    for _ in range(20):
        expected.append((rotate((s[0] + s[3]) & mask, 23) + s[0]) & mask)
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
    draws = np.empty(20, dtype=np.uint64)
    _chains_testing.draw_stream(stream, draws)
    assert draws.tolist() == expected
    # The first output of the reference splitmix64 at seed 0 (Steele, Lea & Flood).
    assert mix(0) == 0xE220A8397B1DCDAF


def climb(problem, transition, *, kernel=_kernels.chains, n_rungs, n_steps, **options):
    """What a ladder gives, with its traces."""
    n_samples = n_steps if transition["random_site"] else -(-n_steps // problem.n)
    observed = nothing_observed(n_rungs, n_samples)
    bound = kernel.climb(
        problem=problem,
        log_alpha=np.log(1.5),
        log_first=problem.n * np.log(2),
        transition=transition,
        log_threshold=np.nan,
        phi_min=problem.phi_low,
        phi_max=problem.phi_high,
        observed=observed,
        n_steps=n_steps,
        **options,
    )
    return bound, observed


# One word of updates has code of its own.
@pytest.mark.parametrize("n_examples", [40, 130])
@pytest.mark.parametrize("tempering", [False, True])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_every_level_gives_the_same_bits(sampler, tempering, n_examples):
    problem = problem_of(*random_problem(9, n_examples, seed=7))
    assert (problem.columns.shape[1] == 1) == (n_examples == 40)
    transition = _kernels.chains.SAMPLERS[sampler]
    sums = []
    for level in _kernels.levels():
        bound, observed = climb(
            problem,
            transition,
            kernel=_kernels.kernel("_chains", level),
            n_rungs=40,
            log_odds=np.log([0.9, 2.5]),
            kinds=np.arange(9) % 2,
            group_size=16,
            burn_in=81,
            n_steps=810,
            swap_probability=0.9 if tempering else 0.0,
            stream=99,
            guess=True,
        )
        sums.append((bound, observed.log_ratios.tolist(), observed.variances.tolist()))
        assert (observed.traces >= 0).all()
    assert all(other == sums[0] for other in sums)


def test_chains_do_not_depend_on_their_group():
    problem = problem_of(*random_problem(8, 40, seed=8))
    results = []
    for group_size in (1, 7, 16, 33):
        _, observed = climb(
            problem,
            _kernels.chains.SAMPLERS["gibbs"],
            n_rungs=33,
            log_odds=np.zeros(1),
            kinds=np.zeros(8, dtype=np.int64),
            group_size=group_size,
            burn_in=64,
            n_steps=640,
            swap_probability=0.0,
            stream=5,
            guess=False,
        )
        results.append((observed.log_ratios.tolist(), observed.variances.tolist()))
    assert all(other == results[0] for other in results)


# -- the optimized solution, on exact ratios -------------------------------------------


@pytest.mark.parametrize("scale", ["sum", "max", "range"])
@pytest.mark.parametrize("seed", range(8))
def test_early_stop_on_exact_ratios_gives_the_exact_answer(seed, scale):
    agreements, net_counts = random_problem(5, 8, seed=seed)
    problem = problem_of(agreements, net_counts)
    engine = Gibbs(ladder_scale=scale).engine()
    log_alpha = np.log(1.5)
    n_rungs = engine.n_rungs(problem, log_alpha)
    alphas = np.exp(np.linspace(0, log_alpha, n_rungs + 1))
    sums = [log_sum(agreements, net_counts, alpha, 0.5) for alpha in alphas]
    low, high = engine.phi_bounds(problem)
    phi = phis(agreements, net_counts)
    assert low <= phi.min() <= phi.max() <= high
    for offset in (-2, -0.3, -1e-6, 1e-6, 0.3, 2):
        threshold = sums[-1] + offset
        used = {}
        for guess in (False, True):
            answer, used[guess] = _chains_testing.stop_early(
                log_ratios=np.diff(sums),
                log_first=sums[0],
                log_alpha=log_alpha,
                phi_min=low,
                phi_max=high,
                log_threshold=threshold,
                guess=guess,
            )
            assert answer == (offset < 0)
        # A wrong guess is only found out at the end of the ladder.
        assert used[offset > 0] == n_rungs
        assert used[offset < 0] <= n_rungs
        if scale == "sum":
            # Theorem 7, which holds rounded down: |ln(W / theta)| chains are saved.
            assert used[offset < 0] <= n_rungs - np.floor(abs(offset))


def test_ladder_ends_on_alpha_in_steps_that_lemma_3_allows():
    problem = problem_of(*random_problem(6, 30, seed=9))
    for scale, m in {
        "sum": problem.n_promotions + problem.n_demotions,
        "max": max(problem.n_promotions, problem.n_demotions),
        "range": max(problem.phi_high, -problem.phi_low),
    }.items():
        for kappa in (0.5, 1.0, 4.0):
            engine = Gibbs(ladder_step=kappa, ladder_scale=scale).engine()
            n_rungs = engine.n_rungs(problem, np.log(1.5))
            assert 1.5 ** (1 / n_rungs) <= (1 + kappa / m) * (1 + 1e-12)
            assert n_rungs == 1 or 1.5 ** (1 / (n_rungs - 1)) > 1 + kappa / m


@pytest.mark.parametrize("step", [1e-9, 1e-300])
def test_a_ladder_of_too_many_chains_is_refused(step):
    problem = problem_of(*random_problem(6, 30, seed=9))
    engine = Gibbs(ladder_step=step).engine()
    with pytest.raises(ValueError, match=r"ladder_step=1e-.* at most 4194304"):
        engine.log_sum(problem, np.log(1.5), 0.0, stream=0)
