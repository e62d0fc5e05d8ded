"""Columns of codes for literals other than "attribute = value".

Terms are conjunctions of equalities. A literal of another kind, the complement of a
value or one side of a cut between two values, is an equality in an additional column.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

# Attributes with more values than this have equalities only.
MANY_VALUES = 32


class LiteralColumn(NamedTuple):
    """The literals of the codes of a column of `with_literals`.

    Parameters
    ----------
    attribute : int
        The attribute.
    place : int
        Index of the column among the columns of this attribute; 0 is the attribute.
    relations : tuple of str
        The relation of each code, from 1: '=', '!=', '<=' or '>'.
    value : int or None
        Code of the value on the right of the relation; None if it is the value of each
        code.
    """

    attribute: int
    place: int
    relations: tuple
    value: int | None


def with_literals(codes, literals, categories, ordered=()):
    """Append to codes a column for each literal that is not an equality.

    The columns are a function of the codes, so that a model need not store them. An
    unspecified value satisfies none of the literals. An attribute of two values gets no
    column: each value is the complement of the other. An attribute of more than
    `MANY_VALUES` values gets none either, as a row would satisfy all complements but
    one.

    Parameters
    ----------
    codes : ndarray of shape (n, n_attributes), int32
        Rows of codes.
    literals : {'equal', 'both', 'ordered'}
        Whether there are complements, and cuts instead for numbers.
    categories : list of n_attributes ndarrays
        Values in the order of their codes.
    ordered : collection of int, default=()
        Numeric attributes that are cut for any value of `literals`.

    Returns
    -------
    codes : ndarray of shape (n, n_attributes + n_literals), int32
        A complement has code 1; a cut has 1 below, and 2 above.
    """
    columns = [codes]
    for j, n_values, ranks in _more(literals, categories, ordered):
        column = codes[:, j]
        if ranks is None:
            every = np.arange(1, n_values + 1)
            columns.append((column[:, None] != 0) & (column[:, None] != every))
        else:
            rank = ranks[column][:, None]
            cuts = np.arange(1, ranks.max())
            columns.append(np.where(rank == 0, 0, np.where(rank <= cuts, 1, 2)))
    return np.column_stack(columns).astype(np.int32) if columns[1:] else codes


def n_values_with(n_values, literals, categories, ordered=()):
    """Return the largest code of each column that `with_literals` returns."""
    largest = [n_values]
    for _, n, ranks in _more(literals, categories, ordered):
        largest.append(np.ones(n) if ranks is None else np.full(ranks.max() - 1, 2))
    return np.concatenate(largest).astype(np.int64)


def literal_columns(literals, categories, ordered=()):
    """Return a LiteralColumn for each column that `with_literals` returns."""
    columns = [
        LiteralColumn(j, 0, ("=",) * len(values), None)
        for j, values in enumerate(categories)
    ]
    for j, n_values, ranks in _more(literals, categories, ordered):
        if ranks is None:
            relations, compared = ("!=",), np.arange(1, n_values + 1)
        else:
            in_order = np.argsort(ranks)
            relations, compared = ("<=", ">"), in_order[ranks[in_order] > 0][:-1]
        columns += [
            LiteralColumn(j, place, relations, int(code))
            for place, code in enumerate(compared, start=1)
        ]
    return columns


def _more(literals, categories, ordered):
    """Yield attributes with more literals, numbers of values, and ranks if cut."""
    for j, values in enumerate(categories):
        if 2 < len(values) <= MANY_VALUES and (literals != "equal" or j in ordered):
            is_cut = literals == "ordered" or j in ordered
            yield j, len(values), ranks_of(values) if is_cut else None


def ranks_of(values):
    """Return ranks of codes by value, 0 for missing values; None if not numeric."""
    if values.dtype.kind not in "iuf":
        return None
    present = np.flatnonzero(~np.isnan(values))
    ranks = np.zeros(len(values) + 1, dtype=np.int32)
    ranks[1 + present[np.argsort(values[present])]] = np.arange(1, len(present) + 1)
    return ranks
