"""Plain values: the values of a literal in the form that writers need."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

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


def any_of(found, word, nothing):
    """Return the disjunction of conditions, for use in a conjunction."""
    if len(found) > 1:
        return f"({f' {word} '.join(found)})"
    return found[0] if found else nothing
