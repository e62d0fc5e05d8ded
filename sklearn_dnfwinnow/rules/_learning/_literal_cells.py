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
    cells : ndarray of shape (n_features, n_rows), int
        Cell of each row.
    n_cells : list of int
        Of each feature.
    holds : csr_array of shape (n_literals, n_all_cells), float64
        1 for the cells of each literal; those of the features follow one another.
    """

    cells: np.ndarray
    n_cells: list
    holds: csr_array

    @classmethod
    def of(cls, holds, features):
        """Return the cells of rows.

        Parameters
        ----------
        holds : ndarray of shape (n_rows, n_literals), bool
        features : ndarray of shape (n_literals,), int
        """
        cells, n_cells, literals, of_literals = [], [], [], []
        for feature in np.unique(features).tolist():
            some = np.flatnonzero(features == feature)
            first, inverse = _distinct(packed(holds[:, some]))
            literal, cell = np.nonzero(holds[np.ix_(first, some)].T)
            literals.append(some[literal])
            of_literals.append(cell + sum(n_cells))
            cells.append(inverse)
            n_cells.append(len(first))
        literals, of_literals = (
            np.concatenate([[], *x]).astype(np.intp) for x in (literals, of_literals)
        )
        return cls(
            cells=np.array(cells, dtype=np.intp).reshape(-1, len(holds)),
            n_cells=n_cells,
            holds=csr_array(
                (np.ones(len(literals)), (literals, of_literals)),
                shape=(holds.shape[1], sum(n_cells)),
            ),
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
        n_sets, worth = len(covers), np.flatnonzero(values)
        place, row = np.nonzero(covers[:, worth])
        row = worth[row]
        values, found = values[row], []
        for of_rows, n_cells in zip(self.cells, self.n_cells):
            sums = np.bincount(
                place * n_cells + of_rows[row],
                weights=values,
                minlength=n_sets * n_cells,
            )
            found.append(sums.reshape(n_sets, n_cells))
        return np.ascontiguousarray((self.holds @ np.hstack(found).T).T)


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
