"""Plain values: what a literal compares with, as a writer can write it down."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._json_values import plain


def plain_values(literal):
    """Return the values that a literal lists, as Python's own.

    Raises
    ------
    TypeError
        If a value is no string, number or boolean.
    """
    where = f"Column {literal.feature!r} is compared with"
    return [plain(value, where) for value in literal.values]


def any_of(found, word, nothing):
    """Return conditions joined, so that they can stand in a conjunction."""
    if len(found) > 1:
        return f"({f' {word} '.join(found)})"
    return found[0] if found else nothing
