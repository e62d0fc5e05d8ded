"""ValidationDisplay: lines of candidates, heat maps, and what has none."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from numpy.testing import assert_array_equal
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import ValidationDisplay

matplotlib.use("Agg")

NAN = float("nan")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def validation(**changed):
    """Three candidates, of which the second is the best, at its first checkpoint."""
    columns = {
        "candidate": [0, 0, 1, 1, 2],
        "update": ["residual", "residual", "margin", "margin", "residual"],
        "margin": [NAN, NAN, 0.5, 0.5, NAN],
        "scale": [30.0, 30.0, NAN, NAN, 10.0],
        "alpha": [1.1] * 5,
        "max_term_size": [None, None, None, None, 2],
        "discretizer": [None, None, None, None, "Cut(a=1,\n    b=2)"],
        "n_epochs": [1, 2, 1, 2, 1],
        "log_loss": [0.5, 0.4, 0.2, 0.3, 0.6],
        "scale_": [1.0] * 5,
    }
    return {
        name: np.array(values, dtype=None if name != "max_term_size" else object)
        for name, values in {**columns, **changed}.items()
    }


def fitted(**params):
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    return X, y, DNFWinnowClassifier(random_state=0, max_iter=4, **params).fit(X, y)


def draw(figure):
    """Draw, and let no text of a legend be outside of the figure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    for ax in figure.axes:
        legend = ax.get_legend()
        for text in legend.get_texts() if legend else ():
            box = text.get_window_extent()
            assert box.x0 >= -1 and box.x1 <= width + 1
            assert box.y0 >= -1 and box.y1 <= height + 1


def texts_of(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


# -- lines -----------------------------------------------------------------------------


def test_a_line_a_candidate_the_best_first():
    display = ValidationDisplay(validation()).plot()
    draw(display.figure_)
    lines = [line.get_xydata().tolist() for line in display.ax_.lines]
    assert lines == [
        [[1, 0.2], [2, 0.3]],
        [[1, 0.5], [2, 0.4]],
        [[1, 0.6]],
        [[1, 0.2]],
    ]
    assert display.ax_.lines[-1].get_marker() == "o"
    assert texts_of(display.ax_) == [
        "margin=0.5, max_term_size=None, discretizer=None",
        "scale=30, max_term_size=None, discretizer=None",
        "scale=10, max_term_size=2, discretizer=Cut(a=1, b=2)",
        "chosen",
    ]


def test_discretizers_are_told_by_what_differs():
    texts = [
        "Cut(columns=[0, 1,\n    2], b='x, y')",
        "Cut(a=1, columns=[0, 1, 2])",
        None,
    ]
    found = {
        "candidate": np.arange(3),
        "discretizer": np.array(texts, dtype=object),
        "n_epochs": np.ones(3),
        "log_loss": np.arange(3.0),
        "scale": np.ones(3),
    }
    display = ValidationDisplay(found).plot()
    expected = ["b='x, y'", "a=1", "discretizer=None"]
    assert texts_of(display.ax_) == [*expected, "chosen"]
    display.plot(kind="heatmap", x="discretizer", y="scale")
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["a=1", "b='x, y'", "None"]


def test_only_some_of_many_have_labels():
    n = 30
    many = {
        "candidate": np.arange(n),
        "scale": np.arange(1.0, n + 1),
        "n_epochs": np.full(n, 4),
        "log_loss": np.linspace(1, 0.1, n),
    }
    display = ValidationDisplay(many).plot()
    draw(display.figure_)
    assert texts_of(display.ax_) == [
        *(f"scale={n - k}" for k in range(8)),
        "22 others",
        "chosen",
    ]
    drawn = {to_hex(line.get_color()) for line in display.ax_.lines[:8]}
    assert len(drawn) == 8
    assert to_hex(display.ax_.lines[8].get_color()) not in drawn


def test_labels_of_several_lines_fit():
    long = np.array([f"Cut({'a' * 30}={k}, {'b' * 60}={k})" for k in range(9)])
    display = ValidationDisplay(
        {
            "candidate": np.arange(9),
            "discretizer": long,
            "n_epochs": np.ones(9),
            "log_loss": np.arange(9.0),
        }
    ).plot()
    draw(display.figure_)


def test_one_candidate():
    one = {name: column[:2] for name, column in validation().items()}
    display = ValidationDisplay(one).plot()
    assert texts_of(display.ax_) == ["candidate 0", "chosen"]


# -- heat maps -------------------------------------------------------------------------


def test_cells_have_the_least_loss_of_two_values():
    _, _, clf = fitted(
        candidates=ParameterGrid(
            {"scale": [100, 3, 10], "max_term_size": [None, 2, 1], "alpha": [1.1, 1.3]}
        )
    )
    display = ValidationDisplay.from_estimator(
        clf, kind="heatmap", x="scale", y="max_term_size"
    )
    draw(display.figure_)
    ax, found = display.ax_, clf.validation_
    assert [text.get_text() for text in ax.get_xticklabels()] == ["3", "10", "100"]
    sizes = [text.get_text() for text in ax.get_yticklabels()]
    assert sizes == ["1", "2", "None"]
    cells = ax.images[0].get_array()
    for row, size in enumerate((1, 2, None)):
        for column, scale in enumerate((3.0, 10.0, 100.0)):
            rows = (found["scale"] == scale) & (found["max_term_size"] == size)
            assert cells[row, column] == found["log_loss"][rows].min()
    (frame,) = ax.patches
    column, row = np.add(frame.get_xy(), 0.5).astype(int)
    assert cells[row, column] == found["log_loss"].min()
    assert to_hex(frame.get_edgecolor()) == "#d55e00"  # vermillion
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert texts[column, row] == f"{cells.min():.3f}"


def test_candidates_without_a_parameter_are_left_out():
    display = ValidationDisplay(validation()).plot(
        kind="heatmap", x="scale", y="n_epochs"
    )
    draw(display.figure_)
    cells = display.ax_.images[0].get_array()
    assert_array_equal(cells.filled(-1), [[0.6, 0.5], [-1, 0.4]])
    assert len(display.ax_.texts) == 3


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"kind": "heatmap"}, "x must be one of update, .*n_epochs for kind='heatmap'"),
        ({"kind": "heatmap", "x": "scale"}, "y must be one of .*; got None"),
        ({"kind": "heatmap", "x": "scale", "y": "log_loss"}, "got 'log_loss'"),
        ({"kind": "heatmap", "x": "scale", "y": "margin"}, "both 'scale' and 'margin'"),
        ({"x": "scale"}, "unless kind='heatmap'"),
        ({"kind": "bars"}, "'kind' parameter"),
    ],
)
def test_wrong_axes(params, message):
    with pytest.raises(ValueError, match=message):
        ValidationDisplay(validation()).plot(**params)


# -- estimators ------------------------------------------------------------------------


def test_pipelines_and_searches():
    X, y, clf = fitted()
    expected = clf.validation_
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(), DNFWinnowClassifier(random_state=0, max_iter=4)
    ).fit(X, y)
    search = GridSearchCV(clf, {"max_iter": [4]}, cv=2).fit(X, y)
    for estimator in (clf, pipeline, search):
        display = ValidationDisplay.from_estimator(estimator)
        assert display.validation.keys() == expected.keys()
        assert_array_equal(display.validation["log_loss"], expected["log_loss"])
        draw(display.figure_)


def test_on_given_axes():
    _, ax = plt.subplots()
    display = ValidationDisplay(validation()).plot(ax)
    assert display.ax_ is ax and display.figure_ is ax.figure
    assert ax.get_legend() is not None


def test_what_did_not_choose_has_no_validation():
    _, _, clf = fitted(cv=None)
    with pytest.raises(
        ValueError,
        match=r"no `validation_`.*without internal cross-validation.*cv",
    ):
        ValidationDisplay.from_estimator(clf)
    with pytest.raises(TypeError, match="must be a DNFWinnowClassifier"):
        ValidationDisplay.from_estimator(ClassEntropyDiscretizer())


def test_matplotlib_is_needed_to_plot(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"ValidationDisplay.plot needs Matplotlib"):
        ValidationDisplay(validation()).plot()
