"""Kinds of columns: strings, numbers or booleans, for languages with types."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isfinite

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._writers._plain_values import compared_columns


def kind_of(values, feature, *, has_intervals=False):
    """Return the type of a column, from the plain values that it is compared with.

    Parameters
    ----------
    values : iterable
        Strings, numbers and booleans.
    feature : str
        Name of the column.
    has_intervals : bool, default=False
        Whether it is also compared with intervals of numbers.

    Returns
    -------
    kind : {'string', 'number', 'boolean'}
        Booleans together with numbers are numbers. 'string' if there are no values.

    Raises
    ------
    ValueError
        If some values, but not all, are strings.
    """
    kinds = {*map(_kind, values), *["number"] * has_intervals}
    if "string" in kinds and len(kinds) > 1:
        raise ValueError(
            f"Column {shown(feature)} must be compared with values of one type in this "
            "format; got strings and other values. Convert all its values to strings "
            "before training."
        )
    if "number" in kinds:
        return "number"
    return "boolean" if "boolean" in kinds else "string"


def kinds_of_columns(literals):
    """Return the kind of each column in some literals: dict of position to kind."""
    return {
        j: kind_of(values, feature, has_intervals=ends is not None)
        for j, (feature, values, ends) in compared_columns(literals).items()
    }


def as_double(value):
    """Return a number or boolean as an equal float.

    Raises
    ------
    ValueError
        If there is none, because the number has too many digits.
    """
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number != value or not isfinite(number):
        raise ValueError(
            f"The number {value!r} must be representable in double precision, in which "
            "this format compares numbers."
        )
    # The negative zero equals zero, but not in all formats.
    return number + 0.0


def _kind(value):
    """Return the kind of a plain value."""
    if isinstance(value, str):
        return "string"
    return "boolean" if isinstance(value, bool) else "number"
