"""Conditioned summer: sums of single rows over the terms that conditions allow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum
from sklearn_dnfwinnow._winnow._weights._implicit_weights import (
    EngineSummer,
    TermSummer,
)
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums


class _SomeUpdates(NamedTuple):
    """Some of the stored examples of a list, with the interface for summers."""

    codes: np.ndarray
    exponents: np.ndarray
    version: int


@dataclass(frozen=True, eq=False)
class ConditionedSummer:
    """Sum single rows over the terms that the conditions of a class allow.

    Parameters
    ----------
    summer : EngineSummer or TermSummer
        Over all terms.
    sums : ConditionedSums
    """

    summer: EngineSummer | TermSummer
    sums: ConditionedSums

    @property
    def log_alpha(self):
        """Logarithm of the factor of one unit of exponent."""
        return self.summer.log_alpha

    def log_sum(self, updates, row):
        """Return the WeightedSum of a row of codes under an UpdateList."""
        parts = []

        def plain_sums(rows, literals, max_term_size, **given):
            summer = self.summer.part(literals, max_term_size)
            some = _SomeUpdates(given["updates"], given["exponents"], updates.version)
            parts.append(summer.log_sum(some, rows[0]))
            return np.array([[parts[-1].log_value, parts[-1].std_error]])

        ((value, std_error),) = self.sums.estimates(
            row[None], updates.codes, updates.exponents, plain_sums
        )
        names = [part.sampler for part in parts if part.sampler != "closed_form"]
        return WeightedSum(
            float(value),
            float(std_error),
            exact=all(part.exact for part in parts),
            sampler=names[0] if names else "closed_form",
            n_states=max(part.n_states for part in parts),
            n_replicates=max(part.n_replicates for part in parts),
            n_chains=sum(part.n_chains for part in parts),
            n_simulated=sum(part.n_simulated for part in parts),
            n_ladder=sum(part.n_ladder for part in parts),
        )

    def exceeds(self, updates, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum, in full."""
        weighted_sum = self.log_sum(updates, row)
        return weighted_sum.log_value >= log_threshold, weighted_sum
