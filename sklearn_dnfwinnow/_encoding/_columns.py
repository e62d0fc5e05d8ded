"""Columns: data in any container, split into columns and reassembled.

Neither pandas nor polars is imported here: a data frame of theirs exists only if they
have been imported.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from numbers import Complex, Integral, Real
from operator import lt

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from sklearn_dnfwinnow._utils._display import near
from sklearn_dnfwinnow._utils._estimators import get_feature_names, warn


def is_missing(value):
    """Return whether a value is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    differs = value != value
    if isinstance(differs, (bool, np.bool_)):
        return bool(differs)
    return differs is value  # pandas.NA, of which every comparison is itself


def refuse_missing_labels(y, name="y"):
    """Raise scikit-learn's error if a label is missing, masked labels included.

    It requires the labels as given: NumPy converts a NaN among strings to ``'nan'``.

    Parameters
    ----------
    y : array-like or None
        None raises no error here.
    name : str
        The name of the labels in the message.
    """
    if y is None:
        return
    values = np.asarray(y, dtype=object).ravel()
    if np.ma.is_masked(y) or np.equal(_none_for_missing(values), None).any():
        raise ValueError(f"Input {name} contains NaN.")


# Decimals are not instances of Real in Python.
_NUMBERS = Real, Decimal
_BOOLEANS = bool, np.bool_
# Integers from here on may be rounded to float64; to this itself, too.
_FIRST_ROUNDED = 2**53
# Prefixes of categorical dtypes of pandas, Arrow and polars.
_CATEGORICAL_DTYPES = "category", "dictionary", "Categorical", "Enum"


def frame_library(X):
    """Return 'pandas' or 'polars' if X is one of their data frames, None otherwise."""
    for name in ("pandas", "polars"):
        library = sys.modules.get(name)
        if library is not None and isinstance(X, library.DataFrame):
            return name
    return None


def dense(X):
    """Return a table as it is, or the dense array of a sparse one."""
    return X.toarray() if issparse(X) else X


def check_table(estimator, X, y="no_validation", *, reset):
    """Check that X is two-dimensional; set or check its column names and number.

    Parameters
    ----------
    estimator : estimator instance
        Its `n_features_in_` and `feature_names_in_` are set or compared.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Any values, including missing and infinite ones.

    y : array-like of shape (n_samples,), optional
        Checked along with X if given. None raises an error if the estimator requires y,
        and so do missing labels.

    reset : bool
        True in `fit`, False for new samples of a fitted estimator.

    Returns
    -------
    X : {dataframe, sparse matrix, ndarray} of shape (n_samples, n_features)
        A data frame unchanged, a sparse matrix in CSR or CSC format; anything else as
        an array, of objects if it was a list or had masked values.

    y : ndarray of shape (n_samples,)
        Only if y was given.
    """
    if not isinstance(y, str):
        refuse_missing_labels(y)
    library = frame_library(X)
    if library is None:
        if isinstance(X, (list, tuple, np.ma.MaskedArray)):
            X = array_of(X)
        elif "polars" in sys.modules and isinstance(X, sys.modules["polars"].LazyFrame):
            raise TypeError(
                "X must not be a LazyFrame of polars; pass X.collect() instead."
            )
        return validate_data(
            estimator,
            X,
            y,
            reset=reset,
            dtype=None,
            ensure_all_finite=False,
            accept_sparse=["csr", "csc"],
        )
    validate_data(estimator, X, y, reset=reset, skip_check_array=True)
    if 0 in X.shape:
        check_array(np.empty(X.shape), estimator=estimator)  # raises its own error
    if isinstance(y, str) and y == "no_validation":
        return X
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    return X, y


def array_of(rows):
    """Return rows as an array, of objects if they are a list or have masked values."""
    if np.ma.is_masked(rows) and rows.dtype.kind not in "mM":
        values = np.ma.getdata(rows).astype(object)
        return np.where(np.ma.getmaskarray(rows), None, values)
    # Of a list, NumPy would convert numbers and None to strings if there is a string.
    return np.asarray(rows, dtype=object if isinstance(rows, (list, tuple)) else None)


def column_label(estimator, position):
    """Return the label of a column in messages, by the names that `fit` saw."""
    return label_of(getattr(estimator, "feature_names_in_", ()), position)


def label_of(names, position):
    """Return the label of a column in messages: its name, or else its position."""
    return repr(str(names[position])) if len(names) else str(position)


def position_of(column, names, n_columns, parameter):
    """Return the position of a column that a parameter contains.

    Parameters
    ----------
    column : object
        A name, or a position.
    names : list of str
        Names of the columns; empty if they have none.
    n_columns : int
    parameter : str
        What contains it, in messages.

    Raises
    ------
    ValueError
        If there is no such column, with the names that are most similar.
    """
    if isinstance(column, str):
        if column in names:
            return names.index(column)
        raise ValueError(
            f"{parameter} contains {column!r}, which is not a column of "
            f"X{near(column, names)}."
        )
    is_position = isinstance(column, Integral) and not isinstance(column, _BOOLEANS)
    if not is_position or not 0 <= column < n_columns:
        raise ValueError(
            f"{parameter} must contain names, or positions from 0 to {n_columns - 1}; "
            f"got {column!r}."
        )
    return int(column)


def columns_of(X, estimator=None):
    """Split a checked container into columns.

    Parameters
    ----------
    X : {dataframe, sparse matrix, ndarray} of shape (n_samples, n_features)
        As returned by `check_table`. A sparse one has the columns of the dense one.

    estimator : estimator instance, default=None
        The estimator with the names of the columns, for messages.

    Returns
    -------
    columns : list of ndarrays of shape (n_samples,)
        The dtype shows the kind of column. Numbers (`is_numeric`) have NaN for a
        missing value; booleans have no missing values; all others are arrays of objects
        with None for a missing value. A categorical column is a column of objects even
        if its categories are numbers. A column of objects is numeric if it has values
        that are not missing, and all of these are real numbers, but for integers that
        floats would round.

    Raises
    ------
    TypeError
        If a column contains dates, times or durations.
    """
    columns = []
    for j, raw in enumerate(_raw_columns(X)):
        times = _times_of_dtype(raw.dtype)
        if not times:
            columns.append(_column(raw))
            times = _times_among(columns[-1])
        if times:
            raise TypeError(
                f"Column {column_label(estimator, j)} contains dates or times "
                f"({times}). Convert them to numbers or categories, such as the "
                "month or the days since an event; or to strings as categories."
            )
    return columns


def declared_categorical(X):
    """Return a mask of the columns with a categorical dtype: list of bool."""
    if frame_library(X) is None:
        return [False] * X.shape[1]
    return [_is_categorical(column) for column in _raw_columns(X)]


def _is_categorical(column):
    """Return whether a column of a container has a categorical dtype."""
    return str(column.dtype).startswith(_CATEGORICAL_DTYPES)


def is_numeric(column):
    """Return whether a column of `columns_of` is numeric, not booleans or objects."""
    return column.dtype.kind in "iuf"


def numbers_of(column, *, declared=False):
    """Return a column of `columns_of` as float64, booleans as 0 and 1.

    Missing values are NaN, also in a column of objects that are all missing. The result
    is None if the column contains neither numbers nor booleans, or both; or if they are
    categories, unless `declared` says that `fit` had numbers.
    """
    if column.dtype.kind in "iufb":
        return column.astype(np.float64)
    missing = np.equal(column, None)
    types = set(map(type, column[~missing].tolist()))
    if not types <= {*_BOOLEANS}:
        numbers = _numbers_among(column, rounded=True) if declared else column
        return numbers if is_numeric(numbers) else None
    return np.where(missing, np.nan, column).astype(np.float64)


def check_cells(values, known, label, n_rows=1):
    """Check that values of new samples are of the kinds that `fit` had.

    Parameters
    ----------
    values : list
        Values of a column, None for a missing one.
    known : collection or None
        Values in `fit`; None for numbers, of which there may be any others.
    label : str
        Name of the column in messages.
    n_rows : int, default=1
        Number of samples that are predicted.

    Raises
    ------
    ValueError
        If a value is no number (or boolean) where `fit` had numbers only; or if none of
        the values of several samples is of a kind that `fit` had: text, bytes, numbers.

    Warns
    -----
    UserWarning
        If none of the values of several samples is known.
    """
    kinds = {"numbers"} if known is None else _kinds_of(known)
    if kinds and "others" not in kinds and not _kinds_of(values) <= kinds:
        present = [value for value in values if not is_missing(value)]
        others = [value for value in present if not _kinds_of([value]) <= kinds]
        # Single values of another type are as any other unknown category.
        if others and (
            kinds == {"numbers"} or (n_rows > 1 and len(others) == len(present))
        ):
            raise ValueError(
                f"The values of column {label} are not all "
                f"{' or '.join(sorted(kinds))}, as they were in `fit`; got "
                f"{others[0]!r:.100}. Convert them, or X in `fit`: pandas.to_numeric, "
                "or astype(str)."
            )
    if known and n_rows > 1 and (set(values) - {None}).isdisjoint(known):
        new, old = (
            ", ".join(map(repr, islice((v for v in some if not is_missing(v)), 3)))
            for some in (values, known)
        )
        if new and old:
            warn(
                f"No value of column {label} is one that `fit` had, so that none "
                f"satisfies a condition: X has {new}, and `fit` had {old}."
            )


_KINDS = ((*_NUMBERS, np.bool_), "numbers"), (str, "text"), (bytes, "bytes")


def _kinds_of(values):
    """Return the kinds of values: a set of 'numbers', 'text', 'bytes' and 'others'."""
    return {
        next((kind for types, kind in _KINDS if issubclass(t, types)), "others")
        for t in set(map(type, values)) - {type(None)}
    }


def replace_columns(X, columns, numbers, container):
    """Replace some columns by new numbers, each by one column or by several.

    Parameters
    ----------
    X : {dataframe, ndarray} of shape (n_samples, n_features)
        As returned by `check_table`; it is not changed.

    columns : list of n_features ndarrays of shape (n_samples,)
        The same data, as returned by `columns_of`.

    numbers : dict of int to ndarray of shape (n_samples,) or (n_samples, n_new)
        New float64 columns by their position.

    container : {'default', 'pandas', 'polars'}
        The container to return, as in `set_output`; 'default' is an array.

    Returns
    -------
    table : {dataframe, ndarray} of shape (n_samples, n_features_out)
        In a frame of the library of X, the other columns keep their dtype. An array is
        of float64 if all columns are numeric, and otherwise of objects, with the other
        values unchanged.
    """
    library, n_rows = frame_library(X), X.shape[0]
    are_numbers = all(j in numbers or is_numeric(c) for j, c in enumerate(columns))
    if container == library:
        columns = _raw_columns(X)
    elif container == "default" and not are_numbers:
        columns = list(map(_values, _raw_columns(X)))
    every = []
    for j, column in enumerate(columns):
        every += [*numbers[j].T.reshape(-1, n_rows)] if j in numbers else [column]
    if container == "pandas":
        import pandas

        index = X.index if library == "pandas" else None
        return pandas.DataFrame(dict(enumerate(every)), index)
    if container == "polars":
        import polars

        return polars.DataFrame(map(_polars_series, map(str, range(len(every))), every))
    table = np.empty((n_rows, len(every)), dtype=float if are_numbers else object)
    for k, column in enumerate(every):
        table[:, k] = column
    return table


def from_one_hot(X, widths):
    """Return an array of codes, from columns of 0 and 1; NaN where all are 0."""
    table, widths = array_of(dense(X)), widths.tolist()
    ends = np.cumsum(np.maximum(widths, 1))
    if table.shape[1] != ends[-1]:
        raise ValueError(f"X must have {ends[-1]} columns; got {table.shape[1]}.")
    columns = []
    for block, width in zip(np.split(table.T, ends[:-1]), widths):
        codes = block[0]
        if width:
            known = block.any(axis=0)
            codes = np.where(known, block.argmax(axis=0), np.nan)
        columns.append(codes)
    return np.column_stack(columns)


def _raw_columns(X):
    """Return the columns of a container without conversion, sparse ones as dense."""
    library, X = frame_library(X), dense(X)
    if library == "pandas":
        # The same as by `iloc`, in half the time.
        return [column for _, column in X.items()]
    if library == "polars":
        return X.get_columns()
    return [X[:, j] for j in range(X.shape[1])]


def _times_of_dtype(dtype):
    """Return the name of a dtype of dates or times, '' for any other dtype."""
    is_temporal = getattr(dtype, "is_temporal", None)  # of polars
    found = dtype.kind in "mM" if is_temporal is None else is_temporal()
    return str(dtype) if found else ""


def _times_among(column):
    """Return the types of dates or times in a column of objects, '' if none."""
    if column.dtype.kind != "O":
        return ""
    times = date, time, timedelta, np.datetime64, np.timedelta64
    if "pandas" in sys.modules:
        times += (sys.modules["pandas"].Period,)
    types = set(map(type, column.tolist()))
    return ", ".join(sorted(t.__name__ for t in types if issubclass(t, times)))


def _values(column):
    """Return a column of a container as an array."""
    if isinstance(column, np.ndarray):
        return column
    if _is_categorical(column):  # of numbers, too
        return np.asarray(column, dtype=object)
    is_nested = getattr(column.dtype, "is_nested", None)  # of polars
    if is_nested is None or not (is_nested() or str(column.dtype).endswith("Int128")):
        return column.to_numpy()
    # NumPy has no such integers, and would make a matrix of lists of equal length.
    objects = np.empty(len(column), dtype=object)
    objects[:] = column.to_list()
    return objects


def _polars_series(name, values):
    """Return a column of a frame of polars, or of `columns_of`, as a series."""
    import polars

    if isinstance(values, polars.Series):
        return values.alias(name)
    try:
        # A list, as polars does not know every dtype of NumPy.
        return polars.Series(name, values.tolist())
    except (TypeError, polars.exceptions.PolarsError):  # values of several types
        return polars.Series(name, values.tolist(), dtype=polars.Object)


def _column(raw):
    """Return a column of a container as a column of `columns_of`."""
    values = _values(raw)
    kind = values.dtype.kind
    if kind == "c":
        raise ValueError("Complex data not supported")
    if kind in "iufb":
        # Python has no float that is longer.
        return values.astype(np.float64) if values.dtype == np.longdouble else values
    objects = _none_for_missing(values)
    return objects if _is_categorical(raw) else _numbers_among(objects)


def _none_for_missing(values):
    """Return values as an array of objects, None for the missing ones."""
    objects = np.asarray(values, dtype=object)
    listed = objects.tolist()
    if {*map(type, listed)} <= {str, type(None)}:
        return objects
    missing = np.fromiter(map(is_missing, listed), bool, len(listed))
    return np.where(missing, None, objects) if missing.any() else objects


def _numbers_among(objects, *, rounded=False):
    """Return objects as numbers if all are None or real numbers, else unchanged.

    Integers that floats would round remain objects, unless they may be `rounded`.
    """
    types = set(map(type, objects.tolist())) - {type(None)}
    if any(issubclass(t, Complex) and not issubclass(t, Real) for t in types):
        raise ValueError("Complex data not supported")
    if not all(issubclass(t, _NUMBERS) and t is not bool for t in types):
        return objects
    listed = np.where(np.equal(objects, None), np.nan, objects).tolist()
    if any(issubclass(t, (Decimal, Fraction)) for t in types):
        listed = list(map(float, listed))
    numbers = np.array(listed)
    if not types or not is_numeric(numbers):
        return objects
    if numbers.dtype.kind == "f" and not rounded:
        integers = (value for value in listed if isinstance(value, Integral))
        if any(abs(value) >= _FIRST_ROUNDED for value in integers):
            return objects
    return numbers


def named_columns(X, names, used):
    """Select some columns.

    Parameters
    ----------
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Columns of a data frame with strings as names are selected by name, in any
        order. Other columns are selected by position, as are all if `names` are x0, x1
        and so on, of data without names.

    names : sequence of str
        Names of all columns to which the positions refer.

    used : list of int
        Positions of the columns to select.

    Returns
    -------
    columns : list of ndarrays of shape (n_samples,)
        As returned by `columns_of`.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    library = frame_library(X)
    # A pandas data frame may have numbers among its names; others have only strings.
    there = get_feature_names(X) if library is None else X.columns
    if issparse(X):
        X = X.tocsc()
    elif library is None:
        X = array_of(X)
    places = _places(there, X.shape, names, used)
    table = X.iloc[:, places] if library == "pandas" else X[:, places]
    return columns_of(table)


def _places(there, shape, names, used):
    """Return the positions of the columns that are used, in a table of some names."""
    if there is None or not all(isinstance(name, str) for name in there):
        if shape[1:] != (len(names),):
            raise ValueError(
                f"X must have {len(names)} columns; got an array of shape {shape}."
            )
        return used
    there = list(there)
    if there == list(names):  # where two may have the same name
        return used
    absent = [names[j] for j in used if names[j] not in there]
    if absent and list(names) == [f"x{j}" for j in range(len(there))]:
        warn(
            "X has feature names, but x0, x1 and so on come from data without feature "
            "names: columns are selected by position."
        )
        return used
    if absent:
        names = ", ".join(map(repr, absent))
        raise ValueError(f"X has no column {names}{near(absent[0], there)}.")
    return [there.index(names[j]) for j in used]


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
            refuse_infinity(values, label)
        values = values.tolist()
        if values and values[-1] != values[-1]:
            values[-1] = None
        return values, inverse
    listed = column.tolist()
    try:
        places = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    except TypeError as error:
        # `check_estimator` asks for these words.
        raise TypeError(
            f"Column {label} contains a value without a hash ({error}): every argument "
            "must be a hashable value such as a string or a number."
        ) from None
    refuse_infinity([v for v in places if isinstance(v, (float, np.floating))], label)
    # `map` avoids a loop in bytecode.
    inverse = np.fromiter(
        map(places.__getitem__, listed), dtype=np.intp, count=len(listed)
    )
    return list(places), inverse


def refuse_infinity(numbers, label):
    """Raise scikit-learn's error if one of the numbers of a column is infinite."""
    if np.isinf(numbers).any():
        raise ValueError(
            "Input X contains infinity or a value too large for dtype('float64') in "
            f"column {label}."
        )


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


def ordered(values):
    """Sort values, a missing one last; values that do not compare, by type and repr."""
    missing = [v for v in values if v is None]
    present = [v for v in values if v is not None]
    try:
        ascending = sorted(present)
    except TypeError:
        ascending = present
    if not do_ascend(ascending):
        ascending = sorted(present, key=lambda v: (type(v).__name__, repr(v)))
    return ascending + missing


def do_ascend(values):
    """Return whether values can be compared, and each is less than the next."""
    try:
        # Sets have a partial order only: their order would be that of arrival.
        return all(map(lt, values, values[1:]))
    except TypeError:
        return False


def as_array(values, numeric):
    """Return values as an array of floats if they are numeric, else of objects."""
    kinds = (int, float, type(None))
    if numeric and all(issubclass(kind, kinds) for kind in set(map(type, values))):
        return np.array([np.nan if v is None else v for v in values])
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array
