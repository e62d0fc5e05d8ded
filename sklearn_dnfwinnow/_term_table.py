"""Explicit weights: a table of all terms up to a size that the training rows satisfy.

The rows are known before training, so that their terms can be numbered once, for all
classes. A weighted sum is then a gather, and an update an increment, over the terms of
one row, whatever the number of updates.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property
from math import comb, log

import numpy as np

from sklearn_dnfwinnow._initial import log_initial_weight, log_initial_weights
from sklearn_dnfwinnow._simd import extents, term_table
from sklearn_dnfwinnow._weighted_sum import WeightedSum
from sklearn_dnfwinnow._weights import distinct_in_order

#: Bytes that one index with its tables may take.
MEMORY_BUDGET = 512 * 2**20
# Grouping is tried with so many states first, and with sixteen times as many while
# memory allows: it is quick to see that there are far too many.
_FIRST_STATES, _MOST_STATES = 1 << 14, 1 << 22
# And given up after so many words of masks: about a second.
_MOST_WORK = 1 << 28
# Terms a row from which on it pays to look for groups first.
_LONG_LIST = 1 << 12
# The caps that max_term_size='auto' falls back to where all sizes do not fit.
_CAPS = (None, 3, 2, 1)
# Powers of alpha are tabulated for so many exponents, and up to e^600 beyond the
# largest in play: sums of 2^31 of them stay finite.
_MOST_POWERS, _LARGEST_LOG_POWER = 1 << 20, 600.0
_MARGIN = 64
# Entries of the state that the kernels keep.
_POSITION, _REMAINING, _WRONG, _ARRIVED, _LOW, _HIGH = range(6)
_WIDTHS = (np.int16, np.int32, np.int64)
# Specified attributes of a query that all subsets are visited of.
_MOST_SPECIFIED = 10
# Interrupts are looked for after so many terms.
_TERMS_AT_ONCE = 1 << 26


class TooManyTerms(ValueError):
    """The terms of the rows do not fit the memory budget."""


def _none(dtype, ndim=1):
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
    """

    kind: str
    rows: np.ndarray
    n_terms: int
    log_priors: np.ndarray
    terms: np.ndarray = field(default_factory=lambda: _none(np.int32))
    starts: np.ndarray = field(default_factory=lambda: _none(np.int64, 2))
    n_longer: np.ndarray = field(default_factory=lambda: _none(np.int64, 2))
    log_weights: np.ndarray = field(default_factory=lambda: _none(np.float64))
    presented: tuple = (None, None)

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

    def positions(self, codes):
        """Where presentations are among the rows; the same object is known again."""
        if self.presented[0] is not codes:
            found = [self.places[row.tobytes()] for row in codes]
            self.presented = codes, np.array(found, dtype=np.int64)
        return self.presented[1]


# -- which index -----------------------------------------------------------------------


def _n_subsets(n, max_term_size):
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


def _cap(max_term_size, rows):
    """The size of the longest terms that some rows satisfy, None being any."""
    longest = int((rows != 0).sum(axis=1).max(initial=0))
    return longest if max_term_size is None else min(max_term_size, longest)


def _fitting_kind(rows, n_values, max_term_size, n_tables, budget):
    """The kind of full index that fits a budget, or None; and the bytes of the least.

    Nothing is allocated for it.
    """
    cap = _cap(max_term_size, rows)
    sizes, counts = np.unique((rows != 0).sum(axis=1), return_counts=True)
    n_listed = sum(
        int(count) * _n_subsets(int(size), cap) for size, count in zip(sizes, counts)
    )
    # Logarithms first: they do not take long where the answer is no.
    log2_total = log_initial_weight(n_values, 0.0, cap) / log(2)
    n_terms = (
        _n_longer(n_values, cap)[cap][0] if log2_total < 62 else 2 ** int(log2_total)
    )
    width = 2 * n_tables
    lists = 4 * n_listed + 8 * len(rows) * (cap + 2) + width * min(n_listed, n_terms)
    numbers = width * n_terms
    if lists <= budget:
        return "lists", lists
    if numbers <= budget:
        return "numbers", numbers
    return None, min(lists, numbers)


def _mib(n_bytes):
    mib = -(-n_bytes // 2**20)
    return f"{mib:,} MiB" if mib < 10**6 else f"2^{mib.bit_length() - 1} MiB"


def choose_max_term_size(rows, n_values, n_tables, budget=None):
    """The cap of max_term_size='auto': none if all terms fit, else 3, 2 or 1."""
    budget = MEMORY_BUDGET if budget is None else budget
    for cap in _CAPS:
        if _fitting_kind(rows, n_values, cap, n_tables, budget)[0]:
            return cap
    return 1


def term_index(rows, n_values, max_term_size, log_beta, n_tables, budget=None):
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
    n_tables : int
        Tables that will be made with it.
    budget : int, optional
        Bytes; `MEMORY_BUDGET` by default.
    """
    budget = MEMORY_BUDGET if budget is None else budget
    kind, needed = _fitting_kind(rows, n_values, max_term_size, n_tables, budget)
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
        f"'auto', which here is "
        f"{choose_max_term_size(rows, n_values, n_tables, budget)}."
    )


def list_terms(rows, n_values, max_term_size, log_beta):
    """The index that lists each row's terms, those of one size together."""
    cap = _cap(max_term_size, rows)
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
    return TermIndex("lists", rows, n_terms, log_priors, terms, starts)


def number_terms(rows, n_values, max_term_size, log_beta):
    """The index that numbers all terms over all values, and keeps no list."""
    cap = _cap(max_term_size, rows)
    n_longer = np.array(_n_longer(n_values, cap), dtype=np.int64)
    return TermIndex(
        "numbers",
        rows,
        int(n_longer[cap, 0]),
        log_beta * np.arange(cap + 1.0),
        n_longer=n_longer,
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
        np.zeros(1),
        terms,
        np.ascontiguousarray(np.column_stack([starts[:-1], starts[1:]])),
        log_weights=np.concatenate([log_weights[:n_found], log_singles[single]]),
    )


# -- sums of rows that no index knows --------------------------------------------------


def terms_in_reach(codes, max_term_size=None):
    """Which rows `log_sums` is for: all under a cap, else those it is quick for."""
    if max_term_size is not None:
        return np.ones(len(codes), dtype=bool)
    return (codes != 0).sum(axis=1) <= _MOST_SPECIFIED


def log_sums(updates, exponents, codes, log_alpha, log_beta, max_term_size=None):
    """The weighted sums of any rows, from the updates.

    The sum of a row depends neither on the other rows nor on their order.

    Parameters
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the updates.
    exponents : ndarray of shape (m,), int64
        Their exponents.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to sum for.
    log_alpha, log_beta : float
    max_term_size : int or None

    Returns
    -------
    log_sums : ndarray of shape (n_rows,), float64
    """
    if len(codes) == 0:
        return np.empty(0)
    acting = exponents != 0
    updates, exponents = updates[acting], exponents[acting]
    cap = _cap(max_term_size, codes)
    rest = np.zeros((codes.shape[1] + 1, len(codes)), dtype=np.int64)
    rest[:-1] = (codes != 0).T[::-1].cumsum(axis=0)[::-1]
    columns = np.ascontiguousarray(np.concatenate([updates, codes]).T)
    width = int(columns.max(initial=0)) + 1
    sums = np.empty(len(codes))
    term_table.sum_queries(
        columns,
        np.ascontiguousarray(exponents),
        rest,
        log_initial_weights(np.ones(rest[0].max(initial=0)), log_beta, cap),
        log_alpha,
        log_beta,
        np.zeros(width, dtype=np.int32),
        np.empty(width, dtype=np.int32),
        np.empty(len(codes)),
        sums,
    )
    return sums


# -- the weights -----------------------------------------------------------------------


class TermTable:
    """Term weights as integers, one exponent a term: exact, up to a term size.

    The table is a cache: `updates` and `exponents` say everything.

    Parameters
    ----------
    index : TermIndex
        Of the updates, in their order, and then of all other rows to be presented.
    log_alpha : float
        Logarithm of the factor of one unit of exponent.
    exponents : ndarray of shape (m,), int64
        Exponents of the updates, which are the first rows of the index.
    version : int
        Number of updates made so far.
    """

    # No Markov chain is ever run.
    n_chains = n_simulated = n_ladder = 0

    def __init__(self, index, log_alpha, exponents, version=0):
        self._index = index
        self._log_alpha = log_alpha
        self._first_version = version
        n_rows, m = len(index.rows), len(exponents)
        self._net = np.zeros(n_rows, dtype=np.int64)
        self._net[:m] = exponents
        self._known = np.zeros(n_rows, dtype=np.uint8)
        self._known[:m] = True
        self._arrivals = np.zeros(n_rows, dtype=np.int64)
        self._arrivals[:m] = np.arange(m)
        self._state = np.zeros(_HIGH + 1, dtype=np.int64)
        self._state[_ARRIVED] = m
        # No term can come to more than all promotions, or less than all demotions.
        self._state[_LOW] = int(exponents[exponents < 0].sum())
        self._state[_HIGH] = int(exponents[exponents > 0].sum())
        self._table = np.zeros(index.n_terms, dtype=self._width(0))
        self._tabulate(0)
        acting = np.flatnonzero(exponents).astype(np.int64)
        self._state[_LOW], self._state[_HIGH] = term_table.add_exponents(
            self._table, acting, exponents[acting], self._arrays
        )
        self._tabulate(0)

    @property
    def updates(self):
        """Codes of the updates, distinct: (m, n_attributes), int32."""
        return self._index.rows[self._arrivals[: self._state[_ARRIVED]]]

    @property
    def exponents(self):
        """Exponents of the updates: (m,), int64."""
        return self._net[self._arrivals[: self._state[_ARRIVED]]]

    @property
    def version(self):
        """Number of updates made so far."""
        return self._first_version + self._state[_WRONG]

    def log_sum(self, row):
        """The weighted sum of a row of codes of the index."""
        value = term_table.log_sum(self._table, self._position_of(row), self._arrays)
        return WeightedSum(value, 0.0, True, "table")

    def exceeds(self, row, log_threshold, guess=True):
        """Whether the weighted sum of a row reaches a threshold."""
        return self.log_sum(row).log_value >= log_threshold

    def promote(self, row, amount=1):
        """Multiply the weights of all terms that the row satisfies."""
        self._update(row, amount)

    def demote(self, row, amount=1):
        """Divide the weights of all terms that the row satisfies."""
        self._update(row, -amount)

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses):
        """Present some rows of the index; how `ImplicitWeights.epoch` has it."""
        rows = self._index.positions(codes)
        order = np.ascontiguousarray(order, dtype=np.int64)
        before = self._state[_WRONG]
        at_once = max(1, _TERMS_AT_ONCE // self._terms_of_a_row)
        for start in range(0, len(order), at_once):
            self._state[_POSITION] = 0
            while not term_table.epoch(
                self._table,
                order[start : start + at_once],
                rows,
                np.ascontiguousarray(positive).view(np.uint8),
                units,
                one,
                log_threshold,
                guesses.view(np.uint8),
                self._net,
                self._known,
                self._arrivals,
                self._state,
                self._arrays,
            ):
                self._tabulate(one)
        return self._state[_WRONG] - before

    @property
    def _terms_of_a_row(self):
        index = self._index
        if index.kind == "numbers":
            return _n_subsets(index.rows.shape[1], len(index.log_priors) - 1)
        return max(1, len(index.terms) // len(index.rows))

    def _position_of(self, row):
        place = self._index.places.get(row.tobytes())
        if place is None:
            raise ValueError(
                "A term table knows the rows that it was made with; "
                "`log_sums` sums for any."
            )
        return place

    def _update(self, row, amount):
        place = self._position_of(row)
        while not term_table.update(
            self._table, place, amount, self._state, self._arrays
        ):
            self._tabulate(abs(amount))
        self._net[place] += amount
        if not self._known[place]:
            self._known[place] = True
            self._arrivals[self._state[_ARRIVED]] = place
            self._state[_ARRIVED] += 1
        self._state[_WRONG] += 1

    def _width(self, amount):
        """The narrowest integers that have room for one more update."""
        for width in _WIDTHS:
            limits = np.iinfo(width)
            if (
                self._state[_LOW] - amount >= limits.min
                and self._state[_HIGH] + amount <= limits.max
            ):
                return width
        raise OverflowError("Exponents of terms leave 64 bits.")

    def _tabulate(self, amount):
        """Make room: widen the exponents if they must, tabulate powers around them.

        An update that finds no room leaves everything as it is, so no exponent is ever
        wrapped.
        """
        width = self._width(amount)
        if np.iinfo(width).bits > 8 * self._table.itemsize:
            self._table = self._table.astype(width)
        limits = np.iinfo(self._table.dtype)
        margin = max(_MARGIN, amount, self._state[_HIGH] - self._state[_LOW])
        up = margin
        if up * self._log_alpha > _LARGEST_LOG_POWER:
            up = int(_LARGEST_LOG_POWER / self._log_alpha)
        low = max(self._state[_LOW] - margin, int(limits.min))
        high = min(self._state[_HIGH] + up, int(limits.max))
        if up >= amount and high - low < _MOST_POWERS:
            # Relative to the largest exponent in play.
            powers = np.exp(
                (np.arange(low, high + 1) - self._state[_HIGH]) * self._log_alpha
            )
        else:
            powers, low, high = _none(np.float64), int(limits.min), int(limits.max)
        self._arrays = (
            *self._index.arrays,
            powers,
            low,
            high,
            self._log_alpha,
            self._state[_HIGH] * self._log_alpha + self._index.log_scale,
        )


def term_tables(
    updates, exponents, versions, codes, n_values, max_term_size, log_alpha, log_beta
):
    """The tables of all classes, with one index, to present some rows to.

    Parameters
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the updates so far.
    exponents : ndarray of shape (n_classes, m), int64
        Their exponents in each class.
    versions : sequence of int
        Numbers of updates made so far.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to be presented.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    max_term_size : int or None
    log_alpha, log_beta : float

    Returns
    -------
    tables : list of TermTable
    """
    rows, places = distinct_in_order(np.concatenate([updates, codes]))
    index = term_index(rows, n_values, max_term_size, log_beta, len(exponents))
    index.presented = codes, places[len(updates) :]
    return [
        TermTable(index, log_alpha, own, version)
        for own, version in zip(exponents, versions)
    ]
