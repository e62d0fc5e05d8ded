"""Derived columns: columns of codes that are functions of the code of an attribute.

Terms are conjunctions of equalities. A literal of another kind, the complement of a
value, one side of a cut between two values, or an interval of several values, is an
equality in a derived column.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

# Attributes with more values than this have equalities only.
MANY_VALUES = 32

#: Relations of literals of an attribute of which two have no value in common, or one
#: implies the other.
NESTED = frozenset({"=", "in"})


class DerivedColumn(NamedTuple):
    """A column of codes with literals.

    Parameters
    ----------
    attribute : int
        The attribute.
    codes : ndarray of shape (n_values + 1,), int32
        The code in this column for each code of the attribute; 0 satisfies no literal.
    relations : tuple of str
        The relation of each code, from 1: '=', '!=', '<=', '>' or 'in'.
    value : int or None
        Code of the value on the right of the relation; None if it is the value of each
        code, or an interval of values.
    """

    attribute: int
    codes: np.ndarray
    relations: tuple
    value: int | None


def derived_columns(attribute, values, literals, is_ordered=False):
    """Return the literals of an attribute: equalities first, then all others.

    An attribute of two values gets no other literals: each value is the complement of
    the other. An attribute of more than `MANY_VALUES` values gets no complements or
    cuts, as a row would satisfy all complements but one.

    Parameters
    ----------
    attribute : int
    values : ndarray of shape (n_values,)
        Values in the order of their codes.
    literals : {'equal', 'ordered', 'intervals'}
        Whether there are complements and cuts, or intervals.
    is_ordered : bool
        Whether a numeric attribute is cut for any value of `literals`.

    Returns
    -------
    columns : list of DerivedColumn
        A complement has code 1; a cut has 1 below, and 2 above; intervals of one width
        have 1, 2, ..., ascending.
    """
    n_values = len(values)
    codes = np.arange(n_values + 1, dtype=np.int32)
    columns = [DerivedColumn(attribute, codes, ("=",) * n_values, None)]
    if literals == "intervals" and not is_ordered:
        return columns + _nested_intervals(attribute, ranks_of(values))
    if not 2 < n_values <= MANY_VALUES or (literals == "equal" and not is_ordered):
        return columns
    ranks = ranks_of(values)
    compared = codes[1:] if ranks is None else np.argsort(ranks)[-ranks.max() : -1]
    return columns + [_compared(attribute, codes, ranks, code) for code in compared]


def compared_columns(attribute, values, compared):
    """Return the literals of an attribute: equalities first, then given comparisons.

    Parameters
    ----------
    attribute : int
    values : ndarray of shape (n_values,)
        Values in the order of their codes.
    compared : tuple of int
        Codes of the values on the right of the comparisons: '<=' and '>' for numbers,
        and '!=' for others.

    Returns
    -------
    columns : list of DerivedColumn
    """
    codes, ranks = np.arange(len(values) + 1, dtype=np.int32), ranks_of(values)
    return [
        DerivedColumn(attribute, codes, ("=",) * len(values), None),
        *(_compared(attribute, codes, ranks, code) for code in compared),
    ]


def _compared(attribute, codes, ranks, code):
    """Return the column of the comparisons of an attribute with one value."""
    if ranks is None:
        found, relations = (codes != 0) & (codes != code), ("!=",)
    else:
        found, relations = np.sign(ranks) + (ranks > ranks[code]), ("<=", ">")
    return DerivedColumn(attribute, found.astype(np.int32), relations, int(code))


def _nested_intervals(attribute, ranks):
    """Return a column for each width of intervals: halves, quarters, and so on.

    Each of 2, 4, ... intervals, fewer than there are values, has about the same number
    of neighbouring values. An interval of one width is within one of each larger width,
    since ``ceil(ceil(4 r / n) / 2) == ceil(2 r / n)``. Each value is in one interval of
    each width, even if it is the only one there; a missing value is in none.
    """
    n_ranks = 0 if ranks is None else int(ranks.max(initial=0))
    columns = []
    for width in range(1, max(n_ranks - 1, 0).bit_length()):
        places = -(-ranks.astype(np.int64) * 2**width // n_ranks)
        relations = ("in",) * 2**width
        columns.append(
            DerivedColumn(attribute, places.astype(np.int32), relations, None)
        )
    return columns


def ranks_of(values):
    """Return ranks of codes by value, 0 for missing values; None if not numeric."""
    if values.dtype.kind not in "iuf":
        return None
    present = np.flatnonzero(~np.isnan(values))
    ranks = np.zeros(len(values) + 1, dtype=np.int32)
    ranks[1 + present[np.argsort(values[present])]] = np.arange(1, len(present) + 1)
    return ranks
