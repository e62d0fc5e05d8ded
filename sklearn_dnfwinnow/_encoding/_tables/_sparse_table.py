"""SparseTable: a sparse matrix with too many columns for dense codes of all of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array, csr_array

from sklearn_dnfwinnow._encoding._column_choice import chosen_columns
from sklearn_dnfwinnow._encoding._columns import labels_at
from sklearn_dnfwinnow._encoding._sparse_columns import sparse_columns
from sklearn_dnfwinnow._encoding._tables._active_columns import active_columns
from sklearn_dnfwinnow._encoding._tables._factorized_table import (
    MOST_CATEGORIES,
    FactorizedColumn,
    FactorizedTable,
)

# Maximum number of cells of dense codes, of which training makes several copies, and of
# their columns; and the number of columns for any number of samples.
_MOST_CELLS, _MOST_COLUMNS, _FEWEST_COLUMNS = 3 << 22, 1 << 12, 1 << 8


def most_columns(n_samples):
    """Return the number of columns of a sparse matrix up to which all are active."""
    return int(np.clip(_MOST_CELLS // n_samples, _FEWEST_COLUMNS, _MOST_COLUMNS))


class _FactorizedColumns(Sequence):
    """The columns of a sparse matrix, of which each is factorized when it is read."""

    def __init__(self, matrix, label):
        self._matrix, self._label = matrix, label

    def __len__(self):
        return self._matrix.shape[1]

    def __getitem__(self, j):
        if j >= len(self):
            raise IndexError(j)
        (column,) = sparse_columns(self._matrix[:, [j]])
        return FactorizedColumn.of(column, self._label(j))[0]


@dataclass(frozen=True, eq=False)
class SparseTable:
    """A sparse matrix before the choice of its active columns.

    Attributes
    ----------
    matrix : csc_array of shape (n_samples, n_features), float64
        Without zeros and NaN.
    label, names
        See `FactorizedTable`.
    """

    matrix: csc_array
    label: Callable
    names: tuple

    @classmethod
    def of(cls, columns, label, names=()):
        """Return the table of some sparse columns.

        Parameters
        ----------
        columns : list of SparseColumn
        label, names
            See `FactorizedTable.of`.

        Raises
        ------
        ValueError
            If a value is infinite.
        """
        present = [~np.isnan(column.values) for column in columns]
        ends = np.cumsum([0, *map(np.count_nonzero, present)])
        values = [one.values[seen] for one, seen in zip(columns, present)]
        rows = [one.rows[seen] for one, seen in zip(columns, present)]
        matrix = csc_array(
            (np.concatenate(values), np.concatenate(rows), ends),
            shape=(len(columns[0]), len(columns)),
        )
        infinite = np.flatnonzero(np.isinf(matrix.data))
        if len(infinite):
            j = int(np.searchsorted(ends, infinite[0], side="right")) - 1
            raise ValueError(
                "Input X contains infinity or a value too large for dtype('float64') "
                f"in column {label(j)}."
            )
        return cls(matrix, label, tuple(names))

    @cached_property
    def columns(self):
        """The columns: sequence of FactorizedColumn, made when they are read."""
        return _FactorizedColumns(self.matrix, self.label)

    @cached_property
    def has_many_numbers(self):
        """Whether each column has more than a few distinct values: list of bool."""
        owners = np.repeat(np.arange(len(self.columns)), np.diff(self.matrix.indptr))
        order = np.lexsort((self.matrix.data, owners))
        owners, values = owners[order], self.matrix.data[order]
        is_new = np.append(True, (np.diff(owners) > 0) | (np.diff(values) > 0))
        counts = np.bincount(owners[is_new[: len(owners)]], minlength=len(self.columns))
        return (counts > MOST_CATEGORIES).tolist()

    @property
    def numeric(self):
        """Whether each column is numeric: list of bool."""
        return [True] * self.matrix.shape[1]

    def is_one_view(self, discretizer, missing):
        """Return whether the codes of all rows are valid for any held-out rows."""
        return False

    def columns_to_cut(self, discretizer):
        """Return the positions of the columns that a discretizer cuts."""
        chosen = chosen_columns(discretizer.columns, self.numeric, self.names)
        return np.flatnonzero(chosen).tolist()

    def choose_active(self, labels, weights, rows=None, also=()):
        """Choose the columns that take part: (n_features,), bool.

        Parameters
        ----------
        labels, weights : ndarrays of shape (n_samples,)
            See `active_columns`.
        rows : ndarray of shape (n_samples,), bool, default=None
            Samples whose information is used; None uses all.
        also : collection of int, default=()
            Columns that take part in any case.
        """
        n_samples, n_columns = self.matrix.shape
        matrix = self.matrix
        if rows is not None:
            matrix, labels, weights = matrix[rows], labels[rows], weights[rows]
        active = np.zeros(n_columns, dtype=bool)
        most = most_columns(n_samples)
        active[active_columns(matrix, labels, weights, most)] = True
        active[[*also]] = True
        return active

    def at(self, active):
        """Return the FactorizedTable of some columns, None for all of them."""
        chosen = slice(None) if active is None else np.flatnonzero(active)
        table = FactorizedTable.of(
            sparse_columns(self.matrix[:, chosen]),
            label=labels_at(self.label, active),
            names=self.names,
        )
        return replace(table, active=active)

    @cached_property
    def _row_numbers(self):
        """The number of each sample among distinct ones, in the order of bytes."""
        rows = csr_array(self.matrix)
        rows.sort_indices()
        indices, values = rows.indices.astype(np.int64), rows.data
        keys = [
            indices[first:last].tobytes() + values[first:last].tobytes()
            for first, last in zip(rows.indptr[:-1], rows.indptr[1:])
        ]
        numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
        return np.array([numbers[key] for key in keys], dtype=np.int32)

    @property
    def codes(self):
        """A column of numbers that differ for different samples: (n_samples, 1)."""
        return self._row_numbers[:, None]

    def with_codes(self, codes):
        """Return the table of samples with some of its codes."""
        _, first = np.unique(self._row_numbers, return_index=True)
        return replace(self, matrix=self.matrix[first[codes[:, 0]]])
