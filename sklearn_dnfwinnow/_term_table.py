"""Explicit weights: a table of all terms up to a size that the training rows satisfy.

The rows are known before training, so that their terms can be numbered once, for all
classes. A weighted sum is then a gather, and an update an increment, over the terms of
one row, whatever the number of updates.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._forgetting import NO_LIMIT, kept
from sklearn_dnfwinnow._initial import log_initial_weights
from sklearn_dnfwinnow._simd import term_table
from sklearn_dnfwinnow._term_index import cap_of, n_subsets, no_entries, term_index
from sklearn_dnfwinnow._weighted_sum import WeightedSum
from sklearn_dnfwinnow._weights import distinct_in_order

# Powers of alpha are tabulated for so many exponents, and up to e^600 beyond the
# largest in play: sums of 2^31 of them stay finite.
_MOST_POWERS, _LARGEST_LOG_POWER = 1 << 20, 600.0
_MARGIN = 64
# Entries of the state that the kernels keep.
_POSITION, _REMAINING, _WRONG, _ARRIVED, _LOW, _HIGH, _MOST_UPDATES = range(7)
_WIDTHS = (np.int16, np.int32, np.int64)
# Specified attributes of a query that all subsets are visited of.
_MOST_SPECIFIED = 10
# Interrupts are looked for after so many terms.
_TERMS_AT_ONCE = 1 << 26


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
    cap = cap_of(max_term_size, codes)
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
    own : ndarray of int, optional
        Which of the updates are of this class, in order of arrival; by default all.
    max_updates : int
        Beyond so many updates an epoch forgets some.
    """

    # No Markov chain is ever run.
    chains = {"run": 0, "ladder": 0, "simulated": 0}

    def __init__(
        self,
        index,
        log_alpha,
        exponents,
        version=0,
        own=None,
        max_updates=NO_LIMIT,
    ):
        self._index = index
        self._log_alpha = log_alpha
        self._first_version = version
        n_rows, m = len(index.rows), len(exponents)
        own = np.arange(m) if own is None else own
        self._net = np.zeros(n_rows, dtype=np.int64)
        self._net[:m] = exponents
        self._known = np.zeros(n_rows, dtype=np.uint8)
        self._known[own] = True
        self._arrivals = np.zeros(n_rows, dtype=np.int64)
        self._arrivals[: len(own)] = own
        self._state = np.zeros(_MOST_UPDATES + 1, dtype=np.int64)
        self._state[_ARRIVED] = len(own)
        self._state[_MOST_UPDATES] = max_updates
        self._table = np.zeros(index.n_terms, dtype=np.int16)
        self._add(np.arange(m), exponents)

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
        return self._first_version + int(self._state[_WRONG])

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
        max_updates = int(self._state[_MOST_UPDATES])
        if self._state[_ARRIVED] > max_updates:
            # The bound is a new one.
            self._forget(max_updates)
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
                if self._state[_ARRIVED] > max_updates:
                    self._forget(max_updates)
                else:
                    self._tabulate(one)
        return int(self._state[_WRONG] - before)

    @property
    def _terms_of_a_row(self):
        index = self._index
        if index.kind == "numbers":
            return n_subsets(index.rows.shape[1], len(index.log_priors) - 1)
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

    def _add(self, places, amounts):
        """Add to the exponents of some rows' terms."""
        # No term can come to more than all promotions, or less than all demotions.
        self._state[_LOW] += int(amounts[amounts < 0].sum())
        self._state[_HIGH] += int(amounts[amounts > 0].sum())
        self._tabulate(0)
        acting = amounts != 0
        self._state[_LOW], self._state[_HIGH] = term_table.add_exponents(
            self._table, places[acting], amounts[acting], self._arrays
        )
        self._tabulate(0)

    def _forget(self, max_updates):
        """Take back what the updates of the smallest exponents did."""
        arrivals = self._arrivals[: self._state[_ARRIVED]]
        stay = kept(self._net[arrivals], max_updates)
        gone = np.delete(arrivals, stay)
        self._add(gone, -self._net[gone])
        self._net[gone] = 0
        self._known[gone] = False
        self._arrivals[: len(stay)] = arrivals[stay]
        self._state[_ARRIVED] = len(stay)

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
            powers, low, high = no_entries(np.float64), int(limits.min), int(limits.max)
        self._arrays = (
            *self._index.arrays,
            powers,
            low,
            high,
            self._log_alpha,
            self._state[_HIGH] * self._log_alpha + self._index.log_scale,
        )


def term_tables(
    updates,
    exponents,
    versions,
    codes,
    n_values,
    max_term_size,
    log_alpha,
    log_beta,
    own=None,
    max_updates=NO_LIMIT,
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
    own : list of ndarrays of int, optional
        Which updates are of each class, in order of arrival; by default all.
    max_updates : int

    Returns
    -------
    tables : list of TermTable
    """
    rows, places = distinct_in_order(np.concatenate([updates, codes]))
    index = term_index(rows, n_values, max_term_size, log_beta, len(exponents))
    own = [None] * len(exponents) if own is None else own
    index.presented = codes, places[len(updates) :]
    return [
        TermTable(index, log_alpha, *of_class, max_updates)
        for of_class in zip(exponents, versions, own)
    ]
