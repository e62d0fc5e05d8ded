"""Distinct values of a column, and their order."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np


def distinct_values(column, label):
    """Return the distinct values of a column, and the place of each value among them.

    Parameters
    ----------
    column : ndarray of shape (n_samples,)
        As returned by :func:`sklearn_dnfwinnow._encoding._columns.columns_of`.
    label : str
        Name of the column in messages.

    Returns
    -------
    values : list
        None for a missing value. Numbers and booleans ascend, None last.
    places : ndarray of shape (n_samples,), intp

    Raises
    ------
    ValueError
        If a value is infinite.
    TypeError
        If a value has no hash.
    """
    if column.dtype.kind in "iufb":
        values, inverse = np.unique(column, return_inverse=True)
        if column.dtype.kind == "f":
            if np.isinf(values).any():
                raise ValueError(
                    f"Input X contains infinity or a value too large for "
                    f"{column.dtype!r} in column {label}."
                )
            values = values.tolist()
            if values and values[-1] != values[-1]:
                values[-1] = None
            return values, inverse
        return values.tolist(), inverse
    listed = column.tolist()
    try:
        places = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    except TypeError:
        _refuse_unhashable(listed, label)
        raise
    for value in places:
        if isinstance(value, (float, np.floating)) and np.isinf(value):
            raise ValueError(f"Input X contains infinity in column {label}.")
    # `map` avoids a loop in bytecode.
    inverse = np.fromiter(
        map(places.__getitem__, listed), dtype=np.intp, count=len(listed)
    )
    return list(places), inverse


def ranked_numbers(numbers):
    """Return distinct numbers, ascending, and the place of each number, from 1.

    Parameters
    ----------
    numbers : ndarray of shape (n,), float64
        NaN for a missing number, whose place is 0.
    """
    # The sum merges the two zeros.
    values, places = np.unique(numbers + 0.0, return_inverse=True)
    if len(values) and np.isnan(values[-1]):
        values = values[:-1]
        return values, np.where(places == len(values), 0, places + 1)
    return values, places + 1


def _refuse_unhashable(values, label):
    """Raise a TypeError that names the first value without a hash."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            # `check_estimator` asks for these words.
            raise TypeError(
                f"Column {label} contains {value!r} of type {type(value).__name__}: "
                "every argument must be a hashable value such as a string or a number."
            ) from None


def ordered(values):
    """Sort values, a missing one last; values that do not compare, by type and repr."""
    missing = [v for v in values if v is None]
    present = [v for v in values if v is not None]
    try:
        ascending = sorted(present)
    except TypeError:
        ascending = present
    if not do_ascend(ascending):
        ascending = sorted(present, key=lambda v: (type(v).__name__, _printed(v)))
    return ascending + missing


def do_ascend(values):
    """Return whether values can be compared, and each is less than the next."""
    try:
        # Sets have a partial order only: their order would be that of arrival.
        return all(one < other for one, other in pairwise(values))
    except TypeError:
        return False


def _printed(value):
    """Return a value as text; the members of a set in a fixed order."""
    if isinstance(value, frozenset):
        return str(sorted(map(_printed, value)))
    return repr(value)


def as_array(values, numeric):
    """Return values as an array of floats if they are numeric, else of objects."""
    if numeric and all(v is None or isinstance(v, (int, float)) for v in values):
        return np.array([np.nan if v is None else v for v in values])
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array
