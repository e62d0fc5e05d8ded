"""Encoding: from the cells of a table to codes with literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from itertools import pairwise, repeat
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from sklearn_dnfwinnow._encoding._columns import (
    as_array,
    check_cells,
    check_table,
    column_label,
    columns_of,
    distinct_values,
    do_ascend,
    ordered,
)
from sklearn_dnfwinnow._encoding._cuts import interval_places, well_between
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._encoding._table import numbers_to_cut


def _fields_of(value):
    """Return the state of a dataclass, without what is a function of its fields."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


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

    __getstate__ = _fields_of

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
        """Return values and places of the intervals of numbers, as of a column.

        Intervals between `points` have the value that is in them.
        """
        if self.cut_points is None:
            known = self.categories[self._ascending - 1].tolist()
            return [None, *known], interval_places(self.points, numbers)
        values = [None, *np.arange(len(self.cut_points) + 1.0).tolist()]
        return values, interval_places(self.cut_points, numbers)

    @cached_property
    def points(self):
        """Numbers of few digits between those of a column that is not cut, or None.

        (n_values - 1,), float64, ascending. None for other values than numbers, and for
        large integers that are equal as float64.
        """
        if self.categories.dtype.kind not in "iuf":
            return None
        numbers = self.categories[self._ascending - 1].astype(np.float64).tolist()
        if not numbers or not do_ascend(numbers):
            return None
        return np.array([well_between(*pair) for pair in pairwise(numbers)])

    @cached_property
    def _ascending(self):
        """The codes of numbers, in the order of the numbers."""
        n_present = np.count_nonzero(~np.isnan(self.categories))
        return 1 + np.argsort(self.categories)[:n_present]

    def recoding(self, other):
        """Return the code of another attribute for each code: (n_values + 1,), int32.

        The other one has these values. If it is cut, it has some of these cut points:
        each interval is within one of its intervals, the one with its upper end.
        """
        values = [*self.codes]
        if self.cut_points is not None:
            ends = np.append(self.cut_points, np.inf)
            intervals = np.searchsorted(other.cut_points, ends).astype(float)
            values = [v if v is None else intervals[int(v)] for v in values]
        codes = [other.codes.get(value, 0) for value in values]
        return np.array([0, *codes], dtype=np.int32)

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
        return np.array([*map(known.get, values, repeat(0))], dtype=np.int32)[places]

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
    # The kind of a column without values is unknown.
    known = [each for each in attributes if each.codes.keys() - {None}]
    numeric = bool(known) and all(e.categories.dtype.kind in "iuf" for e in known)
    first = attributes[0]
    found = Attribute.of(codes, numeric, first.frequencies, first.cut_points)
    recodings = [each.recoding(found) for each in attributes]
    if all(each.frequencies.shape[1] == len(each.codes) + 1 for each in attributes):
        frequencies = np.zeros((len(first.frequencies), len(codes) + 1))
        for each, new in zip(attributes, recodings):
            frequencies[:, new] += each.frequencies
        found = replace(found, frequencies=frequencies)
    return found, recodings


def recoded(rows, recoding):
    """Return rows of codes in other codes.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_features), int32
    recoding : list of n_features ndarrays of int32
        The new code of each code.
    """
    return np.column_stack([codes[column] for codes, column in zip(recoding, rows.T)])


# Attributes with more values than this have equalities only.
MANY_VALUES = 32

#: Relations of literals of an attribute of which two have no value in common, or one
#: implies the other.
NESTED = frozenset({"=", "in"})


class DerivedColumn(NamedTuple):
    """A column of codes with literals.

    Parameters
    ----------
    attribute : int
        The attribute.
    codes : ndarray of shape (n_values + 1,), int32
        The code in this column for each code of the attribute; 0 satisfies no literal.
    relations : tuple of str
        The relation of each code, from 1: '=', '!=', '<=', '>' or 'in'.
    value : int or None
        Code of the value on the right of the relation; None if it is the value of each
        code, or an interval of values.
    """

    attribute: int
    codes: np.ndarray
    relations: tuple
    value: int | None


def derived_columns(attribute, values, literals, is_ordered=False, compared=None):
    """Return the literals of an attribute: equalities first, then all others.

    An attribute of two values gets no other literals: each value is the complement of
    the other. An attribute of more than `MANY_VALUES` values gets no complements or
    cuts, as a row would satisfy all complements but one.

    Parameters
    ----------
    attribute : int
    values : ndarray of shape (n_values,)
        Values in the order of their codes.
    literals : {'equal', 'ordered', 'intervals'}
        Whether there are complements and cuts, or intervals.
    is_ordered : bool
        Whether a numeric attribute is cut for any value of `literals`.
    compared : tuple of int, optional
        Codes of the values on the right of the comparisons, if these are given: '<='
        and '>' for numbers, and '!=' for others.

    Returns
    -------
    columns : list of DerivedColumn
        A complement has code 1; a cut has 1 below, and 2 above; intervals of one width
        have 1, 2, ..., ascending.
    """
    n_values = len(values)
    codes = np.arange(n_values + 1, dtype=np.int32)
    columns = [DerivedColumn(attribute, codes, ("=",) * n_values, None)]
    if compared == ():
        return columns
    ranks = ranks_of(values)
    if compared is None:
        if literals == "intervals" and not is_ordered:
            return columns + _nested_intervals(attribute, ranks)
        if not 2 < n_values <= MANY_VALUES or (literals == "equal" and not is_ordered):
            return columns
        compared = codes[1:] if ranks is None else np.argsort(ranks)[-ranks.max() : -1]
    return columns + [_compared(attribute, codes, ranks, code) for code in compared]


def _compared(attribute, codes, ranks, code):
    """Return the column of the comparisons of an attribute with one value."""
    if ranks is None:
        found, relations = (codes != 0) & (codes != code), ("!=",)
    else:
        found, relations = np.sign(ranks) + (ranks > ranks[code]), ("<=", ">")
    return DerivedColumn(attribute, found.astype(np.int32), relations, int(code))


def _nested_intervals(attribute, ranks):
    """Return a column for each width of intervals: halves, quarters, and so on.

    Each of 2, 4, ... intervals, fewer than there are values, has about the same number
    of neighbouring values. An interval of one width is within one of each larger width,
    since ``ceil(ceil(4 r / n) / 2) == ceil(2 r / n)``. Each value is in one interval of
    each width, even if it is the only one there; a missing value is in none.
    """
    n_ranks = 0 if ranks is None else int(ranks.max(initial=0))
    columns = []
    for width in range(1, max(n_ranks - 1, 0).bit_length()):
        places = -(-ranks.astype(np.int64) * 2**width // n_ranks)
        relations = ("in",) * 2**width
        columns.append(
            DerivedColumn(attribute, places.astype(np.int32), relations, None)
        )
    return columns


def ranks_of(values):
    """Return ranks of codes by value, 0 for missing values; None if not numeric."""
    if values.dtype.kind not in "iuf":
        return None
    present = np.flatnonzero(~np.isnan(values))
    ranks = np.zeros(len(values) + 1, dtype=np.int32)
    ranks[1 + present[np.argsort(values[present])]] = np.arange(1, len(present) + 1)
    return ranks


@dataclass(frozen=True, eq=False)
class Encoding:
    """From the cells of a table to codes, and from codes to codes with literals.

    Values of a column get codes 1, 2, ...; a value that does not occur in training is
    unspecified, with code 0, unless it is a number beside known ones. Nothing is
    changed in place.

    Parameters
    ----------
    attributes : tuple of n_features Attribute
        Codes of the values of each column.
    missing : {'unspecified', 'category', 'most_frequent'} or tuple of int
        The code of a missing value: 0; its own code, if it occurs in training; or the
        code of the most frequent value, in training among the samples of the same class
        (Tao & Scott 2004, section 5.2), later among all samples. A tuple has the
        positions of the columns where it is a category; elsewhere it is unspecified.
    discretizer : ClassEntropyDiscretizer or None, default=None
        Discretizer that cuts columns before their values are encoded. It is fitted
        after `with_cuts`; one that is fitted before keeps its cut points.
    literals : {'equal', 'ordered', 'intervals'}, default='equal'
        Kinds of literals.
    ordered : tuple of int, default=()
        Numeric attributes that are compared with cut points for any `literals`.
    compared : tuple of n_features tuples of int, or None, default=None
        Codes of each attribute that screening compares with; None for all literals of
        the kind.
    nearest : bool, default=False
        Whether a new number of a column that is not cut has the code of the known one
        that is nearest, see `Attribute.points`. If False, numbers are categories.
    """

    attributes: tuple
    missing: str | tuple
    discretizer: ClassEntropyDiscretizer | None = None
    literals: str = "equal"
    ordered: tuple = ()
    compared: tuple | None = None
    nearest: bool = False

    @classmethod
    def empty(cls, n_features, n_classes, missing, **rest):
        """Return the encoding before its first batch, without any values."""
        attribute = Attribute.of({}, False, np.zeros((n_classes, 1)))
        return cls((attribute,) * n_features, missing, **rest)

    @property
    def categories(self):
        """Return the values of each attribute, in the order of their codes."""
        return [attribute.categories for attribute in self.attributes]

    @property
    def n_known(self):
        """Return the number of values of each attribute: (n_features,), int."""
        return np.array([len(values) for values in self.categories], dtype=np.int64)

    @property
    def cut_points(self):
        """Return the cut points of each attribute, None if it is not cut."""
        return [attribute.cut_points for attribute in self.attributes]

    __getstate__ = _fields_of

    # -- training ----------------------------------------------------------------------

    def with_cuts(self, table, labels, weights, rows=slice(None)):
        """Return the encoding with the cut points of its first batch.

        Parameters
        ----------
        table : FactorizedTable
        labels : ndarray of shape (n_samples,), int
            Class indices.
        weights : ndarray of shape (n_samples,)
            Positive.
        rows : ndarray of shape (n_samples,), bool, default=slice(None)
            Samples whose information is used. The discretizer remains unfitted unless
            these are all.
        """
        if hasattr(self.discretizer, "cut_points_"):  # given, and not to be fitted
            given = zip(self.attributes, self.discretizer.cut_points_)
            attributes = [replace(each, cut_points=points) for each, points in given]
            return replace(self, attributes=tuple(attributes))
        to_cut = table.columns_to_cut(self.discretizer)
        if not to_cut:
            return self
        columns, known = table.ranked(to_cut, rows), labels[rows]
        is_final = len(known) == len(labels)
        partitions = self.discretizer._partitions(
            columns, known, weights[rows], with_entropies=is_final
        )
        return self.with_partitions(partitions, table, is_final)

    def with_partitions(self, found, table, is_final=True):
        """Return the encoding with given cut points.

        Parameters
        ----------
        found : dict of int to Partition
            By the position of the attribute.
        table : FactorizedTable
        is_final : bool
            Whether all rows were used. The discretizer is then fitted.
        """
        attributes = list(self.attributes)
        for j, partition in found.items():
            attributes[j] = replace(attributes[j], cut_points=partition.points)
        discretizer = self.discretizer
        if is_final and found:
            discretizer = clone(discretizer)
            discretizer.n_features_in_ = len(attributes)
            if table.names:
                discretizer.feature_names_in_ = np.array(table.names, dtype=object)
            discretizer._settle(found)
        return replace(self, attributes=tuple(attributes), discretizer=discretizer)

    def learn(self, table, labels, weights, rows=slice(None)):
        """Return the encoding with the values of a batch, and the codes of the batch.

        Parameters
        ----------
        table, labels, weights, rows
            See `with_cuts`. Other samples are encoded as new ones.

        Returns
        -------
        encoding : Encoding
        codes : ndarray of shape (n_samples, n_features), int32
        """
        rows = np.arange(len(labels))[rows]
        labels, weights = labels[rows], weights[rows]
        codes = np.empty(table.codes.shape, dtype=np.int32, order="F")
        attributes = []
        for j, attribute in enumerate(self.attributes):
            is_cut = attribute.cut_points is not None
            values, places, is_numeric = self._cells(table, j, is_cut)
            if not is_cut:
                check_cells(values, attribute.codes, table.label(j))
            seen = np.flatnonzero(np.bincount(places[rows], minlength=len(values)))
            if not self.has_category(j):
                seen = seen[seen > 0]
            attribute = attribute.with_values([values[i] for i in seen], is_numeric)
            found = attribute.codes_of(values, places, missing=0)
            if self.missing == "most_frequent":
                attribute = attribute.with_frequencies(found[rows], labels, weights)
                found[places == 0] = attribute.most_frequent()
                gaps = places[rows] == 0
                found[rows[gaps]] = attribute.most_frequent(labels[gaps])
            codes[:, j] = found
            attributes.append(attribute)
        return replace(self, attributes=tuple(attributes)), codes

    def codes_as_new(self, table):
        """Return the codes of a FactorizedTable, as of new samples."""
        cells = [
            self._cells(table, j, is_cut=self.points(j) is not None)[:2]
            for j in range(len(self.attributes))
        ]
        return self._codes(cells)

    def _cells(self, table, j, is_cut):
        """Return values and places of a column or of its intervals, and their kind."""
        column, places = table.columns[j], table.codes[:, j]
        if not is_cut:
            return column.values, places, column.is_numeric
        if column.numbers is None:
            # It says which value is no number.
            numbers_to_cut(as_array(column.values, numeric=False), table.label(j))
        values, of_values = self.attributes[j].intervals(column.numbers)
        return values, of_values[places], True

    # -- new samples -------------------------------------------------------------------

    def encode_table(self, X, estimator):
        """Return the codes of new samples of a fitted estimator.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        estimator : estimator instance
            With `n_features_in_`, and `feature_names_in_` if columns have names.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32

        Raises
        ------
        ValueError
            If X does not have the columns of the estimator.
        """
        X = check_table(estimator, X, reset=False)
        columns = columns_of(X, estimator)
        return self.encode(columns, partial(column_label, estimator))

    def encode(self, columns, label):
        """Return the codes of columns of new samples, see `FactorizedTable.of`."""
        cells = []
        for j, (attribute, column) in enumerate(zip(self.attributes, columns)):
            if self.points(j) is None:
                cells.append(distinct_values(column, label(j)))
                check_cells(cells[j][0], attribute.codes, label(j), n_rows=len(column))
            else:
                numbers = numbers_to_cut(column, label(j))
                cells.append(attribute.intervals(numbers))
        return self._codes(cells)

    def points(self, j):
        """Return the points between which new numbers of a column have the same code.

        None if its values are categories.
        """
        attribute = self.attributes[j]
        if attribute.cut_points is None and self.nearest:
            return attribute.points
        return attribute.cut_points

    def has_category(self, j):
        """Return whether missing values of column j are a category."""
        if isinstance(self.missing, tuple):
            return j in self.missing
        return self.missing == "category"

    def code_of_missing(self, j):
        """Return the code of a missing value of column j in new samples."""
        if self.missing == "most_frequent":
            return self.attributes[j].most_frequent()
        return self.attributes[j].codes.get(None, 0)

    def _codes(self, cells):
        """Return the codes of values and places of each column."""
        columns = []
        for j, (values, places) in enumerate(cells):
            missing = self.code_of_missing(j)
            columns.append(self.attributes[j].codes_of(values, places, missing))
        return np.column_stack(columns)

    # -- literals ----------------------------------------------------------------------

    @cached_property
    def columns(self):
        """All columns of codes with literals: list of DerivedColumn.

        Those of the attributes are first, then those of all other literals.
        """
        compared = self.compared or (None,) * len(self.attributes)
        every = [
            derived_columns(j, values, self.literals, j in self.ordered, compared[j])
            for j, values in enumerate(self.categories)
        ]
        equalities = [columns[0] for columns in every]
        return equalities + [column for columns in every for column in columns[1:]]

    @cached_property
    def n_values(self):
        """The largest codes of all columns: (n_columns,), int."""
        return np.array([len(c.relations) for c in self.columns], dtype=np.int64)

    def with_literals(self, codes):
        """Append to codes a column for each literal that is not an equality.

        These columns are a function of the codes, so that a model need not store them.
        An unspecified value satisfies no literal.

        Parameters
        ----------
        codes : ndarray of shape (n, n_features), int32

        Returns
        -------
        codes : ndarray of shape (n, n_columns), int32
            Itself if all literals are equalities.
        """
        n = len(self.attributes)
        if len(self.columns) == n:
            return codes
        more = [column.codes[codes[:, column.attribute]] for column in self.columns[n:]]
        return np.column_stack([codes, *more])
