"""Merging: rules that differ in one condition become one rule."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict

from sklearn_dnfwinnow.rules._shape._extent import Extent
from sklearn_dnfwinnow.rules._term import Term


def merged(terms, numbers=None):
    """Return fewer terms that the same values satisfy.

    Conditions on the same column become one condition. Terms that imply another term
    are dropped. Two terms that differ in one condition become one term if the values of
    this condition are adjacent: any categories, and intervals of numbers that touch.

    Parameters
    ----------
    terms : iterable of Term

    numbers : dict of int to ndarray, default=None
        For columns by their position, the known numbers, ascending, float64. Intervals
        are then also adjacent if no known number lies between them. A condition that
        two terms share is extended as far as no known number is reached. The terms hold
        for the same known values, but can hold for more of the other numbers. None
        merges only what is equal for all values.

    Returns
    -------
    terms : list of Term
        A term that changes stands at the place of the first one that it replaces.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape._merging import merged
    >>> dnf = DNF.parse('''
    ...     color = red & size > 3 & size <= 5 or
    ...     color = blue & size in (3, 4] or
    ...     color = blue & size in (4, 5] or
    ...     color = red & size = 4
    ... ''')
    >>> print(*merged(dnf.terms))
    color in {red, blue} & size in (3, 5]
    """
    names = {x.column: x.feature for term in terms for x in term.literals}
    found = [_extents(term) for term in terms]
    found = _without_implied(extents for extents in found if extents is not None)
    found = _united_pairs(found, numbers or {})
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
    kept = {
        column: tuple(extent for extent in own if not extent.is_everything)
        for column, own in extents.items()
    }
    return {column: own for column, own in kept.items() if own}


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
        united = _first_union(found, place, others=sorted(others), numbers=numbers)
        if united is None:
            place = n_tested
            continue
        place = united
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


def _first_union(found, place, *, others, numbers):
    """Unite a term with the first of others that it can be one with.

    Returns
    -------
    first : int or None
        The place of the first of both, where their union is now.
    """
    for other in others:
        first, second = sorted((place, other))
        union = _union(found[first], found[second], numbers)
        if union is not None:
            found[first], found[second] = union, None
            return first
    return None


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
