"""Totals: the sum over all states, and over the terms of the last attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int64_t, uint64_t

from _frontier_problem cimport Problem, phi_of, power_of
from _level cimport Level
from _log_sum_exp cimport log_add, plus, times
from _phi cimport add_net_counts
from _random cimport LANES
from _states cimport States, alive_of, value_of

cdef enum:
    # Attributes that are summed over directly, and terms over them, each in a lane.
    TAIL = 4
    TAIL_TERMS = LANES


cdef inline double total(
    const Problem* p, const Level* level, const States* s, Py_ssize_t n_words,
    uint64_t* survivors,
) noexcept nogil:
    """Sum up value times alpha^phi over the states and the terms of the tail."""
    cdef Py_ssize_t n_left = min(p.n, TAIL), i, j, w, T
    cdef uint64_t alive
    cdef uint64_t[TAIL_TERMS] sets
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
        for w in range(n_words):
            alive = alive_of(s, i, n_words)[w]
            for T in range(TAIL_TERMS):
                sets[T] = alive & survivors[w * TAIL_TERMS + T]
            add_net_counts(sets, p.planes + w, p.n_planes, n_words, phi)
        value = value_of(s, i, n_words)
        for T in range(TAIL_TERMS):
            sums[T] += value * weights[T] * p.powers[phi[T]]
    for T in range(TAIL_TERMS):
        result += sums[T]
    return result


cdef inline double log_of_total(
    const Problem* p, const Level* level, const States* s, uint64_t* survivors
) noexcept nogil:
    """Return log W, relative to the total initial weight."""
    cdef Py_ssize_t i
    cdef double result = s.settled[0]
    for i in range(p.m):
        result += s.settled_alive[i] * p.powers[p.net_counts[i] - p.phi_low]
    if p.n_words == 1:
        result += total(p, level, s, 1, survivors)
    elif p.n_words == 2:
        result += total(p, level, s, 2, survivors)
    else:
        result += total(p, level, s, p.n_words, survivors)
    return log(result)


cdef inline double log_of_logs(const Problem* p, const States* s) noexcept nogil:
    """Return the same of values that are logarithms, all attributes decided."""
    cdef Py_ssize_t i
    cdef int64_t phi
    cdef double log_sum = s.settled[0]
    for i in range(p.m):
        log_sum = log_add(
            log_sum, s.settled_alive[i] + p.log_alpha * <double> p.net_counts[i]
        )
    for i in range(s.n):
        phi = phi_of(p, alive_of(s, i, p.n_words), NULL, p.n_words)
        log_sum = log_add(
            log_sum, value_of(s, i, p.n_words) + p.log_alpha * <double> phi
        )
    return log_sum


cdef inline double log_of_sizes(const Problem* p, const States* s) noexcept nogil:
    """Return log W where sizes count: all is settled, without initial weights yet."""
    cdef Py_ssize_t i, c
    cdef double terms, log_sum = -INFINITY
    for c in range(p.n_sizes):
        terms = s.settled[c]
        for i in range(p.m):
            terms = plus(
                terms,
                times(
                    s.settled_alive[i * p.n_sizes + c],
                    power_of(p, p.net_counts[i]), p.logs,
                ),
                p.logs,
            )
        if not p.logs:
            terms = log(terms)
        log_sum = log_add(log_sum, terms + p.log_completions[c])
    return log_sum


cdef inline double log_sum_of(
    const Problem* p, const Level* level, const States* s, uint64_t* survivors
) noexcept nogil:
    """Return log W once all attributes are decided, but for those of a tail."""
    if p.n_sizes:
        return log_of_sizes(p, s)
    if p.logs:
        return log_of_logs(p, s)
    return log_of_total(p, level, s, survivors)
