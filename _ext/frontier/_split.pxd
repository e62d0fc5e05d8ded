"""Splits: each state keeps a share of its value and sends one to another state.

Shares wait in blocks for the places of their states in the table to be fetched.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from _bits cimport lowest_bit, popcount
from _frontier_problem cimport Problem, phi_of, power_of
from _level cimport Level
from _log_sum_exp cimport of_log, plus, times
from _memory cimport prefetch
from _signals cimport listen
from _states cimport (
    States, alive_of, entry_of, grow, hash_of, same, set_value, sizes_of, value_of,
)


cdef enum:
    # States looked at before their shares are sent: time for the table to be fetched.
    BLOCK = 64


cdef enum Outcome:
    DONE = 0
    TOO_MANY_STATES = 1


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


cdef inline void lengthen(
    const Problem* p, States* s, const Level* level, Py_ssize_t n_words, bint logs
) noexcept nogil:
    """Add one literal to all terms whose examples alive agree on the attribute."""
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
    """Do the same where sizes count: some terms, made longer, times a factor."""
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
    cdef int64_t work = 0
    cdef uint64_t survivors
    cdef uint64_t* alive
    cdef double value
    cdef bint split
    if by_size:
        # First, as shares of others must not get longer twice.
        lengthen(p, s, level, n_words, logs)
    for block in range((n + BLOCK - 1) // BLOCK):
        listen(&work, 1 << 13)
        if s.n + BLOCK > s.capacity:
            if s.n > max_states:
                return TOO_MANY_STATES
            grow(s, 2 * s.capacity, n_words)
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
    """Multiply the powers of immortal examples into the values, and drop them."""
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


# -- one and two words, the common cases, get code of their own ------------------------

cdef inline int expand_level(
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


cdef inline void fold_level(
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
