"""Prediction: linear predictors and probabilities of new samples, given draws.

A new sample satisfies all terms of a group, none, or some. In the last case it receives
a part of the sum of the group. The distribution of the part is that of independent
parameters, given their sum (Li & Neal 2008). The contribution of terms that no training
sample satisfies is a draw from the prior.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._kernels import predictors as kernel
from sklearn_dnfwinnow._terms._interaction_groups import InteractionGroups
from sklearn_dnfwinnow._utils._random_streams import stream

# Number of draws that a kernel processes together. Random numbers depend on it.
_DRAWS_AT_ONCE = 256
# Maximum bytes of the probabilities of all draws for a block of rows.
_MEMORY_BUDGET = 64 * 2**20


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predictions by draws from the posterior.

    The random draws for a row are a function of the row and the seed, not of other
    rows.

    Attributes
    ----------
    groups : InteractionGroups
    prior : Prior
    draws : Draws
        Draws of one or several chains, which follow one another here.
    seed : int
        Not negative.
    """

    groups: InteractionGroups
    prior: Prior
    draws: Draws
    seed: int

    @property
    def sums(self):
        """Return the sums of all draws: (n_draws, n_groups, n_sets)."""
        return self.draws.sums.reshape(-1, *self.draws.sums.shape[-2:])

    @property
    def log_sigma(self):
        """Return the log widths of all draws: (n_draws, max_order + 1)."""
        return self.draws.log_sigma.reshape(-1, self.draws.log_sigma.shape[-1])

    def predictors(self, rows):
        """Draw linear predictors.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32

        Returns
        -------
        predictors : ndarray of shape (n_draws, n_rows, n_sets), float64
        """
        matches = self.groups.look_up(rows)
        powers = np.exp(self.prior.power * self.log_sigma)
        used = np.zeros(self.groups.n_groups, dtype=bool)
        used[matches.groups] = True
        places = np.cumsum(used, dtype=np.int32) - np.int32(1)
        n_draws, _, n_sets = self.sums.shape
        predictors = np.empty((n_draws, len(rows), n_sets))
        for first in range(0, n_draws, _DRAWS_AT_ONCE):
            block = slice(first, first + _DRAWS_AT_ONCE)
            sums = self.sums[block, used].transpose(1, 2, 0)
            out = np.empty((len(rows), n_sets, sums.shape[-1]))
            kernel.linear_predictors(
                starts=matches.starts,
                groups=places[matches.groups],
                counts=matches.counts,
                unmatched=matches.unmatched,
                totals=self.groups.counts[used],
                sums=np.ascontiguousarray(sums),
                powers=np.ascontiguousarray(powers[block].T),
                cauchy=self.prior.family == "cauchy",
                streams=np.array(
                    [stream(self.seed, first, row=row) for row in rows], dtype=np.uint64
                ),
                out=out,
            )
            predictors[block] = out.transpose(2, 0, 1)
        return predictors

    def sample_probabilities(self, rows):
        """Draw class probabilities: (n_draws, n_rows, n_classes)."""
        predictors = self.predictors(rows)
        if predictors.shape[-1] == 1:
            return expit(np.concatenate([-predictors, predictors], axis=-1))
        return softmax(predictors, axis=-1)

    def probabilities(self, rows):
        """Return the means of `sample_probabilities`: (n_rows, n_classes)."""
        n_draws, _, n_sets = self.sums.shape
        # Predictors, their exponentials and probabilities are in memory together.
        row_bytes = 3 * 8 * n_draws * max(n_sets, 2)
        n_at_once = max(1, _MEMORY_BUDGET // row_bytes)
        means = np.empty((len(rows), max(n_sets, 2)))
        for first in range(0, len(rows), n_at_once):
            block = slice(first, first + n_at_once)
            means[block] = self.sample_probabilities(rows[block]).mean(axis=0)
        return means
