"""Writers: a formula says the same in all languages, whatever its names and values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from math import inf, nan

import numpy as np
import pandas as pd
import pytest
from formula_checks import answers, by_python, plain_rows
from internals.inspection import TermDecoder
from literal_checks import answers_of, every_literal, frame, labels, quick

from sklearn_dnfwinnow.rules import DNF, Literal, Term

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NUMBERS = (-1.5, -0.0, 0, 5e-324, 0.1, 1, 2.5, 2**53 - 1, 1e300)
TEXTS = st.text(max_size=4) | st.sampled_from(
    ["", " ", "a\r\nb", "&lt;", "'", '"', "\\", "label", "class", "\x00"]
)
ENDS = [-inf, *sorted(NUMBERS), inf]


def few(n_cases):
    """So many cases, always the same."""
    return settings(
        max_examples=n_cases,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def literals_on(draw, column, feature, kind, values):
    """A literal on a column of a kind, among whose values are some."""
    missing = draw(st.booleans())
    if kind == "number" and draw(st.booleans()):
        ends = sorted({*draw(st.lists(st.sampled_from(ENDS), max_size=5))})
        ends = ends[: len(ends) // 2 * 2]
        intervals = tuple(zip(ends[::2], ends[1::2]))
        intervals = tuple(pair for pair in intervals if pair[0] < pair[1])
        return Literal(column, feature, "in", "some", None, intervals, missing)
    listed = tuple(draw(st.lists(st.sampled_from(values), max_size=3, unique=True)))
    return Literal(
        column=column,
        feature=feature,
        relation="in",
        label="some",
        values=listed,
        missing=missing,
        complement=draw(st.booleans()),
    )


@st.composite
def formulas_and_rows(draw):
    """A formula about columns of each kind, and rows with values that it knows or not.

    Each column has a literal that tells its kind.
    """
    names = draw(st.lists(TEXTS, min_size=3, max_size=3, unique_by=str.casefold))
    texts = draw(st.lists(TEXTS, min_size=4, max_size=6, unique=True))
    values = {"string": texts, "number": NUMBERS, "boolean": (True, False)}
    columns = list(zip(names, values.items()))
    terms = [
        Term([Literal(j, name, "=", "first", (some[0],))])
        for j, (name, (_, some)) in enumerate(columns)
    ]
    for _ in range(draw(st.integers(0, 3))):
        used = draw(st.lists(st.integers(0, 2), max_size=3, unique=True))
        some = [literals_on(j, columns[j][0], *columns[j][1]) for j in used]
        terms.append(Term(list(map(draw, some))))
    terms = draw(st.permutations(terms))
    said = st.sampled_from([(True, None), (1, 0), (0.5, 2.5), ("yes", "no")])
    dnf = DNF(terms, *draw(said), names)
    rows = draw(st.lists(st.tuples(*map(_cell_of, values.items())), min_size=1))
    return dnf, [list(row) for row in rows]


def _cell_of(of_kind):
    kind, values = of_kind
    more = {"string": ["new"], "number": [nan, inf, -inf, 7.25], "boolean": []}
    return st.sampled_from([*values, *more[kind], None])


def typed_frame(rows, names):
    """Rows as a table whose columns have their types, whatever rows there are."""
    text, numbers, flags = zip(*rows)
    return dict(
        enumerate(
            (
                pd.Series(text, dtype=object),
                pd.Series(numbers, dtype=float),
                pd.Series(flags, dtype=object),
            )
        )
    )


def by_sql(dnf, rows, **options):
    dnf.to_sql(dialect="sqlite")  # before a table with a name that it refuses
    return answers_of(dnf, rows, **options)


LANGUAGES = {"python": by_python, "sql": by_sql}
# What languages cannot represent.
UNSAYABLE = {
    "python": "nothing",
    "sql": "null character",
}


@pytest.mark.parametrize("language", LANGUAGES)
@few(60)
@given(given_=formulas_and_rows())
def test_formulas_say_the_same_everywhere(language, given_):
    dnf, rows = given_
    # By position, so that two libraries need not agree on names.
    table = pd.DataFrame(typed_frame(rows, dnf.features))
    holds, rules = dnf.holds(table), dnf.apply(table).tolist()
    rows = [
        {
            name: None if value is None or value != value else value
            for name, value in zip(dnf.features, row)
        }
        for row in rows
    ]
    try:
        found = LANGUAGES[language](dnf, rows)
    except ValueError as error:
        assert re.search(UNSAYABLE[language], str(error))
        said = [*dnf.features]
        said += [v for t in dnf.terms for one in t.literals for v in one.values or ()]
        assert any(isinstance(v, str) and (not v or not v.isprintable()) for v in said)
        return
    assert found == answers(dnf, holds)
    assert [rule != "otherwise" for rule in rules] == holds.tolist()
    assert LANGUAGES[language](dnf, rows, result="rule") == rules


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("missing", ["category", "unspecified", "most_frequent"])
@pytest.mark.parametrize("literals", ["ordered", "equal", "intervals"])
def test_literals_of_a_frame(literals, missing, global_random_seed):
    """What a model may say of columns of all kinds, of rows that it knows or not."""
    X, new = (
        frame(30, global_random_seed + more, more=more).drop(columns="mixed")
        for more in (0, 1)
    )
    clf = quick(literals=literals, missing=missing).fit(X, labels(30))
    decoder = TermDecoder.from_estimator(clf)
    all_literals = [literal for *_, literal in every_literal(decoder)]
    rng = np.random.default_rng(global_random_seed)
    # What only asks whether a value is missing does not tell the type of a column.
    typed = {one.column: one for one in all_literals if one.intervals or one.values}
    never = [Term([literal, _never(literal)]) for literal in typed.values()]
    for table in (X, new):
        rows = plain_rows(table, decoder.table_features)
        for _ in range(10):
            picked = rng.permutation(len(all_literals))[:12]
            terms = [
                Term([all_literals[i] for i in some]) for some in picked.reshape(-1, 2)
            ]
            dnf = DNF([*terms, *never], "yes", "no", decoder.table_features)
            expected = answers(dnf, dnf.holds(table))
            for language in LANGUAGES.values():
                assert language(dnf, rows) == expected


def _never(literal):
    """A literal on the same column that no value satisfies."""
    return Literal(literal.column, literal.feature, "=", "nothing", ())
