"""Shape: simpler terms of the same meaning on the data."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, pairwise
from math import inf, isfinite, nextafter
from numbers import Real

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_numeric, numbers_of
from sklearn_dnfwinnow._encoding._cuts import well_between
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term, used_columns
from sklearn_dnfwinnow.rules._text import between, condition_of, united

_ALL = ((-inf, inf),)
# Integers below are exact as floats.
_EXACT = 2**53


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
        pairs = ((max(a, c), min(b, d)) for a, b in one for c, d in two)
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


def merged(terms, numbers):
    """Return fewer terms that the same values satisfy.

    Conditions on the same column become one condition. Terms that imply another term
    are dropped. Two terms that differ in one condition become one term if the values of
    this condition are adjacent: any categories, and intervals of numbers that touch.

    Parameters
    ----------
    terms : iterable of Term

    numbers : dict of int to ndarray
        For columns by their position, the known numbers, ascending, float64. Intervals
        are then also adjacent if no known number lies between them. A condition that
        two terms share is extended as far as no known number is reached. The terms hold
        for the same known values, but can hold for more of the other numbers. Of other
        columns, only what is equal for all values is merged.

    Returns
    -------
    terms : list of Term
        A term that changes stands at the place of the first one that it replaces.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape import merged
    >>> dnf = DNF.parse('''
    ...     color = red & size > 3 & size <= 5 or
    ...     color = blue & size in (3, 4] or
    ...     color = blue & size in (4, 5] or
    ...     color = red & size = 4
    ... ''')
    >>> print(*merged(dnf.terms, {}))
    color in {red, blue} & size in (3, 5]
    """
    names = {x.column: x.feature for term in terms for x in term.literals}
    found = [_extents(term) for term in terms]
    found = _without_implied(extents for extents in found if extents is not None)
    found = _united_pairs(found, numbers)
    return [
        Term(x.literal(j, names[j]) for j, own in extents.items() for x in own)
        for extents in found
    ]


def _extents(term):
    """Return the extent of each column of a term; None if nothing satisfies it.

    The extents are lists in the rare case that two have no common form.
    """
    extents = {}
    for literal in term.literals:
        extent = Extent.of(literal)
        own = extents.setdefault(literal.column, [])
        for i, other in enumerate(own):
            both = other.intersection(extent)
            if both is not None:
                own[i] = both
                break
        else:
            own.append(extent)
    if any(extent.is_empty for own in extents.values() for extent in own):
        return None
    for column, own in extents.items():
        extents[column] = tuple(one for one in own if not one.is_everything)
    return {column: own for column, own in extents.items() if own}


def _implies(one, other):
    """Return whether what satisfies one term is known to satisfy another one."""
    return all(
        any(wide.includes(narrow) for narrow in one.get(column, ()))
        for column, own in other.items()
        for wide in own
    )


def _without_implied(found):
    """Return terms without those that imply another one; the first of equal ones."""
    kept = []
    for extents in found:
        if not any(_implies(extents, other) for other in kept):
            kept = [other for other in kept if not _implies(other, extents)]
            kept.append(extents)
    return kept


def _united_pairs(found, numbers):
    """Return terms after the first two of them that can be one are, again and again."""
    found = list(found)
    # Places of the terms with the same other conditions, for each condition of a term.
    alike = defaultdict(set)
    for place, extents in enumerate(found):
        for rest in _rests(extents):
            alike[rest].add(place)
    # Terms before `n_tested` were tested with all others; None is no longer there.
    place = n_tested = 0
    while place < len(found):
        first = 0 if place < n_tested else place + 1
        n_tested = max(n_tested, place + 1)
        others = {
            other
            for rest in _rests(found[place] or {})
            for other in alike[rest]
            if other >= first and other != place and found[other] is not None
        }
        for other in sorted(others):
            first, second = sorted((place, other))
            union = _union(found[first], found[second], numbers)
            if union is not None:
                found[first], found[second] = union, None
                place = first
                break
        else:
            place = n_tested
            continue
        for rest in _rests(found[place]):
            alike[rest].add(place)
        for other, extents in enumerate(found):
            if other == place or extents is None or found[place] is None:
                continue
            if _implies(extents, found[place]):
                found[other] = None
            elif _implies(found[place], extents):
                found[place] = None
    return [extents for extents in found if extents is not None]


def _rests(extents):
    """Return keys of the other conditions of a term, for each of its columns."""
    keys = {(j, _keys(own)) for j, own in extents.items()}
    return [(key[0], frozenset(keys - {key})) for key in keys]


def _union(one, other, numbers):
    """Return the term that two terms are together; None if they are not one."""
    if one.keys() != other.keys():
        return None
    different = [j for j in one if _keys(one[j]) != _keys(other[j])]
    if len(different) != 1:
        return None
    (j,) = different
    if len(one[j]) > 1 or len(other[j]) > 1:
        return None
    ((left,), (right,)) = one[j], other[j]
    union = left.union(right)
    if union is None:
        return None
    if j in numbers:
        union = union.among(numbers[j])
    if union.intervals and len(union.intervals) >= _n_pieces(left) + _n_pieces(right):
        return None
    merged = {**one, j: (union,)}
    if union.is_everything:
        del merged[j]
    return merged


def _keys(extents):
    """Return a key that is equal for equal extents."""
    return frozenset(extent.key for extent in extents)


def _n_pieces(extent):
    """Return the number of intervals, or of single values, of an extent."""
    return len(extent.values if extent.intervals is None else extent.intervals)


def rounded(terms, numbers):
    """Return terms whose numbers have as few digits as separate the same known numbers.

    Parameters
    ----------
    terms : iterable of Term

    numbers : dict of int to ndarray
        For columns by their position, the known numbers, ascending, float64.

    Returns
    -------
    terms : list of Term
        They hold for the same known values. Their text is exact. Ends between two
        neighbouring whole numbers of a column of whole numbers are these, as in `calls
        >= 3` and `calls <= 2`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape import rounded
    >>> dnf = DNF.parse("calls > 2.5 & balance <= -240.8357")
    >>> known = {0: np.arange(9.0), 1: np.array([-251.7, -240.9, -230.1, 16.0])}
    >>> print(*rounded(dnf.terms, known))
    calls >= 3 & balance <= -240
    """
    return [
        Term(_rounded(one, numbers.get(one.column)) for one in term.literals)
        for term in terms
    ]


def _rounded(literal, numbers):
    """Return a literal with rounded ends; as it is where it has no ends."""
    extent = Extent.of(literal)
    if not extent.intervals or numbers is None or not len(numbers):
        return literal
    are_whole = all(map(float.is_integer, map(float, numbers)))
    intervals = extent.intervals
    if not are_whole:  # an end at the smallest or largest number
        least, most = nextafter(numbers[0], -inf), numbers[-1]
        intervals = [
            (-inf if low == least else low, inf if high == most else high)
            for low, high in intervals
        ]
    intervals = tuple(
        (_end(low, True, numbers, are_whole), _end(high, False, numbers, are_whole))
        for low, high in intervals
    )
    if any(low >= high for low, high in pairwise(chain(*intervals))):
        return literal  # between two ends there is no known number
    extent = replace(extent, intervals=intervals)
    (low, high), *others = intervals
    # Large integers of the column can differ, and be equal as floats.
    if not others and low == nextafter(high, -inf) and abs(high) < _EXACT:
        extent = Extent((high,), None, extent.missing)
    return extent.literal(literal.column, literal.feature)


def _end(end, is_low, numbers, are_whole):
    """Return an end that separates the same numbers, with fewer digits.

    Parameters
    ----------
    end : float
    is_low : bool
        Whether an interval begins with it.
    numbers : ndarray of shape (n_numbers,), float64
        Ascending.
    are_whole : bool
        Whether all of them are integers.
    """
    place = numbers.searchsorted(end, side="right")
    if not isfinite(end) or not 0 < place < len(numbers):
        return end
    below, above = float(numbers[place - 1]), float(numbers[place])
    if not isfinite(below) or not isfinite(above):
        return end
    if are_whole and above - below == 1:
        number = above if is_low else below
    else:
        number = well_between(below, above, near=end)
    # An end at the number above is exclusive, as in `balance < 0`.
    return nextafter(number, -inf) if number == above else number


def simplified(terms, columns):
    """Return fewer and shorter terms that the same rows satisfy.

    Terms are merged, conditions dropped without which a term holds for the same rows,
    and numbers rounded.

    Parameters
    ----------
    terms : iterable of Term

    columns : non-empty list of ndarrays of shape (n_rows,)
        In the form that `Term.holds` takes.

    Returns
    -------
    terms : list of Term
    """
    numbers = {
        j: np.unique(numbers_of(columns[j]))
        for j in used_columns(terms)
        if is_numeric(columns[j])
    }
    numbers = {j: known[~np.isnan(known)] for j, known in numbers.items()}
    terms = merged(terms, numbers)
    shorter = [without_idle_conditions(term, columns) for term in terms]
    return rounded(merged(shorter, numbers), numbers)


def without_idle_conditions(term, columns):
    """Return a term without the conditions that change nothing on given rows.

    Parameters
    ----------
    term : Term

    columns : non-empty list of ndarrays of shape (n_rows,)
        In the form that `Term.holds` takes.

    Returns
    -------
    term : Term
        It holds for the same rows as before. Of several conditions of which any could
        be dropped, the last one is. A term that holds for none of the rows stays.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape import (
    ...     without_idle_conditions,
    ... )
    >>> dnf = DNF.parse("age > 40 & age > 30 & smokes = yes")
    >>> columns = dnf._columns([[45, "yes"], [45, "no"], [35, "no"]])
    >>> print(without_idle_conditions(dnf.terms[0], columns))
    smokes = yes
    """
    held = np.array([one.holds(columns[one.column]) for one in term.literals])
    expected = held.all(axis=0)
    if not expected.any():
        return term
    kept = list(range(len(held)))
    for i in reversed(range(len(held))):
        others = [j for j in kept if j != i]
        if np.array_equal(held[others].all(axis=0), expected):
            kept = others
    return Term(term.literals[i] for i in kept)
