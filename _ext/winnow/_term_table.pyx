"""Term table: the weights of all terms of a table of rows, one integer for each.

A term that some row satisfies has a number and, in each class, a net count. Promotion
adds to the net counts of one row's terms. Neither sums nor updates cost more when there
are more updates. The terms of a row are listed, or numbered anew each time from its
codes. Groups of terms that are satisfied by the same rows are one term with an initial
weight of its own (Li & Neal 2008), all of them in one segment.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

from _row_terms cimport RowTerms, n_terms, row_terms, take
from _signals cimport listen
from _store cimport Store, capsule_of
from _term_sums cimport Weights, add, log_sum


cdef struct TableStore:
    Store store
    Weights weights
    RowTerms* hand
    int64_t work                     # since the last look for Ctrl-C


cdef class Table:
    """The weights of one class, as a store of which the rows are those of an index.

    Terms are numbered in memory of its own, or of another table: not for two threads.
    """

    # Of the index and the class, see `__init__` and `tabulate`.
    cdef object index
    cdef const double[::1] priors, log_priors, weights, log_weights, powers
    cdef const uint8_t[::1] allowed
    cdef uint8_t[::1] net_counts
    cdef Table owner                 # of the memory for terms, None if it is this one
    cdef bint owns
    # The same as a struct.
    cdef TableStore of_class

    def __init__(
        self,
        *,
        index,                           # IN see `TermIndex`
        double log_alpha,
        const int64_t[::1] net,          # IN (m,) net counts of the first rows
        net_counts,                       # OUT (n_terms,) zeros, wide enough
        const uint8_t[::1] allowed=None,  # IN (n_terms,) whether W sums each, or all
        Table owner=None,                # another table of the index, in this thread
    ):
        cdef Weights* weights = &self.of_class.weights
        cdef Store* store = &self.of_class.store
        self.index = index
        self.priors, self.log_priors = index.priors, index.log_priors
        self.weights, self.log_weights = index.weights, index.log_weights
        self.owner = owner
        self.owns = owner is None
        if owner is not None:
            self.of_class.hand = owner.of_class.hand
        else:
            self.of_class.hand = row_terms(index, index.rows)
        weights.log_alpha = log_alpha
        weights.priors = &self.priors[0]
        weights.log_priors = &self.log_priors[0]
        if self.weights.shape[0]:
            weights.weights = &self.weights[0]
            weights.log_weights = &self.log_weights[0]
        elif allowed is not None:
            self.allowed = allowed
            weights.allowed = &self.allowed[0]
        self._set_net_counts(net_counts)
        self._add(net)
        if net.shape[0]:
            weights.lowest = net_counts.min(initial=0)
            weights.highest = net_counts.max(initial=0)
        store.sum, store.move = sum_row, move_row
        store.log_alpha = log_alpha

    def __dealloc__(self):
        if self.owns:
            free(self.of_class.hand)

    cdef _set_net_counts(self, net_counts):
        self.net_counts = net_counts.view("u1")
        self.of_class.weights.net_counts = &self.net_counts[0]
        self.of_class.weights.n_bytes = net_counts.itemsize

    cdef _add(self, const int64_t[::1] net):
        cdef TableStore* table = &self.of_class
        cdef Py_ssize_t row
        with nogil:
            for row in range(net.shape[0]):
                if net[row]:
                    take(table.hand, row)
                    add(&table.weights, False, table.hand, net[row])
                    listen(&table.work, n_terms(table.hand))

    @property
    def capsule(self):
        """The store, for presentations."""
        return capsule_of(&self.of_class.store)

    @property
    def range(self):
        """The lowest and the highest net count of a term so far."""
        return self.of_class.weights.lowest, self.of_class.weights.highest

    def tabulate(
        self,
        *,
        net_counts,                       # IN, OUT (n_terms,) int16, int32 or int64
        const double[::1] powers,        # IN alpha^e for e = low to high, or none
        int64_t low,
        int64_t high,                    # net counts that there is room for
        double log_scale,                # what powers and priors are relative to
    ):
        """Set the net counts of terms and the powers of alpha around them."""
        cdef Weights* weights = &self.of_class.weights
        self._set_net_counts(net_counts)
        self.powers = powers
        weights.powers = &powers[0] if powers.shape[0] else NULL
        weights.low, weights.log_scale = low, log_scale
        self.of_class.store.room_up = high - weights.highest
        self.of_class.store.room_down = weights.lowest - low

    def log_sums(
        self,
        const int64_t[::1] rows,         # IN (n,)
        double[::1] logs,                # OUT (n,)
    ):
        """Compute log W of some rows."""
        cdef Py_ssize_t i
        cdef TableStore* table = &self.of_class
        with nogil:
            for i in range(rows.shape[0]):
                take(table.hand, rows[i])
                logs[i] = log_sum(&table.weights, table.hand)
                listen(&table.work, n_terms(table.hand))


cdef int sum_row(
    Store* base, int64_t row, double aim, bint guess, double* log_value
) except -1 nogil:
    cdef TableStore* table = <TableStore*> base
    take(table.hand, row)
    log_value[0] = log_sum(&table.weights, table.hand)
    listen(&table.work, n_terms(table.hand))
    return True


cdef int move_row(Store* base, int64_t row, int64_t amount) except -1 nogil:
    cdef TableStore* table = <TableStore*> base
    cdef Weights* weights = &table.weights
    cdef int64_t lowest = weights.lowest, highest = weights.highest
    take(table.hand, row)
    add(weights, True, table.hand, amount)
    base.room_up -= weights.highest - highest
    base.room_down -= lowest - weights.lowest
    listen(&table.work, n_terms(table.hand))
    return 0


def log_sums_of_codes(
    *,
    list tables,                         # of each class, whose index numbers terms
    const int32_t[:, ::1] codes,         # IN (n, n_attributes) any rows
    double[:, ::1] sums,                 # OUT (n, n_classes)
):
    """Compute log W of rows that need not be in the index, in all classes.

    Tables are only read, so that several threads may share them.
    """
    cdef Py_ssize_t i, k, n_classes = len(tables)
    cdef int64_t work = 0
    cdef Table table = tables[0]
    cdef const Weights** classes = <const Weights**> malloc(
        n_classes * sizeof(Weights*)
    )
    cdef RowTerms* hand = NULL
    try:
        if classes == NULL:
            raise MemoryError
        hand = row_terms(table.index, codes)
        for k in range(n_classes):
            table = tables[k]
            classes[k] = &table.of_class.weights
        with nogil:
            for i in range(codes.shape[0]):
                take(hand, i)
                for k in range(n_classes):
                    sums[i, k] = log_sum(classes[k], hand)
                listen(&work, n_classes * n_terms(hand))
    finally:
        free(classes)
        free(hand)
