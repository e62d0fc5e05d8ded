"""Rule statistics: measures of rules as classifiers, with confidence intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import ndtri


def rule_statistics(covers, is_of_class, weights, confidence=0.95):
    """Return statistics of rules on labelled samples.

    Parameters
    ----------
    covers : ndarray of shape (n_rules, n_samples), bool
        Which samples satisfy which rule.

    is_of_class : ndarray of shape (n_samples,), bool
        Which samples are in the class.

    weights : ndarray of shape (n_samples,), float64
        Sample weights.

    confidence : float, default=0.95
        Confidence level of the intervals.

    Returns
    -------
    statistics : dict of str to list of n_rules float
        Keys are the names of columns. Undefined values are NaN.

    Notes
    -----
    The odds ratio compares the odds of the class among samples that satisfy the rule
    with those among all others. If one of the four weights is 0, half the mean weight
    of a sample is added to each (the correction of Haldane and Anscombe).

    Intervals are Wilson intervals. With weights, they use the effective number of
    samples, (sum of weights)^2 / sum of squares (Kish).
    """
    n_samples = np.count_nonzero(weights)
    weights = weights[:, None] * np.column_stack([is_of_class, ~is_of_class])
    squares = weights**2
    totals, of_class = weights.sum(axis=0), weights[:, 0].sum()
    covered, left = covers @ weights, ~covers @ weights
    right, support = covered[:, 0], covered.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = right / support, right / of_class
        lift = precision / (of_class / totals.sum())
        n_covered = support**2 / (covers @ squares).sum(axis=1)
        n_of_class = np.full(len(covers), of_class**2 / squares[:, 0].sum())
        half = 0.5 * totals.sum() / n_samples
    cells = np.hstack([covered, left])
    cells = cells + half * (cells == 0).any(axis=1, keepdims=True)
    precision_low, precision_high = wilson_interval(precision, n_covered, confidence)
    recall_low, recall_high = wilson_interval(recall, n_of_class, confidence)
    statistics = {
        "support": support,
        "precision": precision,
        "recall": recall,
        "lift": lift,
        "odds_ratio": cells[:, 0] / cells[:, 1] * (cells[:, 3] / cells[:, 2]),
        "precision_low": precision_low,
        "precision_high": precision_high,
        "recall_low": recall_low,
        "recall_high": recall_high,
    }
    return {name: values.tolist() for name, values in statistics.items()}


def wilson_interval(share, n, confidence):
    """Return both ends of the Wilson interval for a fraction of n samples.

    Parameters
    ----------
    share, n : ndarrays of shape (n_shares,), float64
    confidence : float

    Returns
    -------
    low, high : ndarrays of shape (n_shares,), float64
    """
    z = ndtri(0.5 + confidence / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / (1 + z**2 / n)
    # Rounding can move ends that should be exactly 0 or 1.
    low = np.where(share == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(share == 1, 1.0, np.minimum(centre + half, 1.0))
    return low, high
