"""Rule statistics: how well rules tell a class from others, and how sure that is."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import ndtri

#: What `rule_statistics` returns, in this order.
STATISTICS = (
    "support",
    "precision",
    "recall",
    "lift",
    "odds_ratio",
    "precision_low",
    "precision_high",
    "recall_low",
    "recall_high",
)


def rule_statistics(covers, weights, squares, n_samples, confidence=0.95):
    """Return statistics of rules on labelled rows.

    Parameters
    ----------
    covers : ndarray of shape (n_rules, n_rows), bool
        Which rows satisfy which rule.

    weights : ndarray of shape (n_rows, 2), float64
        Weight of the samples of each row that are of the class, and of all others.

    squares : ndarray of shape (n_rows, 2), float64
        The same for the squares of their weights.

    n_samples : int
        Number of samples of positive weight.

    confidence : float, default=0.95
        Of the intervals.

    Returns
    -------
    statistics : dict of str to ndarray of shape (n_rules,), float64
        By the names in `STATISTICS`. What is not defined is NaN.

    Notes
    -----
    The odds ratio is that of the class among rows that satisfy the rule and among all
    others. If one of its four weights is 0, half a sample of mean weight is added to
    each (the correction of Haldane and Anscombe).

    Intervals are those of Wilson. With weights, they count as many samples as there
    effectively are, (sum of weights)^2 / sum of squares (Kish).
    """
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
    return {
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


def wilson_interval(share, n, confidence):
    """Return both ends of Wilson's interval for a share of n samples.

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
    # Ends that are 0 or 1 may be off by rounding.
    low = np.where(share == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(share == 1, 1.0, np.minimum(centre + half, 1.0))
    return low, high
