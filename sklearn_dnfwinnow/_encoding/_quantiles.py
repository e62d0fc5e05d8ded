"""Quantiles: groups of neighbouring values of about equal weight."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil

import numpy as np


def quantile_starts(weights, n_groups):
    """Return the starts of at most `n_groups` groups of about equal weight.

    A group consists of the values whose middles are between the same two quantiles. A
    value heavier than a group spans several quantiles, which gives fewer groups; the
    quantiles are then refined.

    Parameters
    ----------
    weights : ndarray of shape (n_values,)
        Of the values, in their order.
    n_groups : int

    Returns
    -------
    starts : ndarray of shape (n_found,), int
        Position of the first value of each group.
    """
    middle = np.cumsum(weights) - weights / 2
    total = weights.sum() or 1.0

    def starts(n_quantiles):
        """Return the starts of the groups for a number of quantiles."""
        quantile = (middle * n_quantiles / total).astype(np.intp)
        # The middle of the last value may be rounded to the total.
        quantile = np.minimum(quantile, ceil(n_quantiles) - 1)
        return np.flatnonzero(np.diff(quantile, prepend=-1))

    n_quantiles = n_groups
    found = starts(n_quantiles)
    while len(found) < 0.9 * n_groups:
        # A little less than the estimate, and at most the resolution of floats.
        n_quantiles = min(n_quantiles * 0.95 * n_groups / len(found), 2.0**53)
        finer = starts(n_quantiles)
        if not len(found) < len(finer) <= n_groups:
            break
        found = finer
    return found
