"""Partial dependence: mean log-odds of rows as a function of some attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._terms._interactions._interaction_model import InteractionModel
from sklearn_dnfwinnow._utils._credible_intervals import interval_of


def centred_dependence(
    model, explained, rows, *, attributes, settings, shares, coverage
):
    """Return the partial dependence on some attributes, minus its mean over the rows.

    Parameters
    ----------
    model : TermModel or InteractionModel
    explained : ExplainedLogOdds
    rows : Background
        Rows of codes, in which the attributes are unspecified.
    attributes : list of int
    settings : ndarray of shape (n_settings, n_attributes), int
        Distinct codes of the attributes.
    shares : ndarray of shape (n_settings,), float64
        Fraction of the rows that have each setting.
    coverage : float
        Fraction of the draws in each interval.

    Returns
    -------
    effects : ndarray of shape (n_settings, n_explained), float64
        Medians of posterior draws, if the model has draws.
    std_errors : ndarray of shape (n_settings, n_explained), float64
        0 where exact, or if the model has draws.
    intervals : ndarray of shape (n_settings, n_explained, 2), float64, or None
        Central intervals of the draws; None if the model has no draws.
    base_values : ndarray of shape (n_explained,), float64
        The mean over the rows.
    """
    parts = rows.weights / rows.weights.sum()
    varied = _varied(rows.codes, attributes, settings)
    # The mean of the rows is subtracted from each partial dependence.
    centring = np.eye(len(shares)) - shares
    if isinstance(model, InteractionModel):
        draws = _drawn_means(model, explained, varied, parts)
        centred = np.einsum("st,nte->nse", centring, draws)
        effects = np.median(centred, axis=0)
        base_values = np.median(np.einsum("t,nte->ne", shares, draws), axis=0)
        intervals = interval_of(centred, coverage)
        return effects, np.zeros_like(effects), intervals, base_values
    means, variances = _means(model, explained, varied, parts)
    std_errors = np.sqrt(centring**2 @ variances)
    return centring @ means, std_errors, None, shares @ means


def _varied(codes, attributes, settings):
    """Yield rows of codes with each of some settings of attributes."""
    for setting in settings:
        varied = codes.copy()
        varied[:, attributes] = setting
        yield varied


def _drawn_means(model, explained, varied, parts):
    """Return draws of weighted means of log-odds: (n_draws, n_settings, n_explained).

    Parameters
    ----------
    varied : iterable of n_settings ndarrays of shape (n_rows, n_columns), int32
    parts : ndarray of shape (n_rows,), float64
        Weights of the rows, which sum to 1.
    """
    means = []
    for scores in model.joint_scores(np.concatenate(list(varied))):
        log_odds = explained.of_scores(np.moveaxis(scores, -1, 0))
        of_settings = log_odds.reshape(*log_odds.shape[:2], -1, len(parts))
        means.append(np.moveaxis(of_settings @ parts, 0, -1))
    return np.concatenate(means)


def _means(model, explained, varied, parts):
    """Return weighted means of log-odds, and their squared standard errors.

    Parameters
    ----------
    varied, parts
        See `_drawn_means`.

    Returns
    -------
    means, variances : ndarrays of shape (n_settings, n_explained), float64
    """
    means, variances = [], []
    for rows in varied:
        log_sums, errors = model.estimate_log_sums(rows)
        scores = (log_sums - model.log_thresholds).T
        means.append(explained.of_scores(scores) @ parts)
        variance = np.zeros(len(explained.weights))
        # Errors of different rows and classes are independent.
        for k in np.flatnonzero(errors.any(axis=1)):
            gradients = explained.weights @ explained.payoff.gradients(scores[:, k])
            variance += ((parts[k] * gradients * errors[k]) ** 2).sum(axis=1)
        variances.append(variance)
    return np.array(means), np.array(variances)
