"""Smooth effects: the additive model that training starts from, and missing values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from internals.kernels import _kernels
from internals.terms import AdditiveModel, Cells, SmoothEffects, _additive_model
from internals.winnow import _candidate_blocks, _classifier, given_candidates
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import random_array
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import PredefinedSplit
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import shuffle

from sklearn_dnfwinnow import DNFWinnowClassifier

STEPS = {"scale": 100.0, "alpha": 1.01}
SMOOTH = {"screening": np.inf, "max_term_size": 1, **STEPS}
EXACT = {"_TOLERANCE": 1e-7, "_FALL": 1e-15, "_ITERATIONS": 2000}
PENALTIES = 0.03, 0.1, 0.3, 1.0, 3.0


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


def words(seed=0, n_samples=200, n_classes=3):
    X, y = table(seed, n_samples)
    X = X[["word", "flag"]].assign(size=X["count"].astype(str))
    return X, np.minimum(y, n_classes - 1)


@pytest.fixture
def start(monkeypatch):
    """Return a function that fits a classifier without its training."""

    def fit(X, y, sample_weight=None, **params):
        params = {**SMOOTH, "cv": None, "random_state": 0, **params}
        with monkeypatch.context() as patch:
            patch.setattr(_classifier, "train", lambda model, *_, **__: model)
            return DNFWinnowClassifier(**params).fit(X, y, sample_weight)

    return fit


def fitted(X, y, candidate=SMOOTH, **params):
    """A classifier that selects among a single candidate."""
    with given_candidates(candidate):
        return DNFWinnowClassifier(random_state=0, **params).fit(X, y)


def log_odds(clf, X):
    """Return log-odds of the classes against the first one."""
    logs = np.log(clf.predict_proba(X))
    return logs[:, 1:] - logs[:, :1]


def additivity(clf, X):
    """Return how far sums are from a sum of functions of single features, relatively.

    Of rows, and rows of others, before and after one column swaps.
    """
    worst = 0.0
    for seed, column in enumerate(X):
        others = shuffle(X, random_state=seed)
        others.index = X.index
        left, right = X.copy(), others.copy()
        left[column], right[column] = others[column], X[column]
        sums = [np.exp(clf.log_weighted_sums(Z)) for Z in (X, others, left, right)]
        ratio = (sums[0] + sums[1]) / (sums[2] + sums[3])
        worst = max(worst, np.abs(ratio - 1.0).max())
    return worst


# -- regressors and their regression ---------------------------------------------------


def made_up_cells(n_rows=300, seed=0):
    """Return cells, the numbers of their codes, and labels that depend on them.

    One of twelve ordered values with missing ones, three words, and two numbers, of
    which one is rare.
    """
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, 13, n_rows), rng.integers(1, 4, n_rows)]
    codes = np.array([*codes, 1 + (rng.random(n_rows) < 0.2)], dtype=np.uint8)
    cells = Cells(
        codes=codes,
        ordered=np.array([1, 0, 1], dtype=np.uint8),
        n_codes=np.array([13, 4, 3], dtype=np.int32),
    )
    numbers = [np.append(0.0, np.arange(12) ** 2), np.zeros(4), np.array([0.0, 5, 6])]
    score = np.sin(codes[0] / 2.0) + (codes[1] == 2) + 0.5 * codes[2]
    labels = np.digitize(score + rng.logistic(size=n_rows), [0.5, 2.0])
    return cells, numbers, labels


@pytest.fixture
def effects():
    cells, numbers, labels = made_up_cells()
    weights = np.random.default_rng(1).integers(1, 4, len(labels)).astype(float)
    made = SmoothEffects(
        cells=cells,
        numbers=numbers,
        weights=weights,
        features=np.arange(3),
        with_missing=np.array([True, False, False]),
    )
    return cells, numbers, weights, labels, made


def test_regressors_are_those_of_codes(effects):
    cells, _, _, _, made = effects
    dense = made.regressors.toarray()
    coefficients = np.random.default_rng(0).normal(size=(2, dense.shape[1]))
    of_codes = made.of_codes(coefficients)
    assert [of_codes[f].shape for f in range(3)] == [(2, 13), (2, 4), (2, 3)]
    total = sum(of_codes[f][:, cells.codes[f]] for f in range(3))
    relative = total.T - made.reference @ coefficients.T
    assert_allclose(dense @ coefficients.T, relative, atol=1e-12)
    # The usual one of two numbers has zeros.
    assert not dense[cells.codes[2] == 1, -2:].any() and made.reference[-2:].any()
    # Missing values have an effect of their own, or none.
    assert of_codes[0][:, 0].all() and not of_codes[1][:, 0].any()


def test_smooth_functions_of_numbers(effects):
    """Cubic splines of ranks, and a line: least squares leave nothing of them."""
    cells, numbers, weights, _, made = effects
    (basis, *_) = made.bases
    totals = np.bincount(cells.codes[0], weights, minlength=13)[1:]
    ranks = (np.cumsum(totals) - totals / 2) / totals.sum()
    third = np.maximum(0.0, ranks - 0.5) ** 3
    for values in (np.ones(12), ranks, ranks**2, ranks**3, third, numbers[0][1:]):
        _, residuals, *_ = np.linalg.lstsq(basis[1:, :-1], values, rcond=None)
        assert residuals.sum() < 1e-20
    # But twelve steps are not among them.
    steps = np.arange(12) % 2
    _, residuals, *_ = np.linalg.lstsq(basis[1:, :-1], steps, rcond=None)
    assert residuals.sum() > 1.0


@pytest.mark.parametrize("level", _kernels.levels())
@pytest.mark.parametrize("n_lanes", [1, 3, 4, 11])
def test_the_loss_of_a_regression_and_its_slopes(n_lanes, level):
    """As by scikit-learn's definition of the log loss, and differences of it."""
    rng = np.random.default_rng(n_lanes)
    regressors = random_array((6, 40), density=0.4, rng=rng, format="csr")
    labels = rng.integers(0, max(2, n_lanes), 40)
    weights, units = rng.integers(1, 4, 40) / 2, rng.uniform(0.5, 2.0, 6)
    penalties = rng.uniform(0, 1, (7, n_lanes))
    targets = (labels[:, None] == np.arange(n_lanes) + (n_lanes == 1)).astype(float)
    slopes = np.empty((7, n_lanes))

    def loss(parameters):
        return _kernels.kernel("_additive_loss", level).penalized_loss(
            starts=regressors.indptr.astype(np.int64),
            rows=regressors.indices.astype(np.int32),
            values=regressors.data,
            units=units,
            targets=targets,
            weights=weights,
            penalties=penalties,
            parameters=parameters,
            room=np.zeros(40 * n_lanes + 7),
            slopes=slopes,
        )

    def defined(parameters):
        logits = regressors.T @ (units[:, None] * parameters[:6]) + parameters[6]
        logits = np.hstack([0 * logits, logits]) if n_lanes == 1 else logits
        chances, n_classes = softmax(logits, axis=1), max(2, n_lanes)
        nats = log_loss(
            labels,
            chances,
            normalize=False,
            sample_weight=weights,
            labels=np.arange(n_classes),
        )
        return nats + 0.5 * (penalties * parameters**2).sum()

    parameters = rng.normal(size=(7, n_lanes))
    assert loss(parameters) == pytest.approx(defined(parameters), rel=1e-12)
    found = slopes.copy()
    for place in np.ndindex(found.shape):
        step = np.zeros(found.shape)
        step[place] = 1e-5
        slope = defined(parameters + step) - defined(parameters - step)
        assert found[place] == pytest.approx(slope / 2e-5, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_additive_model_is_a_logistic_regression(effects, n_classes, monkeypatch):
    """With penalties of smooth effects and of terms, and weights."""
    _, _, weights, labels, made = effects
    labels = np.minimum(labels, n_classes - 1)
    smooth, rng = made.regressors, np.random.default_rng(2)
    rows = [np.flatnonzero(rng.random(len(labels)) < 0.3) for _ in range(4)]
    model = AdditiveModel(labels, weights, n_classes, smooth=smooth)
    model.choose_smoothness()
    model.add([one.astype(np.int32) for one in rows])
    for name, value in EXACT.items():
        monkeypatch.setattr(_additive_model, name, value)
    coefficients = np.hstack(model.effects(penalty=2.0)[:2])
    satisfied = np.column_stack([np.isin(np.arange(len(labels)), one) for one in rows])
    distances = []
    for c in PENALTIES:
        units = np.sqrt(np.repeat([c, 0.5], [smooth.shape[1], 4]))
        design = np.hstack([smooth.toarray(), satisfied]) * units
        regression = LogisticRegression(solver="newton-cholesky", tol=1e-8)
        regression.fit(design, labels, weights)
        expected = regression.coef_ * units
        if n_classes == 2:
            expected = np.concatenate([-expected, expected]) / 2
        distances.append(np.abs(coefficients - expected).max())
    assert min(distances) < 1e-4 and sorted(distances)[1] > 0.01


def test_noise_has_a_strong_penalty(effects):
    """And what is clear a weak one."""
    cells, _, weights, _, made = effects
    noise = np.random.default_rng(5).integers(0, 2, len(weights))
    clear = (np.abs(cells.codes[0] - 6.0) < 3).astype(int)
    sizes = []
    for labels in noise, clear:
        model = AdditiveModel(labels, weights, 2, smooth=made.regressors)
        model.choose_smoothness()
        of_codes = made.of_codes(model.effects()[0])[0][1]
        sizes.append(np.ptp(of_codes))
    assert sizes[0] < 1.0 < 4.0 < sizes[1]


# -- before the first epoch ------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, None])
def test_sums_are_additive(start, size):
    """Of smooth effects alone; also after training, which moves no other terms."""
    X, y = table()
    clf = start(X, y, max_term_size=size)
    trained = fitted(X, y, {**SMOOTH, "max_term_size": size}, max_iter=4)
    for one in clf, trained:
        assert additivity(one, X) < 1e-9
        assert np.ptp(one.log_weighted_sums(X), axis=0).min() > 0.01
    # Negative control.
    assert additivity(start(X, y, screening=0.05, max_term_size=3), X) > 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("size", [1, 2, None])
def test_log_odds_of_words_are_those_of_a_regression(
    start, size, n_classes, monkeypatch
):
    """With one of the penalties, up to rounding and to the curvature of logarithms."""
    for name, value in EXACT.items():
        monkeypatch.setattr(_additive_model, name, value)
    X, y = words(n_classes=n_classes)
    found = log_odds(start(X, y, max_term_size=size), X)
    hot = OneHotEncoder(sparse_output=False).fit_transform(X)
    distances = []
    for c in PENALTIES:
        regression = LogisticRegression(C=c, solver="newton-cholesky").fit(hot, y)
        distances.append(np.abs(found - log_odds(regression, hot)).max())
    assert min(distances) < 0.05 and sorted(distances)[1] > 0.2


def test_effects_of_numbers_are_smooth(start):
    """And near the truth, where steps are not."""
    random = np.random.RandomState(0)
    X = random.uniform(-3, 3, (1500, 1))
    y = (2.0 * np.sin(X[:, 0]) > random.logistic(size=len(X))).astype(int)
    grid = np.linspace(-2.9, 2.9, 1000)[:, None]
    true = 2.0 * np.sin(grid[:, 0])
    steps = DNFWinnowClassifier(
        margin=1.0, alpha=1.05, literals="intervals", screening=None, random_state=0
    ).fit(X, y)
    curves = [log_odds(clf, grid)[:, 0] for clf in (start(X, y), steps)]
    # Second differences from one interval to the next, beside those of the truth.
    levels = [(curve - true)[np.flatnonzero(np.diff(curve))] for curve in curves]
    rough = [np.abs(np.diff(one, 2)).mean() for one in levels]
    assert rough[0] < rough[1] / 3
    errors = [np.abs(curve - true).mean() for curve in curves]
    assert errors[0] < min(0.25, errors[1])


def test_effects_that_raise_sums_by_far_fade(start):
    """At a small scale, weights stay positive, and probabilities moderate."""
    X, y = table()
    clf = start(X, y, scale=0.5)
    scores = clf.log_weighted_sums(X)
    assert np.isfinite(scores).all()
    # The sum of initial weights, of the empty term and a literal of each column.
    initial = 1.0 + clf.literal_weight_ * X.shape[1]
    sums = np.exp(scores + clf.log_threshold_) / initial
    assert sums.mean() == pytest.approx(3.0, rel=0.1)
    grid = X[:1].loc[[0] * 50].assign(number=np.linspace(-2, 2, 50))
    gain = np.diff(np.exp(clf.log_weighted_sums(grid))[[0, -1]], axis=0)[0]
    assert gain[2] > gain[0]


def test_monotone_features_have_monotone_effects(start):
    """Training starts about where a logistic regression ends that is right."""
    X, y = table(n_samples=600)
    y = np.minimum(y, 1)
    X = X[["number", "count", "flag"]]
    signs = {"number": 1, "count": 1}
    design = X[["number", "count"]].to_numpy()
    best = LogisticRegression().fit(design, y).predict_proba(design)
    clf = start(X, y, monotonic_cst=signs)
    losses = [log_loss(y, chances) for chances in (best, clf.predict_proba(X))]
    assert losses[1] < losses[0] + 0.02
    for name in signs:
        grid = X[:1].loc[[0] * 50].assign(**{name: np.linspace(-3, 8, 50)})
        found = log_odds(clf, grid)[:, 0]
        assert np.diff(found).min() >= -1e-9 and np.ptp(found) > 0.5
    # Against the signs, there is nothing to begin with.
    against = {name: -sign for name, sign in signs.items()}
    other = start(X, y, monotonic_cst=against)
    nothing = log_loss(y, np.full(len(y), y.mean()))
    assert abs(log_loss(y, other.predict_proba(X)) - nothing) < 0.01
    assert nothing > losses[0] + 0.05
    assert np.ptp(log_odds(other, grid)) < 0.1


def test_wide_tables_have_the_effects_that_tell_most(start):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 130))
    score = X[:, [7, 120]].sum(axis=1) + np.abs(X[:, 60])
    y = score + 0.5 * rng.normal(size=300) > 1.0
    clf = start(X, y, scale=30.0)
    columns = np.flatnonzero(clf.stored_examples_[:, :130].any(axis=0))
    assert len(columns) == 100 and {7, 60, 120} <= {*columns}


# -- what the start depends on ---------------------------------------------------------


def same(one, other, X):
    return np.array_equal(one.log_weighted_sums(X), other.log_weighted_sums(X))


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
@pytest.mark.parametrize("screening", [np.inf, 0.3])
def test_weights_are_copies_and_order_has_no_effect(start, missing, screening):
    X, y = table()
    X = X.mask(np.random.RandomState(0).random_sample(X.shape) < 0.1)
    weights = np.random.RandomState(1).randint(0, 4, len(X))
    params = {
        "missing": missing,
        "class_weight": {0: 1.3, 1: 1.0, 2: 0.7},
        "screening": screening,
        "max_term_size": 2,
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
    starts = {}

    class Recorder(_candidate_blocks.LaneBlock):
        def __init__(self, **given):
            for training in given["trainings"]:
                starts[training.fold] = training.start
            super().__init__(**given)

    monkeypatch.setattr(_candidate_blocks, "LaneBlock", Recorder)
    X, y = table()
    split = np.arange(len(y)) % 4
    noise = y.copy()
    noise[split == 1] = np.random.RandomState(0).permutation(y[split == 1])
    found = []
    for labels in y, noise:
        fitted(X, labels, cv=PredefinedSplit(split), max_iter=1)
        found.append(dict(starts))
    assert {*starts} == {0, 1, 2, 3}
    for fold in starts:
        is_same = np.array_equal(found[0][fold], found[1][fold])
        assert is_same == (fold == 1)


def test_rare_and_constant(start):
    """A class in one fold only, one value, no values at all, and huge numbers."""
    X, y = words()
    y[:] %= 2
    y[0] = 2
    X = X.assign(same="x", none=None, one=1.5, nan=np.nan)
    X["huge"] = np.where(y == 1, 1e300, -1e300) * np.linspace(0.5, 1, len(y))
    X["tiny"] = X["huge"] * 1e-300 * 1e-300
    for missing in "auto", "category":
        clf = fitted(X, y, max_iter=2, missing=missing)
        assert np.isfinite(clf.predict_proba(X)).all()
        assert clf.score(X, y) > 0.95
    clf = start(X[["same", "none", "one", "nan"]], y)
    chances = clf.predict_proba(X[["same", "none", "one", "nan"]])
    assert_allclose(chances[:, 2], 0, atol=0.1)


def test_partial_fit_starts_and_continues():
    X, y = words()
    clf = DNFWinnowClassifier(**SMOOTH, random_state=0)
    clf.partial_fit(X[:150], y[:150], classes=[0, 1, 2])
    terms = clf.stored_examples_
    # The empty term, and one of each value.
    assert len(terms) == 1 + 4 + 2 + 6
    before = clf.predict_proba(X)
    clf.partial_fit(X[150:], y[150:])
    assert_array_equal(clf.stored_examples_, terms)
    assert 0 < np.abs(clf.predict_proba(X) - before).max() < 0.3


# -- missing values --------------------------------------------------------------------


def with_gaps(n_samples=400, seed=0):
    """Numbers and words: whether "pay" and "word" are missing says something."""
    random = np.random.RandomState(seed)
    y = random.randint(2, size=n_samples)
    X = pd.DataFrame(random.standard_normal((n_samples, 3)), columns=["pay", "b", "c"])
    X["word"] = random.choice(list("pqr"), n_samples)
    gaps = random.random_sample((n_samples, 4))
    X = X.mask(
        gaps < np.column_stack([0.1 + 0.5 * y, 0.3 + 0 * y, 0 * y, 0.5 - 0.4 * y])
    )
    return X, y


def test_missing_values_that_tell_classes_apart_are_a_category():
    X, y = with_gaps()
    clf = fitted(X, y, max_iter=2)
    assert clf.missing_ == (0, 3)
    # By default only where folds can say what it is worth.
    for other in (
        fitted(X[["b", "c"]], y, max_iter=1),
        DNFWinnowClassifier(**SMOOTH, cv=None, random_state=0).fit(X, y),
        DNFWinnowClassifier(**SMOOTH).partial_fit(X, y, classes=[0, 1]),
    ):
        assert other.missing_ == "unspecified"
    assert log_loss(y, clf.predict_proba(X)) < 0.5


def test_copies_of_rows_tell_more():
    """Weights say as much as copies, and more than single rows."""
    y = np.arange(200) % 2
    X = np.random.RandomState(0).standard_normal((200, 2))
    # 30 and 20 of a hundred are missing: by chance with a probability of .10.
    X[(y == 1) & (np.arange(200) < 60), 1] = np.nan
    X[(y == 0) & (np.arange(200) < 40), 1] = np.nan
    weights = np.append(np.full(199, 3), 2)
    every, copies = np.arange(200), np.repeat(np.arange(200), weights)
    for rows, given, expected in (
        (every, None, "unspecified"),
        (every, weights, (1,)),
        (copies, None, (1,)),
    ):
        clf = DNFWinnowClassifier(max_iter=1, random_state=0)
        assert clf.fit(X[rows], y[rows], given).missing_ == expected


@pytest.mark.parametrize("missing", ["category", "auto"])
def test_a_missing_number_has_an_effect_of_its_own(missing):
    X, y = with_gaps()
    clf = fitted(X, y, max_iter=2, missing=missing)
    row = X[["pay", "b", "c", "word"]].dropna()[:1]
    scores = log_odds(clf, pd.concat([row, row.assign(pay=np.nan)]))[:, 0]
    # The share of gaps is .1 and .6.
    assert scores[1] - scores[0] == pytest.approx(np.log(6 / (0.4 / 0.9)), abs=0.8)
    assert log_odds(clf, row.assign(pay=[None]))[0, 0] == scores[1]


def test_nothing_missing_in_training():
    """Missing values are unspecified then, as they are where they say nothing."""
    X, y = table()
    auto, unspecified = (
        fitted(X, y, max_iter=2, missing=missing) for missing in ("auto", "unspecified")
    )
    gaps = X.mask(np.random.RandomState(0).random_sample(X.shape) < 0.3)
    assert auto.missing_ == "unspecified"
    assert_array_equal(auto.predict_proba(gaps), unspecified.predict_proba(gaps))
