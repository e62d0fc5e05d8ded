"""Explanation: its text, its representation, probabilities, rows and classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import io
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import ExplanationDisplay, explain
from sklearn_dnfwinnow.rules import DNF


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


def lines_of(section, numbers, texts):
    """The lines of a section."""
    return [section, *(f"{x:+10.2f}  {text}" for x, text in zip(numbers, texts))]


def test_text_begins_with_the_answer():
    """Both classes and their probabilities; effects; terms, or rules of a formula."""
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    rules = DNFClassifier({"1": "a1 = 1 or a2 = 2 or a5 = 4"}, otherwise="0").fit(X, y)
    row, formula = 17, rules.dnfs_[0]
    one = explain(clf, X, top=2)[row]
    p = np.sort(clf.predict_proba(X[row : row + 1])[0])[::-1]
    first, next_ = one.classes[one.ranking]
    assert 0.005 < p[1] < p[0] < 0.995
    lines = str(one).split("\n")
    assert lines[0] == (
        f"row {row}: predicted {first} (p = {p[0]:.2f}; next: {next_}, p = {p[1]:.2f})"
    )
    effects = one.feature_effects
    order = [j for j in np.argsort(-abs(effects)) if abs(effects[j]) >= 0.005]
    numbers, texts = effects[order], [one.values[j] for j in order]
    numbers, texts = [one.base_value, *numbers], ["average row", *texts]
    np.testing.assert_allclose(sum(numbers), one.log_odds, atol=0.03)
    expected = lines_of(
        "  Shapley values of the log-odds (natural log), "
        f"{len(order)} of 6 columns shown",
        numbers,
        texts,
    )
    log_odds = f"{np.log(p[0] / p[1]):+.2f}"
    expected.append(f"    the log-odds are {log_odds}, the sum of these numbers")
    terms = lines_of(
        "  rules with the largest contributions to the log-odds",
        [record["contribution"] for record in one.records],
        [record["term"] for record in one.records],
    )
    # It ends with a line break: printed ones have a blank line between them.
    assert lines[1:] == [*expected, *terms, ""]
    with_rules = explain(clf, X, formula=formula)
    for i in (row, 3):
        held = [text for text in map(str, formula.terms) if holds(text, X.iloc[i])]
        lines = str(with_rules[i]).split("\n")
        place = lines.index("  rules of the formula that hold")
        rules = [f"1: {text}" for text in held] or ["none; otherwise: 0"]
        assert lines[place + 1 :] == [*(f"    {rule}" for rule in rules), ""]


def holds(text, row):
    name, value = text.split(" = ")
    return row[name] == value


def test_formulas_of_several_classes_and_of_other_columns(monks):
    X, clf = monks
    rules = DNFClassifier({"1": "a1 = 1 or a1 = 1 & a2 = 1", "0": "a5 = 3"}).fit(
        X, clf.predict(X)
    )
    for row, one in zip(range(9), explain(clf, X[:9], formula=rules)):
        found = rules.explain(X[row : row + 1])
        found = found[found["holds"]]
        assert [rule["term"] for rule in one.rules] == found["term"].tolist()
        assert one.otherwise == rules.otherwise_
    other = DNF.parse("a1 = 1", "1")
    object.__setattr__(other, "transformed_by", ("PCA",))
    with pytest.raises(ValueError, match="refers to columns as transformed by PCA"):
        explain(clf, X, formula=other)
    with pytest.raises(NotFittedError):
        explain(clf, X, formula=DNFClassifier())
    with pytest.raises(ValueError, match="'formula' parameter of explain must be"):
        explain(clf, X, formula="a1 = 1")


def test_frame_of_effects(monks):
    X, clf = monks
    (one,) = explain(clf, X[:1].assign(a3=None))
    frame = one.to_frame()
    assert frame.index.tolist() == list(X.columns)
    assert frame["condition"].tolist() == list(one.values) and one.values[2] is None
    assert_array_equal(frame["effect"], one.feature_effects)
    assert (frame["std_error"] == 0).all()
    both = explain(clf, X[:2]).to_frame()
    assert both.index.names == ["row", "feature"]
    assert both.loc[1].equals(explain(clf, X[1:2])[0].to_frame())


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
    explanation = replace(explanation, probabilities=np.array([1 - p, p]))
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


@pytest.mark.slow
def test_many_classes_stay_short(many_classes):
    """In text, in HTML, and in a picture: the terms of two classes."""
    X, clf = many_classes
    (explanation,) = explain(clf, X[:1])
    favoured = {record["class"] for record in explanation.records}
    assert favoured <= set(explanation.classes[explanation.ranking[:2]])
    assert str(explanation).count("\n") == 1 + (1 + 10 + 1) + (1 + 5)
    assert explanation._repr_html_().count("<tr") == str(explanation).count("\n")
    display = ExplanationDisplay.from_estimator(clf, X)
    width, height = display.figure_.canvas.get_width_height()
    assert width <= 900 and height <= 900
    assert len(display.ax_.patches) <= 10 and len(display.terms_ax_.patches) == 5
    # The two that are compared have colours that differ.
    colours = {bar.get_facecolor()[:3] for bar in display.ax_.patches}
    assert colours == {(0.0, 114 / 255, 178 / 255), (230 / 255, 159 / 255, 0.0)}


def test_estimates_are_marked(monks):
    """With standard errors of log-odds, and a word in the headline."""
    X, clf = monks
    (exact,) = explain(clf, X[:1])
    assert exact.log_odds_error == 0.0
    assert "estimates" not in str(exact) and "±" not in str(exact)
    text = str(replace(exact, log_odds_error=0.05))
    assert text.split("\n")[0].endswith("; estimates)")
    assert f" are {exact.log_odds:+.2f} ± 0.05, the sum" in text
