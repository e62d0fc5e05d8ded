"""Alternatives: the other values that a feature of a sample can have."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from functools import cached_property
from math import floor, inf, isfinite
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from sklearn_dnfwinnow._encoding._columns import array_of, frame_library, is_missing
from sklearn_dnfwinnow._encoding._cutter import shortest
from sklearn_dnfwinnow.inspection._preimages import (
    CategoricalPreimage,
    NumericPreimage,
)
from sklearn_dnfwinnow.inspection._term_decoder import relation_and_label

# Maximum distance of a value from the lower end of its interval, as a fraction of the
# width.
_NEAR = 0.1


class Alternative(NamedTuple):
    """An alternative value of a feature.

    Attributes
    ----------
    codes : tuple of int
        Codes of the attributes that are functions of the feature.
    value : object
        In the form that the data have.
    text : str
        Relation and value as readable text, or all values with the same codes.
    steps : int
        Number of intervals, or of training values, between old and new value; 1 for
        categories.
    """

    codes: tuple
    value: object
    text: str
    steps: int


class ColumnValues:
    """The values of a feature, as a classifier distinguishes them.

    Parameters
    ----------
    column : int
        Position of the feature in the data.
    attributes : list of int
        The attributes of the classifier that are functions of the feature.
    preimages : list of CategoricalPreimage or NumericPreimage
        Of these attributes.

    Attributes
    ----------
    column, attributes
        As given.
    preimage : CategoricalPreimage or NumericPreimage
        Maps values to the numbers of the profiles.
    profiles : dict of int to tuple of int
        Codes of the attributes, all specified, by the number of the profile.
    """

    def __init__(self, column, attributes, preimages):
        self.column = column
        self.attributes = attributes
        if len(attributes) == 1:
            (self.preimage,) = preimages
            known = dict.fromkeys(_codes(self.preimage))
            self.profiles = {code: (code,) for code in known if code}
            return
        numeric = [preimage.as_numeric() for preimage in preimages]
        if None in numeric:
            values = dict.fromkeys(v for p in preimages for v in p.present)
            found = {v: tuple(p.code_of(v) for p in preimages) for v in values}
            numbers = _numbered(found.values())
            codes = {v: numbers[profile] for v, profile in found.items()}
            self.preimage = CategoricalPreimage(column, codes)
        else:
            cuts = np.unique(np.concatenate([p.cuts for p in numeric]))
            found = [tuple(p.code_of(end) for p in numeric) for end in [*cuts, inf]]
            numbers = _numbered(found)
            codes = np.array([numbers[profile] for profile in found])
            self.preimage = NumericPreimage(column, cuts, codes).merged()
        self.profiles = {n: profile for profile, n in numbers.items() if all(profile)}

    @cached_property
    def _order(self):
        """Return the ranks of the numeric profiles; None if they have no order."""
        numeric = self.preimage.as_numeric()
        if numeric is None:
            return None
        found = dict.fromkeys(numeric.codes.tolist())
        known = [code for code in found if code in self.profiles]
        return {code: rank for rank, code in enumerate(known)}

    def alternatives(self, cell, codes):
        """Return the Alternatives to a value, without missing values.

        Several can have the same codes, in case that the estimator refuses the first.

        Parameters
        ----------
        cell : object
            The value; None or NaN if it is missing.
        codes : tuple of int
            Codes of its attributes.
        """
        order = self._order
        now = next((n for n, profile in self.profiles.items() if profile == codes), 0)
        found = []
        for number, profile in self.profiles.items():
            if number == now:
                continue
            text = self._text(number)
            is_ordered = order is not None and now in order
            steps = abs(order[number] - order[now]) if is_ordered else 1
            found += [
                Alternative(codes=profile, value=value, text=text, steps=steps)
                for value in self._values(number, cell)
            ]
        return found

    def _values(self, number, cell):
        """Return values of a profile: tuple; first the one nearest to the old one."""
        found = self.preimage.among({number})
        if isinstance(self.preimage, CategoricalPreimage):
            return tuple(_like(value, cell) for value in found.listed[:1])
        intervals = [self.preimage.ends(interval) for interval in found]
        # A function is not always defined at the ends: log(0) is not a number.
        middles = [_middle(low, high) for low, high in intervals]
        return _nearest(intervals, cell), *middles

    def _text(self, number):
        """Return the relation and the values of a profile as text."""
        relation, label = relation_and_label(
            relation="=", compared={number}, codes={number}, preimage=self.preimage
        )
        return f"{relation} {label}"


def column_values(decoder):
    """Return the ColumnValues of all features that a classifier uses."""
    attributes = defaultdict(list)
    for j, preimage in enumerate(decoder.preimages):
        attributes[preimage.column].append(j)
    return [
        ColumnValues(column, those, [decoder.preimages[j] for j in those])
        for column, those in sorted(attributes.items())
    ]


def rows_with(table, row, changes):
    """Return copies of one row of the data, each with some other values.

    Parameters
    ----------
    table : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    row : int
    changes : list of dict of int to object
        New values by the position of the column, for each copy.

    Returns
    -------
    table : {ndarray, dataframe} of shape (n_changes, n_features)
        A data frame of the same library.
    """
    library = frame_library(table)
    if issparse(table):
        table, row = table.tocsr()[[row]].toarray(), 0
    if library is None:
        table = array_of(table)
        rows = np.repeat(table[row : row + 1], len(changes), axis=0)
        changed = rows.astype(np.float64 if rows.dtype.kind == "f" else object)
        for new, values in zip(changed, changes):
            new[list(values)] = list(values.values())
        # Functions of NumPy do not take objects.
        if rows.dtype.kind in "iu":
            numbers = changed.astype(np.float64)
            if (numbers == changed).all():  # large integers can differ
                return numbers
        return changed
    places = [row] * len(changes)
    is_pandas = library == "pandas"
    rows = table.iloc[places].reset_index(drop=True) if is_pandas else table[places]
    for j in sorted({j for values in changes for j in values}):
        old = rows.iloc[:, j] if is_pandas else rows.to_series(j)
        cells = [new.get(j, cell) for new, cell in zip(changes, old.to_list())]
        # The dtype follows from the values, which that of the table may not hold.
        if is_pandas:
            rows.isetitem(j, type(old)(cells))
        else:
            rows = rows.with_columns(type(old)(old.name, cells, strict=False))
    return rows


def _codes(preimage):
    """Return the codes of a preimage, in the order of its values."""
    if isinstance(preimage, CategoricalPreimage):
        return [preimage.codes[value] for value in preimage.present]
    return preimage.codes.tolist()


def _numbered(profiles):
    """Return the numbers of different profiles, from 1."""
    distinct = dict.fromkeys(profiles)
    return {profile: number for number, profile in enumerate(distinct, start=1)}


def _like(value, cell):
    """Return a whole number as an integer, if the old value is an integer."""
    if type(cell) is int and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _nearest(intervals, cell):
    """Return the number in some intervals that is nearest to another number.

    Parameters
    ----------
    intervals : list of (float, float)
        The intervals ``low < x <= high``; not empty.
    cell : object
        The other number, outside of the intervals; it can be missing.
    """
    if is_missing(cell):
        return _inside(*intervals[0], whole=False)
    whole, number = isinstance(cell, int), float(cell)
    found = [
        high if number > high else _inside(low, high, whole) for low, high in intervals
    ]
    # Intervals mostly do not end at integers.
    found = [
        floor(value) if whole and low < floor(value) else value
        for value, (low, _) in zip(found, intervals)
    ]
    return min(found, key=lambda value: abs(value - number))


def _middle(low, high):
    """Return a short number in (low, high], far from the finite ends."""
    if isfinite(low) and isfinite(high):
        distance = (high - low) / 4
        return float(shortest(low + distance, high - distance))
    if isfinite(low):
        return low + (abs(low) or 1.0)
    return high - (abs(high) or 1.0) if isfinite(high) else 0.0


def _inside(low, high, whole):
    """Return a short number in (low, high], near the lower end if it is finite."""
    if low == -inf:
        return high if isfinite(high) else 0.0
    if whole and floor(low) + 1 <= high:
        return floor(low) + 1
    width = high - low if isfinite(high) else abs(low) or 1.0
    return float(shortest(low, max(np.nextafter(low, inf), low + _NEAR * width)))
