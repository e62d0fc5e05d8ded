"""LiteralCells: sums over the rows that satisfy each literal, by cells of features."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from sklearn_dnfwinnow.rules._learning._row_bits import packed


@dataclass(frozen=True, eq=False)
class LiteralCells:
    """Rows in cells: those of a cell satisfy the same literals of a feature.

    A feature with many literals, such as both sides of each of its cuts, has few cells.
    A sum over the rows that satisfy a literal is one over its cells.

    Attributes
    ----------
    rows : csr_array of shape (n_cells, n_rows), float64
        1 for the rows of each cell, of which each feature has some.
    holds : csr_array of shape (n_literals, n_cells), float64
        1 for the cells of each literal.
    """

    rows: csr_array
    holds: csr_array

    @classmethod
    def of(cls, holds, features):
        """Return the cells of rows.

        Parameters
        ----------
        holds : ndarray of shape (n_rows, n_literals), bool
        features : ndarray of shape (n_literals,), int
        """
        n_cells, cells, literals, of_literals = 0, [], [], []
        for feature in np.unique(features).tolist():
            some = np.flatnonzero(features == feature)
            first, inverse = _distinct(packed(holds[:, some]))
            literal, cell = np.nonzero(holds[np.ix_(first, some)].T)
            literals.append(some[literal])
            of_literals.append(n_cells + cell)
            cells.append(n_cells + inverse)
            n_cells += len(first)
        n_rows, n_literals = holds.shape
        rows = np.tile(np.arange(n_rows), len(cells))
        return cls(
            rows=_incidence(cells, [rows], (n_cells, n_rows)),
            holds=_incidence(literals, of_literals, (n_literals, n_cells)),
        )

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
        return np.ascontiguousarray((self.holds @ (self.rows @ of_rows)).T)


def _incidence(rows, columns, shape):
    """Return a sparse matrix of ones, given their rows and columns in parts."""
    rows, columns = (np.concatenate([[], *x]).astype(np.intp) for x in (rows, columns))
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _distinct(words):
    """Return the first of each distinct row of words, and which one each row is."""
    inverse = np.zeros(len(words), dtype=np.intp)
    for word in words.T:
        _, one = np.unique(word, return_inverse=True)
        _, first, inverse = np.unique(
            inverse * (one.max(initial=0) + 1) + one,
            return_index=True,
            return_inverse=True,
        )
    return first, inverse
