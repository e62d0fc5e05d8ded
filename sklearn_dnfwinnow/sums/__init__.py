"""Weighted sums over all terms that a query satisfies, exact or estimated.

:func:`log_weighted_sum` computes a weighted sum from given agreements and net promotion
counts, with the same code as :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.

The modules of this package sum over problems with the engines of `samplers`, and over
batches of samples with all classes together. They import no learner.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.sums._log_weighted_sum import WeightedSum, log_weighted_sum

__all__ = ["WeightedSum", "log_weighted_sum"]
