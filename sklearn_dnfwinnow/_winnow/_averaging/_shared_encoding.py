"""SharedEncoding: one encoding for models that cut the same columns differently."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._encoding._attribute import Attribute
from sklearn_dnfwinnow._encoding._column_cuts import Partition
from sklearn_dnfwinnow._encoding._derived_columns import derived_columns
from sklearn_dnfwinnow._encoding._encoding import Encoding


@dataclass(frozen=True, eq=False)
class SharedEncoding(Encoding):
    """The encoding of which others are functions: it cuts wherever one of them does.

    Columns that are not cut have the values of the first encoding.

    Parameters
    ----------
    encodings : tuple of Encoding, default=()
        Of the same table, with the same columns cut. Missing values are unspecified,
        or a category.

    Attributes
    ----------
    attributes, missing, discretizer, ...
        See `Encoding`. All conditions of the encodings are among `columns`.
    """

    encodings: tuple = ()

    @classmethod
    def of(cls, encodings, discretizer):
        """Return the encoding that some encodings share.

        Parameters
        ----------
        encodings : list of Encoding
        discretizer : ClassEntropyDiscretizer or None
            With the cut points of all of them, see `shared_discretizer`.
        """
        first, *_ = encodings
        attributes = list(first.attributes)
        for j, attribute in enumerate(attributes):
            if attribute.cut_points is not None:
                points = discretizer.cut_points_[j]
                values = np.arange(len(points) + 1.0).tolist()
                if any(None in one.attributes[j].codes for one in encodings):
                    values.append(None)
                attributes[j] = Attribute.of(
                    codes={value: code for code, value in enumerate(values, start=1)},
                    is_numeric=True,
                    frequencies=attribute.frequencies,
                    cut_points=points,
                )
        return cls(
            attributes=tuple(attributes),
            missing=first.missing,
            discretizer=discretizer,
            encodings=tuple(encodings),
        )

    @cached_property
    def recodings(self):
        """The code of each encoding for each code: lists of arrays, by attribute."""
        return [
            [
                _recoding(attribute, own)
                for attribute, own in zip(self.attributes, encoding.attributes)
            ]
            for encoding in self.encodings
        ]

    def recoded(self, codes, k):
        """Return the codes of rows in the k-th encoding."""
        columns = [new[column] for new, column in zip(self.recodings[k], codes.T)]
        return np.column_stack(columns) if columns else codes

    @cached_property
    def columns(self):
        """All columns of codes with literals: equalities, then those of encodings."""
        return self._columns_and_places[0]

    @cached_property
    def places(self):
        """The place among `columns` of each column of each encoding: lists of int."""
        return self._columns_and_places[1]

    @cached_property
    def _columns_and_places(self):
        columns = [
            derived_columns(j, values, literals="equal")[0]
            for j, values in enumerate(self.categories)
        ]
        known = {_key(column): place for place, column in enumerate(columns)}
        places = []
        for encoding, recodings in zip(self.encodings, self.recodings):
            places.append([])
            for column in encoding.columns:
                column = _lifted(column, recodings[column.attribute])
                place = known.setdefault(_key(column), len(columns))
                if place == len(columns):
                    columns.append(column)
                places[-1].append(place)
        return columns, places


def shared_discretizer(encodings, table, weights):
    """Return a fitted discretizer with the cut points of some encodings; or None.

    Parameters
    ----------
    encodings : list of Encoding
        With cut points between values of the table.
    table : FactorizedTable
        The training samples.
    weights : ndarray of shape (n_samples,)
    """
    if all(one.discretizer is encodings[0].discretizer for one in encodings):
        return encodings[0].discretizer
    points = shared_points(encodings)
    found = {
        j: Partition.at(values=values, places=places, weights=weights, points=points[j])
        for j, (values, places) in table.ranked(list(points)).items()
    }
    return encodings[0].with_partitions(found, table).discretizer


def shared_points(encodings):
    """Return the cut points of some encodings together, by attribute that is cut."""
    cut_points = zip(*(encoding.cut_points for encoding in encodings))
    return {
        j: np.unique(np.concatenate(of_one))
        for j, of_one in enumerate(cut_points)
        if of_one[0] is not None
    }


def _recoding(attribute, own):
    """Return the code of an attribute of an encoding for each code of the shared one.

    Each interval is within one interval of the encoding: the one with its upper end.
    """
    if attribute.cut_points is None:
        return np.arange(len(attribute.codes) + 1, dtype=np.int32)
    ends = np.append(attribute.cut_points, np.inf)
    intervals = np.searchsorted(own.cut_points, ends).astype(float).tolist()
    of_missing = [None] if None in attribute.codes else []
    codes = [own.codes.get(value, 0) for value in (*intervals, *of_missing)]
    return np.array([0, *codes], dtype=np.int32)


def _lifted(column, recoding):
    """Return a column of an encoding as a function of the shared codes."""
    codes = column.codes[recoding]
    if np.array_equal(recoding, np.arange(len(recoding))):
        return column._replace(codes=codes)
    # An equality with an interval is one with several shared ones.
    relations = tuple("in" if r == "=" else r for r in column.relations)
    value = column.value
    if value is not None:
        value = int(np.flatnonzero(recoding == value).max(initial=0))
    return column._replace(codes=codes, relations=relations, value=value)


def _key(column):
    return column.attribute, column.codes.tobytes(), column.relations, column.value
