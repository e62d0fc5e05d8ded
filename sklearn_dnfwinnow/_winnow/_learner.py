"""The learner: Winnow, epoch by epoch, one class against the rest or all together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums
from sklearn_dnfwinnow._winnow._averaging import Average
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._joint import present_jointly
from sklearn_dnfwinnow._winnow._progress import Silent

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Before any update W is the initial weight of the terms that a row satisfies."""
    log_first = log_initial_sums(codes, log_beta, max_term_size)
    return log_first >= _but_for_rounding(log_threshold)


@dataclass
class Trained:
    """What training the weights of one class came to.

    Attributes
    ----------
    updates, version : ndarray and int
        As of the weights, afterwards; updates in order of arrival.
    exponents : ndarray of shape (m,), int64
        Sums over so many `times`: exponents at the end of some epochs.
    mistakes : list of int
        Updates of each epoch; training stops after one without any.
    chains, sums : dict of str to int
        Markov chains and sums, see `ImplicitWeights`.
    times : int
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict
    times: int = 1


class OneAgainstRest:
    """The Winnow of one class: its rows are to reach a threshold, and no others.

    Parameters
    ----------
    weights : ImplicitWeights or TermTable
        Promoted and demoted here.
    rows : Presentations
    k : int
        The class.
    log_threshold : float
        log theta.
    margin : float
        By which log W is to exceed it, or to fall short of it.
    guesses : ndarray of shape (n_rows,), bool
        Likely predictions, from which those of the epoch before take over (the
        heuristic of Tao & Scott 2004, section 3.3).
    """

    def __init__(self, weights, rows, k, log_threshold, margin, guesses):
        self.all_weights = [weights]
        self._rows = rows
        self._positive = rows.labels == k
        self._log_threshold = _but_for_rounding(log_threshold)
        self._margin = margin
        self._guesses = guesses.copy()

    def present(self, order):
        """Present some rows; the number of updates, of shape (1,)."""
        (weights,) = self.all_weights
        rows = self._rows
        wrong = weights.epoch(
            *(order, rows.codes, self._positive, rows.units, rows.one),
            *(self._log_threshold, self._guesses, self._margin),
        )
        return np.array([wrong])


class AllTogether:
    """The Winnows of all classes: that of a row's class is to lead by a margin.

    Of two classes the exponents are opposite: this is Balanced Winnow (Littlestone
    1989), over all terms.

    Parameters
    ----------
    all_weights : list of ImplicitWeights or TermTable
        Of each class; promoted and demoted here.
    rows : Presentations
    margin : float
        By which log W of a row's class is to be larger than those of all others.
    """

    def __init__(self, all_weights, rows, margin):
        self.all_weights = all_weights
        self._rows = rows
        self._margin = margin

    def present(self, order):
        """Present some rows; the number of updates of each class."""
        before = [weights.version for weights in self.all_weights]
        present_jointly(self.all_weights, order, self._rows, self._margin)
        after = [weights.version for weights in self.all_weights]
        return np.subtract(after, before)


def checkpoints(n_epochs):
    """Epochs after which a course is looked at: 1, 2, 3, 4, 6, 8, 12, ... and the last.

    Averages are over the epochs since the checkpoint before, a quarter to a third of
    all of them; a power of two, so that exponents stay short.
    """
    ends = {s << i for s in (2, 3) for i in range(n_epochs.bit_length())}
    return sorted({1, n_epochs, *(end for end in ends if end < n_epochs)})


def course(winnows, rows, average=False, progress=None):
    """Train, and see what it came to at each checkpoint.

    What is learned comes back: in another process the weights would stay there.

    Parameters
    ----------
    winnows : OneAgainstRest or AllTogether
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
    averages = [Average() for _ in winnows.all_weights]
    mistakes = []
    # Bound of the promotions and demotions of a class, in units: those before, those
    # of the epochs so far, and those that the next epoch may make.
    most = max(largest_sum(weights.exponents) for weights in winnows.all_weights)
    most += float(rows.units.sum())
    progress.start()
    for epoch, order in enumerate(rows.orders(), 1):
        check_sum(most, rows.one)
        progress.begin(epoch - 1)
        wrong = np.zeros(len(averages), dtype=np.int64)
        for part in progress.parts(order):
            wrong += winnows.present(part)
            progress.so_far(wrong.sum())
        mistakes.append(wrong.tolist())
        most += float(wrong.max()) * rows.one
        learned = not wrong.any()
        over = progress.end(wrong.sum()) or learned
        if average:
            for weights, mean in zip(winnows.all_weights, averages):
                mean.add(weights, end - epoch + 1 if learned else 1)
        if over or epoch == end:
            if not average:
                for weights, mean in zip(winnows.all_weights, averages):
                    mean.add(weights)
            yield [
                Trained(
                    *(mean.updates, mean.exponents, weights.version, list(counts)),
                    *(weights.chains, weights.sums, mean.times),
                )
                for weights, mean, counts in zip(
                    winnows.all_weights, averages, zip(*mistakes)
                )
            ]
            averages = [Average() for _ in averages]
            end = next(ends, None)
        if over:
            break
    progress.finish()


def learn(winnows, rows, average=False, progress=None):
    """What a course comes to at its end; parameters as of `course`."""
    *_, trained = course(winnows, rows, average, progress)
    return trained
