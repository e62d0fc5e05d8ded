"""Allowed literals: those that the terms of each class may contain.

The terms of a class that a row satisfies are the terms of the row without the other
literals. So every sum is a plain sum, of masked rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._terms._term_index import small_sets


@dataclass(frozen=True, eq=False)
class Allowed:
    """The literals that the terms of each class may contain.

    Parameters
    ----------
    literals : list of n_columns ndarrays of shape (n_classes, n_codes + 1), bool
        Whether terms of a class may contain the literal that a column has a code.
        Entries of code 0, which is no literal, are True.
    """

    literals: list

    @cached_property
    def flags(self):
        """The entries of `literals` side by side: (n_classes, n_literals), bool.

        Columns differ in their numbers of codes; a table of columns by codes would take
        more memory by far if one has many.
        """
        return np.concatenate(self.literals, axis=1)

    @cached_property
    def _firsts(self):
        """Positions of code 0 of each column in `flags`."""
        widths = [of_column.shape[1] for of_column in self.literals]
        return np.cumsum(widths) - widths

    def of_codes(self, k, columns, codes):
        """Return whether terms of class k may contain some literals: bool."""
        return self.flags[k, self._firsts[columns] + codes]

    def masked(self, codes, k):
        """Return rows of codes in which the other literals of class k are unspecified.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_columns), int32
        k : int

        Returns
        -------
        codes : ndarray of shape (n_rows, n_columns), int32
        """
        kept = self.of_codes(k, np.arange(codes.shape[1]), codes)
        return np.where(kept, codes, 0).astype(np.int32)

    def of_terms(self, index, k):
        """Return whether class k may have the terms of an index: (n_terms,), bool.

        Parameters
        ----------
        index : TermIndex
            Index of single terms, not of groups.
        k : int
        """
        if index.chosen is not None:
            return index.chosen.allowed(self, k)
        if index.kind == "numbers":
            own = [of_column[k, 1:] for of_column in self.literals]
            return index.numbered(own, combine=np.logical_and, empty=True)
        return self._of_listed(index, k)

    def _of_listed(self, index, k):
        """Return which terms are allowed that an index lists for each row."""
        allowed = np.zeros(index.n_terms, dtype=bool)
        kept = self.of_codes(k, np.arange(index.rows.shape[1]), index.rows)
        for row, of_row, starts in zip(index.rows, kept, index.starts):
            literals = of_row[row != 0]
            sets = small_sets(len(literals), min(len(starts) - 2, len(literals)))
            whole = [literals[of_size].all(axis=1) for of_size in sets]
            allowed[index.terms[starts[0] : starts[-1]]] = np.concatenate(whole)
        return allowed
