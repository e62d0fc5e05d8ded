"""Averaging: exponents over several epochs, in integers.

The last mistakes of a binary Winnow learner have too much influence. The mean over late
epochs is more stable (as with the averaged perceptron of Freund & Schapire 1999). The
sum of the exponents is stored, with the number of epochs as a denominator.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum


class Average:
    """The sum of the exponents of some weights at several times.

    Attributes
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Distinct codes, in order of arrival.
    exponents : ndarray of shape (m,), int64
        Sums.
    times : int
        Number of summands of each exponent.
    """

    def __init__(self):
        self.times = 0
        # Bound of the sum of all absolute exponents.
        self._largest = 0.0

    def add(self, weights, times=1):
        """Add the current exponents of some weights, `times` times."""
        updates, exponents = weights.updates, weights.exponents
        self._largest += times * largest_sum(exponents)
        check_sum(self._largest)
        exponents = times * exponents
        if self.times:
            m = len(self.updates)
            if np.array_equal(self.updates, updates[:m]):
                # No stored examples were dropped so far.
                exponents[:m] += self.exponents
            else:
                updates, places = distinct_in_order(
                    np.concatenate([self.updates, updates])
                )
                both = np.concatenate([self.exponents, exponents])
                exponents = np.zeros(len(updates), dtype=np.int64)
                np.add.at(exponents, places, both)
        self.updates, self.exponents = updates.copy(), exponents
        self.times += times
