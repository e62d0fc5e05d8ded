"""DiscretizationDisplay: what it counts, and what it draws."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DiscretizationDisplay

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(colour="blue")
    X.iloc[:3, 3] = np.nan
    return X, y, ClassEntropyDiscretizer(max_intervals=3).fit(X, y)


def test_bars_are_the_rows_and_end_at_the_cut_points():
    X, y, discretizer = iris()
    weight = np.arange(150)
    for column in range(4):
        display = DiscretizationDisplay.from_estimator(
            discretizer, X, y, feature=column, sample_weight=weight
        )
        values = X.iloc[:, column].to_numpy()
        seen = ~np.isnan(values)
        assert np.isin(discretizer.cut_points_[column], display.edges).all()
        assert (np.diff(display.edges) > 0).all()
        codes = np.searchsorted(display.edges, values[seen], side="left") - 1
        counts = np.zeros_like(display.counts)
        np.add.at(counts, (codes, y[seen]), weight[seen])
        assert_array_equal(display.counts, counts)
        assert display.n_missing == weight[~seen].sum()
        assert_array_equal(display.classes, [0, 1, 2])
        assert display.feature_name == X.columns[column]
        # Areas, in the units of the label, add up to the weight of the rows.
        area = sum(bar.get_height() * bar.get_width() for bar in display.ax_.patches)
        unit = float(display.ax_.get_ylabel().removeprefix("rows per "))
        assert_allclose(area / unit, weight[seen].sum(), rtol=0.1)


def test_skewed_values_have_an_axis_that_reads():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    skewed = np.exp(rng.normal(0, 2, 400) + y)
    gaps = np.where(rng.random(400) < 0.6, 0.0, rng.standard_cauchy(400) * 10) + y
    for values, is_log in (
        (skewed, True),
        (gaps, False),
        (rng.normal(size=400), False),
    ):
        cut = ClassEntropyDiscretizer(max_intervals=3).fit(values[:, None], y)
        display = DiscretizationDisplay.from_estimator(cut, values[:, None], y, 0)
        assert display.log == is_log
        assert display.counts.sum() == 400
        # No bar has most of the rows, unless one value has.
        assert display.counts.sum(axis=1).max() < 280
        ends = np.quantile(values, [0.01, 0.99])
        width = np.ptp([*ends, *cut.cut_points_[0]])
        assert is_log or np.ptp(display.edges) <= 3.1 * width


def test_what_is_drawn():
    X, y, discretizer = iris()
    display = DiscretizationDisplay.from_estimator(
        discretizer, X, y, feature="petal width (cm)"
    )
    lines = [line.get_xdata()[0] for line in display.ax_.lines]
    assert_allclose(lines, [0.8, 1.75])
    assert display.ax_.get_xlabel() == "petal width (cm) (3 missing)"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["0", "1", "2"]
    assert display.figure_ is display.ax_.figure


def test_on_given_axes():
    X, y, discretizer = iris()
    _, ax = plt.subplots()
    display = DiscretizationDisplay.from_estimator(discretizer, X, y, feature=0, ax=ax)
    assert display.ax_ is ax
    _, ax = plt.subplots()
    assert display.plot(ax) is display and display.ax_ is ax
    with pytest.raises(ValueError, match="must be one Axes; got 3"):
        display.plot(plt.subplots(3)[1])


@pytest.mark.parametrize(
    "values", [[5, 5, 5], [np.nan, np.nan, np.nan], [1, 2, np.nan], [1e-9, 2e-9, 3e9]]
)
def test_columns_of_few_values(values):
    X = np.array(values, dtype=float)[:, None]
    discretizer = ClassEntropyDiscretizer().fit(X, [0, 1, 1])
    display = DiscretizationDisplay.from_estimator(discretizer, X, [0, 1, 1], feature=0)
    assert display.counts.sum() == np.isfinite(X).sum()
    assert display.feature_name == "column 0"
    display.figure_.canvas.draw()


def columns_to_draw():
    """Some that go wrong easily: by name, values and classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 500)
    return {
        "ten classes": (rng.normal(y, 2), np.char.add("class number ", y.astype(str))),
        "constant": (np.full(500, 7.0), y % 2),
        "pure": (y, y > 4),
        "noise": (rng.normal(size=500), y % 2),
        "empty": (np.full(500, np.nan), y % 2),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", columns_to_draw())
def test_nothing_covers_anything(name):
    values, y = columns_to_draw()[name]
    discretizer = ClassEntropyDiscretizer().fit(values[:, None], y)
    display = DiscretizationDisplay.from_estimator(
        discretizer, values[:, None], y, feature=0
    )
    display.figure_.canvas.draw()
    inside = display.figure_.bbox
    bars = display.ax_.get_window_extent()
    legend = display.ax_.get_legend().get_window_extent()
    assert bars.x1 <= legend.x0 and legend.x1 < inside.x1
    assert inside.y0 < legend.y0 and legend.y1 < inside.y1


def test_narrow_bars_do_not_dwarf_the_others():
    values = np.append(np.linspace(0, 1, 401), [0.5001, 0.5002])
    y = np.append(np.arange(401) > 200, [1, 0])
    discretizer = ClassEntropyDiscretizer().fit(values[:, None], y)
    assert np.diff(discretizer.cut_points_[0]).min() < 1e-3
    display = DiscretizationDisplay.from_estimator(
        discretizer, values[:, None], y, feature=0
    )
    assert 10 < display.ax_.get_ylim()[1] < 13
    assert display.counts.sum() == 403


@pytest.mark.slow
def test_logarithmic_axis():
    values = np.random.default_rng(0).lognormal(sigma=5, size=800)[:, None]
    y = (values[:, 0] > 1) ^ (values[:, 0] > 1e4)
    discretizer = ClassEntropyDiscretizer().fit(values, y)
    for column in (values, values[:1], np.full((3, 1), np.nan)):
        display = DiscretizationDisplay.from_estimator(
            discretizer, column, y[: len(column)], feature=0
        )
        assert (display.ax_.get_xscale() == "log") == (len(column) == 800)
        assert display.counts.sum() == np.isfinite(column).sum()
        assert (np.diff(display.edges) > 0).all()
        assert np.isin(discretizer.cut_points_[0], display.edges).all()
        display.figure_.canvas.draw()
    display = DiscretizationDisplay.from_estimator(discretizer, values, y, feature=0)
    widths = np.diff(np.log10(display.edges))
    assert widths.max() < 1.5 * np.median(widths)
    unit = np.log10(float(display.ax_.get_ylabel().removeprefix("rows per factor of ")))
    heights = sum(
        np.reshape([bar.get_height() for bar in bars], -1)
        for bars in display.ax_.containers
    )
    assert_allclose(heights @ widths / unit, 800, rtol=0.02)


@pytest.mark.slow
def test_many_classes_and_other_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 2)), rng.integers(0, 40, 500)
    discretizer = ClassEntropyDiscretizer().fit(X, y)
    others = X[:50] + 10, y[:50].astype(str)
    display = DiscretizationDisplay.from_estimator(discretizer, *others, feature=1)
    assert display.counts.sum() == 50
    assert display.ax_.get_legend() is None
    assert np.isin(discretizer.cut_points_[1], display.edges).all()


@pytest.mark.parametrize(
    "column, message",
    [
        ("petal", "'petal', which is not a column of X"),
        ("colour", "Column 'colour' is not divided"),
        (4, "Column 'colour' is not divided"),
        (5, "positions from 0 to 4; got 5"),
        (-1, "positions from 0 to 4; got -1"),
        (None, "positions from 0 to 4; got None"),
    ],
)
def test_columns_that_are_refused(column, message):
    X, y, discretizer = iris()
    with pytest.raises(ValueError, match=message):
        DiscretizationDisplay.from_estimator(discretizer, X, y, feature=column)


def test_other_refusals():
    X, y, discretizer = iris()
    with pytest.raises(NotFittedError):
        DiscretizationDisplay.from_estimator(ClassEntropyDiscretizer(), X, y, feature=0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DiscretizationDisplay.from_estimator(discretizer, X, y[:9], feature=0)
    texts = X.assign(**{"petal width (cm)": "wide"})
    with pytest.raises(ValueError, match="are not all numbers"):
        DiscretizationDisplay.from_estimator(discretizer, texts, y, feature=3)
    endless = X.assign(**{"petal width (cm)": np.inf})
    with pytest.raises(ValueError, match=r"contains infinity .* 'petal width"):
        DiscretizationDisplay.from_estimator(discretizer, endless, y, feature=3)
    with pytest.raises(ValueError, match="feature names should match"):
        DiscretizationDisplay.from_estimator(
            discretizer, pd.DataFrame(X.to_numpy()).add_prefix("x"), y, feature=0
        )
