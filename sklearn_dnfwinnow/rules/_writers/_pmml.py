"""PMML: formulas as rule sets, of the Predictive Model Markup Language 4.4.

A predicate on a missing value is unknown, and a rule with an unknown predicate does not
fire. No predicate here is negated, so unknown has the same effect as false.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from math import isfinite
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sklearn_dnfwinnow._utils._estimator_mixins import __version__
from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._writers._plain_values import (
    as_double,
    kind_of,
    kinds_of_columns,
    plain_values,
)

_NAMESPACE = "http://www.dmg.org/PMML-4_4"
# Declaration of a field of each kind.
_DECLARED = {
    "string": {"optype": "categorical", "dataType": "string"},
    "boolean": {"optype": "categorical", "dataType": "boolean"},
    "number": {"optype": "continuous", "dataType": "double"},
    "integer": {"optype": "continuous", "dataType": "integer"},
}
# Evaluators use integers with 32 bits.
_FIRST_LONG = 2**31
# Characters that XML 1.0 does not allow.
_NO_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def decision_as_pmml(decision):
    """Return a Decision as a document, see `DNF.to_pmml`."""
    kinds = kinds_of_columns(decision.literals)
    target = "class"
    while target in decision.features:
        target += "_"
    root = Element("PMML", xmlns=_NAMESPACE, version="4.4")
    notice = {"description": decision.notice} if decision.notice else {}
    header = _element(root, "Header", **notice)
    _element(header, "Application", name="sklearn-dnfwinnow", version=__version__)
    fields = _element(root, "DataDictionary", numberOfFields=str(len(kinds) + 1))
    model = _element(root, "RuleSetModel", functionName="classification")
    schema = _element(model, "MiningSchema")
    for j, kind in kinds.items():
        name = decision.features[j]
        check(name, "columns of a name", name)
        _element(fields, "DataField", name=name, **_DECLARED[kind])
        _element(schema, "MiningField", name=name, invalidValueTreatment="asIs")
    kind = _kind_of_classes(decision.answers)
    declared = {**_DECLARED[kind], "optype": "categorical"}
    of_class = _element(fields, "DataField", name=target, **declared)
    answers = [_text(answer, kind) for answer, _ in decision.formulas]
    otherwise = _text(decision.otherwise, kind)
    for value in dict.fromkeys((*answers, otherwise)):
        _element(of_class, "Value", value=value)
    _element(schema, "MiningField", name=target, usageType="target")
    rules = _element(model, "RuleSet", defaultScore=otherwise, defaultConfidence="1")
    _element(rules, "RuleSelectionMethod", criterion="firstHit")
    scored = [(t, s) for s, (_, of) in zip(answers, decision.formulas) for t in of]
    for i, (term, score) in enumerate(scored, start=1):
        rule = _element(rules, "SimpleRule", id=str(i), score=score, confidence="1")
        predicates = [
            _predicate(literal, kinds[literal.column]) for literal in term.literals
        ]
        rule.append(_compound("and", predicates))
    indent(root)
    text = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _predicate(literal, kind):
    """Return a literal as a predicate, which is true only if the literal holds."""

    def simple(operator, value=None):
        more = {} if value is None else {"value": _text(value, kind)}
        predicate = Element("SimplePredicate", field=literal.feature)
        return _with(predicate, {"operator": operator, **more})

    if literal.intervals is not None:
        found = []
        for low, high in literal.intervals:
            ends = [("greaterThan", low), ("lessOrEqual", high)]
            closed = [simple(*end) for end in ends if isfinite(end[1])]
            found.append(_compound("and", closed or [simple("isNotMissing")]))
    elif literal.complement:
        others = [simple("notEqual", value) for value in plain_values(literal)]
        found = [_compound("and", others or [simple("isNotMissing")])]
    else:
        found = [simple("equal", value) for value in plain_values(literal)]
    return _compound("or", [simple("isMissing")] * literal.missing + found)


def _compound(operator, predicates):
    """Return a conjunction or disjunction of any number of predicates."""
    if len(predicates) == 1:
        return predicates[0]
    if not predicates:
        return Element("True" if operator == "and" else "False")
    joined = Element("CompoundPredicate", booleanOperator=operator)
    joined.extend(predicates)
    return joined


def _kind_of_classes(answers):
    """Return the type of the class field."""
    kinds = {type(answer) for answer in answers}
    if kinds == {int} and all(abs(answer) < _FIRST_LONG for answer in answers):
        return "integer"
    return kind_of(answers, "of the class")


def _text(value, kind):
    """Return a plain value as text."""
    if kind == "number":
        return repr(as_double(value))
    return str(value).lower() if kind == "boolean" else str(value)


def _element(parent, tag, **attributes):
    """Return a new child element."""
    return _with(SubElement(parent, tag), attributes)


def _with(element, attributes):
    """Check additional attributes, and return an element with them."""
    for name, text in attributes.items():
        if _NO_CHARACTERS.search(text):
            raise ValueError(f"XML cannot represent a character in {text!r}.")
        element.set(name, text)
    return element
