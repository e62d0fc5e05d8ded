"""The hyperprior: a width of the intercept that is learned, and the shape."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import replace

import numpy as np
import pytest
from bayes_problems import (
    log_density,
    make_problem,
    shifts,
    with_prior,
)
from internals.bayes import SWEEPS, Prior
from numpy.testing import assert_array_equal
from scipy.stats import invgamma, kstest

from benchmarks.bayes.chains import run_chains
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_monks

FAMILIES = "cauchy", "normal"
_, centred, non_centred = SWEEPS["gibbs"]


def learned(family, seed=0, shape=0.5):
    """Return a problem of which all widths are learned."""
    return make_problem(
        family=family, hyperprior="inverse_gamma", shape=shape, first=0, seed=seed
    )


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "moves",
    [[centred], [non_centred], SWEEPS["gibbs"], SWEEPS["slice"]],
    ids=["centred", "non_centred", "gibbs", "slice"],
)
def test_updates_leave_the_posterior_invariant(moves, family, global_random_seed):
    problem = learned(family, global_random_seed)
    found = shifts(problem, moves, global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("move", [centred, non_centred])
def test_an_update_for_another_shape_is_found(move, family):
    problem = learned(family)
    other = with_prior(problem, replace(problem.prior, shape=3.0))
    assert np.abs(shifts(problem, [move], 0, drawn_for=other)).max() > 5.5


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("sampler", SWEEPS)
def test_widths_that_are_not_learned_stay(sampler, first):
    problem = make_problem(first=first)
    draws = run_chains(
        problem,
        sampler=sampler,
        n_chains=2,
        burn_in=0,
        n_draws=5,
        thin=1,
        seed=0,
    )
    moved = draws.log_sigma != np.log(problem.prior.scales)
    assert_array_equal(moved.any(axis=(0, 1)), [first == 0, True, True])


@pytest.mark.parametrize("shape", [0.5, 1.0, 4.0])
def test_widths_are_inverse_gamma_with_their_mode_at_the_scale(shape):
    prior = Prior("cauchy", "inverse_gamma", np.array([2.0, 0.3]), shape=shape)
    law = invgamma(shape, scale=(shape + 1) * 0.3)
    grid = np.exp(log_density(prior, 1, np.log([0.1, 0.3, 1.0])))
    expected = law.pdf([0.1, 0.3, 1.0]) * np.array([0.1, 0.3, 1.0])
    np.testing.assert_allclose(grid / grid[0], expected / expected[0])
    generator = np.random.default_rng(0)
    drawn = np.exp([prior.draw_log_sigma(generator)[1] for _ in range(5000)])
    assert kstest(drawn, law.cdf).pvalue > 1e-4
    assert law.pdf(0.3) > max(law.pdf(0.29), law.pdf(0.31))


# -- the classifier --------------------------------------------------------------------


def fitted(**options):
    X, y = load_monks(1, subset="train", return_X_y=True)
    clf = BayesianInteractionClassifier(
        max_order=1,
        n_draws=20,
        burn_in=20,
        max_sweeps=1,
        n_chains=2,
        random_state=0,
        **options,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clf.fit(X, y)


def test_the_classifier_learns_the_width_of_the_intercept():
    clf = fitted(fit_intercept_scale=True, intercept_scale=0.5)
    assert clf.draws_["log_sigma"][..., 0].std() > 0
    assert clf.r_hat_["log_sigma"].shape == (2,)
    assert clf.scales_[0] == 0.5
    assert (fitted().draws_["log_sigma"][..., 0] == np.log(2.5)).all()


def test_the_shape_concerns_the_inverse_gamma_only():
    narrow, wide = (
        fitted(hyperprior="inverse_gamma", hyperprior_shape=shape)
        for shape in (1000.0, 0.5)
    )
    spreads = [clf.draws_["log_sigma"][..., 1].std() for clf in (narrow, wide)]
    assert spreads[0] < 0.1 < spreads[1]
    one, other = (fitted(hyperprior_shape=shape) for shape in (1.0, 5.0))
    assert_array_equal(one.draws_["sums"], other.draws_["sums"])


@pytest.mark.parametrize(
    "options",
    [
        {"hyperprior_shape": 0.0},
        {"hyperprior_shape": 1e4},
        {"hyperprior_shape": "1"},
        {"hyperprior_shape": np.nan},
        {"fit_intercept_scale": "yes"},
    ],
)
def test_parameters_are_checked(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        fitted(**options)


@pytest.mark.parametrize("shape", [0.1, 1000])
@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("sampler", ["hmc", "gibbs", "slice"])
def test_extreme_parameters_give_probabilities(sampler, scale, shape):
    clf = fitted(
        sampler=sampler,
        prior="normal" if sampler == "hmc" else "cauchy",
        hyperprior="inverse_gamma",
        hyperprior_shape=shape,
        fit_intercept_scale=True,
        intercept_scale=scale,
        scale=scale,
    )
    X, _ = load_monks(1, subset="test", return_X_y=True)
    assert np.isfinite(clf.predict_proba(X)).all()
