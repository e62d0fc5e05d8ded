"""The shortest term of a group that a row satisfies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def satisfied_term(groups, g, row, order):
    """Return a shortest term of a group that a row satisfies.

    Parameters
    ----------
    groups : InteractionGroups
    g : int
    row : ndarray of shape (n_columns,), int32
        Codes.
    order : int
        How many literals such a term has.

    Returns
    -------
    term : tuple of (column, code)
        By column. Which of several it is depends on the rows and on `row` only.
    """
    generator = groups.generator(g)
    if all(row[column] == code for column, code in generator):
        return generator
    # A term of literals that all rows of the group share belongs to the group if it
    # excludes all other rows.
    shared = [pair for pair in groups.closed_pattern(g) if row[pair[0]] == pair[1]]
    columns, codes = np.array(shared).T
    others = np.ones(len(groups.rows), dtype=bool)
    others[groups.members[groups.starts[g] : groups.starts[g + 1]]] = False
    chosen = _smallest_cover(groups.rows[others][:, columns] != codes, order)
    return tuple(sorted(shared[j] for j in chosen))


def _smallest_cover(excludes, size):
    """Return so many columns, or fewer, one of which is true in each row; else None."""
    if not len(excludes):
        return []
    if size * excludes.sum(axis=0).max() < len(excludes):
        return None
    # One of the columns is that of a literal that excludes this row.
    hardest = excludes[excludes.sum(axis=1).argmin()]
    for j in np.flatnonzero(hardest).tolist():
        found = _smallest_cover(excludes[~excludes[:, j]], size - 1)
        if found is not None:
            return [j, *found]
    return None
