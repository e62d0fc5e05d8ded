"""Chosen terms: those whose weights are learned, where all others keep their own.

A model moves the weights of the terms of its stored examples. If each of them is a term
itself, and with it all its parts, any weights of the chosen terms can be had without
moving another one: the net count of an example is that of its term, less the net counts
of all longer examples that satisfy this term.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property
from itertools import chain, combinations
from math import comb, log

import numpy as np

from sklearn_dnfwinnow._terms._term_index import TermIndex, starts_of_segments
from sklearn_dnfwinnow._utils._computing import distinct_in_order

# Maximum number of rows times terms that are compared at once.
_AT_ONCE = 1 << 18


class ChosenTerms:
    """Terms as tuples of literals, the empty term first, then by size.

    Parameters
    ----------
    terms : iterable of tuples of (int, int)
        Literals are pairs of a column of codes and a code. The empty term is added, and
        repeats are left out.
    n_values : ndarray of shape (n_columns,), int64
        Largest code of each column.

    Attributes
    ----------
    terms : tuple of tuples of (int, int)
        Literals ascend.
    """

    def __init__(self, terms, n_values):
        every = {(), *(tuple(sorted(term)) for term in terms)}
        self.terms = tuple(sorted(every, key=lambda term: (len(term), term)))
        self.n_values = n_values

    @property
    def longest(self):
        """Return the number of literals of the longest term."""
        return len(self.terms[-1])

    @cached_property
    def with_parts(self):
        """The chosen terms and all their parts."""
        every = {
            part
            for term in self.terms
            for size in range(len(term) + 1)
            for part in combinations(term, size)
        }
        return ChosenTerms(every, self.n_values)

    @property
    def rows(self):
        """Return a row of codes for each term: (n_terms, n_columns), int32."""
        rows = np.zeros((len(self.terms), len(self.n_values)), dtype=np.int32)
        columns, codes = self._literals
        terms, places = np.nonzero(codes)
        rows[terms, columns[terms, places]] = codes[terms, places]
        return rows

    def places_of(self, terms):
        """Return the positions of some of the terms: (n,), int64."""
        return np.array([self._places[term] for term in terms], dtype=np.int64)

    @cached_property
    def _places(self):
        return {term: i for i, term in enumerate(self.terms)}

    # -- net counts --------------------------------------------------------------------

    def net_counts_of_rows(self, of_terms):
        """Return net counts of `rows` that give terms, and their parts, net counts.

        Parameters
        ----------
        of_terms : ndarray of shape (n_classes, n_terms), int64
            The terms must include all their parts.
        """
        found = of_terms.T.copy()
        # The longest terms first: no other row moves them.
        for amount, term in zip(found[:0:-1], self.terms[:0:-1]):
            if amount.any():
                for size in range(len(term)):
                    for part in combinations(term, size):
                        found[self._places[part]] -= amount
        return np.ascontiguousarray(found.T)

    # -- sums --------------------------------------------------------------------------

    def satisfied(self, rows):
        """Return the terms of rows of codes.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_columns), int32

        Returns
        -------
        starts : ndarray of shape (n_rows, longest + 2), int64
            Where the terms of each size begin in the list, and end.
        terms : ndarray, int32
            Positions of terms, by row and size.
        """
        n_terms, n_sizes = len(self.terms), self.longest + 1
        sizes = np.array([len(term) for term in self.terms])
        lengths = np.zeros((len(rows), n_sizes), dtype=np.int64)
        listed, n_at_once = [np.empty(0, np.int32)], max(1, _AT_ONCE // n_terms)
        for first in range(0, len(rows), n_at_once):
            block = slice(first, first + n_at_once)
            holds = np.ascontiguousarray(self._hold(rows[block]).T)
            places, terms = np.divmod(np.flatnonzero(holds), n_terms)
            listed.append(terms.astype(np.int32))
            of_block = places * n_sizes + sizes[terms]
            lengths[block].flat = np.bincount(of_block, minlength=len(holds) * n_sizes)
        return starts_of_segments(lengths), np.concatenate(listed)

    def _hold(self, rows):
        """Return whether rows satisfy terms: (n_terms, n_rows), bool."""
        (columns, codes), numbers = self._distinct_literals
        # Code 0 is no literal, behind the end of a term.
        satisfied = (rows[:, columns].T == codes[:, None]) | (codes == 0)[:, None]
        hold = np.ones((len(self.terms), len(rows)), dtype=bool)
        for of_terms in numbers.T:
            hold &= satisfied[of_terms]
        return hold

    @cached_property
    def _literals(self):
        """Columns and codes of terms, 0 behind their ends: (2, n_terms, longest)."""
        sizes = np.array([len(term) for term in self.terms])
        literals = np.zeros((2, len(self.terms), self.longest), dtype=np.int32)
        flat = np.array([*chain(*self.terms)], dtype=np.int32).reshape(-1, 2)
        literals[:, np.arange(self.longest) < sizes[:, None]] = flat.T
        return literals

    @cached_property
    def _distinct_literals(self):
        """Distinct literals as columns and codes, and their numbers in terms."""
        columns, codes = self._literals
        width = int(codes.max(initial=0)) + 1
        distinct, numbers = np.unique(
            columns.astype(np.int64) * width + codes, return_inverse=True
        )
        return np.divmod(distinct, width), numbers.reshape(columns.shape)

    def allowed(self, allowed, k):
        """Return whether class k may have each term: (n_terms,), bool."""
        # Behind the end of a term, code 0 is always allowed.
        columns, codes = self._literals
        return allowed.of_codes(k, columns, codes).all(axis=1)

    def log_rest(self, weighting, rows, satisfied, allowed=None, k=0):
        """Return the log of the total initial weight of all other terms of rows.

        Parameters
        ----------
        weighting : object
            With the `max_term_size` of all terms, and `log_beta`.
        rows : ndarray of shape (n_rows, n_columns), int32
        satisfied : tuple
            Their chosen terms, as returned by `satisfied`.
        allowed : Allowed, default=None
            The literals of each class.
        k : int, default=0
            The class.

        Returns
        -------
        logs : ndarray of shape (n_rows,), float64
            Minus infinity without any other term.
        """
        log_beta, max_term_size = weighting.log_beta, weighting.max_term_size
        starts, listed = satisfied
        n_chosen = np.diff(starts)
        if allowed is not None:
            rows = allowed.masked(rows, k)
            n_allowed = np.cumsum(np.append(0, self.allowed(allowed, k)[listed]))
            n_chosen = np.diff(n_allowed[starts])
        n_literals, places = np.unique(
            np.count_nonzero(rows, axis=1), return_inverse=True
        )
        most = int(n_literals.max(initial=0))
        cap = most if max_term_size is None else min(most, max_term_size)
        n_short = min(cap, self.longest) + 1
        # Numbers of short terms are integers: none remains where all are chosen.
        short = np.zeros((len(n_literals), n_short))
        longer = np.full((len(n_literals), cap + 1), -np.inf)
        for i, n in enumerate(n_literals.tolist()):
            for size in range(min(n, cap) + 1):
                if size < n_short:
                    short[i, size] = comb(n, size)
                else:
                    longer[i, size] = log(comb(n, size)) + log_beta * size
        logs = longer[places]
        left = np.maximum(short[places] - n_chosen[:, :n_short], 0.0)
        with np.errstate(divide="ignore"):
            logs[:, :n_short] = np.log(left) + log_beta * np.arange(n_short)
        return np.logaddexp.reduce(logs, axis=1)


def terms_of(rows):
    """Return the conjunctions of all literals of rows of codes: list of tuples."""
    return [tuple((int(j), int(row[j])) for j in np.flatnonzero(row)) for row in rows]


def index_of_chosen(terms, codes, log_beta):
    """Return the index of the chosen terms that rows satisfy.

    Parameters
    ----------
    terms : ChosenTerms
    codes : ndarray of shape (n_rows, n_columns), int
        Rows to be presented.
    log_beta : float

    Returns
    -------
    index : TermIndex
    """
    rows, places = distinct_in_order(codes)
    rows = np.ascontiguousarray(rows, dtype=np.int32)
    starts, listed = terms.satisfied(rows)
    index = TermIndex(
        kind="lists",
        rows=rows,
        n_terms=len(terms.terms),
        log_beta=log_beta,
        log_priors=log_beta * np.arange(terms.longest + 1.0),
        terms=listed,
        starts=starts,
        chosen=terms,
    )
    index.presented = codes, places
    return index
