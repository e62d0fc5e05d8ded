"""Explicit weights: a table of all terms up to a size that the training rows satisfy.

The rows are known before training, so that their terms can be numbered once, for all
classes. A weighted sum is then a gather, and an update an increment, over the terms of
one row, whatever the number of updates.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import term_table
from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum
from sklearn_dnfwinnow._terms._term_index import no_entries
from sklearn_dnfwinnow._winnow._weights._update_budget import NO_LIMIT, kept

# Powers of alpha are tabulated for so many exponents, and up to e^600 beyond the
# largest in play: sums of 2^31 of them stay finite. Where those in play span more, they
# are taken relative to the threshold, which sums are kept about.
_MOST_POWERS, _LARGEST_LOG_POWER = 1 << 20, 600.0
_MARGIN = 64
# Other sums are relative to their largest term, down to where a double ends.
_LAST_LOG_FADE = 746.0
# Entries of the state that the kernels keep.
_POSITION, _REMAINING, _WRONG, _ARRIVED, _LOW, _HIGH, _PROMOTED, _DEMOTED = range(8)
_FULL, _SKIPPED = 8, 9
_WIDTHS = (np.int16, np.int32, np.int64)
# Interrupts are looked for after so many terms.
_TERMS_AT_ONCE = 1 << 26


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
        Exponents of the updates, oldest first.
    version : int
        Number of updates made so far.
    places : ndarray of shape (m,), int, optional
        Where the updates are among the rows of the index; the first by default.
    max_updates : int
        Most updates to keep, see :mod:`._update_budget`.
    """

    # No Markov chain is ever run.
    chains = {"run": 0, "ladder": 0, "simulated": 0}

    def __init__(
        self,
        index,
        log_alpha,
        exponents,
        version=0,
        places=None,
        max_updates=NO_LIMIT,
    ):
        self._index = index
        self._log_alpha = log_alpha
        self._first_version = version
        self._max_updates = max_updates
        n_rows, m = len(index.rows), len(exponents)
        places = np.arange(m) if places is None else places
        self._net = np.zeros(n_rows, dtype=np.int64)
        self._net[places] = exponents
        self._known = np.zeros(n_rows, dtype=np.uint8)
        self._known[places] = True
        self._arrivals = np.zeros(n_rows, dtype=np.int64)
        self._arrivals[:m] = places
        self._state = np.zeros(_SKIPPED + 1, dtype=np.int64)
        self._state[_ARRIVED] = m
        # No term can come to more than all promotions, or less than all demotions.
        self._state[_LOW] = int(exponents[exponents < 0].sum())
        self._state[_HIGH] = int(exponents[exponents > 0].sum())
        self._state[_PROMOTED] = self._state[_HIGH]
        self._state[_DEMOTED] = -self._state[_LOW]
        # Bounds of log W, but for all promotions, and for all demotions.
        self._bounds = np.column_stack([index.log_initials, index.log_initials])
        # Groups are out of order: their initial weights count as well.
        groups = index.kind == "groups"
        self._log_threshold = 0.0
        self._fades = no_entries(np.float64) if groups else _fades(log_alpha)
        self._table = np.zeros(index.n_terms, dtype=self._width(0))
        self._tabulate(0)
        acting = np.flatnonzero(self._net)
        for some in _slices(acting, self.rows_at_once):
            self._state[_LOW], self._state[_HIGH] = term_table.add_exponents(
                self._table, some, self._net[some], self._arrays
            )
        if len(acting):
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
        return self._first_version + int(self._state[_WRONG])

    @property
    def sums(self):
        """Sums that training asked for, see `Weights.sums`."""
        full, skipped = self._state[[_FULL, _SKIPPED]].tolist()
        return {"full": full, "increments": 0, "skipped": skipped}

    def log_sum(self, row):
        """The weighted sum of a row of codes of the index."""
        (value,) = self.log_sums([self._position_of(row)])
        return WeightedSum(value, 0.0, True, "table")

    def log_sums(self, places):
        """The logarithms of the weighted sums of some rows of the index."""
        places = np.asarray(places, dtype=np.int64)
        logs = np.empty(len(places))
        for some in _slices(np.arange(len(places)), self.rows_at_once):
            part = np.empty(len(some))
            term_table.log_sums(self._table, places[some], self._arrays, part)
            logs[some] = part
        return logs

    def exceeds(self, row, log_threshold, guess=True):
        """Whether the weighted sum of a row reaches a threshold."""
        return self.log_sum(row).log_value >= log_threshold

    def promote(self, row, amount=1):
        """Multiply the weights of all terms that the row satisfies."""
        self._update(row, amount)

    def demote(self, row, amount=1):
        """Divide the weights of all terms that the row satisfies."""
        self._update(row, -amount)

    def epoch(
        self, order, codes, positive, units, one, log_threshold, guesses, margin=0.0
    ):
        """Present some rows of the index; see `Weights.epoch`."""
        rows = self._index.positions(codes)
        order = np.ascontiguousarray(order, dtype=np.int64)
        before = self._state[_WRONG]
        if np.isfinite(log_threshold) and log_threshold != self._log_threshold:
            self._log_threshold = log_threshold
            self._tabulate(one)
        if self._state[_ARRIVED] > self._max_updates:
            # The bound is a new one.
            self._forget()
        for some in _slices(order, self.rows_at_once):
            self._state[_POSITION] = 0
            while not term_table.epoch(
                self._table,
                some,
                rows,
                np.ascontiguousarray(positive).view(np.uint8),
                units,
                one,
                log_threshold,
                margin,
                guesses.view(np.uint8),
                self._net,
                self._known,
                self._arrivals,
                self._bounds,
                self._max_updates,
                self._state,
                self._arrays,
            ):
                if self._state[_ARRIVED] > self._max_updates:
                    self._forget()
                self._tabulate(one)
        return int(self._state[_WRONG] - before)

    @property
    def rows_at_once(self):
        """Presentations between two looks for interrupts."""
        n_terms = self._index.terms_a_row
        return max(1, _TERMS_AT_ONCE // max(n_terms, 16))

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
        self._add(place, amount)
        if not self._known[place]:
            self._known[place] = True
            self._arrivals[self._state[_ARRIVED]] = place
            self._state[_ARRIVED] += 1
        self._state[_WRONG] += 1
        if self._state[_ARRIVED] > self._max_updates:
            self._forget()

    def _add(self, place, amount):
        while not term_table.update(
            self._table, place, amount, self._state, self._arrays
        ):
            self._tabulate(abs(amount))
        self._net[place] += amount

    def _forget(self):
        places = self._arrivals[: self._state[_ARRIVED]].copy()
        stay = kept(self._net[places], self._max_updates)
        for place in np.delete(places, stay):
            self._known[place] = False
            if self._net[place]:
                self._add(place, -self._net[place])
        self._state[_ARRIVED] = len(stay)
        self._arrivals[: len(stay)] = places[stay]

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
        span = self._state[_HIGH] - self._state[_LOW]
        up = margin = max(_MARGIN, amount, span)
        if span * self._log_alpha > _LARGEST_LOG_POWER:
            middle = (self._log_threshold - self._index.log_scale) / self._log_alpha
        else:
            middle = self._state[_HIGH]
            up = min(margin, int(_LARGEST_LOG_POWER / self._log_alpha))
        low = max(self._state[_LOW] - margin, int(limits.min))
        high = min(self._state[_HIGH] + up, int(limits.max))
        if up >= amount and high - low < _MOST_POWERS:
            logs = (np.arange(low, high + 1) - middle) * self._log_alpha
            with np.errstate(over="ignore"):
                powers = np.exp(logs)
        else:
            powers, low, high = no_entries(np.float64), int(limits.min), int(limits.max)
        self._arrays = (
            *self._index.arrays,
            powers,
            low,
            high,
            self._log_alpha,
            middle * self._log_alpha + self._index.log_scale,
            self._fades,
        )


def present_to_tables(tables, order, rows, margin):
    """Present rows to the tables of all classes at once.

    See `Weights.joint_epoch`; the tables are of one index.
    """
    index, max_updates = tables[0]._index, tables[0]._max_updates
    presented = index.positions(rows.codes)
    order = np.ascontiguousarray(order, dtype=np.int64)
    labels = np.ascontiguousarray(rows.labels, dtype=np.int64)
    for table in tables:
        if table._state[_ARRIVED] > max_updates:
            # The bound is a new one.
            table._forget()
    of_classes = [(t._net, t._known, t._arrivals, t._bounds, t._state) for t in tables]
    for some in _slices(order, max(1, tables[0].rows_at_once // len(tables))):
        tables[0]._state[_POSITION] = 0
        _alike(tables)
        while not term_table.joint_epoch(
            tables[0]._table,
            [table._table for table in tables],
            *(some, presented, labels, rows.units, rows.one, margin),
            of_classes,
            max_updates,
            [table._arrays for table in tables],
        ):
            for table in tables:
                if table._state[_ARRIVED] > max_updates:
                    table._forget()
                table._tabulate(rows.one)
            _alike(tables)


TermTable.joint_epoch = staticmethod(present_to_tables)


def _alike(tables):
    """Exponents of all tables in the same type of integers."""
    widest = max((table._table.dtype for table in tables), key=lambda t: t.itemsize)
    for table in tables:
        table._table = table._table.astype(widest, copy=False)


def _slices(array, length):
    return (array[i : i + length] for i in range(0, len(array), length))


def _fades(log_alpha):
    """alpha^-d for d = 0, 1, ... down to 0; none where they are too many."""
    n_fades = _LAST_LOG_FADE / log_alpha + 2
    if n_fades > _MOST_POWERS:
        return no_entries(np.float64)
    return np.exp(-log_alpha * np.arange(int(n_fades)))
