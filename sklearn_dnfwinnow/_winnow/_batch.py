"""Batch: what one training call is given, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_choice import has_many_numbers
from sklearn_dnfwinnow._preprocessing._columns import holds_numbers
from sklearn_dnfwinnow._winnow._conditions._column_conditions import ColumnConditions


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows with some weight, column by column.

    Parameters
    ----------
    columns : list of ndarrays of shape (n_samples,)
        As :func:`sklearn_dnfwinnow._preprocessing._columns.columns_of` returns them,
        `exact`.
    labels : ndarray of shape (n_samples,), int
        Class indices.
    weights : ndarray of shape (n_samples,), float64
        Positive.
    label : callable
        From a column's position to its name in messages.
    names : sequence of str
        Names of the columns; empty if they have none.
    given : tuple
        The table, the class labels and the weights of all rows, for transformers.
    conditions : ColumnConditions
        On terms.
    """

    columns: list
    labels: np.ndarray
    weights: np.ndarray
    label: Callable
    names: tuple
    given: tuple
    conditions: ColumnConditions = field(default_factory=ColumnConditions)

    @cached_property
    def numeric(self):
        """Which columns hold numbers: list of bool."""
        return list(map(holds_numbers, self.columns))

    @cached_property
    def to_cut(self):
        """Positions of columns that are cut if nothing else is said: list of int.

        Those of more than a few distinct numbers. And those that scores are to rise or
        fall with, so that they do so from one new number to another.
        """
        return [
            j
            for j, (column, is_numeric) in enumerate(zip(self.columns, self.numeric))
            if j in self.conditions.ordered or (is_numeric and has_many_numbers(column))
        ]
