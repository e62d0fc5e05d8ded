"""Convergence of chains: R-hat, effective sample sizes, autocorrelation times."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.utils import autocorrelation_times, effective_sample_size, r_hat
from numpy.testing import assert_allclose, assert_array_equal

MEASURES = r_hat, effective_sample_size


def autoregressive(seed, shape, rho):
    """Draws of shape (..., n_draws), each N(0, 1), with autocorrelation rho^lag."""
    random = np.random.RandomState(seed)
    series = random.randn(*shape)
    for t in range(1, shape[-1]):
        series[..., t] *= np.sqrt(1 - rho**2)
        series[..., t] += rho * series[..., t - 1]
    return series


def laws(seed, shape):
    """Draws of many kinds, (n_chains, n_draws) each."""
    random = np.random.RandomState(seed)
    yield autoregressive(seed, shape, 0.0)
    yield autoregressive(seed, shape, 0.9)
    yield autoregressive(seed, shape, -0.7)
    yield random.standard_cauchy(shape)
    # Ties.
    yield random.randint(3, size=shape).astype(float)
    yield np.exp(random.randn(*shape)).astype(np.float32)
    # Chains apart, in place and in width; a trend; a walk.
    yield random.randn(*shape) + np.arange(shape[0])[:, np.newaxis]
    yield random.randn(*shape) * np.arange(1, 1 + shape[0])[:, np.newaxis]
    yield random.randn(*shape) + np.linspace(0, 3, shape[1])
    yield random.randn(*shape).cumsum(axis=1)


@pytest.mark.parametrize("shape", [(4, 500), (2, 41), (4, 40), (1, 1000), (8, 4)])
def test_measures_are_those_of_arviz(shape, global_random_seed):
    arviz = pytest.importorskip("arviz")
    for draws in laws(global_random_seed, shape):
        # Distances from a median of float32 have ties of their own there.
        exact = draws.astype(np.float64)
        expected = arviz.ess(exact, method="bulk")
        assert_allclose(effective_sample_size(draws), expected, rtol=1e-6)
        # Only ours takes one chain for its two halves.
        if len(draws) > 1:
            assert_allclose(r_hat(draws), arviz.rhat(exact), rtol=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_series_have_the_shape_of_what_follows_and_do_not_touch(measure):
    draws = np.moveaxis(autoregressive(0, (3, 2, 4, 50), 0.5), (0, 1), (2, 3))
    draws[:, :, 1, 1] = 7.0
    draws[2, 3, 0, 1] = np.nan
    found = measure(draws)
    assert found.shape == (3, 2)
    assert_array_equal(np.isnan(found), [[False, True], [False, True], [False, False]])
    # Not even in the last bit, whatever else is there.
    for place in np.ndindex(found.shape):
        assert_array_equal(measure(draws[:, :, *place]), found[place])
    assert measure(draws[..., :0]).shape == (3, 0)
    assert measure(draws[..., 0, 0]).shape == ()


@pytest.mark.parametrize("rho", [-0.3, 0.0, 0.5, 0.9])
def test_effective_sample_size_of_a_known_process(rho):
    draws = np.moveaxis(autoregressive(0, (200, 4, 1000), rho), 0, -1)
    sizes = effective_sample_size(draws)
    expected = 4000 * (1 - rho) / (1 + rho)
    assert abs(np.median(sizes) / expected - 1) < 0.05
    measured = r_hat(draws)
    assert 0.99 < measured.min() and np.median(measured) < 1.02


def test_a_chain_that_is_elsewhere_raises_r_hat():
    draws = autoregressive(0, (4, 1000), 0.3)
    assert r_hat(draws) < 1.01
    elsewhere, wider, moving = (draws.copy() for _ in range(3))
    elsewhere[3] += 3.0
    wider[3] *= 4.0
    moving += np.linspace(0, 3, 1000)
    for changed in (elsewhere, wider, moving):
        assert r_hat(changed) > 1.1
    assert effective_sample_size(elsewhere) < 20
    # Of a chain that is stuck elsewhere, as well; and ranks have no outliers.
    stuck = draws.copy()
    stuck[3] = 1e300
    assert r_hat(stuck) > 1.1


def test_a_monotone_transformation_changes_nothing():
    draws = autoregressive(0, (4, 200), 0.5)
    assert_array_equal(
        effective_sample_size(np.exp(draws)), effective_sample_size(draws)
    )


# Means of some numbers of equal scores are off by a rounding.
@pytest.mark.parametrize("n_draws", [14, 20, 50, 98])
def test_chains_with_a_value_each_could_not_disagree_more(n_draws):
    draws = np.full((4, n_draws, 2), 0.1)
    draws[..., 1] = [[0.1], [0.2], [0.3], [0.7]]
    assert_array_equal(r_hat(draws), [np.nan, np.inf])
    sizes = effective_sample_size(draws)
    assert np.isnan(sizes[0]) and sizes[1] < 10


def test_draws_that_say_nothing():
    for measure in MEASURES:
        assert np.isnan(measure(np.random.RandomState(0).randn(4, 3)))
        for value in (np.nan, np.inf, -np.inf):
            draws = autoregressive(0, (4, 50), 0.0)
            draws[1, 2] = value
            assert np.isnan(measure(draws))


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_autocorrelation_time_of_a_known_process(rho):
    times = autocorrelation_times(autoregressive(0, (20, 20_000), rho))
    expected = (1 + rho) / (1 - rho)
    error = times.std(ddof=1) / np.sqrt(len(times))
    # What the window cuts off is a bias of exp(-5) or so; times are never below 1.
    assert abs(times.mean() - expected) < 6 * error + 0.02 * expected
    assert abs(times.mean() - 1.5 * expected) > 6 * error + 0.02 * expected


def test_a_series_that_never_changes_has_no_autocorrelation_time():
    assert np.isnan(autocorrelation_times(np.ones((2, 50)))).all()
