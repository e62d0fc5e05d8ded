"""The top-weighted terms of a model, exactly, by branch and bound."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from sklearn_dnfwinnow._kernels import heaviest
from sklearn_dnfwinnow._terms._conflicts import Conflicts
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Maximum number of looked-up literals of stored examples in a search, about ten
# seconds; and their number between two checks for interrupts.
MOST_WORK = 1 << 33
_WORK_AT_ONCE = 1 << 26


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
    """

    literals: tuple
    net_count: int
    log_weight: float


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
        terms whose weight exceeds the initial one. Without conditions, these are the
        terms of positive net count.
    conditions : Conditions, optional
        Conditions on the terms.
    k : int
        Index of the class in the conditions.
    """

    def __init__(
        self,
        examples,
        net_counts,
        log_alpha,
        log_beta,
        max_term_size=None,
        row=None,
        conditions=None,
        k=0,
    ):
        acting = net_counts != 0
        examples, self._net_counts = examples[acting], net_counts[acting]
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._promoted = row is None
        # Terms with given initial weights, separate from the search.
        self._initial, self._own_terms, self._examples = set(), [], examples
        if conditions is not None:
            initial = conditions.initial_terms_of(k, max_term_size)
            self._initial = {term.literals for term in initial}
            self._own_terms = self._heavy(initial, row)
            examples = conditions.masked(examples, k)
            row = row if row is None else conditions.masked(row[None], k)[0]
        if row is None:
            # A term of positive net count is satisfied by some promoted example.
            promoted = examples[self._net_counts > 0]
            in_play = [np.setdiff1d(codes, [0]) for codes in promoted.T]
        else:
            in_play = [np.array([code] if code else [], dtype=int) for code in row]
        sizes = [len(codes) for codes in in_play]
        self._n_terms = prod(size + 1 for size in sizes)
        columns = np.repeat(np.arange(len(sizes)), sizes)
        codes = np.concatenate([*in_play, []]).astype(np.int64)
        self._literals = list(zip(columns.tolist(), codes.tolist()))
        self._number_of = {literal: i for i, literal in enumerate(self._literals)}
        # A column for each attribute that has literals, and these numbered.
        used, self._column_of = np.unique(columns, return_inverse=True)
        self._column_of = self._column_of.astype(np.int32)
        self._table = np.full((len(examples), len(used)), -1, dtype=np.int32)
        first = 0
        for j, column in enumerate(used):
            known = in_play[column]
            places = np.searchsorted(known, examples[:, column])
            places = np.minimum(places, len(known) - 1)
            found = known[places] == examples[:, column]
            self._table[found, j] = first + places[found]
            first += len(known)
        self._conflicts = Conflicts.of(np.zeros(len(used)))
        if conditions is not None:
            owners = conditions.conflicts.owners[used]
            self._conflicts = replace(conditions.conflicts, owners=owners)
        if row is not None:
            # Examples that agree with the row on the same attributes are merged.
            distinct, _, inverse = distinct_rows(self._table + 1)
            totals = np.zeros(len(distinct), dtype=np.int64)
            np.add.at(totals, inverse, self._net_counts)
            self._table, self._net_counts = distinct - 1, totals
        # Branches begin with the literals of the smallest possible gain.
        gains = np.maximum(self._net_counts, 0)
        ups = [
            gains[self._table[:, j] == i].sum() for i, j in enumerate(self._column_of)
        ]
        self._order = np.argsort(ups, kind="stable").astype(np.int32)
        cap = len(used) if max_term_size is None else max_term_size
        self._longest = max(1, min(cap, len(used)))

    def heaviest(self, top, non_redundant=False, most_work=None):
        """Return the top-weighted terms.

        Parameters
        ----------
        top : int
            Number of terms.
        non_redundant : bool
            Whether to leave out redundant terms: the empty term, terms with a literal
            that excludes no stored example, and terms that contain, or are contained
            in, a term with a larger weight that was not left out.
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
        if not non_redundant:
            try:
                return self._ranked(self._search(top, None), self._own_terms, top)
            except GaveUp as short:
                found = self._ranked(short.found, self._own_terms, top)
                raise GaveUp(found) from None
        kept = []
        while len(kept) < top:
            try:
                found = self._search(1, kept)
            except GaveUp:
                raise GaveUp(kept) from None
            own = [term for term in self._own_terms if self._adds_to(kept, term)]
            best = self._ranked(found, own, 1)
            if not best:
                break
            kept += best
        return kept

    # -- initial terms -----------------------------------------------------------------

    def _heavy(self, initial, row):
        """Return initial terms that a row satisfies, or that exceed the default."""
        found = []
        for term in initial:
            net_count = int(self._net_counts[term.extent(self._examples)].sum())
            log_weight = term.log_weight + self._log_alpha * net_count
            if row is None:
                counts = log_weight > len(term.literals) * self._log_beta
            else:
                counts = term.extent(row[None])[0]
            if counts:
                found.append(HeavyTerm(term.literals, net_count, log_weight))
        return found

    def _ranked(self, found, own, top):
        """Return the top-weighted terms among found ones and some initial terms."""
        plain = [term for term in found if term.literals not in self._initial]
        return sorted([*plain, *own], key=_rank)[:top]

    def _adds_to(self, kept, term):
        """Return whether an initial term is non-redundant, given some terms."""
        literals = set(term.literals)
        if not literals or any(
            literals <= {*other.literals} or literals >= {*other.literals}
            for other in kept
        ):
            return False
        satisfied = [self._examples[:, column] == code for column, code in literals]
        n_missed = len(literals) - np.sum(satisfied, axis=0)
        return all((n_missed[~inside] == 1).any() for inside in satisfied)

    # -- search ------------------------------------------------------------------------

    def _search(self, top, kept):
        """Return the best terms; non-redundant ones given `kept`, if that is a list.

        The search includes terms that initial terms may replace.
        """
        members = np.zeros((len(kept or ()), len(self._literals)), dtype=np.uint8)
        for of_term, term in zip(members, kept or ()):
            # An initial term may have literals that no other has.
            numbers = [self._number_of.get(literal) for literal in term.literals]
            of_term[[number for number in numbers if number is not None]] = True
        sizes = [len(term.literals) for term in kept or ()]
        search = heaviest.HeaviestTerms(
            table=self._table,
            net_counts=self._net_counts,
            column_of=self._column_of,
            order=self._order,
            kept=members,
            kept_sizes=np.array(sizes, dtype=np.int64),
            owners=self._conflicts.owners,
            pair_starts=self._conflicts.starts,
            partners=self._conflicts.partners,
            log_alpha=self._log_alpha,
            log_beta=self._log_beta,
            promoted=self._promoted,
            non_redundant=kept is not None,
            longest=self._longest,
            top=min(top + len(self._initial), self._n_terms),
        )
        # Short terms first: their largest weights bound the branches to long ones.
        for max_size in sorted({*range(1, self._longest + 1)[:3], self._longest}):
            search.begin(max_size)
            if not self._finish(search):
                raise GaveUp(self._terms(search))
        return self._terms(search)

    def _finish(self, search):
        """Continue a search; return whether the remaining work sufficed."""
        while self._work_left > 0:
            work = min(_WORK_AT_ONCE, self._work_left)
            if search.search(work):
                return True
            self._work_left -= work
        return False

    def _terms(self, search):
        """Return the terms that a search has found as a list of HeavyTerm."""
        return [
            HeavyTerm(tuple(self._literals[i] for i in numbers), net_count, log_weight)
            for numbers, net_count, log_weight in search.found()
        ]


def _rank(term):
    """Return the sort key: descending weight, in a tie the shorter first."""
    return -term.log_weight, len(term.literals), term.literals
