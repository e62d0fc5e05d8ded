"""FactorizedTable: data as the distinct values of each column, and their places.

The values are processed once. The cut points and codes without some of the samples, as
for the folds of a cross-validation, then require only look-ups of integers.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_choice import (
    chosen_columns,
    refuse_to_cut,
)
from sklearn_dnfwinnow._preprocessing._columns import (
    holds_numbers,
    is_numeric,
    numbers_of,
)
from sklearn_dnfwinnow._preprocessing._distinct_values import (
    as_array,
    distinct_values,
    do_ascend,
    ordered,
)
from sklearn_dnfwinnow._preprocessing._value_encoder import most_frequent


@dataclass(frozen=True, eq=False)
class FactorizedColumn:
    """The distinct values of a column, without a missing one.

    Attributes
    ----------
    values : ndarray of shape (n_values,)
        In the form of `ValueEncoder.categories_`.
    is_numeric : bool
        Whether the column is numeric, see `holds_numbers`.
    ascend : bool
        Whether they are in an order that any subset also has.
    numbers : ndarray of shape (n_numbers,), float64, or None
        The values as numbers, also for booleans; ascending. None for other values.
    ranks : ndarray of shape (n_values + 1,), intp, or None
        From codes to places among `numbers`, from 1. None if these are the codes, which
        holds except for integers that float64 rounds.
    """

    values: np.ndarray
    is_numeric: bool
    ascend: bool
    numbers: np.ndarray | None
    ranks: np.ndarray | None


@dataclass(frozen=True, eq=False)
class FactorizedTable:
    """Data as the distinct values of each column, and their places.

    Attributes
    ----------
    codes : ndarray of shape (n_samples, n_features), int32
        k + 1 for the k-th value of the column, 0 for a missing one.
    columns : list of n_features FactorizedColumn
    names : tuple of str
        Names of the columns; empty if they have none.
    """

    codes: np.ndarray
    columns: list
    names: tuple

    @classmethod
    def of(cls, columns, label, names=()):
        """Return the factorized table of some columns.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_samples,)
            As returned by :func:`sklearn_dnfwinnow._preprocessing._columns.columns_of`,
            `exact`.
        label : callable
            From the position of a column to its name in messages.
        names : sequence of str, default=()

        Raises
        ------
        ValueError
            If a value is infinite.
        TypeError
            If a value has no hash.
        """
        codes = np.empty((len(columns[0]), len(columns)), dtype=np.int32, order="F")
        factorized = []
        for j, column in enumerate(columns):
            found, codes[:, j] = _factorized(column, label(j))
            factorized.append(found)
        return cls(codes, factorized, tuple(names))

    def take(self, rows):
        """Return the table of some rows, in any order."""
        return replace(self, codes=np.asfortranarray(self.codes[rows]))

    def columns_to_cut(self, discretizer):
        """Return a mask of the columns that a discretizer cuts; None cuts none.

        Raises
        ------
        ValueError
            If there is no such column, or it is not numeric.
        """
        if discretizer is None:
            return np.zeros(len(self.columns), dtype=bool)
        numeric = [column.is_numeric for column in self.columns]
        chosen = chosen_columns(discretizer.columns, numeric, self.names)
        for j in np.flatnonzero(chosen):
            if self.columns[j].numbers is None:
                label = repr(str(self.names[j])) if len(self.names) else str(j)
                refuse_to_cut(discretizer.columns, label)
        return chosen

    def is_one_view(self, discretizer, missing):
        """Return whether the view of all rows is valid for any held-out rows.

        Values that occur only in held-out rows then keep their own codes, which no
        other row uses.
        """
        fills = missing == "most_frequent" and not self.codes.all()
        return not fills and not self.columns_to_cut(discretizer).any()

    def view(self, discretizer, labels, weights, n_classes, missing, held_out=None):
        """Return the codes of all rows, encoded without the held-out rows.

        They are the codes of a clone of the discretizer and a `ValueEncoder` that are
        fitted to the rows that are not held out, and encode the others as new rows.

        Parameters
        ----------
        discretizer : ClassEntropyDiscretizer or None
            Only its parameters are used. None cuts nothing.
        labels : ndarray of shape (n_samples,), int
            Class indices.
        weights : ndarray of shape (n_samples,)
            Positive.
        n_classes : int
        missing : {'unspecified', 'category', 'most_frequent'}
            See `ValueEncoder`.
        held_out : ndarray of shape (n_samples,), bool, default=None
            Not all of them. None holds out no row.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32
        categories : list of n_features ndarrays
            See `ValueEncoder`.
        cut_points : list of n_features ndarrays, or None
            Cut points of each column, None for a column that is not cut.
        """
        if held_out is None:
            held_out = np.zeros(len(self.codes), dtype=bool)
        known = np.flatnonzero(~held_out)
        labels, weights = labels[known], weights[known]
        to_cut = self.columns_to_cut(discretizer)
        cutter = discretizer._cutter(labels, weights) if to_cut.any() else None
        codes = np.empty(self.codes.shape, dtype=np.int32)
        categories, cut_points = [], []
        for j, column in enumerate(self.columns):
            places = self.codes[:, j]
            of_known = places[known]
            points = None
            if to_cut[j]:
                look_up, points = _intervals(column, of_known, cutter)
                values = np.arange(look_up.any() * (len(points) + 1.0))
            else:
                look_up, values = _values(column, of_known)
            cut_points.append(points)
            has_missing = missing != "unspecified" and not of_known.all()
            if missing == "category" and has_missing:
                look_up[0] = len(values) + 1
                values = as_array([*values.tolist(), None], is_numeric(values))
            codes[:, j] = found = look_up[places]
            categories.append(values)
            if missing == "most_frequent" and not places.all():
                frequencies = _frequencies(
                    codes=found[known],
                    labels=labels,
                    weights=weights,
                    shape=(n_classes, len(values) + 1),
                )
                gaps = places == 0
                codes[gaps & held_out, j] = most_frequent(frequencies)
                gaps = of_known == 0
                codes[known[gaps], j] = most_frequent(frequencies, labels[gaps])
        return codes, categories, cut_points


def _factorized(column, label):
    """Return a column as a FactorizedColumn, and its codes."""
    values, places = distinct_values(column, label)
    is_plain = column.dtype.kind in "iufb"
    if is_plain:  # ascending, a missing value last
        codes = (places + 1).astype(np.int32)
        if values[-1] is None:
            codes[places == len(values) - 1] = 0
            values = values[:-1]
        ascend = True
    else:
        in_order = [value for value in ordered(values) if value is not None]
        ranks = {value: code for code, value in enumerate(in_order, start=1)}
        look_up = np.array([ranks.get(v, 0) for v in values], dtype=np.int32)
        codes, values, ascend = look_up[places], in_order, do_ascend(in_order)
    numbers = ranks = None
    if is_plain or numbers_of(column) is not None:
        numbers = np.array(values, dtype=np.float64) + 0.0
        if (numbers[1:] <= numbers[:-1]).any():
            numbers, ranks = np.unique(numbers, return_inverse=True)
            ranks = np.concatenate([[0], ranks + 1])
    values = as_array(values, is_numeric(column))
    found = FactorizedColumn(
        values=values,
        is_numeric=holds_numbers(column),
        ascend=ascend,
        numbers=numbers,
        ranks=ranks,
    )
    return found, codes


def _values(column, places):
    """Return codes of the values that some rows have, and these values.

    Returns
    -------
    look_up : ndarray of shape (n_values + 1,), int32
        From places among all values, 0 being a missing one.
    values : ndarray
        In the order of their codes.
    """
    n_values = len(column.values)
    seen = 1 + np.flatnonzero(np.bincount(places, minlength=n_values + 1)[1:])
    values = column.values[seen - 1]
    if not column.ascend and len(seen) < n_values:
        place_of = dict(zip(values.tolist(), seen.tolist()))
        values = as_array(ordered(values.tolist()), False)
        seen = np.array([place_of[value] for value in values.tolist()], dtype=np.intp)
    look_up = np.zeros(n_values + 1, dtype=np.int32)
    look_up[seen] = np.arange(1, len(seen) + 1)
    return look_up, values


def _intervals(column, places, cutter):
    """Return codes of the intervals of all values, and where these are cut.

    Returns
    -------
    look_up : ndarray of shape (n_values + 1,), int32
        From places among all values, 0 being a missing one.
    points : ndarray of shape (n_intervals - 1,), float64
        Empty, and all codes 0, if no row has a value.
    """
    look_up = np.zeros(len(column.values) + 1, dtype=np.int32)
    if not places.any():
        return look_up, np.empty(0)
    ranks = places if column.ranks is None else column.ranks[places]
    points = cutter.points(column.numbers, ranks)
    codes = np.searchsorted(points, column.numbers) + 1
    look_up[1:] = codes if column.ranks is None else codes[column.ranks[1:] - 1]
    return look_up, points


def _frequencies(codes, labels, weights, shape):
    """Return weights of codes in classes, 0 for code 0: of the shape given."""
    cells = labels * np.int64(shape[1]) + codes
    found = np.bincount(cells, weights, minlength=shape[0] * shape[1]).reshape(shape)
    found[:, 0] = 0
    return found
