"""Validation: folds, the epochs that they choose, and the scale of probabilities."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax, softmax
from sklearn.metrics import log_loss
from sklearn.utils import shuffle

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow import _epoch_selection, _settings
from sklearn_dnfwinnow._winnow._epoch_selection import fit_scale, folds
from sklearn_dnfwinnow._winnow._learner import checkpoints
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow.datasets import load_car, load_tic_tac_toe


def noisy(n_samples=300, seed=0, n_features=5):
    """Two classes of known probabilities, which depend on three attributes."""
    random = np.random.RandomState(seed)
    X = random.randint(0, 3, (n_samples, n_features))
    true = 1 / (1 + np.exp(-(2.0 * (X[:, 0] == 1) + (X[:, 1] == X[:, 2]) - 1.2)))
    return X, (random.random_sample(n_samples) < true).astype(int), true


def presentations(codes, labels):
    ones = np.ones(len(codes), dtype=np.int64)
    return Presentations(codes, labels, ones)


# -- folds -----------------------------------------------------------------------------


def test_folds_are_even_in_each_class():
    random = np.random.RandomState(0)
    rows = presentations(random.randint(0, 4, (200, 3)), random.randint(0, 3, 200))
    turns = folds(rows, 4, seed=3)
    for k in range(3):
        counts = np.bincount(turns[rows.labels == k], minlength=4)
        assert counts.max() - counts.min() <= 1
    assert np.ptp(np.bincount(turns)) <= 3


def test_equal_rows_go_wherever_chance_takes_them():
    # Pairs of equal rows: a third in the same of three folds. Were they always apart,
    # rows learned by heart would look as if they had been understood.
    codes = np.repeat(np.arange(6000).reshape(3000, 2), 2, axis=0)
    turns = folds(presentations(codes, np.zeros(6000, dtype=int)), 3, seed=3)
    together = np.mean(turns[::2] == turns[1::2])
    assert abs(together - 1 / 3) < 6 * np.sqrt(2 / 9 / 3000)


def test_held_out_losses_are_those_of_new_rows():
    X, y, _ = noisy(2000, seed=5, n_features=4)
    new, labels, _ = noisy(20_000, seed=6, n_features=4)
    clf = DNFWinnowClassifier(n_folds=5, random_state=0).fit(X, y)
    loss = log_loss(labels, clf.predict_proba(new))
    # The standard error of a mean of 2,000 losses of standard deviation 0.4.
    assert abs(loss - clf.validation_["log_loss"].min()) < 5 * 0.4 / np.sqrt(2000)


def test_a_handful_of_rows():
    X, y = [["a"], ["b"], ["c"]], ["no", "yes", "no"]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert clf.predict(X).tolist() == y and clf.validation_ is None
    # More folds than rows.
    clf = DNFWinnowClassifier(n_folds=10, random_state=0).fit(X, y)
    assert np.isfinite(clf.scale_) and len(clf.validation_["log_loss"])
    # No more of them than rows.
    other = DNFWinnowClassifier(n_folds=10**9, random_state=0).fit(X, y)
    assert_array_equal(other.predict_proba(X), clf.predict_proba(X))


# -- the choice ------------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("sampler", ["table", "exact"])
def test_losses_are_those_of_models_without_each_fold(sampler, multi_class):
    X, y, _ = noisy(90, n_features=3)
    params = {
        "sampler": sampler,
        "multi_class": multi_class,
        "shuffle": False,
        "random_state": 0,
    }
    clf = DNFWinnowClassifier(n_folds=3, max_iter=6, **params).fit(X, y)
    # Rows as fit has them, without shuffling: sorted.
    order = np.lexsort([y, *X.T[::-1]])
    X, y = X[order], y[order]
    ones = np.ones(len(y), dtype=np.int64)
    turns = folds(Presentations(X + 1, y, ones), 3, clf._seed)
    assert clf.validation_["n_epochs"].tolist() == checkpoints(6)
    losses = []
    for n_epochs, loss in zip(*clf.validation_.values()):
        scores = np.empty((len(y), 2))
        for turn in range(3):
            held = turns == turn
            assert all(len(np.unique(column)) == 3 for column in X[~held].T)
            other = DNFWinnowClassifier(max_iter=int(n_epochs), n_folds=None, **params)
            scores[held] = other.fit(X[~held], y[~held]).log_weighted_sums(X[held])
        losses.append(fit_scale(scores, y, ones))
        assert_allclose(losses[-1][1], loss, rtol=1e-9)
    best = np.argmin([loss for _, loss in losses])
    assert clf.scale_ == pytest.approx(losses[best][0], rel=1e-4)
    # And then all rows, for as long.
    whole = DNFWinnowClassifier(max_iter=checkpoints(6)[best], n_folds=None, **params)
    assert_allclose(
        clf.log_weighted_sums(X), whole.fit(X, y).log_weighted_sums(X), rtol=1e-12
    )


def test_noise_is_not_learned_by_heart():
    X, y, _ = noisy(400)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    losses = clf.validation_["log_loss"]
    n_epochs = clf.validation_["n_epochs"]
    # No patience beyond six candidates without gain, and none that is not needed.
    assert n_epochs[losses.argmin()] >= clf.n_iter_
    assert len(losses) <= losses.argmin() + 8 and clf.n_iter_ < 48
    assert losses[-1] > losses.min() + 0.005


def test_patience_costs_nothing_where_all_is_learned():
    data = load_tic_tac_toe()
    clf = DNFWinnowClassifier(random_state=0).fit(data.data, data.target)
    # Epochs without updates stand for all those to come.
    assert clf.validation_["n_epochs"].tolist() == checkpoints(96)
    assert clf.n_iter_ < 48


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_results_do_not_depend_on_threads_or_order(multi_class):
    X, y, _ = noisy()
    params = {"multi_class": multi_class, "random_state": 0}
    clf = DNFWinnowClassifier(**params).fit(X, y)
    twin = DNFWinnowClassifier(n_jobs=2, **params).fit(*shuffle(X, y, random_state=1))
    for name, losses in clf.validation_.items():
        assert_array_equal(twin.validation_[name], losses)
    assert twin.scale_ == clf.scale_
    assert_array_equal(twin.predict_proba(X), clf.predict_proba(X))


def test_weights_are_repeats():
    X, y, _ = noisy(100)
    weights = np.random.RandomState(0).randint(0, 5, 100)
    weighted = DNFWinnowClassifier(random_state=0).fit(X, y, sample_weight=weights)
    repeated = DNFWinnowClassifier(random_state=0)
    repeated.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_array_equal(
        weighted.validation_["log_loss"], repeated.validation_["log_loss"]
    )
    assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.slow
def test_where_no_table_fits_there_are_no_folds(monkeypatch):
    X, y, _ = noisy(60)
    for sampler in ("exact", "frontier", "brute_force"):
        clf = DNFWinnowClassifier(sampler=sampler, random_state=0).fit(X, y)
        assert clf.validation_ is None and clf.n_iter_ <= 20
    clf = DNFWinnowClassifier(sampler="exact", n_folds=2, max_iter=4).fit(X, y)
    assert clf.validation_["n_epochs"].tolist() == [1, 2, 3, 4]


def test_epochs_of_large_tables(monkeypatch):
    X, y, _ = noisy(200, n_features=3)
    # Eight terms a row, two classes, three folds.
    for budget, last in ((200 * 48 * 12, 12), (1, 4), (10**9, 96)):
        monkeypatch.setattr(_settings, "_MOST_SUMMED", budget)
        monkeypatch.setattr(_epoch_selection, "_PATIENCE", 99)
        clf = DNFWinnowClassifier(random_state=0).fit(X, y)
        assert clf.validation_["n_epochs"][-1] == last


def test_a_failing_fold_ends_all(monkeypatch):
    def fail(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(_epoch_selection, "fit_scale", fail)
    X, y, _ = noisy(60)
    clf = DNFWinnowClassifier(n_jobs=2)
    with pytest.raises(ZeroDivisionError):
        clf.fit(X, y)
    assert not hasattr(clf, "classes_")


# -- probabilities ---------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 5])
def test_the_scale_is_the_best(n_classes):
    random = np.random.RandomState(0)
    scores = random.standard_normal((500, n_classes))
    labels = np.array([random.choice(n_classes, p=p) for p in softmax(3 * scores, 1)])
    units = random.randint(1, 5, 500)
    scale, loss = fit_scale(scores, labels, units)
    targets = np.full((500, n_classes), 1 / 502 / n_classes)
    targets[np.arange(500), labels] += 1 - 1 / 502
    grid = np.linspace(0.5, 6, 400)
    logs = [log_softmax(s * scores, axis=1) for s in grid]
    losses = [-np.average((targets * log).sum(axis=1), weights=units) for log in logs]
    assert abs(scale - grid[np.argmin(losses)]) < 0.02
    assert loss == pytest.approx(min(losses), abs=1e-4)
    # The truth within five standard errors.
    assert abs(scale - 3) < 5 * 3 / np.sqrt(500)


def test_the_scale_is_finite_without_an_error():
    scores = np.array([[1.0, 0.0], [0.0, 2.0]] * 20)
    scale, loss = fit_scale(scores, np.array([0, 1] * 20), np.ones(40))
    assert 1 < scale < 20 and 0 < loss < 0.2
    # Scores that say nothing.
    scale, loss = fit_scale(np.zeros((40, 2)), np.array([0, 1] * 20), np.ones(40))
    assert np.isfinite(scale) and loss == pytest.approx(np.log(2))


def test_probabilities_are_scaled_scores():
    data = load_car()
    clf = DNFWinnowClassifier(random_state=0).fit(data.data, data.target)
    scores = clf.log_weighted_sums(data.data[:50])
    probabilities = clf.predict_proba(data.data[:50])
    assert_allclose(probabilities, softmax(clf.scale_ * scores, axis=1))
    assert_array_equal(
        clf.classes_[probabilities.argmax(1)], clf.predict(data.data[:50])
    )


def test_probabilities_can_be_trusted():
    X, y, _ = noisy(1000, seed=1)
    new, labels, true = noisy(20_000, seed=2)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    chances = clf.predict_proba(new)[:, 1]
    # Nearly as good as the truth, and far from what unscaled scores would say.
    least = log_loss(labels, true)
    assert log_loss(labels, chances) < least + 0.03
    unscaled = softmax(20 * clf.scale_ * clf.log_weighted_sums(new), axis=1)
    assert log_loss(labels, unscaled[:, 1]) > least + 0.1
    for low in np.arange(0.1, 0.9, 0.1):
        those = (chances >= low) & (chances < low + 0.1)
        if those.sum() > 1000:
            assert abs(labels[those].mean() - chances[those].mean()) < 0.1
