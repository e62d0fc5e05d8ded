"""Wide rows: what brute force does not take is refused before any work."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._exact import MAX_BRUTE_FORCE, BruteForce
from sklearn_dnfwinnow.inspection import explain

# 29 attributes, in the first row alone.
X = np.random.RandomState(0).randint(2, size=(20, MAX_BRUTE_FORCE + 1)).astype(object)
X[1:10, 0] = X[10:, 1] = None
Y = np.arange(20) % 2
TOO_WIDE = r"sampler='brute_force'.*at most 28 specified attributes; a row has n=29\. "


class SumWasAskedForError(Exception):
    """The work has begun."""


@pytest.fixture
def no_sums(monkeypatch):
    def log_sum(*args):
        raise SumWasAskedForError

    monkeypatch.setattr(BruteForce, "log_sum", log_sum)


def winnow(**options):
    options = {"max_iter": 1, "n_folds": None, "random_state": 0, **options}
    return DNFWinnowClassifier(sampler="brute_force", **options)


@pytest.mark.usefixtures("no_sums")
@pytest.mark.parametrize(
    "options", [{}, {"max_term_size": 1}, {"literals": "both"}, {"n_folds": 2}]
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
    with pytest.raises(ValueError, match="a row has n=29"):
        winnow(missing="category").fit(X[1:], Y[1:])
    # Of three values a row has one, and differs from two.
    three = np.random.RandomState(0).randint(3, size=(30, 10))
    with pytest.raises(ValueError, match="a row has n=30"):
        winnow(literals="both").fit(three, np.arange(30) % 2)
    with pytest.raises(SumWasAskedForError):
        winnow().fit(three, np.arange(30) % 2)


def test_prediction_of_wider_rows_is_refused(monkeypatch):
    narrow = X[1:].copy()
    narrow[:, 12:] = None
    narrow[0, 12:20] = narrow[1, 20:] = 0
    clf = winnow().fit(narrow, Y[1:])
    zeros = np.zeros((1, X.shape[1]), dtype=object)
    zeros[0, 0] = None
    assert clf.predict(zeros).shape == (1,)
    zeros[0, 0] = 0

    def log_sum(*args):
        raise SumWasAskedForError

    monkeypatch.setattr(BruteForce, "log_sum", log_sum)
    for method in (clf.predict, clf.predict_proba, clf.log_weighted_sums):
        with pytest.raises(ValueError, match=TOO_WIDE):
            method(zeros)
    # Another sampler takes the same model, and the same rows.
    clf.set_params(sampler="auto")
    assert clf.predict(zeros).shape == (1,)
    assert len(explain(clf, zeros)) == 1
