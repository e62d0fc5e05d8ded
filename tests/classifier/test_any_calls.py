"""What holds for any table, parameters and calls: looked for with Hypothesis.

A few cases, always the same, are part of the tests. ``.ci/seeds`` tries many more, new
ones each time.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import math
import os
import pickle
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import Exact, Frontier, Gibbs, Metropolis

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, assume, settings
from hypothesis import given as given_any
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

ALL_SEEDS = os.environ.get("SKLEARN_DNFWINNOW_TESTS_SEEDS") == "all"
pytestmark = pytest.mark.filterwarnings("ignore")


def profile(n_cases, times=20, **more):
    """So many cases, always the same; with all seeds many times as many, and new."""
    return settings(
        max_examples=n_cases * times if ALL_SEEDS else n_cases,
        derandomize=not ALL_SEEDS,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        **more,
    )


def given(n_cases, *args, **kwargs):
    """Hypothesis's own, for so many cases."""
    return lambda test: profile(n_cases)(given_any(*args, **kwargs)(test))


# -- tables ----------------------------------------------------------------------------

WORDS = st.text(max_size=3)
KINDS = {
    "digits": st.integers(-2, 3),
    "integers": st.integers(-(2**63), 2**63 - 1),
    "floats": st.floats(allow_infinity=False),
    "words": WORDS,
    "booleans": st.booleans(),
    "sets": st.frozensets(st.integers(0, 2)),
    "anything": st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_infinity=False),
        st.text(st.characters(), max_size=2),
        st.binary(max_size=2),
        st.tuples(WORDS, st.integers(0, 1)),
    ),
}
# Types of pandas, by the kinds of values that they take.
PANDAS_TYPES = {
    "digits": ["object", "Int64", "Float64", "category", None],
    "integers": ["object", "Int64", "category", None],
    "floats": ["object", "Float64", "category", None],
    "words": ["object", "string", "category", None],
    "booleans": ["object", "boolean", "category", None],
    "sets": ["object"],
    "anything": ["object", "category"],
}


@dataclass
class Table:
    """Rows in a container, and how to take some of them."""

    X: Any
    container: str

    def __len__(self):
        return len(self.X)

    def take(self, places):
        """Some rows, in the same container."""
        places = [int(place) for place in places]
        if self.container == "list":
            return [self.X[place] for place in places]
        if self.container == "pandas":
            return self.X.iloc[places]
        return self.X[places]


@st.composite
def columns(draw, n_rows, kind, missing):
    """Values of few or many kinds, some of them missing."""
    pool = draw(st.lists(KINDS[kind], min_size=1, max_size=draw(st.integers(1, 8))))
    pool += [None] * (missing and draw(st.booleans()))
    return draw(st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows))


@st.composite
def tables(draw):
    """Tables of one to four columns, in any container."""
    n_rows = draw(st.integers(2, 14))
    kinds = tuple(KINDS)
    n_columns = draw(st.integers(1, 4))
    container = draw(st.sampled_from(["list", "objects", "array", "pandas", "polars"]))
    if container in ("array", "polars"):
        kinds = [kind for kind in kinds if kind not in ("anything", "sets")]
    if container == "array":
        chosen = [draw(st.sampled_from(kinds))] * n_columns
    else:
        chosen = [draw(st.sampled_from(kinds)) for _ in range(n_columns)]
    drawn = [draw(columns(n_rows, kind, container != "array")) for kind in chosen]
    if container == "polars":
        X = pl.DataFrame({f"c{j}": column for j, column in enumerate(drawn)})
    elif container == "pandas":
        types = [draw(st.sampled_from(PANDAS_TYPES[kind])) for kind in chosen]
        X = pd.DataFrame(
            {
                f"c{j}": pd.Series(column, dtype=dtype)
                for j, (column, dtype) in enumerate(zip(drawn, types))
            }
        )
    else:
        X = [list(row) for row in zip(*drawn)]
        if container == "objects":
            X = np.empty((n_rows, n_columns), dtype=object)
            for j, column in enumerate(drawn):
                X[:, j] = np.fromiter(column, dtype=object, count=n_rows)
        elif container == "array":
            X = np.array(X)
    return Table(X, container)


CLASSES = st.sampled_from(
    [[0, 1], [3, -1, 7], ["no", "yes"], ["b", "ä", ""], [False, True], [0.0, 2.0]]
)


@st.composite
def labelled(draw):
    """A table, and labels of two classes or three."""
    table = draw(tables())
    classes = draw(CLASSES)
    n_more = len(table) - 2
    more = draw(st.lists(st.sampled_from(classes), min_size=n_more, max_size=n_more))
    return table, np.array(classes[:2] + more)


# -- parameters ------------------------------------------------------------------------

QUICK = {"n_steps": 20, "burn_in": 4, "ladder_step": 5.0}
SAMPLERS = {
    "frontier": ["frontier", Frontier(max_states=1), Frontier(max_states=7)],
    "gibbs": [Gibbs(**QUICK), Gibbs(**QUICK, tempering=True)],
    "metropolis": [Metropolis(**QUICK), Metropolis(**QUICK, tempering=True)],
}
DISCRETIZERS = (
    *(None, None, "auto"),
    *(ClassEntropyDiscretizer(max_intervals=3), ClassEntropyDiscretizer()),
)
EXACT = "table", "exact", "auto", "brute_force"


@st.composite
def parameters(draw, samplers=(*EXACT, "frontier", "gibbs", "metropolis")):
    """Those of a classifier, far from what is usual, too."""
    sampler = draw(st.sampled_from(samplers))
    chains = sampler in ("gibbs", "metropolis")
    sizes = [None] if chains else [None, "auto", 1, 2, 3]
    alphas = [1.1, 1.5] if chains else [1.1, 1.5, 1 + 1e-6, 50.0]
    return {
        "sampler": draw(st.sampled_from(SAMPLERS.get(sampler, [sampler]))),
        "max_term_size": draw(st.sampled_from(sizes)),
        "multi_class": draw(st.sampled_from(["joint", "ovr"])),
        "margin": draw(st.sampled_from([0.5, 0.0, 3.0])),
        "alpha": draw(st.sampled_from(alphas)),
        "literal_weight": draw(st.sampled_from(["auto", 1.0, 1e-3, 3.0])),
        "threshold": draw(st.sampled_from(["auto", 2.0, 1e-9])),
        "literals": draw(st.sampled_from(["equal", "ordered", "intervals"])),
        "discretizer": draw(st.sampled_from(DISCRETIZERS)),
        "max_iter": draw(st.integers(1, 2 if chains else 5)),
        "cv": None if chains else draw(st.sampled_from([None, 2, "auto"])),
        "average": draw(st.booleans()),
        "max_stored_examples": draw(st.sampled_from([None, 1, 3])),
        "missing": draw(st.sampled_from(["unspecified", "category", "most_frequent"])),
        "random_state": draw(st.integers(0, 5)),
    }


# Of what is too large for some samplers, and of classes that are smaller than folds.
LIMITS = (
    "brute_force|exceeded max_states|tabulates the net|needs .* MiB"
    "|number of members in each class"
)


def within_limits(call, *args, **kwargs):
    """What a call returns; the case does not count if the data do not allow it."""
    try:
        return call(*args, **kwargs)
    except ValueError as error:
        assume(not re.search(LIMITS, str(error)))
        raise


def fitted(params, X, y, **kwargs):
    """A classifier of these parameters."""
    return within_limits(DNFWinnowClassifier(**params).fit, X, y, **kwargs)


def scores_of(classifier, X):
    """Scores of all classes."""
    return within_limits(classifier.log_weighted_sums, X)


def check_predictions(classifier, X):
    """Scores are numbers, and classes follow from them."""
    scores = scores_of(classifier, X)
    assert np.isfinite(scores).all()
    predictions = classifier.predict(X)
    assert_array_equal(predictions, classifier.classes_[scores.argmax(axis=1)])
    probabilities = classifier.predict_proba(X)
    assert (probabilities >= 0).all()
    assert_allclose(probabilities.sum(axis=1), 1.0)
    return scores


# -- classifiers -----------------------------------------------------------------------


@pytest.mark.slow
@given(12, labelled(), parameters(), st.data())
def test_predictions_are_functions_of_rows(rows, params, data):
    """Not of what is beside them, in which order, nor of where the model has been."""
    table, y = rows
    classifier = fitted(params, table.X, y)
    scores = check_predictions(classifier, table.X)
    order = data.draw(st.permutations(range(len(table))))
    assert_array_equal(scores_of(classifier, table.take(order)), scores[order])
    for place in order[:3]:
        alone = scores_of(classifier, table.take([place]))
        assert_array_equal(alone, scores[[place]])
    classifier.n_jobs = 2
    assert_array_equal(scores_of(classifier, table.X), scores)
    twin = pickle.loads(pickle.dumps(classifier))
    assert_array_equal(scores_of(twin, table.X), scores)
    twin = within_limits(clone(classifier).fit, table.X, y)
    assert_array_equal(scores_of(twin, table.X), scores)


@pytest.mark.slow
@given(10, labelled(), parameters(EXACT), st.data())
def test_training_is_a_function_of_weighted_rows(rows, params, data):
    """Order is nothing, a weight so many rows, and one of 0 none."""
    table, y = rows
    thirds = {y[0]: 1 / 3}
    class_weight = data.draw(st.sampled_from([None, "balanced", thirds]))
    params = {**params, "class_weight": class_weight}
    scores = scores_of(fitted(params, table.X, y), table.X)
    order = data.draw(st.permutations(range(len(table))))
    other = fitted(params, table.take(order), y[order])
    assert_array_equal(scores_of(other, table.X), scores)
    counts = st.lists(st.integers(0, 3), min_size=len(y) - 2, max_size=len(y) - 2)
    weights = np.array([1, 2, *data.draw(counts)])
    repeated = np.repeat(np.arange(len(y)), weights)
    weighted = fitted(params, table.X, y, sample_weight=weights)
    repeats = fitted(params, table.take(repeated), y[repeated])
    assert_array_equal(scores_of(weighted, table.X), scores_of(repeats, table.X))


# -- calls -----------------------------------------------------------------------------

VALUES = st.sampled_from(["a", "b", "", "é", 0, 1, 2.5, None, math.nan, True, ("t", 1)])
BAD = {
    "infinite": lambda X, y: ([[math.inf, *X[0][1:]], *X[1:]], y),
    "unhashable": lambda X, y: ([[*X[0][:-1], ["a"]], *X[1:]], y),
    "too wide": lambda X, y: ([[*row, "a"] for row in X], y),
    "of no rows": lambda X, y: ([], []),
    "of too few labels": lambda X, y: (X, y[1:]),
    "of an unknown class": lambda X, y: (X, ["nobody", *y[1:]]),
    "ragged": lambda X, y: ([X[0], X[0][1:]], ["no", "yes"]),
    "complex": lambda X, y: ([[1j] * len(X[0]), *X[1:]], y),
}


class Calls(RuleBasedStateMachine):
    """An estimator that goes through any calls, and one that is only ever trained."""

    @initialize(
        params=parameters(["auto", "table", "exact"]), n_columns=st.integers(1, 3)
    )
    def start(self, params, n_columns):
        self.n_columns = n_columns
        self.classifier = DNFWinnowClassifier(**params)
        self.plain = clone(self.classifier)
        self.trained = False

    def batch(self, data):
        n_rows = data.draw(st.integers(1, 6))
        row = st.lists(VALUES, min_size=self.n_columns, max_size=self.n_columns)
        X = data.draw(st.lists(row, min_size=n_rows, max_size=n_rows))
        labels = st.sampled_from(["no", "yes"])
        return X, data.draw(st.lists(labels, min_size=n_rows, max_size=n_rows))

    def both(self, method, *args, **kwargs):
        outcomes = []
        for classifier in (self.classifier, self.plain):
            try:
                getattr(classifier, method)(*args, **kwargs)
            except ValueError as error:
                outcomes.append(str(error))
            else:
                outcomes.append(None)
        assert outcomes[0] == outcomes[1]
        self.trained |= outcomes[0] is None

    @rule(data=st.data())
    def fit(self, data):
        X, y = self.batch(data)
        self.both("fit", [*X, X[0]], [*y, "no"])

    @rule(data=st.data(), weighted=st.booleans())
    def partial_fit(self, data, weighted):
        X, y = self.batch(data)
        weights = None
        if weighted:
            some = st.sampled_from([0, 1, 2, 0.25, 40, 1e-9])
            weights = data.draw(st.lists(some, min_size=len(y), max_size=len(y)))
        if not weighted or sum(weights) > 0:
            self.both("partial_fit", X, y, classes=["no", "yes"], sample_weight=weights)

    @rule(data=st.data(), bad=st.sampled_from([*BAD]))
    def train_in_vain(self, data, bad):
        X, y = BAD[bad](*self.batch(data))
        calls = [partial(self.classifier.partial_fit, classes=["no", "yes"])]
        if bad not in ("too wide", "of an unknown class"):
            calls.append(self.classifier.fit)
        elif bad == "too wide" and not self.trained:
            return
        before = pickle.dumps(vars(self.classifier))
        for call in calls:
            with pytest.raises((ValueError, TypeError)):
                call(X, y)
            assert pickle.dumps(vars(self.classifier)) == before

    @precondition(lambda self: self.trained)
    @rule(data=st.data())
    def predict(self, data):
        X, _ = self.batch(data)
        before = pickle.dumps(vars(self.classifier))
        scores = check_predictions(self.classifier, X)
        assert_array_equal(scores_of(self.plain, X), scores)
        self.classifier.explain(X, top=2)
        self.classifier.terms(top=3)
        assert pickle.dumps(vars(self.classifier)) == before

    @rule()
    def pickle(self):
        self.classifier = pickle.loads(pickle.dumps(self.classifier))

    @rule()
    def clone(self):
        self.classifier, self.plain = clone(self.classifier), clone(self.plain)
        self.trained = False


@pytest.mark.slow
def test_any_calls_one_after_another():
    """A failed call changes nothing, nor do calls that only look."""
    run_state_machine_as_test(Calls, settings=profile(8, stateful_step_count=12))


# -- budgets and threads -------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        {"sampler": "table", "max_term_size": None, "screening": None},
        {"sampler": "table", "max_term_size": 20, "screening": None},
        {"sampler": Exact(max_states=100), "cv": None},
    ],
    ids=str,
)
def test_what_exceeds_a_budget_is_refused(params):
    """At once, in words that say what was too much."""
    X = np.random.default_rng(0).integers(0, 3, (1_000, 40))
    classifier = DNFWinnowClassifier(max_iter=1, **params)
    before = time.process_time()
    with pytest.raises(ValueError, match=LIMITS):
        classifier.fit(X, X[:, 0] % 2)
    assert time.process_time() - before < 10
    assert not hasattr(classifier, "classes_")


@pytest.mark.parametrize(
    "sampler", ["auto", "exact", "frontier", Gibbs(**QUICK)], ids=str
)
def test_threads_may_share_an_estimator(sampler):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 5)), rng.integers(0, 3, 60)
    params = {"max_iter": 2, "max_term_size": None, "cv": None}
    classifier = DNFWinnowClassifier(sampler=sampler, random_state=0, **params)
    expected = classifier.fit(X, y).log_weighted_sums(X)
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(classifier.log_weighted_sums, X) for _ in range(12)]
        for future in futures:
            assert_array_equal(future.result(), expected)
