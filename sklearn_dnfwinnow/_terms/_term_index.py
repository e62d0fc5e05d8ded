"""Term index: the terms up to a size that some rows satisfy, numbered.

It is made once for all classes: as lists of the terms of each row; without lists, all
terms over all values being numbered; or as lists of groups of terms that exactly the
same rows satisfy.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property
from math import comb, log

import numpy as np

from sklearn_dnfwinnow._kernels import extents, term_table
from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums, log_initial_weight
from sklearn_dnfwinnow._utils._distinct_rows import behind_updates

#: Bytes that one index with a table may take.
MEMORY_BUDGET = 512 * 2**20
# Grouping is tried with so many states first, and with sixteen times as many while
# memory allows: it is quick to see that there are far too many.
_FIRST_STATES, _MOST_STATES = 1 << 14, 1 << 22
# And given up after so many words of masks: about half a second.
_MOST_WORK = 1 << 24
# Terms a row from which on it pays to look for groups first.
_LONG_LIST = 1 << 12
# The caps that max_term_size='auto' has to choose from.
_CAPS = (None, 3, 2, 1)
# Its budget: terms of a row, on average; and terms that an epoch of all classes sums.
_MOST_TERMS, _MOST_SUMMED = 1 << 12, 1 << 30
# Terms over all values are numbered where a table of them is small, or where listing
# would take so many times as long: a list costs as much as ten sums over it.
_SMALL_TABLE, _LISTED_A_TERM = 1 << 17, 4


class TooManyTerms(ValueError):
    """The terms of the rows do not fit the memory budget."""


def no_entries(dtype, ndim=1):
    return np.empty((0,) * ndim, dtype=dtype)


@dataclass(eq=False)
class TermIndex:
    """Terms of some distinct rows, numbered.

    Attributes
    ----------
    kind : {'lists', 'numbers', 'groups'}
        Whether the terms of each row are listed; computed from its codes, all terms
        over all values being numbered; or listed as groups that the same rows satisfy.
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_terms : int
        Terms or groups.
    log_initials : ndarray of shape (n_rows,), float64
        Weighted sums of the rows before any update.
    log_priors : ndarray of shape (n_segments,), float64
        Initial weight of the terms of each segment of a row's list.
    terms, starts : ndarrays, int32 and int64
        Lists of all rows, and (n_rows, n_segments + 1) where their segments start.
    n_longer : ndarray of shape (max_term_size + 1, n_attributes + 1), int64
        For 'numbers': terms of up to c literals over the attributes from j on.
    log_weights : ndarray of shape (n_terms,), float64
        Initial weights of groups.
    presented : tuple of two ndarrays
        Codes of the last presentations, and their positions among the rows.
    recipe : tuple
        What makes it: a function and its arguments.
    """

    kind: str
    rows: np.ndarray
    n_terms: int
    log_initials: np.ndarray
    log_priors: np.ndarray
    terms: np.ndarray = field(default_factory=lambda: no_entries(np.int32))
    starts: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    n_longer: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    log_weights: np.ndarray = field(default_factory=lambda: no_entries(np.float64))
    presented: tuple = (None, None)
    recipe: tuple = ()

    def __reduce__(self):
        """Made again where it arrives: rows are far smaller than their terms."""
        return self.recipe

    @cached_property
    def places(self):
        """From the bytes of a row to its position."""
        return {row.tobytes(): i for i, row in enumerate(self.rows)}

    @cached_property
    def log_scale(self):
        """Initial weights are taken relative to the largest of them."""
        logs = self.log_weights if self.kind == "groups" else self.log_priors
        return float(logs.max())

    @cached_property
    def arrays(self):
        """What the kernels ask for, besides powers of alpha."""
        groups = self.kind == "groups"
        return (
            self.terms,
            self.starts,
            self.rows,
            self.n_longer,
            np.exp(self.log_priors - (0.0 if groups else self.log_scale)),
            self.log_priors,
            np.exp(self.log_weights - self.log_scale),
            self.log_weights,
        )

    @property
    def terms_a_row(self):
        """How many terms, or groups, a sum is over, on average."""
        if self.kind == "numbers":
            return n_subsets(self.rows.shape[1], len(self.log_priors) - 1)
        return len(self.terms) // len(self.rows)

    def positions(self, codes):
        """Where presentations are among the rows; the same object is known again."""
        if self.presented[0] is not codes:
            self.presented = codes, self.find(codes)
        return self.presented[1]

    def find(self, codes):
        """Where some rows of codes are among the rows."""
        found = [self.places[row.tobytes()] for row in codes]
        return np.array(found, dtype=np.int64)


# -- which index -----------------------------------------------------------------------


def n_subsets(n, max_term_size):
    """Terms that a row of n specified attributes satisfies."""
    if max_term_size >= n:
        return 2**n
    return sum(comb(n, size) for size in range(max_term_size + 1))


def _n_longer(n_values, max_term_size):
    """Terms of up to c literals over the attributes from j on, as Python integers."""
    counts = [[1] * (len(n_values) + 1) for _ in range(max_term_size + 1)]
    for c in range(1, max_term_size + 1):
        for j in reversed(range(len(n_values))):
            counts[c][j] = counts[c][j + 1] + int(n_values[j]) * counts[c - 1][j + 1]
    return counts


def cap_of(max_term_size, rows):
    """The size of the longest terms that some rows satisfy, None being any."""
    longest = int((rows != 0).sum(axis=1).max(initial=0))
    return longest if max_term_size is None else min(max_term_size, longest)


def _n_listed(rows, cap):
    """Terms in the lists of all rows, as a Python integer."""
    counts = np.bincount((rows != 0).sum(axis=1))
    return sum(
        int(counts[size]) * n_subsets(int(size), cap) for size in np.flatnonzero(counts)
    )


def _fitting_kind(rows, n_values, max_term_size, budget):
    """The kind of full index that fits a budget, or None; and the bytes of the least.

    Nothing is allocated for it.
    """
    cap = cap_of(max_term_size, rows)
    n_listed = _n_listed(rows, cap)
    # Logarithms first: they do not take long where the answer is no.
    log2_total = log_initial_weight(n_values, 0.0, cap) / log(2)
    n_terms = (
        _n_longer(n_values, cap)[cap][0] if log2_total < 62 else 2 ** int(log2_total)
    )
    lists = 4 * n_listed + 8 * len(rows) * (cap + 2) + 2 * min(n_listed, n_terms)
    # With room for the terms of a row.
    numbers = 2 * n_terms + 8 * n_subsets(rows.shape[1], cap)
    short = n_terms <= max(_SMALL_TABLE, n_listed // _LISTED_A_TERM)
    if numbers <= budget and (short or lists > budget):
        return "numbers", numbers
    if lists <= budget:
        return "lists", lists
    return None, min(lists, numbers)


def _mib(n_bytes):
    mib = -(-n_bytes // 2**20)
    return f"{mib:,} MiB" if mib < 10**6 else f"2^{mib.bit_length() - 1} MiB"


def choose_max_term_size(rows, n_values, n_classes, budget=None):
    """The cap of max_term_size='auto': the largest that the budgets allow.

    Memory as in `term_index`, and work. Beyond the latter, longer terms were measured
    to cost more time than they save errors (``benchmarks/README.rst``).
    """
    budget = MEMORY_BUDGET if budget is None else budget
    most_listed = min(_MOST_TERMS * len(rows), _MOST_SUMMED // n_classes)
    for cap in _CAPS:
        few = _n_listed(rows, cap_of(cap, rows)) <= most_listed
        if few and _fitting_kind(rows, n_values, cap, budget)[0]:
            return cap
    return 1


def index_to_present(updates, codes, n_values, max_term_size, log_beta):
    """The index of the updates so far and of rows to be presented.

    Parameters
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Distinct codes, which become the first rows of the index.
    codes : ndarray of shape (n_rows, n_attributes), int32
    n_values, max_term_size, log_beta
        See `term_index`.
    """
    rows, places = behind_updates(updates, codes)
    index = term_index(rows, n_values, max_term_size, log_beta)
    index.presented = codes, places
    return index


def term_index(rows, n_values, max_term_size, log_beta, budget=None):
    """The index of some distinct rows that fits a budget.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    max_term_size : int or None
        Most literals of a term, None for any number.
    log_beta : float
    budget : int, optional
        Bytes of it and one table; `MEMORY_BUDGET` by default.
    """
    budget = MEMORY_BUDGET if budget is None else budget
    kind, needed = _fitting_kind(rows, n_values, max_term_size, budget)
    long = kind is None or needed > 4 * _LONG_LIST * len(rows)
    if max_term_size is None and long:
        index = group_terms(rows, n_values, log_beta, budget)
        if index is not None:
            return index
    if kind == "lists":
        return list_terms(rows, n_values, max_term_size, log_beta)
    if kind == "numbers":
        return number_terms(rows, n_values, max_term_size, log_beta)
    grouping = ""
    if max_term_size is None:
        grouping = ", and too many groups of terms that the same rows satisfy"
    raise TooManyTerms(
        f"sampler='table' with max_term_size={max_term_size} needs {_mib(needed)} for "
        f"the terms of {len(rows)} distinct rows of {rows.shape[1]} attributes, more "
        f"than the {_mib(budget)} allowed{grouping}. Set a smaller max_term_size, or "
        f"'auto'."
    )


def list_terms(rows, n_values, max_term_size, log_beta):
    """The index that lists each row's terms, those of one size together."""
    cap = cap_of(max_term_size, rows)
    n_specified = (rows != 0).sum(axis=1)
    choose = np.array(
        [[comb(n, s) for s in range(cap + 1)] for n in range(n_specified.max() + 1)]
    )
    starts = np.zeros((len(rows), cap + 2), dtype=np.int64)
    np.cumsum(choose[n_specified], axis=1, out=starts[:, 1:])
    starts[1:] += np.cumsum(starts[:-1, -1])[:, None]
    terms = np.empty(starts[-1, -1], dtype=np.int32)
    width = int(max(n_values, default=0)) + 1
    n_terms = term_table.list_terms(
        np.ascontiguousarray(rows.T),
        np.zeros(width, dtype=np.int32),
        np.empty(width, dtype=np.int32),
        starts[:, :-1].copy(),
        terms,
    )
    log_priors = log_beta * np.arange(cap + 1.0)
    log_initials = log_initial_sums(rows, log_beta, cap)
    return TermIndex(
        *("lists", rows, n_terms, log_initials, log_priors, terms, starts),
        recipe=(list_terms, (rows, n_values, max_term_size, log_beta)),
    )


def number_terms(rows, n_values, max_term_size, log_beta):
    """The index that numbers all terms over all values, and keeps no list."""
    cap = cap_of(max_term_size, rows)
    n_longer = np.array(_n_longer(n_values, cap), dtype=np.int64)
    return TermIndex(
        "numbers",
        rows,
        int(n_longer[cap, 0]),
        log_initial_sums(rows, log_beta, cap),
        log_beta * np.arange(cap + 1.0),
        n_longer=n_longer,
        recipe=(number_terms, (rows, n_values, max_term_size, log_beta)),
    )


def group_terms(rows, n_values, log_beta, budget=None):
    """The index of groups: terms of any size that exactly the same rows satisfy.

    They are promoted and demoted together, so that they share one exponent for ever,
    and act as one term with the sum of their initial weights (Li & Neal 2008).

    Returns
    -------
    TermIndex or None
        None where there are too many groups.
    """
    budget = MEMORY_BUDGET if budget is None else budget
    n_rows, n_attributes = rows.shape
    if int(np.sum(n_values)) * n_rows > budget:
        return None
    # The smallest extents first: they meet the closed form early.
    order = np.argsort(-np.asarray(n_values), kind="stable")
    literals, first = [], [0]
    for j in order:
        codes = np.arange(1, n_values[j] + 1)
        literals.append(rows[:, j] == codes[:, None])
        first.append(first[-1] + len(codes))
    literals = np.concatenate(literals)
    n_words = -(-n_rows // 64)
    masks = np.zeros((len(literals), 8 * n_words), dtype=np.uint8)
    masks[:, : -(-n_rows // 8)] = np.packbits(literals, axis=1, bitorder="little")
    masks = masks.view("<u8").astype(np.uint64)
    later = np.zeros((n_attributes + 1, n_rows))
    later[:-1] = (rows[:, order] != 0).T[::-1].cumsum(axis=0)[::-1]
    log_rest = later * np.log1p(np.exp(log_beta))

    n_states = _FIRST_STATES
    while True:
        if n_states * (8 * n_words + 32) > budget or n_states > _MOST_STATES:
            return None
        found = np.empty((n_states, n_words), dtype=np.uint64)
        log_weights = np.empty(n_states)
        log_singles = np.full(n_rows, -np.inf)
        n_found = extents.closed_extents(
            masks,
            np.array(first, dtype=np.int64),
            log_rest,
            log_beta,
            budget // 4,
            _MOST_WORK,
            found,
            log_weights,
            log_singles,
        )
        if n_found == -2:
            return None
        if n_found >= 0:
            break
        n_states *= 16
    found = found[:n_found]
    single = log_singles > -np.inf
    sizes = single.astype(np.int64)
    extents.count_rows(found, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    terms = np.empty(starts[-1], dtype=np.int32)
    extents.list_extents(found, starts[:-1].copy(), terms)
    # The group of a row alone is the last of its list.
    terms[starts[1:][single] - 1] = n_found + np.arange(single.sum())
    return TermIndex(
        "groups",
        rows,
        int(n_found + single.sum()),
        log_rest[0].copy(),
        np.zeros(1),
        terms,
        np.ascontiguousarray(np.column_stack([starts[:-1], starts[1:]])),
        log_weights=np.concatenate([log_weights[:n_found], log_singles[single]]),
        recipe=(group_terms, (rows, n_values, log_beta, budget)),
    )
