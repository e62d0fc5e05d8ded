"""Display of Shapley values: bars of importances, and a dot for each sample."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import replace

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb, to_rgba
from numpy.testing import assert_allclose, assert_array_equal
from test_shapley import a_model

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    ShapleyValuesDisplay,
    explain,
    shapley_values,
)

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def texts_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_bars_are_importances_and_dots_are_values():
    X, clf, _, _ = a_model(n_classes=2)
    display = ShapleyValuesDisplay.from_estimator(clf, X, n_features=3)
    found = display.found
    importances = found.feature_importances().sort_values(ascending=False)[:3]
    assert texts_of(display.ax_) == [*importances.index]
    assert_allclose([bar.get_width() for bar in display.ax_.patches], importances)
    assert "3 of 4 features shown" in display.ax_.get_xlabel()
    assert display.figure_.get_suptitle() == found.title
    assert f"base value {found.base_values[0]:.2f}" in display.values_ax_.get_xlabel()
    # Missing values are grey.
    dots = display.values_ax_.collections
    assert len(dots) == 3
    middles = display.ax_.get_yticks()
    for drawn, middle, name in zip(dots, middles, importances.index):
        j = found.feature_names.index(name)
        missing = np.isnan(X[:, j])
        assert missing.any() and not missing.all()
        places = drawn.get_offsets()
        assert_allclose(places[:, 0], found.values[:, j])
        assert (abs(places[:, 1] - middle) < 0.85).all()
        ranks = (X[~missing, j] - 1) / 2
        assert_allclose(drawn.get_array()[~missing], ranks)
        colours = drawn.to_rgba(drawn.get_array())
        assert (colours[missing] == to_rgba("0.55")).all()
        assert (colours[~missing, :3].std(axis=1) > 0.01).any()
    assert display.figure_.axes[-1].get_ylabel() == "value of the feature"


def test_classes_are_parts_of_bars():
    X, clf, _, _ = a_model()
    display = ShapleyValuesDisplay.from_estimator(clf, X)
    importances = display.found.feature_importances().sort_values(ascending=False)
    widths = np.reshape([bar.get_width() for bar in display.ax_.patches], (3, 4))
    assert_allclose(widths.sum(axis=0), importances)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["0", "1", "2"] and display.values_ax_ is None
    title = display.figure_.get_suptitle().replace("\n", " ")
    assert title == display.found.title


def test_on_given_axes():
    X, clf, _, _ = a_model(n_classes=2)
    found = shapley_values(clf, X)
    figure, axes = plt.subplots(1, 2)
    display = ShapleyValuesDisplay.from_values(found, ax=axes)
    assert display.ax_ is axes[0] and display.values_ax_ is axes[1]
    assert display.figure_ is figure and display.ax_.get_title(loc="left")
    _, ax = plt.subplots()
    assert display.plot(ax) is display and display.values_ax_ is None
    with pytest.raises(ValueError, match="ax must be one Axes or two; got 3"):
        display.plot(plt.subplots(3)[1])
    with pytest.raises(ValueError, match="'n_features' parameter"):
        display.plot(n_features=0)
    several = ShapleyValuesDisplay(shapley_values(*reversed(a_model()[:2])))
    with pytest.raises(ValueError, match="ax must be one Axes; got 2"):
        several.plot(plt.subplots(2)[1])


def test_text_has_no_colour_bar():
    X = pd.DataFrame({"a_b": [*"xyxy"] * 10, "$c$": [*"xxyy"] * 10})
    clf = DNFWinnowClassifier(random_state=0).fit(X, X["a_b"] == "x")
    display = ShapleyValuesDisplay.from_estimator(clf, X)
    display.figure_.canvas.draw()
    assert len(display.figure_.axes) == 2 and texts_of(display.ax_) == ["a_b", "$c$"]


def dots_of(values, data):
    """Return the dots of one feature with given values, and their middle."""
    X, clf, _, _ = a_model(n_classes=2)
    found = shapley_values(clf, X[: len(values)])
    values, data = (np.column_stack([a] * X.shape[1]) for a in (values, data))
    display = ShapleyValuesDisplay(replace(found, values=values, data=data))
    display.plot(n_features=1)
    (dots,) = display.values_ax_.collections
    return dots, display.ax_.get_yticks()[0]


def ranks(column):
    """Return the numbers of the colours of dots."""
    dots, _ = dots_of(np.arange(len(column), dtype=float), column)
    return np.ma.filled(dots.get_array().astype(float), np.nan)


def heights(values):
    """Return the heights of dots above the middle, relative to the largest."""
    dots, middle = dots_of(np.array(values, dtype=float), np.arange(len(values)))
    found = dots.get_offsets()[:, 1] - middle
    return found / found.max()


def test_ranks_and_heights():
    column = np.array([3, None, 7.5, np.nan, 3, True], dtype=object)
    assert_allclose(ranks(column), [0.5, np.nan, 1, np.nan, 0.5, 0])
    assert np.isnan(ranks(np.array(["1", "2", 3.0], dtype=object))).all()
    assert_array_equal(ranks(np.array([5, 5], dtype=object)), [0, 0])
    assert_allclose(heights([0] * 5), np.array([0, 1, -1, 2, -2]) / 2)
    assert_allclose(heights([0, 5, 0.01, 5]), [0, 0, 1, 1])


def test_matplotlib_is_needed_to_plot(monkeypatch):
    X, clf, _, _ = a_model(n_classes=2)
    display = ShapleyValuesDisplay(shapley_values(clf, X[:2]))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"Display\.plot needs Matplotlib"):
        display.plot()


def test_lines_have_the_colour_of_the_style():
    """Zero lines would be invisible on dark figures."""
    X, clf, _, _ = a_model(n_classes=2)
    for style, bright in (("default", False), ("dark_background", True)):
        with plt.style.context(style):
            axes = (
                ShapleyValuesDisplay.from_estimator(clf, X).values_ax_,
                ExplanationDisplay.from_explanation(explain(clf, X[:1])[0]).ax_,
            )
        for ax in axes:
            (line,) = ax.lines
            assert (np.mean(to_rgb(line.get_color())) > 0.5) == bright
