"""The Gibbs sampler: joint draws, and updates that leave the posterior invariant."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from bayes_problems import (
    class_probabilities,
    dispersion,
    drawn_from_prior,
    indicators,
    log_density,
    make_problem,
    redraw_classes,
    shifts,
    standardized,
    with_prior,
)
from internals.bayes import (
    HYPERPRIORS,
    SWEEPS,
    Prior,
    Problem,
    State,
    along_tree,
    centred,
    draw_mixing,
    draw_sums,
    gram_of_rows,
    non_centred,
    one_at_a_time,
)
from internals.kernels import logistic
from scipy.special import expit
from scipy.stats import invgamma, kstest

from benchmarks.bayes.chains import run_chains

FAMILIES = "cauchy", "normal"
# Every pair of a family, a number of classes and whether groups are nested.
CASES = [
    ("cauchy", 2, False),
    ("cauchy", 3, True),
    ("normal", 2, True),
    ("normal", 3, False),
]


def gaussian_case(nested=False, seed=0, n_rows=9):
    """Return a normal problem and all that a draw takes."""
    problem = make_problem(
        family="normal", nested=nested, n_rows=n_rows, n_values=3, seed=seed
    )
    rng = np.random.default_rng(seed)
    n_rows = len(problem.groups.rows)
    sigma = rng.uniform(0.3, 2.0, problem.groups.max_order + 1)
    given = SimpleNamespace(
        widths=np.sqrt(problem.groups.counts @ sigma**2),
        variances=problem.groups.counts @ sigma**2,
        precision=rng.uniform(0.05, 3.0, n_rows),
        information=rng.normal(size=n_rows),
    )
    return problem, given


def drawn_along_tree(problem, given, generator):
    """Return sums of nested groups."""
    return along_tree(
        problem,
        precision=given.precision,
        information=given.information,
        variances=given.variances,
        generator=generator,
    )


def moments(problem, given):
    """Return the mean and the covariance of the sums, by inverting matrices."""
    z = indicators(problem.groups)
    inverse = z.T @ (given.precision[:, np.newaxis] * z)
    inverse += np.diag(1 / given.variances)
    covariance = np.linalg.inv(inverse)
    return covariance @ z.T @ given.information, covariance


def assert_normal(draws, mean, covariance, sigmas=5.5):
    """Assert that draws have a mean and a covariance."""
    n = len(draws)
    white = np.linalg.solve(np.linalg.cholesky(covariance), (draws - mean).T)
    assert np.abs(white.mean(axis=1)).max() < sigmas / np.sqrt(n)
    second = white @ white.T / n - np.eye(len(mean))
    # Squares of standard normal variables have variance 2, products variance 1.
    assert np.abs(second).max() < sigmas * np.sqrt(2 / n)


def test_joint_draws_have_the_moments_of_their_law(global_random_seed):
    problem, given = gaussian_case(nested=True, seed=global_random_seed)
    generator = np.random.default_rng(global_random_seed)
    draws = [drawn_along_tree(problem, given, generator) for _ in range(4000)]
    assert_normal(np.array(draws), *moments(problem, given))


def test_sums_of_rows_are_products_with_indicators():
    problem = make_problem(n_rows=9, n_values=3)
    z = indicators(problem.groups)
    vectors = np.random.default_rng(0).normal(size=(z.shape[1], 3))
    np.testing.assert_allclose(problem.to_rows(vectors), z @ vectors)


def test_wrong_moments_are_found():
    problem, given = gaussian_case(nested=True)
    generator = np.random.default_rng(0)
    draws = [drawn_along_tree(problem, given, generator) for _ in range(4000)]
    given.variances = given.variances * 1.2
    mean, covariance = moments(problem, given)
    with pytest.raises(AssertionError):
        assert_normal(np.array(draws), mean, covariance)


def test_updates_leave_the_joint_law_invariant(global_random_seed):
    problem, given = gaussian_case(seed=global_random_seed)
    generator = np.random.default_rng(global_random_seed)
    mean, covariance = moments(problem, given)
    draws = []
    for start in generator.multivariate_normal(mean, covariance, 4000):
        draws.append(
            one_at_a_time(
                problem,
                precision=given.precision,
                information=given.information,
                widths=given.widths,
                sums=start,
                generator=generator,
            )
        )
        assert (draws[-1] != start).any()
    assert_normal(np.array(draws), mean, covariance)


@pytest.mark.parametrize("max_order", [1, 2, 3])
def test_the_normal_model_is_a_gaussian_process(max_order):
    problem = make_problem(family="normal", max_order=max_order, n_rows=12, n_values=3)
    rows = problem.groups.rows
    agreements = (rows[:, np.newaxis] == rows).sum(axis=2)
    sigma = np.linspace(0.5, 2.0, max_order + 1)
    kernel = sum(
        sigma[o] ** 2 * np.vectorize(comb)(agreements, o) for o in range(max_order + 1)
    )
    variances = problem.groups.counts @ sigma**2
    gram = gram_of_rows(problem, variances)
    np.testing.assert_allclose(np.tril(gram), np.tril(kernel))


MOVES = {
    "sums": (draw_mixing, draw_sums),
    "centred": (centred,),
    "non_centred": (non_centred,),
    "sweep": SWEEPS["gibbs"],
    "slices of sums": SWEEPS["slice"][:1],
}


@pytest.mark.slow_beyond(6)
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", MOVES)
def test_updates_leave_the_posterior_invariant(name, case, global_random_seed):
    # Parameters of the prior, classes given them, updates given the classes: the
    # parameters still have the law of the prior (Geweke 2004, one step at a time).
    family, n_classes, nested = case
    problem = make_problem(
        family=family, n_classes=n_classes, nested=nested, seed=global_random_seed
    )
    assert np.abs(shifts(problem, MOVES[name], global_random_seed)).max() < 5.5


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["sums", "centred", "non_centred"])
def test_an_update_for_another_prior_is_found(name, family):
    problem = make_problem(family=family)
    scales = problem.prior.scales * 4
    wrong = with_prior(
        problem, Prior(family=family, hyperprior="log_normal", scales=scales)
    )
    if name == "sums":
        # Widths are those of the state: the likelihood has to be wrong.
        wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.7
    assert np.abs(shifts(problem, MOVES[name], 0, drawn_for=wrong)).max() > 5.5


WEIGHTS = (1.5, 0.25), (0.5, 4.0)


@cache
def integrals(family, scales):
    """Return what quadrature needs under any prior of the width.

    That is the grid of its logarithms, the densities of sums on the grid, tanh of the
    intercept, and for each row the integrals of its likelihood over the own sum, and
    of its likelihood times tanh of the own sum: (log_sigma, intercept).
    """
    log_sigma = np.linspace(-15, 15, 301) + np.log(scales[1])
    grid = np.linspace(-11, 11, 201)
    places = np.sinh(grid)
    mass = np.cosh(grid) / (1 + places**2)
    if family == "normal":
        mass = np.cosh(grid) * np.exp(-0.5 * places**2)
    own = np.exp(log_sigma)[:, np.newaxis] * places
    intercept = scales[0] * places
    marginals, shapes = [], []
    for row in np.array(WEIGHTS):
        # (log_sigma, own sum, intercept)
        log_odds = own[:, :, np.newaxis] + intercept
        likelihood = np.exp(row[1] * log_odds - row.sum() * np.logaddexp(0, log_odds))
        marginals.append(np.einsum("sti,t->si", likelihood, mass))
        shapes.append(np.einsum("sti,st->si", likelihood, mass * np.tanh(own)))
    return log_sigma, mass, np.tanh(intercept), marginals, shapes


def quadrature(prior):
    """Return posterior means of a model of two rows, and of two terms of order 1.

    The sums of groups are independent given the width of order 1 and the intercept.
    """
    log_sigma, mass, intercept, marginals, shapes = integrals(
        prior.family, tuple(prior.scales.tolist())
    )
    outer = np.exp(log_density(prior, 1, log_sigma))[:, np.newaxis] * mass
    joint = outer * marginals[0] * marginals[1]
    means = [
        joint.sum(axis=1) @ log_sigma,
        (joint @ intercept).sum(),
        (outer * shapes[0] * marginals[1]).sum(),
        (outer * marginals[0] * shapes[1]).sum(),
    ]
    return np.array(means) / joint.sum()


@pytest.mark.parametrize(
    "sampler, family, hyperprior",
    [
        # Every hyperprior; updates of widths of 'slice' are some of those of 'gibbs'.
        *(("gibbs", *pair) for pair in zip(2 * FAMILIES, HYPERPRIORS)),
        ("hmc", "cauchy", "inverse_gamma"),
        ("slice", "normal", "inverse_gamma"),
    ],
)
@pytest.mark.slow_beyond(2)
def test_means_are_those_of_quadrature(sampler, family, hyperprior):
    problem = make_problem(
        family=family, hyperprior=hyperprior, n_columns=1, max_order=1, n_rows=20
    )
    problem = Problem(problem.groups, np.array(WEIGHTS), problem.prior)
    # The empty term; and one for each row.
    assert problem.groups.n_groups == 3
    draws = run_chains(
        problem,
        sampler=sampler,
        n_chains=2,
        burn_in=200,
        n_draws=800,
        thin=1,
        seed=3,
    )
    values = np.concatenate(
        [draws.log_sigma[:, :, 1:], np.tanh(draws.sums[..., 0])], axis=2
    )
    gaps = values.mean(axis=(0, 1)) - quadrature(problem.prior)
    assert (np.abs(gaps) < 5.5 * dispersion(values)).all()
    assert dispersion(values).max() < 0.15


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("case", CASES[1:3], ids=str)
def test_samplers_agree(case):
    family, n_classes, nested = case
    problem = make_problem(
        family=family, n_classes=n_classes, nested=nested, n_rows=8, max_order=3
    )
    results = []
    for sampler in ("gibbs", "slice"):
        draws = run_chains(
            problem,
            sampler=sampler,
            n_chains=2,
            burn_in=300,
            n_draws=2_000,
            thin=1,
            seed=5,
        )
        n_chains, n_draws = draws.log_likelihood.shape
        flat = np.tanh(draws.sums).reshape(n_chains, n_draws, -1)
        results.append(np.concatenate([draws.log_sigma[..., 1:], flat], axis=2))
    gap = results[0].mean(axis=(0, 1)) - results[1].mean(axis=(0, 1))
    error = np.hypot(*[dispersion(result) for result in results])
    assert (np.abs(gap) < 5.5 * error).all()


@pytest.mark.slow
def test_fixed_widths_give_the_posterior_of_a_gaussian_process():
    problem = make_problem(family="normal", n_rows=12, n_values=3)
    groups = problem.groups
    generator = np.random.default_rng(0)
    state = State.dispersed(problem, generator)
    widths = problem.prior.widths(state.log_sigma, groups.counts)
    covariance = gram_of_rows(problem, widths**2)
    covariance = np.tril(covariance) + np.tril(covariance, -1).T
    ours, others = [], []
    place = np.zeros(len(groups.rows))

    def log_likelihood(x):
        return problem.weights_of_sets[:, 0] @ x - problem.totals @ np.logaddexp(0, x)

    for _ in range(8_000):
        draw_sums(problem, state, generator)
        ours.append(expit(state.predictors[:, 0]))
        # Elliptical slice sampling (Murray, Adams & MacKay 2010).
        other = generator.multivariate_normal(0 * place, covariance)
        level = log_likelihood(place) - generator.exponential()
        angle = generator.uniform(0, 2 * np.pi)
        left, right = angle - 2 * np.pi, angle
        while True:
            moved = place * np.cos(angle) + other * np.sin(angle)
            if log_likelihood(moved) > level:
                break
            left, right = (angle, right) if angle < 0 else (left, angle)
            angle = generator.uniform(left, right)
        place = moved
        others.append(expit(place))
    ours, others = np.array([ours]), np.array([others])
    gap = ours.mean(axis=1) - others.mean(axis=1)
    assert (np.abs(gap) < 5.5 * np.hypot(dispersion(ours), dispersion(others))).all()


def test_state_is_consistent_after_sweeps():
    for family, n_classes, nested in CASES:
        problem = make_problem(family=family, n_classes=n_classes, nested=nested)
        generator = np.random.default_rng(0)
        for moves in SWEEPS.values():
            state = State.dispersed(problem, generator)
            for move in 20 * moves:
                move(problem, state, generator)
            z = indicators(problem.groups)
            np.testing.assert_allclose(z @ state.sums, state.predictors, atol=1e-9)
            probabilities = class_probabilities(state.predictors)
            np.testing.assert_allclose(
                logistic.log_likelihood(
                    predictors=state.predictors,
                    weights=problem.weights_of_sets,
                    totals=problem.totals,
                ),
                (problem.class_weights * np.log(probabilities)).sum(),
            )
            assert state.log_sigma[0] == np.log(problem.prior.scales[0])


def test_mixing_variables_are_drawn_after_they_were_integrated_out():
    moves = SWEEPS["gibbs"]
    assert moves.index(draw_mixing) == moves.index(centred) + 1


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_mixing_variables_have_their_law_given_the_sums(factor):
    problem = make_problem(nested=True, n_rows=40, n_columns=5, n_values=3, n_classes=3)
    generator = np.random.default_rng(0)
    found = []
    for _ in range(20):
        state = drawn_from_prior(problem, generator)
        widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
        draw_mixing(problem, state, generator)
        # Normal times inverse gamma (1/2, scale 1/2): the posterior of the latter.
        scale = 0.5 + 0.5 * factor * (state.sums / widths[:, np.newaxis]) ** 2
        found.append(invgamma(1.0, scale=scale).cdf(state.mixing).ravel())
    assert (kstest(np.concatenate(found), "uniform").pvalue > 1e-6) == (factor == 1.0)


def test_redrawn_classes_have_the_weights_of_their_rows():
    problem = make_problem(n_classes=3)
    before = problem.class_weights.copy()
    generator = np.random.default_rng(0)
    redraw_classes(problem, drawn_from_prior(problem, generator), generator)
    assert (problem.class_weights != before).any()
    assert (problem.class_weights.sum(axis=1) == problem.totals).all()
    assert (problem.weights_of_sets == problem.class_weights).all()


def test_standardized_shifts_of_nothing_are_nothing():
    assert (standardized(np.zeros((5, 2))) == 0).all()
