"""SQL: dialects, and what SQLite answers whatever names, values and lengths."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import sqlite3
from dataclasses import replace
from math import inf, nan

import numpy as np
import pandas as pd
import pytest
from draws import Draws
from formula_checks import answers, frame_of
from literal_checks import answers_of, literal_of, table_of
from made_up_formulas import a_table

from sklearn_dnfwinnow.rules import DNF, Literal, Term

OTHERS = "duckdb", "sqlite", "mysql", "bigquery"
VALUES = [
    *("", " ", "a", "A", "a ", "'", "''", '"', "`", "\\", "\\'", "C:\\", "\\n", "\n"),
    *("True", "TRUE", "1", "None", "missing", "--", "; DROP TABLE t", "%", "ä", "日本"),
]


def one_column(values, name="a", complement=False):
    literal = Literal(
        column=0,
        feature=name,
        relation="in",
        label="some",
        values=tuple(values),
        complement=complement,
    )
    return DNF([Term([literal])], "yes", "no", [name])


def sql_of(literal, dialect="standard"):
    """The condition of a literal on the first column, as it stands in a formula."""
    dnf = DNF([Term([literal])], 1, 0, [literal.feature])
    found = re.fullmatch(
        r"CASE WHEN\n    \((.*)\)\nTHEN 1 ELSE 0 END",
        dnf.to_sql(dialect=dialect),
        flags=re.DOTALL,
    )
    return found[1]


# -- booleans and names ----------------------------------------------------------------


def test_no_column_is_read_as_a_boolean():
    """SQLite reads TRUE as the column True, if there is one."""
    rows = [
        {"flag": flag, "True": other, "false": other}
        for flag in (True, False, None)
        for other in (True, False, None)
    ]
    literals = [
        Literal(0, "flag", "=", "True", (True,)),
        Literal(1, "True", "=", "False", (False,)),
    ]
    for class_, otherwise in (("yes", None), (True, False)):
        dnf = DNF([Term(literals)], class_, otherwise, ["flag", "True", "false"])
        answers = answers_of(dnf, rows, table_of(rows, dnf.features))
        assert answers == [bool(row["flag"] and row["True"] is False) for row in rows]


def test_a_column_that_does_not_exist_is_an_error_of_sqlite():
    """In double quotes, it would be a string."""
    connection = table_of([{"a": 1}], ["a"])
    dnf = DNF.parse("b = 'b'")
    assert connection.execute(f"SELECT {dnf.to_sql()} FROM t").fetchall() == [(1,)]
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(f"SELECT {dnf.to_sql(dialect='sqlite')} FROM t")


@pytest.mark.parametrize("dialect", OTHERS)
def test_names_that_differ_in_case_are_one_column(dialect):
    dnf = DNF.parse("Plan = a", features=["plan", "Plan", "b"])
    message = rf"names that differ in more than case, which {dialect} ignores; got"
    for part in (dnf, DNF.parse("a = 1 or A = 2"), DNF.parse("a = 1 & A = 2")):
        with pytest.raises(ValueError, match=message):
            part.to_sql(dialect=dialect)
        assert part.to_sql()
    assert DNF.parse("b = a", features=["plan", "Plan", "b"]).to_sql(dialect=dialect)


# -- lengths ---------------------------------------------------------------------------


@pytest.mark.slow
def test_formulas_of_any_length():
    """SQLite refuses expressions deeper than 1000."""
    n, n_terms = 1_500, 5_000
    numbers = [2.0 * i for i in range(n)]
    single = [Literal(0, "a", "=", str(x), (x,)) for x in numbers]
    never = [Literal(0, "a", "!=", str(x), (x,), complement=True) for x in numbers]
    inside = tuple((x - 0.5, x + 0.5) for x in numbers)
    several = Literal(0, "a", "in", "some", None, inside, missing=True)
    listed = Literal(0, "a", "in", "some", tuple(numbers))
    rows = [0.0, 2.0, 3.0, numbers[n // 2], numbers[-1], numbers[-1] + 2, None]
    connection = table_of([{"a": x} for x in rows], ["a"])
    table = pd.DataFrame({"a": rows})
    many = [Term([Literal(0, "a", "=", str(x), (x,))]) for x in range(n_terms)]
    for terms in (
        many,
        [Term(never)],
        [Term([several])],
        [Term([listed])],
        [Term([several, *never[: n // 2]]), *(Term([one]) for one in single[1:])],
    ):
        dnf = DNF(terms, 1, 0, ["a"])
        found = connection.execute(f"SELECT {dnf.to_sql(dialect='sqlite')} FROM t")
        holds = dnf.holds(table)
        assert [answer for (answer,) in found] == holds.tolist()
        assert 0 < holds.sum() < len(rows)
        rules = answers_of(dnf, rows, connection, result="rule")
        assert rules == dnf.apply(table).tolist()


def test_short_formulas_have_no_further_parentheses():
    term = Term([Literal(0, "a", "=", "1", (1,))])
    for n, n_parentheses in ((100, 100), (101, 103)):
        assert DNF([term] * n, 1, 0, ["a"]).to_sql().count("(") == n_parentheses


# -- numbers ---------------------------------------------------------------------------


@pytest.mark.slow
def test_sqlite_reads_all_digits_of_numbers():
    """Its own rounding of a decimal to a double is wrong for some short texts."""
    rng = np.random.default_rng(0)
    scales = 10.0 ** rng.integers(-250, 250, 4_000)
    numbers = [
        *(rng.integers(10**15, size=4_000) / 10.0 ** rng.integers(16, size=4_000)),
        *rng.normal(size=4_000) * np.where(rng.random(4_000) < 0.5, scales, 1),
        *(0.1, 0.5, 1.75, 1e22, 2.0**53, 5.449999999999999),
    ]
    connection = sqlite3.connect(":memory:")
    n_long = 0
    for number in map(float, numbers):
        literal = Literal(0, "a", "=", "x", (number,))
        text = sql_of(literal, "sqlite").removeprefix("`a` = ")
        assert float(text) == number
        assert connection.execute(f"SELECT ? = {text}", (number,)).fetchone() == (1,)
        n_long += text != repr(number)
    # Other numbers keep their shortest text.
    assert 0 < n_long < 0.03 * len(numbers)
    text = one_column([5.449999999999999]).to_sql(dialect="mysql")
    assert "= 5.449999999999999)" in text


def test_no_decimal_is_rounded_to_single_precision():
    """DuckDB would compare 0.3000000119209289 with a float as 0.3 of a float."""
    for values, texts in (
        ([0.3, 0.5, 0.3000000119209289], ["0.3e0", "0.5", "0.3000000119209289e0"]),
        (
            [2**-13, 1e-5, 1e16, 9e15],
            ["0.0001220703125e0", "1e-05", "1e+16", f"{9e15}e0"],
        ),
        ([3, 2**24, 2**24 + 1], ["3", "16777216", "16777217e0"]),
        ([2**53 - 1, 2**53 + 1], ["9007199254740991e0", "9007199254740993"]),
    ):
        literal = Literal(0, "a", "in", "some", tuple(values))
        assert sql_of(literal, "duckdb") == f'"a" IN ({", ".join(texts)})'
        # PostgreSQL would round a list.
        expected = " OR ".join(f'"a" = {text}' for text in texts)
        assert sql_of(literal) == f"({expected})"
        literal = replace(literal, complement=True, missing=True)
        expected = expected.replace("=", "<>").replace("OR", "AND")
        assert sql_of(literal) == f'("a" IS NULL OR ({expected}))'
    assert sql_of(one_column([0.5, 3]).terms[0].literals[0]) == '"a" IN (0.5, 3)'


def test_exclusive_ends_are_written_as_they_are_meant():
    """Not as the number beside them."""
    for text, sql, python in (
        ("a >= 3", '"a" >= 3.0', "float(row['a']) >= 3.0"),
        ("a > 3", '"a" > 3.0', "float(row['a']) > 3.0"),
        ("a < 0", '"a" < 0.0', "float(row['a']) < 0.0"),
        ("a in [1, 2)", '("a" >= 1.0 AND "a" < 2.0)', "1.0 <= float(row['a']) < 2.0"),
        ("a in (1, 2]", '("a" > 1.0 AND "a" <= 2.0)', "1.0 < float(row['a']) <= 2.0"),
    ):
        assert sql_of(literal_of(text)) == sql
        assert python in DNF.parse(text).to_python()


# -- texts of dialects -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "condition", "then", "otherwise"),
    [
        ("standard", """"a`\\" = 'it''s\n\\' AND "b" = TRUE""", "'it''s'", "'\\'"),
        ("sqlite", "`a``\\` = 'it''s\n\\' AND `b` = 1", "'it''s'", "'\\'"),
        (
            "mysql",
            "`a``\\` = CAST('it''s\n\\\\' AS BINARY) AND `b` = TRUE",
            "'it''s'",
            "'\\\\'",
        ),
        ("bigquery", r"`a\`\\` = 'it\'s\n\\' AND `b` = TRUE", r"'it\'s'", r"'\\'"),
    ],
)
def test_quotes_and_constants(dialect, condition, then, otherwise):
    literals = [
        Literal(0, "a`\\", "=", "x", ("it's\n\\",)),
        Literal(1, "b", "=", "x", (True,)),
    ]
    dnf = DNF([Term(literals)], "it's", "\\", ["a`\\", "b"])
    assert f"    ({condition})\nTHEN" in dnf.to_sql(dialect=dialect)
    expected = f"CASE WHEN\n    ({condition})\nTHEN {then} ELSE {otherwise} END"
    assert dnf.to_sql(dialect=dialect) == expected


def read_string(text, dialect):
    """The value of a string of BigQuery or MySQL, by their documented escapes."""
    pattern = r"\\(.)" if dialect == "bigquery" else r"\\(.)|'(')"
    known = {"n": "\n", "r": "\r"}

    def character(found):
        one = found[1] or found[2]
        return known.get(one, one)

    return re.sub(pattern, character, text, flags=re.DOTALL)


@pytest.mark.parametrize("dialect", ["mysql", "bigquery"])
@pytest.mark.parametrize("value", VALUES)
def test_no_value_leaves_its_quotes(dialect, value):
    """A string ends at the first quotation mark without a backslash, or single one."""
    inner = r"(?:[^'\\\n\r]|\\.)*" if dialect == "bigquery" else r"(?:[^'\\]|\\.|'')*"
    text = sql_of(Literal(0, "a", "=", "x", (value,)), dialect)
    form = "'({})'" if dialect == "bigquery" else r"CAST\('({})' AS BINARY\)"
    found = re.fullmatch("`a` = " + form.format(inner), text, flags=re.DOTALL)
    assert read_string(found[1], dialect) == value


@pytest.mark.parametrize("dialect", ["standard", *OTHERS])
def test_what_no_dialect_can_represent(dialect):
    for wrong in ("a\0", "\ud800"):
        for dnf in (one_column([wrong]), one_column(["x"], name=wrong)):
            with pytest.raises(ValueError, match="SQL cannot represent"):
                dnf.to_sql(dialect=dialect)
        with pytest.raises(ValueError, match="SQL cannot represent"):
            DNF([], wrong, "no").to_sql(dialect=dialect)


def test_columns_of_two_types_are_refused_where_columns_have_types():
    """MySQL would compare the strings with 0."""
    mixed = one_column([1, "x"])
    for dialect in ("duckdb", "mysql", "bigquery"):
        with pytest.raises(ValueError, match="values of one type in this format"):
            mixed.to_sql(dialect=dialect)
    assert sql_of(mixed.terms[0].literals[0], "sqlite") == "`a` IN (1, 'x')"


@pytest.mark.parametrize("dialect", ["oracle", None, ["mysql"]])
def test_unknown_dialects(dialect):
    with pytest.raises(ValueError, match=r"dialect to be one of .*'bigquery'"):
        one_column(["x"]).to_sql(dialect=dialect)


# -- SQLite, with names and values of any kind -----------------------------------------


def test_sqlite_says_what_the_formula_says():
    """In other databases, see the tests of integrations."""
    for seed in range(4):
        draws = Draws(b"sqlite" + bytes([seed]))
        types, rows, dnfs = a_table(draws, 20)
        connection = table_of([dict(zip(types, row)) for row in rows], [*types])
        table = frame_of(types, rows)
        for dnf in dnfs:
            assert answers_of(dnf, [], connection) == answers(dnf, dnf.holds(table))
            rules = answers_of(dnf, [], connection, result="rule")
            assert rules == dnf.apply(table).tolist()


def test_missing_values_are_null():
    rows = [{"a": value} for value in (1.0, 2.0, nan, None)]
    for text in ("a > 1", "a != 1", "a is missing", "a not in {1, 2} (or missing)"):
        dnf = DNF.parse(text, 1, 0)
        table = pd.DataFrame({"a": [row["a"] for row in rows]}, dtype=float)
        assert answers_of(dnf, rows) == dnf.holds(table).tolist()
    open_ = Literal(0, "a", "in", "all", None, ((-inf, inf),))
    assert answers_of(DNF([Term([open_])], 1, 0, ["a"]), rows) == [1, 1, 0, 0]
