"""A reader of the PMML that is written here, by the words of its standard."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from operator import eq, ge, gt, le, lt, ne
from xml.etree import ElementTree

_SPACE = "{http://www.dmg.org/PMML-4_4}"
_TYPES = {
    "string": str,
    "double": float,
    "integer": int,
    "boolean": {"true": True, "false": False}.__getitem__,
}
_OPERATORS = {
    "equal": eq,
    "notEqual": ne,
    "lessThan": lt,
    "lessOrEqual": le,
    "greaterThan": gt,
    "greaterOrEqual": ge,
}


class RuleSet:
    """A RuleSetModel whose first rule that is true says the class."""

    def __init__(self, text):
        root = ElementTree.fromstring(text)
        fields = root.iter(f"{_SPACE}DataField")
        self.types = {field.get("name"): field.get("dataType") for field in fields}
        (rules,) = root.iter(f"{_SPACE}RuleSet")
        usage = [field.attrib for field in root.iter(f"{_SPACE}MiningField")]
        (self.target,) = (f["name"] for f in usage if f.get("usageType") == "target")
        self._default = rules.get("defaultScore")
        self._rules = rules.findall(f"{_SPACE}SimpleRule")

    def predict(self, row):
        """The class of a row, a mapping; None is a missing value."""
        said = self._default
        for rule in self._rules:
            if self._value(rule[0], row):
                said = rule.get("score")
                break
        return _TYPES[self.types[self.target]](said)

    def _value(self, predicate, row):
        """True, False, or None where it is unknown."""
        match predicate.tag.removeprefix(_SPACE):
            case "True":
                return True
            case "False":
                return False
            case "CompoundPredicate":
                values = [self._value(part, row) for part in predicate]
                assert len(values) > 1
                decisive = predicate.get("booleanOperator") == "or"
                if decisive in values:
                    return decisive
                return None if None in values else not decisive
        field, operator = predicate.get("field"), predicate.get("operator")
        value = row[field]
        if operator in ("isMissing", "isNotMissing"):
            return (value is None) == (operator == "isMissing")
        if value is None:
            return None
        of_type = _TYPES[self.types[field]]
        if of_type is float:
            value = float(value)
        return _OPERATORS[operator](value, of_type(predicate.get("value")))
