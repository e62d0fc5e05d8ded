"""TermsDisplay, ExplanationDisplay, and explanations as HTML."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
import re
import sys
import warnings
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from test_interactions import interactions

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    TermsDisplay,
    explain,
    terms,
)

matplotlib.use("Agg")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# Of the classes: blue and orange.
COLOURS = "#0072b2", "#e69f00"

# Neither mathematics nor markup.
NASTY = [
    "$x_1$",
    "\\frac",
    "x & y",
    "\n",
    "<script>alert(1)</script>",
    "ä{",
    "word " * 40,
]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@cache
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return X, y, DNFWinnowClassifier(random_state=0).fit(X, y)


@cache
def bayes():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return X, y, interactions().fit(X, y)


@cache
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=3), DNFWinnowClassifier(random_state=0)
    )
    return X, y, pipeline.fit(X, y)


def nasty(text):
    """A model whose name of a column, values and classes are a text."""
    values = np.array([text, text + "!", text + "?"], dtype=object)
    codes = np.random.default_rng(0).integers(0, 3, (60, 2))
    X = pd.DataFrame(values[codes], columns=[text, f"{text}2"])
    y = np.where(codes[:, 0] == codes[:, 1], text, f"not {text}")
    return X, y, DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)


def explained():
    X, _, clf = monks()
    return explain(clf, X[:1], top=2)[0]


def texts_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def ends_of(ax):
    return np.array([bar.get_x() + bar.get_width() for bar in ax.patches])


def dots_and_lines(ax):
    """Return the dots of a panel, the ends of lines through them, and colours."""
    *lines, dots = ax.collections
    segments = [segment[:, 0] for one in lines for segment in one.get_segments()]
    colours = [to_hex(colour) for colour in dots.get_facecolors()]
    return np.asarray(dots.get_offsets())[:, 0], np.array(segments), colours


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


def overlapping(ax):
    """Whether labels of bars are drawn over each other."""
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    boxes.sort(key=lambda box: box.y0)
    return any(low.y1 > high.y0 for low, high in pairwise(boxes))


NUMBERS = "term", "lift", "support"

# -- terms -----------------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("load, measure", [(iris, "precision"), (bayes, "effect")])
@pytest.mark.parametrize("measured", [True, False])
def test_terms_of_each_class(load, measure, measured):
    X, y, estimator = load()
    rows = {"X": X, "y": y} if measured else {}
    display = TermsDisplay.from_estimator(estimator, **rows, top=4, measure=measure)
    table = terms(estimator, top=4, details=True, **rows)
    assert display.records == table.to_dict("records")
    assert_array_equal(display.classes, estimator.classes_)
    assert display.figure_ is display.axes_[0].figure
    draw(display.figure_)
    for class_, ax in zip(estimator.classes_, display.axes_, strict=True):
        found = table[table["class"] == class_]
        dots, ends, colours = dots_and_lines(ax)
        assert_allclose(dots, found[measure])
        if measured or measure == "effect":
            assert_allclose(ends, found[[f"{measure}_low", f"{measure}_high"]])
        else:
            assert not len(ends)
        assert len(set(colours)) == 1
        drawn = [text.replace("\n", " ") for text in texts_of(ax)]
        assert drawn == [
            f"{term} lift {lift:.2f}, support {support:.6g}"
            for term, lift, support in found[[*NUMBERS]].itertuples(index=False)
        ]
        assert not overlapping(ax)
        assert ax.get_title(loc="left") == f"class {class_}"
    assert display.axes_[-1].get_xlabel() == measure


def test_terms_of_one_class_have_its_colour():
    _, _, pipeline = iris()
    of_all = TermsDisplay.from_estimator(pipeline)
    _, ax = plt.subplots()
    display = TermsDisplay.from_estimator(pipeline, class_of_interest=1, ax=ax)
    assert display.axes_.tolist() == [ax] and display.class_of_interest == 1
    same, other, first = (
        dots_and_lines(found)[2][0] for found in (ax, of_all.axes_[1], of_all.axes_[0])
    )
    assert same == other != first


def test_terms_on_given_axes():
    _, _, pipeline = iris()
    figure, axes = plt.subplots(1, 3)
    display = TermsDisplay.from_estimator(pipeline, ax=axes)
    assert_array_equal(display.axes_, axes)
    assert display.figure_ is figure
    for wrong in (axes[:2], axes[0]):
        with pytest.raises(ValueError, match="ax must contain 3 Axes; got"):
            display.plot(wrong)
    with pytest.raises(ValueError, match=r"measure must be one of \['lift', .*'term'"):
        display.plot(measure="term")


def test_terms_of_no_rows_and_of_no_class():
    X, _, clf = monks()
    display = TermsDisplay.from_estimator(clf, X[-1:], ["1"], top=3)
    draw(display.figure_)
    assert "lift none, support 0" in texts_of(display.axes_[0])[0]
    display = TermsDisplay([], ["a", "b"]).plot()
    draw(display.figure_)
    assert len(display.axes_) == 2


def test_without_pandas(monkeypatch):
    X, y = load_monks(1, subset="train", return_X_y=True)
    clf = DNFWinnowClassifier(cv=None, max_iter=2, random_state=0).fit(X, y)
    expected = TermsDisplay.from_estimator(clf, X, y).records
    imported = builtins.__import__

    # Others would not know their own tables any more.
    def without(name, globals=None, *args, **options):
        if name == "pandas" and globals["__name__"].startswith("sklearn_dnfwinnow."):
            raise ImportError(name)
        return imported(name, globals, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    assert isinstance(terms(clf), list)
    assert TermsDisplay.from_estimator(clf, X, y).records == expected
    draw(ExplanationDisplay.from_estimator(clf, X).figure_)


# -- explanations ----------------------------------------------------------------------


@pytest.mark.parametrize("load", [monks, bayes])
def test_explanation_of_a_row(load):
    """Numbers, texts, and colours: blue favours the predicted class."""
    X, _, clf = load()
    X = pd.concat([X, X[:1].assign(a1="2", a2="2", a3="1", a6="2")])
    row = len(X) - 1
    display = ExplanationDisplay.from_estimator(clf, X, row, top=3, n_features=4)
    one = explain(clf, X, top=3)[row]
    assert str(display.explanation) == str(one)
    draw(display.figure_)
    assert not overlapping(display.terms_ax_) and not overlapping(display.ax_)
    effects = dict(zip(one.values, one.feature_effects))
    texts = [label.split(" (")[0] for label in texts_of(display.ax_)]
    expected = (
        [effects[text] for text in texts],
        [r["contribution"] for r in one.records],
    )
    for ax, numbers in zip((display.ax_, display.terms_ax_), expected):
        if load is bayes:
            drawn, ends, colours = dots_and_lines(ax)
            assert (ends[:, 0] <= ends[:, 1]).all()
        else:
            drawn = ends_of(ax)
            colours = [to_hex(bar.get_facecolor()) for bar in ax.patches]
        unseen = texts_of(ax)[-1] == "rules without training rows"
        assert_allclose(drawn[: len(numbers)], numbers)
        assert (np.diff(np.abs(numbers)) <= 0).all()
        favoured = [COLOURS[int(number < 0)] for number in numbers]
        assert colours == favoured + ["#808080"] * unseen
    title = display.figure_.get_suptitle().replace("\n", " ")
    assert title == str(one).split("\n")[0]
    assert f"{one.log_odds:+.2f}" in display.ax_.get_xlabel()
    assert "4 of 6 columns" in display.ax_.get_xlabel()


def test_explanation_on_given_axes():
    explanation = explained()
    figure, axes = plt.subplots(2)
    display = ExplanationDisplay(explanation).plot(axes)
    assert display.ax_ is axes[0] and display.terms_ax_ is axes[1]
    assert display.figure_ is figure
    _, ax = plt.subplots()
    assert display.plot(ax) is display
    assert display.ax_ is ax and display.terms_ax_ is None
    with pytest.raises(ValueError, match="one Axes or two; got 3"):
        display.plot(plt.subplots(3)[1])
    with pytest.raises(ValueError, match="'n_features' parameter"):
        display.plot(n_features=0)


@pytest.mark.slow
def test_rows_go_by_position():
    X, _, clf = monks()
    explanations = explain(clf, X)
    shuffled = X.set_axis(np.roll(X.index, 5))
    for table in (shuffled, X.to_numpy(), X.to_numpy().tolist()):
        for row in (3, -1):
            display = ExplanationDisplay.from_estimator(clf, table, row)
            assert str(display.explanation) == str(explanations[row])


def test_there_has_to_be_such_a_row():
    X, _, clf = monks()
    for table in (X, X.to_numpy()):
        with pytest.raises(IndexError):
            ExplanationDisplay.from_estimator(clf, table, row=len(X))


def test_standard_errors():
    explanation = explained()
    assert "±" not in str(explanation) + explanation._repr_html_()
    estimated = replace(explanation, effect_errors=np.arange(6.0))
    display = ExplanationDisplay(estimated).plot()
    draw(display.figure_)
    for text in display.ax_.texts:
        box, inside = text.get_window_extent(), display.ax_.get_window_extent()
        assert inside.x0 <= box.x0 and box.x1 <= inside.x1 + 1
    (bars,) = display.ax_.collections
    lengths = [s[1, 0] - s[0, 0] for s in bars.get_segments()]
    drawn = [explanation.values.index(text) for text in texts_of(display.ax_)]
    assert_allclose(lengths, [2.0 * j for j in drawn])
    for text in (str(estimated), estimated._repr_html_()):
        assert text.count("±") == 5


def test_a_row_without_values():
    X, _, clf = monks()
    nothing = X[:1].where(X[:1] == "none")
    # To miss a value has an effect in comparison to rows that have one.
    (explanation,) = explain(clf, nothing)
    assert not explanation.records
    assert "  a5: missing or unseen\n" in str(explanation)
    display = ExplanationDisplay(explanation).plot()
    assert len(display.ax_.patches) == str(explanation).count("unseen") > 2


# -- HTML ------------------------------------------------------------------------------


class _Table(HTMLParser):
    """Text of a page, and whether its tags are closed in order."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.tags, self.texts = [], set(), []
        self.feed(markup)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("text", NASTY)
def test_any_characters(text):
    X, y, clf = nasty(text)
    (explanation,) = explain(clf, X[:1])
    table = _Table(explanation._repr_html_())
    assert table.tags == {"table", "tr", "th", "td", "div", "i"}
    assert explanation.records[0]["term"] in table.texts
    # Each line of the text is a row of the table.
    rows = explanation._repr_html_().count("<tr")
    assert str(explanation).count("\n") == len(str(explanation).splitlines()) == rows
    for display in (
        ExplanationDisplay(explanation).plot(),
        TermsDisplay.from_estimator(clf, X, y, top=3),
    ):
        draw(display.figure_)
        for ax in display.figure_.axes:
            assert not overlapping(ax)


def test_html_is_for_light_and_dark_pages():
    """Texts have the colour of the page."""
    markup = explained()._repr_html_()
    assert "color: inherit" in markup and "currentColor" in markup
    assert "white" not in markup and "opacity" not in markup
    assert len(set(re.findall("#[0-9a-f]{6}", markup))) == 2
    assert "a1 = 1 &amp; a2 = 1" in markup


@pytest.mark.parametrize("kind", [TermsDisplay, ExplanationDisplay])
def test_matplotlib_is_needed_to_plot(kind, monkeypatch):
    given = {TermsDisplay: ([], ["a"]), ExplanationDisplay: (explained(),)}
    display = kind(*given[kind])
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(
        ImportError, match=r"Display.plot needs Matplotlib: .*pip install matplotlib"
    ):
        display.plot()
