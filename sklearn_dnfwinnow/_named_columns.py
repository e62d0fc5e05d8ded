"""Named columns: some columns of a table, by name where it has names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._columns import array_of, columns_of, frame_library


def named_columns(X, names, used):
    """Take some columns out of a table.

    Parameters
    ----------
    X : {array-like, dataframe} of shape (n_samples, n_features)
        The columns of a data frame go by their names, in any order, if these are
        strings; all others go by their positions.

    names : sequence of str
        Names of all columns that X might have, or has if it is no frame.

    used : list of int
        Which of these to take.

    Returns
    -------
    columns : list of ndarrays of shape (n_samples,)
        As `columns_of` returns them.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    library = frame_library(X)
    if library is None:
        X = array_of(X) if isinstance(X, (list, tuple)) else np.asarray(X)
    places = _places(X, library, names, used)
    table = X.iloc[:, places] if library == "pandas" else X[:, places]
    return columns_of(table, exact=True)


def _places(X, library, names, used):
    there = [] if library is None else list(X.columns)
    if not there or not all(isinstance(name, str) for name in there):
        if X.shape[1:] != (len(names),):
            raise ValueError(f"X is to have {len(names)} columns; got {X.shape}.")
        return used
    if there == list(names):  # where two may have the same name
        return used
    absent = [names[j] for j in used if names[j] not in there]
    if absent:
        raise ValueError(f"X has no column {', '.join(map(repr, absent))}.")
    return [there.index(names[j]) for j in used]
