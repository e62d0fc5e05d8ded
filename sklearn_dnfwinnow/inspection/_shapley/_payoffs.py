"""Payoffs: the functions of the scores of all classes that games are about."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax


@dataclass(frozen=True)
class Scores:
    """The score of each class.

    Differences of two payoffs, times `scale`, are log-odds of one class against
    another. Shapley values are linear, so theirs are the same differences.
    """

    def of_scores(self, scores):
        """Return the payoffs of scores: both of shape (n_classes, ...)."""
        return scores

    def gradients(self, scores):
        """Return the derivatives of all payoffs by the scores of a row.

        Parameters
        ----------
        scores : ndarray of shape (n_classes,)

        Returns
        -------
        gradients : ndarray of shape (n_classes, n_classes)
            Row k is the gradient of payoff k.
        """
        return np.eye(len(scores))


@dataclass(frozen=True)
class OneAgainstRest:
    """The log-odds of each class against all other classes together.

    Attributes
    ----------
    scale : float
        Factor of scores in the softmax of probabilities.
    """

    scale: float

    def of_scores(self, scores):
        """Return log(p / (1 - p)) of each class, see `Scores.of_scores`."""
        logits = self.scale * scores
        return logits - _log_sums_of_others(logits)

    def gradients(self, scores):
        """Return the derivatives of all payoffs, see `Scores.gradients`."""
        n_classes = len(scores)
        others = np.tile(self.scale * scores, (n_classes, 1))
        np.fill_diagonal(others, -np.inf)
        return self.scale * (np.eye(n_classes) - softmax(others, axis=1))


def _log_sums_of_others(logs):
    """Return the log sum of all other entries along the first axis, for each entry.

    Without subtractions, which would lose digits of small sums.
    """
    sums = np.full_like(logs, -np.inf)
    sums[1:] = np.logaddexp.accumulate(logs[:-1], axis=0)
    after = np.logaddexp.accumulate(logs[:0:-1], axis=0)[::-1]
    sums[:-1] = np.logaddexp(sums[:-1], after)
    return sums
