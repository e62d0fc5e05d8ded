"""Weighted sums over all terms that a query satisfies, exact or estimated.

This is the mathematics of the package on its own, for those who have agreements and
exponents of their own to sum. :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` takes the
same path. The room sums over problems by the engines of `samplers`, and over batches of
rows, all classes together; it knows no learner.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.sums._log_weighted_sum import (
    WeightedSum,
    log_weighted_sum,
)

__all__ = [
    "WeightedSum",
    "log_weighted_sum",
]
