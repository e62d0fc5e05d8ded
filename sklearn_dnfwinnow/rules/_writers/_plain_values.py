"""Plain values: what literals compare columns with."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

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


def check_types(literals):
    """Raise a ValueError if a column is compared with strings and with other values."""
    kinds = {}
    for literal in literals:
        values = [0.0] if literal.intervals is not None else plain_values(literal)
        known = kinds.setdefault((literal.column, literal.feature), set())
        known.update(isinstance(value, str) for value in values)
    for (_, feature), of_column in sorted(kinds.items()):
        if len(of_column) > 1:
            raise ValueError(
                f"Column {shown(feature)} must be compared with values of one type in "
                "this format; got strings and other values. Convert all its values to "
                "strings before training."
            )


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
