"""Calibration: the scale and the intercepts of scores in probabilities."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import logsumexp

# Scores are scaled by e^-8 to e^8.
_MOST_LOG_SCALE = 8.0
# Maximum number of steps of Newton's method, or of bisections if these leave the
# interval; and a negligible change of the logarithm, as losses are flat near minima.
_STEPS, _NEAR = 40, 3e-3
# A negligible decrease of the loss by intercepts, in nats, which the last step makes.
_NEGLIGIBLE = 1e-9


def fit_scales(scores, labels, units, known=np.nan):
    """Return the factors of scores with the lowest log loss of their softmax.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n, n_classes)
        Finite.
    labels : ndarray of shape (n,), int
    units : ndarray of shape (n,)
        Weights.
    known : float or array-like of shape (n_candidates,), default=nan
        Fixed scales; NaN for scales to fit.

    Returns
    -------
    scales, log_losses : ndarrays of shape (n_candidates,)
        The losses are for labels with a small uncertainty, of one sample among all (as
        in Platt 1999), so that scores without an error also have a finite scale.
    """
    n = len(labels)
    weights = units / units.sum()
    doubt = 1.0 / (n + 2.0)
    # Classes first, so that sums over classes are sums of long rows.
    lead = np.ascontiguousarray(np.moveaxis(scores, 2, 0), dtype=np.float64)
    lead -= lead.max(axis=0)
    own = lead[labels, :, np.arange(n)].T
    expected = ((1.0 - doubt) * own + doubt * lead.mean(axis=0)) @ weights

    log_scales = np.log(np.broadcast_to(known, len(scores)))
    is_open = np.isnan(log_scales)
    log_low = np.where(is_open, -_MOST_LOG_SCALE, log_scales)
    log_high = np.where(is_open, _MOST_LOG_SCALE, log_scales)
    log_scales = np.where(is_open, 0.0, log_scales)
    for _ in range(_STEPS if is_open.any() else 0):
        scales = np.exp(log_scales)
        total, slope, bend = _moments(lead, scales, weights)
        slope -= expected
        # The loss is convex in the scale: it decreases towards its minimum.
        falls = slope < 0
        log_low = np.where(falls, log_scales, log_low)
        log_high = np.where(falls, log_high, log_scales)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = np.log(scales - slope / bend)
        inside = (newton > log_low) & (newton < log_high)
        found = np.where(inside, newton, (log_low + log_high) / 2)
        found = np.where(is_open, found, log_scales)
        moved = np.abs(found - log_scales).max()
        log_scales = found
        if moved < _NEAR:
            break
    scales = np.where(is_open, np.exp(log_scales), known)
    total, _, _ = _moments(lead, scales, weights)
    return scales, total - scales * expected


def _moments(lead, scales, weights):
    """Return mean log totals of exp(scale * lead), and their first two derivatives."""
    odds = np.exp(scales[:, None] * lead)
    totals = odds.sum(axis=0)
    odds *= lead
    mean = odds.sum(axis=0) / totals
    odds *= lead
    square = odds.sum(axis=0) / totals
    return np.log(totals) @ weights, mean @ weights, (square - mean**2) @ weights


def fit_intercepts(logits, labels, units):
    """Return the terms of logits that minimize the log loss of their softmax.

    Half the sum of their squares is added to the loss of n samples. This is the penalty
    of a normal prior with standard deviation 1, or, near 0, of one more sample of each
    class with equal logits. So intercepts of classes with few samples stay near 0. n
    times the mean probability of a class is the number of its samples, minus its
    intercept.

    Parameters
    ----------
    logits : ndarray of shape (n, n_classes)
        Finite.
    labels : ndarray of shape (n,), int
    units : ndarray of shape (n,)
        Weights.

    Returns
    -------
    intercepts : ndarray of shape (n_classes,), float64
        Their sum is 0.
    """
    n, n_classes = logits.shape
    weights = units / units.sum()
    shares = np.bincount(labels, weights, minlength=n_classes)
    ridge = 1.0 / n
    found, step = np.zeros((2, n_classes))
    least, decrease = np.inf, 0.0
    for _ in range(_STEPS):
        trial = found + step
        totals = logsumexp(logits + trial, axis=1)
        loss = totals @ weights - trial @ shares + 0.5 * ridge * trial @ trial
        if loss > least - 0.1 * decrease:
            step, decrease = 0.5 * step, 0.5 * decrease
            continue
        found, least = trial, loss
        # Newton's method; the loss is convex.
        chances = np.exp(logits + trial - totals[:, None])
        weighted = weights[:, None] * chances
        means = weighted.sum(axis=0)
        slope = means - shares + ridge * trial
        bend = np.diag(means + ridge) - weighted.T @ chances
        step = -np.linalg.solve(bend, slope)
        decrease = -(slope @ step)
        if decrease < _NEGLIGIBLE:
            return found + step
    return found
