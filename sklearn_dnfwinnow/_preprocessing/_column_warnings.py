"""Warnings of columns whose values are probably not categories."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from decimal import Decimal
from numbers import Real

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import (
    declared_categorical,
    is_numeric,
    numbers_of,
)
from sklearn_dnfwinnow._preprocessing._literal_columns import MANY_VALUES
from sklearn_dnfwinnow._preprocessing._missing import is_missing
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller

# Numbers are suitable as categories if half of the values have this many samples each:
# on data sets whose concept is an interval, 150 samples per value were as good as
# intervals, and 20 were 7 to 10 % worse.
_MANY_ROWS = 100
# A column with this fraction of distinct values, or more, identifies samples. A column
# of random categories reaches it with 5 categories per sample; then the categories of 4
# in 5 new samples do not occur in training.
_IDENTIFYING = 0.9
# Integers drawn from a range of R have as many that differ with a probability of about
# exp(-n^2 / 2 R): this is the largest n^2 / 2 R that is attributed to randomness.
_MOST_LUCK = 7.0
# A number in decimal notation, but no code with leading zeros such as 00123.
_NUMBER = re.compile(r"\s*[+-]?(?!0\d)(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.A | re.I)

_NUMBERS = Real, Decimal

_DISCRETIZE = "set discretizer='auto'"
_ADVICE = {
    "numbers": f"numbers in {{}} ({_DISCRETIZE}; leave out identifiers of rows)",
    "text": (
        f"text that reads as numbers in {{}} (convert it with pandas.to_numeric, and "
        f"{_DISCRETIZE}; leave out identifiers of rows)"
    ),
    "identifiers": (
        "values that differ in nearly all rows in {} (leave out identifiers of rows)"
    ),
}


def warn_of_columns(X, columns, codes, before, after, discretizer, label):
    """Warn once of all columns that now have more than `MANY_VALUES` values.

    For columns that are cut, there is a warning of identifiers only, in the first
    batch.

    Parameters
    ----------
    X : {dataframe, ndarray}
        The data, for the dtypes of its columns.
    columns : list of ndarrays of shape (n_samples,)
        Columns of the training samples, as returned by `columns_of`.
    codes : ndarray of shape (n_samples, n_attributes), int32
        The same samples, encoded; columns of literals may follow.
    before, after : ValueEncoder
        Encoder before and after these samples.
    discretizer : ClassEntropyDiscretizer or None
        Fitted discretizer that cuts columns before they are encoded.
    label : callable
        From the position of a column to its name in messages.
    """
    grown = (before.n_values <= MANY_VALUES) & (after.n_values > MANY_VALUES)
    is_cut = np.zeros(len(columns), dtype=bool)
    if discretizer is not None:
        is_cut[:] = [points is not None for points in discretizer.cut_points_]
    grown &= ~is_cut
    first = not before.n_values.any()
    if not grown.any() and not (first and is_cut.any()):
        return
    declared = declared_categorical(X)
    found = {kind: [] for kind in _ADVICE}
    for j, column in enumerate(columns):
        kind = None
        if grown[j]:
            kind = _kind(column, codes[:, j], after.categories_[j], declared[j])
        elif first and is_cut[j] and _are_identifiers(numbers_of(column)):
            kind = "identifiers"
        if kind is not None:
            found[kind].append(label(j))
    advice = [
        _ADVICE[kind].format(f"column{'s' * (len(labels) > 1)} {', '.join(labels)}")
        for kind, labels in found.items()
        if labels
    ]
    if not advice:
        return
    hint = ""
    if found["numbers"] or found["text"]:
        hint = " Use a categorical dtype of pandas or polars for categorical columns."
    # The text contains no numbers that differ between folds, because Python shows equal
    # warnings once.
    warnings.warn(
        f"Columns with more than {MANY_VALUES} distinct values, each of which is a "
        f"separate category unless the column is cut: {'; '.join(advice)}.{hint}",
        UserWarning,
        stacklevel=stacklevel_of_caller(),
    )


def _kind(column, codes, values, declared):
    """Return the probable kind of a column with many values; None for categories."""
    counts = np.bincount(codes)[1:]
    counts = counts[counts > 0]
    numeric = is_numeric(column)
    if numeric and _are_identifiers(column):
        return "identifiers"
    kind = "numbers" if numeric else None if declared else _kind_of_objects(values)
    if kind is not None:
        return kind if np.median(counts) < _MANY_ROWS else None
    n_present = counts.sum()
    identifies = n_present > MANY_VALUES and len(counts) >= _IDENTIFYING * n_present
    return "identifiers" if identifies else None


def _are_identifiers(numbers):
    """Return whether numbers are integers that differ, unlike those of a measure.

    They are not if randomness explains that they differ, unless they are sorted.
    """
    present = numbers[~np.isnan(numbers)]
    if len(present) <= MANY_VALUES or (present != np.floor(present)).any():
        return False
    steps = np.diff(present.astype(np.float64))
    if (steps > 0).all() or (steps < 0).all():
        return True
    ascending = np.sort(present)
    n, largest = len(ascending), float(ascending[-1]) - float(ascending[0])
    return bool((np.diff(ascending) > 0).all() and n**2 > 2 * _MOST_LUCK * largest)


def _kind_of_objects(values):
    """Return 'text' if values read as numbers, 'numbers' if none is text; else None.

    One value need not read as a number: it may represent a missing one, such as '?'.
    """
    kind, n_others = "numbers", 0
    for value in values:
        if isinstance(value, str):
            is_number = _NUMBER.fullmatch(value)
            kind = "text" if is_number else kind
        else:
            is_number = isinstance(value, _NUMBERS) and not isinstance(value, bool)
        if not is_number and not is_missing(value):
            n_others += 1
            if n_others > 1:
                return None
    return kind
