"""Update budget: which updates a class keeps where they have become too many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: More updates than training can make.
NO_LIMIT = np.iinfo(np.int64).max


def kept(exponents, max_updates):
    """Return the updates that stay when there are more than `max_updates`.

    Those of the smallest absolute exponents go, of these the oldest, until four fifths
    of `max_updates` are left. To drop a fifth at once costs little for each update,
    and gives new ones time to grow.

    Parameters
    ----------
    exponents : ndarray of shape (m,), int64
        Exponents of the updates, in order of arrival.
    max_updates : int

    Returns
    -------
    places : ndarray of int
        Increasing.
    """
    n_kept = max_updates - max_updates // 5
    weakest_first = np.argsort(np.abs(exponents), kind="stable")
    return np.sort(weakest_first[max(0, len(exponents) - n_kept) :])
