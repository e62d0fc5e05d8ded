"""LiteralCells: sums over the rows that satisfy each literal, by cells of features."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csr_array

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
    literals : csr_array of shape (n_literals, n_cells), float64
        1 for the cells of each literal.
    work : int
        Work of the sums for one set of rows, in words of bits.
    """

    rows: csr_array
    literals: csr_array
    work: int

    @classmethod
    def of(cls, holds, features):
        """Return the cells of rows.

        Parameters
        ----------
        holds : ndarray of shape (n_rows, n_literals), bool
        features : ndarray of shape (n_literals,), int
        """
        order, blocks, cells, n_cells = [], [np.zeros((0, 0))], [], 0
        for feature in np.unique(features).tolist():
            literals = np.flatnonzero(features == feature)
            _, first, inverse = distinct_rows(np.packbits(holds[:, literals], axis=1))
            order += literals.tolist()
            blocks.append(holds[np.ix_(first, literals)].T)
            cells.append(n_cells + inverse)
            n_cells += len(first)
        rows = np.tile(np.arange(len(holds)), len(cells))
        incidence = (np.ones(len(rows)), (np.ravel(cells), rows))
        n_summands = sum(block.size for block in blocks) + len(rows)
        return cls(
            rows=csr_array(incidence, shape=(n_cells, len(holds))),
            literals=csr_array(block_diag(blocks, dtype=float))[np.argsort(order)],
            work=n_summands // _SUMMANDS_OF_WORD,
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
        return (self.literals @ (self.rows @ of_rows)).T
