"""Update budget: the stored examples that a class keeps if there are too many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: More stored examples than training can create.
NO_LIMIT = np.iinfo(np.int64).max


def kept(exponents, max_updates):
    """Return the stored examples to keep if there are more than `max_updates`.

    The examples with the smallest absolute exponents are discarded, the oldest of these
    first, until four fifths of `max_updates` remain. To discard a fifth at once costs
    little per update, and gives the exponents of new examples time to grow.

    Parameters
    ----------
    exponents : ndarray of shape (m,), int64
        Exponents of the stored examples, in order of arrival.
    max_updates : int

    Returns
    -------
    places : ndarray of int
        Increasing.
    """
    n_kept = max_updates - max_updates // 5
    weakest_first = np.argsort(np.abs(exponents), kind="stable")
    return np.sort(weakest_first[max(0, len(exponents) - n_kept) :])
