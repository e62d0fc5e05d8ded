"""Display of a feature effect: a curve or dots, and the distribution below it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose, assert_array_equal
from test_feature_effect import a_table, fitted

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import FeatureEffectDisplay, feature_effect

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model():
    X, y = a_table(n_classes=3)
    X.loc[:9, ["size", "count", "colour"]] = np.nan
    return X, fitted(X, y)


def steps_of(ax):
    """The curves of an Axes."""
    return [patch for patch in ax.patches if hasattr(patch, "get_data")]


def heights_of(ax):
    return np.array([bar.get_height() for bar in ax.patches])


def test_curves_have_steps_at_cut_points(model):
    X, clf = model
    display = FeatureEffectDisplay.from_estimator(clf, X, "size", n_bars=15)
    found = display.effect
    curves = steps_of(display.ax_)
    assert len(curves) == 3
    for k, curve in enumerate(curves):
        values, edges, _ = curve.get_data()
        assert_array_equal(values, found.effects[:, k])
        assert_array_equal(edges[1:-1], found.cut_points)
    assert edges[0] < X["size"].min() and edges[-1] > X["size"].max()
    assert display.ax_.get_xlim() == display.counts_ax_.get_xlim() == (*edges[[0, -1]],)
    # A mark of missing values for each class, to the right of the panel.
    zero, marks = display.ax_.lines[-1], display.ax_.lines[:-1]
    assert_array_equal(zero.get_ydata(), 0)
    assert_allclose(np.ravel([m.get_ydata() for m in marks]), found.missing_effect)
    assert all(mark.get_xdata()[0] > 1 for mark in marks)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["0", "1", "2"]
    assert display.counts_ax_.get_xlabel() == "size"
    (text,) = display.counts_ax_.texts
    assert text.get_text() == "missing\n10"
    # The areas of the bars are the samples.
    bars = display.counts_ax_.patches
    areas = np.array([bar.get_height() * bar.get_width() for bar in bars])
    typical = np.median([bar.get_width() for bar in bars])
    assert_allclose(areas.sum() / typical, X["size"].notna().sum())
    display.figure_.canvas.draw()
    title = display.figure_.get_suptitle().replace("\n", " ")
    assert title == found.title


def test_numbers_that_are_not_cut_have_dots(model):
    X, clf = model
    display = FeatureEffectDisplay.from_estimator(clf, X, "count", class_of_interest=1)
    dots, mark, _ = display.ax_.lines
    assert_array_equal(dots.get_xdata(), [1, 2, 3, 4, 5])
    assert_array_equal(dots.get_ydata(), display.effect.effects)
    assert_allclose(mark.get_ydata(), display.effect.missing_effect)
    assert_array_equal(heights_of(display.counts_ax_), display.effect.counts)
    assert display.ax_.get_legend() is None


def test_without_missing_values_there_is_no_mark(model):
    X, clf = model
    display = FeatureEffectDisplay.from_estimator(clf, X, "width", class_of_interest=1)
    assert len(display.ax_.lines) == 1 and not display.counts_ax_.texts


def test_a_cut_may_be_next_to_the_only_value():
    """No bar has room between numbers that differ by a rounding error."""
    y = np.arange(40) % 2
    X = pd.DataFrame({"x": 7.0 + 5e-15 * y})
    clf = DNFWinnowClassifier(discretizer=ClassEntropyDiscretizer(), random_state=0)
    display = FeatureEffectDisplay.from_estimator(clf.fit(X, y), X[y == 0], "x")
    assert all(bar.get_width() > 0 for bar in display.counts_ax_.patches)
    assert heights_of(display.counts_ax_).sum() == 20


def test_categories(model):
    X, clf = model
    weights = 1.0 + np.arange(len(X)) % 2
    found = feature_effect(clf, X, "colour", class_of_interest=2, sample_weight=weights)
    display = FeatureEffectDisplay(found).plot()
    texts = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert texts == ["blue", "green", "red", "missing"]
    (dots,) = display.ax_.collections
    places = dots.get_offsets()[:, 0]
    assert_allclose(places, [*found.effects, found.missing_effect])
    widths = [bar.get_width() for bar in display.counts_ax_.patches]
    assert_allclose(widths, [*found.counts, found.n_missing])
    assert "3 of 3 values of colour shown" in display.ax_.get_xlabel()
    # The most frequent one, and the missing ones.
    display.plot(n_values=1)
    texts = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert texts == [found.labels[found.counts.argmax()], "missing"]
    display.figure_.canvas.draw()
    several = FeatureEffectDisplay.from_estimator(clf, X, "colour")
    assert len(several.ax_.collections) == 3
    labels = [text.get_text() for text in several.ax_.get_legend().get_texts()]
    assert labels == ["0", "1", "2"]


def test_on_given_axes(model):
    X, clf = model
    for feature in ("size", "colour"):
        found = feature_effect(clf, X, feature)
        figure, axes = plt.subplots(2)
        display = FeatureEffectDisplay(found).plot(axes)
        assert display.ax_ is axes[0] and display.counts_ax_ is axes[1]
        assert display.figure_ is figure and display.ax_.get_title(loc="left")
        _, ax = plt.subplots()
        assert display.plot(ax) is display and display.counts_ax_ is None
        with pytest.raises(ValueError, match="ax must be one Axes or two; got 3"):
            display.plot(plt.subplots(3)[1])
    for name in ("n_bars", "n_values"):
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            display.plot(**{name: 0})


def test_standard_errors_are_drawn(model):
    X, clf = model
    for feature in ("size", "colour"):
        found = feature_effect(clf, X, feature, class_of_interest=1)
        plain = FeatureEffectDisplay(found).plot()
        object.__setattr__(found, "std_errors", np.full(len(found.effects), 0.1))
        object.__setattr__(found, "missing_error", np.array(0.1))
        barred = FeatureEffectDisplay(found).plot()
        assert not plain.ax_.containers and barred.ax_.containers


def test_matplotlib_is_needed_to_plot(model, monkeypatch):
    X, clf = model
    display = FeatureEffectDisplay(feature_effect(clf, X, "size"))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"Display\.plot needs Matplotlib"):
        display.plot()
