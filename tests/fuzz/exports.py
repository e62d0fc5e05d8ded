"""Targets for exports: other programs say what formulas and models say."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from importlib.util import find_spec
from math import inf, nan

import numpy as np
import pandas as pd
from formula_checks import (
    MISSING,
    answers,
    by_onnx,
    by_pmml,
    by_python,
    onnx_feeds,
    plain_rows,
    session_of,
)
from literal_checks import answers_of
from numpy.testing import assert_allclose

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.export import to_onnx, to_python
from sklearn_dnfwinnow.rules import DNF, Literal, Term

_HAS_ONNX = find_spec("onnx") is not None and find_spec("onnxruntime") is not None
_ENDS = (-inf, -1e9, -0.5, 0.0, 5e-324, 0.1, 1.0, 2.0**53, inf)
_NUMBERS = (*_ENDS, -0.0, 0.3, nan)


def _text(draws):
    """A string of any characters."""
    return draws.bytes(draws.integer(0, 3)).decode("latin-1")


def _literal(draws, column, feature, known):
    """A literal on a column of numbers if no strings are known, else of strings."""
    missing = draws.boolean()
    if not known:
        ends = sorted({draws.choice(_ENDS) for _ in range(draws.integer(0, 4))})
        ends = ends[: len(ends) // 2 * 2]
        intervals = tuple(zip(ends[::2], ends[1::2]))
        return Literal(column, feature, "in", "some", None, intervals, missing)
    values = tuple({draws.choice(known) for _ in range(draws.integer(0, 2))})
    return Literal(
        column=column,
        feature=feature,
        relation="in",
        label="some",
        values=values,
        missing=missing,
        complement=draws.boolean(),
    )


def exported_formulas(draws):
    """A formula is refused, or says the same in all languages; tables never fail."""
    names = ["a" + _text(draws), "B" + _text(draws)]
    known = [[_text(draws) for _ in range(3)], []]
    terms = [
        Term(
            [_literal(draws, j, names[j], known[j]) for j in (0, 1) if draws.boolean()]
        )
        for _ in range(draws.integer(1, 4))
    ]
    # What only asks whether a value is missing does not tell its type.
    terms.append(Term([Literal(1, names[1], ">", "2", None, ((2.0, 2.5),))]))
    dnf = DNF(terms, _text(draws) + "1", _text(draws) + "0", names)
    dnf.to_markdown({_text(draws): [_text(draws)] * len(terms)}), dnf.to_latex()
    X = pd.DataFrame(
        {
            0: pd.Series([*known[0], "new", None] * 3, dtype=object),
            1: [draws.choice(_NUMBERS) for _ in range(15)],
        }
    )
    expected = answers(dnf, dnf.holds(X))
    rows = plain_rows(X.set_axis(names, axis=1), names)
    for row in rows:
        row[names[1]] = None if row[names[1]] != row[names[1]] else row[names[1]]
    languages = [by_python, by_pmml, answers_of, *[by_onnx] * _HAS_ONNX]
    for language in languages:
        try:
            if language is answers_of:
                # Before a table with a name that it refuses.
                dnf.to_sql(dialect="sqlite")
            found = language(dnf, rows)
        except ValueError as error:
            assert "cannot represent" in str(error) or "null character" in str(error)
            continue
        assert found == expected, language


def exported_models(draws):
    """Scores of a module, and of a graph, are those of the model."""
    n_columns, n_rows = draws.integer(1, 4), draws.integer(4, 20)
    columns = {}
    for j in range(n_columns):
        values = draws.choice(
            [["x", "y", "z", None], [0.0, 1.5, 2.0, nan], [True, False]]
        )
        picked = [draws.choice(values) for _ in range(n_rows)]
        dtype = float if 1.5 in values else object
        columns[f"{_text(draws)}{j}"] = pd.Series(picked, dtype=dtype)
    X, y = pd.DataFrame(columns), np.arange(n_rows) % draws.integer(2, 3)
    clf = DNFWinnowClassifier(
        cv=None,
        max_iter=draws.integer(1, 4),
        alpha=draws.choice([1.1, 1.5, 30.0]),
        literal_weight=draws.choice([1.0, 0.3, 1e-5]),
        max_term_size=draws.choice([None, 1, 2, 3]),
        literals=draws.choice(["equal", "ordered", "intervals"]),
        missing=draws.choice(["unspecified", "category", "most_frequent"]),
        multi_class=draws.choice(["joint", "ovr"]),
        random_state=draws.integer(0, 255),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = clf.fit(X, y).log_weighted_sums(X)
        module = {}
        try:
            exec(to_python(clf, max_terms=5000), module)
        except ValueError as error:
            assert "max_terms" in str(error)
            return
        rows = plain_rows(X, list(X.columns))
        found = list(map(module["log_weighted_sums"], rows))
        assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
        if _HAS_ONNX and module["COLUMNS"]:
            model = to_onnx(clf, missing=MISSING, max_terms=5000)
            session = session_of(model)
            (found,) = session.run(["scores"], onnx_feeds(session, rows))
            assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
