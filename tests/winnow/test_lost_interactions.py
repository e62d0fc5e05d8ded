"""Lost interactions: `fit` says when terms of two literals are too many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers

RNG = np.random.default_rng(0)


def lost(fit, *args, **kwargs):
    """The warnings of lost interactions."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*args, **kwargs)
    caught = [w for w in caught if "No interactions" in str(w.message)]
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def wide(n_columns, n_rows=60):
    X = RNG.integers(3, size=(n_rows, n_columns))
    return X, RNG.permutation(n_rows) % 2


@pytest.mark.parametrize("cv", ["auto", None])
def test_wide_tables(cv):
    clf = DNFWinnowClassifier(cv=cv, max_iter=2, screening=None, random_state=0)
    (text,) = lost(clf.fit, *wide(100))
    assert clf.max_term_size_ == 1
    assert text == (
        "No interactions between columns are learned: pairs of conditions, about "
        "4,950 for each row, would take too much time or memory. To learn "
        "interactions, set max_term_size=2 to learn pairs in more time or pass fewer "
        "columns."
    )
    # The user's word; terms of two and three literals instead of all.
    assert not lost(clf.set_params(max_term_size=1).fit, *wide(100))
    assert not lost(clf.set_params(max_term_size=2).fit, *wide(100))
    clf.set_params(max_term_size="auto")
    for n_columns in (1, 14, 30):
        assert not lost(clf.fit, *wide(n_columns))


def test_streams_say_it_once():
    clf = DNFWinnowClassifier(random_state=0)
    X, y = wide(100)
    assert len(lost(clf.partial_fit, X, y, classes=[0, 1])) == 1
    assert not lost(clf.partial_fit, X, y)


def test_samplers_without_tables_lose_nothing():
    clf = DNFWinnowClassifier(sampler="exact", max_iter=1, cv=None)
    assert not lost(clf.fit, *wide(100, n_rows=10))


@pytest.mark.slow
def test_ordered_literals():
    X, y = make_customers(400, random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    for name in "abcdefghijkl":
        X[name] = RNG.normal(size=len(X))
    clf = DNFWinnowClassifier(literals="ordered", max_iter=4, random_state=0)
    (text,) = lost(clf.fit, X, y)
    assert clf.max_term_size_ == 1
    assert text.endswith(", pass fewer columns or set literals='equal'.")
    assert not lost(clf.set_params(max_term_size=2).fit, X, y)
    clf.set_params(max_term_size="auto", literals="equal")
    assert not lost(clf.fit, X, y) and clf.max_term_size_ > 1


def test_folds_may_choose_single_literals():
    """An additive model that is better is no reason for a warning."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(480, 4))
    y = X.sum(axis=1) + 0.3 * rng.normal(size=480) > 0
    clf = DNFWinnowClassifier(random_state=0, max_iter=8)
    assert not lost(clf.fit, X, y)
    assert clf.estimators_[0].max_term_size_ == 1
    assert set(clf.validation_["max_term_size"]) != {1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "cv, n_columns, helps", [("auto", 12, True), (None, 100, False)]
)
def test_ways_out_are_open(cv, n_columns, helps):
    """Single intervals are no way out where their pairs are too many, too."""
    X, y = RNG.normal(size=(60, n_columns)), RNG.integers(2, size=60)
    clf = DNFWinnowClassifier(
        literals="ordered", screening=None, cv=cv, max_iter=2, random_state=0
    )
    clf.set_params(discretizer=ClassEntropyDiscretizer(max_intervals=30))
    (text,) = lost(clf.fit, X, y)
    assert ("set literals='equal'" in text) == helps
    assert bool(lost(clf.set_params(literals="equal").fit, X, y)) != helps
