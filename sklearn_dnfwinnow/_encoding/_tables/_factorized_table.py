"""FactorizedTable: data as the distinct values of each column, and their places.

The cells are read once. All codes are then look-ups of integers: with or without
intervals, of all rows or without those of a fold.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._encoding._column_choice import (
    chosen_columns,
    refuse_to_cut,
)
from sklearn_dnfwinnow._encoding._columns import numbers_of
from sklearn_dnfwinnow._encoding._distinct_values import (
    as_array,
    distinct_values,
    ordered,
    ranked_numbers,
)

#: Numeric columns with at most this number of distinct values may be categorical.
MOST_CATEGORIES = 10


@dataclass(frozen=True, eq=False)
class FactorizedColumn:
    """The distinct values of a column.

    Attributes
    ----------
    values : list
        None for a missing value, whether or not there is one, followed by the distinct
        values in order.
    dtype : dtype
        Of the cells, see :func:`sklearn_dnfwinnow._encoding._columns.columns_of`.
    is_complete : bool
        Whether no cell is missing.
    """

    values: list
    dtype: np.dtype
    is_complete: bool

    @classmethod
    def of(cls, cells, label):
        """Return a column of `columns_of`, and the places of its cells: int32."""
        values, places = distinct_values(cells, label)
        present = [value for value in values if value is not None]
        in_order = [None, *(ordered(present) if cells.dtype == object else present)]
        ranks = {value: place for place, value in enumerate(in_order)}
        look_up = np.array([ranks[value] for value in values], dtype=np.int32)
        return cls(in_order, cells.dtype, len(present) == len(values)), look_up[places]

    @cached_property
    def numbers(self):
        """The values as numbers, also for booleans: (n_values + 1,), float64, or None.

        NaN for the missing one. None for other values.
        """
        listed = self.values[1:] if self.is_complete else self.values
        if self.dtype != object:
            return np.array([np.nan, *self.values[1:]], dtype=np.float64)
        numbers = numbers_of(as_array(listed, numeric=False))
        if numbers is not None and self.is_complete:
            return np.append(np.nan, numbers)
        return numbers

    @property
    def is_typed(self):
        """Whether the dtype is one of numbers, not of booleans or objects."""
        return self.dtype.kind in "iuf"

    @property
    def is_numeric(self):
        """Whether the column contains numbers, not booleans."""
        if self.is_typed or self.dtype != object or len(self.values) == 1:
            return self.is_typed
        is_boolean = isinstance(self.values[-1], bool | np.bool_)
        return not is_boolean and self.numbers is not None

    @cached_property
    def ranked(self):
        """Ascending numbers, and the rank of each value: see `ranked_numbers`.

        Large integers that differ can be the same number.
        """
        return ranked_numbers(self.numbers)

    @property
    def has_many_numbers(self):
        """Whether a numeric column has more than a few distinct values."""
        return self.is_numeric and len(self.ranked[0]) > MOST_CATEGORIES


@dataclass(frozen=True, eq=False)
class FactorizedTable:
    """Data as the distinct values of each column, and their places.

    Attributes
    ----------
    codes : ndarray of shape (n_samples, n_features), int32
        The place of each cell among the values of its column, 0 if it is missing.
    columns : list of n_features FactorizedColumn
    label : callable
        From the position of a column to its name in messages.
    names : tuple of str
        Names of the columns of X; empty if they have none.
    """

    codes: np.ndarray
    columns: list
    label: Callable
    names: tuple

    @classmethod
    def of(cls, columns, label, names=()):
        """Return the factorized table of some columns.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_samples,)
            As returned by :func:`sklearn_dnfwinnow._encoding._columns.columns_of`,
            `exact`.
        label : callable
            From the position of a column to its name in messages.
        names : sequence of str, default=()

        Raises
        ------
        ValueError
            If a value is infinite.
        TypeError
            If a value has no hash.
        """
        codes = np.empty((len(columns[0]), len(columns)), dtype=np.int32, order="F")
        factorized = []
        for j, cells in enumerate(columns):
            column, codes[:, j] = FactorizedColumn.of(cells, label(j))
            factorized.append(column)
        return cls(codes, factorized, label, tuple(names))

    def with_codes(self, codes):
        """Return the table of samples with some of its codes."""
        return replace(self, codes=codes)

    @property
    def numeric(self):
        """Whether each column is numeric: list of bool."""
        return [column.is_numeric for column in self.columns]

    @property
    def has_many_numbers(self):
        """Whether each column has many distinct numbers: list of bool."""
        return [column.has_many_numbers for column in self.columns]

    def columns_to_cut(self, discretizer):
        """Return the positions of the columns that a discretizer cuts, none for None.

        Raises
        ------
        ValueError
            If there is no such column, or it is not numeric.
        """
        if discretizer is None:
            return []
        chosen = chosen_columns(discretizer.columns, self.numeric, self.names)
        for j in np.flatnonzero(chosen):
            if self.columns[j].numbers is None:
                refuse_to_cut(discretizer.columns, self.label(j))
        return np.flatnonzero(chosen).tolist()

    def ranked(self, columns, held_out=None):
        """Return ascending numbers of some columns, and the ranks of their cells.

        Parameters
        ----------
        columns : list of int
        held_out : ndarray of shape (n_samples,), bool, default=None
            Samples that are left out.

        Returns
        -------
        ranked : dict of int to (numbers, places)
            Places are 0 for a missing value.
        """
        rows = slice(None) if held_out is None else ~held_out
        found = {}
        for j in columns:
            numbers, ranks = self.columns[j].ranked
            found[j] = numbers, ranks[self.codes[rows, j]]
        return found

    def is_one_view(self, discretizer, missing):
        """Return whether the codes of all rows are valid for any held-out rows.

        They are if they do not depend on labels. Values that occur only in held-out
        rows then keep their own codes, which no other row uses.
        """
        fills = missing == "most_frequent" and not self.codes.all()
        to_cut = self.columns_to_cut(discretizer)
        return not fills and (not to_cut or discretizer._ignores_labels)
