"""Validation: how many epochs, and how sure to be, by rows held out in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._parallel import halting
from sklearn_dnfwinnow._winnow._learner import checkpoints
from sklearn_dnfwinnow._winnow._progress import Silent

# A fold ends where so many checkpoints after its best, eight times the epochs, were no
# better.
_PATIENCE = 6
# Scores are scaled by e^-8 to e^8.
_MOST_LOG_SCALE = 8.0


@dataclass(frozen=True, eq=False)
class Validation:
    """What came of holding out rows in turn.

    Attributes
    ----------
    epochs : ndarray of shape (n_checkpoints,), int
        Numbers of epochs that were looked at.
    log_losses : ndarray of shape (n_checkpoints,), float64
        Log loss of the rows while they were held out, at its best scale.
    scale : float
        By which scores make probabilities, where the log loss is least.
    """

    epochs: np.ndarray
    log_losses: np.ndarray
    scale: float

    @property
    def best(self):
        """The number of epochs of the least log loss, the smallest in a tie."""
        return int(self.epochs[self.log_losses.argmin()])


def folds(rows, n_folds, seed):
    """The fold in which each presentation is held out: (n,), int.

    Each has as many of a class, but for one. Equal rows go wherever chance takes them:
    to spread them evenly would tell each fold of the classes in the others. A function
    of what is presented how often, as the rest of training.
    """
    turns = np.empty(len(rows.labels), dtype=np.intp)
    chance = np.random.RandomState(seed).permutation(len(turns))
    turns[np.lexsort([chance, rows.labels])] = np.arange(len(turns)) % n_folds
    return turns


def validate(winnows, rows, index, n_classes, log_threshold, n_folds, n_jobs=None):
    """Train without each fold in turn, and score it at each checkpoint.

    Parameters
    ----------
    winnows : Winnows
    rows : Presentations
    index : TermIndex or None
        Of these rows.
    n_classes : int
    log_threshold : float
    n_folds : int
    n_jobs : int or None

    Returns
    -------
    validation : Validation
    """
    turns = folds(rows, n_folds, winnows.seed)
    score_fold = partial(
        *(_fold_scores, winnows, rows, index, n_classes, log_threshold, turns)
    )
    all_progress = [Silent() for _ in range(n_folds)]
    tasks = zip(range(n_folds), all_progress)
    # Rows of a fold by checkpoints, which some folds have more of.
    all_scores = halting(score_fold, tasks, all_progress, n_jobs)
    epochs = np.array(checkpoints(rows.n_epochs))
    n_seen = min(len(scores) for scores in all_scores)
    losses = np.empty(n_seen)
    scales = np.empty(n_seen)
    for stage in range(n_seen):
        scores = np.empty((len(turns), n_classes))
        for fold, of_fold in enumerate(all_scores):
            scores[turns == fold] = of_fold[stage]
        scales[stage], losses[stage] = fit_scale(scores, rows.labels, rows.units)
    return Validation(epochs[:n_seen], losses, float(scales[losses.argmin()]))


def _fold_scores(winnows, rows, index, n_classes, log_threshold, turns, fold, progress):
    """Scores of the rows of a fold at each checkpoint, as long as it was patient."""
    held_out = turns == fold
    distinct, _, inverse = distinct_rows(rows.codes[held_out])
    labels, units = rows.labels[held_out], rows.units[held_out]
    all_scores, losses = [], []
    n_checkpoints = len(checkpoints(rows.n_epochs))
    for log_sums in winnows.stages(
        replace(rows, held_out=held_out), index, n_classes, log_threshold, progress
    ):
        all_scores.append(log_sums(distinct)[inverse])
        losses.append(fit_scale(all_scores[-1], labels, units)[1])
        if len(losses) > np.argmin(losses) + _PATIENCE:
            return all_scores
    # Nothing would change any more.
    return all_scores + [all_scores[-1]] * (n_checkpoints - len(all_scores))


def fit_scale(scores, labels, units):
    """By which factor the softmax of scores makes the best probabilities.

    Parameters
    ----------
    scores : ndarray of shape (n, n_classes)
    labels : ndarray of shape (n,), int
    units : ndarray of shape (n,)
        Weights.

    Returns
    -------
    scale, log_loss : float
        The loss is to labels that are a little uncertain, by one row among all (as in
        Platt 1999): scores without an error have a finite scale, too.
    """
    n = len(scores)
    weights = units / units.sum()
    doubt = 1.0 / (n + 2.0)
    lead = scores - scores.max(axis=1, keepdims=True)
    expected = (1.0 - doubt) * lead[np.arange(n), labels] + doubt * lead.mean(axis=1)

    def loss(log_scale):
        scale = np.exp(log_scale)
        log_total = np.log(np.exp(scale * lead).sum(axis=1))
        return weights @ (log_total - scale * expected)

    found = minimize_scalar(
        loss, bounds=(-_MOST_LOG_SCALE, _MOST_LOG_SCALE), method="bounded"
    )
    return float(np.exp(found.x)), float(found.fun)
