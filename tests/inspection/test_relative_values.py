"""Shapley values relative to a background: the definition, and what `fit` keeps."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance
from test_shapley import a_model, scores_by_definition, shapley_by_definition

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.inspection import (
    explain,
    shapley_values,
)

MOST_ROWS = 256  # of a background
QUICK = {"cv": None, "max_iter": 5, "random_state": 0, "discretizer": None}


def log_odds(clf, X):
    return clf.scale_ * clf.decision_function(X)


def background(clf):
    return clf._table_model().background


def assert_same_background(one, other):
    assert_array_equal(background(one).codes, background(other).codes)
    assert_allclose(background(one).weights, background(other).weights, rtol=1e-12)


# -- the definition --------------------------------------------------------------------


def test_they_are_the_values_of_one_game():
    """Of v(S) - m(S) + m(all), where rows have all features."""
    X, clf, model, _ = a_model(n_classes=2, missing="most_frequent")
    codes = model.encoding.encode_table(X, clf)
    assert codes.all()
    difference = np.array(
        [np.diff(scores_by_definition(model, row), axis=0)[0] for row in codes[:6]]
    )
    game = difference[0] - difference.mean(axis=0) + difference.mean(axis=0)[-1]
    expected = clf.scale_ * shapley_by_definition(game[None])[0]
    found = shapley_values(clf, X[:1], background=X[:6])
    assert_allclose(found.values[0], expected, atol=1e-9)
    assert_allclose(found.base_values[0], clf.scale_ * game[0], atol=1e-9)


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_base_value_is_the_mean_over_the_training_rows(missing):
    X, clf, _, _ = a_model(n_classes=2, missing=missing)
    found = shapley_values(clf, X)
    assert_allclose(found.base_values, log_odds(clf, X).mean(), atol=1e-12)
    assert_allclose(found.values.mean(axis=0), 0.0, atol=1e-12)
    given = shapley_values(clf, X, background=X)
    assert_allclose(given.values, found.values, atol=1e-12)
    for explanation in explain(clf, X[:5]):
        sign = 1 if explanation.prediction == 1 else -1
        assert_allclose(explanation.base_value, sign * found.base_values[0])
    few = explain(clf, X[:5], background=X[:3])
    assert_allclose(abs(few[0].base_value), abs(log_odds(clf, X[:3]).mean()))


def test_a_bad_background_is_named():
    X, clf, _, _ = a_model(n_classes=2)
    with pytest.raises(ValueError, match=r"background does not fit the estimator: .*4"):
        shapley_values(clf, X, background=X[:, :3])
    with pytest.raises(ValueError, match="background does not fit the estimator: "):
        explain(clf, X, background=X[:0])


# -- what `fit` keeps ------------------------------------------------------------------


def a_wide_table(n_rows=1500, seed=0):
    """Rows of which most are distinct, and classes of different frequencies."""
    random = np.random.RandomState(seed)
    X = random.randint(0, 4, (n_rows, 7)).astype(str)
    y = (X[:, 0] == "1") & (X[:, 1] != "2") | (random.random_sample(n_rows) < 0.1)
    return X, y


@pytest.mark.slow
def test_training_rows_are_represented():
    """Within the standard error of a random sample, for several data sets."""
    z = []
    for seed in range(8):
        X, y = a_wide_table(seed=seed)
        clf = DNFWinnowClassifier(**QUICK).fit(X, y)
        assert len(background(clf).codes) <= MOST_ROWS
        everywhere = log_odds(clf, X)
        base = shapley_values(clf, X[:1]).base_values[0]
        error = everywhere.std() / np.sqrt(MOST_ROWS)
        z.append((base - everywhere.mean()) / error)
    assert np.sqrt(np.mean(np.square(z))) < 1
    shifted = (log_odds(clf, X[y]).mean() - everywhere.mean()) / error
    assert abs(shifted) > 6


def test_it_depends_on_weighted_rows_only():
    """Not on their order, the seed or class weights; weights are repetitions."""
    X, y = a_wide_table(400)
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    random = np.random.RandomState(0)
    order = random.permutation(len(y))
    for other in (
        DNFWinnowClassifier(**QUICK).fit(X[order], y[order]),
        DNFWinnowClassifier(**{**QUICK, "random_state": 7}).fit(X, y),
        DNFWinnowClassifier(**QUICK, class_weight="balanced").fit(X, y),
        DNFWinnowClassifier(**QUICK, class_weight={True: 3, False: 0.5}).fit(X, y),
    ):
        assert_same_background(other, clf)
    weights = random.randint(0, 4, len(y))
    weighted = DNFWinnowClassifier(**QUICK).fit(X, y, sample_weight=weights)
    repeated = DNFWinnowClassifier(**QUICK).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    assert_same_background(weighted, repeated)
    assert_allclose(background(weighted).weights.sum(), weights.sum())
    assert len(background(weighted).codes) < (weights > 0).sum()


def test_it_is_saved():
    X, y = a_wide_table(400)
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    expected = shapley_values(clf, X[:3])
    again = pickle.loads(pickle.dumps(clf))
    assert_same_background(again, clf)
    found = shapley_values(again, X[:3])
    assert_array_equal(found.values, expected.values)
    assert_array_equal(found.base_values, expected.base_values)


def test_further_training_adds_rows():
    """Up to the limit exactly, with new values; then a sample of all batches."""
    X, y = a_wide_table(200)
    X[150:, 2] = "new"
    clf = DNFWinnowClassifier(**QUICK).fit(X[:150], y[:150])
    first = shapley_values(clf, X[:5])
    clf.partial_fit(X[150:], y[150:], sample_weight=np.full(50, 2.0))
    rows = np.vstack([X, X[150:]])
    found = shapley_values(clf, X[:5])
    assert_allclose(found.base_values[0], log_odds(clf, rows).mean(), atol=1e-12)
    assert found.base_values[0] != first.base_values[0]
    many, classes = a_wide_table(1200, seed=1)
    for part in range(4):
        clf.partial_fit(many[part::4], classes[part::4])
    assert_allclose(background(clf).weights.sum(), 250 + 1200)
    assert len(background(clf).codes) <= MOST_ROWS


def test_merged_models_have_the_rows_of_all_parts():
    X, y = a_wide_table(200)
    settings = {**QUICK, "alpha": 1.1, "literal_weight": 0.3, "literals": "equal"}
    parts = [
        DNFWinnowClassifier(**settings, max_term_size=2).fit(X[part], y[part])
        for part in (slice(0, 50), slice(50, 200))
    ]
    merged = merge(parts)
    found = shapley_values(merged, X[:5])
    assert_allclose(found.base_values[0], log_odds(merged, X).mean(), atol=1e-12)
    assert_same_background(merge(parts[::-1]), merged)


# -- importances -----------------------------------------------------------------------


def customers(seed, n_rows=1500):
    """A table with four causes, and five columns of noise of all kinds."""
    random = np.random.RandomState(seed)
    X = pd.DataFrame(
        {
            "plan": random.choice(["basic", "pro", "free"], n_rows),
            "tickets": random.poisson(2, n_rows).astype(float),
            "months": random.exponential(20, n_rows),
            "auto": random.random_sample(n_rows) < 0.6,
            "region": random.choice([*"nesw"], n_rows),
            "age": random.normal(45, 12, n_rows),
            "colour": random.choice(["red", "blue"], n_rows),
            "noise": random.random_sample(n_rows),
            "device": random.choice([*"abcde"], n_rows),
        }
    )
    leaves = (X["plan"] == "basic") & (X["tickets"] >= 3)
    leaves |= (X["months"] < 6) & ~X["auto"] | (X["plan"] == "free") & (
        X["months"] < 10
    )
    drawn = random.random_sample(n_rows) < 0.3
    y = np.where(random.random_sample(n_rows) < 0.1, drawn, leaves)
    return X.mask(random.random_sample(X.shape) < 0.03), y


CAUSES = ["plan", "tickets", "months", "auto"]


@pytest.mark.slow
@pytest.mark.parametrize("literals", ["equal", "auto"])
def test_importances_agree_with_permutation_importance(literals):
    """Causes are before noise, in the same order.

    With intervals, the weakest cause is not. It has no effect but beside another one,
    and the values are means over all subsets of the features: intervals of noise have
    large effects in rows of one or two features, of which no training row consists.
    """
    before_noise = CAUSES if literals == "equal" else ["plan", "tickets", "months"]
    ranks, gaps = [], []
    for seed in range(1, 3):
        X, y = customers(seed)
        clf = DNFWinnowClassifier(literals=literals, screening=None, random_state=0)
        clf.fit(X[:1000], y[:1000])
        X, y = X[1000:1100], y[1000:1100]
        permuted = permutation_importance(
            clf, X, y, scoring="neg_log_loss", n_repeats=2, random_state=0
        ).importances_mean
        permuted = pd.Series(permuted, X.columns)
        found = shapley_values(clf, X).feature_importances()
        ranks.append(spearmanr(found[CAUSES], permuted[CAUSES])[0])
        gaps.append(found[before_noise].min() / found.drop(CAUSES).max())
        assert permuted[CAUSES].min() > permuted.drop(CAUSES).max()
    assert np.mean(ranks) > 0.7
    assert min(gaps) > 1


def test_features_that_are_not_used_have_importance_0():
    X, y = make_dnf(300, 5, n_terms=2, random_state=0)
    X[:, 4] = X[0, 4]
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    found = shapley_values(clf, X).feature_importances()
    assert found.iloc[-1] < 1e-12 < 0.1 < found.iloc[:-1].max()


def test_importances_are_means():
    X, clf, _, _ = a_model()
    found = shapley_values(clf, X)
    assert found.values.ndim == 3
    importances = found.feature_importances()
    assert importances.name == "importance"
    assert [*importances.index] == [*found.feature_names]
    assert_allclose(importances, abs(found.values).mean(axis=(0, 2)))
    weights = np.arange(len(X)) % 3
    expected = shapley_values(clf, np.repeat(X, weights, axis=0)).feature_importances()
    assert_allclose(found.feature_importances(weights), expected)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        found.feature_importances(-weights)


def test_importances_select_features():
    X, y = make_dnf(300, 8, n_terms=2, random_state=0)
    clf = DNFWinnowClassifier(**QUICK, max_term_size=2)
    selector = SelectFromModel(
        clf,
        importance_getter=lambda fitted: shapley_values(
            fitted, X
        ).feature_importances(),
    )
    chosen = selector.fit(X, y).get_support()
    found = shapley_values(clf.fit(X, y), X).feature_importances()
    assert_array_equal(chosen, found >= found.mean())
    assert 0 < chosen.sum() < 8


# -- tables and texts ------------------------------------------------------------------


def test_tables_add_up():
    X, clf, _, _ = a_model(n_classes=2)
    found = shapley_values(clf, X)
    frame = found.to_frame()
    assert frame.shape == X.shape and [*frame] == ["x0", "x1", "x2", "x3"]
    assert_allclose(frame.sum(axis=1) + found.base_values, log_odds(clf, X), atol=1e-9)
    X, clf, _, _ = a_model()
    found = shapley_values(clf, X)
    frame = found.to_frame()
    for k, class_ in enumerate(clf.classes_):
        assert_array_equal(frame[class_], found.values[..., k])


def test_texts_are_short():
    X, clf, _, _ = a_model(n_classes=2)
    found = shapley_values(clf, X)
    lines = repr(found).split("\n")
    assert str(found) == repr(found)
    assert (
        lines[0] == "Shapley values of the log-odds of 1 against 0: 40 rows, 4 features"
    )
    assert lines[1].endswith(f"{found.base_values[0]:+.2f}")
    assert lines[2].endswith("4 of 4 columns shown")
    importances = found.feature_importances().sort_values(ascending=False)
    expected = [f"{value:10.2f}  {name}" for name, value in importances.items()]
    assert lines[3:] == expected
    markup = found._repr_html_()
    assert markup.count("<tr") == len(lines) and markup.count("aria-hidden") == 4
    X, clf, _, _ = a_model()
    found = shapley_values(clf, X)
    assert "each of 3 classes against all others: 40 rows" in repr(found)
    assert shapley_values(clf, X, class_of_interest=2).title.endswith(
        "of 2 against all others"
    )


def test_without_pandas(monkeypatch):
    X, clf, _, _ = a_model(n_classes=2)
    found = shapley_values(clf, X)
    expected, text = found.feature_importances().to_dict(), repr(found)
    imported = builtins.__import__

    # Others would not know their own tables any more.
    def without(name, globals=None, *args, **options):
        if name == "pandas" and globals["__name__"].startswith("sklearn_dnfwinnow."):
            raise ImportError(name)
        return imported(name, globals, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    assert found.feature_importances() == expected and repr(found) == text
