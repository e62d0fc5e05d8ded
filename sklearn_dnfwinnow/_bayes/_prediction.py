"""Prediction: linear predictors and probabilities, given draws.

A new sample satisfies all terms of a group, none, or some. In the last case it receives
a part of the sum of the group. The distribution of the part is that of independent
parameters, given their sum (Li & Neal 2008). The contribution of terms that no training
sample satisfies is a draw from the prior.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import log_expit, log_softmax
from sklearn.utils import gen_batches

from sklearn_dnfwinnow._bayes._chains import Draws
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._kernels import predictors as kernel
from sklearn_dnfwinnow._terms._interactions import InteractionGroups, Matches
from sklearn_dnfwinnow._utils._computing import stream
from sklearn_dnfwinnow._utils._draws import interval_of

# Keys of the random streams of single terms, and of classes. Those of samples have one
# key less.
_OF_TERMS, _OF_CLASSES = 1, 2
# Maximum number of terms whose parameters are drawn together, times sets of parameters.
_TERMS_AT_ONCE = 1 << 14
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
        for block in gen_batches(n_draws, _DRAWS_AT_ONCE):
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

    def joint_predictors(self, rows):
        """Draw linear predictors of some rows jointly: a term is the same in all rows.

        `predictors` draws the parts of groups that a row satisfies for this row alone.
        Means over rows are of joint draws.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32
            Distinct.

        Yields
        ------
        predictors : ndarray of shape (n, n_rows, n_sets), float64
            For the next n draws.
        """
        n_draws, _, n_sets = self.sums.shape
        terms, satisfied = self.groups.terms_of(rows)
        owners = self.groups.groups_of(terms)
        parts = list(_parts_of_groups(owners, _TERMS_AT_ONCE // n_sets))
        for block in gen_batches(n_draws, _DRAWS_AT_ONCE):
            n = block.stop - block.start
            drawn = np.zeros((len(rows), n_sets * n))
            for part in parts:
                parameters = self._parameters(block, terms[part], owners[part])
                drawn += satisfied[:, part] @ parameters.reshape(len(part), -1)
            yield drawn.reshape(len(rows), n_sets, n).transpose(2, 0, 1)

    def _parameters(self, block, terms, owners):
        """Draw the parameters of terms of whole groups: (n_terms, n_sets, n).

        Parameters
        ----------
        block : slice
            Of draws.
        terms : ndarray of shape (n_terms, n_columns), int32
        owners : ndarray of shape (n_terms,), int
            Group of each term, -1 if there is none.
        """
        used, places = np.unique(owners, return_inverse=True)
        n_unseen = int(np.searchsorted(used, 0))
        used, places = used[n_unseen:], places - n_unseen
        # What the terms before leave of each group.
        totals = self.groups.counts[used]
        sums = self.sums[block][:, used].transpose(1, 2, 0)
        sums = sums.astype(np.float64, order="C")
        orders = np.eye(totals.shape[1])[np.count_nonzero(terms, axis=1)]
        drawn = np.empty((len(terms), self.sums.shape[-1], sums.shape[-1]))
        for turn in _turns(places):
            of_groups = turn[places[turn] >= 0]
            groups = places[of_groups]
            drawn[turn] = self._drawn(
                block=block,
                rows=terms[turn],
                matches=Matches(
                    starts=np.append(0, np.cumsum(places[turn] >= 0)),
                    groups=groups.astype(np.int32),
                    counts=orders[of_groups],
                    unmatched=orders[turn] * (places[turn] < 0)[:, np.newaxis],
                ),
                totals=totals,
                sums=sums,
                keys=(self.seed, block.start, _OF_TERMS),
            )
            totals[groups] -= orders[of_groups]
            sums[groups] -= drawn[of_groups]
        return drawn

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

    def sample_log_probabilities(self, rows):
        """Draw logarithms of class probabilities: (n_draws, n_rows, n_classes)."""
        predictors = self.predictors(rows)
        if predictors.shape[-1] == 1:
            return log_expit(np.concatenate([-predictors, predictors], axis=-1))
        return log_softmax(predictors, axis=-1)

    def sample_probabilities(self, rows):
        """Draw class probabilities: (n_draws, n_rows, n_classes)."""
        drawn = self.sample_log_probabilities(rows)
        return np.exp(drawn, out=drawn)

    def probabilities(self, rows):
        """Return the means of `sample_probabilities`: (n_rows, n_classes)."""
        drawn = self._probabilities_of_parts(rows)
        return np.concatenate([of_part.mean(axis=0) for of_part in drawn])

    def intervals(self, rows, coverage):
        """Return central intervals of `sample_probabilities`: (n_rows, n_classes, 2).

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32
        coverage : float
            Fraction of the draws in each interval.
        """
        drawn = self._probabilities_of_parts(rows)
        return np.concatenate([interval_of(of_part, coverage) for of_part in drawn])

    def sample_classes(self, rows, inverse):
        """Draw the classes of samples, given the draws of their probabilities.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32
            Distinct.
        inverse : ndarray of shape (n_samples,), int
            Row of each sample. The classes of samples with the same row are independent
            draws with the same probabilities.

        Returns
        -------
        classes : ndarray of shape (n_draws, n_samples), int64
        """
        cumulated = np.cumsum(self.sample_probabilities(rows), axis=-1)
        classes = np.empty((len(cumulated), len(inverse)), dtype=np.int64)
        for i, (position, copy) in enumerate(zip(inverse, _copies(inverse))):
            key = stream(self.seed, _OF_CLASSES, copy, row=rows[position])
            points = np.random.default_rng(key).random(len(cumulated))
            # The last sum is 1 up to rounding.
            below = cumulated[:, position, :-1] <= points[:, np.newaxis]
            classes[:, i] = below.sum(axis=1)
        return classes

    def _probabilities_of_parts(self, rows):
        """Yield `sample_probabilities` of parts of some rows, at least of one part."""
        n_draws, _, n_sets = self.sums.shape
        # Predictors, their exponentials and probabilities are in memory together.
        row_bytes = 3 * 8 * n_draws * max(n_sets, 2)
        n_at_once = max(1, _MEMORY_BUDGET // row_bytes)
        for first in range(0, max(len(rows), 1), n_at_once):
            yield self.sample_probabilities(rows[first : first + n_at_once])


def _copies(numbers):
    """Return how many of the numbers before are equal, for each number."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    copies = np.empty(len(numbers), dtype=np.int64)
    copies[order] = np.arange(len(numbers)) - np.searchsorted(ordered, ordered)
    return copies


def _turns(places):
    """Yield indices of terms: the first of each group, the second, and so on.

    All terms of no group, which have a negative position, are in the first turn.
    """
    turns = np.where(places < 0, 0, _copies(places))
    order = np.argsort(turns, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(turns[order])) + 1)


def _parts_of_groups(owners, n_at_once):
    """Yield indices of terms in parts of whole groups, of about a given size."""
    order = np.argsort(owners, kind="stable")
    ordered = owners[order]
    # Terms of no group, which are independent, can be in any part.
    begins = np.flatnonzero(np.append(True, np.diff(ordered) != 0) | (ordered < 0))
    chosen = begins[np.append(True, np.diff(begins // n_at_once) > 0)]
    yield from np.split(order, chosen[1:])
