"""Columns of codes for literals other than "attribute = value".

Terms are conjunctions of equalities. A literal of another kind, the complement of a
value or the side of a cut between two values, is an equality in a column of its own.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

# Attributes with more values than this have equalities only.
MANY_VALUES = 32


class LiteralColumn(NamedTuple):
    """The literals that the codes of a column of `with_literals` stand for.

    Parameters
    ----------
    attribute : int
        The attribute.
    place : int
        Which of the columns of this attribute it is, the attribute itself being 0.
    relations : tuple of str
        The relation of each code, from 1: '=', '!=', '<=' or '>'.
    value : int or None
        Code of the value on the right of the relation; None where it is each code's.
    """

    attribute: int
    place: int
    relations: tuple
    value: int | None


def with_literals(codes, literals, categories, ordered=()):
    """Append to codes a column for each literal that is no equality.

    The columns are a function of the codes, so that a model need not keep them. An
    unspecified value satisfies none of the literals. An attribute of two values gets no
    column: each value is the complement of the other. Nor does one of more than
    `MANY_VALUES`, as a row would satisfy all complements but one.

    Parameters
    ----------
    codes : ndarray of shape (n, n_attributes), int32
        Rows of codes.
    literals : {'equal', 'both', 'ordered'}
        Whether there are complements, and cuts instead where values are numbers.
    categories : list of n_attributes ndarrays
        Values in the order of their codes.
    ordered : collection of int, default=()
        Attributes of numbers that are cut whatever `literals` says.

    Returns
    -------
    codes : ndarray of shape (n, n_attributes + n_literals), int32
        A complement has code 1; a cut 1 below, and 2 above.
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
    """Yield attributes with more literals, how many values, and their ranks if cut."""
    for j, values in enumerate(categories):
        if 2 < len(values) <= MANY_VALUES and (literals != "equal" or j in ordered):
            is_cut = literals == "ordered" or j in ordered
            yield j, len(values), ranks_of(values) if is_cut else None


def ranks_of(values):
    """Return ranks of codes by their values, 0 for missing ones; None if no numbers."""
    if values.dtype.kind not in "iuf":
        return None
    present = np.flatnonzero(~np.isnan(values))
    ranks = np.zeros(len(values) + 1, dtype=np.int32)
    ranks[1 + present[np.argsort(values[present])]] = np.arange(1, len(present) + 1)
    return ranks
