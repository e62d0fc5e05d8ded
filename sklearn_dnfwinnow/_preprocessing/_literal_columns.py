"""Literals: what a term may say of an attribute, besides that it equals a value.

A row that has a value also says which values it does not have. Each such literal is an
attribute of its own to the Winnows, which know of equality only: the complement of a
value, or the side of a cut between two values.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

# Attributes with more values than this have no literals but equalities.
MANY_VALUES = 32


class LiteralColumn(NamedTuple):
    """What a column of `with_literals` stands for.

    Parameters
    ----------
    attribute : int
        Of which attribute it speaks.
    place : int
        Which of the columns of this attribute it is, the attribute itself being 0.
    relations : tuple of str
        What each code says, 1 coming first: '=', '!=', '<=' or '>'.
    value : int or None
        Code of the value that it compares with; None where each code is its own.
    """

    attribute: int
    place: int
    relations: tuple
    value: int | None


def with_literals(codes, literals, categories):
    """Codes with a column for each literal that is no equality, behind the others.

    They are a function of the codes: a model need not keep them. What is unspecified
    satisfies none of them. Two values make no more: each is what the other is not; nor
    do more than `MANY_VALUES`, of which a row would satisfy all complements but one.

    Parameters
    ----------
    codes : ndarray of shape (n, n_attributes), int32
        Rows of codes.
    literals : {'equal', 'both', 'ordered'}
        Whether there are complements, and cuts instead where values are numbers.
    categories : list of n_attributes ndarrays
        Values in the order of their codes.

    Returns
    -------
    codes : ndarray of shape (n, n_attributes + n_literals), int32
        A complement has code 1; a cut 1 below, and 2 above.
    """
    if literals == "equal":
        return codes
    columns = [codes]
    for j, n_values, ranks in _more(literals, categories):
        column = codes[:, j]
        if ranks is None:
            every = np.arange(1, n_values + 1)
            columns.append((column[:, None] != 0) & (column[:, None] != every))
        else:
            rank = ranks[column][:, None]
            cuts = np.arange(1, ranks.max())
            columns.append(np.where(rank == 0, 0, np.where(rank <= cuts, 1, 2)))
    return np.column_stack(columns).astype(np.int32)


def n_values_with(n_values, literals, categories):
    """Largest codes of the columns that `with_literals` makes of all values."""
    if literals == "equal":
        return n_values
    largest = [n_values]
    for _, n, ranks in _more(literals, categories):
        largest.append(np.ones(n) if ranks is None else np.full(ranks.max() - 1, 2))
    return np.concatenate(largest).astype(np.int64)


def literal_columns(literals, categories):
    """What the columns that `with_literals` makes stand for: list of LiteralColumn."""
    columns = [
        LiteralColumn(j, 0, ("=",) * len(values), None)
        for j, values in enumerate(categories)
    ]
    for j, n_values, ranks in _more(literals, categories):
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


def _more(literals, categories):
    """Attributes with more literals, how many values, and their ranks if cut."""
    if literals == "equal":
        return
    for j, values in enumerate(categories):
        if 2 < len(values) <= MANY_VALUES:
            yield j, len(values), _ranks(values) if literals == "ordered" else None


def _ranks(values):
    """Ranks of codes by their values, 0 for missing ones; None if no numbers."""
    if values.dtype.kind not in "iuf":
        return None
    present = np.flatnonzero(~np.isnan(values))
    ranks = np.zeros(len(values) + 1, dtype=np.int32)
    ranks[1 + present[np.argsort(values[present])]] = np.arange(1, len(present) + 1)
    return ranks
