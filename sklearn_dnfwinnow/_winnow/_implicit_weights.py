"""Weights: the state of one Winnow, the weights of all its terms.

The learner has them go through an `epoch`, which comes down to four calls: `log_sum`,
`exceeds`, `promote` and `demote`. Here they are implicit: a list of updates, and an
engine that sums over what they imply.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import lcm

import numpy as np

from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._update_budget import NO_LIMIT, kept
from sklearn_dnfwinnow.sums._log_weighted_sum import exceeds, log_sum


class ImplicitWeights:
    """Term weights as updates with exponents, summed by an engine.

    Parameters
    ----------
    engine : Engine
        What sums.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the term prior.
    keys : tuple of int
        What the random streams depend on, besides the row and the updates so far.
    updates : ndarray of shape (m, n_attributes), int32
        Codes of updates to start from, distinct.
    exponents : ndarray of shape (m,), int64
        Their exponents.
    version : int
        Number of updates made so far.
    max_updates : int
        Most updates to keep, see :mod:`sklearn_dnfwinnow._winnow._update_budget`.

    Attributes
    ----------
    chains : dict of str to int
        Markov chains of the calls of `exceeds`: 'run', 'ladder' and 'simulated', those
        taken, those of the full ladder, and those run.
    sums : dict of str to int
        Sums that training asked for: those computed in 'full', brought up to date by
        'increments', and 'skipped' as their side of the threshold was known.
    """

    def __init__(
        self,
        engine,
        log_alpha,
        log_beta,
        keys,
        updates,
        exponents,
        version=0,
        max_updates=NO_LIMIT,
    ):
        self._engine = engine
        self._log_alpha = log_alpha
        self._log_beta = log_beta
        self._keys = keys
        self._updates = np.ascontiguousarray(updates)
        # Updated in place, and what comes from another process can be read-only.
        self._exponents = np.array(exponents)
        self._size = len(exponents)
        self._places = None
        # Exact sums of rows, and how much had been promoted and demoted by then.
        self._known_sums, self._promoted, self._demoted = {}, 0, 0
        self._max_updates = max_updates
        self.version = version
        self.chains = {"run": 0, "ladder": 0, "simulated": 0}
        self.sums = {"full": 0, "increments": 0, "skipped": 0}

    @property
    def updates(self):
        """Codes of the updates, distinct: (m, n_attributes), int32."""
        return self._updates[: self._size]

    @property
    def exponents(self):
        """Exponents of the updates: (m,), int64."""
        return self._exponents[: self._size]

    def log_sum(self, row):
        """The weighted sum of a row of codes."""
        return log_sum(self._engine, *self._question(row))

    def log_bounds(self, row):
        """Bounds of the logarithm of a row's sum, from when it was last summed.

        Each promotion since then multiplied it by alpha at most, and each demotion
        divided it by so much. Estimates bound nothing.
        """
        value, promoted, demoted = self._known_sums.get(row.tobytes(), (None, 0, 0))
        if value is None:
            return -np.inf, np.inf
        return (
            value - (self._demoted - demoted) * self._log_alpha,
            value + (self._promoted - promoted) * self._log_alpha,
        )

    def summed(self, row):
        """The logarithm of a row's sum, for training: counted, and remembered."""
        weighted_sum = self.log_sum(row)
        self._count(weighted_sum)
        if weighted_sum.exact:
            self._known_sums[row.tobytes()] = (
                *(weighted_sum.log_value, self._promoted, self._demoted),
            )
        return weighted_sum.log_value

    def exceeds(self, row, log_threshold, guess=True):
        """Whether the weighted sum of a row reaches a threshold.

        A right guess can save chains (Tao & Scott 2004, Table I); the answer does not
        depend on it but through the estimates.
        """
        above, weighted_sum = self._compare(row, log_threshold, guess)
        self._count(weighted_sum)
        return above

    def promote(self, row, amount=1):
        """Multiply the weights of all terms that the row satisfies."""
        self._update(row, amount)

    def demote(self, row, amount=1):
        """Divide the weights of all terms that the row satisfies."""
        self._update(row, -amount)

    def epoch(
        self, order, codes, positive, units, one, log_threshold, guesses, margin=0.0
    ):
        """Present rows one after another, and update where the prediction is wrong.

        Parameters
        ----------
        order : ndarray of int
            The presentations to go through.
        codes, units, one : ndarrays and int
            As :class:`sklearn_dnfwinnow._winnow._presentations.Presentations` has them.
        positive : ndarray of shape (n_rows,), bool
            Which rows are of the class.
        log_threshold : float
        guesses : ndarray of shape (n_rows,), bool
            Updated to the answers: whether a row is beyond what it aims at.
        margin : float
            By which a row of the class is to exceed the threshold, and another to fall
            short of it.

        Returns
        -------
        wrong : int
            Number of updates; without a margin, mistakes.
        """
        wrong = 0
        if self._size > self._max_updates:
            # The bound is a new one.
            self._forget()
        for i in order:
            remaining = int(units[i])
            aim = log_threshold + (margin if positive[i] else -margin)
            while remaining > 0:
                guesses[i] = self.exceeds(codes[i], aim, bool(guesses[i]))
                if guesses[i] == positive[i]:
                    # Nothing changes, so the presentations to come would end the same.
                    break
                amount = min(one, remaining)
                if positive[i]:
                    self.promote(codes[i], amount)
                else:
                    self.demote(codes[i], amount)
                wrong += 1
                remaining -= amount
        return wrong

    def _count(self, weighted_sum):
        self.sums["full"] += 1
        self.chains["run"] += weighted_sum.n_chains
        self.chains["ladder"] += weighted_sum.n_ladder
        self.chains["simulated"] += weighted_sum.n_simulated

    def _compare(self, row, log_threshold, guess):
        """The answer of `exceeds`, and the sum that says so."""
        return exceeds(self._engine, *self._question(row), log_threshold, guess)

    def _question(self, row):
        problem = AgreementProblem.of_row(
            *(self.updates, self.exponents, row),
            compress=self._engine.max_term_size is None,
        )
        random = stream(*self._keys, self.version, row=row)
        return problem, self._log_alpha, self._log_beta, random

    def _update(self, row, amount):
        if self._places is None:
            self._places = {u.tobytes(): i for i, u in enumerate(self.updates)}
        place = self._places.setdefault(row.tobytes(), self._size)
        if place == self._size:
            if self._size == len(self._exponents):
                # Doubling: the cost of growing stays in proportion to the updates.
                self._grow(2 * self._size + 16)
            self._updates[place] = row
            self._exponents[place] = 0
            self._size += 1
        self._exponents[place] += amount
        self._promoted += max(amount, 0)
        self._demoted += max(-amount, 0)
        self.version += 1
        if self._size > self._max_updates:
            self._forget()

    def _forget(self):
        stay = kept(self.exponents, self._max_updates)
        # Copies: the updates to start from are not ours.
        self._updates, self._exponents = self._updates[stay], self._exponents[stay]
        self._size, self._places = len(stay), None
        self._known_sums = {}

    def _grow(self, room):
        """Have room for so many updates."""
        n = self._size
        updates, exponents = self.updates, self.exponents
        self._updates = np.zeros((room, updates.shape[1]), dtype=np.int32)
        self._exponents = np.zeros(room, dtype=np.int64)
        self._updates[:n], self._exponents[:n] = updates, exponents


def union(all_trained):
    """The updates of several classes as one model.

    Parameters
    ----------
    all_trained : list of Trained

    Returns
    -------
    updates : ndarray of shape (m, n_attributes), int32
        Distinct codes, in order of arrival.
    exponents : ndarray of shape (n_classes, m), int64
        Those of each class, 0 for updates that are not its own.
    owned : list of ndarrays of int
        Positions of each class's own updates, oldest first.
    times : int
        How many times too large all exponents are.
    """
    distinct, places = distinct_in_order(
        np.concatenate([trained.updates for trained in all_trained])
    )
    ends = np.cumsum([len(trained.exponents) for trained in all_trained])
    owned = np.split(places, ends[:-1])
    times = lcm(*(trained.times for trained in all_trained))
    exponents = np.zeros((len(all_trained), len(distinct)), dtype=np.int64)
    for row, places, trained in zip(exponents, owned, all_trained):
        more = times // trained.times
        check_sum(largest_sum(trained.exponents) * more, times)
        row[places] = trained.exponents * more
    # As small as they can be.
    common = int(np.gcd.reduce(exponents, axis=None, initial=times))
    return distinct, exponents // common, owned, times // common
