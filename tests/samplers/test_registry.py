"""The registry: samplers of one's own take one class, or two, and one entry."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import problem_of, random_problem
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils import estimator_checks

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.diagnostics import diagnose_chains, diagnose_weighted_sum
from sklearn_dnfwinnow.samplers import (
    SAMPLERS,
    Auto,
    Engine,
    Exact,
    Frontier,
    Gibbs,
    MarkovChain,
    Sampler,
)
from sklearn_dnfwinnow.sums import WeightedSum, log_weighted_sum

X, Y = load_monks(1, subset="train", return_X_y=True, as_frame=False)
SETTINGS = {"max_iter": 2, "cv": None, "average": False, "random_state": 0}

# -- an engine of one's own ------------------------------------------------------------


class Subsets(Sampler):
    """Sums over all subsets of attributes, in blocks."""

    name = "subsets"
    _parameter_constraints = {"block": Frontier._parameter_constraints["n_replicates"]}

    def __init__(self, *, block=256):
        self.block = block

    def engine(self, max_term_size=None):
        return SubsetsEngine(self.block, max_term_size=max_term_size)


@dataclass(frozen=True)
class SubsetsEngine(Engine):
    block: int

    def log_sum(self, problem, log_alpha, log_beta, stream):
        terms = np.array(list(product([False, True], repeat=problem.n)))
        if self.max_term_size is not None:
            terms = terms[terms.sum(axis=1) <= self.max_term_size]
        log_value = -np.inf
        for block in np.array_split(terms, -(-len(terms) // self.block)):
            outside = block.astype(int) @ ~problem.agreements.T
            phi = (outside == 0) @ problem.net_counts
            logs = block @ problem.log_odds(log_beta) + phi * log_alpha
            log_value = np.logaddexp(log_value, np.logaddexp.reduce(logs))
        log_value = float(log_value) + problem.log_free(log_beta)
        return WeightedSum(log_value, 0.0, True, "subsets")


@pytest.fixture
def subsets(monkeypatch):
    monkeypatch.setitem(SAMPLERS, Subsets.name, Subsets)


@pytest.mark.slow_beyond(2)
@pytest.mark.usefixtures("subsets")
@pytest.mark.parametrize(
    "sampler, multi_class, max_term_size",
    [
        ("subsets", "joint", None),
        ("subsets", "ovr", 2),
        (Subsets(block=7), "joint", 2),
        (Subsets(block=7), "ovr", None),
    ],
    ids=str,
)
def test_an_engine_of_ones_own_trains_and_predicts(sampler, multi_class, max_term_size):
    options = {"multi_class": multi_class, "max_term_size": max_term_size, **SETTINGS}
    ours = DNFWinnowClassifier(sampler=sampler, **options).fit(X, Y)
    exact = DNFWinnowClassifier(sampler="exact", **options).fit(X, Y)
    assert_array_equal(ours.net_promotion_counts_, exact.net_promotion_counts_)
    assert_allclose(ours.decision_function(X), exact.decision_function(X), atol=1e-9)
    assert_array_equal(ours.predict(X), exact.predict(X))
    ours.partial_fit(X[:5], Y[:5])
    # Reading sums as 'auto' does.
    assert str(ours.explain(X[:2])) == str(
        exact.partial_fit(X[:5], Y[:5]).explain(X[:2])
    )
    for copy in (pickle.loads(pickle.dumps(ours)), clone(ours).fit(X, Y)):
        assert str(copy.sampler) == str(sampler)


@pytest.mark.usefixtures("subsets")
def test_an_engine_of_ones_own_is_known_everywhere():
    sums = [
        log_weighted_sum(*random_problem(7, 30, seed=0), sampler=sampler).log_value
        for sampler in ("subsets", "exact", Subsets())
    ]
    assert_allclose(sums, sums[0], rtol=1e-12)
    with pytest.raises(ValueError, match=r"str among .*'gibbs'.*'subsets'"):
        DNFWinnowClassifier(sampler="subset").fit(X, Y)
    with pytest.raises(ValueError, match=r"str among .*'subsets'"):
        log_weighted_sum([[True]], [1], sampler="subset")
    with pytest.raises(ValueError, match="'block' parameter of sampler Subsets must"):
        DNFWinnowClassifier(sampler=Subsets(block=0)).fit(X, Y)
    grid = {"sampler": ["subsets", Subsets(block=9)], "alpha": [1.1, 1.5]}
    search = GridSearchCV(DNFWinnowClassifier(**SETTINGS), grid, cv=2).fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert isinstance(DNFWinnowClassifier.paper_settings("subsets")["sampler"], Subsets)
    clf = DNFWinnowClassifier(sampler=Subsets(block=5), **SETTINGS).fit(X, Y)
    again = pickle.loads(pickle.dumps(clf))
    assert again.sampler.block == 5
    assert_array_equal(again.decision_function(X), clf.decision_function(X))
    with pytest.raises(ValueError, match=r"runs Markov chains.* got sampler='subsets'"):
        diagnose_weighted_sum([[True]], [1], sampler="subsets")


def test_samplers_that_are_in_no_registry_can_be_passed_all_the_same():
    clf = DNFWinnowClassifier(sampler=Subsets(), **SETTINGS).fit(X, Y)
    exact = clone(clf).set_params(sampler="exact").fit(X, Y)
    assert_array_equal(clf.predict(X), exact.predict(X))
    with pytest.raises(ValueError, match="'sampler' parameter"):
        clone(clf).set_params(sampler="subsets").fit(X, Y)


PARAMETER_CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimators_overwrite_params,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_set_params,
]
SUBSETS = DNFWinnowClassifier(sampler=Subsets(), max_iter=2, cv=None)


@pytest.mark.parametrize("sampler", [Subsets(), "brute_force"])
def test_a_weight_is_a_number_of_copies_for_engines_that_enumerate(sampler):
    weights = np.arange(len(X)) % 3
    weighted = clone(SUBSETS).set_params(sampler=sampler, random_state=0)
    copied = clone(weighted)
    weighted.fit(X, Y, sample_weight=weights)
    copied.fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    found = weighted.predict_proba(X), copied.predict_proba(X)
    assert np.allclose(*found, rtol=1e-12)
    assert not np.allclose(found[0], clone(weighted).fit(X, Y).predict_proba(X))


@pytest.mark.parametrize("check", PARAMETER_CHECKS, ids=lambda check: check.__name__)
def test_samplers_of_ones_own_are_parameters(check):
    check("DNFWinnowClassifier", SUBSETS)


# -- what is certain of an engine ------------------------------------------------------


class Noisy(Subsets):
    """Sums that are off by as much as e^9, in either direction."""

    name = "noisy"

    def engine(self, max_term_size=None):
        return NoisyEngine(self.block, max_term_size=max_term_size)


class NoisyEngine(SubsetsEngine):
    def log_sum(self, problem, log_alpha, log_beta, stream):
        found = super().log_sum(problem, log_alpha, log_beta, stream)
        return WeightedSum(
            found.log_value + 18 * (stream / 2**64 - 0.5), 1.0, False, "noisy"
        )


def test_estimates_of_an_engine_decide_predictions():
    y = X[:, 0] * 3 + X[:, 1]
    options = {"literal_weight": 1.0, **SETTINGS}
    clf = DNFWinnowClassifier(sampler="exact", **options).fit(X, y)
    exact = clf.predict(X)
    clf.set_params(sampler=Noisy())
    expected = clf.classes_[clf.decision_function(X).argmax(axis=1)]
    assert (clf.predict(X) == expected).all()
    # Negative control: the noise changes predictions.
    assert (expected != exact).any()


def test_engines_promise_nothing_by_default():
    engine = Engine()
    counts = np.ones((3, 2), dtype=int)
    assert engine.in_full() is engine
    engine.check_rows(counts, counts, counts)
    engine.check_training(counts, counts)
    with pytest.raises(NotImplementedError):
        engine.log_sum(None, 0.1, 0.0, 0)
    with pytest.raises(NotImplementedError):
        Sampler().engine()


# -- a chain of one's own --------------------------------------------------------------


class RandomSites(MarkovChain):
    """Gibbs chains that renew one attribute at random in a step."""

    name = "random_sites"
    transition = {"random_site": True, "heat_bath": True}

    def climb(
        self,
        *,
        problem,
        log_alpha,
        log_odds,
        kinds,
        log_first,
        burn_in,
        n_steps,
        stream,
        observed,
        from_term=None,
        **others,
    ):
        n, n_rungs = problem.n, len(observed.log_ratios)
        random = np.random.default_rng(stream)
        kills, net_counts = ~problem.agreements.T, problem.net_counts
        log_step = log_alpha / n_rungs
        alphas = log_step * np.arange(1, n_rungs + 1)
        states = np.zeros((n_rungs, n), dtype=int)
        if from_term is not None:
            states[:] = from_term
        samples = np.empty((n_rungs, n_steps))
        n_moves = np.zeros(n_rungs, dtype=np.int64)
        for step in range(-burn_in, n_steps):
            j = random.integers(n)
            phis = []
            for value in (0, 1):
                before, states[:, j] = states[:, j].copy(), value
                phis.append((states @ kills == 0) @ net_counts)
                states[:, j] = before
            gain = log_odds[kinds[j]] + alphas * (phis[1] - phis[0])
            new = random.random(n_rungs) < 1 / (1 + np.exp(-gain))
            if step >= 0:
                n_moves += new != states[:, j]
                samples[:, step] = np.where(new, phis[1], phis[0])
            states[:, j] = new
        ratios = np.exp(-log_step * samples)
        means = ratios.mean(axis=1)
        observed.log_ratios[:] = -np.log(means)
        batches = np.array([b.mean(axis=1) for b in np.array_split(ratios, 20, axis=1)])
        observed.variances[:] = batches.var(axis=0, ddof=1) / 20 / means**2
        if observed.traces is not None:
            observed.moves[:] = n_moves
            observed.traces[:] = samples[:, :: observed.every] - problem.phi_low
        return log_first + observed.log_ratios.sum(), n_rungs, n_rungs


class RandomScan(MarkovChain):
    """The same chains, by the kernel."""

    name = "random_scan"
    transition = {"random_site": True, "heat_bath": True}


@pytest.fixture
def random_sites(monkeypatch):
    monkeypatch.setitem(SAMPLERS, RandomSites.name, RandomSites)


@pytest.mark.parametrize("cls", [RandomSites, RandomScan])
def test_a_chain_of_ones_own_estimates(cls):
    agreements, net_counts = random_problem(6, 30, seed=3)
    sampler = cls(n_steps=4000)
    exact = log_weighted_sum(agreements, net_counts, sampler="exact")
    found = log_weighted_sum(agreements, net_counts, sampler=sampler, random_state=0)
    assert not found.exact and found.sampler == cls.name
    assert 0 < found.std_error < 0.1
    assert abs(found.log_value - exact.log_value) < 6 * found.std_error
    assert found == log_weighted_sum(
        agreements, net_counts, sampler=sampler, random_state=0
    )
    # The same chains as the kernel's, but for the order of sites.
    gibbs = log_weighted_sum(
        agreements, net_counts, sampler=Gibbs(n_steps=4000), random_state=0
    )
    assert found.n_ladder == gibbs.n_ladder


@pytest.mark.filterwarnings("ignore:The Markov chains")
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.usefixtures("random_sites")
def test_a_chain_of_ones_own_trains_and_predicts(multi_class):
    rows, labels = X[:24, :4], Y[:24]
    clf = DNFWinnowClassifier(
        sampler="random_sites", multi_class=multi_class, **{**SETTINGS, "max_iter": 1}
    )
    with pytest.raises(
        ValueError, match=r"'gibbs', .*'random_sites'; got max_term_size="
    ):
        clone(clf).set_params(max_term_size=2).fit(rows, labels)
    clf.fit(rows, labels)
    assert clf.max_term_size_ is None and clf.chains_["run"] > 0
    scores = clf.decision_function(rows)
    assert_array_equal(clf.predict(rows), clf.classes_[(scores > 0).astype(int)])
    found = diagnose_chains(clf, rows[:1])[0, 0]
    assert found.weighted_sum.sampler in ("random_sites", "closed_form")
    clf.set_params(sampler=RandomSites(), sampler__n_steps=30)
    other = clf.decision_function(rows)
    assert (other != scores).any()
    assert_array_equal(pickle.loads(pickle.dumps(clf)).decision_function(rows), other)
    settings = DNFWinnowClassifier.paper_settings("random_sites")
    assert settings["sampler"].ladder_scale == "sum"


# -- the registry ----------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLERS)
def test_samplers_are_objects_of_scikit_learn(name):
    cls = SAMPLERS[name]
    sampler = cls()
    assert cls.name == name
    params = sampler.get_params()
    assert params.keys() == cls._parameter_constraints.keys()
    assert repr(sampler) == f"{cls.__name__}()"
    assert clone(sampler).get_params() == params
    assert pickle.loads(pickle.dumps(sampler)).get_params() == params
    max_term_size = None if cls.runs_chains else 3
    engine = sampler.engine(max_term_size)
    assert isinstance(engine, Engine)
    assert engine.max_term_size == max_term_size
    for key in params:
        broken = cls(**{key: "broken"})
        with pytest.raises(ValueError, match=f"'{key}' parameter of sampler"):
            log_weighted_sum(*random_problem(7, 30, seed=0), sampler=broken)
    with pytest.raises(TypeError):
        cls(no_parameter=1)


def test_largest_budgets():
    agreements, net_counts = random_problem(7, 30, seed=0)
    problem = problem_of(agreements, net_counts)
    engines = [cls(max_states=2**30).engine() for cls in (Auto, Exact, Frontier)]
    sums = {engine.log_sum(problem, 0.4, 0.0, 1).log_value for engine in engines}
    assert_allclose(list(sums), min(sums), rtol=1e-12)
