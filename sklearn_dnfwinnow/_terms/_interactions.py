"""Interactions: groups of terms that the same training rows satisfy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from scipy.sparse import csc_array, csr_array, get_index_dtype

from sklearn_dnfwinnow._kernels import interactions
from sklearn_dnfwinnow._terms._term_index import cap_of, grouped_terms, terms_by_size
from sklearn_dnfwinnow._utils._computing import distinct_rows


class TooManyGroups(Exception):
    """There are more groups, rows in them, or terms of a row than the limits allow."""


@dataclass(frozen=True, eq=False)
class InteractionGroups:
    """Groups of terms over some distinct rows.

    Subclasses implement ``generator(g)``, which returns a shortest term of a group as a
    tuple of (column, code), by column, and ``look_up(rows)``, which returns the Matches
    of new rows. The choice among several shortest terms depends on the rows only.

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

    @cached_property
    def leaves(self):
        """The last group of each row: (n_rows,), int32.

        For nested terms, it is that of the longest context.
        """
        leaves = np.empty(len(self.rows), dtype=np.int32)
        # Groups follow their parents.
        leaves[self.members] = np.repeat(
            np.arange(self.n_groups, dtype=np.int32), self.sizes
        )
        return leaves

    def memberships(self):
        """Return 1 where a group has a row: csr_array of shape (n_groups, n_rows)."""
        # With 32 bits, which nearly always suffice, `members` need not be copied.
        starts = self.starts.astype(get_index_dtype(maxval=len(self.members)))
        return csr_array(
            (np.ones(len(self.members)), self.members, starts),
            shape=(self.n_groups, len(self.rows)),
        )

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


@dataclass(frozen=True, eq=False, kw_only=True)
class AllInteractions(InteractionGroups):
    """Groups of all terms up to an order.

    Attributes
    ----------
    shortest : ndarray of shape (n_groups, 3), int32
        A shortest term of each group: the term of another group and a literal, as
        column and code. -1 for the empty term.
    links : dict of str to ndarray
        Transitions between groups, from the extent of a term to one literal more. The
        literals of a term are in the order of columns. Each column has visits of the
        groups with terms over the columns before it that can be extended. The order of
        the groups is the same at all columns.

        - 'turns', of shape (n_groups,), int32: number of the visits of a group, from 0
          at each column; -1 for groups that are never extended, because all of their
          terms have the maximum order.
        - 'visits', of shape (n_columns,), int64: the first visit of each column.
        - 'link_starts', of shape (n_visits + 1,), int64: start of the links of each
          visit.
        - 'link_codes' and 'linked', of shape (n_links,), int32: code and target group
          of each link. Codes that no row of the group has are left out.
    """

    shortest: np.ndarray
    links: dict

    def __reduce__(self):
        """Rebuilt when unpickled: rows are far smaller than their groups."""
        return all_interactions, (self.rows, self.max_order)

    def generator(self, g):
        """Return a shortest term of a group: tuple of (column, code), by column."""
        term = []
        g, column, code = self.shortest[g]
        while g >= 0:
            term.append((int(column), int(code)))
            g, column, code = self.shortest[g]
        return tuple(sorted(term))

    def look_up(self, rows):
        """Return the terms of each group that new rows satisfy."""
        unmatched = terms_by_size(rows, self.max_order, dtype=np.float64)
        starts, groups, counts = interactions.look_up(
            rows=np.ascontiguousarray(rows, dtype=np.int32),
            **self.links,
            unmatched=unmatched,
        )
        return Matches(starts=starts, groups=groups, counts=counts, unmatched=unmatched)


def all_interactions(rows, max_order, max_entries=sys.maxsize, max_groups=sys.maxsize):
    """Return the groups of all terms up to an order that some rows satisfy.

    Groups are in the order in which they are found, starting with that of the empty
    term.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes in lexicographic order; code 0 is unspecified. At least one row.
    max_order : int
        Not negative.
    max_entries : int
        Maximum number of entries of `members`, and of links between groups.
    max_groups : int

    Returns
    -------
    groups : AllInteractions

    Raises
    ------
    TooManyGroups
        If a limit is exceeded, or counts of terms would not be exact.
    """
    longest = cap_of(None, rows)
    # Half of the features form the most terms.
    if comb(longest, min(max_order, longest // 2)) > 2**53:
        raise TooManyGroups(
            f"A row with {longest} specified features satisfies more than 2^53 "
            "terms of one order."
        )
    groups = grouped_terms(rows, max_order, max_entries, max_groups)
    if groups is None:
        raise TooManyGroups
    return AllInteractions(rows=rows, max_order=max_order, **groups)


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedInteractions(InteractionGroups):
    """Groups of contexts up to a length.

    Attributes
    ----------
    shortest, longest : ndarrays of shape (n_groups,), int64
        Minimum and maximum length of the contexts of each group.
    """

    shortest: np.ndarray
    longest: np.ndarray

    def __reduce__(self):
        """Rebuilt when unpickled: rows are far smaller than their groups."""
        return nested_interactions, (self.rows, self.max_order)

    def generator(self, g):
        """Return the shortest context of a group, in the form of `AllInteractions`."""
        return self._context(g, self.shortest[g])

    def closed_pattern(self, g):
        """Return the longest context of a group, in the form of `generator`."""
        return self._context(g, self.longest[g])

    def _context(self, g, length):
        """Return the context of a given length of the rows of a group."""
        row = self.rows[self.members[self.starts[g]]]
        return tuple((j, int(row[j])) for j in range(len(row) - length, len(row)))

    def look_up(self, rows):
        """Return the contexts of each group that new rows have."""
        codes, lengths = _contexts(rows, self.max_order)
        known, _ = _contexts(self.rows, self.max_order)
        # The training rows with the most of a context are its neighbours.
        every = np.concatenate([known, codes])
        order = np.lexsort([np.arange(len(every)), *every.T[::-1]])
        is_known = order < len(known)
        n_before = np.empty(len(order), dtype=np.int64)
        n_before[order] = np.cumsum(is_known)
        sides = n_before[len(known) :] - [[1], [0]]
        sides = order[is_known][np.clip(sides, 0, len(known) - 1)]
        alike = (known[sides] == codes) & (codes != 0)
        common = np.logical_and.accumulate(alike, axis=2).sum(axis=2)
        depth, row = common.max(axis=0), np.arange(len(rows))
        # From the last group of the nearest row to its parents.
        at = self.leaves[sides[common.argmax(axis=0), row]]
        visits = [(row[:0], at[:0])]
        while len(row):
            is_own = self.shortest[at] <= depth[row]
            visits.append((row[is_own], at[is_own]))
            at = self.parents[at]
            row, at = row[at >= 0], at[at >= 0]
        row, group = (np.concatenate(part) for part in zip(*visits, strict=True))
        by_row = np.lexsort([group, row])
        row, group = row[by_row], group[by_row]
        n_visited = np.bincount(row, minlength=len(rows))
        return Matches(
            starts=np.concatenate([[0], np.cumsum(n_visited)]),
            groups=group.astype(np.int32),
            counts=_one_each(
                first=self.shortest[group],
                last=np.minimum(self.longest[group], depth[row]),
                max_order=self.max_order,
            ),
            unmatched=_one_each(depth + 1, lengths, self.max_order),
        )


def nested_interactions(
    rows, max_order, max_entries=sys.maxsize, max_groups=sys.maxsize
):
    """Return the groups of all contexts up to a length that some rows have.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes in lexicographic order. The first unspecified code from the
        right, 0, ends the context. At least one row.
    max_order : int
        Not negative.
    max_entries : int
        Most entries of `members`.
    max_groups : int

    Returns
    -------
    groups : NestedInteractions
        In order of their shortest contexts' lengths.

    Raises
    ------
    TooManyGroups
        Where a limit is exceeded.
    """
    codes, lengths = _contexts(rows, max_order)
    n_rows, depth = codes.shape
    by_context = np.lexsort([np.arange(n_rows), *codes.T[::-1]])
    codes, lengths = codes[by_context], lengths[by_context]
    # How much of their contexts neighbours have in common.
    alike = (codes[1:] == codes[:-1]) & (codes[1:] != 0)
    common = np.logical_and.accumulate(alike, axis=1).sum(axis=1)
    # Groups are runs of neighbours; there are at most 2 n_rows - 1, as each either
    # parts or is the last of some row.
    begins, ends, shortest, longest = np.zeros((4, 2 * n_rows), dtype=np.int64)
    parents = np.full(2 * n_rows, -1, dtype=np.int32)
    ends[0], n_groups = n_rows, 1
    # The group of each row's context of the length in hand.
    at = np.zeros(n_rows, dtype=np.int64)
    for t in range(1, depth + 1):
        begin = np.flatnonzero(np.append(True, common < t))
        end = np.append(begin[1:], n_rows)
        goes_on = lengths[begin] >= t
        begin, end = begin[goes_on], end[goes_on]
        whole = end - begin == (ends - begins)[at[begin]]
        longest[at[begin[whole]]] = t
        begin, end = begin[~whole], end[~whole]
        new = slice(n_groups, n_groups + len(begin))
        begins[new], ends[new], shortest[new], longest[new] = begin, end, t, t
        parents[new] = at[begin]
        at[_ranges(begin, end - begin)] = np.repeat(
            np.arange(new.start, new.stop), end - begin
        )
        n_groups = new.stop
    sizes = (ends - begins)[:n_groups]
    if n_groups > max_groups or sizes.sum() > max_entries:
        raise TooManyGroups
    groups = np.repeat(np.arange(n_groups, dtype=np.int64), sizes)
    members = by_context[_ranges(begins[:n_groups], sizes)]
    return NestedInteractions(
        rows=rows,
        max_order=max_order,
        counts=_one_each(shortest[:n_groups], longest[:n_groups], max_order),
        starts=np.concatenate([[0], np.cumsum(sizes)]),
        members=(np.sort(groups * n_rows + members) % n_rows).astype(np.int32),
        parents=parents[:n_groups],
        shortest=shortest[:n_groups],
        longest=longest[:n_groups],
    )


def _contexts(rows, max_order):
    """Return the codes of rows from the nearest, 0 after their ends, and lengths."""
    codes = rows[:, ::-1][:, :max_order]
    specified = np.logical_and.accumulate(codes != 0, axis=1)
    return np.where(specified, codes, 0), specified.sum(axis=1)


def _one_each(first, last, max_order):
    """Return 1 for orders from first to last, else 0: (n, max_order + 1)."""
    orders = np.arange(max_order + 1)
    between = (first[:, None] <= orders) & (orders <= last[:, None])
    return between.astype(np.float64)


def _ranges(begins, sizes):
    """Return the numbers of some ranges, one after another."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(begins - before, sizes) + np.arange(sizes.sum())
