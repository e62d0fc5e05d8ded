"""Lost interactions: a warning that terms of two literals are too many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._terms._index_choice import count_listed
from sklearn_dnfwinnow._utils._warning import warn


def warn_of_lost_interactions(rows, equal_helps):
    """Warn that `fit` reduced the maximum term size to one literal.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes, including columns of literals.
    equal_helps : bool
        Whether literals='equal' is a way out: whether its pairs are few enough.
    """
    a_row = (count_listed(rows, 2) - count_listed(rows, 1)) // len(rows)
    ways = ["set max_term_size=2 to learn pairs in more time", "pass fewer columns"]
    if equal_helps:
        ways.append("set literals='equal'")
    warn(
        "No interactions between columns are learned: pairs of conditions, about "
        f"{a_row:,} for each row, would take too much time or memory. To learn "
        f"interactions, {', '.join(ways[:-1])} or {ways[-1]}.",
    )
