"""Prediction: linear predictors, probabilities and parameters of terms, given draws.

A new sample satisfies all terms of a group, none, or some. In the last case it receives
a part of the sum of the group. The distribution of the part is that of independent
parameters, given their sum (Li & Neal 2008). The contribution of terms that no training
sample satisfies is a draw from the prior. A single term of a group is a part of it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, softmax

from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._kernels import predictors as kernel
from sklearn_dnfwinnow._terms._interaction_groups import InteractionGroups, Matches
from sklearn_dnfwinnow._utils._random_streams import stream

# Key of the random streams of single terms; those of samples have one key less.
_OF_TERMS = 1
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
        used = np.zeros(self.groups.n_groups, dtype=bool)
        used[matches.groups] = True
        places = np.cumsum(used, dtype=np.int32) - np.int32(1)
        matches = replace(matches, groups=places[matches.groups])
        totals = self.groups.counts[used]
        n_draws, _, n_sets = self.sums.shape
        predictors = np.empty((n_draws, len(rows), n_sets))
        for block in _blocks(n_draws):
            sums = np.ascontiguousarray(self.sums[block, used].transpose(1, 2, 0))
            drawn = self._drawn(
                block=block,
                rows=rows,
                matches=matches,
                totals=totals,
                sums=sums,
                keys=(self.seed, block.start),
            )
            predictors[block] = drawn.transpose(2, 0, 1)
        return predictors

    def parameters(self, terms):
        """Draw the parameters of single terms.

        Terms of one group are drawn in turn, each given what those before it leave of
        the sum of the group. So the draws are joint ones.

        Parameters
        ----------
        terms : ndarray of shape (n_terms, n_columns), int32
            Distinct terms up to the maximum order, as codes; 0 without a literal.

        Returns
        -------
        parameters : ndarray of shape (n_draws, n_terms, n_sets), float64
        """
        n_draws, _, n_sets = self.sums.shape
        owners = np.array([self.groups.group_of(term) for term in terms], dtype=int)
        parameters = np.empty((n_draws, len(terms), n_sets))
        for block in _blocks(n_draws):
            for g in np.unique(owners):
                drawn = self._split(block, g, terms[owners == g])
                parameters[block, owners == g] = drawn.transpose(2, 0, 1)
        return parameters

    def _split(self, block, g, terms):
        """Draw parameters of a group, or of none for -1: (n_terms, n_sets, n_draws)."""
        owner = slice(g, g + 1) if g >= 0 else slice(0)
        # What the terms before leave of the group.
        totals = self.groups.counts[owner].copy()
        sums = self.sums[block, owner].transpose(1, 2, 0).astype(np.float64, order="C")
        parts = np.empty((len(terms), self.sums.shape[-1], sums.shape[-1]))
        orders = np.eye(totals.shape[1])[np.count_nonzero(terms, axis=1)]
        for term, order, part in zip(terms, orders, parts, strict=True):
            match = Matches(
                starts=np.array([0, len(totals)]),
                groups=np.zeros(len(totals), dtype=np.int32),
                counts=order[np.newaxis],
                unmatched=order[np.newaxis] * (g < 0),
            )
            part[:] = self._drawn(
                block=block,
                rows=[term],
                matches=match,
                totals=totals,
                sums=sums,
                keys=(self.seed, block.start, _OF_TERMS),
            )[0]
            totals -= order
            sums -= part
        return parts

    def _drawn(self, block, rows, matches, totals, sums, keys):
        """Draw the linear predictors of rows: (n_rows, n_sets, n_draws).

        Parameters
        ----------
        block : slice
            Of draws.
        rows : iterable of ndarrays of shape (n_columns,), int32
            Codes, for the random streams.
        matches : Matches
            Of the rows, with places in `totals` and `sums` for groups.
        totals : ndarray of shape (n, max_order + 1), float64
            Terms of each of some groups.
        sums : ndarray of shape (n, n_sets, n_draws), float32 or float64
            Sums of these groups.
        keys : iterable of int
            Other keys of the random streams.
        """
        others = totals[matches.groups] - matches.counts
        powers = np.exp(self.prior.power * self.log_sigma[block])
        drawn = np.empty((len(rows), *sums.shape[1:]))
        kernel.linear_predictors(
            starts=matches.starts,
            groups=matches.groups,
            counts=matches.counts,
            others=others,
            in_part=others.any(axis=1),
            unmatched=matches.unmatched,
            sums=sums,
            powers=np.ascontiguousarray(powers.T),
            cauchy=self.prior.family == "cauchy",
            streams=np.array([stream(*keys, row=row) for row in rows], dtype=np.uint64),
            out=drawn,
        )
        return drawn

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


def _blocks(n_draws):
    """Yield slices of the draws that a kernel processes together."""
    for first in range(0, n_draws, _DRAWS_AT_ONCE):
        yield slice(first, first + _DRAWS_AT_ONCE)
