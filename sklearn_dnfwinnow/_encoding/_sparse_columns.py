"""Sparse columns: the columns of a sparse matrix, of which zeros are absent.

A zero is a missing value, whether the matrix stores it or not. A dense array gives the
same codes if its zeros are replaced by NaN.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csc_array, issparse


@dataclass(frozen=True, eq=False)
class SparseColumn:
    """The cells of a column that are not zero.

    Attributes
    ----------
    values : ndarray of shape (n_stored,), float64
        NaN is a missing value, like each zero.
    rows : ndarray of shape (n_stored,), int
        The sample of each value.
    n_samples : int
    """

    values: np.ndarray
    rows: np.ndarray
    n_samples: int

    # As of a dense column with NaN instead of zeros.
    dtype = np.dtype(np.float64)

    def __len__(self):
        return self.n_samples

    def dense(self):
        """Return the column with NaN for zeros: (n_samples,), float64."""
        cells = np.full(self.n_samples, np.nan)
        cells[self.rows] = self.values
        return cells

    def distinct_values(self, of_stored):
        """Return distinct values and places of all cells.

        Parameters
        ----------
        of_stored : tuple of (list, ndarray)
            Distinct values of the stored cells, None last, and the place of each cell.
        """
        values, places = of_stored
        if len(self.values) == self.n_samples:
            every = np.empty(self.n_samples, dtype=np.intp)
        else:
            if None not in values[-1:]:
                values = [*values, None]
            every = np.full(self.n_samples, len(values) - 1, dtype=np.intp)
        every[self.rows] = places
        return values, every


class DenseColumns(Sequence):
    """Sparse columns as arrays, of which each is made when it is read.

    Parameters
    ----------
    columns : list of SparseColumn
    """

    def __init__(self, columns):
        self._columns = columns

    def __len__(self):
        return len(self._columns)

    def __getitem__(self, j):
        return self._columns[j].dense()


def is_sparse(X):
    """Return whether X is a sparse matrix or array, or a sparse data frame.

    A data frame of pandas is sparse if all columns are, with numbers or booleans and
    the fill value 0.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(X, pandas.DataFrame) or not X.shape[1]:
        return issparse(X)
    return all(
        isinstance(dtype, pandas.SparseDtype)
        and dtype.subtype.kind in "iufb"
        and dtype.fill_value == 0
        # No set of them: pandas cannot hash the type of all categories.
        for dtype in X.dtypes
    )


def sparse_matrix(X):
    """Return X if it is a sparse matrix, a sparse data frame as one, otherwise None."""
    if not is_sparse(X):
        return None
    return X if issparse(X) else X.sparse.to_coo()


def check_missing(X, missing):
    """Raise an error if zeros of a sparse matrix would be more than absent.

    Parameters
    ----------
    X : as given
    missing : {'unspecified', 'category', 'most_frequent'}
        The code of a missing value, see `Encoding`.
    """
    if missing != "unspecified" and is_sparse(X):
        raise ValueError(
            "A sparse X requires missing='unspecified', because its zeros are absent; "
            f"got missing={missing!r}. Pass X.toarray() for zeros that are values."
        )


def sparse_columns(matrix):
    """Return the columns of a sparse matrix: list of SparseColumn."""
    matrix = csc_array(matrix)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    ends, columns = matrix.indptr, []
    for first, last in pairwise(ends):
        values, rows = matrix.data[first:last], matrix.indices[first:last]
        stays = values != 0
        columns.append(
            SparseColumn(values[stays].astype(np.float64), rows[stays], matrix.shape[0])
        )
    return columns


def densified(matrix):
    """Return a sparse matrix as an array with NaN for zeros, float64."""
    return np.column_stack([column.dense() for column in sparse_columns(matrix)])
