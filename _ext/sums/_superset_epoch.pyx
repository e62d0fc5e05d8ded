"""Superset epochs: rows presented to the implied weights of a class, summed for here.

The agreement sets of all updates with a row are found from columns of codes, and all
terms of the row at once from these. Rows of many attributes, and what is close to the
threshold, are up to a function of the caller.

Since a row was last summed for, each promotion multiplied its sum by alpha at most, and
each demotion divided it by so much: where these bounds settle the outcome, it is not
summed for again.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from _signals cimport listen
from _tolerances cimport SLACK
from _yates cimport RUN, SupersetProblem, solve

cdef enum:
    # Attributes of a row that is summed for here, at most: 2^18 cells.
    _MOST_SPECIFIED = 18
    # Powers of alpha that are tabulated, at most.
    MOST_POWERS = 1 << 20
    # Sides of the threshold.
    BELOW = 0, ABOVE, UNKNOWN

MOST_SPECIFIED = _MOST_SPECIFIED


cdef class SupersetClass:
    """The updates of one class, with room for more, and the rows to be presented.

    Sums are made in memory of its own: not for two threads at once.
    """

    cdef readonly Py_ssize_t n_updates
    cdef readonly int64_t n_mistakes, n_full, n_skipped
    # See `__init__`.
    cdef int32_t[:, ::1] updates
    cdef int64_t[::1] exponents
    cdef const int32_t[:, ::1] rows
    cdef Py_ssize_t most_specified, max_updates
    cdef double log_alpha
    # Codes of the updates, attribute by attribute, and where a row is among them or -1.
    cdef int32_t* columns
    cdef int64_t* places
    # Bounds of log W of each row: above, but for all promotions ever; below, but for
    # all demotions. All of them so far.
    cdef double* bounds
    cdef double up, down
    # The sum in hand.
    cdef SupersetProblem problem
    cdef int32_t* masks
    cdef uint64_t* sets
    cdef int64_t* acting
    cdef double[_MOST_SPECIFIED] log_odds
    cdef int64_t work

    def __init__(
        self,
        *,
        int32_t[:, ::1] updates,     # IN, OUT (n_rows, n_attributes) codes
        int64_t[::1] exponents,      # IN, OUT (n_rows,)
        Py_ssize_t n_updates,        # that there are
        Py_ssize_t max_updates,      # that may be kept
        const int32_t[:, ::1] rows,  # IN (n_rows, n_attributes) updates, and other rows
        Py_ssize_t most_specified,   # attributes of a row that is summed for
        Py_ssize_t max_term_size,    # larger terms are left out of all sums
        double log_alpha,
        double log_beta,
    ):
        cdef Py_ssize_t n_rows = rows.shape[0], n = rows.shape[1], i, j
        self.updates, self.exponents, self.rows = updates, exponents, rows
        self.n_updates, self.max_updates = n_updates, max_updates
        self.most_specified = min(most_specified, <Py_ssize_t> _MOST_SPECIFIED)
        self.log_alpha = log_alpha
        self.places = <int64_t*> malloc(n_rows * sizeof(int64_t))
        self.bounds = <double*> malloc(2 * n_rows * sizeof(double))
        self.sets = <uint64_t*> malloc(n_rows * sizeof(uint64_t))
        self.acting = <int64_t*> malloc(n_rows * sizeof(int64_t))
        self.masks = <int32_t*> malloc(n_rows * sizeof(int32_t))
        self.columns = <int32_t*> malloc(n_rows * n * sizeof(int32_t))
        if (
            self.places == NULL or self.bounds == NULL or self.sets == NULL
            or self.acting == NULL or self.masks == NULL or self.columns == NULL
        ):
            raise MemoryError
        for i in range(n_rows):
            self.places[i] = i if i < n_updates else -1
            self.bounds[2 * i], self.bounds[2 * i + 1] = INFINITY, -INFINITY
        for i in range(n_updates):
            for j in range(n):
                self.columns[j * n_rows + i] = rows[i, j]
        for j in range(_MOST_SPECIFIED):
            self.log_odds[j] = log_beta
        self.problem.sets, self.problem.exponents = self.sets, self.acting
        self.problem.log_odds = self.log_odds
        self.problem.max_term_size = max_term_size

    def __dealloc__(self):
        free(self.places)
        free(self.bounds)
        free(self.sets)
        free(self.acting)
        free(self.masks)
        free(self.columns)

    cdef double log_sum(self, int64_t row) except? -1.0 nogil:
        """Return log W of a row, or NaN where it is not for this kernel to compute."""
        cdef SupersetProblem* p = &self.problem
        cdef Py_ssize_t m = self.n_updates, j, u, n = 0
        cdef const int32_t* column
        cdef int32_t code
        cdef int64_t low = 0, high = 0
        cdef double log_value
        for j in range(self.rows.shape[1]):
            n += self.rows[row, j] != 0
        if n > self.most_specified:
            return NAN
        for u in range(m):
            self.masks[u] = 0
        p.n = p.m = 0
        for j in range(self.rows.shape[1]):
            code = self.rows[row, j]
            if code:
                column = self.columns + j * self.rows.shape[0]
                for u in range(m):
                    self.masks[u] |= (column[u] == code) << p.n
                p.n += 1
        for u in range(m):
            if self.exponents[u]:
                self.sets[p.m] = <uint64_t> self.masks[u]
                self.acting[p.m] = self.exponents[u]
                low += min(self.exponents[u], 0)
                high += max(self.exponents[u], 0)
                p.m += 1
        listen(&self.work, RUN * p.m + (n << n))
        if high - low > MOST_POWERS or not solve(
            p, max(high, -low) < 1 << 15, self.log_alpha, &log_value, NULL, 0
        ):
            return NAN
        return log_value

    cdef void bound(self, int64_t row, double log_value) noexcept nogil:
        """Keep what log W of a row is now, NaN being unknown."""
        if log_value == log_value:
            self.bounds[2 * row] = log_value - self.up
            self.bounds[2 * row + 1] = log_value + self.down

    cdef int side(self, int64_t row, double aim) except -1 nogil:
        """Return the side of the threshold that log W of a row is on."""
        cdef double slack = SLACK * (1.0 + fabs(aim) + self.up + self.down), log_value
        if self.bounds[2 * row] + self.up < aim - slack:
            self.n_skipped += 1
            return BELOW
        if self.bounds[2 * row + 1] - self.down > aim + slack:
            self.n_skipped += 1
            return ABOVE
        self.n_full += 1
        log_value = self.log_sum(row)
        self.bound(row, log_value)
        if fabs(log_value - aim) > slack:
            return ABOVE if log_value > aim else BELOW
        return UNKNOWN

    cdef void update(self, int64_t row, int64_t amount) noexcept nogil:
        """Promote by a row, or demote."""
        cdef int64_t place = self.places[row]
        cdef double moved = self.log_alpha * <double> amount
        cdef Py_ssize_t j
        if place < 0:
            place = self.places[row] = self.n_updates
            self.n_updates += 1
            self.exponents[place] = 0
            for j in range(self.rows.shape[1]):
                self.updates[place, j] = self.rows[row, j]
                self.columns[j * self.rows.shape[0] + place] = self.rows[row, j]
        self.exponents[place] += amount
        self.n_mistakes += 1
        self.up += max(moved, 0.0)
        self.down += max(-moved, 0.0)
        # All terms of this row were multiplied alike.
        self.bounds[2 * row + (1 if amount > 0 else 0)] += moved

    def present(
        self,
        *,
        const int64_t[::1] order,        # IN (n_presented,) presentations to go through
        const int64_t[::1] rows,         # IN (n,) the row that each presents
        const uint8_t[::1] positive,     # IN (n,) whether it is of the class
        const int64_t[::1] units,        # IN (n,) its weight
        int64_t one,                     # so many units make a whole presentation
        uint8_t[::1] guesses,            # OUT (n,) predictions
        double log_threshold,
        double margin,                   # by which it is to be exceeded, or missed
        exceeds,                         # whether the sum of a row reaches a threshold,
                                         # and its logarithm, NaN if that is not exact
        Py_ssize_t n_done,               # presentations that are done,
        int64_t remaining,               # and units that are left of the next, or 0
    ):
        """Go on with an epoch; return `n_done` and `remaining`.

        It ends early where there are too many updates.
        """
        cdef int64_t i, row, amount
        cdef int side
        cdef double aim, log_value
        with nogil:
            while n_done < order.shape[0] and self.n_updates <= self.max_updates:
                i = order[n_done]
                row = rows[i]
                aim = log_threshold + (margin if positive[i] else -margin)
                if remaining == 0:
                    remaining = units[i]
                while remaining > 0 and self.n_updates <= self.max_updates:
                    side = self.side(row, aim)
                    if side == UNKNOWN:
                        with gil:
                            side, log_value = exceeds(row, aim, bool(guesses[i]))
                        self.bound(row, log_value)
                    guesses[i] = side == ABOVE
                    amount = min(one, remaining)
                    remaining -= amount
                    if guesses[i] == positive[i]:
                        # Nothing changes: those to come would end the same.
                        remaining = 0
                    else:
                        self.update(row, amount if positive[i] else -amount)
                n_done += remaining == 0
        return n_done, remaining
