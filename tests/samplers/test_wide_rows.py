"""Wide rows: what brute force does not take is refused before any work."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import explain
from sklearn_dnfwinnow.samplers import BruteForce

# 29 attributes, in the first row alone.
X = np.random.RandomState(0).randint(2, size=(20, 29)).astype(object)
X[1:10, 0] = X[10:, 1] = None
Y = np.arange(20) % 2
TOO_WIDE = r"sampler='brute_force'.* up to 28\. A row has 29 specified features\. "


BruteForceEngine = type(BruteForce().engine())


class SumWasAskedForError(Exception):
    """The work has begun."""


@pytest.fixture
def no_sums(monkeypatch):
    def log_sum(*args):
        raise SumWasAskedForError

    monkeypatch.setattr(BruteForceEngine, "log_sum", log_sum)


def winnow(**options):
    options = {"max_iter": 1, "cv": None, "random_state": 0, **options}
    return DNFWinnowClassifier(sampler="brute_force", **options)


@pytest.mark.usefixtures("no_sums")
@pytest.mark.parametrize(
    "options", [{}, {"max_term_size": 20}, {"literals": "ordered"}]
)
def test_training_is_refused(options):
    clf = winnow(**options)
    with pytest.raises(ValueError, match=TOO_WIDE):
        clf.fit(X, Y)
    assert not hasattr(clf, "classes_")
    with pytest.raises(ValueError, match=TOO_WIDE):
        clf.partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(SumWasAskedForError):
        clf.fit(X[1:], Y[1:])


@pytest.mark.usefixtures("no_sums")
def test_what_missing_and_literals_specify_counts():
    with pytest.raises(ValueError, match=TOO_WIDE):
        winnow(missing="category").fit(X[1:], Y[1:])
    # Of three values a row has one, and differs from two.
    three = np.random.RandomState(0).randint(3, size=(30, 10)).astype(str)
    with pytest.raises(ValueError, match="A row has 30 specified features"):
        winnow(literals="ordered").fit(three, np.arange(30) % 2)
    with pytest.raises(SumWasAskedForError):
        winnow().fit(three, np.arange(30) % 2)


def test_attributes_that_agree_with_the_same_rows_count_once():
    narrow = np.random.RandomState(0).randint(2, size=(20, 10))
    wide = np.tile(narrow, 3)
    clf = winnow().fit(wide, Y)
    other = clone(clf).set_params(sampler="exact").fit(wide, Y)
    assert_allclose(clf.log_weighted_sums(wide), other.log_weighted_sums(wide))
    with pytest.raises(ValueError, match=r"30 specified features\. Use"):
        winnow(max_term_size=20).fit(wide, Y)
    # Terms up to a size may be few.
    clf = winnow(max_term_size=2).fit(wide, Y)
    other = clone(clf).set_params(sampler="table").fit(wide, Y)
    assert_allclose(clf.log_weighted_sums(wide), other.log_weighted_sums(wide))
    wider = np.hstack([X[:, 2:], X[:, 2:5], narrow])
    message = r"40 specified features, and n=37 after equivalent features are merged"
    with pytest.raises(ValueError, match=message):
        winnow().fit(wider, Y)


def test_prediction_of_wider_rows_is_refused(monkeypatch):
    random = np.random.RandomState(0)
    full = random.randint(2, size=(60, 31)).astype(object)
    few = full.copy()
    for row in few:
        row[random.permutation(31)[12:]] = None
    clf = winnow().fit(few, full[:, 0].astype(int))
    assert clf.predict(few).shape == (60,)

    def log_sum(*args):
        raise SumWasAskedForError

    monkeypatch.setattr(BruteForceEngine, "log_sum", log_sum)
    for method in (clf.predict, clf.predict_proba, clf.log_weighted_sums):
        with pytest.raises(ValueError, match="A row has 31 specified features"):
            method(full)
        with pytest.raises(SumWasAskedForError):
            method(few)
    # Another sampler takes the same model, and the same rows.
    clf.set_params(sampler="auto")
    assert clf.predict(full).shape == (60,)
    assert len(explain(clf, full[:1])) == 1
