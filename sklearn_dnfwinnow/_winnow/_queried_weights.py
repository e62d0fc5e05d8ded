"""Queried weights: sums of single rows from the updates, under a cap of term sizes.

For batches so small that a table of all updates would cost more than it saves.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum
from sklearn_dnfwinnow._winnow._implicit_weights import ImplicitWeights
from sklearn_dnfwinnow.sums._batch_by_term import log_sums


class QueriedWeights(ImplicitWeights):
    """Term weights as updates with exponents, summed over the terms of one row.

    Parameters
    ----------
    max_term_size : int
        Most literals of a term.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the term prior.
    updates, exponents, version, max_updates
        See `ImplicitWeights`.
    """

    def __init__(self, max_term_size, log_alpha, log_beta, *of_class):
        super().__init__(None, log_alpha, log_beta, (), *of_class)
        self._max_term_size = max_term_size

    def log_sum(self, row):
        """The weighted sum of a row of codes."""
        ((value,),) = log_sums(
            *(self.updates, self.exponents[None], row[None]),
            *(self._log_alpha, self._log_beta, self._max_term_size),
        )
        return WeightedSum(value, 0.0, True, "table")

    def _compare(self, row, log_threshold, guess):
        weighted_sum = self.log_sum(row)
        return weighted_sum.log_value >= log_threshold, weighted_sum
