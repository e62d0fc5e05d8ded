"""Grouping: the groups of interactions for the parameters of an estimator."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._terms._interactions._all_interactions import all_interactions
from sklearn_dnfwinnow._terms._interactions._interaction_groups import (
    TooManyGroups,
    of_largest_order,
)
from sklearn_dnfwinnow._terms._interactions._nested_interactions import (
    nested_interactions,
)

# Maximum bytes of all draws, and of lists of the rows of groups.
_MEMORY_BUDGET = 512 * 2**20
_MOST_ENTRIES = _MEMORY_BUDGET // 4
# Maximum order of max_order='auto', and maximum number of its sums: about a minute.
_LARGEST_AUTO, _AUTO_SUMS = 3, 1 << 15

_FUNCTIONS = {"all": all_interactions, "nested": nested_interactions}


def group_interactions(estimator, rows, n_sets):
    """Return the groups of interactions over some rows.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct, sorted.
    n_sets : int
        Number of sets of parameters.

    Returns
    -------
    groups : InteractionGroups

    Raises
    ------
    ValueError
        If there are too many; the message states the largest possible `max_order`.
    """
    group = _FUNCTIONS[estimator.interactions]
    n_draws = estimator.n_chains * estimator.n_draws * n_sets
    limits = {
        "max_entries": _MOST_ENTRIES,
        "max_groups": _MEMORY_BUDGET // (4 * n_draws),
    }
    order, most = estimator.max_order, rows.shape[1]
    try:
        if order != "auto":
            return _of_order(group, rows, min(order, most), limits)
        if estimator.interactions == "all":
            quick = min(limits["max_groups"], _AUTO_SUMS // n_sets)
            quick = {**limits, "max_groups": quick}
            try:
                return of_largest_order(group, rows, _LARGEST_AUTO, **quick)
            except TooManyGroups:  # single literals, for any number of them
                most = 1
        return of_largest_order(group, rows, most, **limits)
    except TooManyGroups as error:
        raise ValueError(
            f"n_draws={estimator.n_draws} with n_chains={estimator.n_chains} requires "
            f"more than {_MEMORY_BUDGET // 2**20} MiB, even with max_order=1. Decrease "
            "n_draws."
        ) from error


def _of_order(group, rows, order, limits):
    """Return the groups up to an order, or raise an error that states a smaller one."""
    try:
        return group(rows, order, **limits)
    except TooManyGroups as error:
        smaller = of_largest_order(group, rows, order - 1, **limits).max_order
        raise ValueError(
            f"max_order={order} gives too many groups of interactions: draws of "
            f"{limits['max_groups']} groups, or lists of {limits['max_entries']} "
            f"samples, require {_MEMORY_BUDGET // 2**20} MiB. The largest possible "
            f"value is max_order={smaller}."
        ) from error
