"""Hamiltonian Monte Carlo of coordinates and widths, over groups and over row bases."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from bayes_problems import (
    HYPERPRIORS,
    class_probabilities,
    drawn_from_prior,
    make_problem,
    shifts,
    with_prior,
)
from internals.bayes import (
    Hamiltonian,
    HamiltonianState,
    Leapfrog,
    Metric,
    Parametrization,
    Position,
    in_row_basis,
)
from internals.kernels import _kernels

# Normal priors over groups and over a row basis, and Cauchy priors.
NORMAL = "groups", "rows"
FORMS = *NORMAL, "cauchy"


def problem_of(form, n_classes=2, **options):
    """Return a problem with normal or Cauchy priors."""
    over_rows = form == "rows"
    problem = make_problem(
        family="cauchy" if form == "cauchy" else "normal",
        n_classes=n_classes,
        max_order=3 if over_rows else 2,
        n_rows=4 if over_rows else 12,
        n_values=3 if over_rows else 2,
        **options,
    )
    return in_row_basis(problem) if over_rows else problem


def state_of(problem, state):
    """Return the state of the sampler for a state of sums."""
    widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
    likelihood = problem.contrasts
    coordinates = likelihood.of_sets(state.sums / widths[:, np.newaxis])
    if problem.prior.family == "cauchy":
        coordinates = np.arcsinh(coordinates)
    position = Position(
        problem=problem,
        log_sigma=state.log_sigma,
        coordinates=coordinates,
        predictors=likelihood.of_sets(state.predictors),
    )
    return HamiltonianState(position, log_step=-1.0)


def place_from_prior(problem, seed=0):
    """Return a position that is drawn from the prior."""
    generator = np.random.default_rng(seed)
    return state_of(problem, drawn_from_prior(problem, generator)).position


def centred(problem, seed=0):
    """Return a parametrization with some information, plain for Cauchy priors."""
    if problem.prior.family == "cauchy":
        return Parametrization.plain(problem)
    shape = problem.contrasts.n, problem.groups.n_groups
    return Parametrization(problem, np.random.default_rng(seed).uniform(0, 3, shape))


def metric_of_prior(problem):
    """Return the metric without directions that the rows determine."""
    shape = problem.contrasts.n, problem.groups.n_groups
    n_widths = len(problem.prior.scales) - problem.prior.first
    return Metric(np.zeros((*shape, 0)), np.ones((shape[0], 0)), np.ones(n_widths))


def steps(problem, parametrization, places, n_steps, **options):
    """Return the ends of trajectories without a metric, as `Leapfrog.steps`.

    By default momenta are 0, and their ends after 0 steps of size 2 are the slopes.
    """
    leapfrog, n = Leapfrog(problem), len(places)
    leapfrog.use(parametrization, metric_of_prior(problem))
    coordinates = parametrization.coordinates(places)
    start = {
        "sizes": np.full(n, 2.0),
        "log_sigma": np.stack([position.log_sigma for position in places]),
        "coordinates": coordinates,
        "momenta": np.zeros(coordinates.shape),
        "of_widths": np.zeros((n, len(problem.prior.scales) - problem.prior.first)),
    }
    return leapfrog.steps(n_steps, **start | options)


def moving(problem, parametrization=None):
    """Return a move, whose metric does not depend on the classes that are drawn."""
    sampler = Hamiltonian(problem)
    if parametrization is not None:
        sampler._parametrization = parametrization
        heavy = replace(problem, class_weights=10 * problem.class_weights)
        places = [place_from_prior(heavy, seed) for seed in range(3)]
        sampler._metric = Metric.learned(heavy, parametrization, places)
        assert sampler._metric.factors.min() < -0.1

    def move(problem, state, generator):
        own = state_of(problem, state)
        # Its copies of the classes are those before they were drawn.
        sampler._leapfrog = Leapfrog(sampler._problem)
        sampler._use(sampler._parametrization, sampler._metric)
        sampler.sweep([own], [generator])
        state.log_sigma, state.sums = own.log_sigma, own.sums
        state.predictors = problem.to_rows(own.sums)
        np.testing.assert_allclose(
            class_probabilities(state.predictors),
            class_probabilities(own.predictors),
            atol=1e-5,
        )

    return move


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize(
    "form, n_classes, is_centred",
    [
        ("cauchy", 3, False),
        ("groups", 2, True),
        ("rows", 2, False),
        ("rows", 3, True),
    ],
)
def test_moves_leave_the_posterior_invariant(
    form, n_classes, is_centred, global_random_seed
):
    first = int(form == "rows")
    problem = problem_of(form, n_classes, first=first, seed=global_random_seed)
    move = moving(problem, centred(problem) if is_centred else None)
    found = shifts(problem, [move], global_random_seed)
    assert np.abs(found).max() < 5.5


def test_moves_for_other_classes_are_found():
    problem = problem_of("rows", n_classes=3)
    wrong = with_prior(problem, problem.prior)
    wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.2
    move = moving(wrong)
    assert np.abs(shifts(problem, [move], 0, drawn_for=wrong)).max() > 5.5


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("hyperprior", HYPERPRIORS)
@pytest.mark.parametrize("first", [0, 1])
def test_slopes_are_those_of_the_density(form, n_classes, hyperprior, first):
    problem = problem_of(form, n_classes, hyperprior=hyperprior, first=first)
    parametrization, position = centred(problem), place_from_prior(problem)
    log_sigma = position.log_sigma[np.newaxis]
    start = log_sigma, parametrization.coordinates([position])

    def height(log_sigma, coordinates):
        (moved,) = parametrization.places(log_sigma, coordinates, np.zeros((1, 1, 1)))
        widths = problem.prior.widths(moved.log_sigma, problem.groups.counts)
        sums = widths[:, np.newaxis] * moved.values
        moved = Position(
            problem, moved.log_sigma, moved.coordinates, problem.to_rows(sums)
        )
        return parametrization.heights([moved]).item()

    def slope(which, index, h=1e-5):
        ends = []
        for sign in (1, -1):
            moved = [part.copy() for part in start]
            moved[which][index] += sign * h
            ends.append(height(*moved))
        return (ends[0] - ends[1]) / (2 * h)

    _, _, of_coordinates, of_widths, _ = steps(problem, parametrization, [position], 0)
    orders = range(first, log_sigma.shape[1])
    expected = [slope(0, (0, order)) for order in orders]
    np.testing.assert_allclose(of_widths[0], expected, atol=1e-4, rtol=1e-4)
    expected = [slope(1, index) for index in np.ndindex(of_coordinates.shape)]
    np.testing.assert_allclose(of_coordinates.ravel(), expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_chains_do_not_depend_on_each_other_or_on_the_processor(n_classes, monkeypatch):
    problem, generator = problem_of("rows", n_classes), np.random.default_rng(0)
    places = [place_from_prior(problem, seed) for seed in range(6)]
    shape = problem.contrasts.n, len(places), problem.groups.n_groups
    momenta = generator.normal(size=shape)
    options = {"sizes": np.full(6, 0.1), "momenta": momenta}
    together = steps(problem, centred(problem), places, 9, **options)
    alone = steps(
        problem,
        centred(problem),
        places[4:5],
        9,
        sizes=np.full(1, 0.1),
        momenta=momenta[:, 4:5],
    )
    for which, axis in enumerate([0, 1, 1, 0, 1]):
        of_chain = together[which].take([4], axis=axis)
        np.testing.assert_array_equal(of_chain, alone[which])
    for level in _kernels.levels():
        kernel = _kernels.kernel("_leapfrog", level)
        monkeypatch.setattr("sklearn_dnfwinnow._bayes._hamiltonian.leapfrog", kernel)
        found = steps(problem, centred(problem), places, 9, **options)
        for one, other in zip(found, together):
            np.testing.assert_array_equal(one, other)


def test_steps_are_learned_in_the_warm_up_only():
    sampler = Hamiltonian(problem_of("rows"))
    generators = [np.random.default_rng(seed) for seed in range(2)]
    states = [sampler.start(generator) for generator in generators]

    for _ in range(20):
        sampler.sweep(states, generators)
    assert states[0].log_step != states[1].log_step
    sampler.adapt(states)
    assert states[0].log_step == states[1].log_step
    sampler.settle(states)
    learned = states[0].log_step
    sampler.sweep(states, generators)
    assert states[0].log_step == learned
