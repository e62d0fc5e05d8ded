"""All interactions up to an order, grouped by the rows that satisfy them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import dataclass
from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import interactions
from sklearn_dnfwinnow._terms._interactions._interaction_groups import (
    InteractionGroups,
    Matches,
    TooManyGroups,
)
from sklearn_dnfwinnow._terms._term_index import cap_of

# Initial size of arrays of groups and links, which grow.
_FIRST_ROOM = 1 << 10


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
        unmatched = _n_terms(rows, self.max_order)
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
            f"A sample with {longest} specified features satisfies more than 2^53 "
            "terms of one order."
        )
    found = interactions.group_interactions(
        columns=np.ascontiguousarray(rows.T, dtype=np.int32),
        max_order=max_order,
        n_codes=int(rows.max(initial=0)) + 1,
        max_groups=max_groups,
        max_entries=max_entries,
        room=_FIRST_ROOM,
    )
    if found is None:
        raise TooManyGroups
    return AllInteractions(rows=rows, max_order=max_order, **found)


def _n_terms(rows, max_order):
    """Return the numbers of satisfied terms of each order: (n_rows, max_order + 1)."""
    n_specified = (rows != 0).sum(axis=1)
    longest = int(n_specified.max(initial=0))
    orders = range(max_order + 1)
    n_terms = [[float(comb(n, o)) for o in orders] for n in range(longest + 1)]
    return np.array(n_terms)[n_specified]
