"""All interactions up to an order, grouped by the rows that satisfy them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import dataclass
from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import _interactions
from sklearn_dnfwinnow._terms._interaction_groups import (
    InteractionGroups,
    Matches,
    TooManyGroups,
    TooManyTerms,
)
from sklearn_dnfwinnow._terms._term_index import cap_of

# Initial size of arrays of groups, or of entries of other lists. It doubles.
_FIRST_ROOM = 1 << 10
# Maximum number of counts that are looked up at once, as doubles: 64 MiB.
_LOOK_UP_ROOM = 1 << 23


@dataclass(frozen=True, eq=False)
class Links:
    """Transitions between groups: from the extent of a term to one literal more.

    The literals of a term are in the order of columns. Each column has visits of the
    groups with terms over the columns before it that can be extended. The order of the
    groups is the same at all columns.

    Attributes
    ----------
    turns : ndarray of shape (n_groups,), int32
        Number of the visits of a group, from 0 at each column; -1 for groups that are
        never extended, because all of their terms have the maximum order.
    visits : ndarray of shape (n_columns,), int64
        The first visit of each column.
    starts : ndarray of shape (n_visits + 1,), int64
        Start of the links of each visit.
    codes, groups : ndarrays of shape (n_links,), int32
        Code and target group of each link. Codes that no row of the group has are left
        out.
    """

    turns: np.ndarray
    visits: np.ndarray
    starts: np.ndarray
    codes: np.ndarray
    groups: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class AllInteractions(InteractionGroups):
    """Groups of all terms up to an order.

    Attributes
    ----------
    shortest : ndarray of shape (n_groups, 3), int32
        A shortest term of each group: the term of another group and a literal, as
        column and code. -1 for the empty term.
    links : Links
    """

    shortest: np.ndarray
    links: Links

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
        n_groups, width = self.counts.shape
        room = max(n_groups, _LOOK_UP_ROOM // width)
        codes = np.ascontiguousarray(rows, dtype=np.int32)
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        unmatched = _n_terms(rows, self.max_order)
        found_groups = np.empty(room, dtype=np.int32)
        found_counts = np.empty((room, width))
        scratch = {
            "places": np.zeros(n_groups, dtype=np.int32),
            "reached": np.empty(n_groups, dtype=np.int32),
            "least": np.empty(n_groups, dtype=np.int32),
            "visitors": np.empty(n_groups, dtype=np.int32),
            "sums": np.empty((n_groups, width)),
            "before": np.empty((n_groups, width)),
        }
        parts = [(found_groups[:0], found_counts[:0])]
        done = 0
        while done < len(rows):
            first = done
            done = _interactions.look_up(
                rows=codes,
                first=first,
                turns=self.links.turns,
                visits=self.links.visits,
                link_starts=self.links.starts,
                link_codes=self.links.codes,
                linked=self.links.groups,
                **scratch,
                starts=starts,
                groups=found_groups,
                counts=found_counts,
                unmatched=unmatched,
            )
            n_found = starts[done] - starts[first]
            parts.append((found_groups[:n_found].copy(), found_counts[:n_found].copy()))
        groups, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
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
        If a limit is exceeded.
    TooManyTerms
        If counts of terms would not be exact.
    """
    longest = cap_of(None, rows)
    # Half of the features form the most terms.
    if comb(longest, min(max_order, longest // 2)) > 2**53:
        raise TooManyTerms(
            f"A sample with {longest} specified features satisfies more than 2^53 "
            "terms of one order."
        )
    search = _Search(rows, max_order)
    while not search.advance():
        if search.n_groups > max_groups or search.n_entries > max_entries:
            raise TooManyGroups
        search.make_room()
    if search.n_groups > max_groups or search.n_entries > max_entries:
        raise TooManyGroups
    return search.groups()


def _n_terms(rows, max_order):
    """Return the numbers of satisfied terms of each order: (n_rows, max_order + 1)."""
    n_specified = (rows != 0).sum(axis=1)
    longest = int(n_specified.max(initial=0))
    orders = range(max_order + 1)
    n_terms = [[float(comb(n, o)) for o in orders] for n in range(longest + 1)]
    return np.array(n_terms)[n_specified]


class _Search:
    """A search for groups, with arrays that grow."""

    def __init__(self, rows, max_order):
        n_rows, n_columns = rows.shape
        self.rows, self.max_order = rows, max_order
        self.columns = np.ascontiguousarray(rows.T, dtype=np.int32)
        width = int(rows.max(initial=0)) + 1
        self.scratch = {
            "ends": np.zeros(width, dtype=np.int64),
            "keys": np.zeros(width, dtype=np.uint64),
            "seen": np.empty(width, dtype=np.int32),
        }
        self.progress = np.array([0, 0, 0, 1, int(max_order > 0), 0, 0], np.int64)
        self.visits = np.zeros(n_columns, dtype=np.int64)
        self.members = np.arange(n_rows, dtype=np.int32)
        self.by_group = {
            "counts": np.zeros((1, max_order + 1)),
            "before": np.empty((1, max_order + 1)),
            "least": np.zeros(1, dtype=np.int32),
            "visitors": np.zeros(1, dtype=np.int32),
            "shortest": np.full((1, 3), -1, dtype=np.int32),
            "hashes": np.full(1, _interactions.hash_of_all(n_rows), dtype=np.uint64),
        }
        self.by_group["counts"][0, 0] = 1
        self.starts = np.array([0, n_rows], dtype=np.int64)
        self.link_starts = np.empty(0, dtype=np.int64)
        self.by_link = {
            "link_codes": np.empty(0, dtype=np.int32),
            "linked": np.empty(0, dtype=np.int32),
        }
        self.make_room()

    @property
    def n_groups(self):
        return int(self.progress[3])

    @property
    def n_visits(self):
        return int(self.progress[5])

    @property
    def n_links(self):
        return int(self.progress[6])

    @property
    def n_members(self):
        return int(self.starts[self.n_groups])

    @property
    def n_entries(self):
        """Number of members or of links, whichever is larger."""
        return max(self.n_members, self.n_links)

    def make_room(self):
        """Enlarge the arrays for at least the links and members of the next group."""
        n_rows = len(self.rows)
        most_codes = min(n_rows, len(self.scratch["ends"]))
        room = len(self.by_group["counts"])
        if room - self.n_groups < most_codes:
            room = _more(room, most_codes)
            _grow(self.by_group, room)
            self.starts = _grown(self.starts, room + 1)
            self.slots = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)
            _interactions.fill_slots(self.by_group["hashes"], self.n_groups, self.slots)
        if len(self.members) - self.n_members < n_rows:
            self.members = _grown(self.members, _more(len(self.members), n_rows))
        if len(self.link_starts) == self.n_visits:
            self.link_starts = _grown(self.link_starts, _more(self.n_visits, 1))
        room = len(self.by_link["linked"])
        if room - self.n_links < most_codes:
            _grow(self.by_link, _more(room, most_codes))

    def advance(self):
        """Search for less than a second; return whether all groups are found."""
        return _interactions.group_interactions(
            columns=self.columns,
            max_order=self.max_order,
            progress=self.progress,
            starts=self.starts,
            members=self.members,
            **self.by_group,
            slots=self.slots,
            visits=self.visits,
            link_starts=self.link_starts,
            **self.by_link,
            **self.scratch,
        )

    def groups(self):
        """Return the groups found."""
        n = self.n_groups
        visitors = self.by_group["visitors"][: self.progress[4]]
        turns = np.full(n, -1, dtype=np.int32)
        turns[visitors] = np.arange(len(visitors))
        return AllInteractions(
            rows=self.rows,
            max_order=self.max_order,
            counts=self.by_group["counts"][:n].copy(),
            starts=self.starts[: n + 1].copy(),
            members=self.members[: self.n_members].copy(),
            shortest=self.by_group["shortest"][:n].copy(),
            links=Links(
                turns=turns,
                visits=self.visits,
                starts=np.append(self.link_starts[: self.n_visits], self.n_links),
                codes=self.by_link["link_codes"][: self.n_links].copy(),
                groups=self.by_link["linked"][: self.n_links].copy(),
            ),
        )


def _more(room, needed):
    return max(2 * room, _FIRST_ROOM) + needed


def _grown(array, room):
    """Return a larger array with the same beginning."""
    grown = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


def _grow(arrays, room):
    """Enlarge some arrays."""
    for name, array in arrays.items():
        arrays[name] = _grown(array, room)
