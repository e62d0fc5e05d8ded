"""Hamiltonian Monte Carlo of coordinates and widths, over groups and over row bases."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

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
    Gaussian,
    Hamiltonian,
    HamiltonianState,
    Leapfrog,
    Metric,
    Mode,
    Parametrization,
    Position,
    in_row_basis,
)
from internals.kernels import _kernels, logistic

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
    likelihood = problem.once(Contrasts)
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


def near_prior(problem, seed):
    """Return a position from the prior, with smaller sums if they are Cauchy."""
    position = place_from_prior(problem, seed)
    if problem.prior.family == "normal":
        return position
    z = 0.3 * position.coordinates
    widths = problem.prior.widths(position.log_sigma, problem.groups.counts)
    predictors = problem.to_rows(widths[:, np.newaxis] * np.sinh(z))
    return replace(position, coordinates=z, predictors=predictors)


def centred(problem, seed=0):
    """Return a parametrization with some information, plain for Cauchy priors."""
    if problem.prior.family == "cauchy":
        return Parametrization.plain(problem)
    shape = problem.once(Contrasts).n, problem.groups.n_groups
    return Parametrization(problem, np.random.default_rng(seed).uniform(0, 3, shape))


def metric_of_prior(problem):
    """Return the metric without directions that the rows determine."""
    shape = problem.once(Contrasts).n, problem.groups.n_groups
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


def test_moves_without_the_determinant_of_their_coordinates_are_found(monkeypatch):
    problem = problem_of("rows")
    monkeypatch.setattr(
        Parametrization,
        "heights",
        lambda self, places: np.array([position.height for position in places]),
    )
    found = shifts(problem, [moving(problem, centred(problem))], 0)
    assert np.abs(found).max() > 5.5


def test_moves_for_other_classes_are_found():
    problem = problem_of("rows", n_classes=3)
    wrong = with_prior(problem, problem.prior)
    wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.5
    move = moving(wrong)
    assert np.abs(shifts(problem, [move], 0, n=1200, drawn_for=wrong)).max() > 5.5


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


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_steps_can_be_taken_back(form, n_classes):
    problem, generator = problem_of(form, n_classes), np.random.default_rng(0)
    parametrization = centred(problem)
    places = [near_prior(problem, seed) for seed in range(5)]
    coordinates = parametrization.coordinates(places)
    momenta = generator.normal(size=coordinates.shape)
    of_widths = generator.normal(size=(5, len(problem.prior.scales) - 1))
    metric = metric_of_prior(problem)
    heights = metric.energies(momenta, of_widths) - parametrization.heights(places)
    gaps = []
    for n_steps, size in ((8, 0.04), (16, 0.02)):
        sizes = np.full(5, size)
        log_sigma, z, momentum, of_log_sigma, predictors = steps(
            problem,
            parametrization,
            places,
            n_steps,
            sizes=sizes,
            momenta=momenta,
            of_widths=of_widths,
        )
        ends = parametrization.places(log_sigma, z, predictors)
        for end in ends:
            widths = problem.prior.widths(end.log_sigma, problem.groups.counts)
            np.testing.assert_allclose(
                end.predictors,
                problem.to_rows(widths[:, np.newaxis] * end.values),
                atol=1e-4,
            )
        energies = metric.energies(momentum, of_log_sigma)
        gaps.append(np.abs(energies - parametrization.heights(ends) - heights).max())
        back = steps(
            problem,
            parametrization,
            ends,
            n_steps,
            sizes=sizes,
            momenta=-momentum,
            of_widths=-of_log_sigma,
        )
        np.testing.assert_allclose(back[1], coordinates, atol=1e-4)
        np.testing.assert_allclose(back[2], -momenta, atol=1e-4)
    # The error of the energy is of the second order in the size of steps.
    assert gaps[0] > 3 * gaps[1]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_chains_do_not_depend_on_each_other_or_on_the_processor(n_classes, monkeypatch):
    problem, generator = problem_of("rows", n_classes), np.random.default_rng(0)
    places = [place_from_prior(problem, seed) for seed in range(6)]
    shape = problem.once(Contrasts).n, len(places), problem.groups.n_groups
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


@pytest.mark.parametrize("n_classes", [2, 4])
def test_slopes_at_large_predictors(n_classes):
    problem = problem_of("groups", n_classes)
    position, likelihood = place_from_prior(problem), problem.once(Contrasts)
    widths = problem.prior.widths(position.log_sigma, problem.groups.counts)
    for factor in (30, 1e4):
        coordinates, predictors = (
            factor * position.coordinates,
            factor * position.predictors,
        )
        far = Position(problem, position.log_sigma, coordinates, predictors)
        found = steps(problem, Parametrization.plain(problem), [far], 0)
        assert all(np.isfinite(own).all() for own in found)
        if factor == 30:
            # Two classes of a row are far above the others.
            assert (
                n_classes == 2
                or np.sort(likelihood.to_sets(predictors))[:, 2].max() > 60
            )
            of_rows = problem.memberships @ likelihood.score(predictors)
            expected = widths[:, np.newaxis] * of_rows - coordinates
            np.testing.assert_allclose(found[2][:, 0].T, expected, atol=1e-3)


@pytest.mark.parametrize("form", NORMAL)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_coordinates_of_a_parametrization_have_its_density(form, n_classes):
    problem = problem_of(form, n_classes)
    parametrization, position = centred(problem), place_from_prior(problem)
    log_sigma = position.log_sigma[np.newaxis]
    coordinates = parametrization.coordinates([position])
    (same,) = parametrization.places(
        log_sigma, coordinates, position.predictors.T[:, np.newaxis]
    )
    np.testing.assert_allclose(same.coordinates, position.coordinates)
    np.testing.assert_array_equal(same.predictors, position.predictors)
    # The density is that of z times the derivatives of z by u.
    ratios = position.coordinates.T / coordinates[:, 0]
    height = parametrization.heights([position]).item()
    assert np.isclose(height, position.height + np.log(ratios).sum())
    assert not np.isclose(height, position.height)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_information_about_widths_is_that_of_predictors_and_of_the_prior(
    form, n_classes
):
    problem, h = problem_of(form, n_classes), 1e-5
    parametrization, position = centred(problem), place_from_prior(problem)
    coordinates = parametrization.coordinates([position])
    expected = []
    for order in range(1, len(position.log_sigma)):
        ends, logs = [], []
        for sign in (1, -1):
            log_sigma = position.log_sigma[np.newaxis].copy()
            log_sigma[0, order] += sign * h
            (end,) = parametrization.places(log_sigma, coordinates, np.zeros((1, 1, 1)))
            widths = problem.prior.widths(end.log_sigma, problem.groups.counts)
            ends.append(problem.to_rows(widths[:, np.newaxis] * end.values))
            logs.append(np.log(parametrization.shares_of_prior(log_sigma)))
        direction = (ends[0] - ends[1]) / (2 * h)
        of_rows = problem.once(Contrasts).information_along(
            position.predictors, direction[np.newaxis]
        )
        of_prior = 0.5 * np.sum(((logs[0] - logs[1]) / (2 * h)) ** 2)
        expected.append(of_rows.item() + of_prior)
    found = parametrization.mean_information_of_widths([position])
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_coordinates_are_centred_where_the_rows_determine_them():
    problem = problem_of("rows")
    places = [place_from_prior(problem, seed) for seed in range(6)]
    widths = problem.prior.widths(places[0].log_sigma, problem.groups.counts)
    told = []
    for weight in (1e-3, 1e4):
        weighted = replace(problem, class_weights=weight * problem.class_weights)
        learned = Parametrization.learned(
            weighted, [replace(position, problem=weighted) for position in places]
        )
        told.append((learned.information * widths**2).max())
    assert told[0] < 0.1 and told[1] > 10.0


def test_coordinates_are_plain_at_widths_without_a_factor():
    problem = in_row_basis(make_problem(family="normal", n_rows=12, n_values=3))
    position = place_from_prior(problem)
    far = replace(position, log_sigma=position.log_sigma + [25.0, 25.0, 0.0])
    with pytest.raises(np.linalg.LinAlgError):
        Gaussian(problem, far.log_sigma).variances(np.ones(len(problem.totals)))
    assert (Parametrization.learned(problem, [far]).information == 0.0).all()


@pytest.mark.parametrize("form", NORMAL)
def test_variances_are_those_of_the_inverse(form):
    problem, generator = problem_of(form), np.random.default_rng(0)
    information = generator.uniform(0.1, 3.0, len(problem.totals))
    log_sigma = np.log(problem.prior.scales)
    widths = problem.prior.widths(log_sigma, problem.groups.counts)
    slopes = widths[:, np.newaxis] * problem.to_rows(np.eye(len(widths))).T
    precision = slopes * information @ slopes.T + np.eye(len(widths))
    np.testing.assert_allclose(
        Gaussian(problem, log_sigma).variances(information),
        np.linalg.inv(precision).diagonal(),
    )


@pytest.mark.parametrize("n_classes", [2, 4])
def test_contrasts_tell_the_same_of_the_classes(n_classes):
    problem = problem_of("groups", n_classes)
    likelihood, generator = Contrasts(problem), np.random.default_rng(0)
    shape = len(problem.totals), problem.n_sets
    predictors = generator.normal(size=shape)
    contrasts = likelihood.of_sets(predictors)
    assert contrasts.shape[1] == likelihood.n == max(1, n_classes - 1)
    height = logistic.log_likelihood(
        predictors=predictors,
        weights=problem.weights_of_sets,
        totals=problem.totals,
    )
    assert np.isclose(likelihood.height(contrasts), height)
    same = predictors.mean(axis=1, keepdims=True) * np.sqrt(problem.n_sets)
    np.testing.assert_allclose(likelihood.to_sets(contrasts, same), predictors)
    directions = np.zeros((contrasts.size, *contrasts.shape))
    for direction, index in zip(directions, np.ndindex(contrasts.shape)):
        direction[index] = 1.0
    information = likelihood.information_along(contrasts, directions)
    np.testing.assert_allclose(
        likelihood.information(contrasts), information.reshape(contrasts.shape)
    )
    # Large predictors have probabilities as well.
    assert np.isfinite(likelihood.score(1e4 * contrasts)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_information_is_minus_the_second_derivative(n_classes):
    problem = problem_of("groups", n_classes)
    likelihood, generator = Contrasts(problem), np.random.default_rng(0)
    shape = len(problem.totals), likelihood.n
    position, step = generator.normal(size=(2, *shape))
    h = 1e-3
    second = likelihood.height(position + h * step) + likelihood.height(
        position - h * step
    )
    second = (second - 2 * likelihood.height(position)) / h**2
    found = likelihood.information_along(position, step[np.newaxis]).item()
    np.testing.assert_allclose(found, -second, rtol=1e-4)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_momenta_have_the_covariance_of_the_metric(form, n_classes):
    problem, generator = problem_of(form, n_classes), np.random.default_rng(0)
    problem = replace(problem, class_weights=10 * problem.class_weights)
    places = [place_from_prior(problem, seed) for seed in range(3)]
    metric = Metric.learned(problem, centred(problem), places)
    n_contrasts, n_coordinates, _ = metric.vectors.shape
    momenta, of_widths = metric.draw([generator] * 4000)
    assert metric.factors.min() < -0.1
    energies = 0.5 * np.sum(of_widths**2 * metric.variances, axis=1)
    for contrast in range(n_contrasts):
        vectors = metric.vectors[contrast]
        inverse = np.eye(n_coordinates) + vectors * metric.factors[contrast] @ vectors.T
        white = momenta[contrast] @ np.linalg.cholesky(inverse)
        gap = white.T @ white / len(white) - np.eye(n_coordinates)
        assert np.abs(gap).max() < 5.5 * np.sqrt(2 / len(white))
        energies += 0.5 * np.sum(momenta[contrast] @ inverse * momenta[contrast], 1)
    np.testing.assert_allclose(metric.energies(momenta, of_widths), energies)
    white = of_widths * np.sqrt(metric.variances)
    assert np.abs(np.mean(white**2, axis=0) - 1).max() < 5.5 * np.sqrt(2 / 4000)


def test_the_metric_couples_a_limited_number_of_coordinates(monkeypatch):
    problem = problem_of("cauchy")
    problem = replace(problem, class_weights=10 * problem.class_weights)
    places = [place_from_prior(problem, seed) for seed in range(3)]

    def n_coupled():
        metric = Metric.learned(problem, Parametrization.plain(problem), places)
        return np.any(metric.vectors[0] != 0, axis=1).sum()

    assert n_coupled() > 3
    module = "sklearn_dnfwinnow._bayes._metric"
    monkeypatch.setattr(f"{module}.MOST_FACTORIZED", 3)
    assert n_coupled() == 3


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", NORMAL)
def test_modes_are_stationary(form, n_classes, monkeypatch):
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._parametrization._STEPS", 200)
    monkeypatch.setattr("sklearn_dnfwinnow._bayes._parametrization._LEAST_RISE", 1e-12)
    problem = problem_of(form, n_classes)
    mode = Mode.of(problem, np.log(problem.prior.scales) + 1.0)
    slopes = steps(problem, Parametrization.plain(problem), [mode], 0)[2]
    np.testing.assert_allclose(slopes, 0.0, atol=1e-3)
    widths = problem.prior.widths(mode.log_sigma, problem.groups.counts)
    predictors = problem.to_rows(widths[:, np.newaxis] * mode.coordinates)
    np.testing.assert_allclose(mode.predictors, predictors, atol=1e-9)


def test_the_approximate_density_of_widths_is_near_that_by_importance_sampling():
    problem = problem_of("rows")
    likelihood, generator = problem.once(Contrasts), np.random.default_rng(0)
    log_ratios = []
    for shift in (-1.0, 0.5):
        log_sigma = np.log(problem.prior.scales) + shift
        widths = problem.prior.widths(log_sigma, problem.groups.counts)[:, np.newaxis]
        heights = []
        for _ in range(4000):
            z = generator.standard_normal((problem.groups.n_groups, 1))
            heights.append(likelihood.height(problem.to_rows(widths * z)))
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


def test_a_chain_that_is_refused_leaves_the_others_alone():
    problem = problem_of("rows", n_classes=3)
    sampler = Hamiltonian(problem)
    generators = [np.random.default_rng(seed) for seed in range(3)]
    states = [sampler.start(generator) for generator in generators]
    before = states[1].position
    states[1].log_step = 40.0
    acceptances = [sampler.move(states, generators) for _ in range(20)]
    acceptances = np.mean(acceptances, axis=0)
    assert acceptances[1] == 0.0 and min(acceptances[0], acceptances[2]) > 0.3
    assert states[1].position is before


def test_all_steps_that_are_too_long_are_refused():
    problem, generator = problem_of("rows"), np.random.default_rng(0)
    sampler = Hamiltonian(problem)
    state = sampler.start(generator)
    before = state.position
    state.log_step = 40.0
    assert sampler.move([state], [generator]) == [0.0]
    assert state.position is before


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
