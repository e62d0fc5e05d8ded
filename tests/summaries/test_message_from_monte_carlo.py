"""Message from Monte Carlo: by hand, by brute force, by another reading of the text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from itertools import combinations
from math import exp, fsum, log

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_dnfwinnow.summaries import MonteCarloMessage, message_from_monte_carlo

SEARCHES = "exhaustive", "sequential"
searches = pytest.mark.parametrize("search", SEARCHES)


def normal_draws(n_draws, n_parameters, seed):
    """Log likelihoods and divergences of draws of the mean of normal data."""
    draws = np.random.default_rng(seed).standard_normal((n_draws, n_parameters))
    differences = draws[:, None] - draws
    return -0.5 * (draws**2).sum(axis=1), 0.5 * (differences**2).sum(axis=2)


def random_sample(seed, n_draws=7):
    """A sample without geometry: divergences that are not symmetric, ties, infinity."""
    random = np.random.default_rng(seed)
    log_likelihoods = random.exponential(random.choice([0.5, 2.0, 5.0]), n_draws)
    divergences = random.exponential(random.choice([0.5, 1.0, 3.0]), (n_draws,) * 2)
    if seed % 3 == 0:
        divergences = np.round(divergences * 2) / 2
    if seed % 4 == 0:
        divergences[random.random(divergences.shape) < 0.2] = np.inf
    np.fill_diagonal(divergences, 0.0)
    return -log_likelihoods, divergences


def message_length(region, log_likelihoods):
    """Equations 3 and 4, term by term."""
    u = [exp(-value) for value in log_likelihoods]
    of_region = fsum(u[i] for i in region)
    first_part = -log(of_region / fsum(u))
    return first_part + fsum(-u[i] * log_likelihoods[i] for i in region) / of_region


def mean_divergence(region, centre, log_likelihoods, divergences):
    u = {i: exp(-log_likelihoods[i]) for i in region}
    return fsum(u[i] * divergences[i, centre] for i in region) / fsum(u.values())


def as_sets(message):
    return {frozenset(region.tolist()) for region in message.regions}


def quiet(*args, **kwargs):
    """A message without the warning of small regions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return message_from_monte_carlo(*args, **kwargs)


# -- what it comes to ------------------------------------------------------------------


@searches
def test_two_groups_by_hand(search):
    # Draws 0, 2 and 4 are alike, and so are 1 and 3; all likelihoods are 1.
    apart = np.abs(np.subtract.outer(np.arange(5) % 2, np.arange(5) % 2)) * 9.0
    message = message_from_monte_carlo(np.zeros(5), apart, search=search)
    assert [region.tolist() for region in message.regions] == [[0, 2, 4], [1, 3]]
    assert message.representatives.tolist() == [0, 1]
    # The name of a region of m of 5 draws takes log(5 / m) nats, the data none.
    assert_allclose(message.lengths, np.log([5 / 3, 5 / 2]))
    assert_allclose(message.weights, [3 / 5, 2 / 5])
    assert_allclose(message.divergences, 0.0)
    assert repr(message) == (
        "<MonteCarloMessage: 5 draws in 2 regions; draw 0 stands for 3, weight 0.60>"
    )


@searches
def test_boundary_of_likelihoods_by_hand(search):
    # Equal models. Of weights 1 and exp(a), the mean loss is a exp(a) / (1 + exp(a)).
    # The draw of loss a + b is in as long as b is at most 1 - a / (1 + exp(a)).
    a = 0.5
    limit = 1.0 - a / (1.0 + exp(a))
    for b, n_regions in (limit - 1e-3, 1), (limit + 1e-3, 2):
        losses = np.array([0.0, a, a + b])
        message = message_from_monte_carlo(-losses, np.zeros((3, 3)), search=search)
        if search == "sequential":
            assert len(message.regions) == n_regions
        # The exhaustive search goes by the length itself, of which the boundary rule is
        # the limit for many draws.
        lengths = [message_length(range(m), -losses) for m in (1, 2, 3)]
        if search == "exhaustive":
            assert len(message.regions[0]) == 1 + np.argmin(lengths)


@searches
def test_a_better_member_becomes_the_representative(search):
    # The likeliest draw is at the end of the row.
    places = np.array([0.0, 1.0, 2.0])
    apart = 0.4 * np.subtract.outer(places, places) ** 2
    message = message_from_monte_carlo([0.0, -0.1, -0.2], apart, search=search)
    assert len(message.regions) == 1
    assert message.representatives[0] == 1
    u = np.exp([0.0, 0.1, 0.2])
    assert_allclose(message.divergences, 0.4 * (u[0] + u[2]) / u.sum())


@searches
@pytest.mark.parametrize("n_parameters", [1, 3, 6])
def test_lengths_are_those_of_the_text(search, n_parameters):
    log_likelihoods, divergences = normal_draws(60, n_parameters, seed=n_parameters)
    log_likelihoods -= 3.7
    message = quiet(log_likelihoods, divergences, search=search)
    expected = [message_length(region, log_likelihoods) for region in message.regions]
    assert_allclose(message.lengths, expected, rtol=1e-12)
    assert (np.diff(message.lengths) >= -1e-12).all()
    assert_allclose(message.weights.sum(), 1.0)
    assert_allclose(
        message.weights, np.exp(-message.lengths) / np.exp(-message.lengths).sum()
    )
    means = [
        mean_divergence(region, representative, log_likelihoods, divergences)
        for region, representative in zip(message.regions, message.representatives)
    ]
    assert_allclose(message.divergences, means, atol=1e-12)


@searches
@pytest.mark.parametrize("seed", range(20))
def test_each_draw_is_in_one_region_with_its_representative(search, seed):
    message = quiet(*random_sample(seed, n_draws=30), search=search)
    assert isinstance(message, MonteCarloMessage)
    assert_array_equal(np.sort(np.concatenate(message.regions)), np.arange(30))
    for region, representative in zip(message.regions, message.representatives):
        assert representative in region
        assert (np.diff(region) > 0).all()


# -- brute force -----------------------------------------------------------------------


def valid_sets(candidates, log_likelihoods, divergences):
    """All sets of candidates that are as equation 7 says, around some member."""
    for size in range(1, len(candidates) + 1):
        for found in combinations(candidates, size):
            for centre in found:
                with np.errstate(invalid="ignore"):
                    mean = mean_divergence(found, centre, log_likelihoods, divergences)
                if not np.isfinite(mean):
                    continue
                near = {i for i in candidates if divergences[i, centre] <= mean + 1}
                if near == set(found):
                    yield found


@pytest.mark.parametrize("seed", range(120))
def test_exhaustive_search_finds_the_shortest_message_of_all_sets(seed):
    log_likelihoods, divergences = random_sample(seed)
    message = quiet(log_likelihoods, divergences)
    # In the order of search: regions start with the likeliest free draw.
    left = as_sets(message)
    free = sorted(range(len(log_likelihoods)), key=lambda i: -log_likelihoods[i])
    while free:
        lengths = [
            message_length(free[: m + 1], log_likelihoods) for m in range(len(free))
        ]
        candidates = free[: 1 + int(np.argmin(lengths))]
        best = min(
            message_length(found, log_likelihoods)
            for found in valid_sets(candidates, log_likelihoods, divergences)
        )
        as_good = [
            frozenset(found)
            for found in valid_sets(candidates, log_likelihoods, divergences)
            if message_length(found, log_likelihoods) < best + 1e-12
        ]
        region = next(found for found in as_good if found in left)
        left.remove(region)
        free = [i for i in free if i not in region]
    assert not left
    for region, representative in zip(message.regions, message.representatives):
        means = [
            mean_divergence(region, i, log_likelihoods, divergences) for i in region
        ]
        own = mean_divergence(region, representative, log_likelihoods, divergences)
        assert own <= np.nanmin(means) + 1e-12


def by_the_text(log_likelihoods, divergences):
    """Regions and representatives: the description of section 2, with plain sums."""
    loss = [-value for value in log_likelihoods]

    def u_mean(Q, values):
        u = [exp(loss[i]) for i in Q]
        return fsum(u[k] * values[i] for k, i in enumerate(Q)) / fsum(u)

    def consider(i, Q, estimate):
        if divergences[i, estimate] > u_mean(Q, divergences[:, estimate]) + 1:
            return estimate
        Q.append(i)
        ours, theirs = (u_mean(Q, divergences[:, e]) for e in (i, estimate))
        return i if ours < theirs else estimate

    unallocated = sorted(range(len(loss)), key=loss.__getitem__)
    found = []
    while unallocated:
        Q, estimate = [unallocated[0]], unallocated[0]
        passed = []
        for i in unallocated[1:]:
            if loss[i] > u_mean(Q, loss) + 1:
                break
            estimate = consider(i, Q, estimate)
            if i not in Q:
                passed.append(i)
        for i in passed:
            estimate = consider(i, Q, estimate)
        unallocated = [i for i in unallocated if i not in Q]
        found.append((frozenset(Q), estimate))
    return set(found)


@pytest.mark.parametrize("n_parameters", [1, 2, 4, 6, 9])
@pytest.mark.parametrize("seed", range(4))
def test_sequential_search_is_as_the_text_says(n_parameters, seed):
    sample = normal_draws(80, n_parameters, seed)
    message = quiet(*sample, search="sequential")
    found = {
        (frozenset(region.tolist()), int(representative))
        for region, representative in zip(message.regions, message.representatives)
    }
    assert found == by_the_text(*sample)


@pytest.mark.parametrize("seed", range(60))
def test_sequential_search_without_geometry(seed):
    sample = random_sample(seed, n_draws=12)
    message = quiet(*sample, search="sequential")
    assert as_sets(message) == {region for region, _ in by_the_text(*sample)}


# -- what makes no difference ----------------------------------------------------------


@searches
@pytest.mark.parametrize("n_parameters", [1, 4, 10])
def test_order_of_draws_makes_no_difference(search, n_parameters):
    log_likelihoods, divergences = normal_draws(150, n_parameters, seed=0)
    order = np.random.default_rng(1).permutation(150)
    first = quiet(log_likelihoods, divergences, search=search)
    second = quiet(
        log_likelihoods[order], divergences[np.ix_(order, order)], search=search
    )
    renumbered = {frozenset(order[region].tolist()) for region in second.regions}
    assert renumbered == as_sets(first)
    assert_array_equal(
        np.sort(order[second.representatives]), np.sort(first.representatives)
    )
    assert_allclose(second.lengths, first.lengths)


@searches
@pytest.mark.parametrize("constant", [-(2.0**20), 2.0**9, 2.0**20])
def test_scale_of_likelihoods_makes_no_difference(search, constant):
    log_likelihoods, divergences = normal_draws(150, 3, seed=2)
    log_likelihoods = np.round(log_likelihoods * 2.0**20) / 2.0**20  # exact sums
    first = quiet(log_likelihoods, divergences, search=search)
    second = quiet(log_likelihoods + constant, divergences, search=search)
    assert all(map(np.array_equal, first.regions, second.regions))
    assert_array_equal(first.representatives, second.representatives)
    assert_array_equal(first.weights, second.weights)
    assert_allclose(second.lengths, first.lengths - constant)


@searches
def test_matrix_and_callable_are_alike(search):
    log_likelihoods, divergences = normal_draws(100, 3, seed=3)
    kept = divergences.copy()
    calls = []

    def divergence(draws, representative):
        assert draws.dtype == np.int64 and type(representative) is int
        calls.append(len(draws))
        return divergences[draws, representative].tolist()

    one = quiet(log_likelihoods, divergences, search=search)
    other = quiet(log_likelihoods, divergence, search=search)
    assert all(map(np.array_equal, one.regions, other.regions))
    assert_array_equal(one.representatives, other.representatives)
    assert_array_equal(one.lengths, other.lengths)
    assert calls
    assert_array_equal(divergences, kept)
    as_frames = quiet(
        pd.Series(log_likelihoods), pd.DataFrame(divergences), search=search
    )
    assert all(map(np.array_equal, one.regions, as_frames.regions))


# -- degenerate samples ----------------------------------------------------------------


@searches
def test_one_draw(search):
    message = message_from_monte_carlo([-3.5], [[0.0]], search=search)
    assert [region.tolist() for region in message.regions] == [[0]]
    assert_allclose(message.lengths, 3.5)  # the first part is empty
    assert message.weights.tolist() == [1.0]


@searches
def test_equal_draws(search):
    message = message_from_monte_carlo(
        np.full(50, -12.0), np.zeros((50, 50)), search=search
    )
    assert [len(region) for region in message.regions] == [50]
    assert message.representatives.tolist() == [0]
    assert_allclose(message.lengths, 12.0)


@searches
def test_infinite_divergences_keep_draws_apart(search):
    group = np.arange(40) % 2
    apart = np.where(np.equal.outer(group, group), 0.0, np.inf)
    log_likelihoods = -np.linspace(0.0, 1.0, 40)
    message = message_from_monte_carlo(log_likelihoods, apart, search=search)
    assert as_sets(message) == {
        frozenset(range(0, 40, 2)),
        frozenset(range(1, 40, 2)),
    }


@searches
@pytest.mark.parametrize("range_", [1e3, 1e5, 1e300])
def test_wide_ranges_of_likelihoods(search, range_):
    log_likelihoods, divergences = normal_draws(60, 2, seed=6)
    log_likelihoods = np.append(log_likelihoods, [-range_, -range_ / 2, -0.9 * range_])
    divergences = np.pad(divergences, (0, 3))
    with np.errstate(all="raise", under="ignore"):
        message = quiet(log_likelihoods, divergences, search=search)
    assert frozenset({60}) in as_sets(message)
    assert np.isfinite(message.lengths).all()
    assert_allclose(message.weights.sum(), 1.0)


@searches
@pytest.mark.parametrize("n_draws, warns", [(1, False), (20, False), (21, True)])
def test_warning_where_no_draw_stands_for_many(search, n_draws, warns):
    apart = np.where(np.eye(n_draws, dtype=bool), 0.0, np.inf)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        message_from_monte_carlo(np.zeros(n_draws), apart, search=search)
    assert len(caught) == warns
    if warns:
        assert caught[0].filename == __file__
        assert "The best region contains 1 of 21 draws" in str(caught[0].message)


# -- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "log_likelihoods, error",
    [
        ([], "minimum of 1 is required"),
        (0.5, "'log_likelihoods' parameter"),
        ([[0.0, 1.0]], r"must be of shape .* got \(1, 2\)"),
        ([0.0, np.nan], "Input log_likelihoods contains NaN"),
        ([0.0, np.inf], "Input log_likelihoods contains infinity"),
        ([0.0, -np.inf], "Input log_likelihoods contains infinity"),
        (["a", "b"], "could not convert string to float"),
        (np.array([0.0, 1j]), "Complex data not supported"),
    ],
)
def test_errors_of_log_likelihoods(log_likelihoods, error):
    with pytest.raises(ValueError, match=error):
        message_from_monte_carlo(log_likelihoods, np.zeros((2, 2)))


@searches
@pytest.mark.parametrize("value", [np.nan, -0.1, -np.inf])
@pytest.mark.parametrize("as_callable", [False, True])
def test_errors_of_divergences(search, value, as_callable):
    divergences = np.ones((3, 3)) - np.eye(3)
    divergences[2, 0] = value
    expected = "a number" if np.isnan(value) else "0 or more"
    passed = (lambda i, j: divergences[i, j]) if as_callable else divergences
    with pytest.raises(
        ValueError, match=f"divergence of draw 0 from draw 2 must be {expected}"
    ):
        message_from_monte_carlo(np.zeros(3), passed, search=search)


@searches
@pytest.mark.parametrize("as_callable", [False, True])
def test_a_draw_is_at_distance_0_from_itself(search, as_callable):
    divergences = np.full((3, 3), 0.5)
    passed = (lambda i, j: divergences[i, j]) if as_callable else divergences
    with pytest.raises(ValueError, match="must be 0, because it is the same draw"):
        message_from_monte_carlo(np.zeros(3), passed, search=search)
    # But for rounding.
    divergences = np.full((3, 3), -1e-9)
    message = message_from_monte_carlo(np.zeros(3), divergences, search=search)
    assert len(message.regions) == 1


def test_errors_of_shapes_and_names():
    with pytest.raises(
        ValueError, match=r"shape \(3, 3\), for 3 log_like.*got shape \(2, 3\)"
    ):
        message_from_monte_carlo(np.zeros(3), np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"shape \(3, 3\), for 3 .* got shape \(3,\)"):
        message_from_monte_carlo(np.zeros(3), lambda draws, representative: 0.0)
    with pytest.raises(ValueError, match="'search' parameter"):
        message_from_monte_carlo(np.zeros(3), np.zeros((3, 3)), search="greedy")
    with pytest.raises(ValueError, match="'divergence' parameter"):
        message_from_monte_carlo(np.zeros(3), None)


# -- dimensions ------------------------------------------------------------------------
