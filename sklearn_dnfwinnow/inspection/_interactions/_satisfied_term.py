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
        Number of literals of such a term.

    Returns
    -------
    term : tuple of (column, code)
        Sorted by column. If there are several such terms, the choice depends only on
        the training samples and on `row`.
    """
    generator = groups.generator(g)
    if all(row[column] == code for column, code in generator):
        return generator
    # A term of literals that all rows of the group satisfy belongs to the group if it
    # excludes all other rows.
    shared = [pair for pair in groups.closed_pattern(g) if row[pair[0]] == pair[1]]
    columns, codes = np.array(shared).T
    others = np.ones(len(groups.rows), dtype=bool)
    others[groups.members[groups.starts[g] : groups.starts[g + 1]]] = False
    chosen = _smallest_cover(groups.rows[others][:, columns] != codes, order)
    return tuple(sorted(shared[j] for j in chosen))


def _smallest_cover(excludes, size):
    """Return at most `size` columns such that each row has a true one, or None."""
    if not len(excludes):
        return []
    if size * excludes.sum(axis=0).max() < len(excludes):
        return None
    # At least one column has to exclude this row.
    hardest = excludes[excludes.sum(axis=1).argmin()]
    for j in np.flatnonzero(hardest).tolist():
        found = _smallest_cover(excludes[~excludes[:, j]], size - 1)
        if found is not None:
            return [j, *found]
    return None
