"""Priorities of states: value times the best of the guesses at their futures."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log, sqrt

from _bits cimport add_rows
from _frontier_problem cimport Problem, phi_of
from _guesses cimport DOUBT, GUESSES, Guesses, set_factors
from _level cimport Level
from _log_sum_exp cimport log_add
from _memory cimport Arena, regrow, room
from _states cimport States, alive_of, sizes_of, value_of


cdef struct Priorities:
    Guesses guesses
    double* values                # (n_states,)
    double* scratch               # (n_states,) behind them
    double doubt                  # mean of how far futures may be from guesses, up to 1
    double settled                # what is settled, on the scale of the values


cdef inline int open_priorities(
    const Problem* p, Priorities* priorities, Py_ssize_t n_states, Arena* arena
) except -1 nogil:
    """Make room for the priorities of so many states, once more if need be."""
    cdef size_t n_factors = max(p.n_sizes, 1) * p.m * GUESSES
    cdef void* values = regrow(priorities.values, 0, 2 * n_states * sizeof(double))
    if values == NULL:
        with gil:
            raise MemoryError
    priorities.values = <double*> values
    priorities.scratch = priorities.values + n_states
    if priorities.guesses.factors == NULL:
        priorities.guesses.factors = <float*> room(arena, n_factors * sizeof(float))
    return 0


cdef inline double log_initial_of(
    const Problem* p, const Level* level, const double* terms, Py_ssize_t* size
) noexcept nogil:
    """Return log of the initial weight of what terms become; set their main size."""
    cdef Py_ssize_t c
    cdef double value, result = -INFINITY, best = -INFINITY
    for c in range(p.n_sizes):
        value = terms[c] if p.logs else log(terms[c])
        value += p.log_completions[level.n_left * p.n_sizes + c]
        result = log_add(result, value)
        if value > best:
            best = value
            size[0] = c
    return result


cdef inline double log_value_of(
    const Problem* p, const Level* level, const States* s, Py_ssize_t i,
    Py_ssize_t* size,
) noexcept nogil:
    """Return the log of all that is known of a state's weight; set its main size."""
    cdef double value
    if p.n_sizes:
        value = log_initial_of(p, level, sizes_of(s, i), size)
    else:
        value = value_of(s, i, p.n_words)
        value = value if p.logs else log(value)
    if p.logs:
        value += p.log_alpha * <double> phi_of(
            p, alive_of(s, i, p.n_words), level.immortal, p.n_words
        )
    return value


cdef inline double log_settled(
    const Problem* p, const Level* level, const States* s
) noexcept nogil:
    """Return the log of what is settled; with sizes, of that without examples alive."""
    cdef Py_ssize_t i, size = 0
    cdef double value, result
    if p.n_sizes:
        return log_initial_of(p, level, s.settled, &size)
    result = s.settled[0] if p.logs else log(s.settled[0])
    for i in range(p.m):
        value = s.settled_alive[i] if p.logs else log(s.settled_alive[i])
        if value > -INFINITY:
            value += p.log_alpha * <double> p.net_counts[i]
            result = log_add(result, value)
    return result


cdef inline void set_priorities(
    const Problem* p, const Level* level, const States* s, Priorities* priorities
) noexcept nogil:
    """Set the priorities of all states: value times the best guess at its future.

    What immortal examples multiply is not guessed. Where values are logarithms it is
    computed from integers, as large counts of opposite signs cancel in no other way;
    elsewhere factors are moderate.
    """
    cdef Py_ssize_t i, w, c, size = 0
    cdef float[GUESSES] first
    cdef float[GUESSES] sums
    cdef float best
    cdef double value, top = -INFINITY, doubt = 0.0, all_priorities = 0.0
    cdef const float* factors
    set_factors(p, level, &priorities.guesses, first)
    for i in range(s.n):
        for c in range(GUESSES):
            sums[c] = first[c]
        sums[DOUBT] = 0.0
        priorities.values[i] = log_value_of(p, level, s, i, &size)
        factors = priorities.guesses.factors + size * p.m * GUESSES
        for w in range(p.n_words):
            add_rows(
                sums, factors + 64 * w * GUESSES, alive_of(s, i, p.n_words)[w]
            )
        best = sums[0]
        for c in range(1, DOUBT):
            best = max(best, sums[c])
        # Where sizes count, nothing is known of it.
        priorities.scratch[i] = 1.0 if p.n_sizes else min(sqrt(sums[DOUBT]), 1.0)
        priorities.values[i] += <double> best
    for i in range(s.n):
        top = max(top, priorities.values[i])
    value = log_settled(p, level, s) - top
    priorities.settled = exp(min(value, 700.0)) if top > -INFINITY else 0.0
    for i in range(s.n):
        # No state is without a chance, or the sum would not be right on average.
        priorities.values[i] = (
            1.0 if top == -INFINITY
            else exp(max(priorities.values[i] - top, -200.0))
        )
        doubt += priorities.values[i] * priorities.scratch[i]
        all_priorities += priorities.values[i]
    priorities.doubt = doubt / all_priorities
