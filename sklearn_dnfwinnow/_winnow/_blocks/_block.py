"""Block: trainings on the same rows in the same order, epoch by epoch."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._winnow._net_counts import check_sum


@dataclass
class Trained:
    """The result of the training of one class.

    Attributes
    ----------
    examples, version : ndarray and int
        Stored examples in order of arrival, and version of the weights, after training.
    net_counts : ndarray of shape (m,), int64
        Sums of net promotion counts over `times` epochs, each at the end of the epoch.
    mistakes : list of int
        Number of updates in each epoch; training stops after an epoch without updates.
    chains : dict of str to int
        Numbers of Markov chains of the sums: 'run' and 'ladder', those used and those
        of the full ladder, and 'simulated', those run.
    sums : dict of str to int
        Numbers of sums: those computed in 'full', and those 'skipped' because bounds
        determined their side of the threshold.
    times : int
    discarded : array-like of shape (2,), float
        Sum of the absolute net promotion counts that `max_stored_examples` discarded,
        and the part that is lost.
    """

    examples: np.ndarray
    net_counts: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict
    times: int = 1
    discarded: Sequence = (0.0, 0.0)


class Block:
    """Trainings on the same rows in the same order: one, or several in lanes.

    A kind of block has the net promotion counts of all rows in `_net`, the number of
    updates so far in `_n_examples`, and the methods `present`, `_continues` and
    `trained`.

    Parameters
    ----------
    rows : Repetitions
    net : ndarray, int64
        Net promotion counts in each class, which training changes.
    n_examples : ndarray of int64
    largest : float
        Largest sum of the absolute net counts of a class before training.
    average : bool
        Whether the result is the mean over epochs, see `train`. The last mistakes have
        too much influence, and the mean is more stable (as with the averaged perceptron
        of Freund & Schapire 1999). It is stored as a sum of integers.

    Attributes
    ----------
    n_epochs : int
        Number of epochs so far.
    mistakes : list of ndarrays
        Number of updates in each epoch.
    """

    def __init__(self, rows, net, n_examples, largest, average):
        self.n_epochs, self.mistakes = 0, []
        self._rows, self._average = rows, average
        self._orders = rows.orders()
        self._net, self._n_examples = net, n_examples
        # Sum of the counts after each epoch since the last start, and how many.
        self._total, self._times = np.zeros_like(net), 0
        # Bound of the promotions and demotions of a class, in units: before training,
        # in the epochs so far, and in the next epoch.
        self._most = largest + float(rows.units.sum())

    def train(self, n_epochs, progress):
        """Train for some more epochs; the result is of these epochs only.

        Parameters
        ----------
        n_epochs : int
        progress : Silent
            Receives a report of each epoch, and can stop training after it.

        Returns
        -------
        over : bool
            Whether nothing would change in more epochs, or progress stopped training.
        """
        self._restart()
        for left in range(n_epochs, 0, -1):
            check_sum(self._most, self._rows.one)
            before = self._n_examples.copy()
            progress.begin(self.n_epochs)
            for part in progress.parts(next(self._orders)):
                self.present(np.ascontiguousarray(part, dtype=np.int64))
                progress.so_far((self._n_examples - before).sum())
            wrong = self._n_examples - before
            self._most += float(wrong.max()) * self._rows.one
            self.n_epochs += 1
            learned = not self._continues(wrong)
            over = progress.end(wrong.sum()) or learned
            if self._average:
                # The epochs that are left would end as this one did.
                self._add(left if learned else 1)
            elif over or left == 1:
                self._add(1)
            if over:
                return True
        return False

    def _restart(self):
        self._total[:], self._times = 0, 0

    def _add(self, times):
        self._total += times * self._net
        self._times += times


def checkpoints(n_epochs):
    """Return the epochs of comparisons: 2, 4, 8, 12, 16, 24, 32, ... and the last.

    Averages are over the epochs since the previous checkpoint, a quarter to a half of
    all epochs. Their number is a power of two, so that denominators remain small.
    """
    ends = {2, 4, *(s << i for s in (2, 3) for i in range(2, n_epochs.bit_length()))}
    return sorted({n_epochs, *(end for end in ends if end < n_epochs)})


def learn(make, n_epochs, k, progress):
    """Train a block to the end.

    The block is made by the task that trains it, so that the number of tables does not
    exceed the number of classes in training; only the result leaves its process.

    Parameters
    ----------
    make : callable
        Returns a block of class k.
    n_epochs : int
        Maximum number of epochs.
    k : int or None
        None for all classes.
    progress : Silent
        Receives a report of each epoch, and can stop training after it.

    Returns
    -------
    trained : list of Trained
        Result of each class of the block.
    """
    block = make(k=k)
    progress.start()
    for end in checkpoints(n_epochs):
        if block.train(end - block.n_epochs, progress):
            break
    progress.finish()
    return block.trained()
