"""Cell conditions: conditions on columns, converted for the search for terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from itertools import product

import numpy as np

from sklearn_dnfwinnow._encoding._derived_columns import ranks_of
from sklearn_dnfwinnow._terms._conflicts import Conflicts
from sklearn_dnfwinnow._terms._screening import Condition
from sklearn_dnfwinnow._winnow._conditions._literal_codes import (
    codes_about,
    codes_within,
)


def in_cells(fine, conditions):
    """Return cells that allow only what conditions allow in all classes.

    Parameters
    ----------
    fine : FineCells
    conditions : ColumnConditions
        With the positions of attributes.

    Returns
    -------
    cells : Cells
    """
    cells, encoding = fine.cells, fine.encoding
    if not (conditions.features or conditions.pairs or conditions.literals):
        return cells
    n_features = len(cells.codes)
    allowed = np.ones((n_features, 2 * cells.n_codes.max()), dtype=np.uint8)
    allowed[list(conditions.features)] = 0
    for literal in conditions.literals:
        j = literal.column
        within = codes_within(literal, encoding.categories[j], encoding.cut_points[j])
        for code, is_above in product(range(1, cells.n_codes[j]), (False, True)):
            mask = fine.holding(Condition(j, code, is_above))
            if not (mask & ~within).any():
                allowed[j, 2 * code + is_above] = 0
    conflicts = Conflicts.of(np.arange(n_features), conditions.pairs)
    return replace(cells, allowed=allowed, conflicts=conflicts)


def in_directions(terms, fine, conditions):
    """Return the terms of each class that take the place of terms in any direction.

    A condition that contradicts the direction of a class is replaced by its opposite:
    if a class may not have ``age > 40``, it may have ``age <= 40``.

    Parameters
    ----------
    terms : iterable of tuples of Condition
    fine, conditions
        See `in_cells`.

    Returns
    -------
    terms : list of tuples of Condition
        Distinct terms, each of which some class may have.
    """
    signs = dict(conditions.directions)
    classes = zip(*signs.values()) if signs else [()]
    found = {}
    for of_class in {tuple(signs_of_class): None for signs_of_class in classes}:
        sign_of = dict(zip(signs, of_class))

        def turned(condition, sign_of=sign_of):
            sign = sign_of.get(condition.feature, 0)
            opposite = condition._replace(is_above=not condition.is_above)
            for one in (condition, opposite):
                ranks = ranks_of(fine.encoding.categories[one.feature])
                if not sign or _goes(sign, fine.holding(one), ranks):
                    return one
            return None

        for term in terms:
            conjunction = set(map(turned, term))
            if None not in conjunction:
                found[_without_implied(conjunction, sign_of)] = None
    return list(found)


def _goes(sign, mask, ranks):
    """Return whether the codes of a mask are above all others, or below."""
    inside, outside = ranks[mask & (ranks > 0)], ranks[~mask & (ranks > 0)]
    if not (len(inside) and len(outside)):
        return False
    return inside.min() > outside.max() if sign > 0 else inside.max() < outside.min()


def _without_implied(conjunction, sign_of):
    """Return a term with the narrower of two conditions on a feature, if directed."""
    narrowest = {}
    for condition in sorted(conjunction):
        feature, _, is_above = condition
        key = (feature, is_above) if sign_of.get(feature) else condition
        # Codes ascend: the last lower bound is the narrowest, and the first upper one.
        if is_above or key not in narrowest:
            narrowest[key] = condition
    return tuple(sorted(narrowest.values()))


def borders_of(conditions, j, points):
    """Return the positions of the cut points that initial terms compare with: set."""
    ends = [
        end
        for literal in _initial_literals(conditions, j)
        for interval in literal.intervals or ()
        for end in interval
        if np.isfinite(end)
    ]
    return {int(np.abs(points - end).argmin()) for end in ends if len(points)}


def sides_of(conditions, j, encoding):
    """Return which codes are below the ends of initial terms: list of masks."""
    values, points = encoding.categories[j], encoding.cut_points[j]
    ranks, found = ranks_of(values), []
    if ranks is None or len(values) < 3:
        return found
    for literal in _initial_literals(conditions, j):
        inside = ranks[codes_about(literal, values, points) & (ranks > 0)]
        for last in {*(inside - 1).tolist(), *inside.tolist()}:
            if 0 < last < ranks.max() and np.isin([last, last + 1], inside).sum() == 1:
                found.append((ranks <= last) & (ranks > 0))
    return found


def _initial_literals(conditions, j):
    """Return the literals of initial terms on an attribute: list."""
    return [
        literal
        for given in conditions.initial_terms
        for literal in given.term.literals
        if literal.column == j
    ]
