"""Choice of the columns that are cut into intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import islice
from numbers import Integral, Real

import numpy as np

from sklearn_dnfwinnow._encoding._columns import numbers_of
from sklearn_dnfwinnow._encoding._missing import is_missing

_BOOLEANS = bool, np.bool_


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


def numbers_to_cut(cells, label, columns=None):
    """Return the numbers of a column to cut: float64, NaN for a missing one.

    Parameters
    ----------
    cells : ndarray of shape (n_samples,)
        As returned by `columns_of`.
    label : str
        Name of the column in messages.
    columns : {'numeric', 'all'} or array-like, default=None
        See `chosen_columns`. None if the cut points are known: errors then name the
        first value that is not a number.

    Raises
    ------
    ValueError
        If they are not all numbers, or one is infinite.
    """
    numbers = numbers_of(cells)
    if numbers is None and columns is None:
        others = (
            c for c in cells.tolist() if not (isinstance(c, Real) or is_missing(c))
        )
        found = "".join(f"; got {other!r}" for other in islice(others, 1))
        raise ValueError(
            f"The values of column {label} are not all numbers, as they were in `fit`, "
            f"which cut the column into intervals{found}."
        )
    if numbers is None:
        refuse_to_cut(columns, label)
    if np.isinf(numbers).any():
        raise ValueError(
            "Input X contains infinity or a value too large for dtype('float64') "
            f"in column {label}."
        )
    return numbers


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
