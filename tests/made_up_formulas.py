"""Formulas out of bytes: names, values and numbers that are hard to write down."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

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
    exact = DNF.parse(read.to_text())
    assert what_it_says(exact) == what_it_says(read), read.to_text()


# -- tables of a data base -------------------------------------------------------------

TYPES = "double", "float", "integer", "boolean", "text"
CUTS = (
    *(
        0.1,
        0.3,
        0.7,
        -0.0,
        1.0,
        2.5,
        20.5,
        1 / 3,
        5.449999999999999,
        0.3000000119209289,
    ),
    *(1e-5, 1e-4, 1e15, 1e16, 1e22, 123456.789, 16777217.0, 2.0**53, 1e-37, 3e38),
    *(1e-280, -1e280, 0.1 + 0.2, 1e5 + 0.1, 99999999.5, 4.35, 2.675, 1.005, 8.41),
)
INTEGERS = (
    0,
    1,
    2,
    3,
    -1,
    7,
    2**24 + 1,
    2**31,
    2**53 - 1,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
)


def beside(number, dtype=np.float64):
    """A number of a type, and those one unit in the last place beside it."""
    number = dtype(number)
    inward, outward = np.nextafter(number, [dtype(-inf), dtype(inf)])
    return [float(one) for one in (inward, number, outward) if abs(one) < LARGEST]


def a_column(draws, type_):
    """Values of a column, and numbers and values that a literal may compare it with."""
    if type_ in ("double", "float"):
        some = [draws.choice(CUTS) for _ in range(3)]
        some.append(draws.integer(-(10**9), 10**9) / 10 ** draws.integer(0, 9))
        some = [x for x in some if type_ == "double" or 1e-37 < abs(x) < 3e38 or not x]
        dtype = np.float32 if type_ == "float" else np.float64
        values = [one for x in some for one in beside(x, dtype)]
        known = [one for x in [*values, *some] for one in beside(x)]
        return values, known, known
    if type_ == "integer":
        values = [draws.choice(INTEGERS) for _ in range(4)]
        small = [x for x in values if abs(x) < 2**52]
        return values, [*values, 0.5], [x + d for x in small for d in (-0.5, 0.0, 0.5)]
    if type_ == "boolean":
        return [True, False], [True, False], []
    words = [word for word in WORDS if is_storable(word)]
    values = [draws.choice(words) for _ in range(5)]
    return values, [*values, draws.choice(words)], []


def is_storable(text):
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def a_condition(draws, column, name, known, numbers):
    """A literal on a column of one type."""
    common = {"column": column, "feature": name, "relation": "in", "label": "some"}
    common["missing"] = draws.boolean()
    if numbers and draws.boolean():
        ends = sorted({0.0 + draws.choice(numbers) for _ in range(draws.integer(2, 4))})
        intervals = [*zip(ends[::2], ends[1::2])]
        if not intervals or draws.boolean():
            intervals[:1] = [(-inf, ends[0])]
        return Literal(intervals=tuple(intervals), **common)
    values = tuple(draws.choice(known) for _ in range(draws.integer(0, 3)))
    return Literal(values=values, complement=draws.boolean(), **common)


def a_table(draws, n_formulas, names=WORDS, key=str.casefold):
    """A table of a data base, and formulas on it.

    Returns
    -------
    types : dict of str to str
        One of `TYPES` for each name. Names differ in what `key` returns.
    rows : list of tuple
        None is a missing value.
    dnfs : list of DNF
    """
    unique = {}
    for _ in range(draws.integer(3, 8)):
        name = draws.choice(names)
        if name and is_storable(name):
            unique.setdefault(key(name), name)
    types = {name: draws.choice(TYPES) for name in unique.values()}
    columns = [a_column(draws, type_) for type_ in types.values()]
    rows = [
        tuple(draws.choice([*values, None]) for values, *_ in columns)
        for _ in range(20 if types else 0)
    ]
    dnfs = []
    for _ in range(n_formulas if types else 0):
        terms = []
        for _ in range(draws.integer(0, 3)):
            picked = [
                draws.integer(0, len(types) - 1) for _ in range(draws.integer(0, 3))
            ]
            terms.append(
                Term(
                    a_condition(draws, j, [*types][j], *columns[j][1:]) for j in picked
                )
            )
        classes = draws.choice([(True, None), (1, 0), ("it's\\", 'b"\\n'), ("", "☃")])
        dnfs.append(DNF(terms, *classes, features=list(types)))
    return types, rows, dnfs
