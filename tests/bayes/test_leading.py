"""Moves of leading coordinates, over groups and over a row basis."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from bayes_problems import drawn_from_prior, make_problem, shifts, with_prior
from internals.bayes import (
    Leading,
    Sweeps,
    in_row_basis,
    information_of,
    move_leading,
)
from internals.kernels import log_likelihood


def problem_of(n_classes, over_rows, **options):
    """Return a problem over groups, or over a row basis."""
    problem = make_problem(
        family="normal",
        n_classes=n_classes,
        max_order=3 if over_rows else 1,
        n_rows=4 if over_rows else 40,
        n_values=3 if over_rows else 2,
        **options,
    )
    basis = in_row_basis(problem)
    assert (basis is not problem) == over_rows
    return basis


def moving(problem, log_step=-1.0, most=None):
    """Return a move of coordinates that do not depend on the classes."""
    log_sigma = np.log(problem.prior.scales)
    flat = np.zeros((len(problem.totals), problem.n_sets))
    leading = Leading.of(problem, log_sigma, information_of(problem, flat))
    if most is not None:
        leading = Leading(
            leading.places[:most],
            leading.vectors[:most],
            leading.roots[:, :most, :most],
            np.linalg.inv(leading.roots[:, :most, :most]),
        )

    def move(problem, state, generator):
        state.leading, state.log_step = leading, log_step
        before = state.sums.copy()
        move_leading(problem, state, generator)
        np.testing.assert_allclose(
            state.predictors, problem.to_rows(state.sums), atol=1e-9
        )
        others = np.setdiff1d(np.arange(len(before)), leading.places)
        np.testing.assert_array_equal(state.sums[others], before[others])

    return move


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("over_rows", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("most", [None, 3])
def test_moves_leave_the_posterior_invariant(
    n_classes, over_rows, most, global_random_seed
):
    problem = problem_of(n_classes, over_rows, seed=global_random_seed)
    found = shifts(problem, [moving(problem, most=most)], global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.parametrize("n_classes", [2, 3])
def test_moves_for_other_classes_are_found(n_classes):
    problem = problem_of(n_classes, over_rows=True)
    wrong = with_prior(problem, problem.prior)
    wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.7
    move = moving(problem)
    assert np.abs(shifts(problem, [move], 0, n=2000, drawn_for=wrong)).max() > 5.5


def test_information_is_minus_the_second_derivative():
    for n_classes in (2, 3):
        problem = problem_of(n_classes, over_rows=False)
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


def test_all_steps_that_are_too_long_are_refused():
    problem = problem_of(2, over_rows=True)
    generator = np.random.default_rng(0)
    state = drawn_from_prior(problem, generator)
    before = state.sums.copy()
    moving(problem, log_step=40.0)(problem, state, generator)
    assert state.acceptance == 0.0
    np.testing.assert_array_equal(state.sums, before)


def test_steps_are_learned_in_the_warm_up_only():
    sampler = Sweeps(problem_of(2, over_rows=True), "gibbs")
    generators = [np.random.default_rng(seed) for seed in range(2)]
    states = [sampler.start(generator) for generator in generators]

    def sweep():
        for state, generator in zip(states, generators):
            sampler.sweep(state, generator)

    sweep()
    assert states[0].leading is None
    sampler.adapt(states)
    first = states[0].log_step
    for _ in range(20):
        sweep()
    sampler.adapt(states)
    assert states[0].log_step == states[1].log_step != first
    sampler.settle(states)
    learned = states[0].log_step
    sweep()
    assert states[0].log_step == learned


def test_cauchy_priors_and_slices_do_without():
    problem = make_problem(family="normal")
    cauchy = replace(problem.prior, family="cauchy")
    for one, name in [(with_prior(problem, cauchy), "gibbs"), (problem, "slice")]:
        sampler, generator = Sweeps(one, name), np.random.default_rng(0)
        states = [sampler.start(generator)]
        sampler.sweep(states[0], generator)
        sampler.adapt(states)
        assert states[0].leading is None
