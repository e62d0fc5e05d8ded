"""Exact engines against the oracle and each other; the capped frontier's statistics."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from functools import partial

import numpy as np
import pytest
from internals.samplers import guesses
from kernel_sums import frontier_sums, superset_sum
from numpy.testing import assert_allclose
from reference import (
    CHAINS,
    hard_oracle,
    interrupt_after,
    log_sum,
    oracle,
    phis,
    problem_of,
    random_problem,
    subsets,
    sum_of,
)

from sklearn_dnfwinnow.samplers import SAMPLERS, Auto, Exact, Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

SIX_SIGMA = 6
# Factors that differ by more are kept as logarithms.
WIDEST = 600.0
# Sums that have no closed form, with their problem.
OPEN = [
    {**instance, "problem": problem_of(instance["agreements"], instance["net_counts"])}
    for instance in oracle() + hard_oracle()
]
OPEN = [i for i in OPEN if i["problem"].n and len(i["problem"].net_counts) > 1]
EASY = [instance for instance in OPEN if "edge/" in instance["name"]] + OPEN[::3]
DENSE = hard_oracle()[3]


# -- exact sums ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "instance", oracle() + hard_oracle(), ids=lambda instance: instance["name"]
)
def test_exact_equals_the_oracle(instance):
    expected = instance["log_weighted_sum"]
    exact = sum_of(instance, sampler="exact")
    assert exact.exact and exact.std_error == 0
    assert exact.sampler in ("superset", "frontier", "closed_form")
    assert_allclose(exact.log_value, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("logs", [False, True])
def test_frontier_equals_the_oracle_in_every_form(logs):
    n_tested = 0
    for i in EASY:
        span = (i["problem"].phi_high - i["problem"].phi_low) * np.log(i["alpha"])
        if logs or span < WIDEST:
            found, value = frontier_sums(
                i["problem"], i["alpha"], i["literal_weight"], logs=logs
            )
            expected = i["log_weighted_sum"]
            assert found.fits
            assert_allclose(value, expected, rtol=1e-9, atol=1e-9, err_msg=i["name"])
            n_tested += 1
    assert n_tested > 40


def test_superset_sum_equals_the_oracle():
    n_tested = 0
    for i in OPEN:
        problem = i["problem"]
        span = np.abs(problem.log_odds(np.log(i["literal_weight"]))).sum()
        n_powers = problem.phi_high - problem.phi_low
        if problem.n <= 16 and span <= WIDEST and n_powers <= 2**20:
            value = superset_sum(problem, i["alpha"], i["literal_weight"])
            expected = i["log_weighted_sum"]
            assert_allclose(value, expected, rtol=1e-9, atol=1e-9, err_msg=i["name"])
            n_tested += 1
    assert n_tested > 50


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("m", [40, 70, 130, 300])
@pytest.mark.parametrize("logs", [False, True])
def test_frontier_over_masks_of_any_width(m, logs):
    # One, two, and more words; with twins and free attributes.
    agreements, net_counts = random_problem(11, m, seed=m, density=0.8)
    agreements = np.column_stack([agreements, agreements[:, :2], np.ones(m, bool)])
    problem = problem_of(agreements, net_counts)
    assert problem.columns.shape[1] == -(-len(problem.net_counts) // 64)
    expected = log_sum(agreements, net_counts, 1.4, 0.7)
    _, value = frontier_sums(problem, 1.4, 0.7, logs=logs)
    assert_allclose(value, expected, rtol=1e-12)
    # A run that never stops to fold nor to sum the tail counts the same states.
    auto = log_weighted_sum(agreements, net_counts, alpha=1.4, literal_weight=0.7)
    assert_allclose(auto.log_value, expected, rtol=1e-12)


def test_wide_exponents():
    # Beyond 16 bits, and beyond what a table of powers is made for.
    agreements, net_counts = random_problem(8, 20, seed=1)
    for scale, alpha in [(10_000, 1.001), (10**7, 1 + 1e-8), (10**12, 1.5)]:
        expected = log_sum(agreements, net_counts * scale, alpha, 0.5)
        for sampler in ("exact", "frontier"):
            value = log_weighted_sum(
                agreements,
                net_counts * scale,
                alpha=alpha,
                literal_weight=0.5,
                sampler=sampler,
            )
            assert_allclose(value.log_value, expected, rtol=1e-12)


@pytest.mark.parametrize("beta", [1e-300, 1e-12, 1e-3, 1e6, 1e300])
def test_extreme_priors(beta):
    agreements, net_counts = random_problem(9, 30, seed=2)
    agreements = np.column_stack([agreements, agreements[:, :3]])
    expected = log_sum(agreements, net_counts, 1.5, beta)
    for sampler in ("exact", "frontier", "brute_force"):
        value = log_weighted_sum(
            agreements, net_counts, literal_weight=beta, sampler=sampler
        )
        assert_allclose(value.log_value, expected, rtol=1e-11)


def test_thousands_of_attributes():
    random = np.random.RandomState(0)
    agreements = random.random_sample((12, 5000)) < 0.6
    net_counts = random.randint(-9, 10, size=12)
    exact = log_weighted_sum(
        agreements, net_counts, literal_weight=1e-3, sampler="exact"
    )
    # Inclusion and exclusion over the updates: intersections are closed forms.
    chosen = subsets(12)
    factors = np.where(chosen, 1.5**net_counts - 1.0, 1.0).prod(axis=1)
    shared = [agreements[rows].all(axis=0).sum() for rows in chosen]
    terms = factors * np.exp(np.array(shared) * np.log1p(1e-3) - 5000 * np.log1p(1e-3))
    expected = 5000 * np.log1p(1e-3) + np.log(terms.sum())
    assert_allclose(exact.log_value, expected, rtol=1e-9)


# -- terms up to a size ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_limited_sums_equal_brute_force(seed):
    random = np.random.RandomState(seed)
    n, m = random.randint(2, 13), random.choice([1, 2, 9, 40, 150])
    agreements, net_counts = random_problem(n, m, seed, random.choice([0.4, 0.7, 0.9]))
    if seed % 3 == 0:
        # A free attribute, and a twin: their literals count all the same.
        agreements[:, 0], agreements[:, -1] = True, agreements[:, 1]
    alpha, beta = random.uniform(1.05, 3), random.uniform(0.1, 2)
    ways = set()
    for max_term_size in range(1, n + 2):
        expected = log_sum(agreements, net_counts, alpha, beta, max_term_size)
        for sampler in ("exact", "frontier", "auto", "brute_force"):
            value = log_weighted_sum(
                agreements,
                net_counts,
                alpha=alpha,
                literal_weight=beta,
                sampler=sampler,
                max_term_size=max_term_size,
            )
            assert value.exact
            # There is no density but over terms of any size.
            assert (value.density is None) == (max_term_size < n and m > 0)
            assert_allclose(value.log_value, expected, rtol=1e-12, atol=1e-12)
            ways.add(value.sampler)
    assert {"superset", "frontier", "brute_force"} <= ways


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("logs", [False, True])
@pytest.mark.parametrize("m", [3, 40, 100, 200])
def test_limited_sums_in_every_form(logs, m):
    # One, two, and more words.
    agreements, net_counts = random_problem(11, m, seed=m, density=0.8)
    problem = problem_of(agreements, net_counts, compress=False)
    for max_term_size in (1, 2, 3, 7, 11):
        expected = log_sum(agreements, net_counts, 1.4, 0.7, max_term_size)
        _, value = frontier_sums(
            problem, 1.4, 0.7, logs=logs, max_term_size=max_term_size
        )
        assert_allclose(value, expected, rtol=1e-12)
        value = superset_sum(problem, 1.4, 0.7, max_term_size=max_term_size)
        assert_allclose(value, expected, rtol=1e-12)


def test_limited_sums_of_many_attributes():
    # By the definition: the empty term, literals, pairs.
    agreements, net_counts = random_problem(300, 70, seed=1, density=0.6)
    inside = agreements.astype(int)
    literals = 1.5 ** (net_counts @ inside)
    shared = np.einsum("u,ui,uj->ij", net_counts, inside, inside)
    pairs = np.triu(1.5**shared, 1).sum()
    for beta in (1e-9, 0.5, 1e9):
        expected = np.log(
            1.5 ** net_counts.sum() + beta * literals.sum() + beta**2 * pairs
        )
        value = log_weighted_sum(
            agreements,
            net_counts,
            literal_weight=beta,
            sampler="exact",
            max_term_size=2,
        )
        assert value.n_states <= 300
        assert_allclose(value.log_value, expected, rtol=1e-12)


@pytest.mark.parametrize("beta", [1e-300, 1e-3, 1e6, 1e300])
@pytest.mark.parametrize("scale", [1, 3000])
def test_limited_sums_at_the_ends_of_floating_point(beta, scale):
    agreements, net_counts = random_problem(8, 20, seed=2)
    agreements[0], net_counts = False, scale * net_counts
    for max_term_size in (1, 3, 7):
        expected = log_sum(agreements, net_counts, 1.5, beta, max_term_size)
        for sampler in ("exact", "frontier"):
            value = log_weighted_sum(
                agreements,
                net_counts,
                literal_weight=beta,
                sampler=sampler,
                max_term_size=max_term_size,
            )
            assert_allclose(value.log_value, expected, rtol=1e-12)


def test_limited_sums_far_below_long_terms():
    # The longest term has a power of alpha beside which all others vanish.
    agreements = ~np.eye(7, dtype=bool)
    net_counts = np.full(7, -3000)
    expected = log_sum(agreements, net_counts, 1.5, 1.0, 3)
    assert expected < -1000
    for sampler in ("exact", "frontier"):
        value = log_weighted_sum(
            agreements, net_counts, sampler=sampler, max_term_size=3
        )
        assert_allclose(value.log_value, expected, rtol=1e-12)


def assert_unbiased(log_values, truth):
    """Estimates of a sum vary, and their mean is the sum, whose logarithm is given."""
    values = np.exp(log_values - truth)
    error = values.std(ddof=1) / np.sqrt(len(values))
    assert error > 1e-4
    assert abs(values.mean() - 1) < SIX_SIGMA * error


@pytest.mark.parametrize("case", ["logs", "wide", "one word"])
def test_limited_resampling_is_unbiased_in_every_form(case):
    m = 100 if case == "wide" else 40
    agreements, net_counts = random_problem(10, m, seed=7, density=0.8)
    problem = problem_of(agreements, net_counts, compress=False).fewest_first()
    truth = log_sum(agreements, net_counts, 1.5, 0.5, 4)
    found, log_values = frontier_sums(
        problem,
        alpha=1.5,
        beta=0.5,
        logs=case == "logs",
        max_term_size=4,
        max_states=20,
        stream=1,
        n_replicates=400,
    )
    assert not found.fits
    assert_unbiased(log_values, truth)


# -- compression -----------------------------------------------------------------------


def test_free_and_twin_attributes_do_not_change_any_sum():
    agreements, net_counts = random_problem(6, 30, seed=9)
    wide = agreements[:, [0, 1, 2, 2, 3, 3, 3, 4, 5]]
    wide = np.insert(wide, 4, True, axis=1)
    expected = log_sum(wide, net_counts, 1.5, 0.6)
    for sampler in ("exact", "frontier", "brute_force"):
        value = log_weighted_sum(wide, net_counts, literal_weight=0.6, sampler=sampler)
        assert_allclose(value.log_value, expected, rtol=1e-12)
    for name in CHAINS:
        value = log_weighted_sum(
            wide,
            net_counts,
            literal_weight=0.6,
            sampler=SAMPLERS[name](n_steps=100_000),
            random_state=0,
        )
        assert abs(value.log_value - expected) < SIX_SIGMA * value.std_error


# -- density ---------------------------------------------------------------------------


@pytest.mark.parametrize("sampler", ["exact", "frontier", "brute_force"])
def test_density_of_states(sampler):
    agreements, net_counts = random_problem(9, 30, seed=4)
    phi = phis(agreements, net_counts)
    beta = 0.3 ** subsets(9).sum(axis=1)
    exact = log_weighted_sum(
        agreements, net_counts, literal_weight=0.3, sampler=sampler
    )
    assert list(exact.density) == sorted(set(phi))
    for k, log_weight in exact.density.items():
        assert_allclose(log_weight, np.log(beta[phi == k].sum()), rtol=1e-9, atol=1e-9)
    # W at every alpha from one run.
    for alpha in (1.01, 1.5, 7.0):
        value = np.logaddexp.reduce(
            [k * np.log(alpha) + v for k, v in exact.density.items()]
        )
        assert_allclose(value, log_sum(agreements, net_counts, alpha, 0.3), rtol=1e-12)
    assert pickle.loads(pickle.dumps(exact)).density == exact.density


def test_estimates_have_no_density():
    estimate = sum_of(DENSE, sampler=Frontier(max_states=100))
    assert not estimate.exact and estimate.density is None


# -- the capped frontier ---------------------------------------------------------------


@pytest.mark.parametrize("case", ["logs", "wide", "one word"])
def test_resampling_is_unbiased_in_every_form(case):
    m = 100 if case == "wide" else 40
    agreements, net_counts = random_problem(10, m, seed=7, density=0.8)
    problem = problem_of(agreements, net_counts)
    truth = log_sum(agreements, net_counts, 1.5, 0.5)
    ahead, _ = guesses(problem, np.log(1.5), np.log(0.5), 5)
    n_guesses = ahead.log_odds.shape[1]
    assert ahead.agreeing.shape == (problem.n + 1, len(problem.net_counts), n_guesses)
    found, log_values = frontier_sums(
        problem,
        alpha=1.5,
        beta=0.5,
        logs=case == "logs",
        max_states=30,
        stream=1,
        guesses=ahead,
        n_replicates=400,
    )
    assert not found.fits
    assert_unbiased(log_values, truth)


@pytest.mark.parametrize("n", [1, 3, 5, 7])
def test_sums_far_below_one_do_not_vanish(n):
    # Every term has been demoted thousands of times.
    agreements = ~np.eye(n + 1, dtype=bool)
    agreements[0] = True
    net_counts = np.full(n + 1, -3000)
    expected = log_sum(agreements, net_counts, 1.5, 1.0)
    assert expected < -1000
    value = log_weighted_sum(agreements, net_counts, sampler="exact").log_value
    assert_allclose(value, expected, rtol=1e-12)


def test_guesses_find_planted_weight():
    # All weight on terms that 30 promoted updates share, improbable a priori: without
    # the pilot a frontier of this size sees nothing of it.
    random = np.random.RandomState(0)
    agreements = random.random_sample((60, 40)) < 0.6
    agreements[:30, :18] = True
    net_counts = np.where(np.arange(60) < 30, 3, -1)
    exact = log_weighted_sum(agreements, net_counts)
    capped = partial(
        log_weighted_sum, agreements, net_counts, sampler=Frontier(max_states=200)
    )
    assert exact.log_value > 41 * np.log(2) + 1
    estimate = capped(random_state=0)
    assert not estimate.exact
    assert abs(estimate.log_value - exact.log_value) < 0.05


def test_capped_sums_are_a_function_of_their_arguments():
    auto = Auto(max_states=500)
    first = sum_of(DENSE, sampler=auto, random_state=3)
    assert first == sum_of(DENSE, sampler=auto, random_state=3)
    assert first != sum_of(DENSE, sampler=auto, random_state=4)
    one = sum_of(DENSE, sampler=auto.set_params(n_replicates=1), random_state=3)
    assert one.std_error == np.inf


# -- budgets ---------------------------------------------------------------------------


def test_exact_says_what_budget_it_would_need():
    message = r"max_states=5000 with \d+ of 40 features left.*about 2\*\*\d+"
    with pytest.raises(ValueError, match=message):
        sum_of(DENSE, sampler=Exact(max_states=5000))


@pytest.mark.slow
def test_exact_says_so_of_thousands_of_attributes_too():
    agreements, net_counts = random_problem(3000, 200, seed=0, density=0.5)
    with pytest.raises(ValueError, match=r"with \d+ of 3000 features left"):
        log_weighted_sum(agreements, net_counts, sampler=Exact(max_states=100))
    auto = Auto(max_states=100)
    estimate = log_weighted_sum(
        agreements, net_counts, literal_weight=1e-3, sampler=auto, random_state=0
    )
    assert np.isfinite(estimate.log_value)


def test_auto_is_exact_where_the_budget_allows_it():
    for instance in OPEN[::5]:
        auto = sum_of(instance, sampler=Auto(max_states=10**6))
        assert auto.exact == (auto.n_replicates == 0)
        expected = instance["log_weighted_sum"]
        assert_allclose(auto.log_value, expected, rtol=1e-9, atol=1e-9)
    assert not sum_of(DENSE, sampler="auto").exact


def test_every_budget_gives_the_sum():
    # Folding may bring the states back under a budget that they exceeded for a while.
    agreements, net_counts = random_problem(14, 60, seed=3, density=0.8)
    truth = log_sum(agreements, net_counts, 1.5, 1.0)
    n_exact = 0
    for max_states in [*range(1, 20), *range(20, 1500, 10)]:
        weighted_sum = log_weighted_sum(
            agreements,
            net_counts,
            sampler=Frontier(max_states=max_states),
            random_state=0,
        )
        error = abs(weighted_sum.log_value - truth)
        assert error < (1e-9 if weighted_sum.exact else 1.0), max_states
        assert weighted_sum.n_states <= 2 * max_states
        n_exact += weighted_sum.exact
    assert 10 < n_exact < 150


def test_superset_takes_over_where_the_frontier_has_too_many_states():
    agreements, net_counts = random_problem(17, 4000, seed=0, density=0.85)
    for sampler in (Auto(max_states=100), Exact(max_states=100)):
        weighted_sum = log_weighted_sum(agreements, net_counts, sampler=sampler)
        assert weighted_sum.exact and weighted_sum.sampler == "superset"
    frontier = log_weighted_sum(
        agreements, net_counts, sampler=Frontier(max_states=10**6)
    )
    assert frontier.exact and frontier.sampler == "frontier"
    assert_allclose(frontier.log_value, weighted_sum.log_value, rtol=1e-12)


@pytest.mark.slow
def test_a_long_frontier_can_be_interrupted():
    agreements, net_counts = random_problem(200, 400, seed=0, density=0.9)

    with pytest.raises(KeyboardInterrupt), interrupt_after(0.5):
        log_weighted_sum(
            agreements,
            net_counts,
            sampler=Frontier(max_states=100_000, n_replicates=10**6),
        )
