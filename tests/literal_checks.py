"""Literals of a model: tables of all kinds, and what each literal must hold on."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sqlite3
from math import nan

import numpy as np
import pandas as pd
from internals.inspection import TermDecoder
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.rules import DNF, Term


def quick(**parameters):
    """A classifier that learns little: what its literals mean is all the same."""
    return DNFWinnowClassifier(max_iter=1, cv=None, random_state=0, **parameters)


def frame(n_rows, seed, more=0):
    """Columns of all kinds with missing values; `more` values that training lacks."""
    rng = np.random.default_rng(seed)

    def column(values, dtype):
        picked = rng.integers(0, len(values), n_rows)
        return pd.Series([values[i] for i in picked], dtype=dtype)

    return pd.DataFrame(
        {
            "text": column([*("a", "b'", 'c"'), None, *["new"] * more], object),
            "int": column([3, 1, 7, 2, *[5] * more], "int64"),
            "gap": column([3.0, 1.0, nan, 2.5, *[1.5] * more], "float64"),
            "flag": column([True, False, None], object),
            "yes": column([True, False], bool),
            "null": column([4, 2, None, 8, *[0] * more], "Int64"),
            "grade": column(["low", "mid", "high", None], "category"),
            "mixed": column(["x", 1, 2.5, None, *[("y",)] * more], object),
        }
    )


def labels(n_rows, seed=0):
    return np.random.default_rng(seed).integers(0, 3, n_rows)


def records(X, names):
    """Rows as mappings, whatever the container."""
    if isinstance(X, pd.DataFrame):
        return X.to_dict("records")
    if hasattr(X, "to_dicts"):
        return X.to_dicts()
    return [dict(zip(names, row)) for row in X]


def term_of(text, **known):
    """The rule of a text."""
    (term,) = DNF.parse(text, **known).terms
    return term


def literal_of(text, **known):
    """The condition of a text."""
    (literal,) = term_of(text, **known).literals
    return literal


def every_literal(decoder):
    """All literals of a model, with the column and code that they stand for."""
    for column, n_codes in enumerate(decoder.model.encoding.n_values):
        for code in range(1, int(n_codes) + 1):
            yield column, code, decoder.literal(column, code)


def one_literal(literal, decoder):
    return DNF([Term([literal])], "yes", features=decoder.table_features)


def check(estimator, *tables, elsewhere=True):
    """Every literal holds where its column has its code, here and elsewhere."""
    decoder = TermDecoder.from_estimator(estimator)
    literals = list(every_literal(decoder))
    assert len({literal for *_, literal in literals}) > 1
    for X in tables:
        codes = decoder.model.encoding.with_literals(decoder.codes(X))
        table = decoder.table(X)
        columns = decoder.columns(X)
        rows = records(table, decoder.table_features)
        for column, code, literal in literals:
            expected = codes[:, column] == code
            assert_array_equal(literal.holds(columns[literal.column]), expected)
            dnf = one_literal(literal, decoder)
            assert_array_equal(dnf.holds(table), expected)
            if elsewhere:
                assert list(map(run(dnf), rows)) == expected.tolist()
                text = dnf.to_text()
                assert DNF.parse(text).to_text() == text
        if elsewhere:
            check_sql(literals, decoder, rows, codes)
    return decoder


def run(dnf, name="predict", **options):
    """The function of a DNF."""
    code = {}
    exec(compile(dnf.to_python(name, **options), "formula", "exec"), {}, code)
    return code[name]


def table_of(rows, names):
    """A data base with these rows as its table t."""
    connection = sqlite3.connect(":memory:")
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    connection.execute(f"CREATE TABLE t ({', '.join(quoted)})")
    values = [[stored(row[name]) for name in names] for row in rows]
    marks = ", ".join("?" * len(names))
    connection.executemany(f"INSERT INTO t VALUES ({marks})", values)
    return connection


def answers_of(dnf, rows, connection=None, **options):
    """What a data base says of rows."""
    # Other columns may have names that no table has.
    connection = connection or table_of(rows, dnf.used_features or dnf.features)
    selected = dnf.to_sql(dialect="sqlite", **options)
    found = connection.execute(f"SELECT {selected} FROM t ORDER BY rowid")
    return [answer for (answer,) in found]


def stored(value):
    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def check_sql(literals, decoder, rows, codes):
    connection = table_of(rows, decoder.table_features)
    for column, code, literal in literals:
        answers = answers_of(one_literal(literal, decoder), rows, connection)
        assert answers == (codes[:, column] == code).tolist()
