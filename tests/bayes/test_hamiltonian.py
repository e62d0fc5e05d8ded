"""Joint moves of sums and widths with normal priors, over groups and a row basis."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from bayes_problems import drawn_from_prior, make_problem, shifts, with_prior
from internals.bayes import (
    HYPERPRIORS,
    SWEEPS,
    Landscape,
    Metric,
    Moments,
    Sweeps,
    in_row_basis,
    information_of,
    move_jointly,
)
from internals.kernels import log_likelihood

# Over groups, nested or not, and over a row basis.
KINDS = {
    "groups": {"max_order": 1, "n_rows": 40},
    "nested": {"max_order": 2, "nested": True},
    "rows": {"max_order": 3, "n_rows": 4, "n_values": 3},
}


def problem_of(kind, n_classes=2, **options):
    """Return a problem with a normal prior, as chains have it."""
    problem = make_problem(
        family="normal", n_classes=n_classes, **{**KINDS[kind], **options}
    )
    basis = in_row_basis(problem)
    assert (basis is not problem) == (kind == "rows")
    return basis


def metric_of(problem, seed=0):
    """Return a metric from states of the prior."""
    generator, seen = np.random.default_rng(seed), Moments(problem)
    for _ in range(20):
        seen.see(drawn_from_prior(problem, generator))
    return Metric.of(problem, [seen])


def moving(problem, log_step=-1.0):
    """Return a move in a metric that does not depend on the classes."""
    metric = metric_of(problem)

    def move(problem, state, generator):
        state.metric, state.log_step = metric, log_step
        move_jointly(problem, state, generator)
        np.testing.assert_allclose(
            state.predictors, problem.to_rows(state.sums), atol=1e-9
        )

    return move


@pytest.mark.parametrize("hyperprior", HYPERPRIORS)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_forces_are_gradients(kind, first, hyperprior, monkeypatch):
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._moves._metric._MOST", 5)
    for n_classes in (2, 3):
        problem = problem_of(kind, n_classes, first=first, hyperprior=hyperprior)
        state = drawn_from_prior(problem, np.random.default_rng(1))
        state.metric = metric_of(problem)
        landscape = Landscape(problem, state)
        spot = landscape.at(landscape.place)
        np.testing.assert_allclose(spot.sums, state.sums)
        np.testing.assert_allclose(spot.log_sigma, state.log_sigma)

        def potential(place, landscape=landscape):
            return landscape.potential(landscape.at(place))

        place, h = landscape.place, 1e-5
        steps = h * np.eye(len(place))
        slopes = [potential(place + e) - potential(place - e) for e in steps]
        slopes = np.array(slopes) / (2 * h)
        # Forces are computed with products in float32.
        gap = landscape.force(place) + place - slopes
        assert np.abs(gap).max() < 1e-5 * np.abs(slopes).max()


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_moves_leave_the_posterior_invariant(
    kind, n_classes, first, global_random_seed
):
    problem = problem_of(kind, n_classes, first=first, seed=global_random_seed)
    found = shifts(problem, [moving(problem)], global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["rows", "nested"])
def test_sweeps_leave_the_posterior_invariant(kind, n_classes, global_random_seed):
    problem = problem_of(kind, n_classes, seed=global_random_seed)
    moves = [moving(problem), *SWEEPS["hamiltonian"][1:]]
    assert np.abs(shifts(problem, moves, global_random_seed)).max() < 5.5


@pytest.mark.parametrize("n_classes", [2, 3])
def test_moves_for_other_classes_are_found(n_classes):
    problem = problem_of("rows", n_classes)
    wrong = with_prior(problem, problem.prior)
    wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.7
    move = moving(problem)
    assert np.abs(shifts(problem, [move], 0, n=2000, drawn_for=wrong)).max() > 5.5


def test_moves_for_another_prior_are_found():
    problem = problem_of("rows")
    scales = problem.prior.scales * 4
    wrong = with_prior(problem, replace(problem.prior, scales=scales))
    assert np.abs(shifts(problem, [moving(problem)], 0, drawn_for=wrong)).max() > 5.5


def test_information_is_minus_the_second_derivative():
    for n_classes in (2, 3):
        problem = problem_of("groups", n_classes)
        predictors = np.random.default_rng(0).normal(
            size=(len(problem.totals), problem.n_sets)
        )

        def height(predictors, problem=problem):
            return log_likelihood(
                predictors=predictors,
                weights=problem.weights_of_sets,
                totals=problem.totals,
            )

        found, h = information_of(problem, predictors), 1e-3
        for place in np.ndindex(predictors.shape):
            step = np.zeros_like(predictors)
            step[place] = h
            second = height(predictors + step) + height(predictors - step)
            second = (second - 2 * height(predictors)) / h**2
            np.testing.assert_allclose(found[place], -second, atol=1e-4)


def test_steps_that_are_too_long_are_refused():
    problem = problem_of("rows")
    problem = replace(problem, prior=replace(problem.prior, hyperprior="half_t"))
    generator = np.random.default_rng(0)
    state = drawn_from_prior(problem, generator)
    state.sums *= 1e6  # far from the posterior
    before = state.sums.copy()
    state.metric, state.log_step = metric_of(problem), 1.0
    move_jointly(problem, state, generator)
    assert state.acceptance == 0.0
    np.testing.assert_array_equal(state.sums, before)


def test_steps_and_metrics_are_learned_in_the_warm_up_only():
    problem = problem_of("rows")
    sampler = Sweeps(problem, "hamiltonian")
    generators = [np.random.default_rng(seed) for seed in range(2)]
    states = [sampler.start(generator) for generator in generators]

    def sweep():
        for state, generator in zip(states, generators):
            sampler.sweep(state, generator)

    first = states[0].metric
    for _ in range(20):
        sweep()
    assert states[0].metric is first
    sampler.adapt(states)
    assert states[0].metric is states[1].metric is not first
    assert states[0].log_step == states[1].log_step
    sampler.settle(states)
    learned = states[0].metric, states[0].log_step
    sweep()
    assert (states[0].metric, states[0].log_step) == learned


def test_metrics_know_the_scatter_of_widths_in_chains():
    # Two chains that have not met: their distance is not a width of the posterior.
    problem = problem_of("rows")
    generator = np.random.default_rng(0)
    seen = [Moments(problem) for _ in range(2)]
    state = drawn_from_prior(problem, generator)
    for shift, moments in zip((-5.0, 5.0), seen):
        for _ in range(500):
            state.log_sigma[1:] = shift + generator.normal(scale=0.5, size=3)
            moments.see(state)
    metric = Metric.of(problem, seen)
    np.testing.assert_allclose(metric.centre, 0, atol=0.1)
    covariance = metric.spread @ metric.spread.T
    np.testing.assert_allclose(covariance, 0.25 * np.eye(3), atol=0.03)
