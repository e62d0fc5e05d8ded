"""Extent: the set of values that satisfy a literal, with unions and intersections."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from decimal import Decimal
from math import inf, isfinite, nextafter
from numbers import Real

from sklearn_dnfwinnow.rules._condition_text import between, condition_of, united
from sklearn_dnfwinnow.rules._literal import Literal

_ALL = ((-inf, inf),)


@dataclass(frozen=True)
class Extent:
    """A set of values of one column.

    Parameters
    ----------
    values : tuple or None
        Values, as in `Literal`. None if there are `intervals`.

    intervals : tuple of (float, float) or None
        Pairs (low, high], ascending, which neither overlap nor touch.

    missing, complement : bool
        As in `Literal`.
    """

    values: tuple | None
    intervals: tuple | None
    missing: bool = False
    complement: bool = False

    @classmethod
    def of(cls, literal):
        """Return the extent of a literal."""
        if literal.intervals is None:
            values = tuple(dict.fromkeys(literal.values))
            return cls(values, None, literal.missing, literal.complement)
        return _of_numbers(_united(literal.intervals), literal.missing)

    @property
    def is_empty(self):
        """Return whether no value is in the set."""
        return not (self.values or self.intervals or self.missing or self.complement)

    @property
    def is_everything(self):
        """Return whether each value, missing ones included, is in the set."""
        return self.missing and self.complement and not self.values

    @property
    def key(self):
        """Return a key that is equal for equal sets of the same form."""
        values = None if self.values is None else frozenset(self.values)
        return values, self.intervals, self.missing, self.complement

    def contains(self, value):
        """Return whether a value that is not missing is in the set."""
        if self.intervals is None:
            return (value in self.values) != self.complement
        number = _number(value)
        return number is not None and any(
            (low < number or low == -inf) and number <= high
            for low, high in self.intervals
        )

    def intersection(self, other):
        """Return the set of values in both; None if it has no form of an Extent."""
        missing = self.missing and other.missing
        for one, two in ((self, other), (other, self)):
            if one.values is not None and not one.complement:
                values = tuple(filter(two.contains, one.values))
                return Extent(values, None, missing)
        if self.complement and other.complement:
            values = tuple(dict.fromkeys((*self.values, *other.values)))
            return Extent(values, None, missing, complement=True)
        one, two = self._as_intervals(), other._as_intervals()
        if one is None or two is None:
            return None
        pairs = [
            (max(low, first), min(high, last))
            for low, high in one
            for first, last in two
        ]
        return Extent(None, _united(p for p in pairs if p[0] < p[1]), missing)

    def union(self, other):
        """Return the set of values in any of both; None if it has no such form."""
        missing = self.missing or other.missing
        if self.intervals is None and other.intervals is None:
            others = self._others().intersection(other._others())
            return replace(others._others(), missing=missing)
        one, two = self._as_intervals(), other._as_intervals()
        if one is None or two is None:
            return None
        return _of_numbers(_united((*one, *two)), missing)

    def includes(self, other):
        """Return whether each value of another set is in this one; False if unknown."""
        both = self.intersection(other)
        return both is not None and both.key == other.key

    def among(self, numbers):
        """Return a set of fewer intervals that contains the same known numbers.

        Gaps are closed, and ends opened, where no known number lies. Several values
        become intervals if these are fewer.

        Parameters
        ----------
        numbers : ndarray of shape (n_numbers,), float64
            Ascending.
        """
        intervals = None if self.complement else self._as_intervals()
        if not intervals or not len(numbers):
            return self
        joined = [list(intervals[0])]
        for low, high in intervals[1:]:
            if _count(numbers, joined[-1][1], low):
                joined.append([low, high])
            else:
                joined[-1][1] = high
        if not _count(numbers, -inf, joined[0][0]):
            joined[0][0] = -inf
        if not _count(numbers, joined[-1][1], inf):
            joined[-1][1] = inf
        if self.values is not None and len(joined) == len(self.values):
            return self
        return _of_numbers(tuple(map(tuple, joined)), self.missing)

    def literal(self, column, feature):
        """Return the literal of a column with this extent, and an exact text."""
        relation, label = condition_of(self)
        return Literal(column, feature, relation, label, **vars(self))

    def _others(self):
        """Return the set of all other values, if values are listed."""
        return replace(self, complement=not self.complement)

    def _as_intervals(self):
        """Return the numbers of the set as intervals; None if values are no numbers."""
        if self.intervals is not None:
            return self.intervals
        points = []
        for value in self.values:
            number = _number(value)
            if number != value or not isfinite(nextafter(number, -inf)):
                return None
            points.append((nextafter(number, -inf), number))
        points = _united(points)
        return tuple(between(points, -inf, inf)) if self.complement else points


def _of_numbers(intervals, missing):
    """Return the extent of intervals; all numbers are all values but missing ones."""
    if intervals == _ALL:
        return Extent((), None, missing, complement=True)
    return Extent(None, intervals, missing)


def _number(value):
    """Return a value as a float, as `Literal.holds` does; None if it is no number."""
    try:
        return float(value) if isinstance(value, (Real, Decimal)) else None
    except OverflowError:
        return None


def _count(numbers, low, high):
    """Return how many ascending numbers are in (low, high]."""
    first = 0 if low == -inf else numbers.searchsorted(low, side="right")
    return numbers.searchsorted(high, side="right") - first


def _united(intervals):
    """Return the union of intervals, as ascending ones that do not touch."""
    return tuple(united((float(low), float(high)) for low, high in intervals))
