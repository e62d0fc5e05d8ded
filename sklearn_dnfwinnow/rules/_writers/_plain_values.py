"""Plain values: what literals compare columns with, in the form that writers need."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isfinite

from sklearn_dnfwinnow._utils._json_values import is_plain, plain


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
