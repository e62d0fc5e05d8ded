"""Nested interactions: contexts of a sequence, grouped by the rows that have them.

A context fixes the last columns of a row; the last column is the nearest. Groups of
contexts are the nodes of a tree. Each row descends from the empty context. If no rows
separate, contexts of consecutive lengths form one group (Li & Neal 2008).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._interactions._interaction_groups import (
    InteractionGroups,
    Matches,
    TooManyGroups,
)


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
        known = known[self.members[self.starts[:-1]]]
        # A child is found by its parent and the first code of its own. The last key is
        # above all of them.
        width = int(max(known.max(initial=0), codes.max(initial=0))) + 1
        own = known[np.arange(1, self.n_groups), self.shortest[1:] - 1]
        keys = np.append(self.parents[1:].astype(np.int64) * width + own, 2**63 - 1)
        children = 1 + np.argsort(keys)
        keys = keys[children - 1]
        # Rows that continue, and for all rows their current group and length.
        active = np.arange(len(rows))
        at = np.zeros(len(rows), dtype=np.int64)
        depth = np.zeros(len(rows), dtype=np.int64)
        visits = [(active, at.copy())]
        for t, code in enumerate(codes.T):
            code, inside = code[active], self.longest[at[active]] > t
            key = at[active] * width + code
            child = np.searchsorted(keys, key)
            known_code = np.where(
                inside, known[at[active], t] == code, keys[child] == key
            )
            found = known_code & (code != 0)
            active, down = active[found], ~inside[found]
            depth[active] = t + 1
            at[active[down]] = children[child[found][down]]
            visits.append((active[down], at[active[down]]))
        row, group = (np.concatenate(part) for part in zip(*visits, strict=True))
        by_row = np.argsort(row, kind="stable")
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
