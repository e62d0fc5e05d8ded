"""Python: formulas as the source code of a function without dependencies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
from keyword import iskeyword
from math import inf

from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._condition_text import shorter_end
from sklearn_dnfwinnow.rules._writers._plain_values import among, any_of, plain_values

_FUNCTION = '''\
def {name}(row):
    """Return the {result} of a sample, a mapping from feature names to values."""

    def known(value):
        try:
            if value != value:
                return None
        except TypeError:  # what is not available has no truth
            return None
        # Fractions, such as Decimal or in single precision, are compared as floats.
        is_fraction = hasattr(value, "as_integer_ratio") and not isinstance(value, int)
        return float(value) if is_fraction else value

{notice}    row = {{name: known(row[name]) for name in {features!r}}}
{cases}    return {otherwise!r}
'''
_CASE = """\
    if (
        {condition}
    ):
        return {then!r}
"""


def literal_as_python(literal, row):
    """Return a literal as an expression, see `Literal.to_python`."""
    value = f"{row}[{str(literal.feature)!r}]"
    if literal.intervals is None:
        constants = [*map(repr, plain_values(literal))]
        if literal.complement:
            found = among(value, constants, ("!=", "not in"), ["True"])
        else:
            found = among(value, constants, ("==", "in"), [])
    else:
        found = [_inside(value, *interval) for interval in literal.intervals]
    if literal.missing:
        return any_of([f"{value} is None", *found], "or", "False")
    open_ = literal.intervals or literal.complement
    present = f"{value} is not None and " if open_ else ""
    return present + any_of(found, "or", "False")


def decision_as_python(decision, name):
    """Return a Decision as a function of a name, see `DNF.to_python`."""
    is_name = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
    # The function uses some of them itself.
    is_own = is_name and not hasattr(builtins, name)
    check(is_own, "a name that Python allows, and that is none of its functions", name)
    cases = []
    for answer, terms in decision.formulas:
        conditions = [f"({term.to_python()})" for term in terms]
        condition = "\n        or ".join(conditions) or "False"
        cases.append(_CASE.format(condition=condition, then=answer))
    return _FUNCTION.format(
        name=name,
        result=decision.result,
        notice=f"    # {decision.notice}\n" if decision.notice else "",
        features=decision.used_features,
        cases="".join(cases),
        otherwise=decision.otherwise,
    )


def _inside(value, low, high):
    """Return the condition that a value is inside an interval."""
    # Large integers would be compared exactly.
    number = f"float({value})"
    if (low, high) == (-inf, inf):
        return "True"
    (first, is_closed), (last, is_open) = map(shorter_end, map(float, (low, high)))
    below = f"{'<' if is_open else '<='} {last!r}"
    if low == -inf:
        return f"{number} {below}"
    if high == inf:
        return f"{number} {'>=' if is_closed else '>'} {first!r}"
    return f"{first!r} {'<=' if is_closed else '<'} {number} {below}"
