"""Attribute shares: the relative contribution of each feature to weighted sums.

The terms that do not mention a feature are those that a sample satisfies where the
feature is unspecified. The relative contribution is therefore 1 - W' / W, where W' is
the sum of the sample without the feature. Any engine computes it, without another pass
over the terms.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.inspection._rule_measures import LabelledRows, read_rows

# Number of codes in the rows that are summed in one call.
_MOST_CODES = 1 << 22


def attribute_shares(estimator, X=None, *, sample_weight=None):
    """Return the mean relative contribution of each feature to the weighted sums.

    For each sample, the class with the largest weighted sum W is considered. The
    relative contribution of a feature is the fraction of W that belongs to terms with a
    literal on the feature, which W loses if the feature is unspecified. It measures how
    much the model uses a feature, like `feature_importances_` of a forest. It does not
    measure how much accuracy would be lost without the feature; for that, use
    :func:`sklearn.inspection.permutation_importance`. Both mostly rank the features
    similarly.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Samples to average over, as `estimator` takes them. None uses the stored
        examples of the model, weighted by their absolute net promotion counts in all
        classes.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    Returns
    -------
    shares : ndarray of shape (n_features,), float64
        Relative contribution of each feature of the classifier, from 0 to 1. They do
        not sum to 1, because a term can contain several features. With terms of any
        size, a feature about which nothing was learned has a relative contribution of
        about ``term_prior / (1 + term_prior)`` where it is specified. This is the
        contribution of all terms with the feature by their initial weights.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator, or weights are given without X.

    See Also
    --------
    explain : Relative contributions in all classes, for each sample.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import attribute_shares
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> attribute_shares(clf, X).round(2)
    array([0.45, 0.45, 0.13, 0.11, 0.35, 0.13])

    The function can be used to select features:

    >>> from sklearn.feature_selection import SelectFromModel
    >>> selector = SelectFromModel(clf, importance_getter=attribute_shares)
    >>> selector.fit(X, y).get_feature_names_out()
    array(['a1', 'a2'], dtype=object)
    """
    if X is None and sample_weight is not None:
        raise ValueError("sample_weight requires X; got sample_weight with X=None.")
    decoder, rows = read_rows(estimator, X, sample_weight=sample_weight)
    model = decoder.model
    rows = rows or LabelledRows.from_updates(model)
    sums = shares_of_rows(model, rows.codes)
    winners = (sums.log_sums - model.log_threshold).argmax(axis=1)
    shares = sums.shares[np.arange(len(winners)), winners]
    return np.average(shares, axis=0, weights=rows.weights.sum(axis=1))


@dataclass(frozen=True, eq=False)
class AttributeShares:
    """Weighted sums of some rows, and the relative contributions of their features.

    Attributes
    ----------
    log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        log W, and the relative standard error of W, 0 where exact.
    shares : ndarray of shape (n_rows, n_classes, n_features)
        From 0 to 1; 0 where a feature is unspecified.
    share_errors : ndarray of shape (n_rows, n_classes, n_features)
        Their standard errors.
    """

    log_sums: np.ndarray
    std_errors: np.ndarray
    shares: np.ndarray
    share_errors: np.ndarray


def shares_of_rows(model, rows):
    """Return the AttributeShares of distinct rows of codes under a TermModel."""
    n_rows, n = rows.shape
    n_parts = min(n_rows, -(-n_rows * n * (n + 1) // _MOST_CODES))
    parts = [_shares(model, part) for part in np.array_split(rows, n_parts)]
    return AttributeShares(*map(np.concatenate, zip(*parts)))


def _shares(model, rows):
    """Return the arrays of AttributeShares for one part of the rows."""
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
