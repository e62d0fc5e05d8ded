"""Formulas out of bytes: names, values and numbers that are hard to write down."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from math import inf, isnan, nextafter

import numpy as np

from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError, Literal, Term

WORDS = (
    *("a", "b c", "petal length (cm)", "x0", "é ☃", "😀", "Iris-setosa", "C#", "it's"),
    *("in", "or", "and", "is", "not", "a in b", "x or", "or part", "is missing"),
    *("True", "False", "True x", "False & b", "missing", "nan", "None", "(baseline)"),
    *("1", "1.0", "-5", "+3", ".5", "1e5", "inf", "-inf", "0x1", "1_0", "\u0661", "²"),
    *("", " ", "  x", "x ", "a & b", "a=b", "a!=b", "!", "<30", ">=50K", "a,b", "a!"),
    *("'", '"', "'q'", '"q', "\\", "\\n", "(", "{x}", "[1", "a}", "]", "a (in b)"),
    *("#c", "a #b", "a#b", "(or missing)", "red (or missing)", "...", "... 3 values"),
    *("class: x", "class :", "features:", "otherwise: 1", "transformed_by:y"),
    *("\n", "\t", "\r", "\0", "\x1c", "\x85", "\xa0", "a\xa0b", "\u2028"),
    *("\u202e", "a\u202eb", "\u200b", "\ud800", "\udfff", "\ufeff", "\U0010ffff"),
)
CHARACTERS = "ab01 =<>!&,()[]{}'\"\\#:\n\t.e-inor\ud800\u202e\0"
LARGEST = np.finfo(float).max
NUMBERS = (
    *(0, 1, -1, 1.0, -0.0, 0.1, 2.5, 1e300, -1e-300, 5e-324, 1e22, 2**53 + 1, 10**30),
    *(True, False, inf, -inf, LARGEST, -LARGEST, nextafter(LARGEST, 0.0)),
    *(np.float32(0.1), np.int64(4), np.bool_(True), nextafter(5.0, 0.0)),
)


def a_word(draws):
    """A name or a string."""
    if draws.integer(0, 4):
        return draws.choice(WORDS)
    return "".join(draws.choice(CHARACTERS) for _ in range(draws.integer(0, 8)))


def a_number(draws):
    """A number or a boolean, no NaN."""
    kind = draws.integer(0, 3)
    if kind == 0:
        number = draws.float()
        return 0.0 if isnan(number) else number
    if kind == 1:
        return nextafter(float(draws.integer(-9, 9)), draws.choice([-inf, 0.0, inf]))
    return draws.choice(NUMBERS)


def a_value(draws):
    """What a literal may compare with, or a class."""
    return a_number(draws) if draws.integer(0, 2) == 0 else a_word(draws)


def some_intervals(draws):
    """Intervals that ascend, a few or none."""
    ends = {float(a_number(draws)) for _ in range(2 * draws.integer(0, 3))}
    ends = sorted(ends)[len(ends) % 2 :]
    intervals = tuple(zip(ends[::2], ends[1::2]))
    if intervals and draws.boolean():
        intervals = ((-inf, intervals[0][1]), *intervals[1:])
    return tuple((low, high) for low, high in intervals if low < high)


def a_literal(draws, features):
    """A literal about one of some columns; its text is as bad as can be."""
    column = draws.integer(0, len(features) - 1)
    common = {
        "column": column,
        "feature": features[column],
        "relation": draws.choice(["=", "!=", "in", "is"]),
        "label": a_word(draws),
        "missing": draws.boolean(),
    }
    if draws.boolean():
        return Literal(intervals=some_intervals(draws), **common)
    n = draws.choice([0, 1, 1, 2, 3, 9])
    values = tuple(a_value(draws) for _ in range(n))
    return Literal(values=values, complement=draws.boolean(), **common)


def a_formula(draws):
    """A DNF of a few terms, with its classes and columns."""
    names = [a_word(draws) for _ in range(draws.integer(1, 5))]
    features = list(dict.fromkeys(names))
    terms = [
        Term(a_literal(draws, features) for _ in range(draws.integer(0, 3)))
        for _ in range(draws.integer(0, 3))
    ]
    return DNF(
        terms=terms,
        class_=a_value(draws),
        otherwise=draws.choice([None, a_value(draws)]),
        features=features,
        transformed_by=[a_word(draws)] * draws.choice([0, 0, 2]),
    )


def spoilt(draws, text):
    """A text with a few characters left out, put in or repeated."""
    for _ in range(draws.integer(1, 4)):
        place = draws.integer(0, len(text))
        kind = draws.integer(0, 2)
        if kind == 0:
            text = text[:place] + text[place + draws.integer(1, 5) :]
        elif kind == 1:
            text = text[:place] + a_word(draws) + text[place:]
        else:
            text = text[: place + 4] + text[max(0, place - 9) :]
    return text


def meaning(literal):
    """What is equal for literals that the same values satisfy."""
    kind = "intervals" if literal.intervals else "values"
    exact = frozenset(literal.intervals or literal.values or ())
    return literal.column, kind, exact, literal.missing, literal.complement


def what_it_says(dnf):
    """What two formulas have in common that the same rows satisfy."""
    terms = [[meaning(literal) for literal in term.literals] for term in dnf.terms]
    # As sets, 1 and True are the same value; a string is never that of a number.
    strings = [
        {value for value in literal.values or () if isinstance(value, str)}
        for term in dnf.terms
        for literal in term.literals
    ]
    return terms, strings, dnf.class_, dnf.otherwise, dnf.features, dnf.transformed_by


def texts_of_formulas(draws):
    """Exact texts are read as equal formulas; any other text is refused, or as good."""
    dnf = a_formula(draws)
    text = dnf.to_text()
    read = DNF.parse(text)
    assert what_it_says(read) == what_it_says(dnf), text
    check_texts(read)
    other = spoilt(draws, text)
    try:
        check_texts(DNF.parse(other))
    except DNFSyntaxError as error:
        lines = other.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
        _, _, caret, *advice = str(error).split("\n")
        assert caret.endswith("^") and len(advice) < 2 and len(str(error)) < 2000


def check_texts(read):
    """A formula that was read is read again from each of its texts."""
    assert str(read).isprintable() or "\n" in str(read)
    again = DNF.parse(str(read), features=read.features)
    assert again.terms == read.terms, str(read)
    assert DNF.parse(str(read), like=read) == replace(read, scores={})
    exact = DNF.parse(read.to_text())
    assert what_it_says(exact) == what_it_says(read), read.to_text()
