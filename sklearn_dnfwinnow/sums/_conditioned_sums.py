"""Conditioned sums: weighted sums over allowed terms, by any method for all terms.

Literals that a class must not contain are removed from the row. Pairs of columns that
must not occur together split the terms of the row into disjoint parts. For such a
column, the first part are the terms with its literal. Without this literal, they are
the terms of the row without the column and without all columns that conflict with it,
summed over the stored examples that agree with the row on the column. The second part
are the terms of the row without the column. Each part is a plain sum.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions, extent
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

#: Maximum number of parts of the terms of a row.
MOST_PARTS = 256
# Maximum number of sets of specified columns whose parts are cached.
_MOST_PATTERNS = 1024


@dataclass(frozen=True, eq=False)
class ConditionedSums:
    """The sums of one class over the terms that conditions allow.

    Parameters
    ----------
    conditions : Conditions
    k : int
        The class.
    log_alpha, log_beta : float
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    """

    conditions: Conditions
    k: int
    log_alpha: float
    log_beta: float
    max_term_size: int | None
    _known_splits: dict = field(default_factory=dict, init=False, repr=False)

    def estimates(self, rows, examples, net_counts, plain_sums):
        """Return log W of some rows, and its relative standard error.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32
        examples : ndarray of shape (m, n_columns), int32
        net_counts : ndarray of shape (m,), int64
            Net counts of the class.
        plain_sums : callable
            Accepts distinct rows, examples, net counts, `max_term_size`, and a tuple of
            the literals that all terms contain. Returns log W over all terms, and its
            error, of each row: (n, 2).

        Returns
        -------
        found : ndarray of shape (n_rows, 2), float64
        """
        owners, values, errors = [], [], []
        for literals, (places, left) in self.parts(rows).items():
            kept = extent(examples, literals)
            distinct, _, inverse = distinct_rows(left)
            found = plain_sums(
                rows=distinct,
                examples=examples[kept],
                net_counts=net_counts[kept],
                max_term_size=self.size_left(literals),
                literals=literals,
            )[inverse]
            owners.append(places)
            values.append(found[:, 0] + len(literals) * self.log_beta)
            errors.append(found[:, 1])
        owners, values = np.concatenate(owners), np.concatenate(values)
        logs, errors = _added_up(len(rows), owners, values, np.concatenate(errors))
        if self._initial_terms:
            logs, errors = self._corrected(rows, examples, net_counts, logs, errors)
        return np.column_stack([logs, errors])

    def parts(self, rows):
        """Split the allowed terms of rows into disjoint parts.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32

        Returns
        -------
        parts : dict
            The keys are the literals that all terms of a part contain, as a tuple of
            (column, code). The values are places of rows, and these rows with the
            columns that are left, of which terms contain any literals in addition.

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
        # The order of the parts does not depend on the other rows.
        return {
            literals: tuple(map(np.concatenate, zip(*parts[literals])))
            for literals in sorted(parts)
        }

    def _splits_of(self, pattern):
        """Return the result of `_split` for an array of integers, from a cache."""
        # Other threads use the cache, too.
        key = pattern.tobytes()
        splits = self._known_splits.get(key)
        if splits is None:
            if len(self._known_splits) >= _MOST_PATTERNS:
                self._known_splits.clear()
            self._known_splits[key] = splits = self._split(pattern != 0)
        return splits

    def _split(self, specified):
        """Return the parts of rows that specify some columns.

        Returns
        -------
        splits : list of (list of int, ndarray of shape (n_columns,), bool)
            Columns that all terms of a part contain, and columns that they may contain.
        """
        conflicts, open_, splits = self.conditions.conflicts, [([], specified)], []
        while open_:
            columns, kept = open_.pop()
            if len(columns) == self.max_term_size:
                kept = np.zeros_like(kept)
            among = np.flatnonzero(kept)
            degrees = conflicts.degrees(among)
            if not degrees.any():
                splits.append((columns, kept))
                continue
            if len(splits) + len(open_) >= MOST_PARTS:
                raise ValueError(
                    "The pairs of columns in forbidden split the terms of a sample "
                    f"into more than {MOST_PARTS} parts. Forbid fewer pairs, or set "
                    "sampler='table' or 'auto', and max_term_size to a number."
                )
            # The column with the most conflicts leaves the fewest parts.
            column = int(among[degrees.argmax()])
            without = kept.copy()
            without[column] = False
            open_.append((columns, without))
            left = without & ~conflicts.with_column(column)
            open_.append(([*columns, column], left))
        return splits

    def size_left(self, literals):
        """Return the maximum number of further literals of a part, None for no limit.

        At least 1: if no further literals are allowed, no columns of the rows are left.
        """
        if self.max_term_size is None:
            return None
        return max(1, self.max_term_size - len(literals))

    @cached_property
    def _initial_terms(self):
        return self.conditions.initial_terms_of(self.k, self.max_term_size)

    def _corrected(self, rows, examples, net_counts, logs, errors):
        """Replace the initial weights of initial terms by the given ones.

        If the correction is larger than an estimate, the sum is the part that is
        certain: the initial terms, and the empty one.
        """
        gained, lost = np.full((2, len(rows)), -np.inf)
        empty = np.full(len(rows), net_counts.sum() * self.log_alpha)
        for term in self._initial_terms:
            inside = term.extent(rows)
            grown = net_counts[term.extent(examples)].sum() * self.log_alpha
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
