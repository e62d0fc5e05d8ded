"""Superset epochs: rows presented to the implied weights of one class, summed for here.

The agreement sets of all updates with a row are read from columns of codes, and all
terms of the row are summed over at once. Sums over too many attributes, and those close
to the threshold, are up to a function of the caller.

Since a row was last summed for, each promotion multiplied its sum by alpha at most, and
each demotion divided it by so much: where these bounds settle the outcome, it is not
summed for again.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from _signals cimport listen
from _tolerances cimport SLACK
from _yates cimport RUN, SupersetProblem, allocate_and_solve

cdef enum:
    BELOW = 0, ABOVE, UNKNOWN        # sides of the threshold


cdef struct Presented:
    int64_t place                    # of a row among the updates, or -1
    double most                      # log W at most, but for all promotions ever
    double least                     # at least, but for all demotions


cdef class SupersetEpochs:
    """Epochs over some rows, as long as no update is dropped.

    Sums are made in memory of its own: not for two threads at once.
    """

    cdef readonly Py_ssize_t n_updates
    cdef readonly int64_t version
    cdef readonly int64_t n_full, n_skipped    # sums of the last call of `present`
    # See `__init__`.
    cdef int32_t[:, ::1] updates
    cdef int64_t[::1] exponents
    cdef Py_ssize_t max_stored_examples, max_powers
    cdef const int32_t[:, ::1] rows
    cdef double log_alpha
    cdef const double[::1] log_odds
    # All promotions ever, and all demotions, in natural logarithms.
    cdef double up, down
    cdef Presented* presented        # (n_rows,)
    cdef int32_t* columns            # (n_attributes, n_rows) codes of the updates
    # The sum in hand: room for agreement sets and their exponents, (n_rows,).
    cdef SupersetProblem problem
    cdef uint64_t* sets
    cdef int64_t* acting
    cdef int64_t work                # since the last look for Ctrl-C

    def __init__(
        self,
        *,
        int32_t[:, ::1] updates,     # IN, OUT (n_rows, n_attributes) codes
        int64_t[::1] exponents,      # IN, OUT (n_rows,)
        Py_ssize_t n_updates,        # that there are
        Py_ssize_t max_stored_examples,      # that may be kept
        int64_t version,             # updates made so far
        const int32_t[:, ::1] rows,  # IN (n_rows, n_attributes) distinct: the updates,
                                     # and other rows to be presented
        double log_alpha,
        const double[::1] log_odds,  # IN (n,) of as many attributes as can be summed
                                     # over here
        Py_ssize_t max_powers,       # of alpha, in one sum
        Py_ssize_t max_term_size,    # larger terms are left out of all sums
    ):
        cdef Py_ssize_t n_rows = rows.shape[0], n_attributes = rows.shape[1], i, j
        self.updates, self.exponents, self.rows = updates, exponents, rows
        self.n_updates, self.max_stored_examples = n_updates, max_stored_examples
        self.version = version
        self.log_alpha, self.log_odds = log_alpha, log_odds
        self.max_powers = max_powers
        self.presented = <Presented*> malloc(n_rows * sizeof(Presented))
        self.columns = <int32_t*> malloc(n_rows * n_attributes * sizeof(int32_t))
        self.sets = <uint64_t*> malloc(n_rows * sizeof(uint64_t))
        self.acting = <int64_t*> malloc(n_rows * sizeof(int64_t))
        if not (self.presented and self.columns and self.sets and self.acting):
            raise MemoryError
        for i in range(n_rows):
            self.presented[i].place = i if i < n_updates else -1
            self.presented[i].most, self.presented[i].least = INFINITY, -INFINITY
        for i in range(n_updates):
            for j in range(n_attributes):
                self.columns[j * n_rows + i] = rows[i, j]
        self.problem.sets, self.problem.exponents = self.sets, self.acting
        self.problem.log_odds = &log_odds[0] if log_odds.shape[0] else NULL
        self.problem.max_term_size = max_term_size

    def __dealloc__(self):
        free(self.presented)
        free(self.columns)
        free(self.sets)
        free(self.acting)

    cdef double log_sum(self, int64_t row) except? -1.0 nogil:
        """Return log W of a row, or NaN where it is not for this kernel to compute."""
        cdef SupersetProblem* p = &self.problem
        cdef Py_ssize_t n_attributes = self.rows.shape[1], j, u
        cdef const int32_t* column
        cdef int32_t code
        cdef int64_t low = 0, high = 0
        cdef double log_value
        p.n = p.m = 0
        for u in range(self.n_updates):
            self.sets[u] = 0
        for j in range(n_attributes):
            code = self.rows[row, j]
            if code:
                if p.n == self.log_odds.shape[0]:
                    return NAN
                column = self.columns + j * self.rows.shape[0]
                for u in range(self.n_updates):
                    self.sets[u] |= <uint64_t> (column[u] == code) << p.n
                p.n += 1
        for u in range(self.n_updates):
            if self.exponents[u]:
                self.sets[p.m] = self.sets[u]
                self.acting[p.m] = self.exponents[u]
                low += min(self.exponents[u], 0)
                high += max(self.exponents[u], 0)
                p.m += 1
        listen(&self.work, RUN * p.m + (p.n << p.n))
        if high - low > self.max_powers or not allocate_and_solve(
            p, max(high, -low) < 1 << 15, self.log_alpha, &log_value, NULL, 0
        ):
            return NAN
        return log_value

    cdef void bound(self, int64_t row, double log_value) noexcept nogil:
        """Keep what log W of a row is now; NaN is unknown."""
        if log_value == log_value:
            self.presented[row].most = log_value - self.up
            self.presented[row].least = log_value + self.down

    cdef int side(self, int64_t row, double aim) except -1 nogil:
        """Return the side of the threshold that log W of a row is on."""
        cdef double slack = SLACK * (1.0 + fabs(aim) + self.up + self.down), log_value
        listen(&self.work, RUN)
        if self.presented[row].most + self.up < aim - slack:
            self.n_skipped += 1
            return BELOW
        if self.presented[row].least - self.down > aim + slack:
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
        cdef Presented* presented = &self.presented[row]
        cdef double moved = self.log_alpha * <double> amount
        cdef Py_ssize_t j
        if presented.place < 0:
            presented.place = self.n_updates
            self.n_updates += 1
            self.exponents[presented.place] = 0
            for j in range(self.rows.shape[1]):
                self.updates[presented.place, j] = self.rows[row, j]
                self.columns[j * self.rows.shape[0] + presented.place] = (
                    self.rows[row, j]
                )
        self.exponents[presented.place] += amount
        self.version += 1
        # All terms of this row are multiplied alike.
        if amount > 0:
            self.up += moved
            presented.least += moved
        else:
            self.down -= moved
            presented.most += moved

    def present(
        self,
        *,
        const int64_t[::1] order,      # IN (n_presented,) presentations to go through
        const int64_t[::1] rows,       # IN (n,) the row that each presents
        const uint8_t[::1] positive,   # IN (n,) whether it is of the class
        const int64_t[::1] units,      # IN (n,) its weight
        int64_t one,                   # so many units make a whole presentation
        uint8_t[::1] guesses,          # IN, OUT (n,) predictions
        double log_threshold,
        double margin,                 # by which it is to be exceeded, or missed
        exceeds,                       # (row, log_threshold, guess) -> whether it does,
                                       # and log W, NaN if that is not exact
        Py_ssize_t n_done,             # presentations that are done,
        int64_t remaining,             # and units that are left of the next, or 0
    ):
        """Go on with an epoch, as long as there are not too many updates.

        Returns
        -------
        n_done, remaining : int
        """
        cdef int64_t i, amount
        cdef int side
        cdef double aim, log_value
        self.n_full = self.n_skipped = 0
        with nogil:
            while n_done < order.shape[0] and self.n_updates <= self.max_stored_examples:
                i = order[n_done]
                aim = log_threshold + (margin if positive[i] else -margin)
                if remaining == 0:
                    remaining = units[i]
                while remaining > 0 and self.n_updates <= self.max_stored_examples:
                    side = self.side(rows[i], aim)
                    if side == UNKNOWN:
                        with gil:
                            side, log_value = exceeds(rows[i], aim, bool(guesses[i]))
                        self.bound(rows[i], log_value)
                    guesses[i] = <uint8_t> side
                    amount = min(one, remaining)
                    remaining -= amount
                    if side == positive[i]:
                        # Nothing changes: those to come would end the same.
                        remaining = 0
                    else:
                        self.update(rows[i], amount if positive[i] else -amount)
                n_done += remaining == 0
        return n_done, remaining
