"""Choice of the columns that are cut into intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import numbers_of

# Numeric columns with at most this number of distinct values may be categorical.
_MOST_CATEGORIES = 10
_BOOLEANS = bool, np.bool_


def has_many_numbers(column):
    """Return whether a numeric column has more than a few distinct values."""
    numbers = numbers_of(column)
    return len(np.unique(numbers[~np.isnan(numbers)])) > _MOST_CATEGORIES


def chosen_columns(columns, numeric, names):
    """Return a mask of the columns that a parameter selects.

    Parameters
    ----------
    columns : {'numeric', 'all'} or array-like
        See :class:`~sklearn_dnfwinnow.ClassEntropyDiscretizer`.
    numeric : list of bool
        Whether each column is numeric.
    names : sequence of str
        Names of the columns; empty if they have none.

    Returns
    -------
    mask : ndarray of shape (n_columns,), bool

    Raises
    ------
    ValueError
        If there is no such column.
    """
    n_columns = len(numeric)
    if isinstance(columns, str):
        return np.array([columns == "all" or is_number for is_number in numeric])
    # As objects: NumPy would convert positions to strings if there are also names.
    wanted = np.asarray(columns, dtype=object)
    if wanted.ndim != 1:
        raise ValueError(
            f"`columns` must be 'numeric', 'all', or one-dimensional; got {columns!r}."
        )
    wanted = wanted.tolist()
    if wanted and all(isinstance(column, _BOOLEANS) for column in wanted):
        if len(wanted) != n_columns:
            raise ValueError(
                f"`columns` must be a mask of length {n_columns}, the number of "
                f"columns of X; got length {len(wanted)}."
            )
        return np.array(wanted)
    mask = np.zeros(n_columns, dtype=bool)
    names = list(names)
    for column in wanted:
        if isinstance(column, str):
            if column not in names:
                raise ValueError(
                    f"`columns` contains {column!r}, which is not a column of X."
                )
            mask[names.index(column)] = True
        elif isinstance(column, Integral) and not isinstance(column, _BOOLEANS):
            if not 0 <= column < n_columns:
                raise ValueError(
                    f"`columns` must contain positions from 0 to {n_columns - 1}; got "
                    f"{column}."
                )
            mask[column] = True
        else:
            raise ValueError(
                "`columns` must be 'numeric', 'all', or names, positions or a mask "
                f"of columns; got an entry {column!r}."
            )
    return mask


def refuse_to_cut(columns, label):
    """Raise the error of a selected column that is not numeric.

    Parameters
    ----------
    columns : {'numeric', 'all'} or array-like
        See `chosen_columns`.
    label : str
        Name of the column in messages.
    """
    raise ValueError(
        f"`columns`={columns!r} selects column {label} to be cut into "
        "intervals, but its values are not all numbers (categories never are)."
    )
