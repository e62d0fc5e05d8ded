"""Draws: the draws from the posterior that Markov chains keep."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one or several chains.

    Attributes
    ----------
    sums : ndarray of shape (..., n_draws, n_groups, n_sets), float32
        Sums of the parameters of each group.
    log_sigma : ndarray of shape (..., n_draws, max_order + 1), float64
        Natural logarithms of the widths of each order.
    log_likelihood : ndarray of shape (..., n_draws), float64
        Weighted log likelihood of all training samples.
    """

    sums: np.ndarray
    log_sigma: np.ndarray
    log_likelihood: np.ndarray

    @property
    def by_name(self):
        """Return all draws as a dict."""
        return dict(vars(self))

    @classmethod
    def stack(cls, chains):
        """Return the draws of several chains, with chains along the first axis."""
        return cls(*map(np.stack, zip(*(vars(chain).values() for chain in chains))))
