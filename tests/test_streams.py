"""Long streams: what is forgotten, and that it depends on the rows alone."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier, _classifier
from sklearn_dnfwinnow._certified import CertifiedWeights
from sklearn_dnfwinnow._exact import BruteForce, Exact
from sklearn_dnfwinnow._forgetting import survivors
from sklearn_dnfwinnow._learner import learn
from sklearn_dnfwinnow._presentations import Presentations
from sklearn_dnfwinnow._term_index import index_to_present
from sklearn_dnfwinnow._term_table import TermTable
from sklearn_dnfwinnow._weights import ImplicitWeights

LOG_ALPHA, LOG_BETA, MOST = 0.4, -0.5, 12


def noisy_table(n_rows, n=8, k=3, seed=0):
    """Rows of values, with a class that is often wrong."""
    random = np.random.RandomState(seed)
    X = random.randint(1, k + 1, (n_rows, n))
    y = (X[:, 0] == 1) & (X[:, 1] <= 2) | (X[:, 2] == 2)
    return X, y ^ (random.random_sample(n_rows) < 0.3)


# -- forgetting ------------------------------------------------------------------------


def test_the_smallest_exponents_go_and_of_them_the_oldest():
    exponents = np.array([1, -3, 1, 0, 2, 1, -1, 5, 1])
    assert survivors(exponents, 8).tolist() == [1, 4, 5, 6, 7, 8]
    assert survivors(exponents[:2], 1).tolist() == [1]
    assert survivors(np.arange(101), 100).tolist() == list(range(26, 101))


def all_kinds(codes, most, updates, exponents):
    """Weights of each kind, with the same updates so far."""
    index = index_to_present(updates, codes, codes.max(axis=0), None, LOG_BETA)
    yield TermTable(index, LOG_ALPHA, exponents, max_updates=most)
    for kind in (CertifiedWeights, ImplicitWeights):
        for engine in (Exact(10**6), BruteForce()):
            yield kind(
                *(engine, LOG_ALPHA, LOG_BETA, (0,), updates, exponents),
                max_updates=most,
            )


def test_all_weights_forget_the_same():
    X, y = noisy_table(150)
    codes = X.astype(np.int32)
    updates = np.unique(codes[:9] % 3 + 1, axis=0).astype(np.int32)
    exponents = np.arange(len(updates)) - 4
    units = np.random.RandomState(1).randint(1, 4, len(codes))
    results = []
    for weights in all_kinds(codes, MOST, updates, exponents):
        guesses = np.zeros(len(codes), dtype=bool)
        rows = Presentations(codes, y.astype(int), units, n_epochs=3, seed=0)
        trained = learn(weights, rows, 1, 8 * np.log(1.9), guesses)
        results.append([trained.mistakes, guesses, trained.updates, trained.exponents])
    for other in results[1:]:
        for ours, wanted in zip(other, results[0]):
            assert_array_equal(ours, wanted)
    mistakes, _, updates, exponents = results[0]
    assert sum(mistakes) > 10 * MOST and MOST * 3 // 4 <= len(updates) <= MOST
    assert len(np.unique(updates, axis=0)) == len(updates)
    assert (exponents != 0).any()


def test_a_table_forgets_the_terms_too():
    X, y = noisy_table(80, n=6)
    codes = X.astype(np.int32)
    none = np.empty((0, 6), dtype=np.int32), np.empty(0, dtype=np.int64)
    table = next(all_kinds(codes, MOST, *none))
    for row, yes in zip(codes, y):
        table.promote(row, 3) if yes else table.demote(row, 2)
        assert len(table.updates) <= MOST
    reference = ImplicitWeights(
        BruteForce(), LOG_ALPHA, LOG_BETA, (0,), table.updates, table.exponents
    )
    for row in codes[:20]:
        assert_allclose(
            table.log_sum(row).log_value, reference.log_sum(row).log_value, rtol=1e-12
        )


# -- streams ---------------------------------------------------------------------------


def model(clf):
    """Each class's updates, with their exponents in whole units, oldest first."""
    return [
        [(*clf.updates_[u], clf.exponents_[k, u] / clf.denominator_) for u in owned]
        for k, owned in enumerate(clf._owned)
    ]


def streamed(X, y, ends, weights=None, **parameters):
    parameters = {"max_updates": MOST, "random_state": 0, **parameters}
    clf = DNFWinnowClassifier(**parameters)
    # All values at first: with new ones the threshold would grow in between.
    clf.partial_fit(np.repeat([[1], [2], [3]], X.shape[1], axis=1), y[:3], [0, 1])
    start = 0
    for end in ends:
        some = slice(start, end)
        clf.partial_fit(
            X[some], y[some], sample_weight=None if weights is None else weights[some]
        )
        start = end
    return clf


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"n_jobs": 2},
        {"max_term_size": 2},
        {"max_term_size": None},
        {"sampler": "exact"},
        {"sampler": "table"},
        {"max_updates": None},
        {"max_updates": 1},
    ],
    ids=str,
)
def test_batches_make_no_difference(parameters):
    X, y = noisy_table(120)
    whole = streamed(X, y, [120], **parameters)
    for ends in ([1, 2, 3, 50, 120], [119, 120], range(1, 121)):
        parts = streamed(X, y, ends, **parameters)
        assert model(parts) == model(whole)
        assert_allclose(parts.decision_function(X), whole.decision_function(X))
    most = parameters.get("max_updates", MOST)
    sizes = [len(owned) for owned in whole._owned]
    assert min(sizes) > MOST if most is None else max(sizes) <= most


def test_fractions_are_forgotten_in_proportion():
    X, y = noisy_table(60)
    weights = np.where(np.arange(60) < 30, 1.0, 0.25)
    ends = [30, 45, 60]
    parts = streamed(X, y, ends, weights)
    # The same rows, in quarters from the beginning.
    quarters = DNFWinnowClassifier(max_updates=MOST, random_state=0)
    first = np.repeat([[1], [2], [3]], X.shape[1], axis=1)
    quarters.partial_fit(
        [*first, *X], [*y[:3], *y], [0, 1], sample_weight=[1, 1, 1, *weights]
    )
    assert parts.denominator_ == quarters.denominator_ == 4
    assert model(parts) == model(quarters)


def test_fit_forgets_too():
    X, y = noisy_table(200)
    clf = DNFWinnowClassifier(max_updates=MOST, random_state=0).fit(X, y)
    assert max(map(len, clf._owned)) <= MOST
    assert len(clf.updates_) <= 2 * MOST
    assert clf.n_mistakes_.sum(axis=0).min() > MOST
    many = DNFWinnowClassifier(max_updates=10**6, random_state=0).fit(X, y)
    unlimited = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert model(many) == model(unlimited)


def test_the_model_of_a_stream_does_not_grow(monkeypatch):
    monkeypatch.setattr(_classifier, "_MOST_EPOCHS", 5)
    clf = DNFWinnowClassifier(max_updates=MOST, random_state=0)
    for seed in range(20):
        X, y = noisy_table(30, seed=seed)
        clf.partial_fit(X, y, classes=[False, True])
        assert len(clf.updates_) <= 2 * MOST
        assert clf.exponents_.shape == (2, len(clf.updates_))
        assert clf.n_mistakes_.shape == (min(seed + 1, 5), 2)
    assert clf.n_iter_ == 20


def test_new_values_in_later_batches():
    X, y = noisy_table(100, k=2)
    clf = DNFWinnowClassifier(max_updates=MOST, random_state=0)
    clf.partial_fit(X, y, classes=[False, True])
    before = [list(clf.categories_), clf.updates_, clf.log_threshold_]
    scores = clf.log_weighted_sums(X) + clf.log_threshold_
    clf.partial_fit([[7] * 8, [1] * 7 + [9]], [True, False], sample_weight=[1, 0])
    for old, new in zip(before[0], clf.categories_):
        # Codes in use stay what they are; a row of weight 0 is as good as absent.
        assert_array_equal(new, [*old, 7.0])
    assert clf.log_threshold_ > before[2]
    assert len(clf.updates_) <= len(before[1]) + 2
    # The new row agrees with no old one, and changes their sums by its empty term only.
    after = clf.log_weighted_sums(X) + clf.log_threshold_
    assert np.abs(after - scores).max() < LOG_ALPHA
    assert clf.predict([[7] * 8, [9] * 8]).dtype == bool


@pytest.mark.parametrize("max_updates", [0, -1, 2.5, "many"])
def test_max_updates_is_checked(max_updates):
    with pytest.raises(ValueError, match="The 'max_updates' parameter"):
        DNFWinnowClassifier(max_updates=max_updates).fit([[0], [1]], [0, 1])
