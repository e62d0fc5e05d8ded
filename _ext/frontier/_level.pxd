"""Levels of the frontier: one attribute each, and what is known of those after it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport expm1, log
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from _frontier_problem cimport Problem
from _log_sum_exp cimport of_log
from _memory cimport Arena, room


cdef enum:
    # Attributes left when examples that can die no more are first looked for. Before,
    # there are few such examples. (Where values are logarithms, at the end: net counts
    # may be large and opposite, and cancel as integers only.)
    FOLDED = 10


cdef struct Level:
    const uint64_t* column
    double p, q                   # logarithms where values are
    Py_ssize_t n_left             # attributes after this
    int64_t* outside              # (m,) of them, those that update i disagrees on
    double* inside                # (m,) probability of agreeing on what is constrained
    double* not_inside            # (m,) 1 - inside
    uint64_t* immortal            # (n_words,) examples that agree on all of them
    bint folds                    # whether those are multiplied into the values
    # By number of attributes: probability that none is constrained, and that one is.
    double* none
    double* some


cdef inline int open_level(
    const Problem* p, Level* level, Arena* arena
) except -1 nogil:
    """Make room, and tabulate probabilities before the first attribute."""
    cdef Py_ssize_t i, j, k
    cdef int64_t n_attributes = 0
    cdef double log_none
    for j in range(p.n):
        n_attributes += p.multiplicities[j]
    level.outside = <int64_t*> room(arena, p.m * sizeof(int64_t))
    level.inside = <double*> room(arena, p.m * sizeof(double))
    level.not_inside = <double*> room(arena, p.m * sizeof(double))
    level.immortal = <uint64_t*> room(arena, p.n_words * sizeof(uint64_t))
    level.none = <double*> room(arena, (n_attributes + 1) * sizeof(double))
    level.some = <double*> room(arena, (n_attributes + 1) * sizeof(double))
    for k in range(n_attributes + 1):
        log_none = -<double> k * p.log_either
        level.none[k] = of_log(log_none, p.logs)
        level.some[k] = log(-expm1(log_none)) if p.logs else -expm1(log_none)
    for j in range(p.n):
        for i in range(p.m):
            if not (p.columns[j * p.n_words + (i >> 6)] >> (i & 63)) & 1:
                level.outside[i] += p.multiplicities[j]
    return 0


cdef inline void set_survival(const Problem* p, Level* level) noexcept nogil:
    """Compute how likely each update is to agree on all attributes left."""
    cdef Py_ssize_t i
    level.folds = level.n_left <= (0 if p.logs else FOLDED)
    memset(level.immortal, 0, p.n_words * sizeof(uint64_t))
    for i in range(p.m):
        level.inside[i] = level.none[level.outside[i]]
        level.not_inside[i] = level.some[level.outside[i]]
        if level.outside[i] == 0:
            level.immortal[i >> 6] |= <uint64_t> 1 << (i & 63)


cdef inline void set_attribute(
    const Problem* p, Level* level, Py_ssize_t j
) noexcept nogil:
    """Set the attribute of the level, and what is known of those after it."""
    cdef Py_ssize_t i
    level.column = p.columns + j * p.n_words
    level.q = level.none[p.multiplicities[j]]
    level.p = level.some[p.multiplicities[j]]
    level.n_left = p.n - j - 1
    for i in range(p.m):
        if not (level.column[i >> 6] >> (i & 63)) & 1:
            level.outside[i] -= p.multiplicities[j]
    set_survival(p, level)
