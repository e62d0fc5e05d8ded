"""The record of a validation as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integers,
    numbers,
    plain_numbers,
)
from sklearn_dnfwinnow._winnow._exponents import LARGEST_SUM
from sklearn_dnfwinnow._winnow._selection._selection import VALIDATION

# Columns that earlier versions recorded.
_FORMER = "n_epochs", "log_loss"


def validation_to_dict(validation):
    """Return the record of a validation as lists of plain values, or None."""
    if validation is None:
        return None
    return {name: plain_numbers(column) for name, column in validation.items()}


def validation_from_dict(state):
    """Check and return the record of a validation, or None.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    if state is None:
        return None
    is_former = type(state) is dict and set(state) == set(_FORMER)
    names = _FORMER if is_former else tuple(VALIDATION)
    check_keys(state, names, "validation")
    length = len(integers(state["n_epochs"], "n_epochs", 1, LARGEST_SUM))
    return {name: _column(state[name], name, length) for name in names}


def _column(values, name, length):
    """Return a column as an array of its type."""
    dtype = VALIDATION[name]
    if dtype is np.int64:
        return integers(values, name, 0, LARGEST_SUM, length)
    if dtype is np.float64:
        return numbers(values, name, length=length, missing=True)
    right = type(values) is list and len(values) == length
    right = right and all(type(value) in (type(None), str, int) for value in values)
    check(right, f"{length} names, sizes or nothing in {name}", values)
    column = np.empty(length, dtype=object)
    column[:] = values
    return column
