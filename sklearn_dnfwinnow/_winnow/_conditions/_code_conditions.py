"""Code conditions: conditions on columns, converted to codes with literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product
from math import log, prod
from operator import itemgetter

import numpy as np

from sklearn_dnfwinnow._encoding._derived_columns import (
    MANY_VALUES,
    NESTED,
    ranks_of,
)
from sklearn_dnfwinnow._encoding._missing import is_missing
from sklearn_dnfwinnow._terms._conditions import Conditions, InitialTerm
from sklearn_dnfwinnow._terms._conflicts import Conflicts
from sklearn_dnfwinnow._winnow._conditions._literal_codes import (
    codes_about,
    codes_within,
)

# Maximum number of terms of the model that represent one initial term.
_MOST_TERMS = 1000


def in_codes(conditions, encoding, n_classes):
    """Return conditions on columns as conditions on codes with literals.

    Parameters
    ----------
    conditions : ColumnConditions
    encoding : Encoding
    n_classes : int

    Returns
    -------
    conditions : Conditions
    """
    return _CodeTable(conditions, encoding).read(n_classes)


class _CodeTable:
    """The codes and columns of all values, and the conditions on them.

    Parameters
    ----------
    conditions, encoding
        See `in_codes`.
    """

    def __init__(self, conditions, encoding):
        self._conditions = conditions
        self._categories, self._cut_points = encoding.categories, encoding.cut_points
        # Then there are comparisons with any number of values.
        self._is_screened = encoding.compared is not None
        self._columns = encoding.columns
        self._of_attribute = [[] for _ in self._categories]
        for place, column in enumerate(self._columns):
            self._of_attribute[column.attribute].append(place)

    def read(self, n_classes):
        """Return the conditions on codes."""
        conditions = self._conditions
        allowed = [
            np.ones((n_classes, len(column.relations) + 1), dtype=bool)
            for column in self._columns
        ]
        features = set(conditions.features)
        for place, column in enumerate(self._columns):
            if column.attribute in features:
                allowed[place][:, 1:] = False
        for j, signs in conditions.directions:
            self._keep_directions(allowed, j, signs)
        for literal in conditions.literals:
            self._forbid(allowed, literal)
        owners = [column.attribute for column in self._columns]
        conflicts = Conflicts.of(owners, conditions.pairs)
        terms = [
            InitialTerm(given.k, literals, log(given.weight))
            for given in conditions.initial_terms
            for literals in self._terms(given, allowed, conflicts)
        ]
        # The first of several initial terms with the same codes.
        terms = {(term.k, term.literals): term for term in reversed(terms)}
        return Conditions(allowed, conflicts, tuple(terms.values()))

    def _literals_of(self, j):
        """Yield column, code, and a mask of codes of attribute j that satisfy it."""
        for place in self._of_attribute[j]:
            column = self._columns[place]
            for code in range(1, len(column.relations) + 1):
                yield place, code, column.codes == code

    def _keep_directions(self, allowed, j, signs):
        """Forbid literals that contradict the direction of a score."""
        if all(map(is_missing, self._categories[j])):
            return
        ranks = ranks_of(self._categories[j])
        if ranks is None:
            raise ValueError(
                f"monotonic_cst must select numeric columns; got column "
                f"{self._conditions.label(j)}, whose values are not all numbers."
            )
        if ranks.max(initial=0) > MANY_VALUES and not self._is_screened:
            raise ValueError(
                f"monotonic_cst must select columns with at most {MANY_VALUES} "
                f"distinct values, or columns that are cut; got column "
                f"{self._conditions.label(j)} with {ranks.max()} distinct values. Set "
                "the parameter discretizer so that the column is cut."
            )
        is_cut = len(self._of_attribute[j]) > 1
        for place, code, mask in self._literals_of(j):
            present = ranks[mask & (ranks > 0)]
            others = ranks[~mask & (ranks > 0)]
            # Literals of a missing value only are not comparisons.
            compares = len(present) and len(others)
            rises = not compares or present.min() > others.max()
            falls = not compares or present.max() < others.min()
            # Equalities are redundant if the column has cuts.
            is_double = compares and is_cut and self._columns[place].value is None
            for k, sign in enumerate(signs):
                if sign and (is_double or not (rises if sign > 0 else falls)):
                    allowed[place][k, code] = False

    def _forbid(self, allowed, literal):
        """Forbid literals that imply another one."""
        j = literal.column
        within = codes_within(literal, self._categories[j], self._cut_points[j])
        for place, code, mask in self._literals_of(j):
            if not (mask & ~within).any():
                allowed[place][:, code] = False

    def _terms(self, given, allowed, conflicts):
        """Return the terms of the model that represent a term of the user.

        A row that satisfies the term satisfies exactly one of them; other rows satisfy
        none.

        Returns
        -------
        terms : list of tuple of (int, int)
            Empty if no value of some column satisfies its literal.

        Raises
        ------
        ValueError
            If a condition forbids the term, or there are too many terms.
        """
        # Several literals of one column are merged into one.
        masks = {}
        for literal in given.term.literals:
            j = literal.column
            about = codes_about(literal, self._categories[j], self._cut_points[j])
            masks[j] = masks.get(j, about) & about
        choices = [
            self._alternatives(given, allowed, j, mask)
            for j, mask in sorted(masks.items())
        ]
        if prod(map(len, choices)) > _MOST_TERMS:
            raise ValueError(
                f"initial_terms contains {str(given.term)!r}, which represents more "
                f"than {_MOST_TERMS} terms of the model. Use literals='ordered' or "
                "'intervals', or a term with fewer values."
            )
        found = []
        for chosen in product(*choices):
            term = tuple(sorted(pair for pairs in chosen for pair in pairs))
            columns = [column for column, _ in term]
            if conflicts.degrees(columns).any():
                self._refuse(given)
            found.append(term)
        return found

    def _alternatives(self, given, allowed, j, mask):
        """Return tuples of literals, of which a row satisfies at most one."""
        literals = [
            ((place, code), of_literal)
            for place, code, of_literal in self._literals_of(j)
            if allowed[place][given.k, code]
        ]
        sets, others = [], []
        for pair, of_literal in literals:
            if (of_literal == mask).all():
                return [(pair,)]
            relation = self._columns[pair[0]].relations[pair[1] - 1]
            if relation not in NESTED:
                others.append((pair, of_literal))
            if relation in NESTED or of_literal.sum() == 1:
                sets.append((-int(of_literal.sum()), pair, of_literal))
        for i, (first, of_first) in enumerate(others):
            for second, of_second in others[i + 1 :]:
                if second[0] != first[0] and ((of_first & of_second) == mask).all():
                    return [(first, second)]
        # The widest intervals first, and single values at the end.
        found, left = [], mask.copy()
        for _, pair, of_literal in sorted(sets, key=itemgetter(0, 1)):
            if not (of_literal & ~left).any():
                found.append((pair,))
                left &= ~of_literal
        if left.any():
            self._refuse(given)
        return sorted(found)

    def _refuse(self, given):
        raise ValueError(
            f"initial_terms contains {str(given.term)!r}, with a literal or a pair of "
            "columns that monotonic_cst or forbidden excludes for its class."
        )
