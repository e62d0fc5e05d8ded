"""Preimage: which values of a column of a table have which code in a classifier.

An attribute of a classifier has codes 1, 2, ...; a value of code 0 satisfies no
literal. A preimage divides the values of the column that the attribute comes from by
these codes. It starts as the categories of the attribute, and goes back step by step
through the transformers in front of the classifier, see `_inverse_transforms`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import numbers_of
from sklearn_dnfwinnow._preprocessing._interval_labels import short, shortest
from sklearn_dnfwinnow._preprocessing._missing import is_missing

# Numbers nearer to each other than this share of the largest cut read as one.
_NEAR = 1e-12


class Values(NamedTuple):
    """Some values of a column: those that are listed, or all that are not.

    Attributes
    ----------
    listed : tuple
        Hashable values, none of them missing.
    complement : bool
        Whether all other values are meant, missing ones excepted.
    """

    listed: tuple
    complement: bool = False


class CutText(NamedTuple):
    """A cut between two parts of the numbers, rounded for people.

    Attributes
    ----------
    number : str
    strict : bool
        Whether the number itself lies above the cut, not below.
    """

    number: str
    strict: bool = False


@dataclass(frozen=True, eq=False)
class CategoricalPreimage:
    """Codes of the single values of a column.

    Parameters
    ----------
    column : int
        Position of the column in the table.
    codes : dict of value to int
        Codes of values; None, if there, is not looked at.
    missing : int
        Code of a missing value.
    other : int
        Code of any other value.
    is_direct : bool
        Whether the values are the categories of the classifier.
    """

    column: int
    codes: dict
    missing: int = 0
    other: int = 0
    is_direct: bool = False

    @cached_property
    def _values(self):
        """Return the values of each code: dict of lists."""
        values = defaultdict(list)
        for value, code in self.codes.items():
            if value is not None:
                values[code].append(value)
        return values

    def code_of(self, value):
        """Return the code of one value."""
        return self.missing if is_missing(value) else self.codes.get(value, self.other)

    def codes_of(self, column):
        """Return codes of a column as `columns_of` returns it: (n_samples,), int."""
        codes = map(self.code_of, column.tolist())
        return np.fromiter(codes, dtype=np.intp, count=len(column))

    def among(self, codes):
        """Return the Values that have one of some codes."""
        if self.other in codes:
            others = [code for code in self._values if code not in codes]
            return Values(self._listed(others), complement=True)
        return Values(self._listed(codes))

    def _listed(self, codes):
        """Return the listed values that have one of some codes."""
        return tuple(value for code in codes for value in self._values.get(code, ()))

    def as_numeric(self):
        """Return the same for a column of numbers, each value being its own interval.

        None if a value is no number.
        """
        values = [value for value in self.codes if value is not None]
        if not all(isinstance(v, (bool, int, float, np.number)) for v in values):
            return None
        ascending = sorted(values)
        # Large integers may be equal as float64.
        numbers = np.array(ascending, dtype=np.float64)
        if (numbers[1:] <= numbers[:-1]).any():
            return None
        codes = np.full(2 * len(numbers) + 1, self.other)
        codes[1::2] = [self.codes[value] for value in ascending]
        ends = np.column_stack([np.nextafter(numbers, -inf), numbers]).ravel()
        return NumericPreimage(self.column, ends, codes, self.missing).merged()


@dataclass(frozen=True, eq=False)
class NumericPreimage:
    """Codes of the intervals of a column of numbers.

    Parameters
    ----------
    column : int
        Position of the column in the table.
    cuts : ndarray of shape (n_cuts,), float64
        Ascending. Interval i is (cuts[i-1], cuts[i]], the outer ones being open.
    codes : ndarray of shape (n_cuts + 1,), int
        Codes of the intervals.
    missing : int
        Code of a missing value.
    texts : list of CutText, default=None
        The cuts as people read them; None rounds them.
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
        """Return codes of a column as `columns_of` returns it: (n_samples,), int.

        None if the column does not hold numbers.
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
        """Return the same with empty intervals dropped, and equal neighbours merged."""
        is_filled = np.append(True, self.cuts[1:] > self.cuts[:-1])[: len(self.cuts)]
        filled = self._with_cuts(is_filled)
        return filled._with_cuts(filled.codes[1:] != filled.codes[:-1])

    def _with_cuts(self, kept):
        """Return the same with some cuts; the interval below a cut goes with it."""
        texts = self.texts and [t for t, is_kept in zip(self.texts, kept) if is_kept]
        codes = np.append(self.codes[:-1][kept], self.codes[-1])
        return replace(self, cuts=self.cuts[kept], codes=codes, texts=texts)

    def mirrored(self):
        """Return the same for the negative numbers."""
        cuts = np.nextafter(-self.cuts[::-1], -inf)
        return replace(self, cuts=cuts, codes=self.codes[::-1], texts=None)

    def with_value(self, number, code):
        """Return the same, except for one number that has a code of its own."""
        cuts = np.unique([*self.cuts, np.nextafter(number, -inf), number])
        codes = np.array([self.code_of(cut) for cut in [*cuts, inf]])
        codes[np.searchsorted(cuts, number)] = code
        return replace(self, cuts=cuts, codes=codes, texts=None).merged()

    def among(self, codes):
        """Return the intervals that have one of some codes, adjacent ones merged.

        Returns
        -------
        intervals : list of (int, int)
            Places of the cuts at their ends; -1 and n_cuts are the open ends.
        """
        intervals = []
        for i in np.flatnonzero(np.isin(self.codes, list(codes))).tolist():
            if intervals and intervals[-1][1] == i - 1:
                intervals[-1] = intervals[-1][0], i
            else:
                intervals.append((i - 1, i))
        return intervals

    def ends(self, interval):
        """Return the numbers (low, high) at the ends of an interval of `among`."""
        low, high = interval
        return (
            -inf if low < 0 else float(self.cuts[low]),
            inf if high == len(self.cuts) else float(self.cuts[high]),
        )

    @property
    def has_points(self):
        """Return whether some interval stands for a single number."""
        return bool((np.diff(self.cuts) <= self._near).any())

    @property
    def _near(self):
        """Return the distance up to which two numbers read as one."""
        return _NEAR * np.abs(self.cuts).max(initial=0.0)

    def point(self, interval):
        """Return the number that an interval stands for; None if it is too wide."""
        low, high = self.ends(interval)
        return shortest(low, high) if high - low <= self._near else None

    def text(self, place):
        """Return the cut at a place, for people: a CutText."""
        if self.texts is not None:
            return self.texts[place]
        cut = float(self.cuts[place])
        gaps = np.abs(np.delete(self.cuts, place) - cut)
        # The ends of a single number are one place for people.
        gaps = gaps[gaps > self._near]
        gap = gaps.min() if len(gaps) else abs(cut) or 1.0
        if abs(cut) <= _NEAR * gap:
            return CutText("0")
        text = short(cut, cut - 0.05 * gap, cut + 0.05 * gap)
        return CutText(text, strict=float(text) == np.nextafter(cut, inf))
