"""The agreement problem: all that a weighted sum depends on, besides alpha and beta."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow import _agreement


def _n_words(n_bits):
    return max(1, -(-n_bits // 64))


@dataclass(frozen=True)
class AgreementProblem:
    """Distinct agreement sets over the specified attributes of one query.

    Attributes
    ----------
    n : int
        Number of specified attributes of the query.
    sets : ndarray of shape (m, ceil(n / 64)), uint64
        Bit j of `sets[u]` is set where update u agrees with the query on attribute j.
    exponents : ndarray of shape (m,), int64
        Net promotions of each set, none of them zero.
    raw_exponents : ndarray of shape (n_updates,), int64
        Net promotions of all updates, before aggregation.
    """

    n: int
    sets: np.ndarray
    exponents: np.ndarray
    raw_exponents: np.ndarray

    @classmethod
    def of_row(cls, updates, exponents, row):
        """The problem of one query.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the stored updates, 0 where unspecified.
        exponents : ndarray of shape (m,), int64
            Net promotions of the updates.
        row : ndarray of shape (n_attributes,), int32
            Codes of the query, 0 where unspecified.
        """
        specified = np.flatnonzero(row)
        m, n = len(exponents), len(specified)
        sets = np.empty((m, _n_words(n)), dtype=np.uint64)
        sums = np.empty(m, dtype=np.int64)
        table = np.empty(1 << m.bit_length(), dtype=np.int64)
        kept = _agreement.aggregate(
            updates, exponents, row, specified, sets, sums, table
        )
        return cls(n, sets[:kept], sums[:kept], exponents)

    # Not every engine asks for what follows.

    @cached_property
    def n_promotions(self):
        """Total promotions before aggregation: u of the paper."""
        return int(self.raw_exponents[self.raw_exponents > 0].sum())

    @cached_property
    def n_demotions(self):
        """Total demotions before aggregation: v of the paper."""
        return -int(self.raw_exponents[self.raw_exponents < 0].sum())

    @cached_property
    def phi_low(self):
        """Sum of the negative exponents: no term has a lower phi."""
        return int(self.exponents[self.exponents < 0].sum())

    @cached_property
    def phi_high(self):
        """Sum of the positive exponents: no term has a higher phi."""
        return int(self.exponents[self.exponents > 0].sum())

    @cached_property
    def columns(self):
        """Updates that survive each attribute, as bits: (n, ceil(m / 64)), uint64."""
        columns = np.zeros((self.n, _n_words(len(self.exponents))), dtype=np.uint64)
        _agreement.transpose(self.sets, columns)
        return columns

    @cached_property
    def planes(self):
        """Bits of the exponents, two's complement: (n_planes, ceil(m / 64)), uint64."""
        largest = max(self.exponents.max(), ~self.exponents.min(), 0)
        n_planes = int(largest).bit_length() + 1
        planes = np.zeros((n_planes, _n_words(len(self.exponents))), dtype=np.uint64)
        _agreement.bit_planes(self.exponents, planes)
        return planes
