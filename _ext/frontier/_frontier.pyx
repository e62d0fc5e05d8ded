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

Towards the end, updates that agree on all that is left can die no more: what they
multiply is multiplied into the values, and states that differ in them alone are merged.
The last attributes are summed over directly, state by state.

Beyond a budget the states are thinned (Fearnhead & Clifford 2003): those of priority
above a threshold stay, the others stay with probability in proportion to it, and their
value is divided by that, so that the sum remains right on average.

Where terms have a largest size, a state has a value for each size so far: how many
partial terms there are, times the powers of alpha folded in. (Initial weights come in
at the end, size by size.) An attribute that does not thin out a state makes some of its
terms longer where they are; the longest take no more literals, so that their share of
another state is worth what it is worth at once.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, expm1, log
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from _bits cimport lowest_bit, popcount
from _levels cimport FOLDED, Level, Problem, phi_of
from _memory cimport prefetch
from _random cimport mix64, seed_lane
from _states cimport (
    FEWEST_STATES, States, alive_of, entry_of, grow, hash_of, index, of_log, plus, same,
    set_value, sizes_of, times, value_of,
)
from _thinning cimport DOUBT, GUESSES, Decider, LookAhead, set_priorities, thin

cdef enum:
    # States looked at before their shares are sent: time for the table to be fetched.
    BLOCK = 64
    # Attributes that are summed over directly, and terms over them.
    TAIL = 4
    TAIL_TERMS = 16

# Between two looks for Ctrl-C: well under a second.
cdef int64_t SPLITS_BETWEEN_SIGNALS = 1 << 22
cdef Py_ssize_t BLOCKS_BETWEEN_SIGNALS = 1 << 13

# For Python, that makes the guesses.
MOST_GUESSES = DOUBT


cdef enum Outcome:
    DONE = 0
    TOO_MANY_STATES = 1
    NO_MEMORY = 2


# Shares on their way to their states.
cdef struct Waiting:
    Py_ssize_t count
    uint64_t* alive               # (BLOCK, n_words)
    uint64_t[BLOCK] hashes
    double[BLOCK] shares
    # Where sizes count, shares are factors of these.
    const double* terms[BLOCK]


# -- terms by size ---------------------------------------------------------------------

cdef inline void add_terms(
    double* to, const double* terms, Py_ssize_t n_sizes, Py_ssize_t longer,
    double factor, bint logs,
) noexcept nogil:
    """Add terms, made longer by so many literals, to others or to themselves."""
    cdef Py_ssize_t c
    for c in range(n_sizes - 1, longer - 1, -1):
        to[c] = plus(to[c], times(terms[c - longer], factor, logs), logs)


cdef inline double power_of(const Problem* p, int64_t phi) noexcept nogil:
    return p.log_alpha * <double> phi if p.logs else p.powers[phi - p.phi_low]


cdef inline void lengthen(
    const Problem* p, States* s, const Level* level, Py_ssize_t n_words, bint logs
) noexcept nogil:
    """Constrain an attribute in all terms whose updates alive agree on it."""
    cdef Py_ssize_t i, w
    cdef double one = of_log(0.0, logs)
    cdef uint64_t lost
    cdef const uint64_t* alive
    cdef double* terms
    add_terms(s.settled, s.settled, p.n_sizes, 1, one, logs)
    for i in range(p.m):
        terms = s.settled_alive + i * p.n_sizes
        if (level.column[i >> 6] >> (i & 63)) & 1:
            add_terms(terms, terms, p.n_sizes, 1, one, logs)
        else:
            add_terms(s.settled, terms, p.n_sizes, 1, one, logs)
    for i in range(s.n):
        alive = alive_of(s, i, n_words)
        lost = 0
        for w in range(n_words):
            lost |= alive[w] & ~level.column[w]
        if not lost:
            terms = sizes_of(s, i)
            add_terms(terms, terms, p.n_sizes, 1, one, logs)


# -- one attribute ---------------------------------------------------------------------

cdef void look_past(const Problem* p, Level* level) noexcept nogil:
    """How likely each update is to agree on all that is still to be decided."""
    cdef Py_ssize_t i
    level.folds = level.n_left <= (0 if p.logs else FOLDED)
    memset(level.immortal, 0, p.n_words * sizeof(uint64_t))
    for i in range(p.m):
        level.inside[i] = level.none[level.outside[i]]
        level.not_inside[i] = level.some[level.outside[i]]
        if level.outside[i] == 0:
            level.immortal[i >> 6] |= <uint64_t> 1 << (i & 63)


cdef void enter(const Problem* p, Level* level, Py_ssize_t j) noexcept nogil:
    """Settle what attribute j does, and what comes after."""
    cdef Py_ssize_t i
    level.column = p.columns + j * p.n_words
    level.q = level.none[p.multiplicities[j]]
    level.p = level.some[p.multiplicities[j]]
    level.n_left = p.n - j - 1
    for i in range(p.m):
        if not (level.column[i >> 6] >> (i & 63)) & 1:
            level.outside[i] -= p.multiplicities[j]
    look_past(p, level)


cdef inline void take_in(
    States* s, const Level* level, Waiting* waiting, double share,
    Py_ssize_t n_words, bint logs,
) noexcept nogil:
    """Settle the share of the last mask waiting, or let it wait for its state."""
    cdef Py_ssize_t w, i, size = 0
    cdef const uint64_t* alive = waiting.alive + waiting.count * n_words
    for w in range(n_words):
        size += popcount(alive[w])
    if size == 0:
        s.settled[0] = plus(s.settled[0], share, logs)
    elif size == 1:
        w = 0
        while alive[w] == 0:
            w += 1
        i = 64 * w + lowest_bit(alive[w])
        s.settled_alive[i] = plus(
            s.settled_alive[i], times(share, level.inside[i], logs), logs
        )
        s.settled[0] = plus(
            s.settled[0], times(share, level.not_inside[i], logs), logs
        )
    else:
        waiting.hashes[waiting.count] = hash_of(alive, n_words)
        waiting.shares[waiting.count] = share
        prefetch(s.table + (waiting.hashes[waiting.count] & s.table_mask))
        waiting.count += 1


cdef inline void take_in_terms(
    const Problem* p, States* s, Waiting* waiting, const double* terms,
    Py_ssize_t longer, double factor, Py_ssize_t n_words, bint logs,
) noexcept nogil:
    """The same where sizes count: some terms, made longer, times a factor."""
    cdef Py_ssize_t w, c = 0, last = p.n_sizes - 1, size = 0
    cdef double nothing = of_log(-INFINITY, logs)
    cdef const uint64_t* alive = waiting.alive + waiting.count * n_words
    for w in range(n_words):
        size += popcount(alive[w])
    if size == 0:
        add_terms(s.settled, terms, p.n_sizes, longer, factor, logs)
        return
    if size == 1:
        w = 0
        while alive[w] == 0:
            w += 1
        add_terms(
            s.settled_alive + (64 * w + lowest_bit(alive[w])) * p.n_sizes,
            terms, p.n_sizes, longer, factor, logs,
        )
        return
    while c < last - longer and terms[c] == nothing:
        c += 1
    if c == last - longer:
        # All are as long as can be.
        factor = times(factor, power_of(p, phi_of(p, alive, NULL, n_words)), logs)
        s.settled[last] = plus(s.settled[last], times(terms[c], factor, logs), logs)
        return
    waiting.hashes[waiting.count] = hash_of(alive, n_words)
    waiting.shares[waiting.count] = factor
    waiting.terms[waiting.count] = terms
    prefetch(s.table + (waiting.hashes[waiting.count] & s.table_mask))
    waiting.count += 1


cdef inline void send(
    States* s, Waiting* waiting, Py_ssize_t n_words, bint logs, bint by_size,
    Py_ssize_t longer,
) noexcept nogil:
    """Add the shares that wait to their states, new ones where there are none."""
    cdef Py_ssize_t k, w, c, place
    cdef uint64_t slot
    cdef uint32_t entry, tag
    cdef const uint64_t* alive
    for k in range(waiting.count):
        entry = s.table[waiting.hashes[k] & s.table_mask]
        if entry:
            prefetch(alive_of(s, <Py_ssize_t> (entry & s.place_mask) - 1, n_words))
    for k in range(waiting.count):
        alive = waiting.alive + k * n_words
        slot = waiting.hashes[k] & s.table_mask
        tag = entry_of(s, waiting.hashes[k], -1)
        while True:
            entry = s.table[slot]
            if entry == 0:
                s.table[slot] = entry_of(s, waiting.hashes[k], s.n)
                for w in range(n_words):
                    alive_of(s, s.n, n_words)[w] = alive[w]
                if by_size:
                    # What they are part of may lie in the same place.
                    for c in range(s.n_sizes - 1, longer - 1, -1):
                        sizes_of(s, s.n)[c] = times(
                            waiting.terms[k][c - longer], waiting.shares[k], logs
                        )
                    for c in range(longer):
                        sizes_of(s, s.n)[c] = of_log(-INFINITY, logs)
                else:
                    set_value(s, s.n, n_words, waiting.shares[k])
                s.n += 1
                break
            if (entry & ~s.place_mask) == tag:
                place = <Py_ssize_t> (entry & s.place_mask) - 1
                if same(alive_of(s, place, n_words), alive, n_words):
                    if by_size:
                        add_terms(
                            sizes_of(s, place), waiting.terms[k], s.n_sizes, longer,
                            waiting.shares[k], logs,
                        )
                    else:
                        set_value(
                            s, place, n_words,
                            plus(value_of(s, place, n_words), waiting.shares[k], logs),
                        )
                    break
            slot = (slot + 1) & s.table_mask
    waiting.count = 0


cdef inline int expand(
    const Problem* p, States* s, const Level* level, Py_ssize_t max_states,
    Waiting* waiting, Py_ssize_t n_words, bint logs, bint by_size,
) except -1 nogil:
    """Split all states at one attribute."""
    cdef Py_ssize_t n = s.n, block, i, w
    cdef uint64_t survivors
    cdef uint64_t* alive
    cdef double value
    cdef bint split
    if by_size:
        # First, as shares of others must not get longer twice.
        lengthen(p, s, level, n_words, logs)
    for block in range((n + BLOCK - 1) // BLOCK):
        if block % BLOCKS_BETWEEN_SIGNALS == BLOCKS_BETWEEN_SIGNALS - 1:
            with gil:
                PyErr_CheckSignals()
        if s.n + BLOCK > s.capacity:
            if s.n > max_states:
                return TOO_MANY_STATES
            if not grow(s, 2 * s.capacity, n_words):
                return NO_MEMORY
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n)):
            alive = alive_of(s, i, n_words)
            split = False
            for w in range(n_words):
                survivors = alive[w] & level.column[w]
                waiting.alive[waiting.count * n_words + w] = survivors
                split |= survivors != alive[w]
            if split and by_size:
                take_in_terms(
                    p, s, waiting, sizes_of(s, i), 1, of_log(0.0, logs), n_words, logs
                )
            elif split:
                value = value_of(s, i, n_words)
                set_value(s, i, n_words, times(value, level.q, logs))
                take_in(s, level, waiting, times(value, level.p, logs), n_words, logs)
        send(s, waiting, n_words, logs, by_size, 1)
    return TOO_MANY_STATES if s.n > max_states else DONE


cdef inline void fold(
    const Problem* p, States* s, const Level* level, Waiting* waiting,
    Py_ssize_t n_words, bint logs, bint by_size,
) noexcept nogil:
    """Multiply what immortal updates do into the values, and forget them."""
    cdef Py_ssize_t n = s.n, block, i, w
    cdef int64_t phi
    cdef const uint64_t* alive
    memset(s.table, 0, (s.table_mask + 1) * sizeof(uint32_t))
    s.n = 0
    for block in range((n + BLOCK - 1) // BLOCK):
        # The places written to are behind those read.
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n)):
            alive = alive_of(s, i, n_words)
            phi = phi_of(p, alive, level.immortal, n_words)
            for w in range(n_words):
                waiting.alive[waiting.count * n_words + w] = (
                    alive[w] & ~level.immortal[w]
                )
            if by_size:
                take_in_terms(
                    p, s, waiting, sizes_of(s, i), 0, power_of(p, phi), n_words, logs
                )
            else:
                take_in(
                    s, level, waiting,
                    value_of(s, i, n_words) * p.powers[phi - p.phi_low], n_words, False,
                )
        send(s, waiting, n_words, logs, by_size, 0)


# One and two words, the common cases, get code of their own.
cdef int expand_level(
    const Problem* p, States* s, const Level* level, Py_ssize_t max_states,
    Waiting* waiting,
) except -1 nogil:
    if p.n_sizes:
        if p.logs:
            return expand(p, s, level, max_states, waiting, p.n_words, True, True)
        return expand(p, s, level, max_states, waiting, p.n_words, False, True)
    if p.logs:
        return expand(p, s, level, max_states, waiting, p.n_words, True, False)
    if p.n_words == 1:
        return expand(p, s, level, max_states, waiting, 1, False, False)
    if p.n_words == 2:
        return expand(p, s, level, max_states, waiting, 2, False, False)
    return expand(p, s, level, max_states, waiting, p.n_words, False, False)


cdef void fold_level(
    const Problem* p, States* s, const Level* level, Waiting* waiting
) noexcept nogil:
    cdef Py_ssize_t w
    cdef uint64_t any_immortal = 0
    for w in range(p.n_words):
        any_immortal |= level.immortal[w]
    if not any_immortal:
        return
    if p.n_sizes:
        if p.logs:
            fold(p, s, level, waiting, p.n_words, True, True)
        else:
            fold(p, s, level, waiting, p.n_words, False, True)
    elif p.n_words == 1:
        fold(p, s, level, waiting, 1, False, False)
    elif p.n_words == 2:
        fold(p, s, level, waiting, 2, False, False)
    else:
        fold(p, s, level, waiting, p.n_words, False, False)


# -- the sum ---------------------------------------------------------------------------

cdef inline double total(
    const Problem* p, const Level* level, const States* s, Py_ssize_t n_words,
    uint64_t* survivors,
) noexcept nogil:
    """Sum of value times alpha^phi over the states and the terms of what is left."""
    cdef Py_ssize_t n_left = min(p.n, TAIL), i, j, w, b, T
    cdef uint64_t bits
    cdef int64_t multiplicity
    cdef double value, result = 0.0
    cdef double[TAIL_TERMS] weights
    cdef double[TAIL_TERMS] sums
    cdef int64_t[TAIL_TERMS] phi
    cdef const uint64_t* column
    for T in range(TAIL_TERMS):
        weights[T] = 0.0 if T >> n_left else 1.0
        sums[T] = 0.0
        for w in range(n_words):
            survivors[w * TAIL_TERMS + T] = ~(<uint64_t> 0)
        for j in range(n_left):
            column = p.columns + (p.n - n_left + j) * n_words
            multiplicity = p.multiplicities[p.n - n_left + j]
            weights[T] *= (level.some if (T >> j) & 1 else level.none)[multiplicity]
            for w in range(n_words):
                if (T >> j) & 1:
                    survivors[w * TAIL_TERMS + T] &= column[w]
    for i in range(s.n):
        for T in range(TAIL_TERMS):
            phi[T] = -p.phi_low
        for b in range(p.n_planes):
            for w in range(n_words):
                bits = alive_of(s, i, n_words)[w] & p.planes[b * n_words + w]
                if b == p.n_planes - 1:
                    for T in range(TAIL_TERMS):
                        phi[T] -= popcount(bits & survivors[w * TAIL_TERMS + T]) << b
                else:
                    for T in range(TAIL_TERMS):
                        phi[T] += popcount(bits & survivors[w * TAIL_TERMS + T]) << b
        value = value_of(s, i, n_words)
        for T in range(TAIL_TERMS):
            sums[T] += value * weights[T] * p.powers[phi[T]]
    for T in range(TAIL_TERMS):
        result += sums[T]
    return result


cdef double log_of_total(
    const Problem* p, const Level* level, const States* s, uint64_t* survivors
) noexcept nogil:
    """log W, relative to the total initial weight."""
    cdef Py_ssize_t i
    cdef double result = s.settled[0]
    for i in range(p.m):
        result += s.settled_alive[i] * p.powers[p.exponents[i] - p.phi_low]
    if p.n_words == 1:
        result += total(p, level, s, 1, survivors)
    elif p.n_words == 2:
        result += total(p, level, s, 2, survivors)
    else:
        result += total(p, level, s, p.n_words, survivors)
    return log(result)


cdef double log_of_logs(const Problem* p, const States* s) noexcept nogil:
    """The same, of values that are logarithms, all attributes decided."""
    cdef Py_ssize_t i
    cdef double log_sum = s.settled[0]
    for i in range(p.m):
        log_sum = plus(
            log_sum,
            s.settled_alive[i] + p.log_alpha * <double> p.exponents[i], True,
        )
    for i in range(s.n):
        log_sum = plus(
            log_sum,
            value_of(s, i, p.n_words)
            + p.log_alpha
            * <double> phi_of(p, alive_of(s, i, p.n_words), NULL, p.n_words), True,
        )
    return log_sum


cdef double log_of_sizes(const Problem* p, const States* s) noexcept nogil:
    """log W where sizes count: all is settled, and has no initial weight yet."""
    cdef Py_ssize_t i, c
    cdef double terms, log_sum = -INFINITY
    for c in range(p.n_sizes):
        terms = s.settled[c]
        for i in range(p.m):
            terms = plus(
                terms,
                times(
                    s.settled_alive[i * p.n_sizes + c],
                    power_of(p, p.exponents[i]), p.logs,
                ),
                p.logs,
            )
        if not p.logs:
            terms = log(terms)
        log_sum = plus(log_sum, terms + p.log_completions[c], True)
    return log_sum


# -- all attributes --------------------------------------------------------------------

cdef struct Run:
    Problem problem
    Level level
    States states
    States first                  # what the replicates have in common
    int64_t* first_outside
    Waiting waiting
    LookAhead ahead
    uint64_t* survivors           # (n_words, TAIL_TERMS)
    Py_ssize_t most_states
    int64_t n_splits              # states looked at, over all attributes
    int64_t n_splits_signalled


cdef bint open_settled(const Problem* p, States* s) noexcept nogil:
    cdef Py_ssize_t n_values = max(p.n_sizes, 1)
    s.settled_alive = <double*> malloc((p.m + 1) * n_values * sizeof(double))
    s.settled = s.settled_alive + p.m * n_values
    return s.settled_alive != NULL


cdef bint open_states(const Problem* p, States* s) noexcept nogil:
    """One state, in which all updates are alive."""
    cdef Py_ssize_t i, n_values = max(p.n_sizes, 1)
    cdef double nothing = of_log(-INFINITY, p.logs)
    s.n_sizes = p.n_sizes
    if not open_settled(p, s) or not grow(s, FEWEST_STATES, p.n_words):
        return False
    for i in range((p.m + 1) * n_values):
        s.settled_alive[i] = nothing
    for i in range(p.n_sizes):
        s.by_size[i] = of_log(0.0, p.logs) if i == 0 else nothing
    memset(s.records, 0, p.n_words * sizeof(uint64_t))
    for i in range(p.m):
        s.records[i >> 6] |= <uint64_t> 1 << (i & 63)
    set_value(s, 0, p.n_words, of_log(0.0, p.logs))
    s.n = 1
    index(s, p.n_words)
    return True


cdef bint copy_states(const Problem* p, const States* a, States* b) noexcept nogil:
    """Copy all."""
    cdef size_t settled = (p.m + 1) * max(p.n_sizes, 1) * sizeof(double)
    b.n_sizes = p.n_sizes
    if b.capacity < a.n and not grow(b, a.capacity, p.n_words):
        return False
    if b.settled_alive == NULL and not open_settled(p, b):
        return False
    b.n = a.n
    memcpy(b.settled_alive, a.settled_alive, settled)
    if p.n_sizes:
        memcpy(b.by_size, a.by_size, a.n * p.n_sizes * sizeof(double))
    memcpy(b.records, a.records, a.n * (p.n_words + 1) * sizeof(uint64_t))
    index(b, p.n_words)
    return True


cdef void free_states(States* s) noexcept nogil:
    free(s.records)
    free(s.table)
    free(s.by_size)
    free(s.settled_alive)


cdef bint open_powers(Problem* p) noexcept nogil:
    cdef Py_ssize_t k
    p.powers = <double*> malloc(p.n_powers * sizeof(double))
    if p.powers == NULL:
        return False
    for k in range(p.n_powers):
        p.powers[k] = exp(p.log_alpha * <double> (k + p.phi_low))
    return True


cdef bint open_level(const Problem* p, Level* level) noexcept nogil:
    cdef Py_ssize_t i, j, k
    cdef int64_t n_attributes = 0
    cdef double log_none
    for j in range(p.n):
        n_attributes += p.multiplicities[j]
    level.outside = <int64_t*> calloc(p.m, sizeof(int64_t))
    level.inside = <double*> malloc(p.m * sizeof(double))
    level.not_inside = <double*> malloc(p.m * sizeof(double))
    level.immortal = <uint64_t*> malloc(p.n_words * sizeof(uint64_t))
    level.none = <double*> malloc((n_attributes + 1) * sizeof(double))
    level.some = <double*> malloc((n_attributes + 1) * sizeof(double))
    if (
        level.outside == NULL or level.inside == NULL or level.not_inside == NULL
        or level.immortal == NULL or level.none == NULL or level.some == NULL
    ):
        return False
    for k in range(n_attributes + 1):
        log_none = -<double> k * p.log_either
        level.none[k] = of_log(log_none, p.logs)
        level.some[k] = log(-expm1(log_none)) if p.logs else -expm1(log_none)
    for j in range(p.n):
        for i in range(p.m):
            if not (p.columns[j * p.n_words + (i >> 6)] >> (i & 63)) & 1:
                level.outside[i] += p.multiplicities[j]
    return True


cdef bint open_run(Run* run) noexcept nogil:
    cdef Problem* p = &run.problem
    run.waiting.alive = <uint64_t*> malloc((BLOCK + 1) * p.n_words * sizeof(uint64_t))
    run.survivors = <uint64_t*> malloc(TAIL_TERMS * p.n_words * sizeof(uint64_t))
    return (
        run.waiting.alive != NULL and run.survivors != NULL
        and open_powers(p) and open_level(p, &run.level)
        and open_states(p, &run.states)
    )


cdef void free_run(Run* run) noexcept nogil:
    free(run.problem.powers)
    free(run.level.outside)
    free(run.level.inside)
    free(run.level.not_inside)
    free(run.level.immortal)
    free(run.level.none)
    free(run.level.some)
    free_states(&run.states)
    free_states(&run.first)
    free(run.first_outside)
    free(run.waiting.alive)
    free(run.ahead.factors)
    free(run.ahead.priorities)
    free(run.ahead.scratch)
    free(run.ahead.deciders)
    free(run.ahead.last)
    free(run.ahead.ends)
    free(run.ahead.log_p)
    free(run.ahead.spared)
    free(run.survivors)


cdef bint open_look_ahead(const Problem* p, LookAhead* ahead) noexcept nogil:
    cdef size_t factors = max(p.n_sizes, 1) * p.m * GUESSES * sizeof(float)
    ahead.factors = <float*> malloc(factors)
    ahead.deciders = <Decider*> malloc((p.n + 1) * sizeof(Decider))
    ahead.last = <uint64_t*> malloc(4 * p.n_words * sizeof(uint64_t))
    ahead.pairs = ahead.last + p.n_words
    ahead.mask = ahead.last + 2 * p.n_words
    ahead.rest = ahead.last + 3 * p.n_words
    ahead.ends = <Py_ssize_t*> malloc(2 * p.m * sizeof(Py_ssize_t))
    ahead.log_p = <double*> malloc(p.n * sizeof(double))
    ahead.spared = <int64_t*> malloc(p.n * sizeof(int64_t))
    return (
        ahead.factors != NULL and ahead.deciders != NULL and ahead.last != NULL
        and ahead.ends != NULL and ahead.log_p != NULL and ahead.spared != NULL
    )


cdef bint thin_to(Run* run, Py_ssize_t n_kept) noexcept nogil:
    cdef LookAhead* ahead = &run.ahead
    cdef size_t room = run.states.n * sizeof(double)
    free(ahead.priorities)
    free(ahead.scratch)
    ahead.priorities = <double*> malloc(room)
    ahead.scratch = <double*> malloc(room)
    if ahead.factors == NULL and not open_look_ahead(&run.problem, ahead):
        return False
    if ahead.priorities == NULL or ahead.scratch == NULL:
        return False
    set_priorities(&run.problem, &run.level, &run.states, ahead)
    thin(&run.problem, &run.states, n_kept, ahead)
    return True


cdef int advance(
    Run* run, Py_ssize_t* j, Py_ssize_t n_tail, Py_ssize_t max_states, bint exact,
    bint thinning,
) except -1 nogil:
    """Take one attribute after the other, but for those of the tail.

    Stops where the states exceed the budget: at once if the sum has to be exact, after
    the attribute if it need not be, unless it is for thinning already.
    """
    cdef const Problem* p = &run.problem
    cdef int outcome = DONE
    # An attribute can at most double the states.
    cdef Py_ssize_t limit = max_states if exact else 2 * max_states
    cdef bint folds = n_tail > 0 or p.n_sizes > 0
    while j[0] < p.n - n_tail and outcome == DONE:
        run.n_splits += run.states.n
        if run.n_splits - run.n_splits_signalled > SPLITS_BETWEEN_SIGNALS:
            run.n_splits_signalled = run.n_splits
            with gil:
                PyErr_CheckSignals()
        enter(p, &run.level, j[0])
        outcome = expand_level(p, &run.states, &run.level, limit, &run.waiting)
        j[0] += 1
        run.most_states = max(run.most_states, run.states.n)
        if outcome == DONE and folds and run.level.folds:
            fold_level(p, &run.states, &run.level, &run.waiting)
        if outcome == DONE and run.states.n > max_states:
            if not thinning:
                outcome = TOO_MANY_STATES
            elif not thin_to(run, max(1, max_states // 2)):
                outcome = NO_MEMORY
    return outcome


cdef double sum_up(Run* run) noexcept nogil:
    if run.problem.n_sizes:
        return log_of_sizes(&run.problem, &run.states)
    if run.problem.logs:
        return log_of_logs(&run.problem, &run.states)
    return log_of_total(&run.problem, &run.level, &run.states, run.survivors)


cdef bint save_first(Run* run) noexcept nogil:
    """Keep the states that all replicates start from."""
    cdef size_t room = run.problem.m * sizeof(int64_t)
    run.first_outside = <int64_t*> malloc(room)
    if run.first_outside == NULL:
        return False
    memcpy(run.first_outside, run.level.outside, room)
    return copy_states(&run.problem, &run.states, &run.first)


cdef bint start_replicate(
    Run* run, Py_ssize_t j, Py_ssize_t max_states, uint64_t stream
) noexcept nogil:
    seed_lane(run.ahead.generators, 0, stream)
    run.ahead.step = 0.0
    memcpy(run.level.outside, run.first_outside, run.problem.m * sizeof(int64_t))
    run.level.n_left = run.problem.n - j
    look_past(&run.problem, &run.level)
    return (
        copy_states(&run.problem, &run.first, &run.states)
        and thin_to(run, max(1, max_states // 2))
    )


cdef int estimate(
    Run* run, Py_ssize_t max_states, bint exact, uint64_t stream,
    double* log_values, double* steps, Py_ssize_t n_replicates,
) except -1 nogil:
    """The sum in the first place if it is exact, else one estimate in each."""
    cdef bint all_one_by_one = run.problem.logs or run.problem.n_sizes
    cdef Py_ssize_t n_tail = 0 if all_one_by_one else min(run.problem.n, TAIL)
    cdef Py_ssize_t j = 0, from_here, r
    cdef int outcome = advance(run, &j, n_tail, max_states, exact, False)
    if outcome == DONE:
        log_values[0] = sum_up(run)
    if exact or outcome != TOO_MANY_STATES:
        return outcome
    if not save_first(run):
        return NO_MEMORY
    for r in range(n_replicates):
        from_here = j
        if (
            not start_replicate(run, j, max_states, mix64(stream + <uint64_t> r))
            or advance(run, &from_here, n_tail, max_states, False, True) != DONE
        ):
            return NO_MEMORY
        log_values[r] = sum_up(run)
        steps[r] = run.ahead.step
    return TOO_MANY_STATES


cdef void open_problem(
    Problem* p,
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] planes,
    const int64_t[::1] exponents, const int64_t[::1] multiplicities,
    double log_either, double log_alpha, bint logs,
) noexcept:
    cdef Py_ssize_t i
    cdef int64_t phi_high = 0
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
    p.n_sizes = 0
    p.log_completions = NULL
    p.phi_low = 0
    for i in range(p.m):
        p.phi_low += min(p.exponents[i], 0)
        phi_high += max(p.exponents[i], 0)
    p.n_powers = 1 if logs else <Py_ssize_t> (phi_high - p.phi_low) + 1


def log_sum(
    const uint64_t[:, ::1] columns,  # IN (n, n_words) updates that survive attribute j
    const uint64_t[:, ::1] planes,   # IN (n_planes, n_words) bits of the exponents
    const int64_t[::1] exponents,    # IN (m,)
    const int64_t[::1] multiplicities,  # IN (n,) of the attributes
    double log_either,               # log(1 + beta)
    double log_alpha,
    bint logs,                       # keep values as logarithms: slower, any range
    const double[:, ::1] log_completions,  # IN (n + 1, n_sizes) where sizes count
    Py_ssize_t max_states,
    bint exact,                      # give up beyond max_states, rather than thin
    uint64_t stream,
    const float[:, :, ::1] agreeing,  # IN (n + 1, m, n_guesses) of completions
    const float[:, ::1] log_odds,    # IN (n + 1, n_guesses) of the completions
    const uint64_t[:, :, ::1] known,  # IN (n + 1, n_known, n_words) that terms leave
    const double[:, ::1] log_rest,   # IN (n + 1, n_known) of the terms
    double[::1] log_values,          # OUT (n_replicates,)
    double[::1] steps,               # OUT (n_replicates,) what a draw may change of W
):
    """log W, relative to the total initial weight but where sizes count.

    `log_completions` has as many columns as there are sizes up to the largest, from 0
    on, or none. Where it has, attributes are of multiplicity 1, and there are no
    guesses.

    `steps` are relative to W, and set where log_values are estimates.

    Returns
    -------
    fits : bool
        Whether the states stayed within max_states: log_values[0] is exact. Else they
        are independent estimates or, if it has to be exact, not set.
    n_left : int
        Attributes left where they did not.
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
    if log_completions.shape[1] > 0:
        run.problem.n_sizes = log_completions.shape[1]
        run.problem.log_completions = &log_completions[0, 0]
    run.ahead.n_guesses = log_odds.shape[1]
    if run.ahead.n_guesses > 0:
        run.ahead.agreeing = &agreeing[0, 0, 0]
        run.ahead.log_odds = &log_odds[0, 0]
    run.ahead.n_known = log_rest.shape[1]
    if run.ahead.n_known > 0:
        run.ahead.known = &known[0, 0, 0]
        run.ahead.log_rest = &log_rest[0, 0]
    try:
        with nogil:
            outcome = NO_MEMORY
            if open_run(&run):
                outcome = estimate(
                    &run, max_states, exact, stream,
                    &log_values[0], &steps[0], log_values.shape[0],
                )
        if outcome == NO_MEMORY:
            raise MemoryError
        return outcome == DONE, run.level.n_left, run.most_states, run.n_splits
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
    cdef Py_ssize_t i, j = 0, m = exponents.shape[0]
    cdef int outcome
    cdef int64_t[::1] phi
    cdef double[::1] weights
    memset(&run, 0, sizeof(Run))
    open_problem(
        &run.problem, columns, planes, exponents, multiplicities, log_either, 0.0, logs
    )
    run.problem.n_powers = 1
    try:
        with nogil:
            outcome = NO_MEMORY
            if open_run(&run):
                outcome = advance(&run, &j, 0, max_states, True, False)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == TOO_MANY_STATES:
            return None
        phi = np.zeros(1 + m + run.states.n, dtype=np.int64)
        weights = np.empty(phi.shape[0])
        weights[0] = run.states.settled[0]
        for i in range(m):
            phi[1 + i] = exponents[i]
            weights[1 + i] = run.states.settled_alive[i]
        for i in range(run.states.n):
            phi[1 + m + i] = phi_of(
                &run.problem, alive_of(&run.states, i, run.problem.n_words), NULL,
                run.problem.n_words,
            )
            weights[1 + m + i] = value_of(&run.states, i, run.problem.n_words)
        return np.asarray(phi), np.asarray(weights)
    finally:
        free_run(&run)
