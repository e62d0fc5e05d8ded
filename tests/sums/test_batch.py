"""Prediction: sums of batches, and what is evaluated once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from internals.sums import _subset_sums
from internals.terms import _index_choice
from internals.winnow import Summation, log_sums
from numpy.testing import assert_allclose, assert_array_equal
from reference import plain_winnow

from sklearn_dnfwinnow.samplers import Frontier, Gibbs
from sklearn_dnfwinnow.sums import log_weighted_sum

LOG_ALPHA = np.log(1.5)


def random_codes(shape, largest, seed=0):
    """Codes at random, some unspecified."""
    random = np.random.RandomState(seed)
    codes = random.randint(0, largest + 1, shape, dtype=np.int64)
    return np.where(codes > 5, largest - codes % 3, codes).astype(np.int32)


def random_exponents(shape, seed=1, largest=4, share=0.6):
    random = np.random.RandomState(seed)
    net_counts = random.randint(-largest, largest + 1, shape)
    return np.where(random.random_sample(shape) < share, net_counts, 0)


def table_of_classes(n_rows, n_features, n_classes, seed=0, noise=0.2):
    """Rows that differ from the prototype of their class here and there."""
    random = np.random.RandomState(seed)
    prototypes = random.randint(4, size=(n_classes, n_features))
    y = np.arange(n_rows) % n_classes
    X = prototypes[y]
    noisy = random.random_sample(X.shape) < noise
    return np.where(noisy, random.randint(4, size=X.shape), X), y


def full_predictions(clf, X):
    """What `decision_function` says."""
    scores = clf.decision_function(X)
    if scores.ndim == 1:
        return clf.classes_[(scores > 0).astype(int)]
    return clf.classes_[scores.argmax(axis=1)]


# -- sums of all classes ---------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 2, 3, None])
@pytest.mark.parametrize(
    ("log_alpha", "log_beta"), [(LOG_ALPHA, -1.0), (60.0, 0.0), (3.0, -400.0)]
)
@pytest.mark.parametrize("largest", [3, 254, 65_535, 2**31 - 2])
def test_other_rows_change_no_bit(monkeypatch, cap, log_alpha, log_beta, largest):
    examples = random_codes((60, 7), largest)
    rows = np.concatenate([random_codes((20, 7), largest, seed=3), examples[:9]])
    rows[0] = 0
    net_counts = random_exponents((4, 60))
    net_counts[:, 50:] = 0
    arguments = (log_alpha, log_beta, cap)
    ours = log_sums(examples, net_counts, rows, *arguments)
    alone = [log_sums(examples, net_counts, row[None], *arguments) for row in rows]
    assert_array_equal(ours, np.concatenate(alone))
    # In lists, numbered, and in parts that fit.
    for name, value in (("_SMALL_TABLE", 0), ("MEMORY_BUDGET", 20_000)):
        with monkeypatch.context() as patch:
            patch.setattr(_index_choice, name, value)
            assert_array_equal(ours, log_sums(examples, net_counts, rows, *arguments))
    expected = brute_force_sums(examples, net_counts, rows, *arguments)
    assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)


def brute_force_sums(examples, net_counts, rows, log_alpha, log_beta, cap):
    options = {"alpha": np.exp(log_alpha), "literal_weight": np.exp(log_beta)}
    options |= {"max_term_size": cap, "sampler": "brute_force"}
    return [
        [
            log_weighted_sum((examples == row)[:, row != 0], own, **options).log_value
            for own in net_counts
        ]
        for row in rows
    ]


@pytest.mark.parametrize("log_alpha", [1e-6, LOG_ALPHA, 3.0, 50.0])
@pytest.mark.parametrize("log_beta", [-20.0, 0.0, 20.0])
@pytest.mark.parametrize("n", [1, 2, 4, 5, 11])
def test_cubes_are_the_other_sums(log_alpha, log_beta, n):
    examples, rows = random_codes((60, n), 2), random_codes((25, n), 3, seed=3)
    rows[0] = 0
    net_counts = random_exponents((5, 60))
    net_counts[3:] = np.abs(net_counts[3:]) * [[1], [-1]]
    assert _subset_sums.in_reach(net_counts, rows, log_beta).all()
    model = examples, net_counts
    sums = _subset_sums.log_sums(*model, rows, log_alpha, log_beta)
    expected = log_sums(*model, rows, log_alpha, log_beta)
    assert_allclose(sums, expected, rtol=1e-12, atol=1e-12)
    alone = [
        _subset_sums.log_sums(*model, row[None], log_alpha, log_beta) for row in rows
    ]
    assert_array_equal(np.concatenate(alone), sums)


@pytest.mark.parametrize("total", [2**15 - 1, 2**15, 2**20])
def test_cubes_of_large_exponents(total):
    examples, rows = random_codes((4, 6), 1), random_codes((8, 6), 1, seed=3)
    for sign in (-1, 1):
        net_counts = sign * np.array([[total // 2, total - total // 2, 0, 0]])
        question = examples, net_counts, rows, 1e-4, 0.0
        assert _subset_sums.in_reach(net_counts, rows, 0.0).all()
        expected = brute_force_sums(*question, cap=None)
        # Alpha so near to 1 is rounded.
        assert_allclose(_subset_sums.log_sums(*question), expected, atol=1e-11)


# -- prediction ------------------------------------------------------------------------

# From names to what sums, and the largest size of terms.
SAMPLERS = {
    "auto": ("auto", None),
    "table": ("table", 2),
    "exact": ("exact", None),
    "frontier": (Frontier(max_states=4), None),
    "gibbs": (Gibbs(n_steps=30, burn_in=5), None),
}


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("n_classes", [2, 12])
def test_predictions_are_those_of_full_sums(sampler, n_classes):
    X, y = table_of_classes(150, 12, n_classes)
    sampler, max_term_size = SAMPLERS[sampler]
    clf = plain_winnow(sampler="table", max_iter=2, random_state=0)
    clf.set_params(max_term_size=max_term_size).fit(X[:90], y[:90])
    clf.set_params(sampler=sampler)
    X = X[60:]
    predicted = clf.predict(X)
    assert_array_equal(predicted, full_predictions(clf, X))
    clf.set_params(n_jobs=2)
    order = np.random.RandomState(0).permutation(len(X))
    assert_array_equal(clf.predict(X[order]), predicted[order])
    assert_array_equal(clf.predict(X[:7]), predicted[:7])


@pytest.mark.parametrize("options", [{}, {"max_term_size": 2}, {"sampler": "exact"}])
def test_threads_make_no_difference(options, monkeypatch):
    X, y = table_of_classes(200, 15, 3)
    clf = plain_winnow(max_iter=1, random_state=0, **options)
    clf.fit(X[:40], y[:40])
    predicted, scores = clf.predict(X), clf.log_weighted_sums(X)
    monkeypatch.setattr(Summation, "_rows_a_task", lambda self: 30)
    for n_jobs in (1, 2):
        clf.set_params(n_jobs=n_jobs)
        assert_array_equal(clf.predict(X), predicted)
        assert_array_equal(clf.log_weighted_sums(X), scores)


def test_ties_go_to_the_first_class():
    # No update agrees, so every class has its initial weight.
    X, y = table_of_classes(40, 12, 4)
    clf = plain_winnow(sampler="exact", random_state=0).fit(X, y)
    assert clf.predict(np.full((1, 12), 9)) == 0


# -- threads ---------------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.filterwarnings("ignore:The Markov chains")
@pytest.mark.parametrize(
    "sampler", ["table", "exact", "frontier", Gibbs(n_steps=100, burn_in=10)], ids=str
)
def test_threads_predict_at_once_on_one_estimator(sampler):
    X, y = table_of_classes(60, 6, 3)
    clf = plain_winnow(sampler=sampler, max_iter=2, random_state=0).fit(X, y)
    expected = clf.decision_function(X)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(clf.decision_function, [X] * 12):
            assert_array_equal(scores, expected)
