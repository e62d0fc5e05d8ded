"""Representative draws: what draws of a Bayesian classifier are compared by."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.summaries import message_from_monte_carlo, representative_draws

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def classifier(**params):
    params = {
        "max_order": 1,
        "n_draws": 30,
        "burn_in": 20,
        "max_sweeps": 1,
        "n_chains": 2,
    } | params
    return BayesianInteractionClassifier(random_state=0, **params)


def table(n_rows=60, n_classes=2, n_values=3, seed=0):
    random = np.random.RandomState(seed)
    X = random.randint(n_values, size=(n_rows, 3))
    y = (X[:, 0] + random.randint(2, size=n_rows)) % n_classes
    return X, y, random.choice([0.5, 1.0, 2.0], n_rows)


def expected(clf, X, y, weights):
    """Log likelihoods and divergences of draws, row by row."""
    probabilities = clf.sample_proba(X)
    logs = np.log(probabilities)
    labels = np.searchsorted(clf.classes_, y)
    log_likelihoods = sum(
        w * logs[:, row, k] for row, (k, w) in enumerate(zip(labels, weights))
    )
    n_draws = len(logs)
    divergences = np.zeros((n_draws, n_draws))
    for i in range(n_draws):
        for j in range(n_draws):
            ratios = (probabilities[i] * (logs[i] - logs[j])).sum(axis=1)
            divergences[i, j] = weights @ ratios
    return log_likelihoods, divergences


def assert_same(one, other):
    assert all(map(np.array_equal, one.regions, other.regions))
    assert_array_equal(one.representatives, other.representatives)
    assert_allclose(one.lengths, other.lengths, rtol=1e-6)


def quietly(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return function(*args, **kwargs)


def quiet(*args, **kwargs):
    return quietly(representative_draws, *args, **kwargs)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("prior", ["cauchy", "normal"])
def test_draws_are_compared_by_predictions_of_weighted_rows(n_classes, prior):
    X, y, weights = table(n_classes=n_classes)
    clf = classifier(prior=prior).fit(X, y, sample_weight=weights)
    log_likelihoods, divergences = expected(clf, X, y, weights)
    stored = clf.draws_["log_likelihood"].ravel()
    assert_allclose(stored, log_likelihoods, rtol=1e-4)
    for search in "exhaustive", "sequential":
        by_hand = quietly(
            message_from_monte_carlo, log_likelihoods, divergences, search=search
        )
        # Nearly equal draws are a tie but for rounding.
        assert_allclose(quiet(clf, search=search).lengths, by_hand.lengths, rtol=1e-6)


def test_weights_of_classes_count():
    X, y, _ = table()
    clf = classifier(class_weight={0: 1.0, 1: 3.0}).fit(X, y)
    log_likelihoods, divergences = expected(clf, X, y, np.where(y == 1, 3.0, 1.0))
    by_hand = quietly(message_from_monte_carlo, log_likelihoods, divergences)
    assert_allclose(quiet(clf).lengths, by_hand.lengths, rtol=1e-6)


def test_order_of_rows_and_n_jobs_make_no_difference():
    X, y, weights = table()
    one = quiet(classifier().fit(X, y, sample_weight=weights))
    order = np.random.RandomState(1).permutation(len(X))
    clf = classifier(n_jobs=2).fit(X[order], y[order], sample_weight=weights[order])
    assert_same(quiet(clf), one)


def test_nested_interactions():
    sequence = np.array([0, 1, 1, 0, 2] * 20)
    windows = np.lib.stride_tricks.sliding_window_view(sequence, 4)
    X, y = windows[:, :-1], windows[:, -1]
    clf = classifier(interactions="nested", max_order=3).fit(X, y)
    log_likelihoods, divergences = expected(clf, X, y, np.ones(len(X)))
    by_hand = quietly(message_from_monte_carlo, log_likelihoods, divergences)
    assert_allclose(quiet(clf).lengths, by_hand.lengths, rtol=1e-6)


def test_wrappers_and_stored_models():
    X, y, _ = table()
    clf = make_pipeline(ClassEntropyDiscretizer(), classifier()).fit(X / 2, y)
    one = quiet(clf)
    assert_same(quiet(clf[-1]), one)
    assert_same(quiet(pickle.loads(pickle.dumps(clf))), one)
    search = GridSearchCV(classifier(), {"max_order": [1]}, cv=2).fit(X, y)
    assert_same(quiet(search), quiet(search.best_estimator_))


def test_average_of_representatives_is_near_the_mean_of_all_draws():
    X, y = load_monks(1, subset="train", return_X_y=True)
    clf = BayesianInteractionClassifier(max_order=2, random_state=0).fit(X, y)
    message = representative_draws(clf)
    assert len(message.regions) < 80  # of 800 draws
    of_representatives = clf.sample_proba(X)[message.representatives]
    average = np.tensordot(message.weights, of_representatives, axes=1)
    mean = clf.predict_proba(X)
    divergence = (mean * (np.log(mean) - np.log(average))).sum()
    # Nats, over 124 rows: .5 to 1 for other seeds, or other last bits.
    assert divergence < 2.0
    # Most draws alone are farther.
    with np.errstate(divide="ignore"):
        alone = mean * (np.log(mean) - np.log(clf.sample_proba(X)))
    assert np.median(alone.sum(axis=(1, 2))) > 20.0


def test_errors():
    X, y, _ = table()
    with pytest.raises(TypeError, match="must be a BayesianInteractionClassifier"):
        representative_draws(DNFWinnowClassifier(cv=None).fit(X, y))
    with pytest.raises(NotFittedError):
        representative_draws(BayesianInteractionClassifier())
    with pytest.raises(ValueError, match="'search' parameter"):
        representative_draws(classifier().fit(X, y), search="all")
