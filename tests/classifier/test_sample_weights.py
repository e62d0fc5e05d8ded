"""Weights are repetitions of samples, with class weights, in any order."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pandas as pd
import pytest
from fitted_state import assert_same_state
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import BayesianInteractionClassifier, DNFWinnowClassifier

THIRDS = {"a": 1 / 3, "c": 2 / 3}
CLASS_WEIGHTS = ["balanced", THIRDS, {"b": 2.5, "c": 0.004}]
SETTINGS = {
    "default": {"max_iter": 8},
    "plain": {"cv": None},
    "literals": {"cv": None, "literals": "ordered", "missing": "category"},
    "ordered": {"cv": 2, "literals": "ordered", "max_iter": 4},
    "intervals": {"cv": 2, "literals": "intervals", "max_iter": 4},
    "ovr with folds": {"cv": 2, "multi_class": "ovr", "max_iter": 2},
    "ovr": {"cv": None, "multi_class": "ovr", "missing": "most_frequent"},
    "exact": {"cv": None, "sampler": "exact", "max_iter": 2},
    "residual": {"cv": None, "scale": 30.0, "max_iter": 5},
    "monotone": {"cv": None, "monotonic_cst": {"y": {"a": 1}}, "max_term_size": 2},
}


def a_table(random, n=36):
    """Contradictory samples, many of them equal; a column to be cut, and gaps."""
    frame = pd.DataFrame(
        {
            "x": random.choice(["p", "q", None], n),
            "y": random.randint(0, 24, n) / 2,
            "z": random.choice([1.0, 2.0, np.nan], n),
        }
    )
    frame["y"] = frame["y"].where(random.rand(n) < 0.9)
    return frame, random.choice(["a", "b", "b", "c"], n)


def trained(clf, X, y, **how):
    """Return a trained clone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(clf).fit(X, y, **how)


def assert_equal_numbers(one, other):
    """Compare all that two estimators have learned.

    The entropies that a discretizer reports are rounded, as are all logarithms.
    """
    assert_same_state(one, other)
    assert repr(one.validation_) == repr(other.validation_)
    for model, twin in zip(one.estimators_, other.estimators_):
        if model.discretizer_ is None:
            assert twin.discretizer_ is None
            continue
        cuts = [m.discretizer_.cut_points_ for m in (model, twin)]
        assert repr(cuts[0]) == repr(cuts[1])
        paths = (m.discretizer_.entropy_path_ for m in (model, twin))
        for path, of_twin in zip(*paths):
            assert (path is None) == (of_twin is None)
            assert path is None or assert_allclose(path, of_twin, rtol=1e-12) is None


def weights_for(random, y):
    """Return integer weights, some 0, and the places of as many copies of samples."""
    weights = random.randint(0, 5, len(y))
    # Each class remains.
    weights[np.unique(y, return_index=True)[1]] = 1
    return weights, random.permutation(np.repeat(np.arange(len(y)), weights))


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_weights_are_copies_in_any_order(name, global_random_seed):
    random = np.random.RandomState(global_random_seed)
    for class_weight in CLASS_WEIGHTS:
        X, y = a_table(random)
        weights, copies = weights_for(random, y)
        clf = DNFWinnowClassifier(
            class_weight=class_weight, random_state=0, **SETTINGS[name]
        )
        weighted = trained(clf, X, y, sample_weight=weights)
        copied = trained(clf, X.iloc[copies], y[copies])
        assert_equal_numbers(weighted, copied)
        # A single copy more makes a difference.
        copies = [*copies, np.flatnonzero(y == "b")[0]]
        other = trained(clf, X.iloc[copies], y[copies])
        with pytest.raises(AssertionError):
            assert_equal_numbers(weighted, other)


WEIGHED = np.arange(60) % 3


@pytest.mark.parametrize(
    ("weights", "others"),
    [
        *((np.full(60, w), None) for w in (100.0, 30_000, 0.5, 1 / 60, 1e-300, 1e300)),
        (20 * WEIGHED, WEIGHED),
        # Far from 1, they are relative to the largest one, or to their mean.
        (1e-4 * WEIGHED, 0.01 * WEIGHED),
        (np.where(WEIGHED, 1.0, 30_000), np.where(WEIGHED, 10.0, 300_000)),
    ],
)
@pytest.mark.parametrize("cv", [2, None])
def test_far_weights_are_relative(weights, others, cv):
    X, y = a_table(np.random.RandomState(0), n=60)
    clf = DNFWinnowClassifier(
        cv=cv, max_term_size=1, n_estimators=1, max_iter=2, random_state=0
    )
    weighted = clone(clf).fit(X, y, weights)
    assert_equal_numbers(weighted, clone(clf).fit(X, y, others))
    # The time of an epoch does not grow with them.
    assert sum(weighted.sums_.values()) <= 2 * 3 * 5 * 60


def test_small_weights_of_a_stream_cause_a_warning():
    X, y = a_table(np.random.RandomState(0))
    clf = DNFWinnowClassifier(discretizer=None, random_state=0)
    with pytest.warns(
        UserWarning, match=r"mean of sample_weight is 0\.01\. In partial"
    ):
        clf.partial_fit(X, y, ["a", "b", "c"], np.full(len(y), 0.01))


@pytest.mark.parametrize("class_weight", [THIRDS, {"b": 2.5}, {"b": 3.0}, None])
def test_weights_are_copies_in_succession(class_weight, global_random_seed):
    """Of `partial_fit`, in batches of any size."""
    random = np.random.RandomState(global_random_seed)
    X, y = a_table(random)
    weights, _ = weights_for(random, y)
    clf = DNFWinnowClassifier(
        discretizer=None, max_term_size=2, class_weight=class_weight, random_state=0
    )
    classes = ["a", "b", "c"]
    weighted = clone(clf).partial_fit(X, y, classes, weights)
    copies = np.repeat(np.arange(len(y)), weights)
    copied = clone(clf).partial_fit(X.iloc[copies], y[copies], classes)
    assert_equal_numbers(weighted, copied)
    # And in single steps, after a first batch with all values.
    for i in copies:
        copied.partial_fit(X.iloc[[i]], y[[i]])
    weighted.partial_fit(X, y, sample_weight=weights)
    found = [clf.net_promotion_counts_ / clf.denominator_ for clf in (weighted, copied)]
    assert_array_equal(*found)


@pytest.mark.parametrize("class_weight", ["balanced", THIRDS])
def test_bayesian_weights_are_copies(class_weight, global_random_seed):
    random = np.random.RandomState(global_random_seed)
    X, y = a_table(random)
    weights, copies = weights_for(random, y)
    clf = BayesianInteractionClassifier(
        max_order=1,
        n_draws=10,
        burn_in=10,
        max_sweeps=1,
        n_chains=1,
        class_weight=class_weight,
        random_state=0,
    )
    weighted = trained(clf, X, y, sample_weight=weights)
    copied = trained(clf, X.iloc[copies], y[copies])
    for name, draws in weighted.draws_.items():
        assert_array_equal(draws, copied.draws_[name])
    assert_array_equal(weighted.predict_proba(X), copied.predict_proba(X))
