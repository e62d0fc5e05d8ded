"""Conflicts: pairs of columns of codes that no term may contain together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import count
from math import comb

import numpy as np

# Maximum number of sets of conflicting attributes that are told apart in a count.
_MOST_SETS = 1 << 11


@dataclass(frozen=True, eq=False)
class Conflicts:
    """Pairs of columns that no term may contain together, by their attributes.

    All columns of two attributes conflict, or none of them do. The arrays are those of
    a compressed sparse matrix of attributes, so that memory is in proportion to the
    numbers of columns and of pairs.

    Parameters
    ----------
    owners : ndarray of shape (n_columns,), int32
        The attribute of each column.
    starts : ndarray of shape (n_attributes + 1,), int64
        Positions in `partners` of the attributes that conflict with each attribute.
    partners : ndarray of shape (2 * n_pairs,), int32
        Attributes, in ascending order for each attribute.
    """

    owners: np.ndarray
    starts: np.ndarray
    partners: np.ndarray

    @classmethod
    def of(cls, owners, pairs=()):
        """Return the conflicts of columns whose attributes conflict.

        Parameters
        ----------
        owners : array-like of shape (n_columns,), int
        pairs : array-like of shape (n_pairs, 2), int
            Distinct pairs of different attributes.
        """
        owners = np.asarray(owners, dtype=np.int32)
        pairs = np.asarray(pairs, dtype=np.int32).reshape(-1, 2)
        both = np.concatenate([pairs, pairs[:, ::-1]])
        both = both[np.lexsort(both.T[::-1])]
        n_attributes = max(owners.max(initial=-1), both.max(initial=-1)) + 1
        starts = np.searchsorted(both[:, 0], np.arange(n_attributes + 1))
        return cls(owners, starts.astype(np.int64), np.ascontiguousarray(both[:, 1]))

    def __bool__(self):
        return len(self.partners) > 0

    @property
    def attributes(self):
        """Return the attributes that conflict with others, ascending."""
        return np.flatnonzero(np.diff(self.starts))

    def columns_by_part(self):
        """Return the columns without conflicts, and those of each of `attributes`.

        Returns
        -------
        columns : list of indices
        """
        attributes = self.attributes
        if not len(attributes):
            return [slice(None)]
        free = np.flatnonzero(~np.isin(self.owners, attributes))
        return [free, *(np.flatnonzero(self.owners == j) for j in attributes)]

    def n_terms(self, n_free, sizes, most):
        """Return the number of terms of each size, up to a maximum, without conflicts.

        Parameters
        ----------
        n_free : int
            Number of columns of attributes without conflicts.
        sizes : sequence of int
            Number of columns of each of `attributes`.
        most : int
            Maximum size.

        Returns
        -------
        numbers : list of int
            Up to the largest size of a term, or `most`.

        Raises
        ------
        ValueError
            If the conflicts are too many, and too irregular.
        """
        n_columns = dict(zip(self.attributes.tolist(), sizes))
        partners = {
            j: {
                i
                for i in self.partners[self.starts[j] : self.starts[j + 1]].tolist()
                if n_columns[i]
            }
            for j, n in n_columns.items()
            if n
        }
        found = _without_partners(
            set(partners), partners, n_columns, most=most, calls=count()
        )
        return _product(_subsets(n_free, most), found, most)

    def has_few_sets(self, most):
        """Return whether terms of up to a size can be counted, see `n_terms`."""
        try:
            self.n_terms(0, [1] * len(self.attributes), most)
        except ValueError:
            return False
        return True

    def with_column(self, column):
        """Return a mask of the columns that conflict with one: (n_columns,), bool."""
        attribute = self.owners[column]
        conflicting = np.zeros(len(self.starts) - 1, dtype=bool)
        own = slice(self.starts[attribute], self.starts[attribute + 1])
        conflicting[self.partners[own]] = True
        return conflicting[self.owners]

    def degrees(self, columns):
        """Return with how many of some columns each of them conflicts.

        Parameters
        ----------
        columns : array-like of shape (n,), int

        Returns
        -------
        degrees : ndarray of shape (n,), int
        """
        owners = self.owners[columns]
        counts = np.bincount(owners, minlength=len(self.starts) - 1)
        totals = np.concatenate([[0], np.cumsum(counts[self.partners])])
        return np.diff(totals[self.starts])[owners]


# -- numbers of terms by size, as polynomials ------------------------------------------


def _subsets(n, most):
    """Return the number of subsets of n columns of each size: list of int."""
    return [comb(n, size) for size in range(min(n, most) + 1)]


def _product(first, second, most):
    """Return the numbers of pairs of terms by their size in all, up to a maximum."""
    found = [0] * (min(most, len(first) + len(second) - 2) + 1)
    for i, one in enumerate(first):
        for j, other in enumerate(second[: len(found) - i]):
            found[i + j] += one * other
    return found


def _without_partners(left, partners, n_columns, *, most, calls):
    """Return numbers of terms over attributes of which no two are partners.

    Parameters
    ----------
    left : set of int
        The attributes.
    partners : dict of int to set of int
    n_columns : dict of int to int
    most : int
        Maximum size.
    calls : iterator of int
        Counts the calls of this function.
    """
    if next(calls) >= _MOST_SETS:
        raise ValueError(
            "The pairs of columns in forbidden are too many to count the terms without "
            "them. Forbid fewer pairs, or set screening=None to learn all terms."
        )
    if most < 2:
        return _subsets(sum(n_columns[j] for j in left), most)
    degrees = {j: len(partners[j] & left) for j in left}
    open_ = {j for j in left if degrees[j]}
    found = _subsets(sum(n_columns[j] for j in left - open_), most)
    while open_:
        part = _connected(open_, partners)
        open_ -= part
        of_part = _of_connected(
            part, degrees, partners, n_columns, most=most, calls=calls
        )
        found = _product(found, of_part, most)
    return found


def _connected(left, partners):
    """Return attributes that partners connect with one another: set of int."""
    found, new = set(), {min(left)}
    while new:
        found |= new
        new = set().union(*(partners[j] for j in new)) & left - found
    return found


def _of_connected(part, degrees, partners, n_columns, *, most, calls):
    """Return numbers of terms over connected attributes, see `_without_partners`.

    They contain the attribute with the most partners, and none of those; or they do not
    contain it.
    """
    left, found = set(part), [0] * (most + 1)
    while True:
        j = min(left, key=lambda one: (-degrees[one], one))
        if not degrees[j]:
            break
        left.remove(j)
        for i in partners[j] & left:
            degrees[i] -= 1
        rest = _without_partners(
            left - partners[j], partners, n_columns, most=most - 1, calls=calls
        )
        with_one = _product([0, *_subsets(n_columns[j], most)[1:]], rest, most)
        for size, number in enumerate(with_one):
            found[size] += number
    for size, number in enumerate(_subsets(sum(n_columns[j] for j in left), most)):
        found[size] += number
    return found
