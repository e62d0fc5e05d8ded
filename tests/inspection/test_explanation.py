"""Explanation: its text, its representation, probabilities, rows and classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import io
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import ExplanationDisplay, explain


@pytest.fixture(scope="module")
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return X, DNFWinnowClassifier(random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def many_classes():
    """Of 19 classes and 30 features, with names of a usual length."""
    rng = np.random.default_rng(1)
    X = rng.choice(["absent", "present", "brown"], (400, 30)).astype(object)
    y = 9 * (X[:, 0] == "absent") + 5 * (X[:, 1] == "absent")
    y = np.array([f"disease {k}" for k in range(19)])[y + rng.integers(0, 5, 400)]
    clf = DNFWinnowClassifier(random_state=0, cv=None, max_iter=2).fit(X, y)
    assert len(clf.classes_) == 19
    return X, clf


def test_text_begins_with_the_answer():
    """Both classes and their probabilities; effects; terms of either class."""
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    row = 17
    explanation = explain(clf, X, top=2, method="leave_one_out")[row]
    p = np.sort(clf.predict_proba(X[row : row + 1])[0])[::-1]
    first, next_ = explanation.classes[explanation.ranking]
    assert 0.005 < p[1] < p[0] < 0.995
    lines = str(explanation).split("\n")
    assert lines[0] == (
        f"row {row}: predicted {first} (p = {p[0]:.2f}; next: {next_}, p = {p[1]:.2f})"
    )
    assert lines[1].startswith("  effects on the log-odds (natural log), ")
    effects = explanation.feature_effects
    order = [j for j in np.argsort(-abs(effects)) if abs(effects[j]) >= 0.005]
    assert lines[1].endswith(f"), {len(order)} of 6 features shown")
    after = 2 + len(order)
    expected = [f"{effects[j]:+10.2f}  {explanation.values[j]}" for j in order]
    assert lines[2:after] == expected
    note = f"    the log-odds are {np.log(p[0] / p[1]):.2f}; leave-one-out effects do"
    assert lines[after].startswith(note)
    for class_, probability, place in ((first, p[0], 1), (next_, p[1], 5)):
        records = explanation.of_class(class_)
        rest = 1.0 - sum(record["share"] for record in records)
        assert lines[after + place : after + place + 4] == [
            f"  class {class_} (p = {probability:.2f}): "
            "relative contributions to its weighted sum",
            *(f"{record['share']:10.1%}  {record['term']}" for record in records),
            f"{rest:10.1%}  all other terms",
        ]
    # It ends with a line break: printed ones have a blank line between them.
    assert lines[after + 9 :] == [""]


def test_probabilities_are_those_of_the_classifier(monks, many_classes):
    """With folds, which chose `scale_`, and without, where it is 1."""
    for X, clf in (monks, many_classes):
        found = [explanation.probabilities for explanation in explain(clf, X[:10])]
        assert_allclose(found, clf.predict_proba(X[:10]), atol=1e-12)
    assert monks[1].scale_ != 1.0 and many_classes[1].scale_ == 1.0


@pytest.mark.parametrize(
    "p, expected",
    [
        (0.6, "p = 0.60; next: 0, p = 0.40"),
        (0.994, "p = 0.99; next: 0, p = 0.01"),
        (0.996, "p > 0.99; next: 0, p < 0.01"),
        (1.0, "p > 0.99; next: 0, p < 0.01"),
    ],
)
def test_no_probability_is_printed_as_certain(monks, p, expected):
    X, clf = monks
    (explanation,) = explain(clf, X[:1])
    with np.errstate(divide="ignore"):
        scores = np.log([1 - p, p])
    explanation = replace(explanation, scores=scores, scale=1.0)
    assert f"predicted 1 ({expected})" in str(explanation)


def test_rows_are_numbered_and_apart(monks):
    """By their positions, also where rows are equal; printed one after the other."""
    X, clf = monks
    explanations = explain(clf, X.iloc[[4, 2, 4]], top=1)
    assert [explanation.row for explanation in explanations] == [0, 1, 2]
    assert explanations[0].records == explanations[2].records
    blocks = "\n".join(map(str, explanations)).split("\n\n")
    starts = [block.split(" predicted ")[0] for block in blocks]
    assert starts == ["row 0:", "row 1:", "row 2:"]
    assert "row 0: predicted" in explanations[0]._repr_html_()


def test_a_display_has_the_row_that_was_asked_for(monks):
    X, clf = monks
    display = ExplanationDisplay.from_estimator(clf, X, row=-1)
    assert display.explanation.row == len(X) - 1
    assert display.figure_.get_suptitle().startswith(f"row {len(X) - 1}: predicted ")


def test_representation_is_a_line(monks):
    X, clf = monks
    (explanation,) = explain(clf, X[17:18])
    p = explanation.probabilities.max()
    assert repr(explanation) == (
        f"Explanation(row=0, prediction={explanation.prediction!r}, "
        f"probability={p:.2f})"
    )


def test_lists_show_their_items(monks):
    """Printed, in an interpreter, and in a notebook; also counterfactuals."""
    X, clf = monks
    for found in (clf.explain(X[:3], top=1), clf.counterfactuals(X[:3], n=1)):
        texts = [*map(str, found)]
        assert isinstance(found, list) and len(found) == 3
        assert str(found) == "\n".join(texts)
        # An interpreter ends each line.
        assert repr(found) + "\n" == str(found)
        assert found._repr_html_().count("<table") == 3
        assert [*found[1:]] == [found[1], found[2]]
        assert repr(found[:1]) + "\n" == texts[0] and repr(found[:0]) == "[]"
        # One after the other, as in earlier versions.
        printed = io.StringIO()
        print(*found, sep="\n", end="", file=printed)
        assert printed.getvalue() == str(found)


def test_long_lists_are_cut_except_in_print(monks):
    X, clf = monks
    found = clf.explain(X[:23], top=1)
    assert repr(found) == str(found[:20]) + "\n... and 3 more"
    assert str(found).count("predicted") == 23
    assert found._repr_html_().count("<table") == 20
    assert found._repr_html_().endswith("... and 3 more")


def test_terms_are_those_of_the_leading_classes(many_classes, monkeypatch):
    """No others are searched; `n_classes` says how many, None is all."""
    X, clf = many_classes
    searched, kind = [], type(clf._table_model())
    heaviest_terms = kind.heaviest_terms

    def counted(model, k, *args):
        searched.append(int(k))
        return heaviest_terms(model, k, *args)

    monkeypatch.setattr(kind, "heaviest_terms", counted)
    (every,) = explain(clf, X[:1], top=2, n_classes=None)
    assert searched == every.ranking.tolist() and every.n_listed == 19
    for n_classes in (1, 2, 5):
        searched.clear()
        (explanation,) = explain(clf, X[:1], top=2, n_classes=n_classes)
        assert searched == every.ranking[:n_classes].tolist()
        assert explanation.records == every.records[: 2 * n_classes]
        assert str(explanation).count("all other terms") == n_classes
        assert_array_equal(explanation.scores, every.scores)
    (default,) = explain(clf, X[:1])
    assert default.n_listed == 2
    with pytest.raises(ValueError, match="'n_classes' parameter of explain"):
        explain(clf, X[:1], n_classes=0)


def test_classes_without_listed_terms_are_refused(many_classes):
    X, clf = many_classes
    (explanation,) = explain(clf, X[:1])
    *_, last = explanation.classes[explanation.ranking].tolist()
    with pytest.raises(ValueError, match="Call explain with n_classes=None"):
        explanation.of_class(last)
    (explanation,) = explain(clf, X[:1], n_classes=None)
    assert len(explanation.of_class(last)) == 5


@pytest.mark.slow
def test_many_classes_stay_short(many_classes):
    """In text, in HTML, and in a picture."""
    X, clf = many_classes
    (explanation,) = explain(clf, X[:1])
    assert str(explanation).count("\n") == 1 + (1 + 8 + 1) + 2 * (1 + 5 + 1)
    assert explanation._repr_html_().count("<tr") == 25
    display = ExplanationDisplay.from_estimator(clf, X)
    width, height = display.figure_.canvas.get_width_height()
    assert width <= 900 and height <= 900
    effects, terms = display.ax_, display.terms_ax_
    assert len(effects.patches) <= 10
    labels = [label.get_text() for label in terms.get_yticklabels()]
    assert sum(label.startswith("class ") for label in labels) == 2
    # The two that are compared have colours that differ.
    colours = {bar.get_facecolor()[:3] for bar in effects.patches}
    assert colours == {(0.0, 114 / 255, 178 / 255), (230 / 255, 159 / 255, 0.0)}
    # More classes, if they are asked for.
    shown = ExplanationDisplay.from_estimator(clf, X, top=1, n_classes=None)
    for n_classes, expected in ((None, 19), (3, 3)):
        shown.plot(n_classes=n_classes, n_features=1)
        labels = [label.get_text() for label in shown.terms_ax_.get_yticklabels()]
        assert sum(label.startswith("class ") for label in labels) == expected
        assert len(shown.ax_.patches) == 1


def test_estimates_are_marked(monks):
    """With standard errors of log-odds and of sums, and a word in the headline."""
    X, clf = monks
    (exact,) = explain(clf, X[:1])
    assert exact.log_odds_error == 0.0
    assert "estimates" not in str(exact) and "±" not in str(exact)
    estimated = replace(exact, std_errors=np.array([0.03, 0.04]))
    text = str(estimated)
    assert text.split("\n")[0].endswith("; estimates)")
    assert_allclose(estimated.log_odds_error, 0.05 * clf.scale_)
    assert f" are {exact.log_odds:.2f} ± {0.05 * clf.scale_:.2g}, the sum" in text
    assert ", weighted sum ± 3.00%: relative" in text
    assert ", weighted sum ± 4.00%: relative" in text


def test_the_empty_term_is_the_baseline(monks):
    """In records, in text, in HTML, and in lists of terms."""
    X, clf = monks
    (explanation,) = explain(clf, X[:1], top=1000, n_classes=None)
    empty = [record for record in explanation.records if record["size"] == 0]
    assert [record["term"] for record in empty] == ["(baseline)"] * 2
    for text in (str(explanation), explanation._repr_html_()):
        assert text.count("(baseline)") == 2 and "True" not in text
