"""Concepts that the defaults learn: rules, sums, numbers, and these with noise."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import log_loss

from sklearn_dnfwinnow import DNFWinnowClassifier


def scales():
    """Which side of a balance goes down: by products, of which no term knows."""
    X = np.array(list(product(range(1, 6), repeat=4)))
    return X, np.sign(X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3])


def rules(n_samples=1500):
    """Three conjunctions of two or three of 24 flags."""
    X = np.random.RandomState(0).randint(2, size=(n_samples, 24)).astype(bool)
    y = (X[:, 0] & X[:, 1] & ~X[:, 2]) | (X[:, 3] & ~X[:, 4]) | X[:, 5:8].all(axis=1)
    return X, y.astype(int)


def box(n_samples=900):
    """A rectangle of two of five measurements."""
    X = np.random.RandomState(0).rand(n_samples, 5)
    return X, ((X[:, :2] > 0.2) & (X[:, :2] < 0.8)).all(axis=1).astype(int)


def halves(X, y, seed):
    order = np.random.RandomState(seed).permutation(len(y))
    first, second = np.array_split(order, 2)
    return X[first], y[first], X[second], y[second]


@pytest.mark.parametrize(
    ("concept", "least"), [(scales, 0.93), (rules, 0.97), (box, 0.93)]
)
def test_concepts_are_learned(concept, least, global_random_seed):
    X, y, new, labels = halves(*concept(), global_random_seed)
    clf = DNFWinnowClassifier(random_state=global_random_seed).fit(X, y)
    assert clf.score(new, labels) > least


@pytest.mark.parametrize(
    ("concept", "least"),
    [(box, 0.88), pytest.param(rules, 0.93, marks=pytest.mark.slow)],
)
def test_noise_is_not_learned_by_heart(concept, least, global_random_seed):
    X, y, new, labels = halves(*concept(), global_random_seed)
    random = np.random.RandomState(global_random_seed)
    flipped = np.where(random.rand(len(y)) < 0.1, 1 - y, y)
    clf = DNFWinnowClassifier(random_state=global_random_seed).fit(X, flipped)
    # As if there had been none; and sure to nine parts in ten, as labels are right.
    assert clf.score(new, labels) > least
    flipped = np.where(random.rand(len(labels)) < 0.1, 1 - labels, labels)
    assert log_loss(flipped, clf.predict_proba(new)) < 0.325 + 0.13


def test_probabilities_can_be_trusted(global_random_seed):
    random = np.random.RandomState(global_random_seed)
    X = random.randint(0, 3, (21_000, 5))
    true = 1 / (1 + np.exp(-(2.0 * (X[:, 0] == 1) + (X[:, 1] == X[:, 2]) - 1.2)))
    y = (random.random_sample(len(X)) < true).astype(int)
    clf = DNFWinnowClassifier(random_state=0).fit(X[:1000], y[:1000])
    new, labels, true = X[1000:], y[1000:], true[1000:]
    chances = clf.predict_proba(new)[:, 1]
    # Nearly as good as the truth.
    assert log_loss(labels, chances) < log_loss(labels, true) + 0.03
    for low in np.arange(0.1, 0.9, 0.1):
        those = (chances >= low) & (chances < low + 0.1)
        if those.sum() > 1000:
            assert abs(labels[those].mean() - chances[those].mean()) < 0.1


def test_nothing_is_learned_of_nothing(global_random_seed):
    random = np.random.RandomState(global_random_seed)
    X = np.column_stack([random.randint(3, size=(300, 4)), random.rand(300, 4)])
    y = random.randint(2, size=300)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    new = np.column_stack([random.randint(3, size=(2000, 4)), random.rand(2000, 4)])
    chances = clf.predict_proba(new)[:, 1]
    assert log_loss(random.randint(2, size=2000), chances) < np.log(2) + 0.05
