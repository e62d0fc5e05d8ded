"""Batch: what one training call is given, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_choice import has_many_numbers
from sklearn_dnfwinnow._preprocessing._columns import holds_numbers


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
    """

    columns: list
    labels: np.ndarray
    weights: np.ndarray
    label: Callable
    names: tuple
    given: tuple

    @cached_property
    def numeric(self):
        """Which columns hold numbers: list of bool."""
        return list(map(holds_numbers, self.columns))

    @cached_property
    def many_valued(self):
        """Positions of columns of more than a few distinct numbers: list of int."""
        return [
            j
            for j, (column, is_numeric) in enumerate(zip(self.columns, self.numeric))
            if is_numeric and has_many_numbers(column)
        ]
