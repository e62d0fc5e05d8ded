"""Intercepts: their fit, and where scores have them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from sklearn.base import clone
from sklearn.utils.class_weight import compute_sample_weight

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.inspection import (
    counterfactuals,
    explain,
    shapley_values,
    to_dnf,
)

# -- where scores have them ------------------------------------------------------------


def table(n=160, n_classes=3, seed=0):
    random = np.random.RandomState(seed)
    X = pd.DataFrame(random.randint(0, 3, (n, 4)), columns=list("abcd"))
    noise = random.choice(n_classes, n, p=softmax(-np.arange(n_classes)))
    y = np.where(random.rand(n) < 0.5, X["a"] % n_classes, noise)
    return X, y


def fitted(X, y, sample_weight=None, **params):
    settings = {"max_term_size": 2, "max_iter": 8, "random_state": 0}
    return DNFWinnowClassifier(**settings, **params).fit(X, y, sample_weight)


def with_intercepts(classifier, intercepts):
    """The same classifier with other intercepts, which decide some predictions."""
    other = clone(classifier)
    vars(other).update(vars(classifier))
    offsets = np.array(intercepts) / classifier.scale_
    other._model = replace(classifier._model, offsets=offsets)
    return other


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_mean_probabilities_are_those_of_training_samples(class_weight):
    """Of their weights, which are repetitions; scores are shifted by the intercepts."""
    X, y = table()
    weights = np.random.RandomState(1).randint(0, 4, len(y))
    copies = np.repeat(np.arange(len(y)), weights)
    clf = fitted(X, y, sample_weight=weights, class_weight=class_weight)
    other = fitted(X.iloc[copies], y[copies], class_weight=class_weight)
    assert_array_equal(clf.intercept_, other.intercept_)
    assert np.abs(clf.intercept_).max() > 0.01
    given = compute_sample_weight(class_weight, y[copies])
    shares = np.bincount(y[copies], given) / given.sum()
    mean = np.average(clf.predict_proba(X.iloc[copies]), axis=0, weights=given)
    # Class weights are rounded.
    expected = shares - clf.intercept_ / len(copies)
    assert_allclose(mean, expected, atol=1e-6 if class_weight is None else 2e-4)
    sums, _ = clf._model.estimate_log_sums(clf._model.encoding.encode_table(X, clf))
    added = clf.intercept_ / clf.scale_
    expected = sums - clf.log_threshold_ + added
    assert_allclose(clf.log_weighted_sums(X), expected, atol=1e-12)


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("rule", [{"margin": 0.5}, {"scale": 30.0}], ids=str)
def test_without_folds_there_are_none(rule, multi_class):
    """To the bit."""
    X, y = table()
    clf = fitted(X, y, cv=None, multi_class=multi_class, **rule)
    assert_array_equal(clf.intercept_, np.zeros(3))
    assert_array_equal(clf._model.log_thresholds, [clf.log_threshold_] * 3)
    clf.partial_fit(X, y)
    assert_array_equal(clf.intercept_, np.zeros(3))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_all_agree(n_classes):
    """Predictions, probabilities and all that explains or stores them."""
    X, y = table(n_classes=n_classes)
    plain = fitted(X, y)
    clf = with_intercepts(plain, np.linspace(-0.7, 0.7, n_classes))
    scores, chances = clf.log_weighted_sums(X), clf.predict_proba(X)
    assert_allclose(chances, softmax(clf.scale_ * scores, axis=1), atol=1e-12)
    moved = np.log(plain.predict_proba(X)) + clf.intercept_ - plain.intercept_
    assert_allclose(chances, softmax(moved, axis=1), atol=1e-9)
    predicted = clf.predict(X)
    assert_array_equal(predicted, chances.argmax(axis=1))
    # Negative control.
    assert 0.05 < np.mean(predicted != plain.predict(X))
    decision = clf.decision_function(X)
    decided = decision > 0 if n_classes == 2 else decision.argmax(axis=1)
    assert_array_equal(predicted, decided)

    X_some = X[:6]
    for explanation, p in zip(explain(clf, X_some), chances):
        assert_allclose(explanation.probabilities, p, atol=1e-9)
    values = shapley_values(clf, X_some, class_of_interest=1)
    log_odds = np.log(chances[:6, 1] / (1 - chances[:6, 1]))
    total = values.values.sum(axis=1) + values.base_values
    assert_allclose(total, log_odds, atol=1e-9)
    for found in counterfactuals(clf, X_some):
        for one in found:
            changed = X.iloc[[found.row]].copy()
            for change in one.changes:
                changed[change.feature] = change.new
            assert clf.predict(changed)[0] == one.prediction
            assert_allclose(one.probabilities, clf.predict_proba(changed)[0], atol=1e-9)
    dnf = to_dnf(clf, X=X, class_of_interest=1)
    assert np.mean(dnf.holds(X) == (predicted == 1)) > 0.8

    again = pickle.loads(pickle.dumps(clf))
    assert_array_equal(again.intercept_, clf.intercept_)
    assert_array_equal(again.predict_proba(X), chances)


def test_training_that_goes_on_keeps_them():
    X, y = table()
    clf = fitted(X, y, scale=5.0)
    intercepts, predicted = clf.intercept_, clf.predict(X)
    # Another scale of the residuals moves no prediction.
    assert_array_equal(clf.set_params(scale=0.01).predict(X), predicted)
    clf.set_params(scale=5.0).partial_fit(X[:20], y[:20])
    assert_array_equal(clf.intercept_, intercepts)
    assert intercepts.any()


@pytest.mark.parametrize("how", ["mean", "sum"])
def test_merging_takes_their_mean(how):
    X, y = table()
    params = {"scale": 5.0, "alpha": 1.1, "literals": "equal", "literal_weight": 0.5}
    parts = [
        with_intercepts(fitted(X[i::2], y[i::2], **params), [1 + i, 0.5, -i])
        for i in range(2)
    ]
    merged = merge(parts, how=how)
    assert_allclose(merged.intercept_, [1.5, 0.5, -0.5], atol=1e-12)
    if how == "mean":
        twice = merge([parts[0], parts[0]])
        assert_allclose(twice.predict_proba(X), parts[0].predict_proba(X), atol=1e-9)


def test_probabilities_of_a_rare_class_are_its_share():
    """Of new rows; those without intercepts are too low."""
    random = np.random.RandomState(0)
    X = random.randint(0, 4, (4000, 6))
    logits = -3.0 + 2.0 * (X[:, 0] == 1) + (X[:, 1] == X[:, 2])
    y = (random.rand(4000) < 1 / (1 + np.exp(-logits))).astype(int)
    clf = fitted(X[:2000], y[:2000], scale=10.0, alpha=1.2, screening=None)
    off, off_without = (
        np.abs(one.predict_proba(X[2000:])[:, 1].mean() - y[2000:].mean())
        for one in (clf, with_intercepts(clf, [0.0, 0.0]))
    )
    # The standard error of the share of 2,000 rows.
    error = np.sqrt(y.mean() * (1 - y.mean()) / 2000)
    assert off < 2 * error < 4 * error < off_without
