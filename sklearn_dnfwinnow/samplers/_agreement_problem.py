"""The agreement problem: all inputs of a weighted sum, except alpha and beta."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._kernels import agreement


def n_words(n_bits):
    """Return the number of 64-bit words for a number of bits."""
    return max(1, -(-n_bits // 64))


def _transposed(sets, n_bits):
    """Return bits transposed: (m, words of n bits) as (n, words of m bits)."""
    columns = np.zeros((n_bits, n_words(len(sets))), dtype=np.uint64)
    agreement.transpose(sets, columns)
    return columns


@dataclass(frozen=True)
class AgreementProblem:
    """Distinct agreement sets over the specified attributes of one query, compressed.

    Equal sets are merged, with the sum of their net counts. An attribute that is in
    every set is *free*: constraining it changes nothing, so it multiplies W by 1 +
    beta. Attributes that are in the same sets are *twins*. It matters only whether any
    of k twins is constrained. They therefore act as one attribute of multiplicity k,
    whose odds of being constrained are (1 + beta)^k - 1 to 1.

    Attributes
    ----------
    columns : ndarray of shape (n, ceil(m / 64)), uint64
        Bit u of `columns[j]` is set if stored example u agrees with the query on
        attribute j. The columns are distinct, and none has all bits set.
    multiplicities : ndarray of shape (n,), int64
        Number of attributes of the query that each column represents.
    net_counts : ndarray of shape (m,), int64
        Net promotion count of each set, not zero.
    n_free : int
        Number of free attributes.
    raw_net_counts : ndarray of shape (n_updates,), int64
        Net promotion counts of all stored examples, before aggregation.
    """

    columns: np.ndarray
    multiplicities: np.ndarray
    net_counts: np.ndarray
    n_free: int
    raw_net_counts: np.ndarray

    @classmethod
    def of_row(cls, examples, net_counts, row, compress=True):
        """Return the problem of one query.

        Parameters
        ----------
        examples : ndarray of shape (m, n_attributes), int32
            Codes of the stored examples, 0 where unspecified.
        net_counts : ndarray of shape (m,), int64
            Net promotion counts of the stored examples.
        row : ndarray of shape (n_attributes,), int32
            Codes of the query, 0 where unspecified.
        compress : bool
            Whether free and twin attributes may be merged. It must be False if sizes of
            terms matter.
        """
        specified = np.flatnonzero(row)
        m, n = len(net_counts), len(specified)
        sets = np.empty((m, n_words(n)), dtype=np.uint64)
        sums = np.empty(m, dtype=np.int64)
        m = agreement.aggregate(
            examples=examples,
            net_counts=net_counts,
            row=row,
            specified=specified,
            sets=sets,
            sums=sums,
        )
        columns = _transposed(sets[:m], n)
        multiplicities = np.ones(n, dtype=np.int64)
        kept, n_free = n, 0
        if compress:
            kept, n_free = agreement.compress(columns, m, multiplicities)
        return cls(columns[:kept], multiplicities[:kept], sums[:m], n_free, net_counts)

    @property
    def n(self):
        """Number of attributes left to sum over."""
        return len(self.columns)

    def log_total(self, log_beta):
        """Return n log(1 + beta), the log of the total initial weight."""
        n_attributes = self.n_free + int(self.multiplicities.sum())
        return n_attributes * log_one_plus(log_beta)

    def log_free(self, log_beta):
        """Return the log of the factor that the free attributes contribute."""
        return self.n_free * log_one_plus(log_beta)

    def log_initial(self, log_beta):
        """Return the log of the total initial weight, but for free attributes."""
        return self.log_total(log_beta) - self.log_free(log_beta)

    def log_odds(self, log_beta):
        """Return the log of each attribute's odds, (1 + beta)^k - 1: (n,)."""
        return log_odds_of(self.multiplicities, log_beta)

    def fewest_first(self):
        """Return the same problem, with attributes of few agreements first."""
        sizes = np.bitwise_count(self.columns).sum(axis=1)
        order = sizes.argsort(kind="stable")
        return replace(
            self,
            columns=self.columns[order],
            multiplicities=self.multiplicities[order],
        )

    # Only some engines use the following properties.

    @cached_property
    def agreements(self):
        """Whether each set contains each attribute: (m, n), bool."""
        bits = np.unpackbits(
            self.columns.view(np.uint8),
            axis=1,
            count=len(self.net_counts),
            bitorder="little",
        )
        return bits.T.astype(bool)

    @cached_property
    def sets(self):
        """Attributes that each set contains, as bits: (m, ceil(n / 64)), uint64."""
        return _transposed(self.columns, len(self.net_counts))

    @cached_property
    def n_promotions(self):
        """Total promotions before aggregation: u of the paper."""
        return int(self.raw_net_counts[self.raw_net_counts > 0].sum())

    @cached_property
    def n_demotions(self):
        """Total demotions before aggregation: v of the paper."""
        return -int(self.raw_net_counts[self.raw_net_counts < 0].sum())

    @cached_property
    def phi_low(self):
        """Sum of the negative net counts: no term has a lower phi."""
        return int(self.net_counts[self.net_counts < 0].sum())

    @cached_property
    def phi_high(self):
        """Sum of the positive net counts: no term has a higher phi."""
        return int(self.net_counts[self.net_counts > 0].sum())

    @cached_property
    def planes(self):
        """Bits of net counts, two's complement: (n_planes, ceil(m / 64)), uint64."""
        largest = max(self.net_counts.max(), ~self.net_counts.min(), 0)
        n_planes = int(largest).bit_length() + 1
        planes = np.zeros((n_planes, n_words(len(self.net_counts))), dtype=np.uint64)
        agreement.bit_planes(self.net_counts, planes)
        return planes


def log_one_plus(log_beta):
    """Return log(1 + beta), for a logarithm of any size."""
    return float(np.logaddexp(0.0, log_beta))


def log_odds_of(multiplicities, log_beta):
    """Return log((1 + beta)^k - 1) of some multiplicities k."""
    log_either = multiplicities * log_one_plus(log_beta)
    if log_beta < -40:
        # k beta, to the last bit; the power may be 1 to the last bit.
        return log_beta + np.log(multiplicities)
    log_odds = log_either + np.log(-np.expm1(-log_either))
    # Exact where there is nothing to round.
    return np.where(multiplicities == 1, log_beta, log_odds)
