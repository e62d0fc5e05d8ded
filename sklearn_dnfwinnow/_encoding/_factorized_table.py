"""FactorizedTable: data as the distinct values of each column, and their places.

The cells are read once. All codes are then look-ups of integers: with or without
intervals, of all rows or without those of a fold.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._encoding._column_choice import (
    chosen_columns,
    refuse_to_cut,
)
from sklearn_dnfwinnow._encoding._columns import is_numeric, numbers_of
from sklearn_dnfwinnow._encoding._distinct_values import (
    as_array,
    distinct_values,
    ordered,
    ranked_numbers,
)

# Numeric columns with at most this number of distinct values may be categorical.
_MOST_CATEGORIES = 10


@dataclass(frozen=True, eq=False)
class FactorizedColumn:
    """The distinct values of a column.

    Attributes
    ----------
    values : list
        None for a missing value, whether or not there is one, followed by the distinct
        values in order.
    numbers : ndarray of shape (n_values + 1,), float64, or None
        The values as numbers, also for booleans; NaN for the missing one. None for
        other values.
    is_numeric : bool
        Whether the column contains numbers, not booleans.
    is_typed : bool
        Whether its dtype is one of numbers, not of objects.
    """

    values: list
    numbers: np.ndarray | None
    is_numeric: bool
    is_typed: bool

    @classmethod
    def of(cls, cells, label):
        """Return a column of `columns_of`, and the places of its cells: int32."""
        values, places = distinct_values(cells, label)
        in_order = [None, *(value for value in ordered(values) if value is not None)]
        if cells.dtype.kind != "O":
            numbers = np.array([np.nan, *in_order[1:]], dtype=np.float64)
            numeric = is_typed = is_numeric(cells)
        else:
            listed = in_order if None in values else in_order[1:]
            numbers = numbers_of(as_array(listed, numeric=False))
            if numbers is not None and len(listed) < len(in_order):
                numbers = np.append(np.nan, numbers)
            first = in_order[-1]
            numeric = numbers is not None and len(in_order) > 1
            numeric = numeric and not isinstance(first, bool | np.bool_)
            is_typed = False
        ranks = {value: place for place, value in enumerate(in_order)}
        look_up = np.array([ranks[value] for value in values], dtype=np.int32)
        return cls(in_order, numbers, numeric, is_typed), look_up[places]

    @cached_property
    def ranked(self):
        """Ascending numbers, and the rank of each value: see `ranked_numbers`.

        Large integers that differ can be the same number.
        """
        return ranked_numbers(self.numbers)

    @property
    def has_many_numbers(self):
        """Whether a numeric column has more than a few distinct values."""
        return self.is_numeric and len(self.ranked[0]) > _MOST_CATEGORIES


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
        Names of the columns; empty if they have none.
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

    @property
    def numeric(self):
        """Whether each column is numeric: list of bool."""
        return [column.is_numeric for column in self.columns]

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

    def is_one_view(self, discretizer, missing):
        """Return whether the codes of all rows are valid for any held-out rows.

        Values that occur only in held-out rows then keep their own codes, which no
        other row uses.
        """
        fills = missing == "most_frequent" and not self.codes.all()
        return not fills and not self.columns_to_cut(discretizer)
