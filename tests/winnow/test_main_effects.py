"""Main effects: what training starts from, and what it depends on."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from contextlib import nullcontext
from math import log

import numpy as np
import pandas as pd
import pytest
from internals.encoding import derived_columns
from internals.winnow import (
    Chain,
    _candidate,
    _candidate_blocks,
    _classifier,
    _ValueSets,
    additive_start,
    given_candidates,
)
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import PredefinedSplit
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import shuffle

from sklearn_dnfwinnow import DNFWinnowClassifier

STEPS = {"scale": 30.0, "alpha": 1.01}
EFFECTS = {"main_effects": True, **STEPS}
# Net counts are rounded to parts of a promotion; half of one, in log weights.
HALF_PART = log(STEPS["alpha"]) / 64 / 2


def table(seed=0, n_samples=200, n_classes=3):
    """Words and numbers with additive effects on the classes."""
    random = np.random.RandomState(seed)
    X = pd.DataFrame(
        {
            "word": random.choice(list("abcd"), n_samples),
            "flag": random.choice(["no", "yes"], n_samples),
            "count": random.randint(0, 6, n_samples),
            "number": random.standard_normal(n_samples),
        }
    )
    score = X["number"] + 0.5 * X["count"] + (X["word"] == "a") * 2
    noise = random.logistic(size=(n_samples, n_classes))
    y = (np.outer(score, np.arange(n_classes) - 1) + noise).argmax(axis=1)
    return X, y


def words(seed=0, n_samples=200):
    X, y = table(seed, n_samples)
    return X[["word", "flag"]].assign(size=X["count"].astype(str)), y


@pytest.fixture
def start(monkeypatch):
    """Return a function that fits a classifier without its training."""

    def fit(X, y, sample_weight=None, main_effects=True, **params):
        params = {**STEPS, "cv": None, "max_term_size": 2, **params}
        with (
            monkeypatch.context() as patch,
            additive_start() if main_effects else nullcontext(),
        ):
            patch.setattr(_classifier, "train", lambda model, *_, **__: model)
            return DNFWinnowClassifier(**params).fit(X, y, sample_weight)

    return fit


def fitted(X, y, candidate=EFFECTS, **params):
    """A classifier that selects among a single candidate."""
    with given_candidates(candidate):
        return DNFWinnowClassifier(random_state=0, **params).fit(X, y)


def swapped(X, column, seed):
    """Return the same rows, and rows of others, before and after one column swaps."""
    others = shuffle(X, random_state=seed)
    others.index = X.index
    left, right = X.copy(), others.copy()
    left[column], right[column] = others[column], X[column]
    return X, others, left, right


# -- before the first epoch ------------------------------------------------------------


@pytest.mark.parametrize(
    ("literals", "size"),
    [
        *(("equal", size) for size in (1, 2, 3, None)),
        *(("intervals", size) for size in (1, 2, None)),
        ("ordered", 2),
    ],
)
def test_sums_are_additive_before_training(start, literals, size):
    """No part of a sum depends on two features."""
    X, y = table()
    clf = start(X, y, literals=literals, max_term_size=size)
    for seed, column in enumerate(X):
        sums = [np.exp(clf.log_weighted_sums(Z)) for Z in swapped(X, column, seed)]
        assert_allclose(sums[0] + sums[1], sums[2] + sums[3], rtol=1e-9)
    assert np.ptp(clf.log_weighted_sums(X), axis=0).min() > 0.01


def test_sums_after_training_are_not_additive():
    """The control of the test above."""
    X, y = table()
    with additive_start():
        clf = DNFWinnowClassifier(**STEPS, max_term_size=2, cv=None).fit(X, y)
    sums = [np.exp(clf.log_weighted_sums(Z)) for Z in swapped(X, "word", 0)]
    assert np.abs((sums[0] + sums[1]) / (sums[2] + sums[3]) - 1).max() > 1e-3


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("size", [1, 2, None])
def test_differences_of_sums_are_those_of_the_additive_fit(start, size, n_classes):
    """But for one factor, and the rounding of net counts."""
    X, y = words()
    y = np.minimum(y, n_classes - 1)
    clf = start(X, y, max_term_size=size)
    W = np.exp(clf.log_weighted_sums(X))
    regression = LogisticRegression(C=1.0, tol=1e-9, max_iter=5000)
    hot = OneHotEncoder(sparse_output=False).fit_transform(X)
    F = regression.fit(hot, y).decision_function(hot)
    if n_classes == 2:
        F = np.column_stack([-F, F]) / 2
    # The gradient of the package's fit is at most 1e-6, and the mean loss is strongly
    # convex with 1 / (C n), so coefficients differ by that much in norm.
    near = 1e-6 * np.sqrt(regression.coef_.size) * len(y)
    for k in range(1, W.shape[1]):
        found, wanted = W[:, k] - W[:, 0], F[:, k] - F[:, 0]
        # A row satisfies a literal of each feature, in two classes, and the empty term.
        error = 2 * HALF_PART * (W[:, k] + W[:, 0]) + 8 * near * W.max() / clf.scale
        clear = np.abs(wanted) > 0.1
        low = ((np.abs(found) - error) / np.abs(wanted))[clear].max()
        high = ((np.abs(found) + error) / np.abs(wanted))[clear].min()
        assert low <= high
        assert (np.sign(found) == np.sign(wanted))[clear].all()
        # The factor makes log W times the scale the log-odds, to second order.
        assert 0.9 < low * clf.scale / W.mean() < 1.1


def test_numbers_have_linear_effects(start):
    """Of the mean number of each interval."""
    X, y = table(n_samples=400)
    clf = start(X[["number"]], y, literals="intervals")
    grid = pd.DataFrame({"number": np.linspace(-2.5, 2.5, 200)})
    W = np.exp(clf.log_weighted_sums(grid))
    cut = clf.discretizer_.transform(X[["number"]]).ravel()
    means = np.array([X["number"][cut == c].mean() for c in np.unique(cut)])
    W = np.stack(
        [W[clf.discretizer_.transform(grid).ravel() == c][0] for c in set(cut)]
    )
    slopes = np.diff(W[:, 2] - W[:, 0]) / np.diff(means)
    assert slopes.min() > 0
    # Several intervals are in one term, and the rounding of their net counts adds up.
    error = 2 * len(W) * HALF_PART * W.max() / np.diff(means).min()
    assert np.ptp(slopes) <= 2 * error


def test_effects_that_raise_sums_by_far_fade(start):
    """At a small scale, weights stay positive, and probabilities moderate."""
    X, y = table()
    clf = start(X, y, scale=0.5)
    scores = clf.log_weighted_sums(X)
    assert np.isfinite(scores).all()
    flat = start(X, y, main_effects=False).log_weighted_sums(X)
    # The mean of what is common to all classes is limited, and effects sum up to 0.
    assert np.exp(scores - flat).mean() == pytest.approx(3.0, rel=0.02)
    grid = X[:1].loc[[0] * 50].assign(number=np.linspace(-2, 2, 50))
    W = np.exp(clf.log_weighted_sums(grid))
    assert np.diff(W[:, 2] - W[:, 0]).min() > -1e-9
    assert W[-1, 2] - W[-1, 0] > W[0, 2] - W[0, 0] + 0.1


# -- training --------------------------------------------------------------------------


def test_all_ways_to_sums_agree(start):
    X, y = words()
    for clf in start(X, y), fitted(X, y, max_iter=2):
        found = clf.log_weighted_sums(X[:20])
        clf.set_params(sampler="brute_force")
        if clf.max_term_size_ is None:
            assert_allclose(clf.log_weighted_sums(X[:20]), found, rtol=1e-9)
    clf = start(X, y, max_term_size=None, sampler="brute_force")
    found = clf.log_weighted_sums(X[:20])
    for sampler in "table", "frontier", "auto":
        clf.set_params(sampler=sampler)
        assert_allclose(clf.log_weighted_sums(X[:20]), found, rtol=1e-9)


@pytest.mark.parametrize("size", [1, 2, None])
def test_lanes_train_as_the_trainer_of_exact_sums(size):
    X, y = table()
    params = {"max_term_size": size, "max_iter": 4}
    in_lanes = fitted(X, y, **params)
    exact = fitted(X, y, **params, max_stored_examples=10**6)
    assert in_lanes.n_updates_.sum() == exact.n_updates_.sum()
    assert_allclose(
        in_lanes.log_weighted_sums(X), exact.log_weighted_sums(X), atol=1e-4
    )


def test_improves_additive_tables():
    """Few steps from the main effects are as good as many from equal weights."""
    losses = {}
    X, y = table(n_samples=300)
    for main_effects in False, True:
        candidate = {**EFFECTS, "main_effects": main_effects}
        clf = fitted(X, y, candidate, max_iter=2)
        losses[main_effects] = clf.validation_["log_loss"].min()
        assert (clf.validation_["main_effects"] == main_effects).all()
    assert losses[True] < losses[False] - 0.02


def test_partial_fit_starts_and_continues():
    X, y = words()
    clf = DNFWinnowClassifier(**STEPS, random_state=0)
    with additive_start():
        clf.partial_fit(X[:150], y[:150], classes=[0, 1, 2])
    n_first = len(clf.stored_examples_)
    assert (np.count_nonzero(clf.stored_examples_, axis=1) == 1).sum() == 4 + 2 + 6
    clf.partial_fit(X[150:], y[150:])
    assert len(clf.stored_examples_) > n_first
    after_fit = fitted(X, y)
    before = after_fit.log_weighted_sums(X)
    after_fit.partial_fit(X[:5], y[:5])
    assert 0 < np.abs(after_fit.log_weighted_sums(X) - before).max() < 1.0


# -- what the start depends on ---------------------------------------------------------


def same(one, other, X):
    return np.array_equal(one.log_weighted_sums(X), other.log_weighted_sums(X))


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_weights_are_copies_and_order_has_no_effect(start, missing):
    X, y = table()
    X = X.mask(np.random.RandomState(0).random_sample(X.shape) < 0.1)
    weights = np.random.RandomState(1).randint(0, 4, len(X))
    params = {
        "missing": missing,
        "class_weight": {0: 1.3, 1: 1.0, 2: 0.7},
        "literals": "intervals",
    }
    one = start(X, y, weights, **params)
    rows = shuffle(np.repeat(np.arange(len(X)), weights), random_state=2)
    copies = start(X.iloc[rows], y[rows], **params)
    assert same(one, copies, X)
    assert not same(one, start(X, y, **params), X)


def test_order_and_n_jobs_have_no_effect():
    X, y = table()
    one = fitted(X, y, max_iter=2)
    other = fitted(*shuffle(X, y, random_state=3), max_iter=2, n_jobs=2)
    assert same(one, other, X)


def test_folds_are_honest(monkeypatch):
    """Labels that are held out have no effect on the start without them."""
    starts = []

    class Recorder(_candidate_blocks.LaneBlock):
        def __init__(self, **given):
            starts.append(
                dict(zip([t.fold for t in given["trainings"]], given["starts"]))
            )
            super().__init__(**given)

    monkeypatch.setattr(_candidate_blocks, "LaneBlock", Recorder)
    X, y = table()
    split = np.arange(len(y)) % 4
    noise = y.copy()
    noise[split == 1] = np.random.RandomState(0).permutation(y[split == 1])
    for params in {"literals": "equal"}, {"literals": "intervals"}:
        for labels in y, noise:
            candidate = {**EFFECTS, **params}
            fitted(X, labels, candidate, cv=PredefinedSplit(split), max_iter=1)
    n = len(starts) // 4
    for first in 0, 2 * n:
        found, other = (
            {
                fold: of_one
                for block in starts[at : at + n]
                for fold, of_one in block.items()
            }
            for at in (first, first + n)
        )
        assert set(found) == {0, 1, 2, 3}
        for fold in found:
            is_same = np.array_equal(found[fold], other[fold])
            assert is_same == (fold == 1)


# -- monotone features, and refusals ---------------------------------------------------


def test_monotone_scores_stay_monotone(start):
    """And scores start near log-odds, although classes have different terms."""
    X, y = table()
    y = np.minimum(y, 1)
    params = {"monotonic_cst": {"number": 1}, "max_term_size": 2}
    for clf in start(X, y, **params), fitted(X, y, **params):
        grid = X[:1].loc[[0] * 50].assign(number=np.linspace(-3, 3, 50))
        assert np.diff(clf.decision_function(grid)).min() >= -1e-9
    for one in clf.estimators_:
        of_numbers = one.stored_examples_[:, [0, 1, 2]].any(axis=1)
        assert one.net_promotion_counts_[:, of_numbers].any()


def test_monotone_features_have_monotone_effects(start):
    """Training starts about where a logistic regression ends that is right."""
    X, y = table(n_samples=600)
    y = np.minimum(y, 1)
    X = X[["number", "count", "flag"]]
    signs = {"number": 1, "count": 1}
    design = X[["number", "count"]].to_numpy()
    best = LogisticRegression().fit(design, y).predict_proba(design)
    clf = start(X, y, monotonic_cst=signs, literals="ordered", max_term_size=None)
    losses = [log_loss(y, p) for p in (best, clf.predict_proba(X))]
    assert losses[1] < losses[0] + 0.02
    # Against the signs, there is nothing to begin with.
    against = {name: -sign for name, sign in signs.items()}
    other = start(X, y, monotonic_cst=against, literals="ordered", max_term_size=None)
    assert log_loss(y, other.predict_proba(X)) > losses[0] + 0.1


@pytest.mark.parametrize("literal_weight", [1e-5, 0.3, 2.0])
def test_factors_of_a_chain_add_to_its_values(literal_weight):
    """Of all terms over ``x > 0``, ``x > 1``, ..., whose rows are those of the last."""
    n_values = 6
    inside = np.arange(1, n_values)[:, None] <= np.arange(n_values)
    chain = Chain(inside[[0, 1, 3]])
    assert_array_equal(chain.levels, [0, 1, 2, 2, 3, 3])
    added = np.array([0.0, 0.5, 0.5, 0.5, 2.25, 2.25])
    totals = np.zeros((2, n_values))
    for i, logs in enumerate(
        (np.zeros(n_values), chain.log_factors(added, literal_weight))
    ):
        for bits in range(1, 8):
            literals = [j for j in range(3) if bits >> j & 1]
            rows = chain.inside[literals].all(axis=0)
            totals[i] += (
                rows * literal_weight ** len(literals) * np.exp(logs[rows].sum())
            )
    assert_allclose(totals[1] - totals[0], added, rtol=1e-12, atol=1e-12)


def test_the_closest_monotone_effects_are_those_of_pooled_neighbours():
    chain = Chain(np.array([[False, True, True, True], [False, False, False, True]]))
    effects, weights = np.array([1.0, 0.0, 2.0, 1.5]), np.array([1.0, 1.0, 2.0, 3.0])
    # Levels 0, 1, 1, 2: the mean of the second and the third value is 4 / 3.
    assert_allclose(chain.monotone(effects, weights), [1.0, 4 / 3, 4 / 3, 1.5])
    assert_allclose(chain.monotone(-effects, weights), np.full(4, -9.5 / 7))
    assert_allclose(chain.monotone(effects, np.zeros(4)), np.zeros(4))


def test_candidates_of_auto(monkeypatch):
    """One of them may start from main effects, unless the parameters exclude it."""
    cuts = {"selection": "quantiles", "max_intervals": 8}
    added = {**EFFECTS, "max_term_size": 2, "literals": "intervals", "cuts": cuts}
    auto = (*_candidate.AUTO_CANDIDATES[1:3], added)
    monkeypatch.setattr(_candidate, "AUTO_CANDIDATES", auto)
    X, y = table()
    for params, expected in (
        ({}, {False, True}),
        ({"multi_class": "ovr"}, {False}),
        ({"literal_weight": 0.1}, {False}),
        ({"margin": 0.5}, {False}),
    ):
        clf = DNFWinnowClassifier(**params, max_iter=1, random_state=0).fit(X, y)
        assert set(clf.validation_["main_effects"]) == expected


@pytest.mark.parametrize("screening", ["auto", 1.0])
@pytest.mark.parametrize(
    "params",
    [
        {"multi_class": "ovr"},
        {"margin": 1.0},
        {"scale": 20.0},
        {"literal_weight": 0.01},
        {"literals": "equal", "alpha": 1.1},
    ],
    ids=str,
)
def test_parameters_leave_candidates_of_auto(params, screening):
    X, y = table()
    clf = DNFWinnowClassifier(**params, screening=screening, max_iter=1, random_state=0)
    clf.fit(X, y)
    for name in params.keys() & clf.validation_:
        assert set(clf.validation_[name]) == {params[name]}


def test_rare_and_constant(start):
    """A class in one fold only, one value, and no values at all."""
    X, y = words()
    y[:] %= 2
    y[0] = 2
    X = X.assign(same="x", none=None)
    clf = fitted(X, y, max_iter=2)
    assert np.isfinite(clf.predict_proba(X)).all()
    clf = start(X[["same", "none"]], y)
    assert_allclose(clf.predict_proba(X[["same", "none"]])[:, 2], 0, atol=0.1)


# -- weights of the terms of one feature -----------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, None])
@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
def test_any_totals_are_reached(literals, size, global_random_seed):
    """By factors of the values, whatever terms these share."""
    random = np.random.RandomState(global_random_seed)
    n_values = random.randint(1, 9)
    columns = derived_columns(0, np.arange(float(n_values)), literals)
    sets = _ValueSets.of(columns, 0.3, size or len(columns))
    brute = np.zeros(n_values)
    for chosen in range(1, 1 << len(columns)):
        own = [c for i, c in enumerate(columns) if chosen >> i & 1]
        if size is None or len(own) <= size:
            brute += 0.3 ** len(own) * np.all([c.codes[1:] for c in own], axis=0)
    assert_allclose(sets.totals, brute)
    targets = sets.totals * np.exp(random.uniform(-3, 3, (3, n_values)))
    inside = np.eye(n_values) if sets.inside is None else sets.inside
    for wanted, logs in zip(targets, sets.log_factors(targets)):
        moved = sets.weights * np.exp(inside @ logs)
        assert_allclose(moved @ inside, wanted, rtol=1e-6)


def test_too_many_sets_of_values():
    columns = derived_columns(0, np.array(list("abcdefghijklmnopqrst")), "ordered")
    assert _ValueSets.of(columns, 0.3, 2) is not None
    assert _ValueSets.of(columns, 0.3, len(columns)) is None


@pytest.mark.parametrize("seed", [0, 2, 3, 6])
def test_totals_of_very_different_sizes(start, seed):
    """Totals of 1e-5 beside .25: the second derivatives are singular in float64."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    z = 2 * X[:, 0] + 0.3 * X[:, 1] + 0.5 * rng.normal(size=200)
    y = np.digitize(z, np.quantile(z, [1 / 3, 2 / 3]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = DNFWinnowClassifier(
            literals="ordered", monotonic_cst={1: {0: -1, 2: 1}}, random_state=0
        ).fit(X, y)
        assert clf.score(X, y) > 0.7
        start(X, y, literals="ordered", literal_weight=1e-5)
