"""Feature effects of a Bayesian classifier: curves of draws, and their intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.inspection import FeatureEffectDisplay, feature_effect

matplotlib.use("Agg")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def fitted(X, y, **options):
    settings = {"n_draws": 60, "burn_in": 60, "n_chains": 2, "max_sweeps": 75}
    settings["random_state"] = 0
    return BayesianInteractionClassifier(**{**settings, **options}).fit(X, y)


def complete_table(n_classes):
    """A table with all combinations of values: the sums determine each of them."""
    random = np.random.default_rng(0)
    columns = {
        "colour": ["red", "green", "blue"],
        "count": [1.0, 2.0],
        "on": ["a", "b"],
    }
    X = pd.MultiIndex.from_product(columns.values(), names=columns).to_frame(
        index=False
    )
    X = X.loc[np.repeat(X.index, 4)].reset_index(drop=True)
    y = (X["colour"] == "red") * 1 + (X["count"] == 2.0)
    return X, (y + (random.random(len(X)) < 0.2)).to_numpy() % n_classes


@pytest.mark.parametrize(("n_classes", "coverage"), [(2, 0.5), (3, 0.9)])
def test_definition(n_classes, coverage):
    X, y = complete_table(n_classes)
    clf = fitted(X, y, prior="normal")
    weights = np.arange(len(X)) % 3
    for feature in X:
        found = feature_effect(
            clf,
            X,
            feature,
            class_of_interest=1,
            sample_weight=weights,
            coverage=coverage,
        )
        curves = []
        for value in found.values:
            p = clf.sample_proba(X.assign(**{feature: value}))
            curves.append(np.average(logit(p[..., 1]), axis=1, weights=weights))
        curves = np.transpose(curves)
        base = curves @ found.counts / found.counts.sum()
        centred = curves - base[:, np.newaxis]
        tails = (1 - coverage) / 2, (1 + coverage) / 2
        assert_allclose(found.effects, np.median(centred, axis=0), atol=1e-6)
        assert_allclose(found.intervals, np.quantile(centred, tails, 0).T, atol=1e-6)
        assert_allclose(found.base_values, np.median(base), atol=1e-6)
        assert_array_equal(found.std_errors, 0)
        assert found.coverage == coverage


def with_gaps(n_classes=2):
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": random.normal(size=90).round(1),
            "colour": random.choice(["red", "green", "blue"], 90),
        }
    )
    y = ((X["size"] > 0).astype(int) + (X["colour"] == "red")).to_numpy() % n_classes
    X.loc[::9, "size"] = np.nan
    return X, y


def test_classes_missing_values_and_frames():
    X, y = with_gaps(3)
    clf = fitted(X, y)
    found = feature_effect(clf, X, "size")
    n = len(found.labels)
    assert found.effects.shape == (n, 3) and found.intervals.shape == (n, 3, 2)
    assert found.missing_interval.shape == (3, 2)
    assert (found.intervals[..., 0] <= found.effects).all()
    assert (found.effects <= found.intervals[..., 1]).all()
    one = feature_effect(clf, X, "size", class_of_interest=2)
    assert_allclose(one.intervals, found.intervals[:, 2])
    frame = one.to_frame()
    ends = frame[["effect_low", "effect_high"]]
    assert [*frame] == ["count", "effect", *ends]
    assert_allclose(ends.iloc[:-1], one.intervals)
    assert_allclose(ends.iloc[-1], one.missing_interval)
    low, high = one.missing_interval
    (line,) = [text for text in str(one).splitlines() if text.endswith("  missing")]
    assert f"[{low:+.2f}, {high:+.2f}]" in line
    assert "90% of the draws" in str(one) and "90% of the draws" in one._repr_html_()


def test_narrow_where_there_are_data():
    X, y = with_gaps()
    clf = fitted(X, y, prior="normal")
    rare = X.assign(colour=np.where(np.arange(90) < 2, "rare", X["colour"]))
    found = feature_effect(fitted(rare, y, prior="normal"), rare, "colour")
    widths = dict(zip(found.labels, np.diff(found.intervals).ravel()))
    assert widths["rare"] > 1.3 * max(widths["red"], widths["green"], widths["blue"])
    wide = feature_effect(clf, X, "size", coverage=0.99).intervals
    narrow = feature_effect(clf, X, "size", coverage=0.5).intervals
    assert (wide[:, 0] < narrow[:, 0]).all() and (narrow[:, 1] < wide[:, 1]).all()


def test_pipelines():
    X, y = with_gaps()
    doubled = FunctionTransformer(lambda X: X.assign(size=2 * X["size"]))
    expected = feature_effect(fitted(X, y), X, "size")
    pipeline = make_pipeline(doubled, fitted(X, y)).fit(X, y)
    with pytest.warns(UserWarning, match="The features are those of"):
        found = feature_effect(pipeline, X, "size")
    assert_allclose(found.cut_points / 2, expected.cut_points)
    assert_array_equal(found.intervals, expected.intervals)


def test_other_classifiers_are_refused():
    X, y = complete_table(2)
    other = LogisticRegression().fit(X[["count"]], y)
    names = "DNFWinnowClassifier or BayesianInteractionClassifier"
    with pytest.raises(TypeError, match=f"estimator must be a {names}"):
        feature_effect(other, X[["count"]], "count")
    with pytest.raises(ValueError, match="'coverage' parameter"):
        feature_effect(fitted(X, y), X, "count", coverage=1.0)


def test_bands_are_between_the_ends_of_intervals():
    X, y = with_gaps()
    display = FeatureEffectDisplay.from_estimator(fitted(X, y), X, "size", coverage=0.8)
    found = display.effect
    curve, band = (patch for patch in display.ax_.patches if hasattr(patch, "get_data"))
    assert_array_equal(curve.get_data().values, found.effects)
    assert_array_equal(band.get_data().baseline, found.intervals[:, 0])
    assert_array_equal(band.get_data().values, found.intervals[:, 1])
    assert display.ax_.get_ylabel().endswith("medians, 80% intervals")
    assert band.get_fill() and not curve.get_fill()
    ((segment,),) = (lines.get_segments() for lines in display.ax_.collections)
    assert_allclose(segment[:, 1], found.missing_interval)


def test_lines_through_dots_are_intervals():
    X, y = complete_table(2)
    clf = fitted(X, y)
    display = FeatureEffectDisplay.from_estimator(clf, X, "colour")
    found = display.effect
    (lines,) = (c for c in display.ax_.collections if hasattr(c, "get_segments"))
    assert_allclose(np.array(lines.get_segments())[..., 0], found.intervals)
    display = FeatureEffectDisplay.from_estimator(clf, X, "count")
    (lines,) = (c for c in display.ax_.collections if hasattr(c, "get_segments"))
    ends = np.array(lines.get_segments())[..., 1]
    assert_allclose(ends, display.effect.intervals)
