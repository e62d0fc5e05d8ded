"""Feature effects: the definition, other packages, pipelines, and their errors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.inspection import partial_dependence
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import feature_effect
from sklearn_dnfwinnow.samplers import Frontier

LITERALS = "equal", "ordered", "intervals"


def a_table(n_rows=150, n_classes=2, seed=0):
    """A table of numbers, counts and categories, with missing values."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": random.normal(size=n_rows).round(1),
            "count": random.integers(1, 6, n_rows).astype(float),
            "colour": random.choice(["red", "green", "blue"], n_rows),
            "width": random.lognormal(size=n_rows).round(1) + 0.1,
        }
    )
    y = (X["size"] > 0).astype(int) + (X["count"] * (X["colour"] == "red") > 2)
    return X, (y + (random.random(n_rows) < 0.1)).to_numpy() % n_classes


def fitted(X, y, **params):
    settings = {"cv": None, "max_iter": 4, "max_term_size": 2, "random_state": 0}
    return DNFWinnowClassifier(**{**settings, **params}).fit(X, y)


def mean_log_odds(clf, X, feature, value, classes, weights=None):
    """The partial dependence by its definition, from `predict_proba`."""
    k, against = classes
    changed = X.assign(**{feature: pd.Series([value] * len(X), index=X.index)})
    p = clf.predict_proba(changed)
    q = 1 - p[:, k] if against is None else p[:, against]
    return np.average(np.log(p[:, k] / q), weights=weights)


@pytest.mark.parametrize("literals", LITERALS)
def test_partial_dependence_of_scikit_learn(literals):
    X, y = a_table()
    clf = fitted(X, y, literals=literals)
    for feature in X:
        found = feature_effect(clf, X, feature)
        theirs = partial_dependence(
            clf,
            X,
            [feature],
            categorical_features=["colour"],
            response_method="decision_function",
            method="brute",
            grid_resolution=1000,
        )
        grid = theirs["grid_values"][0]
        assert len(grid) == X[feature].nunique()
        places = (
            [[*found.values].index(value) for value in grid]
            if found.cut_points is None
            else np.searchsorted(found.cut_points, grid)
        )
        ours = found.effects[places] + found.base_values
        assert_allclose(ours, clf.scale_ * theirs["average"][0], rtol=0, atol=1e-9)


def test_definition_with_three_classes():
    X, y = a_table(n_classes=3)
    clf, weights = fitted(X, y), np.arange(len(X)) % 3
    found = feature_effect(clf, X, "size", sample_weight=weights)
    assert_array_equal(found.classes, [0, 1, 2])
    one = feature_effect(clf, X, 0, class_of_interest=2, sample_weight=weights)
    assert_allclose(found.effects[:, 2], one.effects, atol=1e-12)
    assert one.classes is None and one.class_of_interest == 2
    # On both sides of each cut point; a cut point itself is below.
    for i, cut in enumerate(found.cut_points):
        for place, value in ((i, cut), (i + 1, np.nextafter(cut, np.inf))):
            expected = mean_log_odds(clf, X, "size", value, (2, None), weights)
            found_there = one.effects[place] + one.base_values
            assert_allclose(found_there, expected, rtol=0, atol=1e-9)
    missing = mean_log_odds(clf, X, "size", np.nan, (2, None), weights)
    assert_allclose(one.missing_effect + one.base_values, missing, atol=1e-9)


def test_the_mean_of_the_samples_is_0_and_weights_are_repetitions():
    X, y = a_table()
    X.loc[::7, "size"] = np.nan
    X.loc[::5, "colour"] = None
    clf = fitted(X, y, missing="category")
    weights = 1 + np.arange(len(X)) % 3
    repeated = X.loc[np.repeat(X.index, weights)]
    for feature in X:
        found = feature_effect(clf, X, feature, sample_weight=weights)
        total = found.counts @ found.effects + found.n_missing * found.missing_effect
        assert_allclose(total, 0, atol=1e-9)
        assert found.counts.sum() + found.n_missing == weights.sum()
        assert found.n_missing == weights[X[feature].isna()].sum()
        again = feature_effect(clf, repeated, feature)
        assert_allclose(again.effects, found.effects, atol=1e-10)
        assert_array_equal(again.counts, found.counts)
    shuffled = feature_effect(clf, repeated.sample(frac=1, random_state=0), "width")
    assert_array_equal(shuffled.effects, again.effects)


@pytest.mark.slow
def test_pipelines_in_the_units_of_the_data():
    X, y = a_table()
    numbers = make_pipeline(MinMaxScaler(), StandardScaler())
    pipeline = make_pipeline(
        ColumnTransformer(
            [
                ("scaled", numbers, ["width"]),
                ("again", StandardScaler(), ["width"]),
                ("one_hot", OneHotEncoder(sparse_output=False), ["colour"]),
                ("drop", "drop", ["count"]),
            ],
            remainder="passthrough",
        ),
        fitted(*a_table()),
    ).fit(X, y)
    classifier = pipeline[-1]
    for feature in ("size", "width", "colour"):
        found = feature_effect(pipeline, X, feature)
        values = found.values
        if values is None:
            above = np.nextafter(found.cut_points[-1], np.inf)
            values = [*found.cut_points, above]
            # Some cut points lie between the values of the data.
            assert 0 < len(values) <= X[feature].nunique()
        for value, effect in zip(values, found.effects, strict=True):
            expected = mean_log_odds(pipeline, X, feature, value, (1, None))
            assert_allclose(effect + found.base_values, expected, atol=1e-9)
    assert classifier.n_features_in_ == 6
    with pytest.raises(ValueError, match=r"'count' has no effect: .*a step before"):
        feature_effect(pipeline, X, "count")


def test_steps_that_cannot_be_inverted():
    X, y = a_table()
    X = X[["size", "width"]]
    pipeline = make_pipeline(PCA(), fitted(X, y)).fit(X, y)
    with pytest.warns(UserWarning, match="The features are those of columns as trans"):
        found = feature_effect(pipeline, X, "pca1")
    assert found.feature == "pca1" and abs(found.data - X["width"]).max() > 0.1


def test_monotone_features_have_monotone_effects():
    X, y = a_table()
    for sign in (1, -1):
        clf = fitted(X, y, monotonic_cst={"width": sign, "size": sign})
        for feature in ("width", "size"):
            effects = feature_effect(clf, X, feature).effects
            assert (sign * np.diff(effects) >= -1e-12).all()
        free = feature_effect(fitted(X, y), X, "width").effects
        assert (np.diff(free) > 1e-3).any() and (np.diff(free) < -1e-3).any()


def test_standard_errors():
    """Of sums that are estimated; they are what the effects are off by."""
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.integers(0, 2, (100, 26)).astype(str)).add_prefix("f")
    clf = fitted(
        X,
        random.integers(0, 2, 100),
        max_term_size=None,
        literal_weight=1.0,
        max_iter=2,
        sampler=Frontier(max_states=30),
    )
    features = X.columns[::5]
    rough = [feature_effect(clf, X[:8], feature) for feature in features]
    clf.set_params(sampler__max_states=10**6)
    z = []
    for feature, found in zip(features, rough):
        exact = feature_effect(clf, X[:8], feature)
        assert not exact.std_errors.any() and (found.std_errors > 0).all()
        assert " ± " in repr(found) and " ± " not in repr(exact)
        z.append((found.effects - exact.effects) / found.std_errors)
    # Errors are the lower limits of `WeightedSum.std_error` here, which are cautious.
    assert 0.03 < np.sqrt(np.mean(np.square(z))) < 3.0


def test_texts_and_frames():
    X, y = a_table(n_classes=3)
    X.loc[:3, "colour"] = None
    clf = fitted(X, y)
    found = feature_effect(clf, X, "colour", class_of_interest=1)
    assert found.title == "Effect of colour on the log-odds of 1 against all others"
    lines = repr(found).splitlines()
    assert [line.split()[-1] for line in lines[2:]] == [
        "blue",
        "green",
        "red",
        "missing",
    ]
    frame = found.to_frame()
    assert_array_equal(frame["effect"][:-1], found.effects)
    assert frame.loc["missing"].tolist() == [4, found.missing_effect]
    several = feature_effect(clf, X, "size")
    assert several.to_frame().columns.tolist() == ["count", 0, 1, 2]
    assert several.labels[0] == f"<= {several.labels[1].strip('(]').split(', ')[0]}"
    assert "class 2: effects" in repr(several) and "missing" not in repr(several)
    assert "<table" in several._repr_html_()
    numbers = feature_effect(clf, X, "count")
    assert numbers.is_numeric and numbers.labels == ("1", "2", "3", "4", "5")


def test_values_that_training_did_not_have():
    X, y = a_table()
    clf = fitted(X, y)
    X.loc[0, "colour"] = "black"
    found = feature_effect(clf, X, "colour")
    assert found.values.tolist() == ["black", "blue", "green", "red"]
    assert found.effects[0] == found.missing_effect and found.counts[0] == 1


def test_wrong_arguments():
    X, y = a_table()
    clf = fitted(X, y)
    with pytest.raises(
        ValueError, match=r"feature contains 'sise', .* \(did you mean 'size'"
    ):
        feature_effect(clf, X, "sise")
    with pytest.raises(ValueError, match="class_of_interest must be one of"):
        feature_effect(clf, X, "size", class_of_interest=7)
    with pytest.raises(TypeError, match="must be a DNFWinnowClassifier"):
        feature_effect(StandardScaler(), X, "size")
