"""Python: formulas as the source code of a function without dependencies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from keyword import iskeyword
from math import inf

from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow.rules._writers._plain_values import among, any_of, plain_values

_FUNCTION = '''\
def {name}(row):
    """Return the class of a sample, a mapping from feature names to values."""

    def known(value):
        try:
            return value if value == value else None
        except TypeError:  # what is not available has no truth
            return None

{notice}    row = {{name: known(row[name]) for name in {features!r}}}
    if (
        {condition}
    ):
        return {then!r}
    return {otherwise!r}
'''


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


def term_as_python(term, row):
    """Return a term as an expression, see `Term.to_python`."""
    conditions = [literal_as_python(literal, row) for literal in term.literals]
    return " and ".join(conditions) or "True"


def dnf_as_python(dnf, answers, name):
    """Return a formula as a function, see `DNF.to_python`.

    Parameters
    ----------
    dnf : DNF
    answers : (object, object)
        Plain values to return if the formula holds, and if it does not.
    name : str
        Name of the function.
    """
    is_name = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
    check(is_name, "a name that Python allows", name)
    terms = [f"({term_as_python(term, 'row')})" for term in dnf.terms]
    then, otherwise = answers
    return _FUNCTION.format(
        name=name,
        notice=f"    # {dnf.notice}\n" if dnf.transformed_by else "",
        features=dnf.used_features,
        condition="\n        or ".join(terms) or "False",
        then=then,
        otherwise=otherwise,
    )


def _inside(value, low, high):
    """Return the condition that a value is inside an interval."""
    # Numbers in single precision would be compared in single precision.
    number = f"float({value})"
    if low == -inf:
        return "True" if high == inf else f"{number} <= {float(high)!r}"
    if high == inf:
        return f"{number} > {float(low)!r}"
    return f"{float(low)!r} < {number} <= {float(high)!r}"
