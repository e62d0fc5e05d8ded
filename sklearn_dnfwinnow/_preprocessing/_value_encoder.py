"""ValueEncoder: attribute values to codes, column by column.

Code 0 is an unspecified value, which satisfies "don't care" only. The values seen in
training have the codes 1, 2, ...
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from itertools import pairwise

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
    column_label,
    columns_of,
    is_numeric,
)


class ValueEncoder:
    """Encode any hashable values; missing values in one of three ways.

    Parameters
    ----------
    missing : {'unspecified', 'category', 'most_frequent'}
        The code of a missing value: 0; a code of its own, if training had one; or that
        of the most frequent value, in training among the rows of the same class (Tao &
        Scott 2004, section 5.2), later among all rows.
    n_features : int
        Number of columns.
    n_classes : int
        Number of classes.

    Attributes
    ----------
    categories_ : list of n_features ndarrays
        Values in the order of their codes: sorted as they came in one batch, those new
        in later batches behind. A missing value among them is NaN or None.
    """

    def __init__(self, missing, n_features, n_classes):
        self.missing = missing
        self.categories_ = [np.empty(0, dtype=object) for _ in range(n_features)]
        self._codes = [{} for _ in range(n_features)]
        # Weight of each code in each class, only for 'most_frequent'.
        self._frequencies = [np.zeros((n_classes, 1)) for _ in range(n_features)]

    @property
    def n_values(self):
        """Return the number of codes of each column, k_j: (n_features,), int."""
        return np.array([len(codes) for codes in self._codes], dtype=np.int64)

    def learn(self, columns, labels, weights, label):
        """Learn the values of a batch, and encode it.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_samples,)
            As `sklearn_dnfwinnow._preprocessing._columns.columns_of` returns them.
        labels : ndarray of shape (n_samples,), int
            Class indices.
        weights : ndarray of shape (n_samples,)
            Sample weights.
        label : callable
            From a column's position to its name in messages.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32
        """
        # Check all columns first, so that a batch with a bad value changes nothing.
        parts = _distinct_in_each(columns, label)
        for j, (column, (values, _)) in enumerate(zip(columns, parts)):
            known = self._codes[j]
            before = len(known)
            new = [value for value in values if value not in known]
            if self.missing != "category":
                new = [value for value in new if value is not None]
            for value in _ordered(new):
                known[value] = len(known) + 1
            if len(known) > before:
                self.categories_[j] = _as_array(known, is_numeric(column))
        codes = self._look_up(parts)
        if self.missing == "most_frequent":
            self._count(codes, labels, weights)
            self._fill(codes, parts, labels)
        return codes

    def codes_of(self, j):
        """Return a dict of the codes of column j by value, None being a missing one."""
        return self._codes[j]

    def code_of_missing(self, j):
        """Return the code of a missing value of column j in new rows."""
        if self.missing == "most_frequent":
            return int(self._frequencies[j].sum(axis=0).argmax())
        return self._codes[j].get(None, 0)

    def recall(self, j, codes, numeric, frequencies):
        """Set column j to what another encoder knew of it.

        Parameters
        ----------
        j : int
        codes : dict of value to int
            Codes from 1, in their order.
        numeric : bool
            Whether the column held numbers.
        frequencies : ndarray of shape (n_classes, 1 or n_values + 1)
            Weight of each code in each class, only for 'most_frequent'.
        """
        self._codes[j] = codes
        self.categories_[j] = _as_array(codes, numeric)
        self._frequencies[j] = frequencies

    def encode(self, columns, label):
        """Encode new rows; a value that training did not have is unspecified.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32
        """
        parts = _distinct_in_each(columns, label)
        codes = self._look_up(parts)
        if self.missing == "most_frequent":
            self._fill(codes, parts)
        return codes

    def encode_table(self, X, estimator):
        """Return the codes of new rows, as the fitted estimator takes them.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
        estimator : object
            With `n_features_in_`, and `feature_names_in_` if columns have names.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32

        Raises
        ------
        ValueError
            If X does not fit the estimator.
        """
        X = check_table(estimator, X, reset=False)
        columns = columns_of(X, estimator, exact=True)
        return self.encode(columns, partial(column_label, estimator))

    def _look_up(self, parts):
        """Return the codes of distinct values at the places where they occur."""
        columns = []
        for known, (values, inverse) in zip(self._codes, parts):
            codes = np.array([known.get(v, 0) for v in values], dtype=np.int32)
            columns.append(codes[inverse])
        return np.column_stack(columns)

    def _count(self, codes, labels, weights):
        """Add the weights of a batch to the frequencies of its codes."""
        for j, frequencies in enumerate(self._frequencies):
            n_classes, width = frequencies.shape
            grown = np.zeros((n_classes, len(self._codes[j]) + 1))
            grown[:, :width] = frequencies
            np.add.at(grown, (labels, codes[:, j]), weights)
            grown[:, 0] = 0
            self._frequencies[j] = grown

    def _fill(self, codes, parts, labels=None):
        """Give missing values the most frequent code, of the same class if known.

        An unseen value is not a missing one: it stays unspecified.
        """
        for j, (frequencies, (values, inverse)) in enumerate(
            zip(self._frequencies, parts)
        ):
            if None not in values:
                continue
            gaps = np.flatnonzero(inverse == values.index(None))
            fills = overall = frequencies.sum(axis=0).argmax()
            if labels is not None:
                in_class = frequencies.argmax(axis=1)[labels[gaps]]
                fills = np.where(in_class > 0, in_class, overall)
            codes[gaps, j] = fills


def _distinct_in_each(columns, label):
    """Return `_distinct` of each column."""
    return [_distinct(column, label(j)) for j, column in enumerate(columns)]


def _distinct(column, label):
    """Return distinct values, None for a missing one, and each value's place."""
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
    # `map` looks values up without a loop of bytecode.
    inverse = np.fromiter(
        map(places.__getitem__, listed), dtype=np.intp, count=len(listed)
    )
    return list(places), inverse


def _refuse_unhashable(values, label):
    """Raise a TypeError that names the first value without a hash."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise TypeError(
                f"Column {label} holds {value!r} of type {type(value).__name__}: every "
                "argument must be a hashable value such as a string or a number."
            ) from None


def _ordered(values):
    """Sort values, a missing one last; those that do not compare, by type and repr."""
    missing = [v for v in values if v is None]
    present = [v for v in values if v is not None]
    try:
        ascending = sorted(present)
        # Sets compare, but not each with each: their order would be that of arrival.
        if all(one < other for one, other in pairwise(ascending)):
            return ascending + missing
    except TypeError:
        pass
    return sorted(present, key=lambda v: (type(v).__name__, _printed(v))) + missing


def _printed(value):
    """Return a value as text; the members of a set in a fixed order."""
    if isinstance(value, frozenset):
        return str(sorted(map(_printed, value)))
    return repr(value)


def _as_array(values, numeric):
    """Return values as an array of floats if they are numeric, else of objects."""
    if numeric and all(v is None or isinstance(v, (int, float)) for v in values):
        return np.array([np.nan if v is None else v for v in values])
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array
