"""Warnings of columns that are taken for what they probably are not."""

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

# Numbers of which half the values have this many rows each do no harm as categories:
# on tables with an interval as concept, 150 rows a value were as good as intervals, and
# 20 were 7 to 10 % worse.
_MANY_ROWS = 100
# From this share of values that differ on, a column identifies rows. A column of random
# categories has it if there are 5 categories a row; then training does not have the
# categories of 4 in 5 new rows.
_IDENTIFYING = 0.9
# Integers drawn from a range of R have as many that differ with a probability of about
# exp(-n^2 / 2 R): this is the largest n^2 / 2 R at which it may have been chance.
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

    Of columns that are cut, identifiers alone are a reason to warn, in the first batch.

    Parameters
    ----------
    X : {dataframe, ndarray}
        The table, for the dtypes of its columns.
    columns : list of ndarrays of shape (n_samples,)
        Of the rows that are learned, as `columns_of` returns them.
    codes : ndarray of shape (n_samples, n_attributes), int32
        The same rows, encoded; columns of literals may be behind.
    before, after : ValueEncoder
        Before and after these rows.
    discretizer : ClassEntropyDiscretizer or None
        What cuts columns before they are encoded, fitted.
    label : callable
        From a column's position to what messages call it.
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
        hint = " A categorical dtype of pandas or polars marks columns of categories."
    # The text has no numbers that differ from fold to fold, as Python shows equal
    # warnings once.
    warnings.warn(
        f"Columns with more than {MANY_VALUES} distinct values, each of which becomes "
        f"a category of its own unless it is cut: {'; '.join(advice)}.{hint}",
        UserWarning,
        stacklevel=stacklevel_of_caller(),
    )


def _kind(column, codes, values, declared):
    """Return what a column with many values probably holds; None for categories."""
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

    They are not if chance explains that they differ, unless they are sorted.
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

    One value need not read as a number: it may stand for a missing one, such as '?'.
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
