"""Lockstep: several trainings of Winnow on the same rows, side by side.

Each training has a lane for each class: the weights of all terms in float32. A row's
terms are gone through once for all lanes. What a training learns are the net counts of
rows, integers as in a term table; only comparisons are of float32 sums, so that a tie
to six digits may end otherwise than there.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, exp2, log2
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free

from _lanes cimport CHUNK, scale_chunk, sum_chunk
from _row_terms cimport RowTerms, n_terms, row_terms, take
from _rule cimport Rule, steps_by_margin, steps_by_residual
from _signals cimport listen
from _vectors cimport exp2_lanes, log2_lanes

cdef extern from *:
    """
    /* Sums beyond these are near the ends of float32: the training has diverged. */
    #define DNFWINNOW_LEAST_SUM 1e-30f
    #define DNFWINNOW_MOST_SUM 1e30f
    /* Margins and thresholds stay in the range of float32. */
    #define DNFWINNOW_LARGEST_LOG 85.0
    #define DNFWINNOW_LOG_2 0.693147181f
    """
    const float LEAST_SUM "DNFWINNOW_LEAST_SUM"
    const float MOST_SUM "DNFWINNOW_MOST_SUM"
    const double LARGEST_LOG "DNFWINNOW_LARGEST_LOG"
    const float LOG_2 "DNFWINNOW_LOG_2"


cdef struct Training:
    Rule rule
    int64_t fold                     # whose rows are held out, or -1
    double log2_unit                 # binary logarithm of the factor of a unit
    const float* factors             # (2 * parts + 1,) of so many parts, less `parts`


cdef struct Lanes:
    Py_ssize_t n_trainings, n_classes
    Py_ssize_t n_lanes               # a multiple of CHUNK
    Training* trainings
    uint8_t* active                  # (n_trainings,)
    uint8_t* diverged
    # Of the row presented, in each lane.
    float* sums
    float* ratios                    # of sums to the largest of the training
    float* scales
    float* odds
    float* factors                   # what weights are to be multiplied by
    int64_t* moves                   # of net counts, in parts of a promotion


# -- updates ---------------------------------------------------------------------------

cdef inline void _weigh(Lanes* lanes) noexcept nogil:
    """Compute the odds of the classes of each training: powers of ratios of sums."""
    cdef Py_ssize_t t, k, n = lanes.n_classes
    cdef Training* training
    cdef const float* sums
    cdef float reference
    for t in range(lanes.n_trainings):
        training = &lanes.trainings[t]
        sums = lanes.sums + t * n
        reference = training.rule.threshold
        if training.rule.joint:
            reference = sums[0]
            for k in range(1, n):
                reference = max(reference, sums[k])
        for k in range(n):
            lanes.ratios[t * n + k] = sums[k] / reference
    log2_lanes(lanes.ratios, lanes.odds, lanes.n_lanes)
    for k in range(lanes.n_lanes):
        lanes.odds[k] *= lanes.scales[k]
    exp2_lanes(lanes.odds, lanes.odds, lanes.n_lanes)


cdef inline bint _move_training(
    Lanes* lanes, Training* training, Py_ssize_t first, int64_t label
) noexcept nogil:
    """Set the moves of the classes of a training; whether any moves."""
    cdef Py_ssize_t k, n = lanes.n_classes
    cdef float* odds = lanes.odds + first
    cdef int64_t* moves = lanes.moves + first
    cdef bint moved = False
    if not training.rule.residual:
        return steps_by_margin(&training.rule, lanes.sums + first, moves, n, label)
    if training.rule.joint:
        return steps_by_residual(&training.rule, odds, 0.0, moves, n, label)
    for k in range(n):
        moved |= steps_by_residual(
            &training.rule, odds + k, 1.0, moves + k, 1, label - k
        )
    return moved


cdef inline bint _move(
    Lanes* lanes, int64_t label, int64_t fold, bint any_residual
) noexcept nogil:
    """Set the moves of all lanes for the row presented; whether there are any."""
    cdef Py_ssize_t t, k, first, n = lanes.n_classes
    cdef bint moves = False, moved, finite
    if any_residual:
        _weigh(lanes)
    for t in range(lanes.n_trainings):
        first = t * n
        moved = False
        if lanes.active[t] and lanes.trainings[t].fold != fold:
            finite = True
            for k in range(first, first + n):
                finite &= LEAST_SUM < lanes.sums[k] < MOST_SUM
            if finite:
                moved = _move_training(lanes, &lanes.trainings[t], first, label)
            else:
                lanes.diverged[t], lanes.active[t] = True, False
        if not moved:
            for k in range(first, first + n):
                lanes.moves[k] = 0
        moves |= moved
    return moves


cdef inline void _find_factors(Lanes* lanes, int64_t amount, bint whole) noexcept nogil:
    """Set what the weights of the row's terms are to be multiplied by."""
    cdef Py_ssize_t t, k, first, n = lanes.n_classes
    cdef Training* training
    for t in range(lanes.n_trainings):
        training = &lanes.trainings[t]
        first = t * n
        for k in range(first, first + n):
            if whole:
                lanes.factors[k] = training.factors[
                    training.rule.parts + lanes.moves[k]
                ]
            else:
                lanes.factors[k] = <float> exp2(
                    <double> (lanes.moves[k] * amount) * training.log2_unit
                )


# -- a block of lanes ------------------------------------------------------------------

cdef class LaneBlock:
    """Trainings on the rows of an index, in lanes side by side.

    Lane ``t * n_classes + k`` is class k of training t. The block numbers terms in
    memory of its own: not for two threads at once.
    """

    cdef object index
    cdef const float[:, ::1] tables
    cdef float[:, ::1] weights
    cdef const float[:, ::1] rest
    cdef int64_t[:, ::1] net
    cdef int64_t[::1] n_examples
    cdef uint8_t[::1] active, diverged
    cdef RowTerms* hand
    cdef Lanes lanes
    cdef void* room
    cdef int64_t one
    cdef bint any_residual

    def __init__(
        self,
        *,
        index,                           # IN see `TermIndex`
        Py_ssize_t n_classes,
        trainings,                       # IN see `Lane`
        uint8_t[::1] active,             # IN, OUT (n_trainings,) which go on
        uint8_t[::1] diverged,           # OUT (n_trainings,) which have left the range
        const float[:, ::1] factors,     # IN (n_trainings, 2 * most parts + 1)
        int64_t one,                     # so many units make a whole presentation
        float[:, ::1] weights,           # IN, OUT (n_terms, n_lanes) of terms
        const float[:, ::1] rest,        # IN (n_rows, n_lanes) of each row's other
                                         # terms; or one row, of zeros
        int64_t[:, ::1] net,             # IN, OUT (n_rows, n_lanes) net counts of rows
        int64_t[::1] n_examples,          # IN, OUT (n_lanes,) presentations that moved
    ):
        cdef Lanes* lanes = &self.lanes
        cdef Training* training
        cdef Rule* rule
        cdef Py_ssize_t t, k, n = weights.shape[1], m = len(trainings)
        self.index = index
        self.tables, self.weights, self.net = factors, weights, net
        self.rest = rest
        self.n_examples = n_examples
        self.one = one
        self.hand = row_terms(index, index.rows)
        self.room = calloc(
            1, m * sizeof(Training) + n * (5 * sizeof(float) + sizeof(int64_t))
        )
        if self.room == NULL:
            raise MemoryError
        lanes.n_trainings, lanes.n_classes, lanes.n_lanes = m, n_classes, n
        lanes.trainings = <Training*> self.room
        lanes.moves = <int64_t*> (lanes.trainings + m)
        lanes.sums = <float*> (lanes.moves + n)
        lanes.ratios = lanes.sums + n
        lanes.scales = lanes.ratios + n
        lanes.odds = lanes.scales + n
        lanes.factors = lanes.odds + n
        for k in range(n):
            # Lanes of no training stay as they are.
            lanes.ratios[k] = lanes.factors[k] = 1.0
        self.active, self.diverged = active, diverged
        lanes.active, lanes.diverged = &active[0], &diverged[0]
        for t, lane in enumerate(trainings):
            training = &lanes.trainings[t]
            rule = &training.rule
            rule.joint, rule.residual = lane.joint, lane.rule.by_residuals
            rule.parts, rule.scale = lane.rule.parts, lane.rule.scale
            rule.lead = <float> exp(min(<double> lane.rule.margin, LARGEST_LOG))
            rule.threshold = <float> exp(
                min(max(<double> lane.log_threshold, -LARGEST_LOG), LARGEST_LOG)
            )
            training.fold, training.factors = lane.fold, &self.tables[t, 0]
            training.log2_unit = log2(lane.alpha) / <double> (rule.parts * one)
            self.any_residual |= rule.residual
            for k in range(n_classes):
                lanes.scales[t * n_classes + k] = <float> rule.scale

    def __dealloc__(self):
        free(self.hand)
        free(self.room)

    def present(
        self,
        *,
        const int64_t[::1] order,        # IN (n_presented,) presentations to go through
        const int64_t[::1] rows,         # IN (n,) the row that each presents
        const int64_t[::1] labels,       # IN (n,) its class
        const int64_t[::1] units,        # IN (n,) its weight
        const int64_t[::1] folds,        # IN (n,) the fold that holds it out
        const int64_t[:, ::1] n_segments,  # IN (n_folds, n_chunks) that are summed over
    ):
        """Present rows one after another to all trainings that do not hold them out."""
        cdef Lanes* lanes = &self.lanes
        cdef Py_ssize_t j, lane
        cdef int64_t i, row, remaining, amount, work = 0
        cdef const int64_t* segments
        with nogil:
            for j in range(order.shape[0]):
                i = order[j]
                row = rows[i]
                segments = &n_segments[folds[i], 0]
                take(self.hand, row)
                remaining = units[i]
                while remaining > 0:
                    self._sum(&self.weights[0, 0], segments, row)
                    listen(&work, n_terms(self.hand))
                    if not _move(lanes, labels[i], folds[i], self.any_residual):
                        # Nothing changes: presentations to come would end the same.
                        break
                    amount = min(self.one, remaining)
                    _find_factors(lanes, amount, amount == self.one)
                    self._scale(&self.weights[0, 0], segments)
                    for lane in range(lanes.n_trainings * lanes.n_classes):
                        self.net[row, lane] += lanes.moves[lane] * amount
                        self.n_examples[lane] += lanes.moves[lane] != 0
                    remaining -= amount

    def multiply(
        self,
        *,
        float[:, ::1] weights,           # IN, OUT (n_terms, n_lanes)
        const float[:, ::1] log2_factors,  # IN (n_rows, n_lanes) of the rows' terms
        const int64_t[::1] n_segments,   # IN (n_chunks,) of terms that count
    ):
        """Multiply weights of terms by a factor of each row that satisfies them."""
        cdef Lanes* lanes = &self.lanes
        cdef Py_ssize_t row, lane
        cdef bint moved
        cdef int64_t work = 0
        with nogil:
            for row in range(log2_factors.shape[0]):
                moved = False
                for lane in range(lanes.n_lanes):
                    lanes.moves[lane] = log2_factors[row, lane] != 0.0
                    moved |= lanes.moves[lane] != 0
                if moved:
                    take(self.hand, row)
                    exp2_lanes(&log2_factors[row, 0], lanes.factors, lanes.n_lanes)
                    self._scale(&weights[0, 0], &n_segments[0])
                    listen(&work, n_terms(self.hand))

    def log_sums(
        self,
        *,
        float[:, ::1] weights,           # IN (n_terms, n_lanes)
        const int64_t[::1] rows,         # IN (n,)
        const int64_t[::1] folds,        # IN (n,)
        const int64_t[:, ::1] n_segments,  # IN (n_folds, n_chunks) that are summed over
        float[:, ::1] logs,              # OUT (n, n_lanes) where there are segments
    ):
        """Compute log W of some rows in all lanes of the chunks that are asked for."""
        cdef Py_ssize_t i, lane
        cdef int64_t work = 0
        with nogil:
            for i in range(rows.shape[0]):
                take(self.hand, rows[i])
                self._sum(&weights[0, 0], &n_segments[folds[i], 0], rows[i])
                log2_lanes(self.lanes.sums, &logs[i, 0], self.lanes.n_lanes)
                for lane in range(self.lanes.n_lanes):
                    logs[i, lane] *= LOG_2
                listen(&work, n_terms(self.hand))

    cdef inline void _sum(
        self, const float* weights, const int64_t* n_segments, int64_t row
    ) noexcept nogil:
        """Sum the weights of the terms of the row in hand, where it is asked for."""
        cdef Py_ssize_t c, lane, n = self.lanes.n_lanes
        cdef int64_t first = self.hand.starts[0]
        for c in range(n // CHUNK):
            if n_segments[c]:
                sum_chunk(
                    weights=weights + c * CHUNK,
                    n_lanes=n,
                    terms=self.hand.terms + first,
                    n_terms=self.hand.starts[n_segments[c]] - first,
                    sums=self.lanes.sums + c * CHUNK,
                )
                if self.rest.shape[0] > 1:
                    for lane in range(c * CHUNK, (c + 1) * CHUNK):
                        self.lanes.sums[lane] += self.rest[row, lane]

    cdef inline void _scale(
        self, float* weights, const int64_t* n_segments
    ) noexcept nogil:
        """Multiply the weights of the terms of the row in hand in chunks that move."""
        cdef Py_ssize_t c, lane, n = self.lanes.n_lanes
        cdef int64_t first = self.hand.starts[0]
        cdef int64_t moved
        for c in range(n // CHUNK):
            moved = 0
            for lane in range(c * CHUNK, (c + 1) * CHUNK):
                moved |= self.lanes.moves[lane]
            if moved and n_segments[c]:
                scale_chunk(
                    weights=weights + c * CHUNK,
                    n_lanes=n,
                    terms=self.hand.terms + first,
                    n_terms=self.hand.starts[n_segments[c]] - first,
                    factors=self.lanes.factors + c * CHUNK,
                )
