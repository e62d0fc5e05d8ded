"""Weighted sums over all terms that a query satisfies, exact or estimated.

This is the mathematics of the package on its own, for those who have agreements and
exponents of their own to sum. :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` takes the
same path.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.sums._log_weighted_sum import (
    CHAINS,
    SAMPLERS,
    WeightedSum,
    log_weighted_sum,
)

__all__ = [
    "CHAINS",
    "SAMPLERS",
    "WeightedSum",
    "log_weighted_sum",
]
