"""ONNX graphs of formulas: onnxruntime says what `holds` says, of every row."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest
from formula_checks import (
    LOADERS,
    answers,
    bundled,
    by_onnx,
    heavy_formula,
    plain_rows,
    session_of,
)

from sklearn_dnfwinnow.rules import DNF, Literal, Term

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def one(*values, feature="a", **more):
    return Literal(0, feature, "in", "some", values, **more)


def formula(*literals, class_="yes", otherwise="no", features=("a",)):
    terms = [Term([literal]) for literal in literals]
    return DNF(terms, class_, otherwise, features)


def test_inputs_outputs_and_versions():
    warm = Literal(1, "label", ">", "20.5", None, ((20.5, inf),))
    dnf = DNF([Term([one("b"), warm]), Term([warm])], "out", "in", ["a", "label", "c"])
    model = dnf.to_onnx()
    onnx.checker.check_model(model, full_check=True)
    assert {(each.domain, each.version) for each in model.opset_import} == {
        ("", 18),
        ("ai.onnx.ml", 3),
    }
    session = session_of(model)
    given = [(each.name, each.type, each.shape) for each in session.get_inputs()]
    assert given == [
        ("a", "tensor(string)", ["n_rows", 1]),
        ("label", "tensor(double)", ["n_rows", 1]),
    ]
    (said,) = session.get_outputs()
    assert (said.name, said.type) == ("label_", "tensor(string)")


@pytest.mark.parametrize(
    "classes, dtype",
    [
        ((1, 0), "int64"),
        ((-(2**63), 2**63 - 1), "int64"),
        ((0.5, 1e-300), "double"),
        ((True, False), "bool"),
        ((True, None), "bool"),
        (("ä☃", "\x00"), "string"),
    ],
)
def test_classes(classes, dtype):
    dnf = formula(one("b"), class_=classes[0], otherwise=classes[1])
    assert session_of(dnf.to_onnx()).get_outputs()[0].type == f"tensor({dtype})"
    assert by_onnx(dnf, [{"a": "b"}, {"a": None}]) == answers(dnf, [True, False])


def test_numbers_are_not_rounded():
    cut = float(np.float32(0.1))
    dnf = formula(Literal(0, "a", "<=", "0.1", None, ((-inf, cut),)), one(0, 5e-324))
    values = [np.nextafter(cut, 1), cut, 0.0, -0.0, 5e-324, -5e-324, inf, -inf, nan]
    column = np.array(values)
    holds = dnf.terms[0].holds([column]) | dnf.terms[1].holds([column])
    assert by_onnx(dnf, [{"a": value} for value in values]) == answers(dnf, holds)


def test_missing_strings():
    dnf = formula(one("b", missing=True))
    (said,) = session_of(dnf.to_onnx()).run(None, {"a": [["b"], [""], ["c"]]})
    assert said.tolist() == ["yes", "yes", "no"]
    for missing, expected in (("", ["yes"]), ("?", ["no"])):
        session = session_of(formula(one(missing=True)).to_onnx(missing=missing))
        assert session.run(None, {"a": [[""]]})[0].tolist() == expected
    with pytest.raises(ValueError, match="`missing` must differ from all values"):
        formula(one("b", "")).to_onnx()
    assert by_onnx(formula(one("b", "")), [{"a": ""}]) == ["yes"]
    with pytest.raises(ValueError, match="missing to be a string; got None"):
        dnf.to_onnx(missing=None)


def test_what_cannot_be_said():
    for dnf in (
        formula(one("\ud800")),
        formula(one("a", feature="\ud800"), features=("\ud800",)),
        formula(one("a"), class_="\ud800"),
    ):
        with pytest.raises(ValueError, match="ONNX cannot represent a character"):
            dnf.to_onnx()
    for wrong, words in {
        formula(one("a", feature=""), features=("",)): "columns of a name",
        formula(one("a", 1)): "got strings and other values",
        formula(one(2**53 + 1)): "must be representable in double precision",
        formula(one("a"), class_=1): "classes of one type",
        formula(one("a"), class_=2**63, otherwise=1): "only 64-bit integers",
        formula(one("a"), features=("a", "a")): "one column of each name",
        DNF([], "yes", features=["a"]): "a formula with a condition",
        DNF([Term()], "yes", features=["a"]): "a formula with a condition",
        replace(formula(one("a")), transformed_by=("PCA",)): "transformed=True",
    }.items():
        with pytest.raises(ValueError, match=words):
            wrong.to_onnx()
    with pytest.raises(TypeError, match="of type tuple"):
        formula(one(("a",))).to_onnx()


def test_without_onnx(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install onnx"):
        formula(one("a")).to_onnx()


def test_one_term_may_be_empty():
    dnf = DNF([Term([one("b")]), Term()], "yes", "no", ["a"])
    assert by_onnx(dnf, [{"a": "c"}, {"a": None}]) == ["yes"] * 2


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("name", LOADERS)
def test_bundled_sets(name):
    clf, X = bundled(name)
    dnf = heavy_formula(clf)
    assert {True, False} == {*dnf.holds(X)}
    rows = plain_rows(X, dnf.used_features)
    assert by_onnx(dnf, rows) == answers(dnf, dnf.holds(X))
