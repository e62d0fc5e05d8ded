"""DiscretizationDisplay: what it counts, and what it draws."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys

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
            discretizer, X, y, column=column, sample_weight=weight
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


def test_what_is_drawn():
    X, y, discretizer = iris()
    display = DiscretizationDisplay.from_estimator(
        discretizer, X, y, column="petal width (cm)"
    )
    lines = [line.get_xdata()[0] for line in display.ax_.lines]
    assert_allclose(lines, [0.8, 1.75])
    assert display.ax_.get_xlabel() == "petal width (cm) (3 missing)"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["0", "1", "2"]
    path, chosen = display.path_ax_.lines
    assert_array_equal(path.get_xdata(), [1, 2, 3])
    assert_array_equal(path.get_ydata(), discretizer.entropy_path_[3])
    assert chosen.get_xdata() == [3]
    assert display.figure_ is display.ax_.figure is display.path_ax_.figure


def test_on_given_axes():
    X, y, discretizer = iris()
    _, axes = plt.subplots(2)
    display = DiscretizationDisplay.from_estimator(discretizer, X, y, column=0, ax=axes)
    assert display.ax_ is axes[0] and display.path_ax_ is axes[1]
    _, ax = plt.subplots()
    assert display.plot(ax) is display
    assert display.ax_ is ax and display.path_ax_ is None
    with pytest.raises(ValueError, match="one Axes or two; got 3"):
        display.plot(plt.subplots(3)[1])


@pytest.mark.parametrize(
    "values", [[5, 5, 5], [np.nan, np.nan, np.nan], [1, 2, np.nan], [1e-9, 2e-9, 3e9]]
)
def test_columns_of_few_values(values):
    X = np.array(values, dtype=float)[:, None]
    discretizer = ClassEntropyDiscretizer().fit(X, [0, 1, 1])
    display = DiscretizationDisplay.from_estimator(discretizer, X, [0, 1, 1], column=0)
    assert display.counts.sum() == np.isfinite(X).sum()
    assert display.feature_name == "column 0"
    display.figure_.canvas.draw()


def test_many_classes_and_other_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 2)), rng.integers(0, 40, 500)
    discretizer = ClassEntropyDiscretizer().fit(X, y)
    others = X[:50] + 10, y[:50].astype(str)
    display = DiscretizationDisplay.from_estimator(discretizer, *others, column=1)
    assert display.counts.sum() == 50
    assert display.ax_.get_legend() is None
    assert np.isin(discretizer.cut_points_[1], display.edges).all()


@pytest.mark.parametrize(
    "column, message",
    [
        ("petal", "'petal' is not a column of X"),
        ("colour", "Column 'colour' was not cut"),
        (4, "Column 'colour' was not cut"),
        (5, "a position from 0 to 4; got 5"),
        (-1, "a position from 0 to 4; got -1"),
        (None, "a position from 0 to 4; got None"),
    ],
)
def test_columns_that_are_refused(column, message):
    X, y, discretizer = iris()
    with pytest.raises(ValueError, match=message):
        DiscretizationDisplay.from_estimator(discretizer, X, y, column=column)


def test_other_refusals():
    X, y, discretizer = iris()
    with pytest.raises(NotFittedError):
        DiscretizationDisplay.from_estimator(ClassEntropyDiscretizer(), X, y, column=0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DiscretizationDisplay.from_estimator(discretizer, X, y[:9], column=0)
    texts = X.assign(**{"petal width (cm)": "wide"})
    with pytest.raises(ValueError, match="are not all numbers"):
        DiscretizationDisplay.from_estimator(discretizer, texts, y, column=3)
    with pytest.raises(ValueError, match="feature names should match"):
        DiscretizationDisplay.from_estimator(
            discretizer, pd.DataFrame(X.to_numpy()).add_prefix("x"), y, column=0
        )


def test_matplotlib_is_imported_only_to_draw():
    code = "import sys, sklearn_dnfwinnow; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
