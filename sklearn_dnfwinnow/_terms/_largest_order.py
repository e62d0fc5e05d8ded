"""The largest order of interactions that fits the limits."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._terms._interaction_groups import TooManyGroups, TooManyTerms
from sklearn_dnfwinnow._terms._term_index import cap_of


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
    except (TooManyGroups, TooManyTerms):
        largest = of_order(min(1, longest))
    while True:
        try:
            largest = of_order(largest.max_order + 1)
        except (TooManyGroups, TooManyTerms):
            return largest
