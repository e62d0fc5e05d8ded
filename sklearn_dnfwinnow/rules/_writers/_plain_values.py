"""Plain values: what literals compare columns with, and the types of columns."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isfinite

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._checks import is_plain, plain


def plain_values(literal):
    """Return the values that a literal lists, as Python objects.

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    """
    where = f"Column {literal.feature!r} is compared with"
    return [plain(value, where, _is_writable) for value in literal.values]


def _is_writable(value):
    """Return whether a value is plain, or an integer: each language has its limits."""
    return type(value) is int or is_plain(value)


def encodable(text, language):
    """Check and return text that UTF-8 can encode.

    Raises
    ------
    ValueError
        If it contains a lone surrogate, which no `language` can represent.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{language} cannot represent a character in {text!r}."
        ) from None
    return text


def compared_columns(literals):
    """Return what some literals compare each column with.

    Returns
    -------
    compared : dict of int to (str, list, list or None)
        For each position of a column, in ascending order: its name, its plain values,
        and the finite ends of its intervals; None if it has no intervals.
    """
    compared = {}
    for literal in literals:
        j = literal.column
        feature, values, ends = compared.get(j, (literal.feature, [], None))
        if literal.intervals is None:
            values = [*values, *plain_values(literal)]
        else:
            own = [end for interval in literal.intervals for end in interval]
            ends = [*(ends or ()), *filter(isfinite, own)]
        compared[j] = feature, values, ends
    return dict(sorted(compared.items()))


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


def among(value, constants, relations, anything):
    """Return alternatives for a value being, or not being, one of some constants.

    Parameters
    ----------
    value : str
    constants : list of str
    relations : (str, str)
        Relations to one constant, and to several.
    anything : list of str
        The alternatives if there is no constant.
    """
    one, several = relations
    if len(constants) > 1:
        return [f"{value} {several} ({', '.join(constants)})"]
    return [f"{value} {one} {only}" for only in constants] or anything


def any_of(found, word, nothing):
    """Return the disjunction of conditions, for use in a conjunction."""
    if len(found) > 1:
        return f"({f' {word} '.join(found)})"
    return found[0] if found else nothing
