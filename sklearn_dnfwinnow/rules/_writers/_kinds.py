"""Kinds of columns: strings, numbers or booleans, for languages with types."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isfinite

from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.rules._writers._plain_values import plain_values


def kind_of(values, feature, *, has_intervals=False):
    """Return what a column holds, by the plain values that it is compared with.

    Parameters
    ----------
    values : iterable
        Strings, numbers and booleans.
    feature : str
        Name of the column.
    has_intervals : bool, default=False
        Whether it is compared with intervals of numbers, too.

    Returns
    -------
    kind : {'string', 'number', 'boolean'}
        A boolean beside numbers is one of them. 'string' where there is no value.

    Raises
    ------
    ValueError
        If there are strings, and others.
    """
    kinds = {*map(_kind, values), *["number"] * has_intervals}
    if "string" in kinds and len(kinds) > 1:
        raise ValueError(
            f"Column {shown(feature)} is compared with strings, and with others: "
            "columns have one type each in this format. Make strings of all its values "
            "before training."
        )
    if "number" in kinds:
        return "number"
    return "boolean" if "boolean" in kinds else "string"


def kinds_of_columns(literals):
    """Return the kind of each column in some literals: dict of position to kind."""
    values, cut = {}, set()
    for literal in literals:
        listed = values.setdefault(literal.column, [])
        if literal.intervals is None:
            listed += plain_values(literal)
        else:
            cut.add(literal.column)
    names = {literal.column: literal.feature for literal in literals}
    return {
        j: kind_of(listed, names[j], has_intervals=j in cut)
        for j, listed in sorted(values.items())
    }


def as_double(value):
    """Return a number or boolean as a float that equals it.

    Raises
    ------
    ValueError
        If there is none: the number has too many digits.
    """
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number != value or not isfinite(number):
        raise ValueError(
            f"The number {value!r} is none of double precision, in which this format "
            "compares numbers."
        )
    # The negative zero equals zero, but not everywhere.
    return number + 0.0


def _kind(value):
    """Return the kind of a plain value."""
    if isinstance(value, str):
        return "string"
    return "boolean" if isinstance(value, bool) else "number"
