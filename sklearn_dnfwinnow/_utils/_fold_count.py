"""Fold count: whether there are enough samples for a number of folds."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

from sklearn.model_selection import StratifiedKFold


def check_fold_count(cv, labels):
    """Raise the error, or give the warning, of scikit-learn for too many folds.

    Parameters
    ----------
    cv : int, splitter, iterable, str or None
        Anything but an int is left to others.
    labels : ndarray of shape (n_samples,), int
        Classes of the samples with a positive weight.

    Raises
    ------
    ValueError
        If there are more folds than samples, or than samples of each class.

    Warns
    -----
    UserWarning
        If a class has fewer samples than there are folds.
    """
    if isinstance(cv, Integral):
        next(StratifiedKFold(int(cv)).split(labels, labels))
