"""Term table: the weights of all terms of a table of rows, one integer for each.

A term that some row satisfies has a number and, in each class, an exponent. Promotion
adds to the exponents of one row's terms. Neither sums nor updates cost more when there
are more updates. The terms of a row are listed, or numbered anew each time from its
codes. Groups of terms that are satisfied by the same rows are one term with an initial
weight of its own (Li & Neal 2008), all of them in one segment. Terms that conditions
are about have marks.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc

from _row_terms cimport RowTerms, n_terms, no_row_yet, row_terms, take
from _signals cimport listen
from _term_sums cimport State, Weights, add, has_room, log_sum, update
from _winnow_epochs cimport Contender, Epoch, present


cdef class Table:
    """The weights of one class, and what its training keeps of the rows of an index.

    It numbers terms in memory of its own: not for two threads at once.
    """

    # Of the index and the class, see `__init__` and `tabulate`.
    cdef const int32_t[::1] terms
    cdef const int64_t[:, ::1] starts
    cdef const int32_t[:, ::1] rows
    cdef const int64_t[:, ::1] n_longer
    cdef const double[::1] priors, log_priors, weights, log_weights, fades, powers
    cdef const uint16_t[::1] marks
    cdef const double[::1] factors, log_factors
    cdef int64_t[::1] net, arrivals
    cdef uint8_t[::1] known, exponents
    cdef double[:, ::1] bounds
    # The same as structs.
    cdef RowTerms* hand
    cdef Weights of_class

    def __init__(
        self,
        *,
        index,                           # IN see `TermIndex`
        double log_alpha,
        const double[::1] fades,         # IN alpha^-d for d = 0, 1, ..., 0 at last
        int64_t[::1] net,                # IN, OUT (n_rows,) exponents of the updates
        uint8_t[::1] known,              # IN, OUT (n_rows,) which rows are updates
        int64_t[::1] arrivals,           # IN, OUT (n_rows,) the updates as they came
        int64_t n_updates,
        double[:, ::1] bounds,           # IN, OUT (n_rows, 2) of log W: above, but for
                                         # all promotions; below, but for all demotions
        exponents,                       # OUT (n_terms,) zeros, wide enough
        const uint16_t[::1] marks=None,  # IN (n_terms,) of conditions
        const double[::1] factors=None,  # IN of initial weights, by mark
        const double[::1] log_factors=None,
    ):
        cdef Weights* of_class = &self.of_class
        cdef State* state = &of_class.state
        cdef Py_ssize_t row
        self.terms, self.starts = index.terms, index.starts
        self.rows, self.n_longer = index.rows, index.n_longer
        self.priors, self.log_priors = index.priors, index.log_priors
        self.weights, self.log_weights = index.weights, index.log_weights
        self.net, self.known, self.arrivals = net, known, arrivals
        self.bounds, self.fades = bounds, fades
        self.hand = row_terms(
            terms=self.terms,
            starts=self.starts,
            rows=self.rows,
            n_longer=self.n_longer,
            n_segments=self.priors.shape[0],
        )
        of_class.log_alpha = log_alpha
        of_class.priors = &self.priors[0]
        of_class.log_priors = &self.log_priors[0]
        if self.weights.shape[0]:
            of_class.weights = &self.weights[0]
            of_class.log_weights = &self.log_weights[0]
        elif marks is not None:
            self.marks, self.factors, self.log_factors = marks, factors, log_factors
            of_class.marks = &self.marks[0]
            of_class.factors = &self.factors[0]
            of_class.log_factors = &self.log_factors[0]
        elif fades.shape[0]:
            # Not where the initial weights of terms of one segment differ.
            of_class.fades = &fades[0]
            of_class.last_fade = fades.shape[0] - 1
        state.n_updates = n_updates
        for row in range(net.shape[0]):
            state.promoted += max(net[row], 0)
            state.demoted += max(-net[row], 0)
        self._set_exponents(exponents)
        if n_updates:
            self._add_updates()
            state.low = exponents.min(initial=0)
            state.high = exponents.max(initial=0)

    def __dealloc__(self):
        free(self.hand)

    cdef _set_exponents(self, exponents):
        self.exponents = exponents.view("u1")
        self.of_class.exponents = &self.exponents[0]
        self.of_class.n_bytes = exponents.itemsize

    cdef _add_updates(self):
        cdef Py_ssize_t row
        cdef int64_t work = 0
        with nogil:
            for row in range(self.net.shape[0]):
                if self.net[row]:
                    take(self.hand, row)
                    add(&self.of_class, NULL, self.hand, self.net[row])
                    listen(&work, n_terms(self.hand))

    @property
    def state(self):
        """The counts and bounds of the class, as a dict; see `State`."""
        return self.of_class.state

    def tabulate(
        self,
        *,
        exponents,                       # IN, OUT (n_terms,) int16, int32 or int64
        const double[::1] powers,        # IN alpha^e for e = low to high, or none
        int64_t low,
        int64_t high,                    # exponents that there is room for
        double log_scale,                # what powers and priors are relative to
    ):
        """Set the exponents of terms and the powers of alpha around them."""
        self._set_exponents(exponents)
        self.powers = powers
        self.of_class.powers = &powers[0] if powers.shape[0] else NULL
        self.of_class.low, self.of_class.high = low, high
        self.of_class.log_scale = log_scale

    def update(self, int64_t row, int64_t amount):
        """Add to the exponents of one row's terms; False where there is no room to."""
        if not has_room(&self.of_class, amount):
            return False
        take(self.hand, row)
        update(&self.of_class, self.hand, amount)
        self.net[row] += amount
        return True

    def keep(self, const int64_t[::1] places):
        """Keep only some updates, of which the others were taken back."""
        self.of_class.state.n_updates = places.shape[0]
        self.arrivals[:places.shape[0]] = places

    def log_sums(
        self,
        const int64_t[::1] rows,         # IN (n,)
        double[::1] logs,                # OUT (n,)
    ):
        """Compute log W of some rows."""
        cdef Py_ssize_t i
        cdef int64_t work = 0
        with nogil:
            for i in range(rows.shape[0]):
                take(self.hand, rows[i])
                logs[i] = log_sum(&self.of_class, self.hand)
                listen(&work, n_terms(self.hand))


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
    cdef RowTerms* hand = no_row_yet(
        lists=NULL,
        list_starts=NULL,
        codes=&codes[0, 0],
        n_longer=&table.n_longer[0, 0],
        n_attributes=codes.shape[1],
        n_segments=table.priors.shape[0],
    )
    if classes == NULL or hand == NULL:
        free(classes)
        free(hand)
        raise MemoryError
    for k in range(n_classes):
        table = tables[k]
        classes[k] = &table.of_class
    try:
        with nogil:
            for i in range(codes.shape[0]):
                take(hand, i)
                for k in range(n_classes):
                    sums[i, k] = log_sum(classes[k], hand)
                listen(&work, n_classes * n_terms(hand))
    finally:
        free(classes)
        free(hand)


cdef class WinnowEpoch:
    """Presentations of rows to the tables of some classes, of one index."""

    cdef Epoch epoch
    cdef list tables
    cdef const int64_t[::1] order, rows, labels, units

    def __init__(
        self,
        *,
        list tables,                     # of each class
        const int64_t[::1] order,        # IN (n_presented,) presentations to go through
        const int64_t[::1] rows,         # IN (n,) the row that each presents
        const int64_t[::1] labels,       # IN (n,) its class
        const int64_t[::1] units,        # IN (n,) its weight
        int64_t one,                     # so many units make a whole presentation
        int64_t parts,                   # of a promotion that updates are made of
        double margin,                   # by which a row is to win, in logarithms
        double scale,                    # of log W in residuals; 0: by the margin
        log_threshold,                   # of class 0, or None: classes are compared
        int64_t max_stored_examples,             # that each may keep
    ):
        cdef Py_ssize_t k
        cdef Table table
        cdef Epoch* epoch = &self.epoch
        self.tables = tables
        self.order, self.rows, self.labels, self.units = order, rows, labels, units
        epoch.n_classes = len(tables)
        epoch.classes = <Contender*> malloc(epoch.n_classes * sizeof(Contender))
        if epoch.classes == NULL:
            raise MemoryError
        for k in range(epoch.n_classes):
            table = tables[k]
            epoch.classes[k].weights = &table.of_class
            epoch.classes[k].net = &table.net[0]
            epoch.classes[k].known = &table.known[0]
            epoch.classes[k].arrivals = &table.arrivals[0]
            epoch.classes[k].bounds = &table.bounds[0, 0]
        table = tables[0]
        epoch.hand = table.hand
        epoch.n_presented = order.shape[0]
        epoch.order = &order[0]
        epoch.rows, epoch.labels, epoch.units = &rows[0], &labels[0], &units[0]
        epoch.one = one
        epoch.parts, epoch.margin, epoch.scale = parts, margin, scale
        epoch.joint = log_threshold is None
        epoch.log_threshold = -INFINITY if epoch.joint else log_threshold
        epoch.max_stored_examples = max_stored_examples

    def __dealloc__(self):
        free(self.epoch.classes)

    def present(self):
        """Go on; False where the caller is to make room, or to forget updates."""
        cdef bint done
        with nogil:
            done = present(&self.epoch)
        return done
