"""The frontier: a weighted sum attribute by attribute, over the sets of updates alive.

A term is decided on one attribute after the other. Of what was decided so far, only the
updates still alive matter, those that agree on every attribute constrained; so partial
terms with the same updates alive are one *state*, a bit mask, whose value is their
total weight. At each attribute a state stays (unconstrained) and sends a share to the
state of the updates that survive it (constrained). Weights are relative to the total,

    p = odds / (1 + odds) constrained,  q = 1 - p unconstrained,

so that all values add up to 1, and a state that an attribute does not thin out keeps
its value as it is. Hence one table of states serves from beginning to end: a share
always goes to a set inside the column, and such a state is never split at that
attribute itself.

Beyond a budget the states are thinned (Fearnhead & Clifford 2003): those of priority
above a threshold stay, the others stay with probability in proportion to it, and value
divided by that, so that the sum remains right on average.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, expm1, log, log1p
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from _bits cimport popcount
from _random cimport LANES, draw_lanes, mix64, seed_lane

cdef extern from *:
    """
    #if defined(__GNUC__)
    #  define DNFWINNOW_PREFETCH(address) __builtin_prefetch(address)
    #  define DNFWINNOW_LOWEST(word) __builtin_ctzll(word)
    #else
    #  include <intrin.h>
    #  define DNFWINNOW_PREFETCH(address) ((void) 0)
    static __inline int DNFWINNOW_LOWEST(unsigned __int64 word)
    {
        unsigned long i;
        _BitScanForward64(&i, word);
        return (int) i;
    }
    #endif
    """
    void prefetch "DNFWINNOW_PREFETCH"(const void* address) noexcept nogil
    int lowest_bit "DNFWINNOW_LOWEST"(uint64_t word) noexcept nogil

cdef enum:
    # States looked at before their shares are sent: time for the table to be fetched.
    BLOCK = 64
    FEWEST_STATES = 256
    BYTE = 256

# Between two looks for Ctrl-C: well under a second.
cdef int64_t SPLITS_BETWEEN_SIGNALS = 1 << 22


cdef enum Outcome:
    DONE = 0
    TOO_MANY_STATES = 1
    NO_MEMORY = 2


cdef struct Problem:
    Py_ssize_t n, m, n_words, n_planes
    const uint64_t* columns       # (n, n_words): updates that survive attribute j
    const uint64_t* planes        # (n_planes, n_words): bit planes of the exponents
    const int64_t* exponents      # (m,)
    const int64_t* multiplicities  # (n,)
    double log_either             # log(1 + beta)
    double log_alpha
    bint logs                     # whether values are logarithms: slower, any range


cdef struct States:
    Py_ssize_t n, capacity
    uint64_t* alive               # (capacity, n_words)
    double* values                # (capacity,)
    uint32_t* table               # open addressing; place of a state + 1, 0 if empty
    uint64_t table_mask
    # Partial terms that leave no update alive, and those that leave one, split by
    # whether it survives to the end: their phi is settled.
    double settled
    double* settled_alive         # (m,)


# What an attribute does, and what is known about those after it.
cdef struct Level:
    const uint64_t* column
    double p, q                   # logarithms where values are
    int64_t* outside              # (m,) attributes after this that update i disagrees on
    double* inside                # (m,) probability of agreeing on what is constrained
    double* not_inside            # (m,) 1 - inside


# -- values, as they are or as logarithms ----------------------------------------------

cdef inline double times(double a, double b, bint logs) noexcept nogil:
    return a + b if logs else a * b


cdef inline double plus(double a, double b, bint logs) noexcept nogil:
    if not logs:
        return a + b
    if a < b:
        a, b = b, a
    return a if b == -INFINITY else a + log1p(exp(b - a))


cdef inline double of_log(double x, bint logs) noexcept nogil:
    return x if logs else exp(x)


# -- the table of states ---------------------------------------------------------------

cdef inline uint64_t hash_of(
    const uint64_t* alive, Py_ssize_t n_words
) noexcept nogil:
    cdef uint64_t h = 0
    cdef Py_ssize_t w
    for w in range(n_words):
        h = (h ^ alive[w]) * <uint64_t> 0x9E3779B97F4A7C15
        h ^= h >> 32
    return h


cdef inline bint same(
    const uint64_t* a, const uint64_t* b, Py_ssize_t n_words
) noexcept nogil:
    cdef Py_ssize_t w
    for w in range(n_words):
        if a[w] != b[w]:
            return False
    return True


cdef void index(States* s, Py_ssize_t n_words) noexcept nogil:
    """Fill the table anew."""
    cdef Py_ssize_t i
    cdef uint64_t slot
    memset(s.table, 0, (s.table_mask + 1) * sizeof(uint32_t))
    for i in range(s.n):
        slot = hash_of(s.alive + i * n_words, n_words) & s.table_mask
        while s.table[slot]:
            slot = (slot + 1) & s.table_mask
        s.table[slot] = <uint32_t> (i + 1)


cdef bint grow(States* s, Py_ssize_t capacity, Py_ssize_t n_words) noexcept nogil:
    """Room for so many states, and a table twice as long at least."""
    cdef uint64_t length = 2 * FEWEST_STATES
    cdef void* alive
    cdef void* values
    cdef void* table
    while length < 2 * <uint64_t> capacity:
        length *= 2
    alive = realloc(s.alive, capacity * n_words * sizeof(uint64_t))
    if alive != NULL:
        s.alive = <uint64_t*> alive
    values = realloc(s.values, capacity * sizeof(double))
    if values != NULL:
        s.values = <double*> values
    table = realloc(s.table, length * sizeof(uint32_t))
    if table != NULL:
        s.table = <uint32_t*> table
    if alive == NULL or values == NULL or table == NULL:
        return False
    s.capacity = capacity
    s.table_mask = length - 1
    index(s, n_words)
    return True


# -- one attribute ---------------------------------------------------------------------

cdef void look_past(const Problem* p, Level* level) noexcept nogil:
    """How likely each update is to agree on all that is still to be decided."""
    cdef Py_ssize_t i
    cdef double log_inside
    for i in range(p.m):
        log_inside = -<double> level.outside[i] * p.log_either
        level.inside[i] = of_log(log_inside, p.logs)
        level.not_inside[i] = log(-expm1(log_inside)) if p.logs else -expm1(log_inside)


cdef void enter(const Problem* p, Level* level, Py_ssize_t j) noexcept nogil:
    """Settle what attribute j does, and what comes after."""
    cdef Py_ssize_t i
    cdef double log_q = -<double> p.multiplicities[j] * p.log_either
    level.column = p.columns + j * p.n_words
    level.q = of_log(log_q, p.logs)
    level.p = log(-expm1(log_q)) if p.logs else -expm1(log_q)
    for i in range(p.m):
        if not (level.column[i >> 6] >> (i & 63)) & 1:
            level.outside[i] -= p.multiplicities[j]
    look_past(p, level)


cdef inline int expand(
    const Problem* p, States* s, const Level* level, Py_ssize_t max_states,
    uint64_t* waiting, Py_ssize_t n_words, bint logs,
) noexcept nogil:
    """Split all states at one attribute."""
    cdef Py_ssize_t n = s.n, block, first, i, w, k, count, size, place
    cdef uint64_t slot
    cdef uint64_t* child
    cdef double share
    cdef double[BLOCK] shares
    cdef uint64_t[BLOCK] slots
    cdef const uint64_t* column = level.column
    cdef bint split

    for block in range((n + BLOCK - 1) // BLOCK):
        first = block * BLOCK
        if s.n + BLOCK > s.capacity:
            if s.n > max_states:
                return TOO_MANY_STATES
            if not grow(s, 2 * s.capacity, n_words):
                return NO_MEMORY
        count = 0
        for i in range(first, min(first + BLOCK, n)):
            child = waiting + count * n_words
            split = False
            size = 0
            for w in range(n_words):
                child[w] = s.alive[i * n_words + w] & column[w]
                split |= child[w] != s.alive[i * n_words + w]
                size += popcount(child[w])
            if not split:
                continue
            share = times(s.values[i], level.p, logs)
            s.values[i] = times(s.values[i], level.q, logs)
            if size == 0:
                s.settled = plus(s.settled, share, logs)
            elif size == 1:
                w = 0
                while child[w] == 0:
                    w += 1
                k = 64 * w + lowest_bit(child[w])
                s.settled_alive[k] = plus(
                    s.settled_alive[k], times(share, level.inside[k], logs), logs
                )
                s.settled = plus(
                    s.settled, times(share, level.not_inside[k], logs), logs
                )
            else:
                slot = hash_of(child, n_words) & s.table_mask
                prefetch(s.table + slot)
                slots[count] = slot
                shares[count] = share
                count += 1
        for k in range(count):
            place = <Py_ssize_t> s.table[slots[k]]
            if place:
                prefetch(s.alive + (place - 1) * n_words)
                prefetch(s.values + place - 1)
        for k in range(count):
            child = waiting + k * n_words
            slot = slots[k]
            while True:
                place = <Py_ssize_t> s.table[slot] - 1
                if place < 0:
                    s.table[slot] = <uint32_t> (s.n + 1)
                    for w in range(n_words):
                        s.alive[s.n * n_words + w] = child[w]
                    s.values[s.n] = shares[k]
                    s.n += 1
                    break
                if same(s.alive + place * n_words, child, n_words):
                    s.values[place] = plus(s.values[place], shares[k], logs)
                    break
                slot = (slot + 1) & s.table_mask
    return TOO_MANY_STATES if s.n > max_states else DONE


# One and two words, the common cases, get code of their own.
cdef int expand_level(
    const Problem* p, States* s, const Level* level, Py_ssize_t max_states,
    uint64_t* waiting,
) noexcept nogil:
    if p.logs:
        return expand(p, s, level, max_states, waiting, p.n_words, True)
    if p.n_words == 1:
        return expand(p, s, level, max_states, waiting, 1, False)
    if p.n_words == 2:
        return expand(p, s, level, max_states, waiting, 2, False)
    return expand(p, s, level, max_states, waiting, p.n_words, False)


# -- thinning --------------------------------------------------------------------------

cdef void look_ahead(const Problem* p, const Level* level, double* factors) noexcept nogil:
    """What each update does to a state's future, tabulated for 8 updates at once.

    A random completion agrees with update i with probability `inside`; taken
    as independent, the updates alive multiply the weight by the product of
    inside alpha^c + (1 - inside).
    """
    cdef Py_ssize_t byte, bit, i, k
    cdef double factor, boost
    cdef double* table
    for byte in range(8 * p.n_words):
        table = factors + byte * BYTE
        table[0] = of_log(0.0, p.logs)
        for bit in range(8):
            i = 8 * byte + bit
            factor = of_log(0.0, p.logs)
            if i < p.m:
                boost = of_log(p.log_alpha * <double> p.exponents[i], p.logs)
                factor = plus(
                    times(level.inside[i], boost, p.logs), level.not_inside[i], p.logs
                )
            for k in range(1 << bit):
                table[(1 << bit) + k] = times(table[k], factor, p.logs)


cdef void set_priorities(
    const Problem* p, const States* s, const double* factors, double* priorities
) noexcept nogil:
    """Value times what the updates alive promise; not as logarithms."""
    cdef Py_ssize_t i, w, b
    cdef uint64_t alive
    cdef double priority, top = -INFINITY
    for i in range(s.n):
        priority = s.values[i]
        for w in range(p.n_words):
            alive = s.alive[i * p.n_words + w]
            for b in range(8):
                priority = times(
                    priority,
                    factors[(8 * w + b) * BYTE + <Py_ssize_t> ((alive >> 8 * b) & 255)],
                    p.logs,
                )
        priorities[i] = priority
        top = max(top, priority)
    if p.logs:
        for i in range(s.n):
            priorities[i] = exp(priorities[i] - top)


cdef double threshold_of(
    const double* priorities, Py_ssize_t n, Py_ssize_t n_kept, double* scratch
) noexcept nogil:
    """The t for which the sum of min(1, priority / t) is n_kept < n."""
    cdef Py_ssize_t i, n_small = n, n_left, n_above = 0
    cdef double t, small = 0.0, kept
    memcpy(scratch, priorities, n * sizeof(double))
    for i in range(n):
        small += scratch[i]
    while True:
        t = small / <double> (n_kept - n_above)
        n_left = 0
        small = 0.0
        for i in range(n_small):
            kept = scratch[i]
            scratch[n_left] = kept
            if kept < t:
                n_left += 1
                small += kept
        n_above += n_small - n_left
        if n_left == n_small or n_above >= n_kept or small <= 0.0:
            return t
        n_small = n_left


cdef void thin(
    const Problem* p, States* s, Py_ssize_t n_kept, const double* priorities,
    double* scratch, double uniform,
) noexcept nogil:
    """Keep about n_kept states: systematic sampling of those below the threshold."""
    cdef Py_ssize_t i, w, place = 0
    cdef double t = threshold_of(priorities, s.n, n_kept, scratch)
    cdef double chance, next_pick = uniform, passed = 0.0
    for i in range(s.n):
        chance = priorities[i] / t
        if chance < 1.0:
            passed += chance
            if passed <= next_pick:
                continue
            next_pick += 1.0
            s.values[i] = times(
                s.values[i], -log(chance) if p.logs else 1.0 / chance, p.logs
            )
        for w in range(p.n_words):
            s.alive[place * p.n_words + w] = s.alive[i * p.n_words + w]
        s.values[place] = s.values[i]
        place += 1
    s.n = place
    index(s, p.n_words)


# -- the sum ---------------------------------------------------------------------------

cdef int64_t phi_of(const Problem* p, const uint64_t* alive) noexcept nogil:
    cdef Py_ssize_t w, b
    cdef int64_t count, phi = 0
    for b in range(p.n_planes):
        count = 0
        for w in range(p.n_words):
            count += popcount(alive[w] & p.planes[b * p.n_words + w])
        phi += -(count << b) if b == p.n_planes - 1 else count << b
    return phi


cdef inline double log_weight(
    const Problem* p, double value, int64_t phi
) noexcept nogil:
    """The part of a logarithm that must not overflow: all of it where values are logs."""
    return p.log_alpha * <double> phi + (value if p.logs else 0.0)


cdef double log_value(const Problem* p, const States* s, int64_t* phi) noexcept nogil:
    """log of the sum of value times alpha^phi: W relative to the initial weight."""
    cdef Py_ssize_t i
    cdef double top = log_weight(p, s.settled, 0), total
    for i in range(p.m):
        top = max(top, log_weight(p, s.settled_alive[i], p.exponents[i]))
    for i in range(s.n):
        phi[i] = phi_of(p, s.alive + i * p.n_words)
        top = max(top, log_weight(p, s.values[i], phi[i]))
    total = (1.0 if p.logs else s.settled) * exp(log_weight(p, s.settled, 0) - top)
    for i in range(p.m):
        total += (1.0 if p.logs else s.settled_alive[i]) * exp(
            log_weight(p, s.settled_alive[i], p.exponents[i]) - top
        )
    for i in range(s.n):
        total += (1.0 if p.logs else s.values[i]) * exp(
            log_weight(p, s.values[i], phi[i]) - top
        )
    return top + log(total)


# -- all attributes --------------------------------------------------------------------

cdef struct Run:
    Problem problem
    Level level
    States states
    States first                  # what the replicates have in common
    uint64_t* waiting             # (BLOCK, n_words)
    double* factors               # (8 n_words, BYTE)
    double* priorities
    double* scratch
    uint64_t[4 * LANES] generators
    int64_t* first_outside
    int64_t* phi
    Py_ssize_t most_states
    int64_t n_splits              # states looked at, all attributes and replicates
    int64_t n_splits_signalled


cdef bint open_states(const Problem* p, States* s) noexcept nogil:
    """One state, in which all updates are alive."""
    cdef Py_ssize_t i
    s.settled_alive = <double*> malloc(p.m * sizeof(double))
    if s.settled_alive == NULL or not grow(s, FEWEST_STATES, p.n_words):
        return False
    s.settled = of_log(-INFINITY, p.logs)
    for i in range(p.m):
        s.settled_alive[i] = s.settled
    memset(s.alive, 0, p.n_words * sizeof(uint64_t))
    for i in range(p.m):
        s.alive[i >> 6] |= <uint64_t> 1 << (i & 63)
    s.values[0] = of_log(0.0, p.logs)
    s.n = 1
    index(s, p.n_words)
    return True


cdef bint copy_states(const Problem* p, const States* a, States* b) noexcept nogil:
    if b.capacity < a.n and not grow(b, a.capacity, p.n_words):
        return False
    if b.settled_alive == NULL:
        b.settled_alive = <double*> malloc(p.m * sizeof(double))
        if b.settled_alive == NULL:
            return False
    b.n = a.n
    b.settled = a.settled
    memcpy(b.settled_alive, a.settled_alive, p.m * sizeof(double))
    memcpy(b.alive, a.alive, a.n * p.n_words * sizeof(uint64_t))
    memcpy(b.values, a.values, a.n * sizeof(double))
    return True


cdef void free_states(States* s) noexcept nogil:
    free(s.alive)
    free(s.values)
    free(s.table)
    free(s.settled_alive)


cdef bint thin_to(Run* run, Py_ssize_t n_kept) noexcept nogil:
    cdef States* s = &run.states
    cdef uint64_t[LANES] draws
    cdef size_t room = s.n * sizeof(double)
    cdef void* priorities = realloc(run.priorities, room)
    cdef void* scratch
    if priorities == NULL:
        return False
    run.priorities = <double*> priorities
    scratch = realloc(run.scratch, room)
    if scratch == NULL:
        return False
    run.scratch = <double*> scratch
    look_ahead(&run.problem, &run.level, run.factors)
    set_priorities(&run.problem, s, run.factors, run.priorities)
    draw_lanes(run.generators, draws)
    thin(
        &run.problem, s, n_kept, run.priorities, run.scratch,
        <double> (draws[0] >> 11) / 9007199254740992.0,
    )
    return True


cdef int advance(
    Run* run, Py_ssize_t* j, Py_ssize_t max_states, bint exact, bint thinning
) except -1 nogil:
    """Take one attribute after the other.

    Stops where the states exceed the budget: at once if the sum has to be exact, after
    the attribute if it need not be, unless it is for thinning already.
    """
    cdef int outcome = DONE
    # An attribute can at most double the states.
    cdef Py_ssize_t limit = max_states if exact else 2 * max_states
    while j[0] < run.problem.n and outcome == DONE:
        run.n_splits += run.states.n
        if run.n_splits - run.n_splits_signalled > SPLITS_BETWEEN_SIGNALS:
            run.n_splits_signalled = run.n_splits
            with gil:
                PyErr_CheckSignals()
        enter(&run.problem, &run.level, j[0])
        outcome = expand_level(
            &run.problem, &run.states, &run.level, limit, run.waiting
        )
        j[0] += 1
        run.most_states = max(run.most_states, run.states.n)
        if outcome == DONE and run.states.n > max_states:
            if not thinning:
                outcome = TOO_MANY_STATES
            elif not thin_to(run, max_states):
                outcome = NO_MEMORY
    return outcome


cdef bint save_first(Run* run) noexcept nogil:
    """Keep the states that all replicates start from."""
    cdef size_t room = run.problem.m * sizeof(int64_t)
    run.first_outside = <int64_t*> malloc(room)
    if run.first_outside == NULL:
        return False
    memcpy(run.first_outside, run.level.outside, room)
    return copy_states(&run.problem, &run.states, &run.first)


cdef bint start_replicate(
    Run* run, Py_ssize_t max_states, uint64_t stream
) noexcept nogil:
    seed_lane(run.generators, 0, stream)
    memcpy(
        run.level.outside, run.first_outside, run.problem.m * sizeof(int64_t)
    )
    look_past(&run.problem, &run.level)
    return copy_states(
        &run.problem, &run.first, &run.states
    ) and thin_to(run, max_states)


cdef bint open_run(Run* run) noexcept nogil:
    cdef const Problem* p = &run.problem
    cdef Level* level = &run.level
    cdef Py_ssize_t i, j
    level.outside = <int64_t*> calloc(p.m, sizeof(int64_t))
    level.inside = <double*> malloc(p.m * sizeof(double))
    level.not_inside = <double*> malloc(p.m * sizeof(double))
    run.waiting = <uint64_t*> malloc(BLOCK * p.n_words * sizeof(uint64_t))
    run.factors = <double*> malloc(8 * p.n_words * BYTE * sizeof(double))
    if (
        level.outside == NULL or level.inside == NULL or level.not_inside == NULL
        or run.waiting == NULL or run.factors == NULL
        or not open_states(p, &run.states)
    ):
        return False
    for j in range(p.n):
        for i in range(p.m):
            if not (p.columns[j * p.n_words + (i >> 6)] >> (i & 63)) & 1:
                level.outside[i] += p.multiplicities[j]
    return True


cdef void free_run(Run* run) noexcept nogil:
    free(run.level.outside)
    free(run.level.inside)
    free(run.level.not_inside)
    free(run.first_outside)
    free(run.waiting)
    free(run.factors)
    free(run.priorities)
    free(run.scratch)
    free(run.phi)
    free_states(&run.states)
    free_states(&run.first)


cdef int sum_up(Run* run, double* log_value_) noexcept nogil:
    cdef void* phi = realloc(run.phi, max(run.states.n, 1) * sizeof(int64_t))
    if phi == NULL:
        return NO_MEMORY
    run.phi = <int64_t*> phi
    log_value_[0] = log_value(&run.problem, &run.states, run.phi)
    return DONE


cdef int estimate(
    Run* run, Py_ssize_t max_states, bint exact, uint64_t stream,
    double* log_values, Py_ssize_t n_replicates,
) except -1 nogil:
    """The sum in the first place if it is exact, else one estimate in each."""
    cdef Py_ssize_t j = 0, from_here, r
    cdef int outcome = advance(run, &j, max_states, exact, False)
    if outcome == DONE:
        return sum_up(run, log_values)
    if exact or outcome == NO_MEMORY:
        return outcome
    if not save_first(run):
        return NO_MEMORY
    for r in range(n_replicates):
        from_here = j
        if not start_replicate(run, max_states, mix64(stream + <uint64_t> r)):
            return NO_MEMORY
        if (
            advance(run, &from_here, max_states, False, True) != DONE
            or sum_up(run, log_values + r) != DONE
        ):
            return NO_MEMORY
    return TOO_MANY_STATES


cdef void open_problem(
    Problem* p,
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    const int64_t[::1] exponents, const int64_t[::1] multiplicities,
    double log_either, double log_alpha, bint logs,
) noexcept:
    p.n = columns.shape[0]
    p.m = exponents.shape[0]
    p.n_words = columns.shape[1]
    p.n_planes = planes.shape[0]
    p.columns = &columns[0, 0]
    p.planes = &planes[0, 0]
    p.exponents = &exponents[0]
    p.multiplicities = &multiplicities[0]
    p.log_either = log_either
    p.log_alpha = log_alpha
    p.logs = logs


def log_sum(
    const uint64_t[:, ::1] columns,  # IN (n, n_words) updates that survive attribute j
    const uint64_t[:, ::1] planes,   # IN (n_planes, n_words) bits of the exponents
    const int64_t[::1] exponents,    # IN (m,)
    const int64_t[::1] multiplicities,  # IN (n,) of the attributes
    double log_either,               # log(1 + beta)
    double log_alpha,
    bint logs,                       # keep values as logarithms: slower, any range
    Py_ssize_t max_states,
    bint exact,                      # give up beyond max_states, rather than thin
    uint64_t stream,
    double[::1] log_values,          # OUT (n_replicates,)
):
    """log W, relative to the total initial weight.

    Returns
    -------
    fits : bool
        Whether the states stayed within max_states: log_values[0] is exact. Else they
        are independent estimates or, if it has to be exact, not set.
    most_states : int
        Largest number of states at any time.
    n_splits : int
        States looked at, over all attributes.
    """
    cdef Run run
    cdef int outcome
    memset(&run, 0, sizeof(Run))
    open_problem(
        &run.problem, columns, planes, exponents, multiplicities, log_either,
        log_alpha, logs,
    )
    try:
        with nogil:
            outcome = NO_MEMORY
            if open_run(&run):
                outcome = estimate(
                    &run, max_states, exact, stream,
                    &log_values[0], log_values.shape[0],
                )
        if outcome == NO_MEMORY:
            raise MemoryError
        return outcome == DONE, run.most_states, run.n_splits
    finally:
        free_run(&run)


def density(
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    const int64_t[::1] exponents, const int64_t[::1] multiplicities,
    double log_either, bint logs, Py_ssize_t max_states,
):
    """Parts of the initial weight and the phi of each; None beyond max_states.

    Returns
    -------
    phi : ndarray of shape (n_parts,), int64
        Not distinct.
    weights : ndarray of shape (n_parts,), float64
        Relative to the total, as logarithms if `logs`.
    """
    cdef Run run
    cdef Py_ssize_t i, j = 0
    cdef int outcome
    cdef int64_t[::1] phi
    cdef double[::1] weights
    memset(&run, 0, sizeof(Run))
    open_problem(
        &run.problem, columns, planes, exponents, multiplicities, log_either, 0.0, logs
    )
    try:
        with nogil:
            outcome = NO_MEMORY
            if open_run(&run):
                outcome = advance(&run, &j, max_states, True, False)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == TOO_MANY_STATES:
            return None
        phi = np.zeros(run.states.n + exponents.shape[0] + 1, dtype=np.int64)
        weights = np.empty(phi.shape[0])
        weights[0] = run.states.settled
        for i in range(exponents.shape[0]):
            phi[1 + i] = exponents[i]
            weights[1 + i] = run.states.settled_alive[i]
        j = 1 + exponents.shape[0]
        for i in range(run.states.n):
            phi[j + i] = phi_of(
                &run.problem, run.states.alive + i * run.problem.n_words
            )
            weights[j + i] = run.states.values[i]
        return np.asarray(phi), np.asarray(weights)
    finally:
        free_run(&run)
