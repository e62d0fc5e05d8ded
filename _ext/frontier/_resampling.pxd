"""Resampling of states (Fearnhead & Clifford 2003).

States of high priority stay, others by chance. The values of the others are divided by
their chances, so that sums are unbiased.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport log
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from _frontier_problem cimport Problem
from _level cimport Level
from _log_sum_exp cimport times
from _memory cimport Arena
from _priorities cimport Priorities, open_priorities, set_priorities
from _random cimport LANES, draw_lanes, seed_lane
from _states cimport States, alive_of, index, set_value, sizes_of, value_of


cdef struct Resampling:
    Priorities priorities
    uint64_t[4 * LANES] generators
    double step                   # largest share of the sum that one draw stands for


cdef inline void start_resampling(
    Resampling* resampling, uint64_t stream
) noexcept nogil:
    """Start at the beginning of a random stream."""
    seed_lane(resampling.generators, 0, stream)
    resampling.step = 0.0


cdef inline double threshold_of(
    const double* priorities, Py_ssize_t n, Py_ssize_t n_kept, double* scratch
) noexcept nogil:
    """Return the t for which the sum of min(1, priority / t) is n_kept < n."""
    cdef Py_ssize_t i, n_small = n, n_left, n_above = 0
    cdef double t, small = 0.0, priority
    memcpy(scratch, priorities, n * sizeof(double))
    for i in range(n):
        small += scratch[i]
    while True:
        t = small / <double> (n_kept - n_above)
        n_left = 0
        small = 0.0
        for i in range(n_small):
            priority = scratch[i]
            scratch[n_left] = priority
            if priority < t:
                n_left += 1
                small += priority
        n_above += n_small - n_left
        if n_left == n_small or n_above >= n_kept or small <= 0.0:
            return t
        n_small = n_left


cdef inline void draw_states(
    const Problem* p, States* s, Py_ssize_t n_kept, Resampling* resampling
) noexcept nogil:
    """Keep about n_kept states: systematic sampling of those below the threshold."""
    cdef const Priorities* priorities = &resampling.priorities
    cdef Py_ssize_t i, w, c, place = 0
    cdef double t = threshold_of(
        priorities.values, s.n, n_kept, priorities.scratch
    )
    cdef uint64_t[LANES] draws
    cdef double chance, inverse, next_pick, passed = 0.0, above = 0.0
    draw_lanes(resampling.generators, draws)
    next_pick = <double> (draws[0] >> 11) / 9007199254740992.0
    for i in range(s.n):
        chance = priorities.values[i] / t
        if chance < 1.0:
            passed += chance
            if passed <= next_pick:
                continue
            next_pick += 1.0
            inverse = -log(chance) if p.logs else 1.0 / chance
            set_value(
                s, i, p.n_words, times(value_of(s, i, p.n_words), inverse, p.logs)
            )
            for c in range(p.n_sizes):
                sizes_of(s, i)[c] = times(sizes_of(s, i)[c], inverse, p.logs)
        else:
            above += chance
        for w in range(p.n_words + 1):
            alive_of(s, place, p.n_words)[w] = alive_of(s, i, p.n_words)[w]
        for c in range(p.n_sizes):
            sizes_of(s, place)[c] = sizes_of(s, i)[c]
        place += 1
    s.n = place
    resampling.step = max(
        resampling.step, priorities.doubt / (passed + above + priorities.settled / t)
    )
    index(s, p.n_words)


cdef inline int resample(
    const Problem* p, const Level* level, States* s, Py_ssize_t n_kept,
    Resampling* resampling, Arena* arena,
) except -1 nogil:
    """Compute priorities and keep about n_kept states."""
    open_priorities(p, &resampling.priorities, s.n, arena)
    set_priorities(p, level, s, &resampling.priorities)
    draw_states(p, s, n_kept, resampling)
    return 0
