"""Attribute: the codes of the values of one column.

Code 0 is an unspecified value, which satisfies no literal. The values seen in training
have the codes 1, 2, ...
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._encoding._column_cuts import interval_places
from sklearn_dnfwinnow._encoding._distinct_values import as_array, ordered


@dataclass(frozen=True, eq=False)
class Attribute:
    """The codes of the values of one column; nothing is changed in place.

    Parameters
    ----------
    codes : dict
        The code of each value, from 1, in their order: sorted within a batch, with the
        new values of later batches after them. None stands for a missing value. For a
        column that is cut, values are the numbers of its intervals, from 0.0.
    categories : ndarray of shape (n_values,)
        The values in the order of their codes. A missing value is NaN or None.
    frequencies : ndarray of shape (n_classes, n_values + 1)
        Weight of each code in each class, only for missing='most_frequent'.
    cut_points : ndarray or None, default=None
        Cut points of the column; None if it is not cut.
    """

    codes: dict
    categories: np.ndarray
    frequencies: np.ndarray
    cut_points: np.ndarray | None = None

    @classmethod
    def of(cls, codes, is_numeric, frequencies, cut_points=None):
        """Return the attribute of a column of numbers, or of any values."""
        return cls(codes, as_array(codes, is_numeric), frequencies, cut_points)

    def with_values(self, values, is_numeric):
        """Return the attribute with the values of a batch, in any order."""
        new = ordered([value for value in values if value not in self.codes])
        if not new:
            return self
        first = len(self.codes) + 1
        codes = self.codes | {value: code for code, value in enumerate(new, first)}
        return self.of(codes, is_numeric, self.frequencies, self.cut_points)

    def with_frequencies(self, codes, labels, weights):
        """Return the attribute with the weights of a batch of codes added."""
        n_classes, width = self.frequencies.shape
        grown = np.zeros((n_classes, len(self.codes) + 1))
        grown[:, :width] = self.frequencies
        np.add.at(grown, (labels, codes), weights)
        grown[:, 0] = 0
        return replace(self, frequencies=grown)

    def intervals(self, numbers):
        """Return values and places of the intervals of numbers, as of a column."""
        values = [None, *np.arange(len(self.cut_points) + 1.0).tolist()]
        return values, interval_places(self.cut_points, numbers)

    def codes_of(self, values, places, missing):
        """Return the codes of the cells of a column.

        Parameters
        ----------
        values : list
            Distinct values, None for a missing one.
        places : ndarray of shape (n,), int
            Place of each cell among them.
        missing : int
            Code of a missing value.
        """
        known = {None: missing, **self.codes}
        return np.array([known.get(v, 0) for v in values], dtype=np.int32)[places]

    def most_frequent(self, labels=None):
        """Return the most frequent code, of the same class if known.

        Parameters
        ----------
        labels : ndarray of shape (n,), int, default=None
            Classes of some samples.

        Returns
        -------
        codes : int, or ndarray of shape (n,) for samples of known classes
        """
        overall = int(self.frequencies.sum(axis=0).argmax())
        if labels is None:
            return overall
        in_class = self.frequencies.argmax(axis=1)[labels]
        return np.where(in_class > 0, in_class, overall)


def union(attributes):
    """Return an attribute with the values of several, and their new codes.

    Parameters
    ----------
    attributes : list of Attribute
        With the same classes, cut points, and treatment of missing values.

    Returns
    -------
    attribute : Attribute
        Its values are sorted, so that it does not depend on the order of attributes.
        Frequencies are those of all samples.
    recodings : list of ndarrays of int32
        For each attribute, the new code of each code.
    """
    every = dict.fromkeys(value for each in attributes for value in each.codes)
    codes = {value: k for k, value in enumerate(ordered(every), start=1)}
    recodings = [
        np.array([0, *map(codes.get, each.codes)], dtype=np.int32)
        for each in attributes
    ]
    frequencies = attributes[0].frequencies
    if all(each.frequencies.shape[1] == len(each.codes) + 1 for each in attributes):
        frequencies = np.zeros((len(frequencies), len(codes) + 1))
        for each, new in zip(attributes, recodings):
            frequencies[:, new] += each.frequencies
    # The kind of a column without values is unknown.
    known = [each for each in attributes if each.codes.keys() - {None}]
    numeric = bool(known) and all(e.categories.dtype.kind in "iuf" for e in known)
    found = Attribute.of(codes, numeric, frequencies, attributes[0].cut_points)
    return found, recodings
