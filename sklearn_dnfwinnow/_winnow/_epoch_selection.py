"""Epoch selection: how many epochs, and how sure to be, by rows held out in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest

import numpy as np
from scipy.optimize import minimize_scalar

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._winnow._learner import checkpoints
from sklearn_dnfwinnow._winnow._progress import Silent
from sklearn_dnfwinnow._winnow._weights._class_state import ClassState, union
from sklearn_dnfwinnow._winnow._weights._term_table import TermTable

# A fold ends where so many checkpoints after its best, eight times the epochs, were no
# better.
_PATIENCE = 6
# Scores are scaled by e^-8 to e^8.
_MOST_LOG_SCALE = 8.0


def folds(rows, n_folds, seed):
    """Return the fold in which each presentation is held out: (n,), int.

    Each has as many of a class, but for one. Equal rows go wherever chance takes them:
    to spread them evenly would tell each fold of the classes in the others. A function
    of what is presented how often, as the rest of training.
    """
    turns = np.empty(len(rows.labels), dtype=np.intp)
    chance = np.random.RandomState(seed).permutation(len(turns))
    turns[np.lexsort([chance, rows.labels])] = np.arange(len(turns)) % n_folds
    return turns


def select_epochs(model, trainer):
    """Set the number of epochs, and the scale of probabilities, as the settings say.

    With `n_folds` the rows of each fold are held out in turn, and scored at each
    checkpoint of training; the number of epochs is the one of the least log loss, the
    smallest in a tie.

    Parameters
    ----------
    model : Model
    trainer : Trainer
        Of this model, for training from scratch.

    Returns
    -------
    model : Model
        With the scale and the log losses that were found.
    trainer : Trainer
    """
    rows, n_classes = trainer.rows, model.n_classes
    n_epochs, n_folds = model.settings.epochs_and_folds(
        len(rows.codes), n_classes, trainer.index
    )
    rows = replace(rows, n_epochs=n_epochs)
    trainer = replace(trainer, rows=rows)
    if n_folds is None:
        return model, trainer
    turns = folds(rows, n_folds, model.seed)
    all_progress = [Silent() for _ in range(n_folds)]
    all_scores = run_tasks(
        partial(_score_fold, trainer, n_classes=n_classes, turns=turns),
        zip(range(n_folds), all_progress),
        n_jobs=model.settings.n_jobs,
        all_progress=all_progress,
    )
    # Some folds have scores of more checkpoints than others.
    n_seen = min(len(scores) for scores in all_scores)
    losses = np.empty(n_seen)
    scales = np.empty(n_seen)
    for stage in range(n_seen):
        scores = np.empty((len(turns), n_classes))
        for fold, of_fold in enumerate(all_scores):
            scores[turns == fold] = of_fold[stage]
        scales[stage], losses[stage] = fit_scale(scores, rows.labels, rows.units)
    best = losses.argmin()
    ends = np.array(checkpoints(n_epochs))[:n_seen]
    validation = {"n_epochs": ends, "log_loss": losses}
    model = replace(model, scale=float(scales[best]), validation=validation)
    return model, replace(trainer, rows=replace(rows, n_epochs=int(ends[best])))


def _score_fold(trainer, fold, progress, n_classes, turns):
    """Train without a fold, and score it at each checkpoint until it gets no better.

    Returns
    -------
    all_scores : list of ndarrays of shape (n_held_out, n_classes)
        log W of the rows of the fold, one array a checkpoint.
    """
    rows, held_out = trainer.rows, turns == fold
    distinct, _, inverse = distinct_rows(rows.codes[held_out])
    labels, units = rows.labels[held_out], rows.units[held_out]
    trainer = replace(trainer, rows=replace(rows, held_out=held_out))
    states = [ClassState.empty(rows.codes.shape[1])] * n_classes
    courses = [trainer.stages(states, k, progress) for k in trainer.groups(n_classes)]
    latest = [None] * len(courses)
    all_scores, losses = [], []
    for found in zip_longest(*courses):
        # A class that has learned all rows stays as it is.
        latest = [new or old for new, old in zip(found, latest)]
        scores = _log_sums(trainer, list(chain(*latest)), distinct)[inverse]
        all_scores.append(scores)
        losses.append(fit_scale(scores, labels, units)[1])
        if len(losses) > np.argmin(losses) + _PATIENCE:
            return all_scores
    # Nothing would change any more.
    n_left = len(checkpoints(rows.n_epochs)) - len(all_scores)
    return all_scores + [all_scores[-1]] * n_left


def _log_sums(trainer, all_trained, rows):
    """Return log W of some of the rows in all classes: (n_rows, n_classes)."""
    updates, exponents, _, times = union(all_trained)
    index, log_alpha = trainer.index, trainer.summation.log_alpha / times
    if index is None:
        summation = replace(trainer.summation, log_alpha=log_alpha)
        evaluation = summation.evaluation(updates, exponents, rows)
        return summation.in_parallel(evaluation.log_sums, rows)
    places, updates = index.find(rows), index.find(updates)
    tables = (TermTable(index, log_alpha, e, places=updates) for e in exponents)
    return np.column_stack([table.log_sums(places) for table in tables])


def fit_scale(scores, labels, units):
    """Return the factor by which the softmax of scores makes the best probabilities.

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
