"""MonteCarloMessage: regions of draws, a representative of each, and their weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class MonteCarloMessage:
    """Regions of similar draws from a posterior, the shortest message first.

    Attributes
    ----------
    regions : list of n_regions ndarrays of int64
        Indices of the draws in each region, ascending. Each draw is in one region.
    representatives : ndarray of shape (n_regions,), int64
        Index of the representative draw of each region: the member with the smallest
        mean divergence from the members.
    lengths : ndarray of shape (n_regions,), float64
        Message lengths, in nats. Only differences are meaningful: all lengths contain
        the logarithm of one sum over all draws, which is a poor estimate of the
        evidence.
    weights : ndarray of shape (n_regions,), float64
        Weights of the representatives in an average over models: ``exp(-lengths)``,
        normalized. They sum to 1.
    divergences : ndarray of shape (n_regions,), float64
        Mean divergence of the representative from the members, in nats. Each member is
        weighted by 1 / likelihood.
    """

    regions: list
    representatives: np.ndarray
    lengths: np.ndarray
    weights: np.ndarray
    divergences: np.ndarray

    def __repr__(self):
        n_draws = sum(map(len, self.regions))
        return (
            f"<MonteCarloMessage: {n_draws} draws in {len(self.regions)} regions; draw "
            f"{self.representatives[0]} stands for {len(self.regions[0])}, "
            f"weight {self.weights[0]:.2f}>"
        )
