"""Selection of columns, by name if they have names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse

from sklearn_dnfwinnow._encoding._columns import (
    array_of,
    columns_of,
    frame_library,
)
from sklearn_dnfwinnow._utils._compat import get_feature_names


def named_columns(X, names, used):
    """Select some columns.

    Parameters
    ----------
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Columns of a data frame with strings as names are selected by name, in any
        order. Other columns are selected by position.

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
    return columns_of(table, exact=True)


def positions_of(columns, step):
    """Return the positions of some columns, given in any form.

    Parameters
    ----------
    columns : str, int, slice, or array-like of str, int or bool
        As in a fitted ColumnTransformer.
    step : transformer
        Fitted transformer.

    Returns
    -------
    positions : list of int
    """
    names = list(getattr(step, "feature_names_in_", ()))
    every = np.arange(step.n_features_in_)
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            # By name, to the last inclusive.
            start = columns.start and names.index(columns.start)
            stop = columns.stop and 1 + names.index(columns.stop)
            columns = slice(start, stop)
        return every[columns].tolist()
    columns = np.atleast_1d(columns)
    if columns.dtype.kind in "ib":
        return every[columns].tolist()
    return [names.index(name) for name in columns]


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
    if absent:
        raise ValueError(f"X has no column {', '.join(map(repr, absent))}.")
    return [there.index(names[j]) for j in used]
