"""Rule problem: rows and literals as bits, gains and costs of rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import block_diag, csr_array

from sklearn_dnfwinnow._utils._computing import distinct_rows

# Bits of each byte, the lowest first.
_SETS_OF_EIGHT = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(np.float64)
# Sets of rows whose sums are looked up at once.
_CHUNK = 4096


def packed(holds):
    """Return boolean rows as words, the first column as the lowest bit.

    Parameters
    ----------
    holds : ndarray of shape (n, n_bits), bool

    Returns
    -------
    words : ndarray of shape (n, n_words), uint64
    """
    n, n_bits = holds.shape
    words = np.zeros((n, -(-n_bits // 64)), dtype="<u8")
    # Columns are often given as rows: a copy in order takes less time than it saves.
    bits = np.packbits(np.ascontiguousarray(holds), axis=1, bitorder="little")
    words.view(np.uint8)[:, : bits.shape[1]] = bits
    return words.astype(np.uint64, copy=False)


def unpacked(words, n_bits):
    """Return words as boolean rows: (n, n_bits), bool."""
    bits = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(bits, axis=1, count=n_bits, bitorder="little").astype(bool)


def sums_of_rows(words, values):
    """Return the sum of the values of each set of rows: (n,), float64.

    Parameters
    ----------
    words : ndarray of shape (n, n_words), uint64
    values : ndarray of shape (n_bits,), float64
    """
    of_bytes = np.zeros(8 * 8 * words.shape[1])
    of_bytes[: len(values)] = values
    # The sums of all sets of eight rows: a set of rows has one in each of its bytes.
    table = of_bytes.reshape(-1, 8) @ _SETS_OF_EIGHT.T
    places, sums = np.arange(len(table)), np.zeros(len(words))
    for start in range(0, len(words), _CHUNK):
        some = np.ascontiguousarray(words[start : start + _CHUNK], dtype="<u8")
        some = table[places, some.view(np.uint8)]
        sums[start : start + _CHUNK] = some.sum(axis=1)
    return sums


# Summands of products of matrices that take as long as a word of bits.
_SUMMANDS_OF_WORD = 4


class LiteralCells:
    """Rows in cells: those of a cell satisfy the same literals of a feature.

    A feature with many literals, such as both sides of each of its cuts, has few cells.
    A sum over the rows that satisfy a literal is one over its cells.

    Parameters
    ----------
    holds : ndarray of shape (n_rows, n_literals), bool
    features : ndarray of shape (n_literals,), int

    Attributes
    ----------
    rows : csr_array of shape (n_cells, n_rows), float64
        1 for the rows of each cell, of which each feature has some, one after another.
    literals : csr_array of shape (n_literals, n_cells), float64
        1 for the cells of each literal.
    work : int
        Work of the sums for one set of rows, in words of bits.
    """

    def __init__(self, holds, features):
        order, blocks, cells, n_cells = [], [np.zeros((0, 0))], [], 0
        for feature in np.unique(features).tolist():
            literals = np.flatnonzero(features == feature)
            _, first, inverse = distinct_rows(np.packbits(holds[:, literals], axis=1))
            order += literals.tolist()
            blocks.append(holds[np.ix_(first, literals)].T)
            cells.append(n_cells + inverse)
            n_cells += len(first)
        rows = np.tile(np.arange(len(holds)), len(cells))
        incidence = (np.ones(len(rows)), (np.ravel(cells), rows))
        self.rows = csr_array(incidence, shape=(n_cells, len(holds)))
        self.literals = csr_array(block_diag(blocks, dtype=float))[np.argsort(order)]
        n_summands = sum(block.size for block in blocks) + len(rows)
        self.work = n_summands // _SUMMANDS_OF_WORD

    def sums(self, covers, values):
        """Return the sums of values of the rows of sets that satisfy each literal.

        Parameters
        ----------
        covers : ndarray of shape (n_sets, n_rows), bool
        values : ndarray of shape (n_rows,), float64

        Returns
        -------
        sums : ndarray of shape (n_sets, n_literals), float64
        """
        of_rows = np.ascontiguousarray((covers * values).T)
        return (self.literals @ (self.rows @ of_rows)).T


# Gains are rounded to this fraction of the largest sum of gains. All sums of gains are
# then exact in float64, and so do not depend on the order of the summands.
_RESOLUTION = 2.0**-40


@dataclass(frozen=True, eq=False)
class RuleProblem:
    """Rows, literals, gains, prices and limits of a rule set for one class.

    A rule is a set of literals, and covers the rows that satisfy all of them. The loss
    of a rule set is the sum of

    - the gain of each row with a positive gain that no rule covers,
    - for each rule, the cost of each row with a negative gain that it covers: a row
      that two rules cover counts twice (the loss of Dash, Günlük & Wei, 2018, which is
      linear in the rules, so that a bound over all rules exists), and
    - the prices of the rules and of their literals.

    Parameters
    ----------
    holds : ndarray of shape (n_rows, n_literals), bool
        Which row satisfies which literal.
    gains : ndarray of shape (n_rows,), float64
        What is gained by covering a row; negative if it should not be covered. For
        example the weight of the row, times 1 for the class and -1 for others.
    features : ndarray of shape (n_literals,), int
        Feature of each literal. A rule has one literal of a feature at most, or the two
        ends of an interval.
    ends : ndarray of shape (n_literals,), int
        1 for the lower end of an interval, such as ``x > 2``; -1 for an upper end, such
        as ``x <= 5``; 0 for others.
    weights, own_weights : ndarray of shape (n_rows,), float64
        Weight of each row, and the part of it that is in the class: `min_support` and
        `min_precision` refer to them.
    rule_price, literal_price : float, default=0
        Prices of a rule and of a literal, in units of gains.
    max_rules, max_literals : float, default=inf
        Maximum number of rules, and of literals of all rules together.
    max_term_size : int, default=3
        Maximum number of literals of a rule; an interval with two ends has two.
    min_support : float, default=0
        Minimum weight of the rows that a rule covers.
    min_precision : float, default=0
        Minimum fraction of this weight that is in the class.

    References
    ----------
    S. Dash, O. Günlük and D. Wei: Boolean decision rules via column generation.
    NeurIPS, 2018.
    """

    holds: np.ndarray
    gains: np.ndarray
    features: np.ndarray
    ends: np.ndarray
    weights: np.ndarray
    own_weights: np.ndarray
    rule_price: float = 0.0
    literal_price: float = 0.0
    max_rules: float = np.inf
    max_literals: float = np.inf
    max_term_size: int = 3
    min_support: float = 0.0
    min_precision: float = 0.0

    def __post_init__(self):
        types = {"holds": bool, "features": np.int32, "ends": np.int32}
        for name, dtype in types.items():
            array = np.ascontiguousarray(getattr(self, name), dtype=dtype)
            object.__setattr__(self, name, array)
        for name in ("gains", "weights", "own_weights"):
            values = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, rounded(values))

    def merged(self):
        """Return the problem on distinct rows, and the gains that cancel each other.

        Rows with the same literals become one, with the sums of their gains and
        weights. Positive and negative gains of such rows cancel: whatever the rules
        are, the loss contains the smaller of both sums. Rows are in an order that does
        not depend on the present one.

        Returns
        -------
        problem : RuleProblem
        unavoidable : float
        """
        _, first, inverse = distinct_rows(np.packbits(self.holds, axis=1))

        def totals(values):
            return np.bincount(inverse, weights=values, minlength=len(first))

        gained = totals(np.maximum(self.gains, 0.0))
        lost = totals(np.maximum(-self.gains, 0.0))
        problem = replace(
            self,
            holds=self.holds[first],
            gains=gained - lost,
            weights=totals(self.weights),
            own_weights=totals(self.own_weights),
        )
        return problem, float(np.minimum(gained, lost).sum())

    def useful_literals(self):
        """Return the positions of literals that a best rule set may need, ascending.

        A rule with any other literal covers too little to be worth its price, or to be
        within the limits.
        """
        words = packed(self.holds.T)
        gained = sums_of_rows(words, np.maximum(self.gains, 0.0))
        supports = sums_of_rows(words, self.weights)
        is_useful = (gained > self.price(1)) & (supports >= self.min_support)
        return np.flatnonzero(is_useful)

    def with_literals(self, positions):
        """Return the problem with some of the literals."""
        return replace(
            self,
            holds=self.holds[:, positions],
            features=self.features[positions],
            ends=self.ends[positions],
        )

    def with_first_literals(self, rules):
        """Return rules of no larger loss, with the first literals that allow this.

        Each literal is replaced by the first one of its feature, and its kind of end or
        none, with which the loss is no larger: literals that come first are preferred.
        """
        rules = list(rules)
        for i, rule in enumerate(rules):
            missed = np.maximum(self.gains, 0.0)
            for other in (*rules[:i], *rules[i + 1 :]):
                missed[self.covered(other)] = 0.0
            for literal in rule:
                rest = [one for one in rules[i] if one != literal]
                first = self._first_like(literal, rest, missed - self.losses)
                rules[i] = tuple(sorted([*rest, first]))
        return rules

    def _first_like(self, literal, rest, values):
        """Return the first literal that can replace one beside the rest of a rule.

        The rows that the rule covers must not have a smaller sum of values.
        """
        is_alike = (self.features == self.features[literal]) & (
            (self.ends == self.ends[literal]) | (self.ends == 0)
        )
        is_alike &= self.may_meet(rest).all(axis=0)
        literals = np.append(np.flatnonzero(is_alike[:literal]), literal)
        rows = np.flatnonzero(self.covered(rest))
        holds = self.holds[np.ix_(rows, literals)].astype(np.float64)
        gained = values[rows] @ holds
        is_allowed = gained >= gained[-1]
        if self.has_limits_of_rules:
            support, own = self.weights[rows] @ holds, self.own_weights[rows] @ holds
            is_allowed &= support >= self.min_support
            is_allowed &= own >= self.min_precision * support
        return int(literals[is_allowed.argmax()])

    @property
    def n_literals(self):
        """Return the number of literals."""
        return self.holds.shape[1]

    @property
    def has_limits_of_rules(self):
        """Return whether single rules have limits besides their size."""
        return self.min_support > 0 or self.min_precision > 0

    @cached_property
    def cells(self):
        """Return the LiteralCells of the rows."""
        return LiteralCells(self.holds, self.features)

    @cached_property
    def losses(self):
        """Return what covering each row costs: (n_rows,), float64."""
        return np.maximum(-self.gains, 0.0)

    def values(self, of_rows):
        """Return values of the rows with a positive gain, less the losses of others."""
        values = -self.losses
        values[self.gains > 0] = of_rows
        return values

    def may_meet(self, literals):
        """Return which literals a rule may contain beside others: bool.

        Shape (n_literals,) for a single one, else with a row for each.
        """
        literals = np.asarray(literals, dtype=np.intp)[..., None]
        is_other = self.features != self.features[literals]
        return is_other | (self.ends * self.ends[literals] == -1)

    def covered(self, rule):
        """Return which rows a rule covers: (n_rows,), bool."""
        return self.holds[:, list(rule)].all(axis=1)

    def price(self, size):
        """Return the price of a rule of a size, or of an array of sizes."""
        return self.rule_price + self.literal_price * size

    def contains(self, rule):
        """Return whether the size and the features of a rule are as they may be."""
        literals = list(rule)
        return len(literals) <= self.max_term_size and all(
            self.may_meet(literal)[literals[i + 1 :]].all()
            for i, literal in enumerate(literals)
        )

    def allows(self, rule):
        """Return whether the rows that a rule covers are within its limits."""
        covered = self.covered(rule)
        support = self.weights[covered].sum()
        own = self.own_weights[covered].sum()
        return support >= self.min_support and own >= self.min_precision * support

    def loss(self, rules):
        """Return the loss of a rule set."""
        missed, total = self.gains > 0, 0.0
        for rule in rules:
            covered = self.covered(rule)
            missed &= ~covered
            total += self.losses[covered].sum() + self.price(len(rule))
        return float(total + self.gains[missed].sum())


def rounded(values):
    """Return values rounded so that their sums are exact."""
    largest = np.abs(values).sum()
    if not largest > 0:
        return values
    step = 2.0 ** np.ceil(np.log2(largest)) * _RESOLUTION
    return np.rint(values / step) * step
