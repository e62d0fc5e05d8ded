"""Hamiltonian Monte Carlo of coordinates and widths, over groups and over row bases."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from bayes_problems import (
    class_probabilities,
    drawn_from_prior,
    make_problem,
    shifts,
    standardized,
    with_prior,
)
from internals.bayes import (
    HYPERPRIORS,
    Contrasts,
    Density,
    Hamiltonian,
    HamiltonianState,
    Metric,
    Mode,
    in_row_basis,
    modes_of,
    sampler_for,
)
from internals.kernels import log_likelihood

FORMS = "groups", "rows"


def problem_of(form, n_classes=2, **options):
    """Return a problem over groups, or over a row basis."""
    over_rows = form == "rows"
    problem = make_problem(
        family="normal",
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
    return HamiltonianState(
        log_sigma=state.log_sigma,
        coordinates=Contrasts(problem).of_sets(state.sums / widths[:, np.newaxis]),
        sums=state.sums,
        predictors=state.predictors,
        log_step=-1.0,
    )


def of_chains(states):
    """Return the logarithms of widths, and the coordinates, of several chains."""
    log_sigma = np.stack([state.log_sigma for state in states])
    return log_sigma, np.stack([state.coordinates for state in states], axis=1)


def moving(problem):
    """Return a move, whose metric does not depend on the classes that are drawn."""
    sampler = Hamiltonian(problem)

    def move(problem, state, generator):
        own = state_of(problem, state)
        # Its copies of the classes are those before they were drawn.
        sampler._density = Density(sampler._problem)
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
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_moves_leave_the_posterior_invariant(form, n_classes, global_random_seed):
    first = int(form == "rows")
    problem = problem_of(form, n_classes, first=first, seed=global_random_seed)
    found = shifts(problem, [moving(problem)], global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.parametrize("n_classes", [2, 3])
def test_moves_for_other_classes_are_found(n_classes):
    problem = problem_of("rows", n_classes)
    wrong = with_prior(problem, problem.prior)
    wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.5
    move = moving(wrong)
    assert np.abs(shifts(problem, [move], 0, n=1200, drawn_for=wrong)).max() > 5.5


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("hyperprior", HYPERPRIORS)
@pytest.mark.parametrize("first", [0, 1])
def test_slopes_are_those_of_the_density(
    form, n_classes, hyperprior, first, monkeypatch
):
    monkeypatch.setattr(Density, "dtype", np.float64)
    problem = problem_of(form, n_classes, hyperprior=hyperprior, first=first)
    density = Density(problem)
    state = state_of(problem, drawn_from_prior(problem, np.random.default_rng(0)))
    place = of_chains([state])

    def height(log_sigma, coordinates):
        predictors = density.predictors(log_sigma, coordinates)
        return density.heights(log_sigma, coordinates, predictors).item()

    def slope(which, index, h=1e-5):
        ends = []
        for sign in (1, -1):
            moved = [part.copy() for part in place]
            moved[which][index] += sign * h
            ends.append(height(*moved))
        return (ends[0] - ends[1]) / (2 * h)

    of_coordinates, of_widths = density.slopes(*place)
    orders = range(first, len(state.log_sigma))
    expected = [slope(0, (0, order)) for order in orders]
    np.testing.assert_allclose(of_widths[0], expected, atol=1e-6, rtol=1e-5)
    expected = [slope(1, index) for index in np.ndindex(of_coordinates.shape)]
    np.testing.assert_allclose(of_coordinates.ravel(), expected, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_contrasts_tell_the_same_of_the_classes(n_classes):
    problem = problem_of("groups", n_classes)
    likelihood, generator = Contrasts(problem), np.random.default_rng(0)
    shape = len(problem.totals), problem.n_sets
    predictors = generator.normal(size=shape)
    contrasts = likelihood.of_sets(predictors)
    assert contrasts.shape[1] == likelihood.n == max(1, n_classes - 1)
    height = log_likelihood(
        predictors=predictors,
        weights=problem.weights_of_sets,
        totals=problem.totals,
    )
    assert np.isclose(likelihood.height(contrasts), height)
    same = predictors.mean(axis=1, keepdims=True) * np.sqrt(problem.n_sets)
    np.testing.assert_allclose(likelihood.to_sets(contrasts, same), predictors)
    # The information along all contrasts of a row has the mean as its trace.
    information = np.zeros(len(problem.totals))
    for row, place in np.ndindex(contrasts.shape):
        direction = np.zeros((1, *contrasts.shape))
        direction[0, row, place] = 1.0
        information[row] += likelihood.information_along(contrasts, direction).item()
    np.testing.assert_allclose(
        likelihood.information(contrasts), information / likelihood.n
    )
    # Large predictors have probabilities as well.
    assert np.isfinite(likelihood.score(1e4 * contrasts)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_information_is_minus_the_second_derivative(n_classes):
    problem = problem_of("groups", n_classes)
    likelihood, generator = Contrasts(problem), np.random.default_rng(0)
    shape = len(problem.totals), likelihood.n
    place, step = generator.normal(size=(2, *shape))
    h = 1e-3
    second = likelihood.height(place + h * step) + likelihood.height(place - h * step)
    second = (second - 2 * likelihood.height(place)) / h**2
    found = likelihood.information_along(place, step[np.newaxis]).item()
    np.testing.assert_allclose(found, -second, rtol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_momenta_have_the_covariance_of_the_metric(form):
    problem, generator = problem_of(form), np.random.default_rng(0)
    n_learned = len(problem.prior.scales) - 1
    log_sigma = np.log(problem.prior.scales) + 1.0
    metric = Metric(
        problem,
        log_sigma=log_sigma,
        information=generator.uniform(0.1, 3.0, len(problem.totals)),
        of_widths=np.diag(np.arange(1.0, n_learned + 1)),
        dtype=np.float64,
    )
    shape = problem.groups.n_groups, 1
    # The inverse of the metric: each chain has one of the momenta.
    units = np.eye(shape[0])[:, :, np.newaxis]
    inverse = metric.velocities(units, np.zeros((shape[0], n_learned)))[0][:, :, 0]
    values = np.linalg.eigvalsh(inverse)
    assert values[0] > 0 and values[0] < 0.9 and np.isclose(values[-1], 1.0)
    momenta, of_widths = metric.draw(shape, [generator] * 4000)
    for part, precision in enumerate(
        [inverse, np.diag(1 / np.arange(2, 2 + n_learned))]
    ):
        drawn = of_widths if part else momenta[:, :, 0].T
        white = drawn @ np.linalg.cholesky(precision)
        gap = white.T @ white / len(white) - np.eye(white.shape[1])
        assert np.abs(gap).max() < 5.5 * np.sqrt(2 / len(white))
    momentum = momenta[:, 0, 0]
    energy = 0.5 * momentum @ inverse @ momentum
    energy += 0.5 * np.sum(of_widths[0] ** 2 / np.arange(2, 2 + n_learned))
    assert np.isclose(metric.energies(momenta, of_widths)[0], energy)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", FORMS)
def test_modes_are_stationary(form, n_classes, monkeypatch):
    monkeypatch.setattr(Density, "dtype", np.float64)
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._moves._modes._STEPS", 200)
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._moves._modes._LEAST_RISE", 1e-12)
    problem = problem_of(form, n_classes)
    mode = Mode.of(problem, np.log(problem.prior.scales) + 1.0)
    slope, _ = Density(problem).slopes(*of_chains([mode]))
    np.testing.assert_allclose(slope, 0.0, atol=1e-4)
    widths = problem.prior.widths(mode.log_sigma, problem.groups.counts)
    predictors = problem.to_rows(widths[:, np.newaxis] * mode.coordinates)
    np.testing.assert_allclose(mode.predictors, predictors, atol=1e-9)


def test_the_approximate_density_of_widths_is_near_that_by_importance_sampling():
    problem = problem_of("rows")
    density, generator = Density(problem), np.random.default_rng(0)
    log_ratios = []
    for shift in (-1.0, 0.5):
        log_sigma = np.log(problem.prior.scales) + shift
        heights = []
        for _ in range(4000):
            z = generator.standard_normal((problem.groups.n_groups, 1, 1))
            predictors = density.predictors(log_sigma[np.newaxis], z)[:, 0]
            heights.append(density.likelihood.height(predictors.astype(float)))
        exact = np.log(np.mean(np.exp(heights)))
        exact += problem.prior.log_density(log_sigma)
        log_ratios.append(Mode.of(problem, log_sigma).log_density - exact)
    assert np.abs(log_ratios).max() < 0.3


def test_modes_over_coordinates_and_over_rows_are_the_same():
    problem = make_problem(family="normal", max_order=2, n_rows=9, n_values=3)
    assert problem.groups.n_groups > len(problem.totals)
    few = make_problem(family="normal", max_order=1, n_rows=30, n_values=2)
    assert few.groups.n_groups < len(few.totals)
    for one in (problem, few):
        log_sigma = np.log(one.prior.scales)
        found = Mode.of(one, log_sigma), Mode.of(in_row_basis(one), log_sigma)
        gap = found[0].predictors - found[1].predictors
        np.testing.assert_allclose(gap, 0.0, atol=1e-6)
        assert np.isclose(found[0].log_density, found[1].log_density)


def test_modes_have_probabilities():
    modes, shares = modes_of(problem_of("rows"))
    assert len(modes) == len(shares) and np.isclose(shares.sum(), 1.0)
    best = max(modes, key=lambda mode: mode.log_density)
    assert shares[modes.index(best)] == shares.max()
    intercept = make_problem(family="normal", max_order=0, n_rows=4)
    assert len(modes_of(intercept)[0]) == 1


@pytest.mark.parametrize("n_classes", [2, 4])
def test_slopes_of_chains_are_those_of_each(n_classes):
    problem, generator = problem_of("rows", n_classes), np.random.default_rng(0)
    density = Density(problem)
    states = [state_of(problem, drawn_from_prior(problem, generator)) for _ in range(3)]
    together = density.slopes(*of_chains(states))
    heights = density.heights(
        *of_chains(states), density.predictors(*of_chains(states))
    )
    for chain, state in enumerate(states):
        place = of_chains([state])
        alone = density.slopes(*place)
        height = density.heights(*place, density.predictors(*place))
        np.testing.assert_allclose(together[0][:, chain], alone[0][:, 0], atol=1e-4)
        np.testing.assert_allclose(together[1][chain], alone[1][0], atol=1e-4)
        np.testing.assert_allclose(heights[chain], height[0], atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_slopes_at_large_predictors_are_normal_numbers(n_classes):
    problem = problem_of("groups", n_classes)
    likelihood = Contrasts(problem, np.float32)
    predictors = np.linspace(-200, 200, len(problem.totals) * likelihood.n)
    predictors = predictors.reshape(-1, likelihood.n).astype(np.float32)
    expected = likelihood.expected(predictors)
    assert (expected >= np.finfo(np.float32).tiny).all()


def test_a_chain_that_is_refused_leaves_the_others_alone():
    problem = problem_of("rows", n_classes=3)
    sampler = Hamiltonian(problem)
    generators = [np.random.default_rng(seed) for seed in range(3)]
    states = [sampler.start(generator) for generator in generators]
    before = states[1].coordinates
    states[1].log_step = 40.0
    acceptances = [sampler.move(states, generators) for _ in range(20)]
    acceptances = np.mean(acceptances, axis=0)
    assert acceptances[1] == 0.0 and min(acceptances[0], acceptances[2]) > 0.3
    np.testing.assert_array_equal(states[1].coordinates, before)


def test_all_steps_that_are_too_long_are_refused():
    problem, generator = problem_of("rows"), np.random.default_rng(0)
    sampler = Hamiltonian(problem)
    state = sampler.start(generator)
    before = state.coordinates.copy(), state.log_sigma.copy()
    state.log_step = 40.0
    assert sampler.move([state], [generator]) == [0.0]
    np.testing.assert_array_equal(state.coordinates, before[0])
    np.testing.assert_array_equal(state.log_sigma, before[1])


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


def test_what_all_sets_have_is_drawn_from_its_prior():
    problem, generator = problem_of("rows", n_classes=3), np.random.default_rng(0)
    sampler = Hamiltonian(problem)
    state = state_of(problem, drawn_from_prior(problem, generator))
    found = []
    for _ in range(400):
        sampler.sweep([state], [generator])
        widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
        found.append(state.sums.sum(axis=1) / widths / np.sqrt(3))
    found = np.array(found)
    assert np.abs(standardized(found)).max() < 5.5
    assert np.abs(standardized(found**2 - 1)).max() < 5.5
    assert np.abs(standardized(found**2 - 0.5)).max() > 5.5


def test_samplers_are_chosen_by_the_problem(monkeypatch):
    normal = make_problem(family="normal")
    sampler, problem = sampler_for(normal, "auto")
    assert isinstance(sampler, Hamiltonian) and problem is not normal
    for other in (make_problem(), make_problem(family="normal", nested=True)):
        sampler, problem = sampler_for(other, "auto")
        assert not isinstance(sampler, Hamiltonian) and problem is other
    with pytest.raises(ValueError, match="sampler='hmc' requires prior='normal', got"):
        sampler_for(make_problem(), "hmc")
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._moves._samplers.MOST_FACTORIZED", 1)
    assert not isinstance(sampler_for(normal, "auto")[0], Hamiltonian)
    with pytest.raises(ValueError, match="requires at most 1 distinct samples"):
        sampler_for(normal, "hmc")
    monkeypatch.undo()
    many = make_problem(family="normal", max_order=1, n_rows=30, n_columns=4)
    n_groups = many.groups.n_groups
    assert n_groups < len(many.totals)
    monkeypatch.setattr(
        "sklearn_dnfwinnow._bayes._moves._samplers.MOST_FACTORIZED", n_groups
    )
    sampler, problem = sampler_for(many, "auto")
    assert isinstance(sampler, Hamiltonian) and problem is many
