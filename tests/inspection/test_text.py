"""Text for people: no label, name or value leaves its line, or acts on a terminal."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import contextlib
import io
from html import unescape
from unicodedata import category

import numpy as np
import pandas as pd
import pytest
from internals.utils import shown

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DiscretizationDisplay,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    TermsDisplay,
    explain,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNF, Literal, Term

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# Controls, formats (marks of direction, no width), separators, lone surrogates.
UNSAFE = "Cc", "Cf", "Zl", "Zp", "Cs"
HOSTILE = [
    "a\nb",
    "\r",
    "\x1b[31m",
    "\x00",
    "\x85",
    "a\u2028b",
    "a\u2029b",
    "\u202eab",
    "\u2066a",
    "a\u200f",
    "a\u200bb",
    "\ufeffa",
    "\ud800",
    "\U000e0041",
    "\xad",
]
TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab =&'\"\\<"), st.characters(categories=(*UNSAFE, "Zs"))
    ),
    max_size=5,
)


def few(n_cases):
    """So many cases, always the same."""
    return settings(
        max_examples=n_cases,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def assert_safe(text, n_lines):
    """Of so many lines, and of characters that only print."""
    assert text.count("\n") + 1 == n_lines
    assert not {c for c in text if c != "\n" and category(c) in UNSAFE}


def table_of(name, value, label):
    """A table, and labels, of which all texts are derived from three."""
    values = np.array([value, f"{value}!", f"{value}?"], dtype=object)
    codes = np.random.default_rng(0).integers(0, 3, (30, 2))
    columns = pd.Index([name, f"{name}2"], dtype=object)
    labels = np.array([label, f"not {label}"], dtype=object)
    X = pd.DataFrame(values[codes], columns=columns, dtype=object)
    return X, labels[(codes[:, 0] == 0).astype(int)]


def fitted(X, y, **options):
    return DNFWinnowClassifier(cv=None, max_iter=2, random_state=0, **options).fit(X, y)


@few(300)
@given(TEXTS)
def test_what_does_not_only_print_is_escaped(text):
    """And the rest stays as it is."""
    assert_safe(shown(text), 1)
    if text == text.strip() != "" and not {category(c) for c in text} & {*UNSAFE, "Zs"}:
        assert shown(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_escapes_are_those_of_python(text):
    for hostile in (text, f"b{text}c"):
        assert_safe(shown(hostile), 1)
        assert shown(hostile) == repr(hostile)


@pytest.mark.slow
@few(20)
@given(TEXTS, TEXTS, TEXTS)
def test_names_values_and_labels_stay_in_their_lines(name, value, label):
    """In each text that is made of a model."""
    X, y = table_of(name, value, label)
    progress = io.StringIO()
    with contextlib.redirect_stdout(progress):
        clf = fitted(X, y, multi_class="ovr", verbose=1)
    n_lines = progress.getvalue().count("[DNFWinnowClassifier] ")
    assert_safe(progress.getvalue(), n_lines + 1)

    (explanation,) = explain(clf, X[:1], top=2)
    n_effects = (np.abs(explanation.feature_effects) >= 0.005).sum()
    n_effects += 1 + str(explanation).count("all other columns")
    n_lines = 1 + (1 + n_effects + 1) + (1 + len(explanation.records))
    assert_safe(str(explanation), n_lines + 1)
    assert_safe(repr(explanation), 1)
    assert_safe(unescape(explanation._repr_html_()), 1)

    found = clf.terms(top=3)
    assert_safe("\n".join(found["term"]), len(found))

    literals = [
        Literal(j, column, "=", cell, (cell,))
        for j, (column, cell) in enumerate(zip(X.columns, X.iloc[0]))
    ]
    assert_safe("\n".join(map(str, literals)), 2)
    whole = Term(literals)
    assert_safe(str(whole), 1)
    dnf = DNF([whole, whole], label, f"not {label}", X.columns, {label: 1.0})
    assert_safe(str(dnf), 4)
    assert_safe(unescape(dnf._repr_html_()), 1)
    assert_safe(repr(dnf), 1)
    # A comment of code must not end before its line does.
    columns = Term([Literal(0, "b", "=", "c", ("c",))])
    dnf = DNF([columns], "c", None, ["b"], transformed_by=[name, value])
    assert_safe(str(dnf), 3)
    assert_safe(dnf.to_sql(transformed=True), 4)
    compile(dnf.to_python(transformed=True), "dnf", "exec")


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("text", ["a\nb\u202e\u2028", "$a_b$ \x07", "\u200e\ud800"])
def test_pictures(text):
    """Titles, labels and legends of displays."""
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = table_of(text, text, text)
    clf = fitted(X, y)
    numbers = pd.DataFrame(np.arange(30.0)[:, None], columns=X.columns[:1])
    discretizer = ClassEntropyDiscretizer().fit(numbers, y)
    displays = [
        ExplanationDisplay.from_estimator(clf, X),
        TermsDisplay.from_estimator(clf, X, y, top=2),
        DiscretizationDisplay.from_estimator(discretizer, numbers, y, feature=text),
    ]
    for display in displays:
        found = [display.figure_.get_suptitle()]
        for ax in display.figure_.axes:
            labels = [*ax.get_yticklabels(), ax.title, ax.xaxis.label]
            labels += ax.get_legend().get_texts() if ax.get_legend() else []
            assert not any(t.get_parse_math() for t in labels if "$" in t.get_text())
            found += [ax.get_title(loc="left"), *(label.get_text() for label in labels)]
        # Lines are wrapped.
        joined = "".join(found)
        assert_safe(joined, joined.count("\n") + 1)
        assert repr(text)[1:-1][:4] in joined.replace("\n", "")
        plt.close(display.figure_)


def test_messages_escape_labels_and_names():
    """Errors and warnings that name a column, a class or a value."""
    hostile = "a\nb\x1b[31m\u202e\u2028"
    X, y = table_of(hostile, hostile, hostile)
    clf = fitted(X, y)
    dnf = DNF([Term([Literal(0, hostile, "=", "b", ("b",))])], "c", None, [hostile])
    numbers = pd.DataFrame({hostile: np.arange(40.0)})
    calls = {
        ValueError: [
            lambda: to_dnf(clf, f"{hostile}?", X=X),
            lambda: clf.terms(X=X, y=[f"{hostile}?"] * len(X)),
            lambda: dnf.holds(X.rename(columns=lambda name: f"{name}?")),
            lambda: fitted(X, y, class_weight={hostile: -1.0}),
            lambda: ClassEntropyDiscretizer(columns=[f"{hostile}?"]).fit(X, y),
            lambda: ClassEntropyDiscretizer(columns="all").fit(X, y),
            lambda: fitted(numbers.replace(3.0, np.inf), [0, 1] * 20),
        ],
        TypeError: [
            lambda: fitted(pd.DataFrame({hostile: [[hostile]] * 2}), [0, 1]),
            lambda: fitted(numbers.astype("datetime64[ns]"), [0, 1] * 20),
        ],
    }
    for error, of_error in calls.items():
        for call in of_error:
            with pytest.raises(error) as caught:
                call()
            assert_safe(str(caught.value), 1)
    with pytest.warns(UserWarning) as warned:
        fitted(numbers, [0, 1] * 20)
    assert_safe(str(warned[0].message), 1)
