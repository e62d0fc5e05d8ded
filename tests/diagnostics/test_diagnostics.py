"""Diagnostics of chains, their display, and sample sizes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from math import comb, cosh, exp, log, sinh

import numpy as np
import pytest
from internals.kernels import _kernels
from numpy.testing import assert_allclose, assert_array_equal
from reference import (
    CHAINS,
    log_sum,
    oracle,
    phis,
    plain_winnow,
    problem_of,
    random_problem,
    subsets,
)
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.diagnostics import (
    diagnose_chains,
    diagnose_weighted_sum,
    sample_size,
)
from sklearn_dnfwinnow.samplers import SAMPLERS, Gibbs, Metropolis
from sklearn_dnfwinnow.sums import log_weighted_sum


def of_oracle(name):
    (instance,) = (i for i in oracle() if i["name"] == name)
    return instance


def diagnose(instance, **options):
    """Diagnostics of an instance of the oracle, warnings apart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return diagnose_weighted_sum(
            instance["agreements"],
            instance["net_counts"],
            alpha=instance["alpha"],
            literal_weight=instance["literal_weight"],
            **options,
        )


# -- what the kernel sees --------------------------------------------------------------


@pytest.mark.parametrize("tempering", [False, True])
@pytest.mark.parametrize("sampler", CHAINS)
def test_looking_at_chains_does_not_change_them(sampler, tempering):
    agreements, net_counts = random_problem(9, 60, seed=1)
    options = {"sampler": SAMPLERS[sampler](tempering=tempering), "random_state": 3}
    found = diagnose_weighted_sum(agreements, net_counts, **options)
    estimate = log_weighted_sum(agreements, net_counts, **options)
    assert found.weighted_sum == estimate
    assert_allclose(
        np.sqrt((found.std_errors**2).sum()), estimate.std_error, rtol=1e-12
    )
    log_first = problem_of(agreements, net_counts).log_total(0.0)
    assert_allclose(found.log_ratios.sum() + log_first, estimate.log_value)


@pytest.mark.parametrize("early_stop", [False, True])
@pytest.mark.parametrize("sampler", CHAINS)
def test_traces_give_the_ratios(sampler, early_stop):
    problem = problem_of(*random_problem(7, 40, seed=2))
    options = {"n_steps": 14_000, "ladder_scale": "sum", "early_stop": early_stop}
    engine = SAMPLERS[sampler](tempering=True, **options).engine()
    _, seen = engine.observed(problem, log(1.5), 0.0, 11)
    n_rungs = len(seen.log_ratios)
    assert n_rungs > 2 * _kernels.chains.CHAINS_AT_ONCE
    log_step = log(1.5) / n_rungs
    phi = seen.traces + problem.phi_low
    assert_allclose(-np.log(np.exp(-log_step * phi).mean(axis=1)), seen.log_ratios)
    # Swaps: all along the ladder, or inside groups of chains alone.
    assert (seen.accepted <= seen.attempted).all() and seen.attempted[-1] == 0
    borders = seen.attempted[:-1] == 0
    n_groups = -(-n_rungs // _kernels.chains.CHAINS_AT_ONCE)
    assert borders.sum() == (n_groups - 1 if early_stop else 0)


@pytest.mark.parametrize("sampler", CHAINS)
def test_moves_and_swaps_where_all_terms_weigh_the_same(sampler):
    n = 6
    options = {"tempering": True, "n_steps": 60_000}
    engine = SAMPLERS[sampler](**options).engine().in_full()
    problem = problem_of(np.eye(n, dtype=bool), [1, -1] * 3)
    log_alpha = 1e-9
    _, seen = engine.observed(problem, log_alpha, 0.0, 5)
    assert len(seen.log_ratios) == 1  # one rung is no pair
    assert_array_equal(seen.attempted, 0)
    # Gibbs draws anew; the others change unless they rest.
    p = 0.5 if sampler == "gibbs" else 1 - 1 / n
    deviation = seen.moves[0] - 60_000 * p
    assert abs(deviation) < 6 * np.sqrt(60_000 * p * (1 - p))
    # And of a wrong probability the same test says no.
    assert abs(deviation + 60_000 * 0.02) > 6 * np.sqrt(60_000 * p * (1 - p))

    engine = SAMPLERS[sampler](**options, ladder_step=1e-10).engine().in_full()
    _, seen = engine.observed(problem, log_alpha, 0.0, 5)
    n_samples = 60_000 // engine.sites_a_sample(problem)
    assert len(seen.log_ratios) == 30
    assert_array_equal(seen.accepted, seen.attempted)
    tried = seen.attempted.sum()
    assert abs(tried - 0.9 * n_samples) < 6 * np.sqrt(n_samples * 0.09)


def test_acceptance_and_swaps_against_their_laws():
    # Gibbs at the top rung, and the swaps into it, on eight terms.
    agreements, net_counts = random_problem(3, 7, seed=21)
    problem = problem_of(agreements, net_counts, compress=False)
    gibbs = Gibbs(tempering=True, n_steps=3 * 200_000, ladder_step=0.5)
    engine = gibbs.engine().in_full()
    log_alpha = log(1.5)
    _, seen = engine.observed(problem, log_alpha, 0.0, 8)
    n_rungs = len(seen.log_ratios)
    phi = phis(problem.agreements, problem.net_counts)
    weights = 1.5 ** (np.outer(np.arange(n_rungs + 1) / n_rungs, phi))
    laws = weights / weights.sum(axis=1, keepdims=True)
    assert n_rungs >= 2
    for i in range(1, n_rungs):
        # A swap of s below and t above is accepted by min(1, alpha^(phi_s - phi_t)).
        ratio = np.exp(log_alpha / n_rungs * (phi[:, None] - phi[None, :]))
        rate = laws[i] @ np.minimum(1, ratio) @ laws[i + 1]
        found = seen.accepted[i - 1] / seen.attempted[i - 1]
        # Attempts are all but independent; correlated ones at twice the error.
        error = np.sqrt(rate * (1 - rate) / seen.attempted[i - 1])
        assert abs(found - rate) < 12 * error
        assert abs(found - rate - 0.05) > 12 * error
    terms = subsets(3)
    index = {tuple(term): k for k, term in enumerate(terms)}
    changed = 0.0
    for j in range(3):
        flipped = terms.copy()
        flipped[:, j] ^= True
        other = np.array([index[tuple(term)] for term in flipped])
        law = laws[-1]
        changed += (law * law[other] / (law + law[other])).sum() / 3
    n_examples = 3 * 200_000
    error = np.sqrt(changed * (1 - changed) / n_examples)
    assert abs(seen.moves[-1] / n_examples - changed) < 12 * error
    assert abs(seen.moves[-1] / n_examples - changed - 0.03) > 12 * error


# -- autocorrelation -------------------------------------------------------------------


def test_autocorrelation_time_of_a_chain_of_two_terms():
    # One attribute by Metropolis: the second eigenvalue is 1 - P(on) - P(off).
    found = diagnose_weighted_sum(
        [[True], [False]],
        [3, -1],
        alpha=1.5,
        sampler=Metropolis(ladder_step=50.0, n_steps=200_000),
        random_state=0,
    )
    (time,) = found.autocorrelation_times
    x = 1.5  # the update of exponent -1 dies where the attribute is constrained
    rho = 1 - 0.5 * min(1, x) - 0.5 * min(1, 1 / x)
    assert_allclose(time, (1 + rho) / (1 - rho), rtol=0.1)
    assert_allclose(found.effective_sample_sizes, 200_000 / time)


def test_a_series_that_never_changes():
    # The last rung of a steep ladder: one term is left.
    found = diagnose_weighted_sum(
        np.eye(4, dtype=bool), [60, -60, 60, -60], alpha=5.0, random_state=0
    )
    assert np.isnan(found.autocorrelation_times).any()
    assert (
        found.effective_sample_sizes[np.isnan(found.autocorrelation_times)] > 0
    ).all()
    assert "effective samples" in str(found)


# -- verdicts --------------------------------------------------------------------------


def test_two_starts_tell_chains_that_miss_heavy_terms():
    # Of the oracle: chains from alpha = 1 are wrong by e^23 here, and sure of it.
    instance = of_oracle("auto/3")
    found = diagnose(instance, random_state=0)
    assert found.weighted_sum.std_error < 1
    assert abs(found.weighted_sum.log_value - instance["log_weighted_sum"]) > 10
    assert found.too_short and "from two starts" in str(found)
    with pytest.warns(ConvergenceWarning, match=r"sampler='gibbs' are too short") as w:
        diagnose_weighted_sum(
            instance["agreements"],
            instance["net_counts"],
            alpha=instance["alpha"],
            random_state=0,
        )
    assert w[0].filename == __file__ and "n_steps (here" in str(w[0].message)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("name", ["house-votes-84/0", "breast-cancer/0", "car/0"])
@pytest.mark.parametrize("sampler", CHAINS)
def test_long_chains_are_left_in_peace(sampler, name):
    sampler = SAMPLERS[sampler](n_steps=50_000)
    found = diagnose(of_oracle(name), sampler=sampler, random_state=0)
    assert found.complaints == []
    assert found.effective_sample_size > 100
    assert found.distance_of_starts < 4


@pytest.mark.parametrize("sampler", CHAINS)
def test_hardly_any_steps_are_too_few(sampler):
    sampler = SAMPLERS[sampler](n_steps=16)
    found = diagnose(of_oracle("house-votes-84/0"), sampler=sampler)
    assert found.too_short


def test_sums_without_chains():
    found = diagnose_weighted_sum([[True, False]], [3])
    assert found.weighted_sum.exact and len(found.alphas) == 0
    assert not found.too_short and "log W = " in str(found)
    assert found.effective_sample_size == np.inf


def test_parameters_that_are_refused():
    with pytest.raises(ValueError, match=r"runs Markov chains.* got sampler='exact'"):
        diagnose_weighted_sum([[True]], [1], sampler="exact")
    with pytest.raises(ValueError, match="'sampler' parameter"):
        diagnose_weighted_sum([[True]], [1], sampler="gibs")
    with pytest.raises(ValueError, match="net_promotion_counts must be of shape"):
        diagnose_weighted_sum([[True]], [1, 2])


# -- of an estimator -------------------------------------------------------------------


@pytest.fixture(scope="module")
def fitted():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=False)
    clf = plain_winnow(
        sampler=Gibbs(n_steps=2000, tempering=True), max_iter=2, random_state=0
    )
    return clf.fit(X, y), X


def test_diagnostics_are_of_the_chains_of_prediction(fitted):
    clf, X = fitted
    X = X[[3, 0, 3]]
    diagnostics = diagnose_chains(clf, X)
    assert diagnostics.shape == (3, 2)
    values = [[found.weighted_sum.log_value for found in row] for row in diagnostics]
    assert_array_equal(np.array(values) - clf.log_threshold_, clf.log_weighted_sums(X))
    assert diagnostics[0, 0] is diagnostics[2, 0]


@pytest.mark.slow
def test_diagnostics_through_a_pipeline(fitted):
    clf, _ = fitted
    X = np.array([[5.0, 1.0], [4.0, 1.1], [1.0, 7.0], [2.0, 6.5], [5.5, 6.6]] * 4)
    y = [0, 0, 1, 1, 0] * 4
    pipeline = make_pipeline(ClassEntropyDiscretizer(), clone(clf)).fit(X, y)
    diagnostics = diagnose_chains(pipeline, X)
    values = [[found.weighted_sum.log_value for found in row] for row in diagnostics]
    scores = pipeline.decision_function(X)
    assert_allclose(np.diff(values, axis=1)[:, 0], scores, atol=1e-12)
    alone = diagnose_chains(make_pipeline(clf), fitted[1][:1])
    assert alone[0, 0].weighted_sum == diagnose_chains(*fitted)[0, 0].weighted_sum


def test_estimators_without_chains_are_refused(fitted):
    _, X = fitted
    exact = DNFWinnowClassifier(max_iter=1, cv=None).fit(X, np.arange(len(X)) % 2)
    with pytest.raises(ValueError, match=r"runs Markov chains.* got sampler='auto'"):
        diagnose_chains(exact, X)
    with pytest.raises(NotFittedError):
        diagnose_chains(DNFWinnowClassifier(sampler="gibbs"), X)
    with pytest.raises(TypeError, match="got ClassEntropyDiscretizer"):
        diagnose_chains(ClassEntropyDiscretizer(), X)
    with pytest.raises(ValueError, match="X has 5 features"):
        diagnose_chains(fitted[0], X[:, :5])


def test_one_warning_for_all_short_chains(fitted):
    clf, X = fitted
    clf = clone(clf).set_params(sampler__n_steps=6, sampler__burn_in=0)
    y = np.arange(len(X)) % 2
    with pytest.warns(ConvergenceWarning) as caught:
        clf.fit(X, y)
    (warning,) = [w for w in caught if w.category is ConvergenceWarning]
    assert warning.filename == __file__ and "of 8 diagnosed sums" in str(
        warning.message
    )
    with pytest.warns(ConvergenceWarning) as caught:
        diagnose_chains(clf, X[:5])
    assert len(caught) == 1 and caught[0].filename == __file__


def test_fit_does_not_complain_of_chains_that_are_long_enough(fitted):
    clf, X = fitted
    y = np.arange(len(X)) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(clf).set_params(max_iter=1, sampler__n_steps=5000).fit(X, y)


def test_looking_at_chains_does_not_change_a_fit(fitted, monkeypatch):
    clf, X = fitted
    y = np.arange(len(X)) % 2
    looked = clone(clf).fit(X, y)
    monkeypatch.setattr(Gibbs, "runs_chains", False)
    unseen = clone(clf).fit(X, y)
    assert_array_equal(looked.net_promotion_counts_, unseen.net_promotion_counts_)
    assert_array_equal(looked.log_weighted_sums(X), unseen.log_weighted_sums(X))


# -- sample sizes ----------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "r", "kappa"), [(0.1, 18, 1), (1.0, 1, 2.5)])
def test_sample_size_is_theorem_4(epsilon, r, kappa):
    size = sample_size(epsilon, r, ladder_step=kappa)
    spread = exp(2 * kappa)
    assert size.n_samples - 1 < 130 * spread * r / epsilon**2 <= size.n_samples
    assert_allclose(size.variation_distance, epsilon / (5 * spread * r))
    assert (size.n_runs, size.burn_in, size.n_steps) == (1, None, None)


@pytest.mark.parametrize("delta", [0.5, 0.03, 0.02, 1e-3, 1e-6, 1e-12])
def test_the_median_of_as_many_runs_errs_seldom_enough(delta):
    def fails(n):
        p = 1 / 46  # one run, see the notes of `sample_size`
        more = range(n // 2 + 1, n + 1)
        return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in more)

    n_runs = sample_size(0.1, 5, delta=delta).n_runs
    assert n_runs % 2 == 1 and fails(n_runs) <= delta
    assert n_runs == 1 or fails(n_runs - 2) > delta


def test_steps_from_a_relaxation_time():
    size = sample_size(0.2, 7, relaxation_time=30.0, log_weight_range=12.0)
    times = log(1 / (2 * size.variation_distance)) + 6
    assert size.burn_in == np.ceil(30 * times)
    assert size.n_steps == size.burn_in * size.n_samples * size.n_runs
    # The bound holds for a chain whose distance is known.
    agreements, net_counts = random_problem(4, 9, seed=5)
    phi = phis(agreements, net_counts)
    weights = 1.5**phi
    pi = weights / weights.sum()
    terms = subsets(4)
    other = [[(k ^ (1 << (3 - j))) for j in range(4)] for k in range(16)]
    assert all((terms[k] != terms[o]).sum() == 1 for k in range(16) for o in other[k])
    matrix = np.zeros((16, 16))
    for k in range(16):
        for o in other[k]:
            matrix[k, o] = (1 - 1 / 4) / 4 * min(1, weights[o] / weights[k])
        matrix[k, k] = 1 - matrix[k].sum()
    second = np.sort(np.abs(np.linalg.eigvals(matrix)))[-2]
    size = sample_size(
        epsilon=0.1,
        n_rungs=5,
        relaxation_time=1 / (1 - second),
        log_weight_range=log(1.5) * (phi.max() - phi.min()),
    )
    law = np.full(16, 1 / 16) @ np.linalg.matrix_power(matrix, size.burn_in)
    assert np.abs(law - pi).sum() / 2 <= size.variation_distance


def exact_laws(agreements, net_counts, alpha, kappa):
    """phi of all terms, laws at the rungs, log step, and log W."""
    phi = phis(agreements, net_counts)
    m = max(phi.max(), -phi.min())
    n_rungs = int(np.ceil(log(alpha) / np.log1p(kappa / m)))
    log_step = log(alpha) / n_rungs
    weights = np.exp(log_step * np.outer(np.arange(1, n_rungs + 1), phi))
    laws = weights / weights.sum(axis=1, keepdims=True)
    return phi, laws, log_step, log_sum(agreements, net_counts, alpha, 1.0)


def independent_estimates(problem, n_samples, n_estimates, seed=0):
    """log of W-hat / W by independent samples from the very laws of the rungs."""
    phi, laws, log_step, value = problem
    random = np.random.RandomState(seed)
    f = np.exp(-log_step * phi)
    counts = [random.multinomial(n_samples, law, n_estimates) for law in laws]
    log_means = [np.log(c @ f / n_samples) for c in counts]
    return log(len(phi)) - np.sum(log_means, axis=0) - value


@pytest.mark.parametrize(("kappa", "too_few"), [(1.0, 40_000), (2.0, 200_000)])
def test_theorem_4_holds_with_independent_samples(kappa, too_few):
    problem = exact_laws(*random_problem(6, 25, seed=6), 1.5, kappa)
    phi, laws, log_step, _ = problem
    f = np.exp(-log_step * phi)
    assert f.max() <= exp(kappa) and f.min() >= exp(-kappa)  # Lemma 3
    # The bound on variances in the notes of sample_size.
    variances = laws @ f**2 / (laws @ f) ** 2 - 1
    assert variances.max() <= sinh(kappa) ** 2 < exp(2 * kappa) / 4 * (1 + 1e-12)
    assert cosh(kappa) ** 2 - 1 <= exp(2 * kappa) / 4
    epsilon, n_estimates = 0.2, 400
    n_samples = sample_size(epsilon, len(laws), ladder_step=kappa).n_samples
    errors = np.abs(np.expm1(independent_estimates(problem, n_samples, n_estimates)))
    # At most 1 / 46 may fail; that 40 of 400 do has a probability below 1e-13.
    assert (errors > epsilon).sum() < 40
    # Control: the promise is no tautology, only generous.
    few = independent_estimates(problem, n_samples // too_few, n_estimates)
    assert (np.abs(np.expm1(few)) > epsilon).sum() > 40


@pytest.mark.parametrize(
    "params",
    [{"epsilon": 0.0}, {"epsilon": 1.5}, {"n_rungs": 0}, {"delta": 1.0},
     {"ladder_step": 0.0}, {"relaxation_time": -1.0}],
)  # fmt: skip
def test_sample_sizes_that_are_refused(params):
    (name,) = params
    with pytest.raises(ValueError, match=f"'{name}' parameter of sample_size"):
        sample_size(**{"epsilon": 0.1, "n_rungs": 5, **params})
