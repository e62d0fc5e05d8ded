"""Learner: Winnow, epoch by epoch, one class against the rest or all together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._progress import Silent
from sklearn_dnfwinnow._winnow._weights._averaging import Average

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Return whether W reaches theta before any update, of each row of codes."""
    log_first = log_initial_sums(codes, log_beta, max_term_size)
    return log_first >= _but_for_rounding(log_threshold)


@dataclass
class Trained:
    """What one class has learned.

    Attributes
    ----------
    updates, version : ndarray and int
        As of the weights, afterwards; updates in order of arrival.
    exponents : ndarray of shape (m,), int64
        Sums over so many `times`: exponents at the end of some epochs.
    mistakes : list of int
        Updates of each epoch; training stops after one without any.
    chains, sums : dict of str to int
        Markov chains and sums, see `Weights`.
    times : int
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict
    times: int = 1


class OneVsRest:
    """Trains one class: its rows are to reach a threshold, and no others.

    Parameters
    ----------
    weights : Weights
        Promoted and demoted here.
    rows : Presentations
    k : int
        The class.
    log_threshold : float
        log theta.
    rule : UpdateRule
    guesses : ndarray of shape (n_rows,), bool
        Likely predictions, from which those of the epoch before take over (the
        heuristic of Tao & Scott 2004, section 3.3).
    """

    def __init__(self, weights, rows, k, log_threshold, rule, guesses):
        self.all_weights = [weights]
        self._rows = rows
        self._positive = rows.labels == k
        self._log_threshold = _but_for_rounding(log_threshold)
        self._rule = rule
        self._guesses = guesses.copy()

    def present(self, order):
        """Present some rows; return the number of updates, of shape (1,)."""
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
    """Trains all classes together: that of a row is to lead the others.

    Of two classes the exponents are opposite: this is Balanced Winnow (Littlestone
    1989), over all terms.

    Parameters
    ----------
    all_weights : list of Weights
        Of each class, of one kind; promoted and demoted here.
    rows : Presentations
    rule : UpdateRule
    """

    def __init__(self, all_weights, rows, rule):
        self.all_weights = all_weights
        self._rows = rows
        self._rule = rule

    def present(self, order):
        """Present some rows; return the number of updates of each class."""
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
    """Return the epochs to look at: 2, 4, 8, 12, 16, 24, 32, ... and the last.

    Averages are over the epochs since the checkpoint before, a quarter to a half of all
    of them; a power of two, so that exponents stay short.
    """
    ends = {2, 4, *(s << i for s in (2, 3) for i in range(2, n_epochs.bit_length()))}
    return sorted({n_epochs, *(end for end in ends if end < n_epochs)})


def stages(learner, rows, average=False, progress=None):
    """Train, and yield what was learned at each checkpoint.

    It yields what was learned, not the weights: these stay in their process.

    Parameters
    ----------
    learner : OneVsRest or Joint
    rows : Presentations
    average : bool
        Whether to average exponents over the epochs since the last checkpoint.
    progress : Silent, optional
        Is told of each epoch, and may stop after it.

    Yields
    ------
    trained : list of Trained
        Of each class. The last ones stand for all checkpoints to come, if there are
        any: nothing would change.
    """
    progress = Silent() if progress is None else progress
    ends = iter(checkpoints(rows.n_epochs))
    end = next(ends)
    averages = [Average() for _ in learner.all_weights]
    mistakes = []
    # Bound of the promotions and demotions of a class, in units: those before, those
    # of the epochs so far, and those that the next epoch may make.
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
