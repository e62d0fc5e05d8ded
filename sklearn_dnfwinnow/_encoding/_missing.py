"""Missing values of data or of labels."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def is_missing(value):
    """Return whether a value is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    try:
        differs = value != value
    except ArithmeticError:  # a signaling NaN of decimals
        return True
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
    values = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    missing = np.ma.is_masked(y)
    if values.dtype.kind == "f":
        missing |= np.isnan(values).any()
    elif values.dtype.kind == "O":
        missing |= any(map(is_missing, values.ravel().tolist()))
    if missing:
        raise ValueError(f"Input {name} contains NaN.")
