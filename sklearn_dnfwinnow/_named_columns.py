"""Named columns: some columns of a table, by name where it has names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._columns import columns_of, frame_library


def named_columns(X, names, used):
    """Take some columns out of a table.

    Parameters
    ----------
    X : {array-like, dataframe} of shape (n_samples, n_features)
        The columns of a data frame go by their names, in any order; those of anything
        else go by their positions.

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
        X = np.array(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
        if X.shape[1:] != (len(names),):
            raise ValueError(f"X is to have {len(names)} columns; got {X.shape}.")
        return columns_of(X[:, used])
    there = list(map(str, X.columns))
    # Where all are as they were, two may have the same name.
    places = used if there == list(names) else _places(there, [names[j] for j in used])
    return columns_of(X.iloc[:, places] if library == "pandas" else X[:, places])


def _places(there, wanted):
    absent = [name for name in wanted if name not in there]
    if absent:
        raise ValueError(f"X has no column {', '.join(map(repr, absent))}.")
    return [there.index(name) for name in wanted]
