"""Batch: what one training call is given, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


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
