"""Samples, their weights and class weights, checked as in scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import fsum

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from sklearn_dnfwinnow._encoding._columns import check_table
from sklearn_dnfwinnow._encoding._entropy_cuts._segments import is_whole
from sklearn_dnfwinnow._utils._compat import check_sample_weight


def check_samples(estimator, X, y, sample_weight, *, reset=True):
    """Check the arguments of `fit`, see `check_table`.

    Returns
    -------
    X : {dataframe, ndarray} of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Class labels.
    weights : ndarray of shape (n_samples,), float64
        Sample weights, ones for None; negative ones raise an error.
    """
    X, y = check_table(estimator, X, y, reset=reset)
    check_classification_targets(y)
    return X, y, check_sample_weight(sample_weight, X)


def in_samples(weights):
    """Return weights in units of a sample.

    Whole numbers are numbers of equal samples, up to a common factor. Others are
    relative to their mean.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,), float64
        Not negative; samples of weight 0 are ignored.
    """
    if is_whole(weights):
        return weights / np.gcd.reduce(weights.astype(np.int64))
    # Relative to the largest, so that no sum overflows. The sum does not depend on the
    # order of samples.
    weights = weights / weights.max()
    return weights * (np.count_nonzero(weights) / fsum(weights))


def class_weights(class_weight, classes, y, weights):
    """Return the weight of each class, by the rules of scikit-learn.

    Parameters
    ----------
    class_weight : dict, 'balanced' or None
    classes : ndarray of shape (n_classes,)
    y : ndarray of shape (n_samples,)
        Class labels.
    weights : ndarray of shape (n_samples,)
        Sample weights; samples of weight 0 are ignored.

    Returns
    -------
    of_classes : ndarray of shape (n_classes,), float64
        Rounded to 24 significant bits, so that sums of integer weights times them are
        exact: a weight of 3 has the effect of three samples, in any order.
    """
    if class_weight is None:
        return np.ones(len(classes))
    present = weights > 0
    of_classes = compute_class_weight(
        class_weight, classes=classes, y=y[present], sample_weight=weights[present]
    )
    if (of_classes < 0).any() or not np.isfinite(of_classes).all():
        raise ValueError(
            "class_weight must contain finite numbers that are not negative; got "
            f"{class_weight!r}."
        )
    significands, net_counts = np.frexp(of_classes)
    return np.ldexp(np.rint(np.ldexp(significands, 24)), net_counts - 24)
