"""Polya-Gamma draws: moments, transforms and laws, against closed forms and sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.kernels import polya_gamma
from scipy.stats import chisquare, invgauss, ks_2samp, kstest

SHAPES = [0.3, 1.0, 2.7, 20.0, 100.0]
# Of sums of gamma variables, and of the inverse Gaussian law.
TILTS = [0.0, 0.5, 3.0, 5.9, 6.1, 30.0, 300.0]
# Where one form of the series takes over from the other, for 4 PG(1, z).
CUT = 0.5625


def draws(shape, tilt, n, seed=0):
    found = np.empty(n)
    polya_gamma.polya_gamma(
        shapes=np.full(n, shape),
        tilts=np.full(n, tilt),
        draws=found,
        bit_generator=np.random.PCG64([seed, int(10 * shape), int(10 * abs(tilt))]),
    )
    return found


def summed(shape, tilt, n, seed=0, n_terms=400):
    """Draw sums of many gamma variables, with the mean of what is left out."""
    squares = (np.arange(n_terms) + 0.5) ** 2 + (tilt / (2 * np.pi)) ** 2
    gammas = np.random.default_rng(seed + 1).standard_gamma(shape, (n, n_terms))
    sums = (gammas / squares).sum(axis=1) / (2 * np.pi**2)
    return sums + mean(shape, tilt) - shape * (1 / squares).sum() / (2 * np.pi**2)


def mean(b, z):
    return b * (np.tanh(z / 2) / (2 * z) if z else 0.25)


def variance(b, z):
    t = np.tanh(z / 2)
    return b * ((2 * t - z * (1 - t * t)) / (4 * z**3) if z else 1 / 24)


def transform(b, z, s):
    """Return the Laplace transform, the mean of exp(-s x)."""
    return (np.cosh(z / 2) / np.cosh(np.sqrt(z * z + 2 * s) / 2)) ** b


def far_from(sample, expected):
    """Return how many standard errors the mean of a sample is from the truth."""
    return (sample.mean() - expected) / (sample.std() / np.sqrt(len(sample)))


def deviations(sample, b, z):
    """Return how far mean, variance and transform are, in standard errors."""
    squares = (sample - mean(b, z)) ** 2
    s = 1 / mean(b, z)
    return np.abs(
        [
            far_from(sample, mean(b, z)),
            far_from(squares, variance(b, z)),
            far_from(np.exp(-s * sample), transform(b, z, s)),
        ]
    )


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_moments_and_transform(shape, tilt, global_random_seed):
    n = 200_000 if shape == 1 else 40_000
    sample = draws(shape, tilt, n, global_random_seed)
    assert (deviations(sample, shape, tilt) < 6).all()


def test_wrong_draws_are_found():
    sample = draws(1.0, 0.5, 200_000)
    assert deviations(sample * 1.02, 1.0, 0.5).max() > 6
    assert deviations(draws(1.0, 0.7, 200_000), 1.0, 0.5).max() > 6
    assert deviations(draws(0.98, 0.5, 200_000), 1.0, 0.5).max() > 6


def cdf(tilt):
    """Return the cdf of 4 PG(1, tilt) on a grid, from 20 terms of its series."""
    x = np.linspace(1e-4, 12, 120_001)
    odd = 2 * np.arange(20)[:, None] + 1
    signed = (-1.0) ** np.arange(20)[:, None] * odd
    low = (signed * np.exp(-(odd**2) / (2 * x))).sum(axis=0)
    high = (signed * np.exp(-(odd**2) * np.pi**2 * x / 8)).sum(axis=0)
    density = np.exp(-(tilt**2) * x / 8) * np.where(
        x < CUT, np.sqrt(2 / (np.pi * x**3)) * low, np.pi / 2 * high
    )
    sums = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return x, sums / sums[-1]


@pytest.mark.parametrize("tilt", [0.4, 2.2, 5.9, 6.1])
def test_density_is_the_series(tilt, global_random_seed):
    x, probabilities = cdf(tilt)
    edges = np.interp(np.arange(1, 60) / 60, probabilities, x)
    sample = 4 * draws(1.0, tilt, 500_000, global_random_seed)
    observed = np.bincount(np.searchsorted(edges, sample), minlength=60)
    assert chisquare(observed).pvalue > 1e-6


@pytest.mark.parametrize("tilt", TILTS[::2])
@pytest.mark.parametrize("shape", [0.3, 1.0, 2.7])
def test_law_is_that_of_the_sum(shape, tilt, global_random_seed):
    ours = draws(shape, tilt, 10_000, global_random_seed)
    assert ks_2samp(ours, summed(shape, tilt, 10_000, global_random_seed)).pvalue > 1e-5


# Release 2.0.2 of the other package is wrong at 300.
@pytest.mark.parametrize("tilt", TILTS[:-1])
@pytest.mark.parametrize("shape", [1.0, 2.7])
def test_law_is_that_of_another_package(shape, tilt, global_random_seed):
    polyagamma = pytest.importorskip("polyagamma")
    rng = np.random.default_rng(global_random_seed)
    theirs = polyagamma.random_polyagamma(shape, tilt, size=40_000, random_state=rng)
    ours = draws(shape, tilt, 40_000, global_random_seed)
    assert ks_2samp(ours, theirs).pvalue > 1e-5


@pytest.mark.parametrize("shape", [0.3, 1.0, 20.0, 100.0])
def test_law_of_large_tilts_is_inverse_gaussian(shape, global_random_seed):
    law = invgauss(mu=2 / (300 * shape), scale=shape**2 / 4)
    sample = draws(shape, 300.0, 40_000, global_random_seed)
    assert kstest(sample, law.cdf).pvalue > 1e-5


@pytest.mark.parametrize("tilt", [2.5, 17.0, 50.0])
def test_sign_of_the_tilt_does_not_matter(tilt):
    np.testing.assert_array_equal(draws(1.6, tilt, 100), draws(1.6, -tilt, 100))


def test_tiny_and_huge_tilts_are_finite():
    for tilt in (1e-300, 1e-8, 1e8, 1e150):
        sample = draws(1.5, tilt, 1000)
        assert np.isfinite(sample).all() and (sample > 0).all()
        np.testing.assert_allclose(sample.mean(), mean(1.5, tilt), rtol=0.2)
