"""LiteralCells: sums over the rows that satisfy each literal, by cells of features."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Summands of products of matrices that take as long as a word of bits.
_SUMMANDS_OF_WORD = 4


@dataclass(frozen=True, eq=False)
class LiteralCells:
    """Rows in cells: those of a cell satisfy the same literals of a feature.

    A feature with many literals, such as both sides of each of its cuts, has few cells.
    A sum over the rows that satisfy a literal is one over its cells.

    Attributes
    ----------
    rows : csr_array of shape (n_cells, n_rows), float64
        1 for the rows of each cell, of which each feature has some, one after another.
    features : list of (slice, ndarray, ndarray)
        For each feature its cells, its literals, and 1 for the cells of each literal:
        (n_cells_of_feature, n_literals_of_feature), float64.
    n_literals : int
    """

    rows: csr_array
    features: list
    n_literals: int

    @classmethod
    def of(cls, holds, features):
        """Return the cells of rows.

        Parameters
        ----------
        holds : ndarray of shape (n_rows, n_literals), bool
        features : ndarray of shape (n_literals,), int
        """
        found, cells, n_cells = [], [np.zeros(0, dtype=np.intp)], 0
        for feature in np.unique(features).tolist():
            literals = np.flatnonzero(features == feature)
            _, first, inverse = distinct_rows(np.packbits(holds[:, literals], axis=1))
            some = slice(n_cells, n_cells + len(first))
            of_cells = holds[np.ix_(first, literals)].astype(np.float64)
            found.append((some, literals, of_cells))
            cells.append(n_cells + inverse)
            n_cells += len(first)
        n_rows, n_literals = holds.shape
        cells, rows = np.concatenate(cells), np.tile(np.arange(n_rows), len(found))
        incidence = csr_array((np.ones(len(rows)), (cells, rows)), (n_cells, n_rows))
        return cls(rows=incidence, features=found, n_literals=n_literals)

    @property
    def work(self):
        """Return the work of the sums for one set of rows, in words of bits."""
        n_summands = sum(holds.size for _, _, holds in self.features) + self.rows.nnz
        return n_summands // _SUMMANDS_OF_WORD

    def sums(self, covers, values):
        """Return the sums of values of the rows of sets that satisfy each literal.

        Parameters
        ----------
        covers : ndarray of shape (n_sets, n_rows), bool
        values : ndarray of shape (n_rows,), float64

        Returns
        -------
        sums : ndarray of shape (n_sets, n_literals), float64
        """
        of_rows = np.ascontiguousarray((covers * values).T)
        of_cells = np.ascontiguousarray((self.rows @ of_rows).T)
        sums = np.empty((len(covers), self.n_literals))
        for some, literals, holds in self.features:
            sums[:, literals] = of_cells[:, some] @ holds
        return sums
