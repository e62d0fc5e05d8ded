"""Selection by folds: what is held out, what is chosen, and what it depends on."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import time
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from internals.terms import _index_choice
from internals.winnow import _candidate_blocks as _blocks
from internals.winnow import (
    _choice,
    _selection,
    assign_folds,
    checkpoints,
    given_candidates,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import interrupt_after
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.utils import shuffle

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.samplers import Gibbs

RESIDUALS = {"scale": 10.0, "alpha": 1.1}
MARGINS = {"margin": 0.4, "alpha": 1.1}
# Steps so long that what was learned last is all there is.
WILD = {"scale": 300.0, "alpha": 3.0}


def noisy(n_samples=300, seed=0, n_features=5):
    """Two classes of known probabilities, which depend on three attributes."""
    random = np.random.RandomState(seed)
    X = random.randint(0, 3, (n_samples, n_features))
    true = 1 / (1 + np.exp(-(2.0 * (X[:, 0] == 1) + (X[:, 1] == X[:, 2]) - 1.2)))
    return X, (random.random_sample(n_samples) < true).astype(int), true


def numbers(n_samples=240, n_features=6, seed=0):
    """Columns of measurements that say nothing of the class."""
    random = np.random.RandomState(seed)
    X = random.standard_normal((n_samples, n_features))
    return X, random.randint(2, size=n_samples)


def fitted(X, y, sample_weight=None, candidates=None, **params):
    clf = DNFWinnowClassifier(**{"max_iter": 16, "random_state": 0, **params})
    with given_candidates(*candidates) if candidates else nullcontext():
        return clf.fit(X, y, sample_weight)


def assert_same(one, other, X):
    assert one.validation_.keys() == other.validation_.keys()
    for name, column in one.validation_.items():
        assert_array_equal(column, other.validation_[name])
    assert one.scale_ == other.scale_ and one.n_iter_ == other.n_iter_
    assert_array_equal(one.predict_proba(X), other.predict_proba(X))


# -- folds -----------------------------------------------------------------------------


def test_folds_are_even_in_each_class():
    labels = np.random.RandomState(0).randint(0, 3, 200)
    turns = assign_folds(labels, 4, seed=3)
    for k in range(3):
        assert np.ptp(np.bincount(turns[labels == k], minlength=4)) <= 1
    assert np.ptp(np.bincount(turns)) <= 1
    assert (turns != assign_folds(labels, 4, seed=4)).any()


def test_equal_rows_go_wherever_chance_takes_them():
    # Pairs of equal rows: a third in the same of three folds. Were they always apart,
    # rows learned by heart would look as if they had been understood.
    turns = assign_folds(np.zeros(6000, dtype=int), 3, seed=3)
    together = np.mean(turns[::2] == turns[1::2])
    assert abs(together - 1 / 3) < 6 * np.sqrt(2 / 9 / 3000)


def test_held_out_losses_are_those_of_new_rows():
    X, y, _ = noisy(2000, seed=5, n_features=4)
    new, labels, _ = noisy(20_000, seed=6, n_features=4)
    clf = fitted(X, y, cv=5)
    loss = log_loss(labels, clf.predict_proba(new))
    # The standard error of a mean of 2,000 losses of standard deviation 0.4.
    assert abs(loss - clf.validation_["log_loss"].min()) < 5 * 0.4 / np.sqrt(2000)


def test_cuts_are_made_without_the_rows_held_out():
    """Of labels at random nothing can be known: but cuts of all rows know them."""
    cuts = ClassEntropyDiscretizer(max_intervals=8)
    for seed in range(2):
        X, y = numbers(seed=seed)
        shares = np.bincount(y) / len(y)
        entropy = -(shares * np.log(shares)).sum()
        inside = fitted(X, y, discretizer=cuts)
        behind = make_pipeline(cuts, DNFWinnowClassifier(max_iter=16, random_state=0))
        # The least of many losses, each of which may be lucky.
        assert inside.validation_["log_loss"].min() > entropy - 0.03
        behind.fit(X, y)
        assert behind[-1].validation_["log_loss"].min() < entropy - 0.1


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_losses_are_those_of_models_without_each_fold(missing, monkeypatch):
    """Learned anew by classifiers that have never seen the rows held out."""
    X, y, _ = noisy(90, n_features=3)
    X = X.astype(object)
    X[np.random.RandomState(0).rand(*X.shape) < 0.1] = None
    turns = {}

    def folds(labels, n_folds, seed):
        found = assign_folds(labels, n_folds, seed)
        turns[0] = found
        return found

    monkeypatch.setattr(_choice, "assign_folds", folds)
    params = {"missing": missing, "multi_class": "joint", "max_term_size": None}
    params |= {"scale": RESIDUALS["scale"], "alpha": 1.02, "literals": "equal"}
    params |= {"literal_weight": 0.5, "screening": None, "discretizer": None}
    clf = fitted(X, y, cv=3, max_iter=2, **params)
    # Rows as they are presented: sorted.
    keys = np.array([[-1 if v is None else v for v in row] for row in X])
    order = np.lexsort([y, *keys.T[::-1]])
    X, y = X[order], y[order]
    monkeypatch.setattr(_choice, "assign_folds", assign_folds)
    scores = np.empty((len(y), 2))
    for turn in range(3):
        held = turns[0] == turn
        other = fitted(X[~held], y[~held], cv=None, max_iter=2, **params)
        scores[held] = other.log_weighted_sums(X[held])
    assert clf.validation_["n_epochs"].tolist() == [2]
    # They shuffle other numbers of rows.
    assert_allclose(held_out_loss(scores, y), clf.validation_["log_loss"], atol=0.02)


def held_out_loss(scores, y):
    """The log loss of probabilities at the scale of `RESIDUALS`."""
    lead = RESIDUALS["scale"] * (scores[:, 1] - scores[:, 0])
    return np.logaddexp(0, np.where(y == 1, -lead, lead)).mean()


# -- what it depends on ----------------------------------------------------------------


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_results_do_not_depend_on_threads_blocks_or_order(multi_class, monkeypatch):
    X, y, _ = noisy(200)
    X = np.column_stack([X, numbers(200)[0][:, :2]])
    clf = fitted(X, y, multi_class=multi_class)
    assert len({*clf.validation_["candidate"]}) > 2
    other = fitted(*shuffle(X, y, random_state=1), multi_class=multi_class, n_jobs=2)
    assert_same(clf, other, X)
    for n_lanes in (1, 7, 1000):
        monkeypatch.setattr(_blocks, "_MOST_LANES", n_lanes)
        assert_same(clf, fitted(X, y, multi_class=multi_class), X)


def test_fractions_of_weights():
    X, y, _ = noisy(100)
    weights = np.random.RandomState(0).randint(1, 10, 100) / 4
    clf = fitted(X, y, weights)
    assert_array_equal(clf.predict_proba(X), fitted(X, y, weights).predict_proba(X))
    assert clf.denominator_ % 4 == 0


# -- the course of candidates ----------------------------------------------------------


def epochs_of(clf):
    """The epochs at which each candidate was looked at."""
    found = pd.DataFrame(clf.validation_).groupby("candidate")["n_epochs"]
    return {position: of_one.tolist() for position, of_one in found}


def test_the_worse_half_is_dropped():
    X, y, _ = noisy(400)
    slow = [{**MARGINS, "alpha": 1.001}, {**RESIDUALS, "alpha": 1.001}]
    candidates = [WILD, slow[0], {**WILD, "alpha": 2.5}, slow[1]]
    clf = fitted(X, y, candidates=candidates, max_iter=192)
    seen = epochs_of(clf)
    first = min(_selection._RUNGS)
    # No one is judged before the first rung.
    for ends in seen.values():
        assert ends[: len(checkpoints(first))] == checkpoints(first)
    for end, n_kept in _selection._RUNGS.items():
        assert sum(ends[-1] > end for ends in seen.values()) <= n_kept
    assert max(seen[0][-1], seen[2][-1]) < max(seen[1][-1], seen[3][-1])
    assert clf.alpha_ == 1.001


@pytest.mark.parametrize(
    "n_classes, most, first", [(2, 100_000, 4), (3, 100_000, 8), (3, 0, 4)]
)
def test_more_than_two_classes_are_judged_later(n_classes, most, first, monkeypatch):
    """But for many rows times classes: the worst of five small steps ends first."""
    monkeypatch.setattr(_selection, "_MOST_LATE", most)
    X, y, _ = noisy(400)
    y[(X[:, 3] == 1) & (n_classes == 3)] = 2
    slow = [{"alpha": 1.001, "scale": scale} for scale in (5.0, 10.0, 20.0, 40.0, 80.0)]
    seen = epochs_of(fitted(X, y, candidates=slow))
    assert sorted(ends[-1] for ends in seen.values())[:2] == [first, 2 * first]


def test_who_does_not_get_better_is_dropped():
    X, y, _ = noisy(400)
    clf = fitted(X, y, candidates=[RESIDUALS], max_iter=500)
    looked = clf.validation_["n_epochs"]
    assert looked[-1] < 500 and clf.n_iter_ < looked[-1]
    assert clf.validation_["log_loss"][-1] > clf.validation_["log_loss"].min()


def test_candidates_that_leave_float32_are_never_chosen():
    X, y, _ = noisy(100)
    steep = {"margin": 60.0, "alpha": 50.0}
    clf = fitted(X, y, candidates=[steep, RESIDUALS])
    assert clf.alpha_ == 1.1
    # If none is left, there is the trainer of exact sums.
    clf = fitted(X, y, **steep, max_iter=3)
    assert clf.validation_ is None and clf.alpha_ == 50.0
    assert np.isfinite(clf.decision_function(X)).all()


@pytest.mark.parametrize("is_one", [False, True])
def test_the_first_fold_of_many_cells_says_which_candidates_are_compared(
    is_one, monkeypatch
):
    """Others have the results of this fold; all have them if a single one is left."""
    monkeypatch.setattr(_selection, "_MANY_CELLS", 400 * 4 * 2)
    monkeypatch.setattr(_selection, "_WORTH", 1.0 if is_one else -1.0)
    X, y = numbers(400, 4)
    sizes = [{**RESIDUALS, "max_term_size": size} for size in (1, 2, 3)]
    params = {"max_iter": 4, "n_estimators": 1}
    clf = fitted(X, y, candidates=[*sizes, WILD], **params)
    looks, every, rest = (
        pd.DataFrame(one.validation_).set_index(["alpha", "max_term_size", "n_epochs"])
        for one in (
            clf,
            fitted(X, y, candidates=[*sizes, WILD], cv=5, **params),
            fitted(X[:399], y[:399], candidates=[*sizes, WILD], **params),
        )
    )
    assert len(looks.groupby("candidate")) == 4
    gaps = (looks["log_loss"] / every["log_loss"] - 1.0).abs()
    compared = (gaps < 1e-5).groupby(looks["candidate"]).all()
    assert compared[:3].any() != is_one and not compared[3] and compared.sum() <= 3
    assert len(rest.groupby("candidate")) == 4


# -- limits ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind, n_tried", [("additive", {2, 3}), ("pairs", {10})])
@pytest.mark.parametrize("is_large", [False, True])
def test_others_are_tried_where_smooth_effects_are_not_enough(
    kind, n_tried, is_large, monkeypatch
):
    """Effects of single columns, and one of a pair of columns."""
    random = np.random.default_rng(1)
    X = random.normal(size=(900, 4))
    log_odds = {
        "additive": 2 * X[:, 0] + 2 * X[:, 1],
        "pairs": 6 * np.sign(X[:, 0] * X[:, 1]),
    }
    y = random.random(len(X)) < 1 / (1 + np.exp(-log_odds[kind]))
    monkeypatch.setattr(_choice, "_MANY_CELLS", 1 if is_large else np.inf)
    model = fitted(X, y)
    assert len(np.unique(model.validation_["candidate"])) in n_tried
    # Who gives folds, or the kind of terms, has all candidates of it compared.
    every = fitted(X, y, cv=3)
    assert len(np.unique(every.validation_["candidate"])) == 10
    assert len(np.unique(fitted(X, y, screening=0.3).validation_["candidate"])) == 2
    # So are those of few rows, and of columns of which not all have smooth effects.
    few = fitted(X[:749], y[:749])
    assert len(np.unique(few.validation_["candidate"])) == 10
    monkeypatch.setattr(_choice, "MOST_SMOOTH", 3)
    wide = fitted(X, y)
    assert len(np.unique(wide.validation_["candidate"])) == 10


def test_terms_that_do_not_fit(monkeypatch):
    X, y, _ = noisy(60)
    params = {**RESIDUALS, "max_term_size": None, "max_iter": 2}
    monkeypatch.setattr(_index_choice, "MEMORY_BUDGET", 1)
    clf = fitted(X, y, **params)
    assert clf.validation_ is None and clf.max_term_size_ is None
    assert clf.scale_ == 10.0
    with pytest.raises(ValueError, match="max_term_size=None needs"):
        fitted(X, y, cv=3, **params)


# Numbers of which a row satisfies more than 28 conditions; few rows have no folds.
NUMBERS = np.random.RandomState(0).normal(size=(60, 5))


@pytest.mark.parametrize(
    ("n", "candidate"),
    [
        (60, {**RESIDUALS, "max_term_size": 2}),
        (60, {**MARGINS, "max_term_size": 2, "literals": "ordered"}),
        (60, {**RESIDUALS, "max_term_size": 3, "screening": 0.5}),
        (60, {**MARGINS, "max_term_size": None, "literals": "equal"}),
        (20, {"max_iter": 3}),
    ],
)
def test_exact_samplers_learn_what_tables_learn(n, candidate):
    X, y = NUMBERS[:n], (NUMBERS[:n, 0] * NUMBERS[:n, 1] > 0).astype(int)
    params = {"candidates": [candidate], "max_iter": 4} if n == 60 else candidate
    table = fitted(X, y, sampler="table", **params)
    assert (table.validation_ is None) == (n == 20)
    for sampler in ("exact", "frontier", "brute_force"):
        clf = fitted(X, y, sampler=sampler, **params)
        assert clf.max_term_size_ == table.max_term_size_
        assert_array_equal(clf.net_promotion_counts_, table.net_promotion_counts_)
        assert_allclose(clf.predict_proba(X), table.predict_proba(X), atol=1e-9)
        # Without folds, all sums are those of the sampler, over terms of any size.
        if candidate.get("screening") is None and sampler == "exact":
            clf.set_params(cv=None, max_iter=1, literals="equal").fit(X, y)
            assert clf.max_term_size_ is None


def test_chains_get_settings_from_tables():
    X, y, _ = noisy(36, n_features=3)
    chain = Gibbs(n_steps=20, burn_in=2)
    margins = [MARGINS, {"margin": 1.0, "alpha": 1.2}]
    params = {"candidates": margins, "max_term_size": None}
    with pytest.warns(ConvergenceWarning):
        clf = fitted(X, y, sampler=chain, max_iter="auto", **params)
    table = fitted(X, y, max_iter=20, **params)
    assert clf.max_term_size_ is None and clf.chains_["run"]
    assert_array_equal(clf.validation_["log_loss"], table.validation_["log_loss"])
    wide = np.random.RandomState(0).randint(2, size=(36, 60))
    with pytest.warns(UserWarning, match=r"no settings are selected.*Set these"):
        clf = fitted(wide, y, sampler=chain, max_iter=1)
    assert clf.validation_ is None and clf.alpha_ == 1.1
    with pytest.raises(
        ValueError, match=r"'gibbs' sums over terms of any size.*cv=None"
    ):
        fitted(wide, y, sampler=chain, cv=2)


def test_forgetting_goes_with_folds():
    X, y, _ = noisy(200)
    clf = fitted(
        X, y, max_stored_examples=10, candidates=[RESIDUALS, MARGINS], average=False
    )
    assert clf.validation_ is not None
    assert (clf.net_promotion_counts_ != 0).sum(axis=1).max() <= 10


def test_few_rows_have_no_folds():
    X, y = [["a"], ["b"], ["c"]], ["no", "yes", "no"]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert clf.predict(X).tolist() == y and clf.validation_ is None
    with pytest.warns(UserWarning, match="least populated class in y has only 1"):
        clf = fitted(X, y, cv=2)
    assert np.isfinite(clf.scale_) and len(clf.validation_["log_loss"])


@pytest.mark.parametrize("estimator", [DNFWinnowClassifier(), DNFClassifier()])
def test_too_many_folds_are_refused_as_by_scikit_learn(estimator):
    X, y = [["a"], ["b"]] * 10, ["no", "yes"] * 10
    for cv, weights, message in (
        (10**9, None, r"n_splits=1000000000 greater than .*samples: n_samples=20"),
        (19, [0, 0] + [1] * 18, r"n_splits=19 greater than .*samples: n_samples=18"),
        (11, None, "n_splits=11 cannot be greater than the number of members in each"),
    ):
        with pytest.raises(ValueError, match=message):
            clone(estimator).set_params(cv=cv).fit(X, y, sample_weight=weights)
    with pytest.warns(UserWarning, match="has only 9 members.*less than n_splits=10"):
        clone(estimator).set_params(cv=10).fit(X[:-1], y[:-1])


def test_a_class_of_one_row():
    X, y, _ = noisy(60)
    y[7] = 2
    for multi_class in ("joint", "ovr"):
        clf = fitted(X, y, multi_class=multi_class)
        assert clf.validation_ is not None
        assert np.isfinite(clf.predict_proba(X)).all()


def test_wide_tables_have_folds():
    random = np.random.RandomState(0)
    X = random.randint(3, size=(60, 200)).astype(str)
    y = (X[:, 0] == "1").astype(int)
    start = time.process_time()
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert time.process_time() - start < 20
    assert clf.validation_ is not None and clf.score(X, y) > 0.9


# -- what goes wrong -------------------------------------------------------------------


def test_ctrl_c_leaves_the_estimator_as_it_was():
    X, y = make_dnf(n_samples=3000, n_features=14, random_state=0)
    clf = DNFWinnowClassifier(max_iter=1000, random_state=0, n_jobs=2)
    clf.candidates = [{**RESIDUALS, "max_term_size": None}]
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.5):
        clf.fit(X, y)
    assert not hasattr(clf, "classes_")
    clf.set_params(max_iter=2, cv=None).fit(X[:50], y[:50])
    before = pickle.dumps(vars(clf))
    clf.set_params(max_iter=1000, cv=3)
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.5):
        clf.fit(X, y)
    clf.set_params(max_iter=2, cv=None)
    assert pickle.dumps(vars(clf)) == before
