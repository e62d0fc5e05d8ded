"""Batches by the superset sum: short rows, over all their terms at once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import batch_superset
from sklearn_dnfwinnow._problems._agreement_problem import log_one_plus
from sklearn_dnfwinnow.sums._batch_by_term import MOST_SHARED

# Maximum length of rows, and maximum number of terms in all classes, for which this is
# the fastest method.
_MOST_SPECIFIED, _MOST_CELLS = 14, 1 << 17
# Maximum number of stored examples that are compared one by one with rows that share
# their terms. With more, term by term is faster, by far for many rows. It is slower for
# one row, but the choice must not depend on the number of rows, since the last bits
# differ.
_MOST_COMPARED = 1000
# Maximum sum of exponents: phi must fit 32 bits, and the powers of alpha a cache.
_LARGEST_EXPONENT = 1 << 20
# Initial weights are within this of 1 (natural logarithms): weights that underflow have
# no effect on the sum.
_LARGEST_LOG_WEIGHT = 300.0


def cubes_in_reach(packed, codes, log_beta):
    """Return the rows that `log_sums` supports.

    Parameters
    ----------
    packed : PackedUpdates
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_beta : float

    Returns
    -------
    in_reach : ndarray of shape (n_rows,), bool
        A function of each row and the model.
    """
    n = (codes != 0).sum(axis=1)
    quick = (n > MOST_SHARED) | (packed.columns.shape[1] <= _MOST_COMPARED)
    span = max(log_one_plus(log_beta), -log_beta)
    return (
        quick
        & (n <= _MOST_SPECIFIED)
        & (len(packed.exponents) << np.minimum(n, _MOST_SPECIFIED) <= _MOST_CELLS)
        & (n * span <= _LARGEST_LOG_WEIGHT)
        & (0 < packed.largest_sum <= _LARGEST_EXPONENT)
    )


def log_sums(packed, codes, log_alpha, log_beta):
    """Return the weighted sums of short rows in all classes, over terms of any size.

    Parameters
    ----------
    packed : PackedUpdates
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_alpha, log_beta : float

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64
    """
    sums = np.empty((len(codes), len(packed.exponents)))
    batch_superset.log_sums(
        columns=packed.columns,
        rows=packed.pack(codes),
        starts=packed.starts,
        updates=packed.acting,
        exponents=packed.amounts,
        log_alpha=log_alpha,
        log_beta=log_beta,
        narrow=packed.largest_sum < 2**15,
        sums=sums,
    )
    return sums
