"""TermsDisplay and ExplanationDisplay of interactions draw what records say."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from interaction_checks import Interactions
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    TermsDisplay,
    explain_interactions,
    interactions,
)

matplotlib.use("Agg")

# Of the classes: blue, orange and green.
COLOURS = "#0072b2", "#e69f00", "#009e73"

NASTY = "$x_1$ & <b>\t"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return Interactions().fit(X, y), X


@pytest.fixture(scope="module")
def three_classes():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice([*"uvw"], (20, 4)), columns=[*"abcd"])
    clf = Interactions(max_order=3).fit(X, rng.choice([NASTY, "q", "r"], 20))
    new = pd.DataFrame(rng.choice([*"uvw"], (9, 4)), columns=[*"abcd"])
    return clf, pd.concat([X, new])


def dots_and_lines(ax):
    """Return the dots of a panel, the ends of their lines, and their texts."""
    lines, dots = ax.collections
    segments = np.array([segment[:, 0] for segment in lines.get_segments()])
    texts = [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]
    return np.asarray(dots.get_offsets())[:, 0], segments, texts


def colours_of(ax):
    return [to_hex(colour) for colour in ax.collections[1].get_facecolors()]


def draw(figure):
    """Draw, and let no text be outside of the figure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    for ax in figure.axes:
        for text in [*ax.get_yticklabels(), *ax.texts, ax.xaxis.label]:
            box = text.get_window_extent()
            assert box.x0 >= -1 and box.x1 <= width + 1
            assert box.y0 >= -1 and box.y1 <= height + 1


@pytest.mark.parametrize("name", ["monks", "three_classes"])
def test_interactions(name, request):
    clf, _ = request.getfixturevalue(name)
    display = TermsDisplay.from_estimator(clf, top=5, coverage=0.5)
    draw(display.figure_)
    table = interactions(clf, top=5, coverage=0.5)
    classes = table["class"].drop_duplicates().tolist()
    assert classes == clf.classes_[1 if name == "monks" else 0 :].tolist()
    assert len(display.axes_) == len(classes)
    for ax, class_ in zip(display.axes_, classes):
        found = table[table["class"] == class_]
        dots, ends, texts = dots_and_lines(ax)
        assert_allclose(dots, found["median"])
        assert_allclose(ends, found[["low", "high"]])
        assert texts == found["term"].tolist()
        figures = [text.get_text() for text in ax.texts]
        assert [text for text in figures if "%" in text] == [
            f"{p:.1%}" for p in found["precision"]
        ]
        k = clf.classes_.tolist().index(class_)
        assert set(colours_of(ax)) == {COLOURS[k]}
    assert "50% intervals" in display.axes_[-1].get_xlabel()


def test_interactions_of_one_class_and_on_given_axes(three_classes):
    clf, _ = three_classes
    _, ax = plt.subplots()
    display = TermsDisplay.from_estimator(clf, class_of_interest="q", ax=ax)
    assert display.axes_.tolist() == [ax]
    assert ax.get_title(loc="left") == "class q"
    with pytest.raises(ValueError, match="ax must contain 1 Axes; got 2"):
        display.plot(plt.subplots(2)[1])


def test_interactions_are_measured_on_the_training_rows(monks):
    clf, X = monks
    with pytest.raises(ValueError, match="X, y and sample_weight must be None"):
        TermsDisplay.from_estimator(clf, X)


@pytest.mark.parametrize("name", ["monks", "three_classes"])
def test_explanation(name, request):
    clf, X = request.getfixturevalue(name)
    row = 3 if name == "monks" else len(X) - 1
    display = ExplanationDisplay.from_estimator(
        clf, X, row, top=3, coverage=0.5, n_features=2
    )
    draw(display.figure_)
    explanation = explain_interactions(clf, X, top=3, coverage=0.5)[row]
    assert str(display.explanation) == str(explanation)
    ranking = explanation.ranking
    colours = [COLOURS[k] for k in ranking]
    dots, ends, texts = dots_and_lines(display.terms_ax_)
    shares = [*explanation.records, explanation.rest]
    assert_allclose(dots[: len(shares)], [share["mean"] for share in shares])
    assert_allclose(
        ends[: len(shares)], [(share["low"], share["high"]) for share in shares]
    )
    assert_allclose(dots.sum(), explanation.log_odds)
    for text, share in zip(texts, explanation.records):
        assert text.startswith(share["term"])
    expected = [colours[0] if dot > 0 else colours[1] for dot in dots]
    if name == "three_classes":
        assert texts[-1] == "terms without training samples" and dots[-1] == 0
        assert_allclose(ends[-1], explanation.unseen)
        expected[-1] = "#808080"
    assert colours_of(display.terms_ax_) == expected
    dots, ends, texts = dots_and_lines(display.ax_)
    places = [explanation.values.index(text) for text in texts]
    assert len(places) == 2
    assert_allclose(dots, explanation.feature_effects[places])
    assert_allclose(ends, explanation.effect_intervals[places])
    label = display.ax_.get_xlabel()
    assert f"{explanation.log_odds:+.2f}" in label and "50% intervals" in label
    title = display.figure_.get_suptitle().replace("\n", " ")
    assert title == str(explanation).split("\n")[0]


def test_explanation_on_given_axes(monks):
    clf, X = monks
    (explanation,) = explain_interactions(clf, X[:1])
    figure, axes = plt.subplots(2)
    display = ExplanationDisplay.from_explanation(explanation, ax=axes)
    assert display.figure_ is figure
    assert_array_equal([display.ax_, display.terms_ax_], axes)
    assert axes[0].get_title(loc="left").startswith("row 0: predicted")
    with pytest.raises(ValueError, match="ax must be one Axes or two; got 3"):
        display.plot(plt.subplots(3)[1])
    with pytest.raises(ValueError, match="'n_features' parameter"):
        display.plot(n_features=0)
    with pytest.raises(IndexError):
        ExplanationDisplay.from_estimator(clf, X, row=len(X))
