"""Agreement problem: all inputs of a weighted sum but alpha and beta; its result."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._terms._term_index import log_initial_weight


def n_words(n_bits):
    """Return the number of 64-bit words for a number of bits."""
    return max(1, -(-n_bits // 64))


def packed(bits):
    """Return the bits of the last axis as words, the first bit as the lowest."""
    octets = np.packbits(bits, axis=-1, bitorder="little")
    shape = *bits.shape[:-1], 8 * n_words(bits.shape[-1])
    words = np.zeros(shape, dtype=np.uint8)
    words[..., : octets.shape[-1]] = octets
    return words.view(np.uint64)


def unpacked(words, n_bits):
    """Return the first bits of the words of each row: (n_rows, n_bits), bool."""
    octets = words.view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_bits, bitorder="little").astype(bool)


def _merged(sets, amounts):
    """Return distinct sets in order of appearance, and the total amount of each."""
    totals = {}
    keys = sets.view(f"V{8 * sets.shape[1]}")[:, 0]
    for key, amount in zip(keys.tolist(), amounts.tolist()):
        totals[key] = totals.get(key, 0) + amount
    distinct = np.frombuffer(b"".join(totals), dtype=np.uint64)
    return distinct.reshape(-1, sets.shape[1]), np.array([*totals.values()], np.int64)


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
        specified, acting = np.flatnonzero(row), np.flatnonzero(net_counts)
        agreements = examples[acting][:, specified] == row[specified]
        sets, totals = _merged(packed(agreements), net_counts[acting])
        kept, n = totals != 0, len(specified)
        columns = packed(unpacked(sets[kept], n).T)
        multiplicities, n_free = np.ones(n, dtype=np.int64), 0
        if compress:
            is_free = np.bitwise_count(columns).sum(axis=1) == np.count_nonzero(kept)
            n_free = int(np.count_nonzero(is_free))
            columns, multiplicities = _merged(
                columns[~is_free], multiplicities[~is_free]
            )
        return cls(columns, multiplicities, totals[kept], n_free, net_counts)

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
        return unpacked(self.columns, len(self.net_counts)).T

    @cached_property
    def sets(self):
        """Attributes that each set contains, as bits: (m, ceil(n / 64)), uint64."""
        return packed(self.agreements)

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
        return packed((self.net_counts >> np.arange(n_planes)[:, None]) & 1)


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


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum W, or an estimate of it.

    Attributes
    ----------
    log_value : float
        Natural logarithm of W.
    std_error : float
        Relative standard error of W, which is the standard error of `log_value`. It is
        0 if the sum is exact. It is infinite if the chains were too short for an
        estimate, or if there was a single replicate. For the :term:`state-merging
        dynamic program`, it is also infinite if no stored example is promoted, and at
        least the change that one more random draw can cause. It does not include
        regions that all replicates and the pilot miss.
    exact : bool
        Whether `log_value` is exact, except for rounding.
    sampler : str
        Engine that computed the sum: 'closed_form' if none was needed, 'brute_force',
        'superset', 'table', 'frontier' (the state-merging dynamic program), or the kind
        of Markov chain.
    n_states : int
        Number of terms (brute force, superset sum), or largest number of states that
        were kept at the same time (dynamic program).
    n_replicates : int
        Number of independent runs of the resampled dynamic program, whose mean is W; 0
        for other engines.
    n_chains : int
        Number of Markov chains whose results were used; 0 for other engines.
    n_simulated : int
        Number of Markov chains that were run. Chains run in groups. A sum that stops
        early, because only its side of a threshold is required, can run more chains
        than it uses.
    n_ladder : int
        Number of Markov chains of the full temperature ladder.
    """

    log_value: float
    std_error: float
    exact: bool
    sampler: str
    n_states: int = 0
    n_replicates: int = 0
    n_chains: int = 0
    n_simulated: int = 0
    n_ladder: int = 0
    _count: Callable | None = field(default=None, repr=False, compare=False)

    @cached_property
    def density(self):
        """Density of states of an exact sum: dict of int to float, or None.

        It maps each phi to the logarithm of the total initial weight of the terms whose
        net promotion count is phi. The sum is then
        ``W = sum(exp(v) * alpha**k for k, v in density.items())`` for every alpha. It
        is computed on first access. It is None for estimates, and if the size of terms
        is limited. A ValueError is raised if it requires more than 16 million states.
        """
        if self._count is None:
            return None
        phi, log_weights = self._count()
        return dict(zip(phi.tolist(), log_weights.tolist()))


def closed_form(problem, log_alpha, log_beta, max_term_size=None):
    """Return the weighted sum if it needs no engine, else None.

    If no stored example has an effect, W = (1 + beta)^n. If one has an effect, with
    agreement set A, the terms inside A are multiplied by alpha^c. If no attribute
    distinguishes between stored examples, all terms are multiplied by the same factor.
    """
    if problem.n and len(problem.net_counts) > 1:
        return None
    if max_term_size is not None and problem.n:
        if len(problem.net_counts):
            return None
        value = log_initial_weight(np.ones(problem.n), log_beta, max_term_size)
        return WeightedSum(value, 0.0, True, "closed_form")
    phi, log_weights = _parts(problem, log_beta)
    value = float(np.logaddexp.reduce(log_alpha * phi + log_weights))
    count = partial(_parts, problem, log_beta)
    return WeightedSum(value, 0.0, True, "closed_form", _count=count)


def _parts(problem, log_beta):
    """Return phi, ascending, and the log weight of its terms, of a closed form."""
    log_total = problem.log_total(log_beta)
    if problem.n == 0 or not len(problem.net_counts):
        return np.array([problem.net_counts.sum()]), np.array([log_total])
    # One stored example and one attribute: the attributes of disagreement are twins.
    n_outside = int(problem.multiplicities[0])
    log_outside = n_outside * log_one_plus(log_beta)
    phi = np.array([problem.net_counts[0], 0])
    log_weights = np.array(
        [log_total - log_outside, log_total + np.log(-np.expm1(-log_outside))]
    )
    order = np.argsort(phi)
    return phi[order], log_weights[order]


# The largest n of a superset sum: 2^24 entries, 64 megabytes.
MAX_SUPERSET = 24
# Factors that differ by more than this many natural logarithms, of the 1,400 that
# float64 spans, are kept as logarithms.
MAX_LOG_SPAN = 600.0
# Maximum number of powers of alpha that are tabulated. With more, the dynamic program
# also uses logarithms.
MAX_POWERS = 2**20


def superset_fits(problem, log_beta):
    """Return whether the superset sum is possible in float64, with a table that fits.

    Powers of alpha are relative to the largest. Powers that underflow would also have
    no effect on the sum, if initial weights do not differ by as much.
    """
    log_odds = problem.log_odds(log_beta)
    return (
        problem.n <= MAX_SUPERSET
        and log_odds[log_odds > 0].sum() <= MAX_LOG_SPAN
        and -log_odds[log_odds < 0].sum() <= MAX_LOG_SPAN
        and problem.phi_high - problem.phi_low <= MAX_POWERS
    )
