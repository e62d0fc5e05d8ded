"""PMML: documents are valid, and an independent engine reads them as `holds` does."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from math import inf
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from formula_checks import (
    LOADERS,
    answers,
    bundled,
    by_pmml,
    heavy_formula,
    plain_rows,
)
from pmml_reader import RuleSet

from sklearn_dnfwinnow.rules import DNF, Literal, Term

NASTY = (
    *("", " ", "  x  ", "a & b", "it's", 'say "so"', "line\nend", "a\r\nb", "tab\t"),
    *("ä ☃ 😀", "\\", "</PMML>", "&amp;", "]]>", "\x85\u2028", "class"),
)
NAMES = [name for name in NASTY if name]


@pytest.fixture(scope="module")
def engine():
    """Evaluate formulas by JPMML-Evaluator, in a process of Java."""
    evaluator = pytest.importorskip("jpmml_evaluator")
    backend_of = pytest.importorskip("jpmml_evaluator.py4j").Py4JBackend
    try:
        backend = backend_of()
    except Exception as error:  # whatever a machine without Java raises
        pytest.skip(f"no Java: {error}")

    def evaluate(dnf, rows, tmp_path):
        path = tmp_path / "formula.pmml"
        path.write_text(dnf.to_pmml(), encoding="utf-8", newline="")
        loaded = evaluator.make_evaluator(str(path), backend=backend)
        table = pd.DataFrame(rows, dtype=object)
        (said,) = loaded.evaluateAll(table, error_col=None)[0].items()
        return said[1].tolist()

    yield evaluate
    backend_of.destroyGateway()


@pytest.fixture(scope="module")
def schema():
    """The schema of PMML 4.4, which comes with the engine."""
    etree = pytest.importorskip("lxml.etree")
    if find_spec("jpmml_evaluator") is None:
        pytest.skip("jpmml_evaluator is not installed, whose schema this reads")
    folder = Path(find_spec("jpmml_evaluator").origin).parent / "dependencies"
    (archive,) = folder.glob("pmml-model-[0-9]*.jar")
    with ZipFile(archive) as opened:
        return etree.XMLSchema(etree.parse(BytesIO(opened.read("pmml.xsd"))))


def check_valid(schema, dnf):
    etree = pytest.importorskip("lxml.etree")
    schema.assertValid(etree.fromstring(dnf.to_pmml().encode()))


def formula(*literals, class_="yes", otherwise="no"):
    """Terms of one literal each."""
    features = dict(sorted((one.column, one.feature) for one in literals))
    terms = [Term([literal]) for literal in literals]
    return DNF(terms, class_, otherwise, features.values())


def one(*values, feature="a", **more):
    return Literal(0, feature, "in", "some", values, **more)


def inside(*intervals, **more):
    return Literal(0, "a", "in", "some", None, intervals, **more)


TEXTS = [*NASTY, "new", None]
NUMBERS = [
    -inf,
    -1.0,
    -5e-324,
    -0.0,
    0.0,
    5e-324,
    0.1,
    0.1 + 1e-17,
    2,
    1e300,
    inf,
    None,
]
CASES = [
    *[(one(*values, feature="a"), TEXTS) for values in ((), NASTY[:1], NASTY)],
    *[(one(*NASTY[2:], complement=True, missing=m), TEXTS) for m in (True, False)],
    *[(one(complement=c, missing=m), ["a", None]) for c in (0, 1) for m in (0, 1)],
    *[(one(*v, complement=c), NUMBERS) for v in ((0,), (-0.0, 0.1)) for c in (0, 1)],
    *[(one(*v, complement=c), [True, False, None]) for v in ((True,),) for c in (0, 1)],
    (inside((-inf, -1.0), (0.0, 0.1), (2.0, inf)), NUMBERS),
    (inside((-inf, -0.0), (0.1, 1e300), missing=True), NUMBERS),
    (inside((-0.0, inf)), NUMBERS),
    (inside((-inf, inf)), NUMBERS),
    (inside(), NUMBERS),
    (inside((5e-324, 0.1), (0.1, 2.0), missing=True), NUMBERS),
]


@pytest.mark.parametrize("literal, values", CASES)
def test_literals(engine, schema, tmp_path, literal, values):
    literal = replace(literal, complement=bool(literal.complement))
    dnf = formula(literal)
    check_valid(schema, dnf)
    if literal.intervals is None:
        column = np.empty(len(values), dtype=object)
        column[:] = values
    else:
        column = np.array(values, dtype=float)
    expected = answers(dnf, literal.holds(column))
    rows = [{"a": value} for value in values]
    assert by_pmml(dnf, rows) == expected
    assert engine(dnf, rows, tmp_path) == expected


@pytest.mark.parametrize("name", NAMES)
def test_names_and_classes_are_data(engine, schema, tmp_path, name):
    dnf = formula(one("b", feature=name), class_=f"{name}!", otherwise=f"other {name}")
    check_valid(schema, dnf)
    rows = [{name: value} for value in ("b", "c", None)]
    expected = [f"{name}!", *[f"other {name}"] * 2]
    assert engine(dnf, rows, tmp_path) == expected == by_pmml(dnf, rows)


@pytest.mark.parametrize(
    "classes",
    [(1, 0), (-3, 2**31), (2**53, 1), (0.5, 1e-300), (True, False), (1, None)],
)
def test_classes(engine, schema, tmp_path, classes):
    dnf = formula(one("b"), class_=classes[0], otherwise=classes[1])
    check_valid(schema, dnf)
    rows = [{"a": "b"}, {"a": None}]
    expected = answers(dnf, [True, False])
    assert engine(dnf, rows, tmp_path) == expected == by_pmml(dnf, rows)


@pytest.mark.parametrize("terms, holds", [([], False), ([Term()], True)])
def test_formulas_of_nothing(engine, schema, tmp_path, terms, holds):
    dnf = DNF(terms, "yes", features=["a"])
    check_valid(schema, dnf)
    assert by_pmml(dnf, [{}]) == [holds]
    assert engine(dnf, [{"a": 1}], tmp_path) == [holds]


def test_transformers_are_named(schema):
    dnf = replace(formula(one("b")), transformed_by=["PCA", '<">'])
    text = dnf.to_pmml(transformed=True)
    assert "columns as transformed by PCA, &lt;&quot;&gt;" in text
    etree = pytest.importorskip("lxml.etree")
    schema.assertValid(etree.fromstring(text.encode()))
    with pytest.raises(ValueError, match="Pass transformed=True"):
        dnf.to_pmml()


def test_what_cannot_be_said():
    for text in ("\0", "\x1b", "\ud800", "\ufffe"):
        for dnf in (
            formula(one(text)),
            formula(one("a", feature=text)),
            formula(one("a"), class_=text),
        ):
            with pytest.raises(ValueError, match="XML cannot represent a character"):
                dnf.to_pmml()
    with pytest.raises(ValueError, match="columns of a name"):
        formula(one("a", feature="")).to_pmml()
    with pytest.raises(
        ValueError, match="Column a must be compared with values of one type"
    ):
        formula(one("a", 1)).to_pmml()
    with pytest.raises(ValueError, match="got strings and other values"):
        formula(one("a"), inside((0.0, 1.0))).to_pmml()
    for number in (2**53 + 1, 10**400):
        with pytest.raises(
            ValueError, match="must be representable in double precision"
        ):
            formula(one(number)).to_pmml()
    with pytest.raises(TypeError, match="of type tuple"):
        formula(one(("a",))).to_pmml()
    twice = DNF([Term([one("b")])], 1, 0, ["a", "a"])
    with pytest.raises(ValueError, match="one column of each name"):
        twice.to_pmml()


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("name", LOADERS)
def test_bundled_sets(engine, schema, tmp_path, name):
    clf, X = bundled(name)
    dnf = heavy_formula(clf)
    check_valid(schema, dnf)
    rows = plain_rows(X, dnf.used_features)
    expected = answers(dnf, dnf.holds(X))
    assert {True, False} == {*dnf.holds(X)}
    assert by_pmml(dnf, rows) == expected
    assert engine(dnf, rows, tmp_path) == expected


def test_the_reader_has_three_values():
    dnf = formula(one("b", complement=True), one("c"))
    rules = RuleSet(dnf.to_pmml())
    assert [rules.predict({"a": value}) for value in ("b", "c", None)] == [
        "no",
        "yes",
        "no",
    ]
