"""Implicit weights: the store whose weights are those that stored examples imply.

The agreement sets of all stored examples with a row are read from columns of codes, and
all terms of the row are summed over at once. Sums over too many attributes, those close
to the threshold, and those that are needed for more than their side of it, are up to a
function of the caller.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport NAN, fabs
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from _signals cimport listen
from _store cimport Store, capsule_of
from _tolerances cimport SLACK
from _yates cimport RUN, SupersetProblem, solve

cdef struct ImplicitStore:
    Store store
    void* ask                        # function of the caller
    bint always_asks
    # Of all rows.
    const int32_t* rows              # (n_rows, n_attributes)
    Py_ssize_t n_rows, n_attributes
    # Of the stored examples, oldest first: as many as are listed.
    int32_t* codes                   # (n_rows, n_attributes)
    int32_t* columns                 # (n_attributes, n_rows) the same
    int64_t* counts                  # (n_rows,) net promotion counts
    int64_t n_listed, n_merged
    # The sum in hand: room for agreement sets and their counts, (n_rows,).
    SupersetProblem problem
    uint64_t* sets
    int64_t* acting
    Py_ssize_t most_attributes       # in a sum that is made here
    Py_ssize_t max_powers            # of alpha, in one sum
    int64_t work                     # since the last look for Ctrl-C


cdef class Implicit:
    """The store of one class. Sums have memory of their own: not for two threads."""

    cdef ImplicitStore of_class
    cdef object ask
    cdef const int32_t[:, ::1] rows
    cdef int32_t[:, ::1] codes
    cdef int64_t[::1] counts
    cdef const double[::1] log_odds

    def __init__(
        self,
        *,
        const int32_t[:, ::1] rows,  # IN (n_rows, n_attributes)
        int32_t[:, ::1] codes,       # OUT (n_rows, n_attributes) of stored examples
        int64_t[::1] counts,         # OUT (n_rows,) their net promotion counts
        ask,                         # (row, n_stored, version, aim, guess) -> log W,
                                     # and whether it is exact; see `Store`
        bint always_asks,
        double log_alpha,
        const double[::1] log_odds,  # IN (n,) of as many attributes as can be summed
                                     # over here
        Py_ssize_t max_powers,       # of alpha, in one sum
        Py_ssize_t max_term_size,    # larger terms are left out of all sums
    ):
        cdef ImplicitStore* store = &self.of_class
        self.ask, self.rows, self.log_odds = ask, rows, log_odds
        self.codes, self.counts = codes, counts
        store.store.sum, store.store.move = sum_row, move_row
        store.store.room_up = store.store.room_down = INT64_MAX
        store.store.log_alpha = log_alpha
        store.ask, store.always_asks = <void*> ask, always_asks
        store.rows, store.codes, store.counts = &rows[0, 0], &codes[0, 0], &counts[0]
        store.n_rows, store.n_attributes = rows.shape[0], rows.shape[1]
        store.columns = <int32_t*> malloc(
            store.n_rows * store.n_attributes * sizeof(int32_t)
        )
        store.sets = <uint64_t*> malloc(store.n_rows * sizeof(uint64_t))
        store.acting = <int64_t*> malloc(store.n_rows * sizeof(int64_t))
        if not (store.columns and store.sets and store.acting):
            raise MemoryError
        store.problem.sets, store.problem.net_counts = store.sets, store.acting
        store.problem.log_odds = &log_odds[0] if log_odds.shape[0] else NULL
        store.problem.max_term_size = max_term_size
        store.most_attributes, store.max_powers = log_odds.shape[0], max_powers

    def __dealloc__(self):
        free(self.of_class.columns)
        free(self.of_class.sets)
        free(self.of_class.acting)

    @property
    def capsule(self):
        """The store, for presentations."""
        return capsule_of(&self.of_class.store)


cdef int sum_row(
    Store* base, int64_t row, double aim, bint guess, double* log_value
) except -1 nogil:
    cdef ImplicitStore* store = <ImplicitStore*> base
    listen(&store.work, RUN)
    _list(store)
    # In full, sums are those of the caller to the last bit.
    if not (store.always_asks or aim != aim):
        log_value[0] = _superset_sum(store, row)
        if fabs(log_value[0] - aim) > SLACK * (1.0 + fabs(aim) + fabs(log_value[0])):
            return True
    with gil:
        log_value[0], exact = (<object> store.ask)(
            row, store.n_listed, base.examples.version, aim, bool(guess)
        )
        return bool(exact)


cdef int move_row(Store* base, int64_t row, int64_t amount) except -1 nogil:
    # The weights follow from the stored examples.
    return 0


cdef void _list(ImplicitStore* store) noexcept nogil:
    """List the stored examples as they are now."""
    cdef Py_ssize_t u, j
    cdef int64_t row
    if store.n_merged != store.store.examples.n_merged:
        store.n_merged, store.n_listed = store.store.examples.n_merged, 0
    for u in range(store.n_listed, store.store.examples.n_stored):
        row = store.store.examples.arrivals[u]
        for j in range(store.n_attributes):
            store.codes[u * store.n_attributes + j] = store.columns[
                j * store.n_rows + u
            ] = store.rows[row * store.n_attributes + j]
    store.n_listed = store.store.examples.n_stored
    for u in range(store.n_listed):
        store.counts[u] = store.store.examples.net[store.store.examples.arrivals[u]]


cdef double _superset_sum(ImplicitStore* store, int64_t row) except? -1.0 nogil:
    """Return log W of a row, or NaN where it is not for this kernel to compute."""
    cdef SupersetProblem* p = &store.problem
    cdef const int32_t* codes = store.rows + row * store.n_attributes
    cdef const int32_t* column
    cdef Py_ssize_t j, u
    cdef int64_t low = 0, high = 0
    cdef double log_value
    p.n = p.m = 0
    for u in range(store.n_listed):
        store.sets[u] = 0
    for j in range(store.n_attributes):
        if codes[j]:
            if p.n == store.most_attributes:
                return NAN
            column = store.columns + j * store.n_rows
            for u in range(store.n_listed):
                store.sets[u] |= <uint64_t> (column[u] == codes[j]) << p.n
            p.n += 1
    for u in range(store.n_listed):
        if store.counts[u]:
            store.sets[p.m] = store.sets[u]
            store.acting[p.m] = store.counts[u]
            low += min(store.counts[u], 0)
            high += max(store.counts[u], 0)
            p.m += 1
    listen(&store.work, RUN * p.m + (p.n << p.n))
    if high - low > store.max_powers or not solve(
        p, store.store.log_alpha, &log_value
    ):
        return NAN
    return log_value
