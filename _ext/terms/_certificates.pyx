"""Certificates: what is known of the weighted sums of some rows, and what follows.

Let W be the sum of a row when it was last known. The updates since then have added up
to exponents c_1, c_2, ..., and update i acts on the terms inside A_i, the attributes on
which it agrees with the row. So

    log W - d log(alpha) <= log W_now <= log W + p log(alpha)
    W_now = W + sum over i of (alpha^c_i - 1) W_i

with p, d the promotions and demotions among them, and W_i the sum over the terms inside
A_i of the updates before i: 2^|A_i| terms instead of 2^n, or those of either up to a
size. Where the first or the second tells the side of the threshold, no sum is computed
in full; the outcome is the same.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, expm1, fabs, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort

from _yates cimport RUN_BITS, SupersetProblem, solve

cdef enum:
    # Entries of the state.
    POSITION, REMAINING, ANSWER, N_UPDATES, VERSION, PROMOTED, DEMOTED
    N_FULL, N_INCREMENTAL, N_SKIPPED, N_WRONG
    # Entries of `since`, the time of a certificate.
    AT_VERSION = 0, AT_PROMOTED, AT_DEMOTED
    # Why an epoch comes back.
    DONE = 0, FULL_SUM, ROOM, PAUSE, FORGET
    # Sides of the threshold.
    BELOW = 0, ABOVE, UNKNOWN
    # Attributes that a restricted sum is over, at most: 2^18 cells.
    MOST_RESTRICTED = 18
    # Exponents may add up to so much: cells of 32 bits, tables of powers.
    WIDEST = 1 << 20

# Relative error of a sum, the same for each unit of its logarithm, and that of what is
# still a certificate after many steps.
cdef double ROUNDING = 1e-12, ROUNDING_OF_LOG = 1e-15, WORST = 1e-10
# What is nearer to the threshold, relatively, is computed in full.
cdef double SLACK = 1e-9
# Exponents of alpha that may come together since a sum was known.
cdef double MOST_LOGS = 300.0
# The cost of a restricted sum in microseconds, after the cost model of `_exact.py`; of
# looking at an attribute of an update; and of a call before interrupts are looked for.
cdef double COST = 0.5, COST_OF_UPDATE = 0.006, COST_OF_CELL = 1.64e-5
cdef double COST_OF_PENDING = 0.001, COST_OF_CALL = 200_000.0


cdef struct Pending:
    int64_t place                # of an update
    int64_t amount               # what its exponent grew by
    Py_ssize_t size              # attributes that it agrees with the row on


cdef struct Weights:
    Py_ssize_t n_attributes, n_specified, m, capacity, n_restricted, max_term_size
    const int32_t* updates       # (capacity, n_attributes) codes
    const int32_t* columns       # (n_attributes, capacity) the same
    const int64_t* net           # (capacity,) exponents
    const int64_t* history       # (version, 2) places and amounts of all updates
    int64_t version, promoted, demoted, bound
    double log_alpha, log_beta, log_threshold
    # Room.
    int64_t* growth              # (capacity,) zeros
    Pending* pending             # (capacity,)
    int32_t* masks               # (capacity,)
    uint64_t* sets               # (capacity,)
    int64_t* exponents           # (capacity,)
    double* log_odds             # (MOST_RESTRICTED,)


cdef inline int side_of(const Weights* w, double low, double high) noexcept nogil:
    """On which side of the threshold an interval of log W lies; not, if it is NaN."""
    cdef double slack = SLACK * max(1.0, fabs(w.log_threshold))
    if low >= w.log_threshold + slack:
        return ABOVE
    if high <= w.log_threshold - slack:
        return BELOW
    return UNKNOWN


cdef double cost_of(const Weights* w, Py_ssize_t size) noexcept nogil:
    """Microseconds of a sum over the terms inside so many attributes."""
    if size > w.n_restricted:
        return INFINITY
    return (
        COST + COST_OF_UPDATE * <double> w.m
        + COST_OF_CELL * <double> size * <double> (<int64_t> 1 << size)
    )


cdef double step_cost(const Weights* w, Py_ssize_t size) noexcept nogil:
    """That of a restricted sum; none is needed where it is over all terms."""
    return 0.0 if size == w.n_specified else cost_of(w, size)


cdef int small_first(const void* a, const void* b) noexcept nogil:
    cdef const Pending* first = <const Pending*> a
    cdef const Pending* second = <const Pending*> b
    if first.size != second.size:
        return 1 if first.size > second.size else -1
    return 1 if first.place > second.place else -1


cdef Py_ssize_t find_pending(
    Weights* w, const int32_t* row, int64_t version
) noexcept nogil:
    """The updates whose exponents differ from those of a version, small sets first."""
    cdef Py_ssize_t i, j, n = 0, size
    cdef int64_t place
    for i in range(version, w.version):
        w.growth[w.history[2 * i]] += w.history[2 * i + 1]
    for i in range(version, w.version):
        place = w.history[2 * i]
        if w.growth[place] == 0:
            continue
        size = 0
        for j in range(w.n_attributes):
            size += row[j] != 0 and w.updates[place * w.n_attributes + j] == row[j]
        w.pending[n].place = place
        w.pending[n].amount = w.growth[place]
        w.pending[n].size = size
        w.growth[place] = 0
        n += 1
    qsort(w.pending, n, sizeof(Pending), small_first)
    return n


cdef bint sum_inside(
    Weights* w, const int32_t* row, const int32_t* other, Py_ssize_t n,
    Py_ssize_t first, Py_ssize_t last, double* log_value,
) noexcept nogil:
    """log of the sum over the terms that two rows satisfy, over n attributes.

    It is that before some pending updates; False if memory is short.
    """
    cdef Py_ssize_t m = 0, i, j, u, a = 0
    cdef Py_ssize_t size = <Py_ssize_t> 1 << max(n, <Py_ssize_t> RUN_BITS)
    cdef const int32_t* column
    cdef int32_t code
    cdef int16_t* f16
    cdef int32_t* f32
    cdef SupersetProblem problem
    cdef bint fits
    for u in range(w.m):
        w.masks[u] = 0
        w.exponents[u] = w.net[u]
    for j in range(w.n_attributes):
        if row[j] == 0 or other[j] != row[j]:
            continue
        column = w.columns + j * w.capacity
        code = row[j]
        for u in range(w.m):
            w.masks[u] |= (column[u] == code) << a
        a += 1
    for i in range(first, last):
        w.exponents[w.pending[i].place] -= w.pending[i].amount
    for u in range(w.m):
        if w.exponents[u]:
            w.sets[m] = <uint64_t> w.masks[u]
            w.exponents[m] = w.exponents[u]
            m += 1
    problem.n, problem.m = n, m
    problem.max_term_size = w.max_term_size
    problem.sets, problem.exponents = w.sets, w.exponents
    problem.log_odds = w.log_odds
    if w.bound < 1 << 15:
        f16 = <int16_t*> calloc(size, sizeof(int16_t))
        fits = solve(&problem, f16, size, w.log_alpha, log_value, NULL, 0)
        free(f16)
    else:
        f32 = <int32_t*> calloc(size, sizeof(int32_t))
        fits = solve(&problem, f32, size, w.log_alpha, log_value, NULL, 0)
        free(f32)
    return fits


cdef inline void certify(
    const Weights* w, double log_value, double relative_error,
    double* known, double* error, int64_t* since,
) noexcept nogil:
    known[0] = log_value
    error[0] = relative_error
    since[AT_VERSION] = w.version
    since[AT_PROMOTED] = w.promoted
    since[AT_DEMOTED] = w.demoted


cdef int by_increments(
    Weights* w, const int32_t* row, double* known, double* error, int64_t* since,
    double full_cost, double* spent,
) noexcept nogil:
    """The side of the threshold by restricted sums; the certificate if they tell all.
    """
    cdef Py_ssize_t n, i, n_done = 0
    cdef double total = 0.0, ratio = 1.0, wrong = error[0], step, log_value
    cdef double up = 0.0, down = 0.0
    if COST_OF_PENDING * <double> (
        (w.version - since[AT_VERSION]) * w.n_attributes
    ) > full_cost:
        return UNKNOWN
    n = find_pending(w, row, since[AT_VERSION])
    for i in range(n):
        total += step_cost(w, w.pending[i].size)
        if w.pending[i].amount > 0:
            up += w.log_alpha * <double> w.pending[i].amount
        else:
            down -= w.log_alpha * <double> w.pending[i].amount
    # What does not pay in full may still do in part.
    cdef double allowed = total if total <= full_cost else 0.25 * full_cost
    if up + down > MOST_LOGS:
        return UNKNOWN
    while n_done < n:
        i = n_done
        allowed -= step_cost(w, w.pending[i].size)
        if allowed < -1e-6:
            break
        spent[0] += step_cost(w, w.pending[i].size)
        step = expm1(w.log_alpha * <double> w.pending[i].amount)
        if w.pending[i].size == w.n_specified:
            # All terms of the row.
            wrong += wrong * step
            ratio += ratio * step
        else:
            if not sum_inside(
                w, row, w.updates + w.pending[i].place * w.n_attributes,
                w.pending[i].size, i, n, &log_value,
            ):
                return UNKNOWN
            step *= exp(log_value - known[0])
            ratio += step
            wrong += fabs(step) * (
                ROUNDING + ROUNDING_OF_LOG * fabs(log_value) + error[0]
            )
        if w.pending[i].amount > 0:
            up -= w.log_alpha * <double> w.pending[i].amount
        else:
            down += w.log_alpha * <double> w.pending[i].amount
        n_done += 1
        if not (ratio > 0.0 and wrong <= WORST * ratio):
            # What was subtracted left too little.
            return UNKNOWN
    log_value = known[0] + log(ratio)
    if n_done < n:
        return side_of(w, log_value - down, log_value + up)
    certify(w, log_value, wrong / ratio, known, error, since)
    return side_of(w, log_value, log_value)


cdef int decide(
    Weights* w, const int32_t* row, double* known, double* error, int64_t* since,
    double full_cost, int64_t* state, double* spent,
) noexcept nogil:
    """The side of the threshold, if it follows from what is known."""
    cdef int side = side_of(
        w,
        known[0] - w.log_alpha * <double> (w.demoted - since[AT_DEMOTED]),
        known[0] + w.log_alpha * <double> (w.promoted - since[AT_PROMOTED]),
    )
    cdef double cost, log_value
    cdef Py_ssize_t j
    if side != UNKNOWN:
        state[N_SKIPPED] += 1
        return side
    if since[AT_VERSION] == w.version and known[0] == known[0] or w.bound >= WIDEST:
        return UNKNOWN
    w.n_specified = 0
    for j in range(w.n_attributes):
        w.n_specified += row[j] != 0
    # A small sum is not worth leaving for.
    cost = cost_of(w, w.n_specified)
    if known[0] == known[0]:
        side = by_increments(w, row, known, error, since, min(cost, full_cost), spent)
        if side != UNKNOWN:
            state[N_INCREMENTAL] += 1
            return side
    if cost > full_cost or not sum_inside(
        w, row, row, w.n_specified, 0, 0, &log_value
    ):
        return UNKNOWN
    spent[0] += cost
    certify(w, log_value, ROUNDING, known, error, since)
    side = side_of(w, log_value, log_value)
    state[N_FULL] += side != UNKNOWN
    return side


def epoch(
    const int64_t[::1] order,        # IN (n_presented,) presentations to go through
    const int64_t[::1] rows,         # IN (n,) the row that each presents
    const uint8_t[::1] positive,     # IN (n,) whether it is of the class
    const int64_t[::1] units,        # IN (n,) its weight
    int64_t one,                     # IN so many units make a whole presentation
    uint8_t[::1] guesses,            # OUT (n,) predictions
    const int32_t[:, ::1] codes,     # IN (n_rows, n_attributes) distinct rows
    int64_t[::1] places,             # IN, OUT (n_rows,) among the updates, else -1
    double[::1] known,               # IN, OUT (n_rows,) log W, NaN if it is not known
    double[::1] errors,              # IN, OUT (n_rows,) relative errors of W
    int64_t[:, ::1] since,           # IN, OUT (n_rows, 3) when, see AT_VERSION
    const double[::1] full_costs,    # IN (n_rows,) microseconds of a sum in full
    int32_t[:, ::1] updates,         # IN, OUT (capacity, n_attributes) codes
    int32_t[:, ::1] columns,         # IN, OUT (n_attributes, capacity) the same
    int64_t[::1] net,                # IN, OUT (capacity,) exponents
    int64_t[:, ::1] history,         # IN, OUT (any, 2) places and amounts of updates
    int64_t[::1] state,              # IN, OUT (11,)
    int64_t bound,                   # sum of the exponents before, in absolute value
    int64_t max_updates,             # that may be kept
    Py_ssize_t n_restricted,         # attributes of a restricted sum, at most
    Py_ssize_t max_term_size,        # larger terms are left out of all sums
    double log_alpha,
    double log_beta,
    double log_threshold,
    double margin,                   # by which it is to be exceeded, or missed
):
    """Go on with an epoch, until it is done or the caller has to do something.

    Returns
    -------
    reason : {0, 1, 2, 3, 4}
        0 at the end; 1 where a sum is needed in full, whose side of the threshold is
        to be set as ANSWER; 2 for room; 3 to look for interrupts; 4 to forget updates.
    """
    cdef Py_ssize_t capacity = updates.shape[0], n = updates.shape[1], j
    cdef Py_ssize_t n_restricted_most = min(n_restricted, <Py_ssize_t> MOST_RESTRICTED)
    cdef Weights w
    cdef int64_t i, row, place, amount
    cdef int reason = DONE, above
    cdef double spent = 0.0
    cdef size_t n_bytes = sizeof(Pending) + 3 * sizeof(int64_t) + sizeof(int32_t)
    cdef char* room = <char*> malloc(
        capacity * n_bytes + MOST_RESTRICTED * sizeof(double)
    )
    if room == NULL:
        raise MemoryError
    w.pending = <Pending*> room
    w.growth = <int64_t*> (w.pending + capacity)
    w.sets = <uint64_t*> (w.growth + capacity)
    w.exponents = <int64_t*> (w.sets + capacity)
    w.log_odds = <double*> (w.exponents + capacity)
    w.masks = <int32_t*> (w.log_odds + MOST_RESTRICTED)
    for j in range(capacity):
        w.growth[j] = 0
    for j in range(MOST_RESTRICTED):
        w.log_odds[j] = log_beta
    w.n_attributes, w.capacity, w.n_restricted = n, capacity, n_restricted_most
    w.updates, w.columns, w.net = &updates[0, 0], &columns[0, 0], &net[0]
    w.max_term_size = max_term_size
    w.history = &history[0, 0]
    w.log_alpha, w.log_beta = log_alpha, log_beta
    with nogil:
        while state[POSITION] < order.shape[0] and reason == DONE:
            i = order[state[POSITION]]
            row = rows[i]
            w.log_threshold = log_threshold + (margin if positive[i] else -margin)
            if state[REMAINING] == 0:
                state[REMAINING] = units[i]
            while state[REMAINING] > 0:
                w.m, w.version = state[N_UPDATES], state[VERSION]
                w.promoted, w.demoted = state[PROMOTED], state[DEMOTED]
                w.bound = bound + w.promoted + w.demoted
                above = <int> state[ANSWER]
                if above == UNKNOWN:
                    above = decide(
                        &w, &codes[row, 0], &known[row], &errors[row], &since[row, 0],
                        full_costs[row], &state[0], &spent,
                    )
                if above == UNKNOWN:
                    reason = FULL_SUM
                    break
                place = places[row]
                if above != positive[i] and (
                    w.version == history.shape[0] or (place < 0 and w.m == capacity)
                ):
                    # To be asked again, with the same answer.
                    state[ANSWER] = above
                    reason = ROOM
                    break
                guesses[i] = <uint8_t> above
                state[ANSWER] = UNKNOWN
                if above == positive[i]:
                    # Nothing changes: the presentations to come would end the same.
                    state[REMAINING] = 0
                    break
                amount = min(one, state[REMAINING])
                state[REMAINING] -= amount
                state[N_WRONG] += 1
                if not positive[i]:
                    amount = -amount
                if place < 0:
                    place = places[row] = w.m
                    state[N_UPDATES] += 1
                    net[place] = 0
                    for j in range(n):
                        updates[place, j] = columns[j, place] = codes[row, j]
                net[place] += amount
                history[w.version, 0] = place
                history[w.version, 1] = amount
                state[VERSION] += 1
                if amount > 0:
                    state[PROMOTED] += amount
                else:
                    state[DEMOTED] -= amount
                if since[row, AT_VERSION] == w.version:
                    # All terms of the row are multiplied alike.
                    known[row] += log_alpha * <double> amount
                    errors[row] += ROUNDING
                    since[row, AT_VERSION] = state[VERSION]
                    since[row, AT_PROMOTED] = state[PROMOTED]
                    since[row, AT_DEMOTED] = state[DEMOTED]
                if state[N_UPDATES] > max_updates:
                    reason = FORGET
                    break
            if state[REMAINING] == 0:
                state[POSITION] += 1
                spent += COST_OF_PENDING * <double> n
                if reason == DONE and spent > COST_OF_CALL:
                    reason = PAUSE
    free(room)
    return reason
