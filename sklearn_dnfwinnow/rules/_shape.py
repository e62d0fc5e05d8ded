"""Shape: fewer and shorter terms that the same rows satisfy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import inf, isfinite, nextafter

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_numeric, numbers_of, ordered
from sklearn_dnfwinnow._encoding._cuts import well_between
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term, used_columns

# Integers below are exact as floats.
_EXACT = 2**53


class _Column:
    """A column whose conditions are sets of its distinct values, by their places.

    Parameters
    ----------
    column : ndarray of shape (n_rows,)
        As returned by `columns_of`.

    Attributes
    ----------
    known : ndarray of shape (n_known,)
        Distinct values, ascending. The place behind them is that of missing values,
        and in a column of categories the next one that of all values that are not
        among the rows.
    places : ndarray of shape (n_rows,), int
        Of the value of each row.
    every : frozenset of int
        All places.
    """

    def __init__(self, column):
        self.is_numeric = is_numeric(column)
        if self.is_numeric:
            values, self.places = np.unique(numbers_of(column), return_inverse=True)
            self.known = values[~np.isnan(values)]
        else:
            values = ordered(dict.fromkeys([*column.tolist(), None]))
            place = {value: i for i, value in enumerate(values)}
            self.places = np.array([place[value] for value in column.tolist()])
            self.known = np.empty(len(values) - 1, dtype=object)
            self.known[:] = values[:-1]
        self.every = frozenset(range(len(self.known) + 2 - self.is_numeric))
        self._are_whole = self.is_numeric and all(map(float.is_integer, self.known))
        # Ends of intervals, by the place of the number above, and single numbers.
        self._cuts, self._points = {}, set()

    def places_of(self, literal):
        """Return the places of the values that satisfy a literal: frozenset of int."""
        missing = np.nan if self.is_numeric else None
        holds = literal.holds(np.append(self.known, missing))
        places = np.flatnonzero(holds).tolist()
        if not self.is_numeric:
            return frozenset([*places, len(holds)] if literal.complement else places)
        for low, high in literal.intervals or ():
            if nextafter(low, inf) == high:
                self._points.add(high)
            for end in filter(isfinite, (low, high)):
                self._cuts.setdefault(self.known.searchsorted(end, side="right"), end)
        self._points.update(literal.values or ())
        return frozenset(places)

    def holds(self, places):
        """Return which rows have one of some values: (n_rows,), bool."""
        return np.isin(self.places, [*places])

    def runs(self, places):
        """Return the first and the last place of neighbouring numbers: list of list."""
        is_among = np.isin(np.arange(len(self.known)), [*places])
        ends = np.flatnonzero(np.diff(is_among, prepend=False, append=False))
        return (ends.reshape(-1, 2) - [0, 1]).tolist()

    def literal(self, places, column, feature):
        """Return the literal of some values.

        Ends of intervals have as few digits as separate the same known numbers. Between
        neighbouring whole numbers of a column of whole numbers, they are these, as in
        ``calls >= 3`` and ``calls <= 2``.
        """
        n_known, values, intervals = len(self.known), None, None
        complement = n_known + 1 in places
        runs = self.runs(places) if self.is_numeric else []
        if not self.is_numeric:
            is_listed = np.array([(i in places) != complement for i in range(n_known)])
            values = tuple(self.known[is_listed].tolist())
        elif runs in ([], [[0, n_known - 1]]):
            values, complement = (), bool(runs)
        elif len(runs) == 1 and self._is_point(*runs[0]):
            values = (float(self.known[runs[0][0]]),)
        else:
            intervals = tuple(
                (self._end(first, is_low=True), self._end(last + 1, is_low=False))
                for first, last in runs
            )
        missing = n_known in places
        return Literal.of(column, feature, values, intervals, missing, complement)

    def _is_point(self, first, last):
        """Return whether a run is a whole number between its neighbours, or named."""
        number = self.known[first]
        if first < last or not self._are_whole or abs(number) >= _EXACT:
            return False
        sides = self.known[max(first - 1, 0) : first + 2]
        is_inside = len(sides) == 3 or number in self._points
        return is_inside and (np.diff(sides) == 1).all()

    def _end(self, place, *, is_low):
        """Return an end of an interval, between the number at a place and the last."""
        if place in (0, len(self.known)):
            return -inf if is_low else inf
        below, above = map(float, self.known[place - 1 : place + 1])
        if self._are_whole and above - below == 1:
            number = above if is_low else below
        else:
            number = well_between(below, above, near=self._cuts.get(place, below))
        # An end at the number above is exclusive, as in `balance < 0`.
        return nextafter(number, -inf) if number == above else number


def simplified(terms, columns):
    """Return fewer and shorter terms that the same rows satisfy.

    Conditions on the same column become one. Terms that imply another one are dropped,
    and conditions without which a term holds for the same rows. Two terms that differ
    in one condition become one if its values are adjacent: any categories, and numbers
    without others between them.

    Parameters
    ----------
    terms : iterable of Term
    columns : non-empty list of ndarrays of shape (n_rows,)
        In the form that `Term.holds` takes.

    Returns
    -------
    terms : list of Term
        A term that changes stands at the place of the first one that it replaces. The
        text of each is exact.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape import simplified
    >>> dnf = DNF.parse("calls > 3 & plan = pro or calls = 3 & plan = pro")
    >>> rows = [[2, "pro"], [3, "pro"], [4, "pro"], [5, "basic"]]
    >>> print(*simplified(dnf.terms, dnf._columns(rows)))
    calls >= 3 & plan = pro
    """
    names = {one.column: one.feature for term in terms for one in term.literals}
    used = {j: _Column(columns[j]) for j in used_columns(terms)}
    rules = []
    for term in terms:
        rule = {}
        for one in term.literals:
            j, places = one.column, used[one.column].places_of(one)
            rule[j] = rule.get(j, places) & places
        if all(rule.values()):
            rules.append({j: x for j, x in rule.items() if x != used[j].every})
    shorter = [_without_idle(rule, used) for rule in _merged(rules, used)]
    return [
        Term(used[j].literal(places, j, names[j]) for j, places in rule.items())
        for rule in _merged(shorter, used)
    ]


def _merged(rules, columns):
    """Return rules without those that imply another one, and unions of pairs.

    Parameters
    ----------
    rules : list of dict of int to frozenset of int
        For each column of a rule, the places of the values that satisfy it.
    columns : dict of int to _Column
    """
    kept = []
    for rule in rules:
        if not any(_implies(rule, other) for other in kept):
            kept = [other for other in kept if not _implies(other, rule)] + [rule]
    for i, j in combinations(range(len(kept)), 2):
        union = _union(kept[i], kept[j], columns)
        if union is not None:
            fewer = [*kept[:i], union, *kept[i + 1 : j], *kept[j + 1 :]]
            return _merged(fewer, columns)
    return kept


def _implies(rule, other):
    """Return whether values that satisfy a rule satisfy another one."""
    return all(j in rule and rule[j] <= places for j, places in other.items())


def _union(rule, other, columns):
    """Return the rule that two rules are together; None if they are not one."""
    different = [j for j in {*rule, *other} if rule.get(j) != other.get(j)]
    if rule.keys() != other.keys() or len(different) != 1:
        return None
    (j,) = different
    union, column = rule[j] | other[j], columns[j]
    if union == column.every:
        return {i: places for i, places in rule.items() if i != j}
    if column.is_numeric:
        n_before = len(column.runs(rule[j])) + len(column.runs(other[j]))
        if len(column.runs(union)) >= n_before:
            return None
    return {**rule, j: union}


def _without_idle(rule, columns):
    """Return a rule without the conditions that change nothing on the rows."""
    held = {j: columns[j].holds(places) for j, places in rule.items()}
    expected = np.array([*held.values()]).all(axis=0)
    for j in reversed(rule):
        others = [holds for i, holds in held.items() if i != j]
        if np.array_equal(np.array([*others, expected | True]).all(axis=0), expected):
            del held[j]
    return {j: rule[j] for j in held}
