"""Conditioned sums: weighted sums over allowed terms, by any way to sum over all.

Literals that a class must not have leave the row. Columns that must not meet split its
terms. Those with a literal of such a column are, but for this literal, the terms of the
row without the column and all that conflict with it, under the updates that agree with
the row on the column. The others are the terms of the row without the column. The parts
are disjoint, and each is a plain sum.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

#: Parts that the terms of a row may be split into.
MOST_PARTS = 256
# Sets of specified columns whose parts are remembered.
_MOST_PATTERNS = 1024


@dataclass(frozen=True, eq=False)
class ConditionedSums:
    """The sums of one class over the terms that it may have.

    Parameters
    ----------
    conditions : Conditions
    k : int
        The class.
    log_alpha, log_beta : float
    max_term_size : int or None
        Most literals of a term, None for any number.
    """

    conditions: Conditions
    k: int
    log_alpha: float
    log_beta: float
    max_term_size: int | None
    _known_splits: dict = field(default_factory=dict, init=False, repr=False)

    def estimates(self, rows, updates, exponents, plain_sums):
        """Return log W of some rows, and its relative standard error.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32
        updates : ndarray of shape (m, n_columns), int32
        exponents : ndarray of shape (m,), int64
            Those of the class.
        plain_sums : callable
            Takes distinct rows, updates, exponents, `max_term_size`, and a tuple of the
            literals that the terms have besides; returns log W over all terms, and its
            error, of each row: (n, 2).

        Returns
        -------
        found : ndarray of shape (n_rows, 2), float64
        """
        owners, values, errors = [], [], []
        for literals, (places, left) in self.parts(rows).items():
            kept = np.ones(len(updates), dtype=bool)
            for column, code in literals:
                kept &= updates[:, column] == code
            distinct, _, inverse = distinct_rows(left)
            found = plain_sums(
                rows=distinct,
                updates=updates[kept] if literals else updates,
                exponents=exponents[kept] if literals else exponents,
                max_term_size=self.size_left(literals),
                literals=literals,
            )[inverse]
            owners.append(places)
            values.append(found[:, 0] + len(literals) * self.log_beta)
            errors.append(found[:, 1])
        owners, values = np.concatenate(owners), np.concatenate(values)
        logs, errors = _added_up(len(rows), owners, values, np.concatenate(errors))
        if self._initial_terms:
            logs, errors = self._corrected(rows, updates, exponents, logs, errors)
        return np.column_stack([logs, errors])

    def parts(self, rows):
        """Split the terms of rows that the class may have into disjoint parts.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32

        Returns
        -------
        parts : dict
            From the literals that the terms of a part have, as a tuple of (column,
            code), to places of rows, and to these rows with what is left of them: terms
            have any literals of these besides.

        Raises
        ------
        ValueError
            If conflicts split the terms of a row into too many parts.
        """
        rows = self.conditions.masked(rows, self.k)
        patterns, _, pattern_of = distinct_rows((rows != 0).astype(np.int32))
        parts = defaultdict(list)
        for i, pattern in enumerate(patterns):
            places = np.flatnonzero(pattern_of == i)
            for columns, kept in self._splits_of(pattern):
                codes = rows[np.ix_(places, columns)]
                left = np.where(kept, rows[places], 0).astype(np.int32)
                choices, _, choice_of = distinct_rows(codes)
                for c, choice in enumerate(choices.tolist()):
                    which = choice_of == c
                    literals = tuple(zip(columns, choice))
                    parts[literals].append((places[which], left[which]))
        # In this order parts are added up, whatever the other rows are.
        return {
            literals: tuple(map(np.concatenate, zip(*parts[literals])))
            for literals in sorted(parts)
        }

    def _splits_of(self, pattern):
        """Return what `_split` does for an array of integers, once for many rows."""
        key = pattern.tobytes()
        if key not in self._known_splits:
            if len(self._known_splits) == _MOST_PATTERNS:
                self._known_splits.clear()
            self._known_splits[key] = self._split(pattern != 0)
        return self._known_splits[key]

    def _split(self, specified):
        """Return the parts of rows that specify some columns.

        Returns
        -------
        splits : list of (list of int, ndarray of shape (n_columns,), bool)
            Columns that terms of a part have, and those that they may have.
        """
        conflicts, open_, splits = self.conditions.conflicts, [([], specified)], []
        while open_:
            columns, kept = open_.pop()
            if len(columns) == self.max_term_size:
                kept = np.zeros_like(kept)
            among = np.flatnonzero(kept)
            degrees = conflicts[np.ix_(among, among)].sum(axis=1)
            if not degrees.any():
                splits.append((columns, kept))
                continue
            if len(splits) + len(open_) >= MOST_PARTS:
                raise ValueError(
                    "Pairs of columns that must not meet split the terms of a row into "
                    f"more than {MOST_PARTS} parts. Forbid fewer pairs, or take a "
                    "sampler with tables: sampler='table', or 'auto', with a number as "
                    "max_term_size."
                )
            # The column of most conflicts leaves the fewest parts.
            column = int(among[degrees.argmax()])
            without = kept.copy()
            without[column] = False
            open_.append((columns, without))
            open_.append(([*columns, column], without & ~conflicts[column]))
        return splits

    def size_left(self, literals):
        """Return how many literals more terms of a part may have, None for any number.

        At least 1: of no more, nothing is left of the rows.
        """
        if self.max_term_size is None:
            return None
        return max(1, self.max_term_size - len(literals))

    @cached_property
    def _initial_terms(self):
        return self.conditions.initial_terms_of(self.k, self.max_term_size)

    def _corrected(self, rows, updates, exponents, logs, errors):
        """Give initial terms weights of their own, in place of those of the prior.

        Where these take more than an estimate leaves, the sum is what is certain: the
        initial terms, and the empty one.
        """
        gained, lost = np.full((2, len(rows)), -np.inf)
        empty = np.full(len(rows), exponents.sum() * self.log_alpha)
        for term in self._initial_terms:
            inside = term.extent(rows)
            grown = exponents[term.extent(updates)].sum() * self.log_alpha
            prior = len(term.literals) * self.log_beta + grown
            gained[inside] = np.logaddexp(gained[inside], term.log_weight + grown)
            lost[inside] = np.logaddexp(lost[inside], prior)
            if not term.literals:
                empty[:] = -np.inf
        tops = np.maximum(logs, gained)
        plain = np.exp(logs - tops)
        totals = plain + np.exp(gained - tops) - np.exp(lost - tops)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = tops + np.log(np.maximum(totals, 0.0))
        found = np.maximum(found, np.logaddexp(gained, empty))
        return found, errors * np.exp(logs - found)


def _added_up(n_rows, owners, values, errors):
    """Return logarithms of sums of parts, by the rows that own them, and their errors.

    Parameters
    ----------
    n_rows : int
    owners : ndarray of shape (n_parts,), int
    values, errors : ndarrays of shape (n_parts,)
        Logarithms of the parts, and their relative standard errors.
    """
    if len(owners) == n_rows:
        return values[np.argsort(owners)], errors[np.argsort(owners)]
    tops = np.full(n_rows, -np.inf)
    np.maximum.at(tops, owners, values)
    shares = np.exp(values - tops[owners])
    totals = np.bincount(owners, shares, n_rows)
    # A part of no share may have an infinite error.
    squares = np.square(shares * errors, where=shares > 0, out=np.zeros(len(shares)))
    deviations = np.sqrt(np.bincount(owners, squares, n_rows))
    return tops + np.log(totals), deviations / totals
