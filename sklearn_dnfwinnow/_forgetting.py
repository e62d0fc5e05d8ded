"""Forgetting: which updates go where a Winnow may not keep more."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: A limit that no number of updates comes to.
NO_LIMIT = np.iinfo(np.int64).max


def survivors(exponents, max_updates):
    """The updates that stay when there is one too many.

    Those of the smallest exponents go, in absolute value, and of them the oldest. A
    quarter goes at once: new updates begin with small exponents, and have until the
    next time to grow.

    Parameters
    ----------
    exponents : ndarray of shape (m,), int64
        Exponents of the updates, oldest first.
    max_updates : int

    Returns
    -------
    kept : ndarray of int
        Positions, in order.
    """
    n_kept = max_updates - max_updates // 4
    smallest_first = np.argsort(np.abs(exponents), kind="stable")
    return np.sort(smallest_first[len(exponents) - n_kept :])
