"""Predictions of new rows: laws of splits, and what they may not depend on."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise, product

import numpy as np
import pytest
from internals.bayes import Draws, Prediction, Prior, _prediction
from internals.kernels import _kernels
from internals.terms import all_interactions
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.special import expit, softmax
from scipy.stats import cauchy, ks_2samp, kstest, norm

FAMILIES = ["cauchy", "normal"]
# Scales, or variances, of both parts; and their sum.
SPLITS = [
    (1.0, 1.0, 0.0),
    (1.0, 1.0, 3.0),
    (0.3, 2.0, -1.5),
    (2.0, 0.3, 40.0),
    (1e-4, 1.0, 0.7),
    (1.0, 1e-4, 0.7),
    (1.0, 0.5, 1e6),
    (1e-9, 1e-9, 2.0),
]


def split(a, b, s, n, family, seed=0, kernel=_kernels.predictors):
    """Draw n parts of a sum, by a group of two terms of different orders."""
    out = np.empty((1, 1, n))
    kernel.linear_predictors(
        starts=np.array([0, 1]),
        groups=np.zeros(1, dtype=np.int32),
        counts=np.array([[1.0, 0.0]]),
        others=np.array([[0.0, 1.0]]),
        in_part=np.ones(1, dtype=bool),
        unmatched=np.zeros((1, 2)),
        sums=np.full((1, 1, n), s, dtype=np.float32),
        powers=np.repeat([[a], [b]], n, axis=1),
        cauchy=family == "cauchy",
        streams=np.array([seed], dtype=np.uint64),
        out=out,
    )
    return out.ravel()


def cdf_of_split(a, b, s):
    """Return the cdf of the part of scale a, by quadrature.

    1 / (A B) = (1 / A + 1 / B) / (A + B): each of both integrals has one peak, which is
    flat in the angle t of x = a tan(t), or of s - x = b tan(t).
    """

    def one_peak(scale, other, low, high):
        def density(t):
            x = scale * np.tan(t)
            return 1 / (scale**2 + x**2 + other**2 + (s - x) ** 2)

        turns = sorted({low, high, *np.clip(np.arctan([s, s / 2, -s]), low, high)})
        options = {"epsabs": 0, "epsrel": 1e-9, "limit": 200}
        return (
            sum(quad(density, *pair, **options)[0] for pair in pairwise(turns)) / scale
        )

    def below(x):
        right = np.pi / 2
        return one_peak(a, b, -right, np.arctan(x / a)) + one_peak(
            b, a, np.arctan((s - x) / b), right
        )

    total = np.pi * (a + b) / (a * b * (s * s + (a + b) ** 2))
    return lambda x: np.array([below(value) for value in np.atleast_1d(x)]) / total


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("a", "b", "s"), SPLITS)
def test_law_of_splits(a, b, s, family, global_random_seed):
    n = 20_000
    s = float(np.float32(s))
    sample = np.sort(split(a, b, s, n, family, global_random_seed))
    # The cdf is compared at some hundred points, on both sides of the peaks.
    at = np.unique(sample[np.linspace(0, n - 1, 150).astype(int)])
    if family == "cauchy":
        exact = cdf_of_split(a, b, s)(at)
    else:
        exact = norm(s * a / (a + b), np.sqrt(a * b / (a + b))).cdf(at)
    lower = np.searchsorted(sample, at, side="left") / n
    upper = np.searchsorted(sample, at, side="right") / n
    assert max((exact - upper).max(), (lower - exact).max()) < 2.7 / np.sqrt(n)


def test_wrong_laws_are_found():
    n = 20_000
    sample = np.sort(split(0.3, 2.0, -1.5, n, "cauchy"))
    at = sample[:: n // 100]
    steps = np.searchsorted(sample, at) / n
    assert np.abs(cdf_of_split(0.36, 2.0, -1.5)(at) - steps).max() > 2.7 / np.sqrt(n)


@pytest.mark.parametrize("level", _kernels.levels())
@pytest.mark.parametrize("family", FAMILIES)
def test_levels_agree(family, level):
    kernel = _kernels.kernel("_predictors", level)
    found = split(1.0, 0.3, 2.0, 1001, family, seed=1, kernel=kernel)
    assert_array_equal(found, split(1.0, 0.3, 2.0, 1001, family, seed=1))


@pytest.mark.parametrize("family", FAMILIES)
def test_splits_end(family):
    assert np.isnan(split(1.0, 1.0, np.nan, 100, family)).any()
    assert np.isfinite(split(1e-300, 1e300, 1.0, 100, family)).all()
    assert np.abs(split(1e-300, 1.0, 1.0, 100, family)).max() < 1e-100


def prediction(family, n_draws=50, n_sets=1, seed=0, max_order=2):
    """Return predictions from made-up draws, over a few rows of three columns."""
    rng = np.random.default_rng(seed)
    rows = np.unique(rng.integers(0, 4, size=(7, 4)), axis=0).astype(np.int32)
    groups = all_interactions(rows, max_order)
    draws = Draws(
        sums=rng.normal(size=(2, n_draws // 2, groups.n_groups, n_sets)).astype("f4"),
        log_sigma=rng.normal(size=(2, n_draws // 2, max_order + 1)),
        log_likelihood=np.zeros((2, n_draws // 2)),
    )
    prior = Prior(family=family, hyperprior="half_t", scales=np.ones(max_order + 1))
    return Prediction(groups=groups, prior=prior, draws=draws, seed=seed)


NEW = np.array(list(product(range(4), repeat=4)), dtype=np.int32)[::5]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n_sets", [1, 3])
def test_rows_do_not_depend_on_each_other(family, n_sets, monkeypatch):
    monkeypatch.setattr(_prediction, "_DRAWS_AT_ONCE", 16)
    law = prediction(family, n_sets=n_sets)
    together = law.predictors(NEW)
    order = np.random.default_rng(0).permutation(len(NEW))
    assert_array_equal(law.predictors(NEW[order]), together[:, order])
    for i in (0, 17):
        assert_array_equal(law.predictors(NEW[[i]])[:, 0], together[:, i])
    assert (law.predictors(NEW[[17, 17]])[:, 0] == together[:, 17]).all()
    other = Prediction(law.groups, law.prior, law.draws, seed=5)
    assert not np.array_equal(other.predictors(NEW), together)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n_sets", [1, 3])
def test_training_rows_are_exact(family, n_sets):
    law = prediction(family, n_sets=n_sets)
    groups = law.groups
    found = law.predictors(groups.rows)
    for i in range(len(groups.rows)):
        owners = np.repeat(np.arange(groups.n_groups), groups.sizes)
        holding = owners[groups.members == i]
        expected = law.sums[:, holding].sum(axis=1, dtype=np.float64)
        assert_allclose(found[:, i], expected, rtol=1e-12, atol=1e-12)


def constant(family, row, s, sigma, n):
    """Return predictions from n equal draws, and one row of some groups."""
    groups = all_interactions(np.array([[1, 1, 1]], dtype=np.int32), 3)
    assert groups.n_groups == 1
    draws = Draws(
        sums=np.full((n, 1, 1), s, dtype=np.float32),
        log_sigma=np.tile(np.log(sigma), (n, 1)),
        log_likelihood=np.zeros(n),
    )
    prior = Prior(family=family, hyperprior="half_t", scales=np.ones(4))
    return Prediction(groups, prior, draws, seed=1), np.array([row], dtype=np.int32)


@pytest.mark.parametrize("family", FAMILIES)
def test_unmatched_terms_are_draws_of_the_prior(family):
    sigma = np.array([0.5, 1.0, 2.0, 0.25])
    law, row = constant(family, [2, 2, 2], 0.0, sigma, 20_000)
    matches = law.groups.look_up(row)
    assert_array_equal(matches.unmatched, [[0, 3, 3, 1]])
    # Of the group it has the bias, which has hardly any width here, nor a sum to share.
    law.draws.log_sigma[:, 0] = -50
    sample = law.predictors(row).ravel()
    if family == "cauchy":
        expected = cauchy(0, 3 * 1.0 + 3 * 2.0 + 0.25)
    else:
        expected = norm(0, np.sqrt(3 * 1.0 + 3 * 4.0 + 0.0625))
    assert kstest(sample, expected.cdf).pvalue > 1e-4


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_of_sums_are_those_of_terms(family):
    # Given that eight independent terms add up to s, those that a row satisfies do.
    s, n = 1.75, 20_000
    sigma = np.array([0.5, 1.0, 2.0 if family == "normal" else 0.3, 0.25])
    law, row = constant(family, [1, 0, 1], s, sigma, n)
    sample = law.predictors(row).ravel()
    widths = sigma[[0, 1, 1, 1, 2, 2, 2, 3]]
    satisfied = np.array([1, 1, 0, 1, 0, 1, 0, 0], dtype=bool)
    generator = np.random.default_rng(0)
    if family == "normal":
        terms = generator.normal(size=(n, 8)) * widths
        # A residual is shared in proportion to variances.
        terms += (s - terms.sum(axis=1))[:, None] * widths**2 / (widths**2).sum()
    else:
        # Terms that add up to nearly s, among many.
        terms = generator.standard_cauchy((600_000, 8)) * widths
        terms = terms[np.abs(terms.sum(axis=1) - s) < 0.04]
        assert len(terms) > 2000
    assert ks_2samp(sample, terms[:, satisfied].sum(axis=1)).pvalue > 1e-5


@pytest.mark.parametrize("n_sets", [1, 3])
def test_probabilities(n_sets, monkeypatch):
    law = prediction("cauchy", n_sets=n_sets)
    predictors = law.predictors(NEW)
    sampled = law.sample_probabilities(NEW)
    assert_allclose(sampled.sum(axis=-1), 1)
    if n_sets == 1:
        assert_allclose(sampled[..., 1], expit(predictors[..., 0]), atol=1e-300)
    else:
        assert_allclose(sampled, softmax(predictors, axis=-1))
    # Blocks of two rows.
    monkeypatch.setattr(_prediction, "_MEMORY_BUDGET", 7000)
    assert_allclose(law.probabilities(NEW), sampled.mean(axis=0), rtol=1e-12)
    assert law.probabilities(NEW[:0]).shape == (0, max(n_sets, 2))
