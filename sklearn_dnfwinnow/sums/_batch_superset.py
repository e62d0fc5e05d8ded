"""Batches by the superset sum: short rows, over all their terms at once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import batch_superset
from sklearn_dnfwinnow._problems._agreement_problem import log_one_plus

# Maximum length of rows, and maximum number of terms in all classes, for which this is
# the fastest method.
_MOST_SPECIFIED, _MOST_CELLS = 14, 1 << 17
# Maximum sum of exponents: phi must fit 32 bits, and the powers of alpha a cache.
_LARGEST_EXPONENT = 1 << 20
# Initial weights are within this of 1 (natural logarithms): weights that underflow have
# no effect on the sum.
_LARGEST_LOG_WEIGHT = 300.0


def in_reach(exponents, codes, log_beta):
    """Return the rows that `log_sums` supports.

    Parameters
    ----------
    exponents : ndarray of shape (n_classes, m), int64
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_beta : float

    Returns
    -------
    in_reach : ndarray of shape (n_rows,), bool
        A function of each row and the model.
    """
    n = (codes != 0).sum(axis=1)
    span = max(log_one_plus(log_beta), -log_beta)
    return (
        (n <= _MOST_SPECIFIED)
        & (len(exponents) << np.minimum(n, _MOST_SPECIFIED) <= _MOST_CELLS)
        & (n * span <= _LARGEST_LOG_WEIGHT)
        & (0 < _largest_sum(exponents) <= _LARGEST_EXPONENT)
    )


def log_sums(updates, exponents, codes, log_alpha, log_beta):
    """Return the weighted sums of short rows in all classes, over terms of any size.

    Parameters
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    exponents : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_alpha, log_beta : float

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64
    """
    classes, acting = np.nonzero(exponents)
    sums = np.empty((len(codes), len(exponents)))
    batch_superset.log_sums(
        columns=np.ascontiguousarray(updates.T),
        rows=codes,
        starts=np.searchsorted(classes, np.arange(len(exponents) + 1)),
        updates=np.ascontiguousarray(acting),
        exponents=exponents[classes, acting],
        log_alpha=log_alpha,
        log_beta=log_beta,
        narrow=_largest_sum(exponents) < 2**15,
        sums=sums,
    )
    return sums


def _largest_sum(exponents):
    """Return the largest sum of the absolute exponents of a class."""
    return int(np.abs(exponents).sum(axis=1).max(initial=0))
