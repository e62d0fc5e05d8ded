"""Preimage: the code in a classifier of each value of a column of the data.

An attribute of a classifier has codes 1, 2, ...; a value with code 0 satisfies no
literal. A preimage partitions, by these codes, the values of the column of which the
attribute is a function. It starts with the categories of the attribute, and is
transformed step by step through the transformers before the classifier, see
`_inverses`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isfinite
from numbers import Real
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._columns import (
    distinct_values,
    is_missing,
    is_numeric,
    numbers_of,
)
from sklearn_dnfwinnow._encoding._cuts import (
    are_counts,
    as_text,
    short,
    shortest,
    well_between,
)
from sklearn_dnfwinnow.rules._text import number_text

# Numbers closer than this fraction of the largest cut are treated as equal in texts.
_NEAR = 1e-12


class Values(NamedTuple):
    """Some values of a column: the listed ones, or all others.

    Attributes
    ----------
    listed : tuple
        Hashable values, without missing ones.
    complement : bool
        Whether the values are all that are not listed, except for missing ones.
    """

    listed: tuple
    complement: bool = False


class CutText(NamedTuple):
    """A rounded cut between two intervals of numbers.

    Attributes
    ----------
    number : str
    strict : bool
        Whether the number itself is above the cut, not below.
    """

    number: str
    strict: bool = False


@dataclass(frozen=True, eq=False)
class CategoricalPreimage:
    """Codes of single values of a column.

    Parameters
    ----------
    column : int
        Position of the column.
    codes : dict of value to int
        Codes of values; `missing` is the code of all missing ones among them.
    missing : int
        Code of missing values.
    other : int
        Code of all other values.
    is_direct : bool
        Whether the values are the categories of the classifier.
    cuts : ndarray of shape (n_values - 1,), default=None
        Of numbers, cut points between neighbouring values: any other number has the
        code of the value between the same cut points. None if others have `other`.
    """

    column: int
    codes: dict
    missing: int = 0
    other: int = 0
    is_direct: bool = False
    cuts: np.ndarray | None = None

    @cached_property
    def _values(self):
        """Return the values with each code: dict of lists."""
        values = defaultdict(list)
        for value in self.present:
            values[self.codes[value]].append(value)
        return values

    @cached_property
    def present(self):
        """Return the listed values that are not missing: list."""
        return [value for value in self.codes if not is_missing(value)]

    def has_ends_between(self, codes):
        """Return whether texts of a range of numbers compare with others between them.

        Whole numbers such as 2 and 3 have none between them that a count could be.
        """
        if self.cuts is None:
            return False
        ends = {end for interval in self.as_numeric().among(codes) for end in interval}
        known = sorted(self.present)
        inner = ends - {-1, len(self.cuts)}
        return not all(are_counts(known[end : end + 2]) for end in inner)

    def code_of(self, value):
        """Return the code of one value."""
        if is_missing(value):
            return self.missing
        if self.cuts is None or value in self.codes or not isinstance(value, Real):
            return self.codes.get(value, self.other)
        return self.as_numeric().code_of(value)

    def codes_of(self, column):
        """Return codes of a column from `columns_of`: (n_samples,), int."""
        if self.cuts is not None and is_numeric(column):
            return self.as_numeric().codes_of(column)
        values, places = distinct_values(column, self.column)
        return np.array([self.code_of(v) for v in values], dtype=np.intp)[places]

    def among(self, codes):
        """Return the Values with one of some codes."""
        complement = self.other in codes
        if complement:
            codes = [code for code in self._values if code not in codes]
        listed = (value for code in codes for value in self._values.get(code, ()))
        return Values(tuple(listed), complement)

    def as_numeric(self):
        """Return the preimage of a numeric column, with an interval for each value.

        None if a value is not a number.
        """
        if self.cuts is not None:
            known = sorted(self.present)
            return NumericPreimage(
                column=self.column,
                cuts=self.cuts,
                codes=np.array([self.codes[value] for value in known]),
                missing=self.missing,
                texts=list(map(_text_between, known, known[1:], self.cuts.tolist())),
            )
        if not all(isinstance(v, (bool, int, float, np.number)) for v in self.present):
            return None
        ascending = sorted(self.present)
        # Large integers can be equal as float64.
        numbers = np.array(ascending, dtype=np.float64)
        if (numbers[1:] <= numbers[:-1]).any():
            return None
        codes = np.full(2 * len(numbers) + 1, self.other)
        codes[1::2] = [self.codes[value] for value in ascending]
        ends = np.column_stack([np.nextafter(numbers, -inf), numbers]).ravel()
        return NumericPreimage(self.column, ends, codes, self.missing).merged()


def _text_between(low, high, cut):
    """Return the text of a cut between two numbers: a CutText."""
    if are_counts([low, high]):
        return CutText(as_text(float(low)))
    low, high = float(low), float(high)
    # Behind a scaler, it has many digits.
    is_short = cut == well_between(low, high)
    return CutText(as_text(cut) if is_short else short(cut, low, high))


@dataclass(frozen=True, eq=False)
class NumericPreimage:
    """Codes of intervals of a numeric column.

    Parameters
    ----------
    column : int
        Position of the column.
    cuts : ndarray of shape (n_cuts,), float64
        Ascending. Interval i is (cuts[i-1], cuts[i]]; the outer intervals are open.
    codes : ndarray of shape (n_cuts + 1,), int
        Codes of the intervals.
    missing : int
        Code of missing values.
    texts : list of CutText, default=None
        Texts of the cuts; None rounds them.
    """

    column: int
    cuts: np.ndarray
    codes: np.ndarray
    missing: int = 0
    texts: list | None = field(default=None)

    def code_of(self, value):
        """Return the code of one value."""
        if is_missing(value):
            return self.missing
        return int(self.codes[np.searchsorted(self.cuts, float(value))])

    def codes_of(self, column):
        """Return codes of a column from `columns_of`: (n_samples,), int.

        None if the column is not numeric.
        """
        numbers = numbers_of(column)
        if numbers is None:
            return None
        codes = self.codes[np.searchsorted(self.cuts, numbers)]
        return np.where(np.isnan(numbers), self.missing, codes)

    def as_numeric(self):
        """Return itself."""
        return self

    def merged(self):
        """Return the preimage without empty intervals, with equal neighbours merged."""
        is_filled = np.append(True, self.cuts[1:] > self.cuts[:-1])[: len(self.cuts)]
        filled = self._with_cuts(is_filled)
        return filled._with_cuts(filled.codes[1:] != filled.codes[:-1])

    def _with_cuts(self, kept):
        """Return the preimage with some cuts; drop the intervals below removed ones."""
        texts = self.texts and [t for t, is_kept in zip(self.texts, kept) if is_kept]
        codes = np.append(self.codes[:-1][kept], self.codes[-1])
        return replace(self, cuts=self.cuts[kept], codes=codes, texts=texts)

    def within(self, low, high):
        """Return the preimage with code 0 for numbers outside of [low, high]."""
        texts = {cut: self.text(i) for i, cut in enumerate(self.cuts.tolist())}
        below = float(np.nextafter(low, -inf))
        texts[below] = CutText(number_text(low), strict=True)
        texts[high] = CutText(number_text(high))
        cuts = np.array(sorted(filter(isfinite, texts)))
        ends = np.append(cuts, inf)
        codes = np.array([self.code_of(end) for end in ends])
        codes[(ends <= below) | (ends > high)] = 0
        return replace(
            self, cuts=cuts, codes=codes, texts=[texts[cut] for cut in cuts.tolist()]
        )

    def among(self, codes):
        """Return the intervals with one of some codes, adjacent ones merged.

        Returns
        -------
        intervals : list of (int, int)
            Indices of the cuts at their ends; -1 and n_cuts are the open ends.
        """
        is_among = np.isin(self.codes, list(codes))
        ends = np.flatnonzero(np.diff(is_among, prepend=False, append=False)) - 1
        return [*zip(ends[::2].tolist(), ends[1::2].tolist())]

    def ends(self, interval):
        """Return the numbers (low, high) at the ends of an interval of `among`."""
        low, high = interval
        return (
            -inf if low < 0 else float(self.cuts[low]),
            inf if high == len(self.cuts) else float(self.cuts[high]),
        )

    def printed_ends(self, interval):
        """Return the ends of the numbers that are also in the text of an interval."""
        first, last = interval
        low, high = ends = self.ends(interval)
        if first >= 0 and not self.text(first).strict:
            low = max(low, float(self.text(first).number))
        if last < len(self.cuts):
            high = min(high, float(self.text(last).number))
        return (low, high) if low < high else ends

    @property
    def _near(self):
        """Return the distance up to which two numbers are treated as equal in texts."""
        return _NEAR * np.abs(self.cuts).max(initial=0.0)

    def point(self, interval):
        """Return the number that an interval represents; None if it is too wide."""
        low, high = self.ends(interval)
        return shortest(low, high) if high - low <= self._near else None

    def text(self, place):
        """Return the text of the cut at an index: a CutText."""
        if self.texts is not None:
            return self.texts[place]
        cut = float(self.cuts[place])
        gaps = np.abs(np.delete(self.cuts, place) - cut)
        # The ends of a single number are equal in texts.
        gaps = gaps[gaps > self._near]
        gap = gaps.min() if len(gaps) else abs(cut) or 1.0
        if abs(cut) <= _NEAR * gap:
            return CutText("0")
        text = short(cut, cut - 0.05 * gap, cut + 0.05 * gap)
        return CutText(text, strict=float(text) == np.nextafter(cut, inf))


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
    permitted : set of int
        Numbers of the profiles that the values in `preimage` have.
    is_ordered : bool
        Whether the values are numbers; their profiles ascend.
    """

    def __init__(self, column, attributes, preimages):
        self.column, self.attributes = column, attributes
        numeric = [preimage.as_numeric() for preimage in preimages]
        is_single = len(preimages) == 1
        if None in numeric or (is_single and numeric != preimages):
            values = [*dict.fromkeys(v for p in preimages for v in p.present)]
        else:
            cuts = np.unique(np.concatenate([p.cuts for p in numeric]))
            values = [*cuts, inf]
        profiles = [tuple(p.code_of(value) for p in preimages) for value in values]
        distinct = [*dict.fromkeys(profiles)]
        numbers = {profile: n for n, profile in enumerate(distinct, start=1)}
        codes = [numbers[profile] for profile in profiles]
        if is_single:
            (self.preimage,) = preimages
            numbers = {(code,): code for (code,) in distinct}
        elif None in numeric:
            self.preimage = CategoricalPreimage(column, dict(zip(values, codes)))
        else:
            self.preimage = NumericPreimage(column, cuts, np.array(codes)).merged()
        known = {number: profile for profile, number in numbers.items() if all(profile)}
        numeric = self.preimage.as_numeric()
        self.is_ordered = numeric is not None
        order = dict.fromkeys(numeric.codes.tolist() if self.is_ordered else known)
        self.profiles = {number: known[number] for number in order if number in known}
        self.permitted = set(self.profiles)

    def restricted(self, preimage, permitted):
        """Return the feature with some of its values only."""
        found = copy(self)
        found.preimage, found.permitted = preimage, {*permitted}
        return found


def column_values(preimages):
    """Return the ColumnValues of all features that a classifier uses.

    Parameters
    ----------
    preimages : list of CategoricalPreimage or NumericPreimage
        Of all attributes of the classifier.

    Returns
    -------
    values : dict of int to ColumnValues
        By the position of the feature, ascending.
    """
    attributes = defaultdict(list)
    for j, preimage in enumerate(preimages):
        attributes[preimage.column].append(j)
    return {
        column: ColumnValues(column, those, [preimages[j] for j in those])
        for column, those in sorted(attributes.items())
    }
