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
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    TermsDisplay,
    explain,
    terms,
)

matplotlib.use("Agg")

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


def explained(method="auto"):
    X, _, clf = monks()
    return explain(clf, X[:1], top=2, method=method)[0]


def texts_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def ends_of(ax):
    return np.array([bar.get_x() + bar.get_width() for bar in ax.patches])


def dots_of(ax):
    (dots,) = ax.collections
    return np.asarray(dots.get_offsets())[:, 0]


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


# -- terms -----------------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("measure, measured", [("weight", True), ("share", False)])
def test_terms_of_each_class(measure, measured):
    X, y, pipeline = iris()
    rows = {"X": X, "y": y} if measured else {}
    display = TermsDisplay.from_estimator(pipeline, **rows, top=4, measure=measure)
    table = terms(pipeline, top=4, **rows)
    assert display.records == table.to_dict("records")
    assert_array_equal(display.classes, [0, 1, 2])
    assert len(display.axes_) == 3 and display.figure_ is display.axes_[0].figure
    draw(display.figure_)
    for k, ax in enumerate(display.axes_):
        found = table[table["class"] == k]
        if measure == "share":
            found = found.sort_values("share", ascending=False, kind="stable")
        if measure == "weight":
            # A length on a logarithmic axis has no meaning: there are no bars.
            assert not ax.patches
            assert_allclose(dots_of(ax) * np.log(10), found["log_weight"])
        else:
            assert_allclose(ends_of(ax), found["share"])
        drawn = [text.replace("\n", " ") for text in texts_of(ax)]
        assert drawn == found["term"].tolist()
        assert not overlapping(ax)
        figures = [text.get_text() for text in ax.texts]
        expected = [f"{p:.1%}" for p in found.get("precision", ())]
        assert [text for text in figures if "%" in text] == expected
        assert ("support" in figures) == measured
        assert ax.get_title(loc="left") == f"class {k}"
        # Some tick is in sight, and says where it is.
        for tick, label in zip(ax.get_xticks(), ax.get_xticklabels()):
            start, end = ax.get_xlim()
            assert start <= tick <= end
            said = float(label.get_text().rstrip("%"))
            is_at = 10**tick if measure == "weight" else 100 * tick
            assert_allclose(said, is_at, rtol=0.01, atol=1e-9)
        assert len(ax.get_xticks()) >= 2


def test_terms_of_one_class_have_its_colour():
    _, _, pipeline = iris()
    of_all = TermsDisplay.from_estimator(pipeline)
    _, ax = plt.subplots()
    display = TermsDisplay.from_estimator(pipeline, class_of_interest=1, ax=ax)
    assert display.axes_.tolist() == [ax] and display.class_of_interest == 1
    same, other, first = (
        found.collections[0].get_facecolor()[0].tolist()
        for found in (ax, of_all.axes_[1], of_all.axes_[0])
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
    with pytest.raises(ValueError, match="'measure' parameter"):
        display.plot(measure="support")


def test_terms_without_y_or_of_no_rows():
    X, _, clf = monks()
    predicted = TermsDisplay.from_estimator(clf, X, top=3)
    known = TermsDisplay.from_estimator(clf, X, clf.predict(X), top=3)
    assert predicted.records == known.records
    display = TermsDisplay.from_estimator(clf, X[-1:], ["1"], top=3)
    draw(display.figure_)
    assert "none" in [text.get_text() for text in display.axes_[0].texts]
    display.plot(measure="share")
    draw(display.figure_)


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("measure", ["weight", "share"])
@pytest.mark.parametrize(
    "log_weights", [[], [1.0, 1.0], [9e3, 0.0], [0.01, 0.0], [-40.0, -2000.0]]
)
def test_terms_of_any_weights(log_weights, measure):
    records = [
        {"class": "b", "term": "a = 1", "log_weight": w, "share": 0.0}
        for w in log_weights
    ]
    display = TermsDisplay(records, ["a", "b", "c"]).plot(measure=measure)
    draw(display.figure_)
    drawn = dots_of if measure == "weight" else ends_of
    assert [len(drawn(ax)) for ax in display.axes_] == [0, len(log_weights), 0]
    assert len(display.axes_[1].get_xticks())


@pytest.mark.slow
def test_terms_of_many_classes():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (300, 4)), rng.integers(0, 12, 300)
    clf = DNFWinnowClassifier(cv=None, max_iter=2, random_state=0).fit(X, y)
    display = TermsDisplay.from_estimator(clf, X, y, top=2)
    assert len(display.axes_) == 12
    draw(display.figure_)


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


def test_explanation_of_a_row():
    X, _, clf = monks()
    display = ExplanationDisplay.from_estimator(clf, X, row=3, top=3)
    explanation = explain(clf, X, top=3)[3]
    assert str(display.explanation) == str(explanation)
    draw(display.figure_)
    assert not overlapping(display.terms_ax_) and not overlapping(display.ax_)
    # One bar a term, and one for all others, under each heading.
    ends, labels = ends_of(display.terms_ax_), texts_of(display.terms_ax_)
    bars = {}
    for text, end in zip(labels, ends):
        if text.startswith("class "):
            of = bars.setdefault(text.split(" ")[1], [])
            assert np.isnan(end)
        else:
            of.append((text.replace("\n", " "), end))
    assert list(bars) == [str(c) for c in explanation.classes[explanation.ranking]]
    for class_, of in bars.items():
        expected = [(r["term"], r["share"]) for r in explanation.of_class(class_)]
        assert [text for text, _ in of] == [t for t, _ in expected] + [
            "all other terms"
        ]
        assert_allclose([end for _, end in of[:-1]], [s for _, s in expected])
        assert_allclose(sum(end for _, end in of), 1.0)
    # The attributes, those that matter most first.
    effects = dict(zip(explanation.values, explanation.feature_effects))
    drawn = ends_of(display.ax_)
    assert_allclose(drawn, [effects[t] for t in texts_of(display.ax_)])
    assert (np.diff(np.abs(drawn)) <= 0).all()
    title = display.figure_.get_suptitle().replace("\n", " ")
    assert title == str(explanation).split("\n")[0]
    assert "6 of 6 features" in display.ax_.get_xlabel()


def test_effects_have_the_colour_of_the_class_they_speak_for():
    display = ExplanationDisplay.from_explanation(explained())
    labels = texts_of(display.terms_ax_)
    (second,) = (i for i, t in enumerate(labels) if i and t.startswith("class "))
    colours = [bar.get_facecolor() for bar in display.terms_ax_.patches]
    ends = ends_of(display.ax_)
    assert (ends > 0).any() and (ends < 0).any()
    for bar, end in zip(display.ax_.patches, ends):
        assert bar.get_facecolor() == colours[1 if end > 0 else second + 1]


def test_explanation_on_given_axes():
    explanation = explained()
    figure, axes = plt.subplots(2)
    display = ExplanationDisplay.from_explanation(explanation, ax=axes)
    assert display.ax_ is axes[0] and display.terms_ax_ is axes[1]
    assert display.figure_ is figure
    _, ax = plt.subplots()
    assert display.plot(ax) is display
    assert display.ax_ is ax and display.terms_ax_ is None
    with pytest.raises(ValueError, match="one Axes or two; got 3"):
        display.plot(plt.subplots(3)[1])
    for name in ("n_classes", "n_features"):
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            display.plot(**{name: 0})


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
    explanation = explained("leave_one_out")
    assert not explanation.effect_errors.any()
    assert "±" not in str(explanation) + explanation._repr_html_()
    exact = ExplanationDisplay.from_explanation(explanation)
    assert not error_bars(exact.terms_ax_) and not error_bars(exact.ax_)

    errors = 0.1 * explanation.feature_shares
    errors[:, 2] = 0.0
    estimated = replace(
        explanation, std_errors=np.array([0.0, 0.25]), share_errors=errors
    )
    # d(-log(1 - share)) = d share / (1 - share), in both classes.
    losses = errors / (1 - explanation.feature_shares)
    expected = explanation.scale * np.sqrt((losses**2).sum(axis=0))
    assert_allclose(estimated.effect_errors, expected)
    display = ExplanationDisplay.from_explanation(estimated)
    draw(display.figure_)
    for ax in display.figure_.axes:
        inside = ax.get_window_extent()
        for text in ax.texts:
            box = text.get_window_extent()
            assert inside.x0 <= box.x0 and box.x1 <= inside.x1 + 1
    # Two terms and all others of class 1, the first of which has about half.
    lows, highs = error_bars(display.terms_ax_)
    share = explanation.of_class("1")[0]["share"]
    assert_allclose([lows[0], highs[0]], [0.75 * share, 1.25 * share])
    assert len(lows) == 3
    shares = [record["share"] for record in explanation.of_class("1")]
    assert_allclose(highs[2] - lows[2], 2 * 0.25 * sum(shares))
    lows, highs = error_bars(display.ax_)
    drawn = np.isin(explanation.values, texts_of(display.ax_))
    assert len(lows) == (estimated.effect_errors[drawn] > 0).sum() > 0
    # A sum, the log-odds and all effects but one.
    for text in (str(estimated), estimated._repr_html_()):
        assert text.count("±") == 1 + 1 + 5
        assert "; estimates)" in text


def error_bars(ax):
    """Lower and upper ends of all error bars."""
    segments = [s for found in ax.collections for s in found.get_segments()]
    return np.array([[s[0, 0], s[1, 0]] for s in segments]).T.tolist()


def test_ties_and_certainty():
    explanation = explained("leave_one_out")
    tie = replace(explanation, scores=np.zeros(2))
    assert tie.prediction == "0" and tie.ranking.tolist() == [0, 1]
    assert "predicted 0 " in str(tie) and "are 0.00;" in str(tie)
    losses = -np.log1p(-tie.feature_shares)
    assert_allclose(tie.feature_effects, tie.scale * (losses[0] - losses[1]))
    # All of a sum mentions an attribute: without it nothing is left.
    shares = explanation.feature_shares.copy()
    shares[1, 0] = shares[:, 1] = 1.0
    sure = replace(explanation, feature_shares=shares)
    assert sure.feature_effects[0] == np.inf
    assert np.isnan(sure.feature_effects[1])
    assert "+inf  a1 = 1" in str(sure)
    sure._repr_html_()
    display = ExplanationDisplay.from_explanation(sure)
    draw(display.figure_)
    assert texts_of(display.ax_)[0] == "a1 = 1"
    assert "a2 = 1" not in texts_of(display.ax_)


def test_a_row_without_values():
    X, _, clf = monks()
    nothing = X[:1].where(X[:1] == "none")
    (explanation,) = explain(clf, nothing, method="leave_one_out")
    assert str(explanation).count("\n") == 3 + 2 * 3
    assert "0 of 6 features shown" in str(explanation)
    display = ExplanationDisplay.from_explanation(explanation)
    draw(display.figure_)
    assert len(display.ax_.patches) == 0
    # To miss a value has an effect in comparison to rows that have one.
    (explanation,) = explain(clf, nothing)
    assert "  a5: missing or unknown\n" in str(explanation)
    display = ExplanationDisplay.from_explanation(explanation)
    assert len(display.ax_.patches) == str(explanation).count("unknown") > 2


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
        ExplanationDisplay.from_explanation(explanation),
        TermsDisplay.from_estimator(clf, X, y, top=3),
    ):
        draw(display.figure_)
        for ax in display.figure_.axes:
            assert not overlapping(ax)


def luminance(colour):
    """Relative luminance of a colour, by WCAG 2.2."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(*colours):
    low, high = sorted(map(luminance, colours))
    return (high + 0.05) / (low + 0.05)


def test_html_is_for_light_and_dark_pages():
    """Texts have the colour of the page; bars are visible on any."""
    markup = explained()._repr_html_()
    assert "color: inherit" in markup and "currentColor" in markup
    assert "white" not in markup and "opacity" not in markup
    colours = set(re.findall("#[0-9a-f]{6}", markup))
    assert len(colours) == 2
    for colour in colours:
        for page in ("#ffffff", "#111111", "#1e1e1e"):
            assert contrast(colour, page) >= 3, (colour, page)
    assert contrast("#808080", "#ffffff") > 3 > contrast("#a0a0a0", "#ffffff")
    assert re.search(r"\d\.\d%", markup) and "a1 = 1 &amp; a2 = 1" in markup


@pytest.mark.parametrize("kind", [TermsDisplay, ExplanationDisplay])
def test_matplotlib_is_needed_to_plot(kind, monkeypatch):
    given = {TermsDisplay: ([], ["a"]), ExplanationDisplay: (explained(),)}
    display = kind(*given[kind])
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(
        ImportError, match=r"Display.plot needs Matplotlib: .*pip install matplotlib"
    ):
        display.plot()
