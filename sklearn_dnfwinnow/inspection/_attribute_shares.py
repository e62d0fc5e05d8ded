"""Attribute shares: how much of a weighted sum mentions each attribute.

The terms that do not mention an attribute are those that a row satisfies where the
attribute is unspecified. So the share of W is 1 - W' / W, with W' the sum of the row
without the attribute: any engine has it, and no other pass over terms is needed.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Codes of the rows that are summed at once.
_MOST_CODES = 1 << 22


@dataclass(frozen=True, eq=False)
class AttributeShares:
    """Weighted sums of some rows, and what of them mentions each attribute.

    Attributes
    ----------
    log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        log W, and the relative standard error of W, 0 where exact.
    shares : ndarray of shape (n_rows, n_classes, n_features)
        From 0 to 1; 0 where an attribute is unspecified.
    share_errors : ndarray of shape (n_rows, n_classes, n_features)
        Their standard errors.
    """

    log_sums: np.ndarray
    std_errors: np.ndarray
    shares: np.ndarray
    share_errors: np.ndarray


def attribute_shares_of(model, rows):
    """The shares of some rows of codes: AttributeShares."""
    n_rows, n = rows.shape
    n_parts = min(n_rows, -(-n_rows * n * (n + 1) // _MOST_CODES))
    parts = [_shares(model, part) for part in np.array_split(rows, n_parts)]
    return AttributeShares(*map(np.concatenate, zip(*parts)))


def _shares(model, rows):
    n_rows, n = rows.shape
    # The row without each of its attributes, and at last the row.
    variants = np.repeat(rows[:, None], n + 1, axis=1)
    variants[:, np.arange(n), np.arange(n)] = 0
    distinct, _, inverse = distinct_rows(variants.reshape(-1, n))
    log_sums, errors = (
        found[inverse].reshape(n_rows, n + 1, -1).swapaxes(1, 2)
        for found in model.best_estimates(distinct)
    )
    log_ratios = log_sums[..., :n] - log_sums[..., n:]
    relative = np.where(
        rows[:, None] == 0, 0, np.hypot(errors[..., :n], errors[..., n:])
    )
    shares = np.clip(-np.expm1(log_ratios), 0.0, 1.0)
    return log_sums[..., n], errors[..., n], shares, np.exp(log_ratios) * relative
