"""Term sums: those of any rows by tables of terms, and when they are made."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import copy
import pickle
from itertools import combinations

import numpy as np
import pytest
from model_changes import change_model
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from sklearn_dnfwinnow import DNFWinnowClassifier


def log_sums_of_all_terms(examples, net_counts, row, cap, log_alpha, log_beta):
    """Brute force: the terms of a row, one after another."""
    specified = np.flatnonzero(row)
    logs = []
    for size in range(min(len(specified), cap or len(row)) + 1):
        for term in map(list, combinations(specified, size)):
            satisfied = (examples[:, term] == row[term]).all(axis=1)
            net = net_counts[:, satisfied].sum(axis=1)
            logs.append(net * log_alpha + size * log_beta)
    return logsumexp(logs, axis=0)


def table(n_rows=300, n_features=7, seed=0):
    """Rows of a noisy DNF, with missing values."""
    random = np.random.RandomState(seed)
    X = random.randint(4, size=(n_rows, n_features)).astype(object)
    y = ((X[:, 0] == X[:, 1]) | (X[:, 2] == 3)) ^ (random.random_sample(n_rows) < 0.1)
    X[random.random_sample(X.shape) < 0.1] = None
    return X, y.astype(int)


def fitted_to(X, y, **parameters):
    parameters = {"max_term_size": 3, "cv": None, **parameters}
    clf = DNFWinnowClassifier(scale=30.0, random_state=0, **parameters)
    return clf.fit(X, y)


def fitted(**parameters):
    return fitted_to(*table(), **parameters)


def by_updates(clf, X):
    """Scores without tables."""
    return copy.deepcopy(clf).set_params(sampler="exact").log_weighted_sums(X)


# -- sums ------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 2, 3, 9, None])
@pytest.mark.parametrize(
    ("log_alpha", "log_beta", "largest"),
    [(0.01, -1.0, 30), (2.0, 0.0, 300), (60.0, -3.0, 30), (1e-9, -1.0, 2**40)],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sums_are_those_of_brute_force(cap, log_alpha, log_beta, largest, n_classes):
    random = np.random.RandomState(0)
    codes = random.randint(0, 4, (60, 5))
    X, y = np.where(codes, codes, None), np.arange(60) % n_classes
    clf = fitted_to(
        *(X, y),
        max_term_size=cap,
        alpha=np.exp(log_alpha),
        literal_weight=np.exp(log_beta),
        max_iter=1,
    )
    shape = clf.net_promotion_counts_.shape
    net_counts = random.randint(-largest, largest + 1, shape)
    net_counts[:, ::7] = 0
    change_model(clf, "stored", net_counts=net_counts, denominator=1)
    expected = [
        log_sums_of_all_terms(
            clf.stored_examples_, net_counts, row, cap, np.log(clf.alpha_), log_beta
        )
        for row in codes
    ]
    found = clf.log_weighted_sums(X) + clf.log_threshold_
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


# -- the classifier --------------------------------------------------------------------


@pytest.mark.parametrize("sampler", ["auto", "table"])
@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_scores_are_those_of_the_updates(sampler, literals, missing):
    clf = fitted(sampler=sampler, literals=literals, missing=missing, max_term_size=2)
    X = np.concatenate([table(60, seed=1)[0], np.full((1, 7), 99)])
    scores = clf.log_weighted_sums(X)
    expected = by_updates(clf, X)
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
    labels = clf.classes_[scores.argmax(axis=1)]
    assert_array_equal(clf.predict(X), labels)
    for i in (0, 17, -1):
        row = X[i : i + 1] if i >= 0 else X[-1:]
        assert_array_equal(clf.log_weighted_sums(row)[0], scores[i])
    assert_array_equal(clf.set_params(n_jobs=2).log_weighted_sums(X), scores)


def test_tables_are_made_anew_after_training():
    clf, (X, y) = fitted(), table(seed=1)
    for train in (lambda *rows: clf, clf.partial_fit, clf.fit):
        train(X, y)
        scores = clf.log_weighted_sums(X)
        assert_allclose(scores, by_updates(clf, X), rtol=1e-9, atol=1e-9)


def test_copies_share_no_more_than_what_is_right():
    clf, (X, y) = fitted(), table(seed=1)
    scores = clf.log_weighted_sums(X)
    for twin in [copy.copy(clf), pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)]:
        assert_array_equal(twin.log_weighted_sums(X), scores)
        twin.partial_fit(X, y)
        assert (twin.log_weighted_sums(X) != scores).any()
        assert_array_equal(clf.log_weighted_sums(X), scores)
    change_model(clf, "stored", net_counts=clf.net_promotion_counts_[::-1])
    assert_allclose(clf.log_weighted_sums(X), scores[:, ::-1])


def test_pickles_do_not_grow():
    clf = fitted()
    before = pickle.dumps(clf)
    clf.predict(table()[0])
    assert pickle.dumps(clf) == before
