"""Conflicts: pairs of columns of codes that no term may contain together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np


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
