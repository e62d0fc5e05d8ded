"""The top-weighted terms of a model, exactly, by branch and bound."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from collections import defaultdict
from dataclasses import dataclass
from math import prod

import numpy as np

from sklearn_dnfwinnow._kernels import heaviest_terms
from sklearn_dnfwinnow._utils._computing import distinct_rows

# Maximum number of looked-up literals of stored examples in a search, about ten
# seconds.
MOST_WORK = 1 << 33
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


class TermSearch:
    """A search among the terms of one class, or among those that a row satisfies.

    Parameters
    ----------
    examples : ndarray of shape (m, n_columns), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (m,), int64
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
    implications : Implications, optional
        Implications between the literals that terms may contain. Without them, literals
        of different columns do not imply one another.
    chosen : list of HeavyTerm, optional
        Terms whose weights were learned, without any stored examples. All others have
        their initial weights.
    """

    def __init__(
        self,
        examples,
        net_counts,
        log_alpha,
        log_beta,
        max_term_size=None,
        row=None,
        allowed=None,
        k=0,
        implications=None,
        chosen=None,
    ):
        acting = net_counts != 0
        examples, self._net_counts = examples[acting], net_counts[acting]
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._promoted = row is None
        self._max_term_size = max_term_size
        # Chosen terms are separate from the search.
        self._own_names, self._own_terms = set(), []
        largest = examples.max(axis=0, initial=0)
        if row is not None:
            largest = np.maximum(largest, row)
        for term in chosen or ():
            for column, code in term.literals:
                largest[column] = max(largest[column], code)
        # The number of a literal is that of its column, plus its code. Code 0, of no
        # literal, has a number too.
        self._firsts = np.append(0, np.cumsum(largest + 1))
        self._implications, self._factors = implications, None
        if implications is not None:
            self._firsts = implications.firsts
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
        starts = self._firsts[:-1]
        self._column_of = np.repeat(np.arange(len(starts)), np.diff(self._firsts))
        self._table = (examples + starts).astype(np.int32)
        gains = np.repeat(np.maximum(self._net_counts, 0), len(starts))
        ups = np.bincount(self._table.ravel(), gains, len(self._column_of))
        if row is None:
            # A term of positive net count is satisfied by some promoted example.
            in_play = np.setdiff1d(np.flatnonzero(ups), starts)
        else:
            in_play = (starts + row)[row != 0]
        if implications is not None:
            in_play = in_play[implications.names[in_play] == in_play]
        # Branches begin with the literals of the smallest possible gain.
        self._order = in_play[np.argsort(ups[in_play], kind="stable")]
        sizes = np.bincount(self._column_of[in_play])
        self._n_terms = prod((sizes + 1).tolist())
        n_columns = np.count_nonzero(sizes)
        cap = n_columns if max_term_size is None else max_term_size
        self._longest = max(1, min(cap, n_columns))

    def heaviest(self, top, most_work=None):
        """Return the top-weighted terms.

        Parameters
        ----------
        top : int
            Number of terms.
        most_work : int, optional
            Maximum work; `MOST_WORK` by default.

        Returns
        -------
        terms : list of HeavyTerm
            By descending weight; in a tie the shorter first, and then by literals.

        Raises
        ------
        GaveUp
        """
        # At most the number of all terms.
        top = min(top, self._n_terms + len(self._own_terms), sys.maxsize)
        self._work_left = MOST_WORK if most_work is None else most_work
        try:
            return self._ranked(self._search(top), top)
        except GaveUp as short:
            raise GaveUp(self._ranked(short.found, top)) from None

    # -- copies ------------------------------------------------------------------------

    def _name(self, literals):
        """Return the literals that name a term and its copies: tuple of (int, int)."""
        if self._implications is None:
            return literals
        numbers = np.array(self._implications.name(self._numbers(literals)))
        columns = np.searchsorted(self._firsts, numbers, "right") - 1
        return tuple(zip(columns.tolist(), (numbers - self._firsts[columns]).tolist()))

    def _numbers(self, literals):
        """Return the numbers of literals: list of int."""
        return [int(self._firsts[column]) + code for column, code in literals]

    def _log_copies(self, literals):
        """Return the log weight of a term and its copies, relative to the term."""
        if self._implications is None:
            return 0.0
        return self._implications.log_copies(
            self._numbers(literals), self._factors, self._max_term_size
        )

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
            default = len(literals) * self._log_beta + self._log_copies(literals)
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

    def _ranked(self, found, top):
        """Return the top-weighted terms among found ones and the chosen terms."""
        plain = [term for term in found if term.literals not in self._own_names]
        return sorted([*plain, *self._own_terms], key=_rank)[:top]

    # -- search ------------------------------------------------------------------------

    def _search(self, top):
        """Return the best terms, those that chosen terms may replace included."""
        top = min(top + len(self._own_names), self._n_terms)
        terms = np.zeros((top, self._longest), dtype=np.int32)
        sizes, net_counts = np.zeros((2, top), dtype=np.int64)
        log_weights = np.zeros(top)
        n_found, is_done, self._work_left = heaviest_terms.search(
            table=self._table,
            net_counts=self._net_counts,
            column_of=self._column_of.astype(np.int32),
            order=self._order.astype(np.int32),
            implications=self._implications,
            factors=self._factors,
            cap=-1 if self._max_term_size is None else self._max_term_size,
            log_alpha=self._log_alpha,
            log_beta=self._log_beta,
            promoted=self._promoted,
            work=self._work_left,
            terms=terms,
            sizes=sizes,
            nets=net_counts,
            weights=log_weights,
        )
        columns = self._column_of[terms]
        codes = terms - self._firsts[columns]
        found = [
            HeavyTerm(
                tuple(zip(columns[i, :size].tolist(), codes[i, :size].tolist())),
                int(net_counts[i]),
                float(log_weights[i]),
            )
            for i, size in enumerate(sizes[:n_found])
        ]
        if not is_done:
            raise GaveUp(found)
        return found


def _rank(term):
    """Return the sort key: descending weight, in a tie the shorter first."""
    return -term.log_weight, len(term.literals), term.literals
