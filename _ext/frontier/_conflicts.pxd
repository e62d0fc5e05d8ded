"""Conflicts: demoted examples that one or two of the attributes left decide on."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, expm1, fabs, log
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

# Half as slow as with double precision, and precise enough for priorities.
cdef extern from "<math.h>" nogil:
    float expf(float)
    float log1pf(float)

from _bits cimport lowest_bit
from _frontier_problem cimport Problem
from _guesses cimport DOUBT, GUESSES, Guesses, doubt_of
from _level cimport Level
from _memory cimport Arena, room

cdef enum:
    # What constraining an attribute has to spare, beyond its cost, for examples to be
    # in conflict that it kills (natural logarithms).
    CONFLICT = 2


# An attribute, the last that some examples disagree on.
cdef struct Decider:
    Py_ssize_t attribute
    Py_ssize_t first, end         # words that they are in
    double log_p, log_q, q
    float[GUESSES] log_odds       # that each guess has for it


cdef struct Conflicts:
    # Examples that one attribute alone of those left disagrees on, and such attributes.
    uint64_t* last                # (n_words,)
    Py_ssize_t n_deciders
    Decider* deciders             # (n,)
    # Examples that two attributes of those left disagree on, and which.
    uint64_t* pairs               # (n_words,)
    Py_ssize_t* ends              # (m, 2)
    double* log_p                 # (n,)
    int64_t* spared               # (n,)
    uint64_t* rest                # (n_words,) examples alive that are not decided on


cdef inline int open_conflicts(
    const Problem* p, Conflicts* conflicts, Arena* arena
) except -1 nogil:
    conflicts.deciders = <Decider*> room(arena, (p.n + 1) * sizeof(Decider))
    conflicts.last = <uint64_t*> room(arena, 3 * p.n_words * sizeof(uint64_t))
    conflicts.pairs = conflicts.last + p.n_words
    conflicts.rest = conflicts.last + 2 * p.n_words
    conflicts.ends = <Py_ssize_t*> room(arena, 2 * p.m * sizeof(Py_ssize_t))
    conflicts.log_p = <double*> room(arena, p.n * sizeof(double))
    conflicts.spared = <int64_t*> room(arena, p.n * sizeof(int64_t))
    return 0


cdef inline double gain_of(
    const Problem* p, const Conflicts* conflicts, Py_ssize_t v
) noexcept nogil:
    """Return what constraining an attribute spares, less its cost, as logarithm."""
    return p.log_alpha * <double> conflicts.spared[v] + conflicts.log_p[v]


cdef inline void find_conflicts(
    const Problem* p, const Level* level, const Guesses* guesses, Conflicts* conflicts
) noexcept nogil:
    """Find the examples that one attribute decides on, or two.

    None if sizes count, and none beside promoted examples: these decide where weight
    is, and a choice by demoted ones alone makes the errors of trained sums a
    hundred times larger (`benchmarks/sums/calibration.py`).
    """
    cdef Py_ssize_t v, w, i, c, j = p.n - level.n_left
    cdef const float* log_odds
    cdef uint64_t outside, lowest
    cdef double gain
    cdef Decider* decider
    conflicts.n_deciders = 0
    memset(conflicts.last, 0, p.n_words * sizeof(uint64_t))
    memset(conflicts.pairs, 0, p.n_words * sizeof(uint64_t))
    memset(conflicts.rest, 0, p.n_words * sizeof(uint64_t))
    if p.n_sizes:
        return
    for i in range(p.m):
        if p.net_counts[i] > 0:
            return
    # Examples that one, two and three attributes disagree on, or more.
    for v in range(j, p.n):
        for w in range(p.n_words):
            outside = ~p.columns[v * p.n_words + w]
            conflicts.rest[w] |= conflicts.pairs[w] & outside
            conflicts.pairs[w] |= conflicts.last[w] & outside
            conflicts.last[w] |= outside
    for w in range(p.n_words):
        conflicts.last[w] &= ~conflicts.pairs[w]
        conflicts.pairs[w] &= ~conflicts.rest[w]
    if p.m & 63:
        # No update lies behind the last.
        outside = ~(<uint64_t> 0) << (p.m & 63)
        conflicts.last[p.n_words - 1] &= ~outside
        conflicts.pairs[p.n_words - 1] &= ~outside
    for i in range(p.m):
        conflicts.ends[2 * i] = -1
    for v in range(j, p.n):
        conflicts.log_p[v] = log(-expm1(-<double> p.multiplicities[v] * p.log_either))
        for w in range(p.n_words):
            outside = conflicts.pairs[w] & ~p.columns[v * p.n_words + w]
            while outside:
                i = 64 * w + lowest_bit(outside)
                outside &= outside - 1
                conflicts.ends[2 * i + (conflicts.ends[2 * i] >= 0)] = v
    memset(conflicts.spared, 0, p.n * sizeof(int64_t))
    for i in range(p.m):
        if (conflicts.pairs[i >> 6] >> (i & 63)) & 1 and p.net_counts[i] < 0:
            conflicts.spared[conflicts.ends[2 * i]] -= p.net_counts[i]
            conflicts.spared[conflicts.ends[2 * i + 1]] -= p.net_counts[i]
    for w in range(p.n_words):
        outside = conflicts.pairs[w]
        while outside:
            i = 64 * w + lowest_bit(outside)
            lowest = outside & -outside
            outside ^= lowest
            gain = max(
                gain_of(p, conflicts, conflicts.ends[2 * i]),
                gain_of(p, conflicts, conflicts.ends[2 * i + 1]),
            )
            if p.net_counts[i] > 0 or gain < CONFLICT:
                conflicts.pairs[w] ^= lowest
    for v in range(j, p.n):
        decider = conflicts.deciders + conflicts.n_deciders
        decider.end = 0
        for w in range(p.n_words - 1, -1, -1):
            if conflicts.last[w] & ~p.columns[v * p.n_words + w]:
                decider.first = w
                decider.end = max(decider.end, w + 1)
        if decider.end:
            decider.attribute = v
            decider.log_q = -<double> p.multiplicities[v] * p.log_either
            decider.log_p = conflicts.log_p[v]
            decider.q = exp(decider.log_q)
            log_odds = guesses.log_odds + v * guesses.n_guesses
            for c in range(GUESSES):
                decider.log_odds[c] = 0.0
            for c in range(guesses.n_guesses):
                decider.log_odds[1 + c] = log_odds[c] - log_odds[guesses.n_guesses + c]
            conflicts.n_deciders += 1


cdef inline double decide(
    const Problem* p, Conflicts* conflicts, const uint64_t* alive, float* sums
) noexcept nogil:
    """Return what examples come to that one attribute decides on, as logarithm.

    Each attribute sums over both ways of it, whatever the guesses say. One that is more
    likely constrained than not kills other examples; `rest` is what they leave.
    """
    cdef Py_ssize_t k, w, c
    cdef int64_t phi
    cdef uint64_t decided, some
    cdef const uint64_t* column
    cdef const Decider* decider
    cdef double log_factor, log_q, difference, result = 0.0
    for w in range(p.n_words):
        conflicts.rest[w] = alive[w] & ~conflicts.last[w]
    for k in range(conflicts.n_deciders):
        decider = conflicts.deciders + k
        column = p.columns + decider.attribute * p.n_words
        some = 0
        phi = 0
        for w in range(decider.first, decider.end):
            decided = alive[w] & conflicts.last[w] & ~column[w]
            some |= decided
            while decided:
                phi += p.net_counts[64 * w + lowest_bit(decided)]
                decided &= decided - 1
        if not some:
            continue
        log_factor = p.log_alpha * <double> phi
        sums[DOUBT] += <float> doubt_of(decider.q, expm1(log_factor)) ** 2
        log_q = decider.log_q + log_factor
        difference = log_q - decider.log_p
        if difference < 0.0:
            result += decider.log_p
            for w in range(p.n_words):
                conflicts.rest[w] &= column[w]
        else:
            result += log_q
        if -15.0 < difference < 15.0:
            result += log1pf(expf(<float> -fabs(difference)))
        for c in range(GUESSES):
            sums[c] -= decider.log_odds[c]
    return result


cdef inline double cover(
    const Problem* p, const Level* level, Conflicts* conflicts
) noexcept nogil:
    """Return what constraining attributes costs that kill the pairs of `rest`, as log.

    Those come first that spare most. In `rest` stays what they leave.
    """
    cdef Py_ssize_t i, v, w, best, j = p.n - level.n_left
    cdef uint64_t some = 0, killed
    cdef double gain, most, cost = 0.0
    for w in range(p.n_words):
        some |= conflicts.rest[w] & conflicts.pairs[w]
    if not some:
        return 0.0
    memset(conflicts.spared + j, 0, level.n_left * sizeof(int64_t))
    for w in range(p.n_words):
        killed = conflicts.rest[w] & conflicts.pairs[w]
        while killed:
            i = 64 * w + lowest_bit(killed)
            killed &= killed - 1
            conflicts.spared[conflicts.ends[2 * i]] -= p.net_counts[i]
            conflicts.spared[conflicts.ends[2 * i + 1]] -= p.net_counts[i]
    while True:
        best = -1
        most = 0.0
        for v in range(j, p.n):
            gain = gain_of(p, conflicts, v)
            if gain > most:
                most = gain
                best = v
        if best < 0:
            return cost
        cost += conflicts.log_p[best]
        for w in range(p.n_words):
            killed = conflicts.rest[w] & ~p.columns[best * p.n_words + w]
            conflicts.rest[w] ^= killed
            killed &= conflicts.pairs[w]
            while killed:
                i = 64 * w + lowest_bit(killed)
                killed &= killed - 1
                conflicts.spared[conflicts.ends[2 * i]] += p.net_counts[i]
                conflicts.spared[conflicts.ends[2 * i + 1]] += p.net_counts[i]
