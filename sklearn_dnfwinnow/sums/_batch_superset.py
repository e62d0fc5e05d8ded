"""Batches by the superset sum: short rows, over all their terms at once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import superset
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus

# Maximum length of rows, and maximum number of terms in all classes, for which this is
# the fastest method.
_MOST_SPECIFIED, _MOST_CELLS = 14, 1 << 17
# Maximum sum of net counts: phi must fit 32 bits, and the powers of alpha a cache.
_LARGEST_NET_COUNT = 1 << 20
# Initial weights are within this of 1 (natural logarithms): weights that underflow have
# no effect on the sum.
_LARGEST_LOG_WEIGHT = 300.0


def in_reach(net_counts, codes, log_beta):
    """Return the rows that `log_sums` supports.

    Parameters
    ----------
    net_counts : ndarray of shape (n_classes, m), int64
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
        & (len(net_counts) << np.minimum(n, _MOST_SPECIFIED) <= _MOST_CELLS)
        & (n * span <= _LARGEST_LOG_WEIGHT)
        & (0 < np.abs(net_counts).sum(axis=1).max(initial=0) <= _LARGEST_NET_COUNT)
    )


def log_sums(examples, net_counts, codes, log_alpha, log_beta):
    """Return the weighted sums of short rows in all classes, over terms of any size.

    Parameters
    ----------
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_alpha, log_beta : float

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64
    """
    classes, acting = np.nonzero(net_counts)
    sums = np.empty((len(codes), len(net_counts)))
    superset.log_sums(
        columns=np.ascontiguousarray(examples.T),
        rows=codes,
        starts=np.searchsorted(classes, np.arange(len(net_counts) + 1)),
        examples=np.ascontiguousarray(acting),
        net_counts=net_counts[classes, acting],
        log_alpha=log_alpha,
        log_beta=log_beta,
        sums=sums,
    )
    return sums
