"""Texts of formulas: what they mean, that they are read back, and what is refused."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import time
from math import inf, nan, nextafter
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pytest
from draws import Draws
from internals.inspection import TermDecoder
from literal_checks import every_literal, frame, labels, literal_of, quick, term_of
from made_up_formulas import NUMBERS, WORDS, texts_of_formulas
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError, Literal, Term

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LARGEST = np.finfo(float).max
# A value of each kind that a column may hold.
COLUMN = [
    1,
    1.0,
    2,
    2.5,
    -inf,
    inf,
    True,
    False,
    "1",
    "red",
    "a b",
    "missing",
    "",
    None,
]


def which(literal, column=COLUMN):
    """The values that satisfy a literal."""
    column = np.asarray(column, dtype=float if column is not COLUMN else object)
    return column[literal.holds(column)].tolist()


def among(text, numbers):
    """The numbers that satisfy the text of a literal."""
    return which(literal_of(text), numbers)


# -- meaning ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", [1, 1.0, True]),
        ("a == 1", [1, 1.0, True]),
        ("a = '1'", ["1"]),
        ('a = "1"', ["1"]),
        ("a = red", ["red"]),
        ("a = a b", ["a b"]),
        ("a = ''", [""]),
        ("a = True", [1, 1.0, True]),
        ("a = inf", [inf]),
        ("a = 'missing'", ["missing"]),
        ("a = missing", [None]),
        ("a is missing", [None]),
        ("a is not missing", COLUMN[:-1]),
        ("a != missing", COLUMN[:-1]),
        ("a is anything", COLUMN),
        ("a is nothing", []),
        ("a in {}", []),
        ("a not in {}", COLUMN[:-1]),
        ("a in {red, '1', missing}", ["1", "red", None]),
        ("a in {red} or {2}", [2, "red"]),
        (
            "a not in {red, '1', missing}",
            [v for v in COLUMN[:-1] if v not in ("red", "1")],
        ),
        ("a != red", [v for v in COLUMN[:-1] if v != "red"]),
        ("a != red (or missing)", [v for v in COLUMN if v != "red"]),
        ("a = red (or missing)", ["red", None]),
        ("a is nothing ( or  missing )", [None]),
    ],
)
def test_values(text, expected):
    assert which(literal_of(text)) == expected
    assert which(literal_of(literal_of(text).to_text())) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < 1", [-inf, -1, nextafter(1, 0)]),
        ("a <= 1", [-inf, -1, nextafter(1, 0), 1]),
        ("a > 1", [nextafter(1, 2), 3, inf]),
        ("a >= 1", [1, nextafter(1, 2), 3, inf]),
        ("a in (-1, 1]", [nextafter(1, 0), 1]),
        ("a in [-1, 1)", [-1, nextafter(1, 0)]),
        ("a in [1, 1]", [1]),
        ("a in [1,inf)", [1, nextafter(1, 2), 3, inf]),
        ("a in (-inf, inf)", [-inf, -1, nextafter(1, 0), 1, nextafter(1, 2), 3, inf]),
        ("a not in (-1, 1]", [-inf, -1, nextafter(1, 2), 3, inf]),
        ("a not in (-1, 1] or [3, inf]", [-inf, -1, nextafter(1, 2)]),
        ("a not in (-inf, inf)", []),
        ("a in {3} or (-inf, -1]", [-inf, -1, 3]),
        ("a in [-1, 1) or [0.5, 3)", [-1, nextafter(1, 0), 1, nextafter(1, 2)]),
        ("a in {missing} or [3, 3]", [3, nan]),
        ("a not in {missing} or (-inf, 3)", [3, inf]),
        ("a > 1e300 (or missing)", [inf, nan]),
    ],
)
def test_intervals(text, expected):
    numbers = [-inf, -1, nextafter(1, 0), 1, nextafter(1, 2), 3, inf, nan]
    assert_array_equal(among(text, numbers), expected)
    assert_array_equal(among(literal_of(text).to_text(), numbers), expected)


def test_connectives():
    X = pd.DataFrame({"a": [1, 1, 2, 3], "b c": ["x", "y", "x", "z"]})
    assert DNF.parse("True = 1 or False > 2").features == ("True", "False")
    for text in (
        "a = 1 & b c = x or a = 3",
        "a = 1 and b c = x or\na = 3",
        "# of two terms\n(a = 1 & b c = x)  # the first\nor (a=3)\n",
        "((a = 1) and (b c = x)) or False or (True & a = 3)",
        "a=1&b c=x or a=3 & True",
        "a = 1\n& b c = x\nor\na\n=\n3",
        "\n\n'a' == 1 & \"b c\" = 'x' or a in { 3 }",
    ):
        dnf = DNF.parse(text)
        assert dnf.holds(X).tolist() == [True, False, False, True], text
        assert dnf.features == ("a", "b c") and dnf.class_ is True
    assert DNF.parse("True").holds(X).all() and DNF.parse("True").terms == (Term(),)
    assert not DNF.parse("False").holds(X).any() and DNF.parse(" False ").terms == ()
    assert term_of("True") == Term() and len(term_of("a = 1 & b = 2")) == 2


def test_classes_and_features():
    text = "features: c, 'x in y', a\nclass: '1'\notherwise: 2\na = 1"
    dnf = DNF.parse(text)
    assert (dnf.class_, dnf.otherwise) == ("1", 2)
    assert dnf.features == ("c", "x in y", "a") and dnf.terms[0].literals[0].column == 2
    assert dnf.to_text() == text
    assert DNF.parse(text, "yes").otherwise is None
    assert DNF.parse(text, "yes", "no").otherwise == "no"
    assert DNF.parse(text, otherwise="no").class_ == "1"
    assert DNF.parse(text, features=["a"]).features == ("a",)
    dnf = DNF.parse("features:\ntransformed_by: A, B\nclass: x\nFalse")
    assert (dnf.features, dnf.transformed_by) == ((), ("A", "B"))
    assert "# columns as transformed by A, B" in str(dnf)


@pytest.mark.parametrize(
    "text, class_, otherwise, printed",
    [
        ("a = 1", "yes", "no", "class: yes\na = 1\notherwise: no"),
        ("a = 1 or b = 2", "in", None, "class: 'in'\na = 1 or\nb = 2"),
        ("False", "a\nb", 0, "class: 'a\\nb'\n# no rules\notherwise: 0"),
        ("False", "p", None, "class: p\nFalse  # no rules"),
        ("\ufeffa > 1", "p", None, "class: p\na > 1"),
        ("a = 1", True, False, "class: True\na = 1\notherwise: False"),
        ("a = 1", None, None, "a = 1"),  # a condition, read without classes
    ],
)
def test_printed_rules_name_their_classes(text, class_, otherwise, printed):
    dnf = DNF.parse(text, class_, otherwise)
    assert str(dnf) == printed
    assert DNF.parse(printed) == dnf
    assert DNF.parse(f"\n{printed}  # as printed\n") == dnf


def test_a_class_is_read_as_a_number_if_it_looks_like_one():
    dnf = DNF.parse("a = 1", "1", 0.5)
    assert str(dnf) == "class: 1\na = 1\notherwise: 0.5"
    assert DNF.parse(str(dnf)).class_ == 1 and DNF.parse(dnf.to_text()) == dnf


# -- known values ----------------------------------------------------------------------


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, dict])
def test_words_are_read_as_known_values(library):
    values = library(
        {
            "text": ["1", "2", "1e999", None],
            "number": [1.0, 2.5, 3.0, None],
            "flag": [True, True, None, None],
            "word": ["True", "inf", "01", "1"],
            "nothing": [None] * 4,
        }
    )
    names = ("text", "number", "flag", "word", "nothing")
    for text, expected in {
        "text = 1": "1",
        "text = 1e999": "1e999",
        "text = '2'": "2",
        "number = 1": 1.0,
        # Other numbers can occur in a column of numbers.
        "number = 7": 7,
        "number = 2.50": 2.5,
        "flag = True": True,
        "flag = False": False,
        "word = True": "True",
        "word = inf": "inf",
        "word = 01": "01",
        "word = 1": "1",
        "nothing = 1": 1,
        "nothing = red": "red",
    }.items():
        literal = literal_of(text, values=values)
        (value,) = literal.values
        assert value == expected and type(value) is type(expected)
        assert literal.column == names.index(literal.feature)
        assert literal_of(str(literal), values=values) == literal
    with pytest.raises(DNFSyntaxError, match=r"mean 'word'\?\); found 'wird'"):
        literal_of("wird = 3", values=values)


PLANS = {
    "plan": ["basic", "pro", "free", None],
    "age": [30, 40, 50, 60],
    "smokes": [True, False, None, True],
    "mixed": ["1", 2, "x", None],
}


@pytest.mark.parametrize("library", [pd.DataFrame, dict])
@pytest.mark.parametrize(
    ("text", "column", "expected", "found"),
    [
        ("plan = basc", 8, "a value of column 'plan' (did you mean 'basic'?)", "basc"),
        ("plan != PRO", 9, "a value of column 'plan' (did you mean 'pro'?)", "PRO"),
        ("plan = 'basc'", 8, "'plan' (did you mean 'basic'?)", "'basc'"),
        ("plan in {pro, basc}", 15, "(did you mean 'basic'?)", "basc"),
        ("plan not in {fre}", 14, "(did you mean 'free'?)", "fre"),
        ("plan = 1", 8, "'plan' ('basic', 'free', 'pro')", "1"),
        ("plan = missing or plan = -", 26, "('basic', 'free', 'pro')", "-"),
        ("age = forty", 7, "a number, as column 'age' contains only numbers", "forty"),
        ("age = '40'", 7, "a number, as column 'age' contains only", "'40'"),
        ("smokes = yes", 10, "a value of column 'smokes' (False, True)", "yes"),
        ("smokes = 7", 10, "a value of column 'smokes' (False, True)", "7"),
        ("mixed = 1", 9, "'mixed' (did you mean '1'?)", "1"),
        ("mixed = '2'", 9, "'mixed' (did you mean 2?)", "'2'"),
        ("mixed = 3", 9, "'mixed' ('1', 2, 'x')", "3"),
    ],
)
def test_values_that_do_not_exist(library, text, column, expected, found):
    parse = DNF.parse
    if library is pd.DataFrame:
        values = pd.DataFrame({n: pd.Series(v, dtype=object) for n, v in PLANS.items()})
    else:
        values = PLANS
    with pytest.raises(DNFSyntaxError) as caught:
        parse(text, values=values)
    error = caught.value
    assert error.column == column and expected in error.expected
    assert error.found == repr(found)
    *_, caret, advice = str(error).split("\n")
    assert caret == " " * (3 + column) + "^"
    assert advice == (
        "If only other rows contain this value, read the text by DNF.parse without "
        "`values`."
    )
    assert parse(text)  # it can occur in other rows


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b", "rare"])),
        pl.Series(["a", "b"], dtype=pl.Enum(["a", "b", "rare"])),
    ],
    ids=["pandas", "polars"],
)
def test_declared_categories_exist(column):
    library = pd.DataFrame if isinstance(column, pd.Series) else pl.DataFrame
    values = library({"plan": column, "other": ["x", "y"]})
    assert literal_of("plan = rare", values=values).values == ("rare",)
    with pytest.raises(DNFSyntaxError, match="did you mean 'rare'"):
        literal_of("plan = rarer", values=values)
    undeclared = pl.DataFrame({"plan": pl.Series(["a"], dtype=pl.Categorical)})
    assert literal_of("plan = a", values=undeclared).values == ("a",)


def test_strings_of_numpy_are_strings():
    values = pd.DataFrame({"a": np.array([np.str_("1"), "2"], dtype=object)})
    assert literal_of("a = 1", values=values).values == ("1",)


MIXED = [2, "2", 2.5, "2.5", True, "True", False, "False", "None", "nan", "inf", "-inf"]
MIXED += ["missing", "", " ", " 2", "2 ", "2.0", "+2", "x", "0x1", "1_0", "...", "{1}"]


@pytest.mark.parametrize("value", MIXED, ids=repr)
def test_exact_text_in_columns_of_several_types(value):
    """A number is not read as a known string with its text, nor the reverse."""
    term = Term([Literal(0, "a", "=", "text", (value,))])
    others = [v for v in MIXED if v != value or type(v) is not type(value)]
    for known in (others, MIXED, ["y", 3], ["y", 0.5, str(value)]):
        dnf = DNF([Term([Literal(0, "a", "in", "known", tuple(known))])], 1, 0, ["a"])
        (read,) = dnf.with_term(term.to_text()).terms[1].literals[0].values
        assert read == value and isinstance(read, str) == isinstance(value, str)
        again = DNF.parse(dnf.to_text(), values={"a": known})
        assert again.terms[0].literals[0].values == tuple(known)
    (read,) = literal_of(term.to_text(), values={"a": MIXED}).values
    assert read == value and isinstance(read, str) == isinstance(value, str)


@pytest.mark.parametrize(
    "literals, missing",
    [
        ("equal", "category"),
        ("ordered", "unspecified"),
        ("intervals", "category"),
        ("intervals", "most_frequent"),
    ],
)
def test_formulas_of_models_are_read_back(literals, missing):
    X = frame(40, 0).drop(columns="mixed")
    numbers = X[["int", "gap", "null"]].astype(float)
    cut, encoder = ClassEntropyDiscretizer(max_intervals=4), OrdinalEncoder()
    clf = quick(literals=literals, missing=missing)
    for estimator, table in (
        (clf, X),
        (make_pipeline(cut, clf), numbers),
        (make_pipeline(encoder.set_output(transform="pandas"), clf), X[["yes", "int"]]),
    ):
        decoder = TermDecoder.from_estimator(estimator.fit(table, labels(40)))
        found = [Term([literal]) for *_, literal in every_literal(decoder)]
        for start in range(0, len(found), 7):
            dnf = DNF(found[start : start + 7], 1, 0, decoder.table_features)
            exact = DNF.parse(dnf.to_text())
            new = frame(60, 1, more=1)[list(table.columns)]
            if table is numbers:
                new = new.astype(float)
            assert_array_equal(exact.holds(new), dnf.holds(new))


def test_formulas_of_bundled_sets_are_read_back():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(ClassEntropyDiscretizer(), quick()).fit(X, y)
    votes, party = load_house_votes_84(return_X_y=True, as_frame=True)
    for dnf, table in (
        (to_dnf(pipeline, 2, X=X, y=y), X),
        (to_dnf(quick().fit(votes, party), X=votes, y=party), votes),
    ):
        for read in (
            DNF.parse(dnf.to_text()),
            DNF.parse(str(dnf), dnf.class_, values=table),
        ):
            assert_array_equal(read.holds(table), dnf.holds(table))
            assert (read.class_, read.features) == (dnf.class_, dnf.features)


def test_a_formula_has_the_numbers_of_its_text():
    """Also for numbers between a rounded cut and that of the model."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), quick(discretizer="auto"))
    for dnf in (
        to_dnf(model.fit(X, y), 1, X=X, y=y),
        *DNFClassifier(cv=None).fit(X, y).dnfs_,
    ):
        read = DNF.parse(str(dnf), features=dnf.features)
        literals = [x for one in (dnf, read) for t in one.terms for x in t.literals]
        ends = [end for x in literals for pair in x.intervals for end in pair]
        ends = np.unique([e for e in ends if np.isfinite(e)])
        some = np.concatenate([np.nextafter(ends, -inf), ends, np.nextafter(ends, inf)])
        rng = np.random.default_rng(0)
        table = pd.DataFrame(rng.choice(some, (2000, 4)), columns=X.columns)
        assert 0 < dnf.holds(table).sum() < 2000
        assert_array_equal(read.holds(table), dnf.holds(table))


# -- round trips -----------------------------------------------------------------------


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.binary(max_size=300))
def test_texts_are_read_back(data):
    texts_of_formulas(Draws(data))


@pytest.mark.parametrize("word", WORDS)
def test_words_of_any_kind(word):
    literal = Literal(0, word, "=", "x", (word, "other"))
    dnf = DNF([Term([literal])], word, word + "!", [word, "other"])
    read = DNF.parse(dnf.to_text())
    assert (read.class_, read.otherwise) == (word, word + "!")
    assert read.terms[0].literals[0].values == (word, "other")
    assert read.features == (word, "other")
    assert dnf.to_text().count("\n") == 3
    # What people read is read as well, if the value is known.
    decoder = TermDecoder.from_estimator(quick().fit([[word], ["other"]], [0, 1]))
    for *_, literal in every_literal(decoder):
        dnf = DNF([Term([literal])], 1, features=["x0"])
        read = DNF.parse(str(dnf), 1, values={"x0": [word, "other"]})
        assert read.terms[0].literals[0].values == literal.values


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_in_all_their_digits(number):
    literal = Literal(0, "a", "=", "x", (number,))
    assert literal_of(literal.to_text()).values == (number,)
    for ends in ((-inf, float(number)), (float(number), inf)):
        if ends[0] < ends[1]:
            literal = Literal(0, "a", "<=", "x", intervals=(ends,), missing=True)
            assert literal_of(literal.to_text()).intervals == (ends,)


@pytest.mark.parametrize(
    "text",
    [
        *("a <= 2.5", "a < 2.5", "a > 0.1", "a >= 0.1", "a in (0.8, 1.75]"),
        *("a in [3, 3]", "a in (-inf, 1) or [2, 2.5]", "a in (-inf, inf)"),
        *("a = red", "a = '1'", "a != 1", "a in {1, '1', x y}", "a not in {'', it's}"),
        *("a is missing", "a is not missing", "a is anything", "a is nothing"),
        *("a <= 2.5 (or missing)", "a != red (or missing)", "a = 1e+22", "a = -inf"),
    ],
)
def test_exact_texts_are_short(text):
    assert literal_of(text).to_text() == text


def test_what_cannot_be_written_as_text():
    for wrong in (DNF([], ("a",)), DNF([], 1, nan), DNF([], 1, 1j)):
        with pytest.raises(TypeError, match="Convert the target to strings"):
            wrong.to_text()
    for value in (nan, pd.Interval(0, 1), UUID(int=1)):
        odd = DNF([Term([Literal(0, "a", "=", "x", (value,))])], 1, 0, ["a"])
        for export in (odd.to_text, odd.to_sql, odd.to_python):
            with pytest.raises(TypeError, match="Convert column 'a' to strings before"):
                export()
    twice = DNF([Term([Literal(1, "a", "=", "b", ("b",))])], 1, 0, ["a", "a"])
    with pytest.raises(ValueError, match="one column of each name; got 'a'"):
        twice.to_text()
    with pytest.raises(DNFSyntaxError, match="a name of one column only"):
        DNF.parse("a = c", features=["a", "a"])


# -- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "expected", "found"),
    [
        ("", 1, 1, "the name of a column", "the end of the text"),
        ("a", 1, 2, "'=', '!='", "the end of the text"),
        ("a =", 1, 4, "a value", "the end of the text"),
        ("a = 1 or", 1, 9, "the name of a column", "the end of the text"),
        ("a = 1 &\n& b = 2", 2, 1, "the name of a column", "'&'"),
        ("a = 1\nb = 2", 2, 1, "'&', 'and', 'or' or the end of the text", "'b'"),
        ("# x\n  a > red", 2, 7, "a number", "'red'"),
        ("a > '1'", 1, 5, "a number", "\"'1'\""),
        ("a < inf", 1, 5, "a finite number", "'inf'"),
        ("a >= -1.7976931348623157e308", 1, 6, "not the smallest", "'-1.7976"),
        ("a > 1e999", 1, 5, "a number within double precision", "'1e999'"),
        ("a = 1e999", 1, 5, "a number within double precision", "'1e999'"),
        ("a = " + "9" * 5000, 1, 5, "a number of fewer digits", "'9999"),
        ("a > " + "9" * 5000, 1, 5, "a number within double precision", "'9999"),
        ("a = b, c", 1, 6, "'&', 'and', 'or'", "','"),
        ("a = b in c", 1, 7, "'&', 'and', 'or'", "'in'"),
        ("a in b", 1, 6, "'{', '(' or '['", "'b'"),
        ("a in {b", 1, 8, "',' or '}'", "the end of the text"),
        ("a in {b,}", 1, 9, "a value", "'}'"),
        ("a in (1, 2", 1, 11, "')' or ']'", "the end of the text"),
        ("a in (1 2]", 1, 10, "','", "']'"),
        ("a in (1, b]", 1, 10, "a number", "'b'"),
        ("a in ['b', 'c']", 1, 7, "a number (values are in braces: {a, b})", "\"'b"),
        ("a in [1, 2, 3]", 1, 11, "')' or ']' (values are in braces", "','"),
        ("a in (2, 1]", 1, 6, "an interval with a number in it", "'(2,'"),
        ("a in (1, 1]", 1, 6, "an interval with a number in it", "'(1,'"),
        ("a in (inf, inf)", 1, 6, "an interval with a number in it", "'(inf,'"),
        ("a in (1, 2] or {b}", 1, 17, "a number", "'b'"),
        ("a is b", 1, 6, "'missing', 'anything' or 'nothing'", "'b'"),
        ("a is not anything", 1, 10, "'missing'", "'anything'"),
        ("(a = 1 or b = 2)", 1, 8, "no 'or' inside of parentheses", "'or'"),
        ("((a = 1)", 1, 9, "')' or '&'", "the end of the text"),
        ("a = 1)", 1, 6, "'&', 'and', 'or'", "')'"),
        ("a = 1 & [b = 2", 1, 9, "as many closing brackets", "'[b'"),
        ("[b] = 2", 1, 1, "the name of a column, in quotes", "'[b]'"),
        ("a = 'x\ny'", 1, 5, "a closing quote in the same line", '"\'x"'),
        (r"a = '\q'", 1, 6, r"\\, \', \", \n", repr(r"\q'")),
        (r"a = '\U00110000'", 1, 6, r"\\, \', \", \n", repr(r"\U00110000'")),
        ("a = b\u202ec", 1, 6, "quotes around a text with such", "'\\u202ec'"),
        ("a\0 = 1", 1, 2, "quotes around a text with such", "'\\x00'"),
        ("a\t b = 1", 1, 4, "'=', '!='", "'b'"),
        ("True x", 1, 7, "'=', '!='", "the end of the text"),
        ("class: a\nclass: b\nc = 1", 2, 1, "one entry 'class' only", "'class:'"),
        ("class:\na = 1", 2, 1, "one class", "'a'"),
        ("class: a, b\nc = 1", 1, 11, "one class", "'b'"),
        ("class: 1e999\nc = 1", 1, 8, "double precision", "'1e999'"),
        ("features: a,\n= 1", 2, 1, "a name or value", "'='"),
    ],
)
def test_errors_tell_where_and_what(text, line, column, expected, found):
    with pytest.raises(DNFSyntaxError) as caught:
        DNF.parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert expected in error.expected and error.found.startswith(found)
    first, shown, caret = str(error).split("\n")
    assert first == (
        f"Line {line}, column {column}: expected {error.expected}; found {error.found}."
    )
    place = len(caret) - 1
    assert caret == " " * place + "^" and shown.startswith("    ")
    wanted = text.split("\n")[line - 1][column - 1 : column]
    assert shown[place : place + 1] in (wanted, "?")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.expected == error.expected


@pytest.mark.parametrize(
    ("text", "other", "instead"),
    [
        ("age > 1 AND size = 2", "AND", "&"),
        ("age > 1 OR size = 2", "OR", "or"),
        ("age > 1 && size = 2", "&&", "&"),
        ("age > 1 || size = 2", "||", "or"),
        ("size = 2 | age > 1", "|", "or"),
        ("age > 1 or\nNOT size = 2", "NOT", "!= or not in"),
        ("size IN {1, 2}", "IN", "in"),
        ("size IS missing", "IS", "is"),
    ],
)
def test_errors_say_what_to_write_for_words_of_other_languages(text, other, instead):
    with pytest.raises(DNFSyntaxError) as caught:
        DNF.parse(text, features=["age", "size"])
    advice = f"If {other!r} is not part of a name or value, write {instead} instead."
    assert str(caught.value).split("\n")[-1] == advice
    for plain in ("ANDY > x", "a|b > x", "size = x or age > NOT_1"):
        with pytest.raises(DNFSyntaxError) as caught:
            DNF.parse(plain, features=["age", "size"])
        assert "instead" not in str(caught.value)


def test_errors_of_parts():
    with pytest.raises(DNFSyntaxError, match="all values, as in `to_text`; found"):
        DNF.parse("a in {1, 2, ... 8 values}")
    with pytest.raises(DNFSyntaxError, match=r"mean 'age'\?\); found 'agee'"):
        literal_of("agee > 3", features=["age", "size"])
    with pytest.raises(TypeError, match="text must be a string; got bytes"):
        DNF.parse(b"a = 1")
    with pytest.raises(TypeError, match="features must be names of columns; got 'a'"):
        DNF.parse("a = 1", features="a")


N = 50_000


@pytest.mark.parametrize(
    "text",
    [
        *("(" * N, "{" * N, "a in " + "{" * N, "'" * N, "a = '" + "\\n" * N, "\\" * N),
        *("a" * N, "a " * N, "a = " + "x in " * N, "x" * N + " = 1", "a = " + "9" * N),
        *("a=1&" * N, "a=1 or " * N, "a in {" + "1," * N, "a in " + "(0,1] or " * N),
        *("True or " * N, "True" + " " * N + "x", "a (or" * N, "(or" + " " * N + "]"),
        *("#" * N, "# x\n" * N, "\n" * N, "a" + " " * N + "= 1", "a in (0" + " " * N),
        *("\0" * N, "\ud800" * N, "\u202e" * N, "features:" + "a," * N, "class: " * N),
    ],
    ids=lambda text: repr(text[:10]),
)
def test_long_texts_are_refused_in_time(text):
    start = time.perf_counter()
    with pytest.raises(DNFSyntaxError) as caught:
        DNF.parse(text, features=["ab", "b" * 10_000])
    assert len(str(caught.value)) < 2000
    assert time.perf_counter() - start < 20


def test_long_formulas_take_time_in_proportion():
    times = {}
    for n in (2_000, 16_000):
        text = " or\n".join(f"a{i} = {i} & b > {i}" for i in range(n))
        start = time.perf_counter()
        assert len(DNF.parse(text).terms) == n
        times[n] = time.perf_counter() - start
    assert times[16_000] < 8 * 6 * times[2_000]


def test_known_values_of_columns_whose_names_are_numbers():
    X = pd.DataFrame([["1", "a"], ["2", "b"], ["1", "b"]], dtype=object)
    for features in (None, ["x0", "x1"]):
        dnf = DNF.parse("x0 = 1", features=features, values=X)
        assert dnf.holds(X).tolist() == [True, False, True]
        with pytest.raises(DNFSyntaxError, match="expected a value of column 'x1'"):
            DNF.parse("x1 = zzz", features=features, values=X)
    dnf = DNF.parse("number = 2", features=["number", "letter"], values=X)
    assert dnf.holds(X).tolist() == [False, True, False]
