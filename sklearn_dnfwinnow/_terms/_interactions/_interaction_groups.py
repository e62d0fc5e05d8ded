"""Interaction groups: terms that are satisfied by the same training rows.

All terms of a group have the same value in every training row. A model that is linear
in them depends only on the sum of their parameters (Li & Neal 2008).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.sparse import csc_array, csr_array, get_index_dtype

from sklearn_dnfwinnow._terms._term_index import cap_of
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows


class TooManyGroups(Exception):
    """There are more groups, rows in them, or terms of a row than the limits allow."""


@dataclass(frozen=True, eq=False)
class InteractionGroups:
    """Groups of terms over some distinct rows.

    Subclasses implement `generator` and `look_up`.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct rows of codes, in lexicographic order; code 0 is unspecified.
    max_order : int
        Maximum number of literals in a term; for nested terms, length of the longest
        context.
    counts : ndarray of shape (n_groups, max_order + 1), float64
        Number of terms of each order in each group. Whole numbers.
    starts : ndarray of shape (n_groups + 1,), int64
    members : ndarray of shape (starts[-1],), int32
        ``members[starts[g]:starts[g + 1]]`` are the rows that satisfy the terms of
        group g, ascending. There is at least one.
    parents : ndarray of shape (n_groups,), int32, or None
        For nested terms, the group of the next shorter context, -1 for the first group;
        groups follow their parents. None if the groups are no tree.
    """

    rows: np.ndarray
    max_order: int
    counts: np.ndarray
    starts: np.ndarray
    members: np.ndarray
    parents: np.ndarray | None = None

    @property
    def n_groups(self):
        """Return the number of groups."""
        return len(self.counts)

    @property
    def n_terms(self):
        """Return the number of terms that some row satisfies, a Python int."""
        # One order of one group may have 2^53 of them, so that floats would round.
        return sum(self.counts.astype(np.int64).sum(axis=1).tolist())

    @property
    def sizes(self):
        """Return the number of rows in each group: (n_groups,), int64."""
        return np.diff(self.starts)

    @cached_property
    def kinds(self):
        """Distinct rows of `counts`, the place of each group, and their frequencies.

        Groups of one kind have the same width, for any widths of orders.
        """
        kinds, kind_of, n_groups = np.unique(
            self.counts, axis=0, return_inverse=True, return_counts=True
        )
        return kinds, kind_of.ravel(), n_groups

    def memberships(self):
        """Return 1 where a group has a row: csr_array of shape (n_groups, n_rows)."""
        # With 32 bits, which nearly always suffice, `members` need not be copied.
        starts = self.starts.astype(get_index_dtype(maxval=len(self.members)))
        return csr_array(
            (np.ones(len(self.members)), self.members, starts),
            shape=(self.n_groups, len(self.rows)),
        )

    def generator(self, g):
        """Return a shortest term of a group: tuple of (column, code), by column.

        The choice among several shortest terms depends on the rows only.
        """
        raise NotImplementedError

    def closed_pattern(self, g):
        """Return all literals that the rows of a group share, as `generator` does."""
        rows = self.rows[self.members[self.starts[g] : self.starts[g + 1]]]
        shared = (rows == rows[0]).all(axis=0) & (rows[0] != 0)
        return tuple((int(j), int(rows[0, j])) for j in np.flatnonzero(shared))

    def groups_of(self, terms):
        """Return the group of each term, -1 for terms that no row satisfies.

        Parameters
        ----------
        terms : ndarray of shape (n_terms, n_columns), int32
            Codes of the literals of terms up to `max_order`; 0 elsewhere.

        Returns
        -------
        groups : ndarray of shape (n_terms,), int
        """
        matches = self.look_up(terms)
        n_found = np.diff(matches.starts)
        orders = np.repeat(np.count_nonzero(terms, axis=1), n_found)
        # Of all terms that the literals of a term form, it alone has its order.
        is_own = matches.counts[np.arange(len(orders)), orders] > 0
        groups = np.full(len(terms), -1)
        places = np.repeat(np.arange(len(terms)), n_found)
        groups[places[is_own]] = matches.groups[is_own]
        return groups

    def terms_of(self, rows):
        """Return all terms that some rows satisfy.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32

        Returns
        -------
        terms : ndarray of shape (n_terms, n_columns), int32
            Distinct.
        satisfied : csc_array of shape (n_rows, n_terms), float64
            1 where a row satisfies a term.
        """
        n_columns = rows.shape[1]
        terms, places, holders, n_terms = [], [], [], 0
        for order in range(self.max_order + 1):
            for columns in self._columns_of_terms(n_columns, order):
                holding = np.flatnonzero(rows[:, columns].all(axis=1))
                codes, _, inverse = distinct_rows(rows[np.ix_(holding, columns)])
                found = np.zeros((len(codes), n_columns), dtype=np.int32)
                found[:, columns] = codes
                terms.append(found)
                places.append(n_terms + inverse)
                holders.append(holding)
                n_terms += len(codes)
        places, holders = np.concatenate(places), np.concatenate(holders)
        ones = np.ones(len(places))
        satisfied = csc_array((ones, (holders, places)), (len(rows), n_terms))
        return np.concatenate(terms), satisfied

    def _columns_of_terms(self, n_columns, order):
        """Return the sets of columns that terms of an order may have, as lists."""
        if self.parents is not None:
            return [list(range(n_columns - order, n_columns))]
        return map(list, combinations(range(n_columns), order))

    def look_up(self, rows):
        """Return the terms of each group that new rows satisfy.

        Parameters
        ----------
        rows : ndarray of shape (n, n_columns), int32

        Returns
        -------
        matches : Matches
        """
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Matches:
    """Terms of groups that some rows satisfy.

    Attributes
    ----------
    starts : ndarray of shape (n_rows + 1,), int64
    groups : ndarray of shape (starts[-1],), int32
        ``groups[starts[i]:starts[i + 1]]`` are the groups of which row i satisfies some
        terms, ascending.
    counts : ndarray of shape (starts[-1], max_order + 1), float64
        Number of these terms, by order.
    unmatched : ndarray of shape (n_rows, max_order + 1), float64
        Number of terms that row i satisfies and no training row does.
    """

    starts: np.ndarray
    groups: np.ndarray
    counts: np.ndarray
    unmatched: np.ndarray


def of_largest_order(group, rows, most, max_entries, max_groups):
    """Return the groups of the largest order, up to `most`, that fits.

    Parameters
    ----------
    group : callable
        `all_interactions` or `nested_interactions`.
    rows : ndarray of shape (n_rows, n_columns), int32
    most : int
        Maximum order. Orders above that of the longest terms are not tried.
    max_entries, max_groups : int
        Arguments of `group`.

    Returns
    -------
    groups : InteractionGroups
        With this order as `max_order`.

    Raises
    ------
    TooManyGroups
        If order 1 does not fit.
    """

    def of_order(order):
        return group(rows, order, max_entries=max_entries, max_groups=max_groups)

    longest = cap_of(most, rows)
    try:
        return of_order(longest)
    except TooManyGroups:
        largest = of_order(min(1, longest))
    while True:
        try:
            largest = of_order(largest.max_order + 1)
        except TooManyGroups:
            return largest
