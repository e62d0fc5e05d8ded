"""The top-weighted terms of a model, exactly, by best-first branch and bound.

Literals come in an order, and a branch adds those behind its last one. Terms with the
same literals but the last are a block: all terms that add one of its literals to
another are computed together. The net count of a term is at most the sum of the
positive net counts of the stored examples that satisfy a part of it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from math import log
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._computing import distinct_rows

# Maximum number of products in a search, about ten seconds, and what a block costs.
MOST_WORK, _BLOCK_WORK = 1 << 33, 1 << 18
# Maximum number of terms that are computed together.
_AT_ONCE = 1 << 20
# Logarithms of copies are rounded to its inverse: their order must not matter.
_ROUND = 2.0**36
# Fraction of a weight below which a difference is rounding.
_ROUNDING = 1e-9


def extent(codes, literals):
    """Return a mask of the rows of codes that satisfy all literals: (n_rows,), bool."""
    inside = np.ones(len(codes), dtype=bool)
    for column, code in literals:
        inside &= codes[:, column] == code
    return inside


@dataclass(frozen=True)
class HeavyTerm:
    """A term and its weight.

    Attributes
    ----------
    literals : tuple of (int, int)
        Columns and codes, ascending.
    net_count : int
        Net promotion count.
    log_weight : float
        With the weights of its copies, see `Implications`.
    model : int, default=0
        The model that has the term, if several are averaged.
    """

    literals: tuple
    net_count: int
    log_weight: float
    model: int = 0


class GaveUp(Exception):
    """Raised if a search takes too long; `found` are its top-weighted terms so far."""

    def __init__(self, found):
        super().__init__()
        self.found = found


class _Block(NamedTuple):
    """Terms that have all literals but the last in common.

    Literals are positions in the order of the search.

    Attributes
    ----------
    path : tuple of int
        The common literals.
    literals : ndarray of int
        The last literals.
    copies : ndarray of shape (n_sizes,), float64
        Weights of the copies of `path` by their excess size, relative to the largest.
    log_scale : float
        Logarithm of the largest.
    """

    path: tuple
    literals: np.ndarray
    copies: np.ndarray
    log_scale: float


class _Queue:
    """The terms of a search and blocks of terms to extend, the best first.

    Parameters
    ----------
    top : int
        Number of terms that are sought.
    """

    def __init__(self, top):
        self._top, self._entries, self._n_blocks = top, [], 0
        self._weights = np.empty(0)

    def least(self, log_weights=()):
        """Return the log weight that a term needs to be among the best.

        Among those so far, and others with given log weights.
        """
        every = np.append(self._weights, log_weights)
        if len(every) < self._top:
            return -np.inf
        return np.partition(every, -self._top)[-self._top]

    def add_terms(self, terms):
        """Add terms: in a tie, the shorter comes first, then the order of literals."""
        for term in terms:
            entry = -term.log_weight, len(term.literals), term.literals, 0, term
            heappush(self._entries, entry)
        every = np.append(self._weights, [term.log_weight for term in terms])
        self._weights = np.sort(every)[-self._top :]

    def add_block(self, block, bound):
        """Add a block of terms, given a bound of log weights of those that extend it.

        It comes before terms of the same weight and size.
        """
        self._n_blocks += 1
        entry = -bound, len(block.path) + 2, (), self._n_blocks, block
        heappush(self._entries, entry)

    def terms(self):
        """Return all terms, the best first."""
        items = [entry[-1] for entry in sorted(self._entries)]
        return [item for item in items if isinstance(item, HeavyTerm)]

    def pop(self):
        """Remove and return the best term or block; None if there is none."""
        return heappop(self._entries)[-1] if self._entries else None


class TermSearch:
    """A search among the terms of one class, or among those that a row satisfies.

    Parameters
    ----------
    examples : ndarray of shape (m, n_columns), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (m,), int64
    implications : Implications
        Implications between the literals that terms may contain.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of net count, and of the initial weight per
        literal.
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    row : ndarray of shape (n_columns,), int32, optional
        Codes of a row that satisfies the terms. Without a row, the search considers all
        terms of positive net count.
    allowed : Allowed, optional
        Literals that the terms of each class may contain; all by default.
    k : int
        Index of the class in `allowed`.
    chosen : list of HeavyTerm, optional
        Terms whose weights were learned, without any stored examples. All others have
        their initial weights.
    """

    def __init__(
        self,
        examples,
        net_counts,
        implications,
        log_alpha,
        log_beta,
        max_term_size=None,
        row=None,
        allowed=None,
        k=0,
        chosen=None,
    ):
        acting = net_counts != 0
        examples, self._net_counts = examples[acting], net_counts[acting]
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._promoted = row is None
        self._max_term_size = max_term_size
        # Chosen terms are separate from the search.
        self._own_names, self._own_terms = set(), []
        self._implications = implications
        self._factors = implications.factors(log_beta, max_term_size)
        if allowed is not None:
            examples = allowed.masked(examples, k)
            row = row if row is None else allowed.masked(row[None], k)[0]
        if chosen is not None:
            self._own_terms = self._heavy(chosen, row)
        if row is not None:
            # Examples that agree with the row on the same attributes are merged.
            examples, _, inverse = distinct_rows(np.where(examples == row, examples, 0))
            totals = np.zeros(len(examples), dtype=np.int64)
            np.add.at(totals, inverse, self._net_counts)
            self._net_counts = totals
        self._set_literals(examples, row)

    def _set_literals(self, examples, row):
        """Set the literals of the search, and which examples satisfy them."""
        implications, firsts = self._implications, self._implications.firsts
        starts, gains = firsts[:-1], np.maximum(self._net_counts, 0.0)
        if row is None:
            # A term of positive net count is satisfied by some promoted example.
            in_play = np.setdiff1d((examples + starts)[gains > 0], starts)
        else:
            in_play = (starts + row)[row != 0]
        in_play = in_play[implications.names[in_play] == in_play]
        columns = np.searchsorted(firsts, in_play, "right") - 1
        holds = examples[:, columns] == in_play - firsts[columns]
        # Branches begin with the literals of the smallest possible gain.
        order = np.argsort(gains @ holds, kind="stable")
        columns = columns[order]
        self._literals, self._holds = in_play[order], holds[:, order]
        codes = self._literals - firsts[columns]
        self._pairs = [*zip(columns.tolist(), codes.tolist())]
        self._columns = columns
        self._literal_factors = self._factors[implications.kinds[self._literals]]
        self._longest = len(np.unique(columns))
        if self._max_term_size is not None:
            self._longest = min(self._longest, self._max_term_size)
        # What the copies of a literal add to a log weight at most, after rounding.
        most = float(self._literal_factors.sum(axis=1).max(initial=1.0))
        self._log_most = log(most) + _ROUNDING if most > 1 else 0.0

    def heaviest(self, top):
        """Return the top-weighted terms.

        Parameters
        ----------
        top : int
            Number of terms.

        Returns
        -------
        terms : list of HeavyTerm
            By descending weight; in a tie the shorter first, and then by literals.

        Raises
        ------
        GaveUp
        """
        # Terms of the queue may be meanings of chosen terms, which are separate.
        queue, found, work = _Queue(top + len(self._own_names)), [], MOST_WORK
        queue.add_terms(self._own_terms)
        total = int(self._net_counts.sum())
        if () not in self._own_names and (total > 0 or not self._promoted):
            queue.add_terms([HeavyTerm((), total, self._log_alpha * total)])
        self._extend_empty(queue)
        while len(found) < top and (item := queue.pop()):
            if isinstance(item, HeavyTerm):
                found.append(item)
                continue
            places = np.flatnonzero(self._holds[:, item.path].all(axis=1))
            work -= len(places) * len(item.literals) ** 2 + _BLOCK_WORK
            if work < 0:
                raise GaveUp([*found, *queue.terms()][:top])
            self._extend(queue, item, places)
        return found

    # -- copies ------------------------------------------------------------------------

    def _name(self, literals):
        """Return the literals that name a term and its copies: tuple of (int, int)."""
        firsts = self._implications.firsts
        numbers = np.array(self._implications.name(self._numbers(literals)), dtype=int)
        columns = np.searchsorted(firsts, numbers, "right") - 1
        return tuple(zip(columns.tolist(), (numbers - firsts[columns]).tolist()))

    def _numbers(self, literals):
        """Return the numbers of literals: list of int."""
        return [int(self._implications.firsts[column]) + c for column, c in literals]

    # -- chosen terms ------------------------------------------------------------------

    def _heavy(self, chosen, row):
        """Return meanings of chosen terms that a row satisfies, or that count.

        Without a row, those count whose weight exceeds the initial one.
        """
        meanings = defaultdict(list)
        for term in chosen:
            meanings[self._name(term.literals)].append(term)
        self._own_names, found = set(meanings), []
        for literals, terms in meanings.items():
            default = len(literals) * self._log_beta + self._implications.log_copies(
                self._numbers(literals), self._factors, self._max_term_size
            )
            replaced = [len(term.literals) * self._log_beta for term in terms]
            left = -np.expm1(np.logaddexp.reduce(replaced) - default)
            log_weight = np.logaddexp.reduce([term.log_weight for term in terms])
            if left > _ROUNDING:
                log_weight = np.logaddexp(log_weight, default + np.log(left))
            if row is None:
                counts = log_weight > default
            else:
                counts = extent(row[None], terms[0].literals)[0]
            if counts:
                heavy = HeavyTerm(literals, terms[0].net_count, float(log_weight))
                found.append(heavy)
        return found

    # -- search ------------------------------------------------------------------------

    def _extend_empty(self, queue):
        """Queue the terms of one literal, and their block."""
        n_examples, n_literals = self._holds.shape
        copies = np.eye(1, self._factors.shape[1])
        self._add(
            queue=queue,
            block=_Block(
                path=(),
                literals=np.arange(n_literals),
                copies=copies[0],
                log_scale=0.0,
            ),
            places=np.arange(n_examples),
            paths=[()],
            within=np.ones((n_examples, 1)),
            may_add=np.ones((1, n_literals), dtype=bool),
            copies=copies,
        )

    def _extend(self, queue, block, places):
        """Queue the terms with two literals of a block, and their blocks.

        `places` are the positions of the stored examples that satisfy its path.
        """
        literals, n = block.literals, len(block.literals)
        if not block.path:
            # Names may have some pairs of these literals, the only ones that are added.
            columns = self._columns[literals]
            self._paired, self._is_apart = literals, columns[:, None] != columns
            self._is_apart &= ~self._implications.related(self._literals[literals])
        own = np.searchsorted(self._paired, literals)
        may_add = np.triu(self._is_apart[np.ix_(own, own)])
        may_add &= ~self._implications.amount_to_one(
            path=self._literals[[*block.path]].tolist(),
            literals=self._literals[literals],
        )
        factors = self._literal_factors[literals]
        copies = np.zeros_like(factors)
        for i, weight in enumerate(block.copies):
            copies[:, i:] += weight * factors[:, : len(block.copies) - i]
        step = max(1, _AT_ONCE // n)
        for part in (slice(first, first + step) for first in range(0, n, step)):
            self._add(
                queue=queue,
                block=block,
                paths=[(*block.path, literal) for literal in literals[part].tolist()],
                places=places,
                within=self._holds[np.ix_(places, literals[part])].astype(float),
                may_add=may_add[part],
                copies=copies[part],
            )

    def _add(self, queue, block, places, paths, within, may_add, copies):
        """Queue the terms that add a literal of a block to paths, and their blocks.

        Parameters
        ----------
        queue : _Queue
        block : _Block
        places : ndarray of shape (n_places,), int
            Positions of the stored examples that satisfy the path of the block.
        paths : list of n_paths tuples of int
        within : ndarray of shape (n_places, n_paths), float64
            1 for stored examples at these positions that satisfy a path, 0 for others.
        may_add : ndarray of shape (n_paths, n_literals), bool
        copies : ndarray of shape (n_paths, n_sizes), float64
            Weights of the copies of the paths, relative to the largest of the block.
        """
        literals, size = block.literals, len(paths[0]) + 1
        if size > self._longest:
            return
        logs = self._log_copies_of(copies, literals, size) + block.log_scale
        logs = np.rint(logs * _ROUND) / _ROUND
        net_counts = self._net_counts[places].astype(float)
        moved = net_counts[:, None] * self._holds[np.ix_(places, literals)]
        nets = within.T @ moved
        log_weights = size * self._log_beta + logs + self._log_alpha * nets
        counts = may_add & ((nets > 0) | (not self._promoted))
        counts &= log_weights >= queue.least(log_weights[counts])
        terms = []
        for i, j in np.argwhere(counts).tolist():
            term = tuple(sorted(self._pairs[p] for p in (*paths[i], literals[j])))
            if term not in self._own_names:
                terms.append(HeavyTerm(term, int(nets[i, j]), float(log_weights[i, j])))
        queue.add_terms(terms)
        # Literals that a bound adds: one, or all if longer terms are heavier a priori.
        n_most = self._longest - size
        if self._log_beta + self._log_most <= 0:
            n_most = min(n_most, 1)
        n_more = np.clip(may_add.sum(axis=1, keepdims=True) - 1, 0, n_most)
        if not n_more.any():
            return
        ups = within.T @ np.maximum(moved, 0)
        logs += n_more * self._log_most
        bounds = (size + n_more) * self._log_beta + logs + self._log_alpha * ups
        leads = may_add & (bounds >= queue.least())
        leads &= (ups > 0) | (not self._promoted)
        for i in np.flatnonzero(np.count_nonzero(leads, axis=1) > 1).tolist():
            largest = copies[i].max()
            next_block = _Block(
                path=paths[i],
                literals=literals[leads[i]],
                copies=copies[i] / largest,
                log_scale=block.log_scale + log(largest),
            )
            queue.add_block(next_block, float(bounds[i, leads[i]].max()))

    def _log_copies_of(self, copies, literals, size):
        """Return the logs of copies of terms of a size: (n_paths, n_literals)."""
        n = copies.shape[1]
        if self._max_term_size is not None:
            n = min(n, self._max_term_size - size + 1)
        sums = np.cumsum(copies[:, :n], axis=1)[:, ::-1]
        return np.log(sums @ self._literal_factors[literals, :n].T)
