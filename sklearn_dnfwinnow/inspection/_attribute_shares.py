"""Attribute shares: the relative contribution of each feature to weighted sums.

The terms that do not mention a feature are those that a sample satisfies where the
feature is unspecified. The relative contribution is therefore 1 - W' / W, where W' is
the sum of the sample without the feature. Any engine computes it, without another pass
over the terms.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Number of codes in the rows that are summed in one call.
_MOST_CODES = 1 << 22


def shares_of_rows(model, rows):
    """Return weighted sums of rows, and the relative contributions of their features.

    Parameters
    ----------
    model : TermModel
    rows : ndarray of shape (n_rows, n_features), int32
        Distinct.

    Returns
    -------
    log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        log W, and the relative standard error of W, 0 where exact.
    shares : ndarray of shape (n_rows, n_classes, n_features)
        From 0 to 1; 0 where a feature is unspecified.
    share_errors : ndarray of shape (n_rows, n_classes, n_features)
        Their standard errors.
    """
    n_rows, n = rows.shape
    n_parts = min(n_rows, -(-n_rows * n * (n + 1) // _MOST_CODES))
    parts = [_shares(model, part) for part in np.array_split(rows, n_parts)]
    return tuple(map(np.concatenate, zip(*parts)))


def _shares(model, rows):
    """Return the same arrays for one part of the rows."""
    n_rows, n = rows.shape
    # The row without each of its features, and finally the complete row.
    variants = np.repeat(rows[:, None], n + 1, axis=1)
    variants[:, np.arange(n), np.arange(n)] = 0
    distinct, _, inverse = distinct_rows(variants.reshape(-1, n))
    log_sums, errors = (
        found[inverse].reshape(n_rows, n + 1, -1).swapaxes(1, 2)
        for found in model.estimate_log_sums(distinct)
    )
    log_ratios = log_sums[..., :n] - log_sums[..., n:]
    relative = np.where(
        rows[:, None] == 0, 0, np.hypot(errors[..., :n], errors[..., n:])
    )
    shares = np.clip(-np.expm1(log_ratios), 0.0, 1.0)
    return log_sums[..., n], errors[..., n], shares, np.exp(log_ratios) * relative
