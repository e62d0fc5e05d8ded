"""ValueEncoder: attribute values to codes, column by column.

Code 0 is an unspecified value, which satisfies no literal. The values seen in training
have the codes 1, 2, ...
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
    column_label,
    columns_of,
    is_numeric,
)
from sklearn_dnfwinnow._preprocessing._discretizer import with_intervals
from sklearn_dnfwinnow._preprocessing._distinct_values import (
    as_array,
    distinct_values,
    ordered,
)


class ValueEncoder:
    """Encode any hashable values, with one of three treatments of missing values.

    Parameters
    ----------
    missing : {'unspecified', 'category', 'most_frequent'}
        The code of a missing value: 0; its own code, if it occurs in training; or the
        code of the most frequent value, in training among the samples of the same class
        (Tao & Scott 2004, section 5.2), later among all samples.
    n_features : int
        Number of columns.
    n_classes : int
        Number of classes.

    Attributes
    ----------
    categories_ : list of n_features ndarrays
        Values in the order of their codes: sorted within a batch, with the new values
        of later batches after them. A missing value among them is NaN or None.
    """

    def __init__(self, missing, n_features, n_classes):
        self.missing = missing
        self.categories_ = [np.empty(0, dtype=object) for _ in range(n_features)]
        self._codes = [{} for _ in range(n_features)]
        # Weight of each code in each class, only for 'most_frequent'.
        self._frequencies = [np.zeros((n_classes, 1)) for _ in range(n_features)]

    @classmethod
    def union(cls, encoders):
        """Return an encoder with the values of several, and their new codes.

        Parameters
        ----------
        encoders : list of ValueEncoder
            With the same columns, classes and `missing`.

        Returns
        -------
        encoder : ValueEncoder
            Its values are sorted, so that it does not depend on the order of encoders.
            Frequencies are those of all samples.
        recodings : list of lists of n_features ndarrays of int32
            For each encoder, the new code of each code of a column.
        """
        first = encoders[0]
        n_classes = len(first._frequencies[0])
        union = cls(first.missing, len(first.categories_), n_classes)
        recodings = [[] for _ in encoders]
        for j, frequencies in enumerate(union._frequencies):
            every = dict.fromkeys(v for each in encoders for v in each._codes[j])
            codes = {value: k for k, value in enumerate(ordered(every), start=1)}
            if first.missing == "most_frequent":
                frequencies = np.zeros((n_classes, len(codes) + 1))
            for each, recoding in zip(encoders, recodings):
                new = np.array([0, *map(codes.get, each._codes[j])], dtype=np.int32)
                recoding.append(new)
                if first.missing == "most_frequent":
                    frequencies[:, new] += each._frequencies[j]
            # The kind of a column without values is unknown.
            known = [e.categories_[j] for e in encoders if set(e._codes[j]) - {None}]
            numeric = bool(known) and all(map(is_numeric, known))
            union.recall(j, codes=codes, numeric=numeric, frequencies=frequencies)
        return union, recodings

    @property
    def n_values(self):
        """Return the number of codes of each column, k_j: (n_features,), int."""
        return np.array([len(codes) for codes in self._codes], dtype=np.int64)

    def learn(self, columns, labels, weights, label):
        """Learn the values of a batch, and encode it.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_samples,)
            As returned by `sklearn_dnfwinnow._preprocessing._columns.columns_of`.
        labels : ndarray of shape (n_samples,), int
            Class indices.
        weights : ndarray of shape (n_samples,)
            Sample weights.
        label : callable
            From the position of a column to its name in messages.

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
            for value in ordered(new):
                known[value] = len(known) + 1
            if len(known) > before:
                self.categories_[j] = as_array(known, is_numeric(column))
        codes = self._look_up(parts)
        if self.missing == "most_frequent":
            self._count(codes, labels, weights)
            self._fill(codes, parts, labels)
        return codes

    def codes_of(self, j):
        """Return a dict of the codes of column j by value, None for a missing one."""
        return self._codes[j]

    def code_of_missing(self, j):
        """Return the code of a missing value of column j in new samples."""
        if self.missing == "most_frequent":
            return int(most_frequent(self._frequencies[j]))
        return self._codes[j].get(None, 0)

    def recall(self, j, codes, numeric, frequencies):
        """Set column j to the state of another encoder.

        Parameters
        ----------
        j : int
        codes : dict of value to int
            Codes from 1, in their order.
        numeric : bool
            Whether the column was numeric.
        frequencies : ndarray of shape (n_classes, 1 or n_values + 1)
            Weight of each code in each class, only for 'most_frequent'.
        """
        self._codes[j] = codes
        self.categories_[j] = as_array(codes, numeric)
        self._frequencies[j] = frequencies

    def encode(self, columns, label):
        """Encode new samples; a value that does not occur in training is unspecified.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32
        """
        parts = _distinct_in_each(columns, label)
        codes = self._look_up(parts)
        if self.missing == "most_frequent":
            self._fill(codes, parts)
        return codes

    def encode_table(self, X, estimator, discretizer=None):
        """Return the codes of new samples of a fitted estimator.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
        estimator : object
            With `n_features_in_`, and `feature_names_in_` if columns have names.
        discretizer : ClassEntropyDiscretizer or None
            Fitted discretizer that cuts columns before they are encoded.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32

        Raises
        ------
        ValueError
            If X does not have the columns of the estimator.
        """
        X = check_table(estimator, X, reset=False)
        columns = columns_of(X, estimator, exact=True)
        columns = with_intervals(columns, discretizer)
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
        """Set missing values to the most frequent code, of the same class if known.

        An unseen value is not missing: it remains unspecified.
        """
        for j, (frequencies, (values, inverse)) in enumerate(
            zip(self._frequencies, parts)
        ):
            if None not in values:
                continue
            gaps = np.flatnonzero(inverse == values.index(None))
            of_gaps = None if labels is None else labels[gaps]
            codes[gaps, j] = most_frequent(frequencies, of_gaps)


def _distinct_in_each(columns, label):
    """Return `distinct_values` of each column."""
    return [distinct_values(column, label(j)) for j, column in enumerate(columns)]


def most_frequent(frequencies, labels=None):
    """Return the most frequent code, of the same class if known.

    Parameters
    ----------
    frequencies : ndarray of shape (n_classes, n_values + 1)
        Weight of each code in each class.
    labels : ndarray of shape (n,), int, default=None
        Classes of some samples.

    Returns
    -------
    codes : int, or ndarray of shape (n,) for samples of known classes
    """
    overall = frequencies.sum(axis=0).argmax()
    if labels is None:
        return overall
    in_class = frequencies.argmax(axis=1)[labels]
    return np.where(in_class > 0, in_class, overall)
