"""Term index: the terms up to a size that some rows satisfy, and initial weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb, log
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from sklearn_dnfwinnow._kernels import interactions
from sklearn_dnfwinnow._utils._computing import distinct_in_order
from sklearn_dnfwinnow._utils._estimators import warn


def log_initial_weights(n_values, log_beta, max_term_size):
    """Return total initial weights of terms over the first attributes, by size.

    Parameters
    ----------
    n_values : array-like of shape (n,)
        Numbers of values of the attributes, 0 or more.
    log_beta : float
    max_term_size : int

    Returns
    -------
    log_weights : ndarray of shape (n + 1, max_term_size + 1)
        Entry (j, c) is the logarithm of the sum, over i up to c, of beta^i times the
        i-th elementary symmetric polynomial of the first j numbers.
    """
    log_weights = np.zeros((len(n_values) + 1, max_term_size + 1))
    with np.errstate(divide="ignore"):
        log_literals = np.log(np.asarray(n_values, dtype=float)) + log_beta
    for j, log_literal in enumerate(log_literals):
        # A term with a literal of attribute j is a shorter one over those before.
        log_weights[j + 1, 1:] = np.logaddexp(
            log_weights[j, 1:], log_literal + log_weights[j, :-1]
        )
    return log_weights


def log_initial_weight(n_values, log_beta, max_term_size=None):
    """Return the logarithm of the initial weight of all terms, up to a maximum size."""
    n_values = np.asarray(n_values)
    if max_term_size is None or max_term_size >= len(n_values):
        return float(np.log1p(np.exp(log_beta) * n_values).sum())
    return float(log_initial_weights(n_values, log_beta, max_term_size)[-1, -1])


def log_initial_sums(codes, log_beta, max_term_size=None):
    """Return the weighted sums of rows before any update: (n_rows,), float64."""
    n_specified = (codes != 0).sum(axis=1)
    logs = np.zeros(n_specified.max(initial=0) + 1)
    for n in np.flatnonzero(np.bincount(n_specified)):
        logs[n] = log_initial_weight(np.ones(n), log_beta, max_term_size)
    return logs[n_specified]


def no_entries(dtype, ndim=1):
    """Return an empty array."""
    return np.empty((0,) * ndim, dtype=dtype)


@dataclass(eq=False)
class TermIndex:
    """Terms of some distinct rows, numbered.

    Attributes
    ----------
    kind : {'lists', 'numbers', 'groups'}
        'lists': the terms of each row are listed. 'numbers': all terms over all values
        are numbered, and the terms of a row are computed from its codes. 'groups':
        groups of terms that the same rows satisfy are listed.
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_terms : int
        Number of terms or groups.
    log_beta : float
    log_priors : ndarray of shape (n_segments,), float64
        Initial weight of the terms of each segment of the list of a row.
    terms, starts : ndarrays, int32 and int64
        Lists of all rows, and starts of their segments, (n_rows, n_segments + 1).
    n_longer : ndarray of shape (max_term_size + 1, n_attributes + 1), int64
        For 'numbers': number of terms of up to c literals over the attributes from j
        on.
    log_weights : ndarray of shape (n_terms,), float64
        Initial weights of groups.
    chosen : ChosenTerms or None
        The terms, if only these are numbered; None if all are.
    log_scale : float
        The largest initial weight of a term, or group.
    priors, weights : ndarrays
        Initial weights of terms or of groups, relative to the largest.
    """

    kind: str
    rows: np.ndarray
    n_terms: int
    log_beta: float
    log_priors: np.ndarray
    terms: np.ndarray = field(default_factory=lambda: no_entries(np.int32))
    starts: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    n_longer: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    log_weights: np.ndarray = field(default_factory=lambda: no_entries(np.float64))
    chosen: Any = None

    def __post_init__(self):
        relative = self.log_weights if len(self.log_weights) else self.log_priors
        self.log_scale = float(relative.max())
        self.priors = np.exp(self.log_priors - self.log_scale)
        self.weights = np.exp(self.log_weights - self.log_scale)
        # Codes of the last presentations, and where they are among the rows.
        self.presented = None, None

    @cached_property
    def log_initials(self):
        """Weighted sums of the rows before any update: (n_rows,), float64."""
        cap = None if self.kind == "groups" else len(self.log_priors) - 1
        return log_initial_sums(self.rows, self.log_beta, cap)

    @cached_property
    def segments(self):
        """The segment of each term that some row satisfies: (n_terms,), uint8."""
        if self.kind == "numbers":
            n_values = -np.diff(self.n_longer[:2].sum(axis=0))
            ones = [np.ones(n, dtype=np.uint8) for n in n_values]
            return self.numbered(ones, combine=np.add, empty=np.uint8(0))
        segments = np.zeros(self.n_terms, dtype=np.uint8)
        of_row = np.arange(self.starts.shape[1] - 1, dtype=np.uint8)
        lengths = np.diff(self.starts, axis=1).ravel()
        segments[self.terms] = np.repeat(np.tile(of_row, len(self.starts)), lengths)
        return segments

    def numbered(self, literals, combine, empty):
        """Return what all terms have that are numbered, from what their literals have.

        The terms over the attributes from j on are the empty one, those that start with
        each value of j, and the others.

        Parameters
        ----------
        literals : list of n_attributes ndarrays of shape (n_values,)
        combine : ufunc
            Of a literal and a shorter term.
        empty : scalar
            What the empty term has.
        """
        of_terms = [np.array([empty])] * len(self.n_longer)
        for own in reversed(literals):
            of_terms[1:] = [
                np.concatenate(
                    [longer[:1], combine.outer(own, shorter).ravel(), longer[1:]]
                )
                for shorter, longer in pairwise(of_terms)
            ]
        return of_terms[-1]

    def positions(self, codes):
        """Return the positions of presentations among the rows, from a cache."""
        if self.presented[0] is not codes:
            _, places = distinct_in_order(np.concatenate([self.rows, codes]))
            self.presented = codes, places[len(self.rows) :]
        return self.presented[1]


# -- numbers of terms ------------------------------------------------------------------


def n_subsets(n, max_term_size):
    """Return the number of terms that a row of n specified attributes satisfies."""
    if max_term_size >= n:
        return 2**n
    return sum(comb(n, size) for size in range(max_term_size + 1))


@lru_cache(maxsize=32)
def small_sets(n, longest):
    """Return all sets of up to some of n attributes, by size, in the order of lists."""
    return [
        np.array([*combinations(range(n), size)], dtype=np.int64)
        for size in range(longest + 1)
    ]


def cap_of(max_term_size, rows):
    """Return the size of the longest terms of some rows; None means any size."""
    longest = int((rows != 0).sum(axis=1).max(initial=0))
    return longest if max_term_size is None else min(max_term_size, longest)


def terms_by_size(rows, longest, dtype=np.int64):
    """Return the numbers of terms of rows by size: (n_rows, longest + 1)."""
    n_specified = (rows != 0).sum(axis=1)
    sizes = range(longest + 1)
    numbers = range(n_specified.max(initial=0) + 1)
    table = np.array([[comb(n, s) for s in sizes] for n in numbers], dtype=dtype)
    return table[n_specified]


#: Maximum bytes of one index with a table.
MEMORY_BUDGET = 512 * 2**20
# Bytes of a group of terms for each number of literals, and of a row in it, while they
# are made; and what is added up at most, for all groups, columns and numbers of
# literals: it takes a fraction of a second to find out that there are too many.
_GROUP_BYTES, _ENTRY_BYTES, _MOST_WORK = 64, 128, 1 << 27
# Initial size of arrays of groups, which grow.
_FIRST_ROOM = 1 << 10


def starts_of_segments(lengths):
    """Return where segments start in a list, and end: (n_rows, n_segments + 1), int64.

    `lengths` are those of the segments of each row: (n_rows, n_segments).
    """
    starts = np.zeros((len(lengths), lengths.shape[1] + 1), dtype=np.int64)
    np.cumsum(lengths, axis=1, out=starts[:, 1:])
    starts[1:] += np.cumsum(starts[:-1, -1])[:, None]
    return starts


def list_terms(rows, n_values, max_term_size, log_beta):
    """Return the index that lists the terms of each row, by size.

    Terms of one size are in the lexicographic order of their attributes.
    """
    cap = cap_of(max_term_size, rows)
    starts = starts_of_segments(terms_by_size(rows, cap))
    # Where the next term of each row and size goes.
    nexts, terms = starts[:, :-1].copy(), np.zeros(starts[-1, -1], dtype=np.int32)
    columns, firsts = rows.T.astype(np.int64), np.cumsum(n_values) - n_values
    n_literals, n_terms = int(np.sum(n_values)), 1

    def extend(size, within, of_rows, first):
        """List the terms of a size that add a literal to a term of each row.

        They add an attribute from `first` on. `within` are the rows, and `of_rows`
        numbers their terms.
        """
        nonlocal n_terms
        codes = columns[first:, within]
        held = codes > 0
        attributes, places = np.nonzero(held)
        literals = firsts[first + attributes] + codes[held] - 1
        distinct, numbers = np.unique(
            of_rows[places] * n_literals + literals, return_inverse=True
        )
        turns = np.cumsum(held, axis=0)[held] - 1
        terms[nexts[within[places], size] + turns] = n_terms + numbers
        nexts[within, size] += held.sum(axis=0)
        n_terms += len(distinct)
        if size == cap:
            return
        ends = np.searchsorted(attributes, np.arange(len(columns) - first), "right")
        for j, part in enumerate(np.split(np.arange(len(places)), ends[:-1])):
            if len(part):
                extend(size + 1, within[places[part]], numbers[part], first + j + 1)

    if cap:
        every = np.arange(len(rows))
        extend(1, every, np.zeros(len(rows), dtype=np.int64), 0)
    return TermIndex(
        kind="lists",
        rows=rows,
        n_terms=n_terms,
        log_beta=log_beta,
        log_priors=log_beta * np.arange(cap + 1.0),
        terms=terms,
        starts=starts,
    )


def n_longer_terms(n_values, max_term_size):
    """Return counts of terms of up to c literals over attributes from j on, by (c, j).

    They are Python integers.
    """
    counts = [[1] * (len(n_values) + 1) for _ in range(max_term_size + 1)]
    for c in range(1, max_term_size + 1):
        for j in reversed(range(len(n_values))):
            counts[c][j] = counts[c][j + 1] + int(n_values[j]) * counts[c - 1][j + 1]
    return counts


def number_terms(rows, n_values, max_term_size, log_beta, cap=None):
    """Return the index that numbers all terms over all values, without lists.

    `cap` is the size of the longest terms; by default, of the terms that the rows
    satisfy.
    """
    cap = cap_of(max_term_size, rows) if cap is None else cap
    n_longer = np.array(n_longer_terms(n_values, cap), dtype=np.int64)
    return TermIndex(
        kind="numbers",
        rows=rows,
        n_terms=int(n_longer[cap, 0]),
        log_beta=log_beta,
        log_priors=log_beta * np.arange(cap + 1.0),
        n_longer=n_longer,
    )


def grouped_terms(rows, max_order, max_entries, max_groups):
    """Return groups of terms as the kernel makes them, or None if there are too many.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct.
    max_order : int
        Maximum number of literals.
    max_entries, max_groups : int
        Limits of the number of groups, and of the rows in all of them.
    """
    return interactions.group_interactions(
        columns=np.ascontiguousarray(rows.T, dtype=np.int32),
        max_order=max_order,
        n_codes=int(rows.max(initial=0)) + 1,
        max_groups=max_groups,
        max_entries=max_entries,
        room=_FIRST_ROOM,
    )


def group_terms(rows, log_beta):
    """Return the index of groups: terms of any size that exactly the same rows satisfy.

    The terms of a group are always promoted and demoted together. They share one
    net count, and act as one term with the sum of their initial weights (Li & Neal
    2008).

    Returns
    -------
    TermIndex or None
        None if there are too many groups, or more terms than floats can count.
    """
    longest = cap_of(None, rows)
    most_work = min(MEMORY_BUDGET * rows.shape[1] // _GROUP_BYTES, _MOST_WORK)
    found = grouped_terms(
        rows,
        longest,
        max_groups=most_work // (rows.shape[1] * (longest + 1)),
        max_entries=MEMORY_BUDGET // _ENTRY_BYTES,
    )
    if found is None or not np.isfinite(found["counts"]).all():
        return None
    counts, members = found["counts"], found["members"]
    memberships = csr_array(
        (np.ones(len(members), dtype=bool), members, found["starts"].astype(np.int32)),
        shape=(len(counts), len(rows)),
    ).tocsc()
    starts = memberships.indptr.astype(np.int64)
    with np.errstate(divide="ignore"):
        log_weights = np.log(counts) + log_beta * np.arange(longest + 1)
    return TermIndex(
        kind="groups",
        rows=rows,
        n_terms=len(counts),
        log_beta=log_beta,
        log_priors=np.zeros(1),
        terms=memberships.indices,
        starts=np.column_stack([starts[:-1], starts[1:]]),
        log_weights=np.logaddexp.reduce(log_weights, axis=1),
    )


# Number of terms per row above which groups are tried first.
_LONG_LIST = 1 << 12
#: The possible values of max_term_size='auto'.
CAPS = (None, 3, 2, 1)
# Its budget: average terms of a row; and terms that an epoch of all classes sums.
_MOST_TERMS, _MOST_SUMMED = 1 << 12, 1 << 30
# Terms over all values are numbered if a table of them is small, or if listing takes
# this many times as long: a list costs as much as ten sums over it.
_SMALL_TABLE, _LISTED_A_TERM = 1 << 17, 4


class TooManyTerms(ValueError):
    """The terms of the rows exceed the memory budget."""


def count_listed(rows, cap):
    """Return the number of terms in the lists of all rows, as a Python integer."""
    counts = np.bincount((rows != 0).sum(axis=1))
    return sum(
        int(counts[size]) * n_subsets(int(size), cap) for size in np.flatnonzero(counts)
    )


def count_terms(n_values, cap):
    """Return the number of terms up to a size over all values, as a Python integer.

    It is exact below 2^62, and at most the true number otherwise.
    """
    # Logarithms first: they are fast for very many terms.
    log2_total = log_initial_weight(n_values, 0.0, cap) / log(2)
    if log2_total < 62:
        return n_longer_terms(n_values, cap)[cap][0]
    return 2 ** int(log2_total)


def _fitting_kind(rows, n_values, max_term_size):
    """Return the kind of index of all terms that fits memory, or None; and its bytes.

    If none fits, the bytes are those of the smaller kind. Nothing is allocated.
    """
    cap = cap_of(max_term_size, rows)
    n_listed = count_listed(rows, cap)
    n_terms = count_terms(n_values, cap)
    lists = 4 * n_listed + 8 * len(rows) * (cap + 2) + 2 * min(n_listed, n_terms)
    # Including the terms of a row.
    numbers = 2 * n_terms + 8 * n_subsets(rows.shape[1], cap)
    short = n_terms <= max(_SMALL_TABLE, n_listed // _LISTED_A_TERM)
    if numbers <= MEMORY_BUDGET and (short or lists > MEMORY_BUDGET):
        return "numbers", numbers
    if lists <= MEMORY_BUDGET:
        return "lists", lists
    return None, min(lists, numbers)


def _mib(n_bytes):
    mib = -(-n_bytes // 2**20)
    return f"{mib:,} MiB" if mib < 10**6 else f"2^{mib.bit_length() - 1} MiB"


def choose_max_term_size(rows, n_values, n_classes):
    """Return the value of max_term_size='auto': the largest size within the budgets.

    The budgets are memory, as in `term_index`, and work. Measurements showed that
    longer terms beyond this work cost more time than they reduce errors.
    """
    most_listed = min(_MOST_TERMS * len(rows), _MOST_SUMMED // n_classes)
    for cap in CAPS:
        few = count_listed(rows, cap_of(cap, rows)) <= most_listed
        if few and _fitting_kind(rows, n_values, cap)[0]:
            return cap
    return 1


def index_to_present(weighting, examples, codes, n_values, may_group=True):
    """Return the index of the stored examples and of rows to be presented.

    Parameters
    ----------
    weighting : object
        With `max_term_size` and `log_beta`.
    examples : ndarray of shape (m, n_attributes), int32
        Distinct codes, which become the first rows of the index.
    codes : ndarray of shape (n_rows, n_attributes), int
    n_values, may_group
        See `term_index`.
    """
    rows, places = distinct_in_order(np.concatenate([examples, codes]))
    index = term_index(
        rows=np.ascontiguousarray(rows, dtype=np.int32),
        n_values=n_values,
        max_term_size=weighting.max_term_size,
        log_beta=weighting.log_beta,
        may_group=may_group,
    )
    index.presented = codes, places[len(examples) :]
    return index


def term_index(rows, n_values, max_term_size, log_beta, may_group=True):
    """Return the index of some distinct rows that fits into `MEMORY_BUDGET`.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    log_beta : float
    may_group : bool
        Whether terms that the same rows satisfy may be grouped: not if a class may
        have only some of them.
    """
    kind, needed = _fitting_kind(rows, n_values, max_term_size)
    long = kind is None or needed > 4 * _LONG_LIST * len(rows)
    if max_term_size is None and long and may_group:
        index = group_terms(rows, log_beta)
        if index is not None:
            return index
    if kind == "lists":
        return list_terms(rows, n_values, max_term_size, log_beta)
    if kind == "numbers":
        return number_terms(rows, n_values, max_term_size, log_beta)
    grouping = ""
    if max_term_size is None and may_group:
        grouping = ", and there are too many groups of terms"
    raise TooManyTerms(
        f"sampler='table' with max_term_size={max_term_size} needs {_mib(needed)} for "
        f"the terms of {len(rows)} distinct rows with {rows.shape[1]} features, "
        f"more than the {_mib(MEMORY_BUDGET)} allowed{grouping}. Set max_term_size to "
        "a smaller number, or to 'auto'."
    )


def warn_of_lost_interactions(rows, equal_helps):
    """Warn that `fit` reduced the maximum term size to one literal.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes, including columns of literals.
    equal_helps : bool
        Whether literals='equal' is a way out: whether its pairs are few enough.
    """
    a_row = (count_listed(rows, 2) - count_listed(rows, 1)) // len(rows)
    ways = ["set max_term_size=2 to learn pairs in more time", "pass fewer columns"]
    if equal_helps:
        ways.append("set literals='equal'")
    warn(
        "No interactions between columns are learned: pairs of conditions, about "
        f"{a_row:,} for each row, would take too much time or memory. To learn "
        f"interactions, {', '.join(ways[:-1])} or {ways[-1]}.",
    )
