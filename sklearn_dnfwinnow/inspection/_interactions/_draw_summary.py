"""Draws of effects, in parts, and their summaries: means, medians, intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import expit, softmax

from sklearn_dnfwinnow._utils._credible_intervals import interval_of

# Maximum number of values that are processed at once.
_AT_ONCE = 1 << 22


def parts_of(model, n_groups):
    """Yield slices of groups, such that the draws of each slice fit into memory."""
    step = max(1, _AT_ONCE // (model.n_draws * model.n_classes))
    for start in range(0, n_groups, step):
        yield slice(start, start + step)


def summary(draws, coverage):
    """Return statistics of the draws of some values.

    Parameters
    ----------
    draws : ndarray of shape (n_draws, n_values), float64
    coverage : float
        Fraction of the draws between 'low' and 'high'; the other draws are divided
        equally between both sides.

    Returns
    -------
    summary : dict of lists of float
        'mean', 'median', 'low', 'high', 'p_positive'.
    """
    ends = interval_of(draws, coverage)
    statistics = {
        "mean": draws.mean(axis=0),
        "median": np.median(draws, axis=0),
        "low": ends[..., 0],
        "high": ends[..., 1],
        "p_positive": (draws > 0).mean(axis=0),
    }
    return {name: values.tolist() for name, values in statistics.items()}


def by_parts(model, n_groups, reduce):
    """Return results of a function of slices of groups, one after the other."""
    return np.concatenate([reduce(part) for part in parts_of(model, n_groups)])


def probabilities_of(scores):
    """Return the probabilities of classes from the scores of an InteractionModel.

    Parameters
    ----------
    scores : ndarray of shape (..., n_classes), float64
        With two classes, each score is a log-odds.
    """
    return expit(scores) if scores.shape[-1] == 2 else softmax(scores, axis=-1)


def log_odds_of(scores, first, against):
    """Return the log-odds of one class against another, from scores or parts of them.

    Parameters
    ----------
    scores : ndarray of shape (..., n_classes), float64
        In the form of an InteractionModel.
    first, against : int
        Indices of the classes.
    """
    if scores.shape[-1] == 2:
        return scores[..., first]
    return scores[..., first] - scores[..., against]
