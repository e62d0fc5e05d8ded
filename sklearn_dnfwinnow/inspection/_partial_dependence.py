"""Partial dependence: mean log-odds of rows as a function of some attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._terms._interactions._interaction_model import InteractionModel
from sklearn_dnfwinnow._utils._credible_intervals import interval_of


class CentredDependence(NamedTuple):
    """Partial dependence minus its mean over the rows.

    Attributes
    ----------
    effects : ndarray of shape (n_settings, n_explained), float64
        Medians of posterior draws, if the model has draws.
    std_errors : ndarray of shape (n_settings, n_explained), float64
        0 where exact, or if the model has draws.
    intervals : ndarray of shape (n_settings, n_explained, 2), float64, or None
        Central intervals of the draws; None if the model has no draws.
    base_values : ndarray of shape (n_explained,), float64
        The mean over the rows.
    """

    effects: np.ndarray
    std_errors: np.ndarray
    intervals: np.ndarray | None
    base_values: np.ndarray


def centred_dependence(
    model, explained, rows, *, attributes, settings, shares, coverage
):
    """Return the centred partial dependence on some attributes.

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
    """
    parts = rows.weights / rows.weights.sum()
    varied = _varied(rows.codes, attributes, settings)
    # The mean of the rows is subtracted from each partial dependence.
    centring = np.eye(len(shares)) - shares
    if isinstance(model, InteractionModel):
        draws = _drawn_means(model, explained, varied, parts)
        centred = np.einsum("st,nte->nse", centring, draws)
        effects = np.median(centred, axis=0)
        return CentredDependence(
            effects=effects,
            std_errors=np.zeros_like(effects),
            intervals=interval_of(centred, coverage),
            base_values=np.median(np.einsum("t,nte->ne", shares, draws), axis=0),
        )
    means, variances = _means(model, explained, varied, parts)
    return CentredDependence(
        effects=centring @ means,
        std_errors=np.sqrt(centring**2 @ variances),
        intervals=None,
        base_values=shares @ means,
    )


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
