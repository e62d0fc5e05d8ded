"""Additive shares: the definition, additive and pure interactions, weights, texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from internals.winnow import Model
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from test_feature_effect import LITERALS, a_table, fitted

from sklearn_dnfwinnow.inspection import additive_share

# Values of a complete table, in which features are independent.
GRID = np.array(list(product(range(4), range(5), range(6))))


def by_definition(log_odds, profiles, weights):
    """The share and the additive part by dense least squares on one-hot columns."""
    indicators = np.column_stack(
        [pd.get_dummies(pd.Series(map(tuple, p))) for p in profiles]
    ).astype(float)
    roots = np.sqrt(weights)[:, None]
    effects = np.linalg.lstsq(roots * indicators, roots * log_odds, rcond=None)[0]
    additive = indicators @ effects
    centred = log_odds - np.average(log_odds, axis=0, weights=weights)
    ratios = weights @ (log_odds - additive) ** 2 / (weights @ centred**2)
    return 1 - ratios, additive


def codes_of(clf, X):
    return clf._term_model().encoding.encode_table(X, clf)


def of_numbers(monkeypatch, scores):
    """A classifier and the grid, with given scores of its rows: (n_rows, n_classes)."""
    n_classes = scores.shape[1]
    clf = fitted(GRID, np.arange(len(GRID)) % n_classes, discretizer=None)
    # Distinct rows are in the order of their codes, which is that of the grid.
    assert_array_equal(codes_of(clf, GRID) - 1, GRID)
    monkeypatch.setattr(
        Model, "estimate_log_sums", lambda *_: (scores, np.zeros_like(scores))
    )
    return clf, GRID


@pytest.mark.parametrize("literals", LITERALS)
def test_definition(literals):
    X, y = a_table()
    X.loc[::7, "size"] = np.nan
    clf, weights = fitted(X, y, literals=literals), 1.0 + np.arange(len(X)) % 3
    found = additive_share(clf, X, sample_weight=weights)
    p, codes = clf.predict_proba(X), codes_of(clf, X)
    log_odds = np.log(p[:, 1:] / p[:, :1])
    share, additive = by_definition(log_odds, np.split(codes, 4, 1), weights)
    assert 0.1 < share[0] < 0.995
    assert_allclose(found.share, share[0], rtol=0, atol=1e-10)
    assert_allclose(found.additive, additive[:, 0], rtol=0, atol=1e-8)
    assert_allclose(found.additive + found.rest, log_odds[:, 0], atol=1e-10)
    assert_allclose(weights @ found.rest, 0, atol=1e-8)
    assert found.classes is None and found.class_shares is None
    assert (found.class_of_interest, found.against) == (1, 0)
    values = [len(np.unique(column)) for column in codes.T]
    assert found.n_features == 4 and found.n_effects == sum(values) - 4
    assert found.n_distinct == len(np.unique(codes, axis=0))
    assert not found.std_errors.any()


def test_definition_with_three_classes():
    X, y = a_table(n_classes=3)
    clf = fitted(X, y)
    found = additive_share(clf, X)
    log_p, profiles = np.log(clf.predict_proba(X)), np.split(codes_of(clf, X), 4, 1)
    ones = np.ones(len(X))
    against_others = np.stack(
        [log_p[:, k] - np.delete(log_p, k, axis=1).mean(axis=1) for k in range(3)], 1
    )
    shares, additive = by_definition(against_others, profiles, ones)
    assert_allclose(found.class_shares, shares, atol=1e-10)
    assert_allclose(found.additive, additive, atol=1e-8)
    assert_allclose(found.additive + found.rest, against_others, atol=1e-10)
    assert_array_equal(found.classes, [0, 1, 2])
    pairs = np.stack(
        [log_p[:, k] - log_p[:, m] for k, m in combinations(range(3), 2)], 1
    )
    shares, _ = by_definition(pairs, profiles, ones)
    assert_allclose(found.share, np.average(shares, weights=pairs.var(0)), atol=1e-10)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_additive_log_odds_have_the_share_1(monkeypatch, n_classes):
    effects = np.random.default_rng(0).normal(size=(3, 6, n_classes))
    # Combinations that are the same in all classes cancel out.
    common = (GRID[:, :1] == GRID[:, 1:2]) * 5.0
    scores = sum(effects[j][GRID[:, j]] for j in range(3)) + common
    found = additive_share(*of_numbers(monkeypatch, scores))
    assert 1 - 1e-15 <= found.share <= 1
    assert_allclose(found.rest, 0, atol=1e-11)
    if n_classes == 3:
        assert (found.class_shares >= 1 - 1e-15).all()


def test_pure_interactions_have_the_share_0(monkeypatch):
    # The product of two features whose means are 0 is orthogonal to both.
    of_one, of_other, _ = (GRID - GRID.mean(axis=0)).T
    scores = np.column_stack([np.zeros(len(GRID)), of_one * of_other])
    clf, X = of_numbers(monkeypatch, scores)
    assert 0 <= additive_share(clf, X).share <= 1e-15
    # Not so if the features depend on each other.
    weights = 1.0 + 10 * (GRID[:, 0] == GRID[:, 1])
    assert additive_share(clf, X, sample_weight=weights).share > 0.1


def test_trained_on_xor_and_on_main_effects():
    X = np.array(list(product((0, 1), repeat=4)) * 10)
    odd = fitted(X, X[:, 0] ^ X[:, 1], max_iter=20)
    assert odd.score(X, X[:, 0] ^ X[:, 1]) == 1
    assert additive_share(odd, X).share < 0.05
    single = fitted(X, X[:, 0], max_iter=20)
    assert additive_share(single, X).share > 0.95


def test_single_literals_are_additive_up_to_the_logarithm():
    """W is additive if terms have one literal; log W is nearly linear in it."""
    X, y = a_table()
    clf = fitted(X, y, max_term_size=1, max_iter=1)
    found = additive_share(clf, X)
    sums = np.exp(clf.log_weighted_sums(X))
    parts = clf.scale_ * (sums / sums.mean(axis=0) - 1)
    log_odds = clf.scale_ * clf.decision_function(X)
    # The best approximation is at least as good as this additive one.
    rest = log_odds - (parts[:, 1] - parts[:, 0])
    bound = rest.var() / log_odds.var()
    assert 1e-9 < 1 - found.share <= bound < 0.05


def test_constant_log_odds_are_additive(monkeypatch):
    scores = np.column_stack([np.full(len(GRID), 0.1), np.full(len(GRID), 0.3)])
    found = additive_share(*of_numbers(monkeypatch, scores))
    assert found.share == 1
    assert_allclose(found.rest, 0, atol=1e-12)


def test_random_numbers_have_the_share_of_chance(monkeypatch):
    """It has the distribution Beta(p / 2, (n - 1 - p) / 2) for normal numbers."""
    n, p, n_draws = len(GRID), 3 + 4 + 5, 100
    random = np.random.default_rng(0)
    clf, X = of_numbers(monkeypatch, np.zeros((n, 2)))
    shares = []
    for _ in range(n_draws):
        scores = random.normal(size=(n, 2))
        monkeypatch.setattr(
            Model, "estimate_log_sums", lambda *_, s=scores: (s, np.zeros_like(s))
        )
        shares.append(additive_share(clf, X))
    assert all(found.chance == p / (n - 1) for found in shares)
    sigma = np.sqrt(2 * p * (n - 1 - p) / ((n - 1) ** 2 * (n + 1)) / n_draws)
    mean = np.mean([found.share for found in shares])
    assert abs(mean - p / (n - 1)) < 5 * sigma < abs(mean - (p + 6) / (n - 1))


def test_weights_are_repetitions():
    X, y = a_table()
    X.loc[::5, "colour"] = None
    clf = fitted(X, y, missing="category")
    weights = np.arange(len(X)) % 3
    found = additive_share(clf, X, sample_weight=weights)
    # Of other samples of weight 0, nothing counts.
    places = np.repeat(np.arange(len(X)), weights)
    again = additive_share(clf, X.iloc[places])
    assert_allclose(again.share, found.share, rtol=0, atol=1e-12)
    assert_allclose(again.additive, found.additive[places], atol=1e-9)
    assert (again.n_effects, again.n_distinct) == (found.n_effects, found.n_distinct)
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = additive_share(clf, X.iloc[order], sample_weight=weights[order])
    assert shuffled.share == found.share
    assert_array_equal(shuffled.rest, found.rest[order])


def test_features_of_a_pipeline_are_columns_of_the_data():
    X, y = a_table()
    encoded = ColumnTransformer(
        [
            ("one_hot", OneHotEncoder(sparse_output=False), ["colour"]),
            ("scaled", StandardScaler(), ["width"]),
            ("again", StandardScaler(), ["width", "size"]),
        ]
    )
    pipeline = make_pipeline(encoded, fitted(X, y)).fit(X, y)
    found = additive_share(pipeline, X)
    p, classifier = pipeline.predict_proba(X), pipeline[-1]
    codes = codes_of(classifier, pipeline[:-1].transform(X))
    profiles = codes[:, :3], codes[:, 3:5], codes[:, 5:]
    log_odds = np.log(p[:, 1:] / p[:, :1])
    share, _ = by_definition(log_odds, profiles, np.ones(len(X)))
    assert_allclose(found.share, share[0], rtol=0, atol=1e-10)
    assert found.n_features == 3


def test_steps_that_cannot_be_inverted():
    X, y = a_table()
    X = X[["size", "width"]]
    pipeline = make_pipeline(PCA(), fitted(X, y)).fit(X, y)
    with pytest.warns(UserWarning, match="The features are those of columns as trans"):
        additive_share(pipeline, X)


def test_standard_errors(monkeypatch):
    """Each sum has the error 0.1, and errors are independent."""
    X, y = a_table(n_classes=3)
    clf = fitted(X, y)
    estimate = Model.estimate_log_sums

    def estimated(model, rows):
        log_sums, errors = estimate(model, rows)
        return log_sums, np.full_like(errors, 0.1)

    monkeypatch.setattr(Model, "estimate_log_sums", estimated)
    found = additive_share(clf, X)
    assert_allclose(found.std_errors, clf.scale_ * 0.1 * np.sqrt(1 + 2 / 4))
    assert "errors of estimates count as combinations" in repr(found)


def test_texts_and_frames():
    X, y = a_table()
    found = additive_share(fitted(X, y), X)
    assert repr(found).splitlines() == [
        "Additive share of the log-odds of 1 against 0: 150 rows, 4 features",
        "  fraction of the variance",
        f"{found.share:>10.1%}  sums of effects of single features",
        f"{1 - found.share:>10.1%}  combinations of features",
        f"    {found.n_effects} effects for {found.n_distinct} distinct rows: random "
        f"numbers would be {found.chance:.1%} additive",
    ]
    assert "<table" in found._repr_html_()
    frame = found.to_frame()
    assert_array_equal(frame["additive"], found.additive)
    assert_array_equal(frame["rest"], found.rest)
    X, y = a_table(n_classes=3)
    found = additive_share(fitted(X, np.array(["a", "b", "c\n"])[y]), X)
    assert repr(found).startswith("Additive share of the log-odds of 3 classes: 150 ")
    assert repr(found).splitlines()[-1] == f"{found.class_shares[2]:>10.1%}  'c\\n'"
    frame = found.to_frame()
    assert_array_equal(frame["b", "rest"], found.rest[:, 1])
    assert frame.shape == (150, 6)


def test_too_few_samples():
    X, y = a_table()
    clf = fitted(X, y)
    with pytest.warns(UserWarning, match="9 distinct samples for .* pass more samp"):
        found = additive_share(clf, X[:10])
    assert found.chance == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        additive_share(clf, X)


def test_wrong_arguments():
    X, y = a_table()
    with pytest.raises(TypeError, match="must be a DNFWinnowClassifier"):
        additive_share(StandardScaler(), X)
    with pytest.raises(ValueError, match="at least one non-zero"):
        additive_share(fitted(X, y), X, sample_weight=np.zeros(len(X)))
