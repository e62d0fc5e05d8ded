"""Learner: Winnow, epoch by epoch, one class against the rest or all jointly."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._progress import Silent
from sklearn_dnfwinnow._winnow._weights._averaging import Average

# W and theta are sums of logarithms in different orders. If they are mathematically
# equal, W >= theta must hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Return whether W reaches theta before any update, for each row of codes."""
    log_first = log_initial_sums(codes, log_beta, max_term_size)
    return log_first >= _but_for_rounding(log_threshold)


@dataclass
class Trained:
    """The result of the training of one class.

    Attributes
    ----------
    updates, version : ndarray and int
        Stored examples in order of arrival, and version of the weights, after training.
    exponents : ndarray of shape (m,), int64
        Sums of net promotion counts over `times` epochs, each at the end of the epoch.
    mistakes : list of int
        Number of updates in each epoch; training stops after an epoch without updates.
    chains, sums : dict of str to int
        Numbers of Markov chains and sums, see `Weights`.
    times : int
    discarded : array-like of shape (2,), float
        Net promotion counts that `max_stored_examples` discarded, see `Weights`.
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict
    times: int = 1
    discarded: Sequence = (0.0, 0.0)


class OneVsRest:
    """Training of one class: only its own samples should reach the threshold.

    Parameters
    ----------
    weights : Weights
        Updated in place.
    rows : Presentations
    k : int
        The class.
    log_threshold : float
        log theta.
    rule : UpdateRule
    guesses : ndarray of shape (n_rows,), bool
        Likely predictions in the first epoch. Later epochs use the predictions of the
        epoch before (the heuristic of Tao & Scott 2004, section 3.3).
    """

    def __init__(self, weights, rows, k, log_threshold, rule, guesses):
        self.all_weights = [weights]
        self._rows = rows
        self._positive = rows.labels == k
        self._log_threshold = _but_for_rounding(log_threshold)
        self._rule = rule
        self._guesses = guesses.copy()

    def present(self, order):
        """Present some samples; return the number of updates, of shape (1,)."""
        wrong = self.all_weights[0].epoch(
            order=order,
            codes=self._rows.codes,
            positive=self._positive,
            units=self._rows.units,
            one=self._rows.one,
            log_threshold=self._log_threshold,
            guesses=self._guesses,
            rule=self._rule,
        )
        return np.array([wrong])


class Joint:
    """Joint training of all classes: the class of a sample should have the largest sum.

    With two classes the net promotion counts are opposite: this is Balanced Winnow
    (Littlestone 1989), over all terms.

    Parameters
    ----------
    all_weights : list of Weights
        Weights of each class, of one kind; updated in place.
    rows : Presentations
    rule : UpdateRule
    """

    def __init__(self, all_weights, rows, rule):
        self.all_weights = all_weights
        self._rows = rows
        self._rule = rule

    def present(self, order):
        """Present some samples; return the number of updates of each class."""
        before = [weights.version for weights in self.all_weights]
        self.all_weights[0].joint_epoch(
            all_weights=self.all_weights,
            order=order,
            rows=self._rows,
            rule=self._rule,
        )
        after = [weights.version for weights in self.all_weights]
        return np.subtract(after, before)


def checkpoints(n_epochs):
    """Return the epochs of comparisons: 2, 4, 8, 12, 16, 24, 32, ... and the last.

    Averages are over the epochs since the previous checkpoint, a quarter to a half of
    all epochs. Their number is a power of two, so that denominators remain small.
    """
    ends = {2, 4, *(s << i for s in (2, 3) for i in range(2, n_epochs.bit_length()))}
    return sorted({n_epochs, *(end for end in ends if end < n_epochs)})


def stages(learner, rows, average=False, progress=None):
    """Train, and yield the result at each checkpoint.

    The result is yielded, not the weights, which remain in their process.

    Parameters
    ----------
    learner : OneVsRest or Joint
    rows : Presentations
    average : bool
        Whether to average exponents over the epochs since the last checkpoint.
    progress : Silent, optional
        Receives a report of each epoch, and can stop training after it.

    Yields
    ------
    trained : list of Trained
        Results of each class. If training stops early, the last results are valid for
        all later checkpoints: nothing would change.
    """
    progress = Silent() if progress is None else progress
    ends = iter(checkpoints(rows.n_epochs))
    end = next(ends)
    averages = [Average() for _ in learner.all_weights]
    mistakes = []
    # Bound of the promotions and demotions of a class, in units: before training, in
    # the epochs so far, and in the next epoch.
    most = max(largest_sum(weights.exponents) for weights in learner.all_weights)
    most += float(rows.units.sum())
    progress.start()
    for epoch, order in enumerate(rows.orders(), 1):
        check_sum(most, rows.one)
        progress.begin(epoch - 1)
        wrong = np.zeros(len(averages), dtype=np.int64)
        for part in progress.parts(order):
            wrong += learner.present(part)
            progress.so_far(wrong.sum())
        mistakes.append(wrong.tolist())
        most += float(wrong.max()) * rows.one
        learned = not wrong.any()
        over = progress.end(wrong.sum()) or learned
        if average:
            for weights, mean in zip(learner.all_weights, averages):
                mean.add(weights, end - epoch + 1 if learned else 1)
        if over or epoch == end:
            if not average:
                for weights, mean in zip(learner.all_weights, averages):
                    mean.add(weights)
            yield [
                Trained(
                    updates=mean.updates,
                    exponents=mean.exponents,
                    version=weights.version,
                    mistakes=list(counts),
                    chains=weights.chains,
                    sums=weights.sums,
                    times=mean.times,
                    discarded=weights.discarded,
                )
                for weights, mean, counts in zip(
                    learner.all_weights, averages, zip(*mistakes)
                )
            ]
            averages = [Average() for _ in averages]
            end = next(ends, None)
        if over:
            break
    progress.finish()
