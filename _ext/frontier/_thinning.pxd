"""Thinning: states of high priority stay, others by chance; sums are unbiased."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, expm1, fabs, log, log1p, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

# Half as slow as with double precision, and precise enough for priorities.
cdef extern from "<math.h>" nogil:
    float expf(float)
    float log1pf(float)

from _bits cimport lowest_bit
from _levels cimport Level, Problem, phi_of
from _random cimport LANES, draw_lanes
from _states cimport (
    States, alive_of, find, index, plus, set_value, sizes_of, times, value_of,
)

cdef enum:
    # Guesses at a state's future that are compared, and behind them how far its future
    # may be from the first.
    GUESSES = 16
    DOUBT = 15
    # What constraining an attribute has to spare, beyond its cost, for those updates to
    # be in conflict that it kills (natural logarithms).
    CONFLICT = 2


# An attribute, the last that some updates disagree on.
cdef struct Decider:
    Py_ssize_t attribute
    Py_ssize_t first, end         # words that they are in
    double log_p, log_q, q
    float[GUESSES] log_odds       # that each guess has for it


cdef struct LookAhead:
    Py_ssize_t n_guesses          # besides the first, that terms are as at the start
    const float* agreeing         # (n + 1, m, n_guesses)
    const float* log_odds         # (n + 1, n_guesses)
    # Terms of large weight: the updates that they leave alive, and how probable a
    # priori what they do is, from each attribute on.
    Py_ssize_t n_known
    const uint64_t* known         # (n + 1, n_known, n_words)
    const double* log_rest        # (n + 1, n_known)
    # Updates that one attribute alone of those left disagrees on, and such attributes.
    uint64_t* last                # (n_words,)
    Py_ssize_t n_deciders
    Decider* deciders             # (n,)
    # Updates that two attributes of those left disagree on, and which.
    uint64_t* pairs               # (n_words,)
    Py_ssize_t* ends              # (m, 2)
    double* log_p                 # (n,)
    int64_t* spared               # (n,)
    uint64_t* mask                # (n_words,)
    uint64_t* rest                # (n_words,)
    float* factors                # (n_sizes or 1, m, GUESSES)
    double* priorities
    double doubt                  # mean of how far futures may be from guesses, up to 1
    double settled                # what is settled, on the scale of the priorities
    double step                   # largest share of the sum that one draw stands for
    double* scratch
    uint64_t[4 * LANES] generators


cdef inline double log_mean_factor(
    double share, double log_factor, double gain
) noexcept nogil:
    """log(1 + share * gain), where gain = expm1(log_factor), which may overflow."""
    if share >= 1.0:
        return log_factor
    if gain < INFINITY:
        return log1p(share * gain)
    return 0.0 if share <= 0.0 else plus(log1p(-share), log(share) + log_factor, True)


cdef inline double doubt_of(double share, double gain) noexcept nogil:
    """How far an update may take the future from its guess, relative, up to 1."""
    if share >= 1.0 or gain == INFINITY:
        return 0.0 if share >= 1.0 else 1.0
    return min(1.0, share * (1.0 - share) * fabs(gain) / (1.0 + share * gain))


cdef inline void guess(
    const Problem* p, const Level* level, LookAhead* ahead, float* first
) noexcept nogil:
    """What each update does to a state's future, in each guess at how it goes on.

    If a completion agrees with update i with probability a_i, independently, then the
    updates alive multiply the weight by the product of 1 + a_i (alpha^c_i - 1). In the
    first guess completions are as likely as their initial weights; in the others as in
    a region where the pilot found much weight, and which is as improbable a priori as
    `log_odds` says. Where sizes count, there is the first alone, for each size so far.
    """
    cdef Py_ssize_t i, c, j = p.n - level.n_left
    cdef double log_factor, gain, agreeing
    cdef const double* completions = p.log_completions + level.n_left * p.n_sizes
    cdef const double* inside
    for c in range(GUESSES):
        first[c] = <float> (0.0 if c == 0 else -1e30)
    for c in range(ahead.n_guesses):
        first[1 + c] = ahead.log_odds[j * ahead.n_guesses + c]
    memset(ahead.factors, 0, max(p.n_sizes, 1) * p.m * GUESSES * sizeof(float))
    for i in range(p.m):
        if p.logs and level.outside[i] == 0:
            continue  # exact: see `set_priorities`
        log_factor = p.log_alpha * <double> p.exponents[i]
        gain = expm1(log_factor)
        inside = completions - level.outside[i] * p.n_sizes
        for c in range(p.n_sizes):
            ahead.factors[(c * p.m + i) * GUESSES] = <float> log_mean_factor(
                exp(inside[c] - completions[c]), log_factor, gain
            )
        if p.n_sizes:
            continue
        agreeing = level.inside[i]
        if p.logs:
            agreeing = exp(agreeing)
        ahead.factors[i * GUESSES] = <float> log_mean_factor(agreeing, log_factor, gain)
        ahead.factors[i * GUESSES + DOUBT] = <float> (
            doubt_of(agreeing, gain) ** 2
        )
        for c in range(ahead.n_guesses):
            ahead.factors[i * GUESSES + 1 + c] = <float> log_mean_factor(
                ahead.agreeing[(j * p.m + i) * ahead.n_guesses + c], log_factor, gain
            )


cdef inline double gain_of(
    const Problem* p, const LookAhead* ahead, Py_ssize_t v
) noexcept nogil:
    """What constraining an attribute spares, less what it costs, as logarithm."""
    return p.log_alpha * <double> ahead.spared[v] + ahead.log_p[v]


cdef inline void look_for_deciders(
    const Problem* p, const Level* level, LookAhead* ahead
) noexcept nogil:
    """Find the updates whose fate is up to one attribute or two.

    None if sizes count, and none beside promoted updates: these decide where the weight
    is, and a choice by demoted ones alone makes the errors of trained sums a hundred
    times larger (`benchmarks/sums/calibration.py`).
    """
    cdef Py_ssize_t v, w, i, c, j = p.n - level.n_left
    cdef const float* log_odds
    cdef uint64_t outside, lowest
    cdef double gain
    cdef Decider* decider
    ahead.n_deciders = 0
    memset(ahead.last, 0, p.n_words * sizeof(uint64_t))
    memset(ahead.pairs, 0, p.n_words * sizeof(uint64_t))
    memset(ahead.rest, 0, p.n_words * sizeof(uint64_t))
    if p.n_sizes:
        return
    for i in range(p.m):
        if p.exponents[i] > 0:
            return
    # Updates that one, two and three attributes disagree on, or more.
    for v in range(j, p.n):
        for w in range(p.n_words):
            outside = ~p.columns[v * p.n_words + w]
            ahead.rest[w] |= ahead.pairs[w] & outside
            ahead.pairs[w] |= ahead.last[w] & outside
            ahead.last[w] |= outside
    for w in range(p.n_words):
        ahead.last[w] &= ~ahead.pairs[w]
        ahead.pairs[w] &= ~ahead.rest[w]
    if p.m & 63:
        # No update lies behind the last.
        outside = ~(<uint64_t> 0) << (p.m & 63)
        ahead.last[p.n_words - 1] &= ~outside
        ahead.pairs[p.n_words - 1] &= ~outside
    for i in range(p.m):
        ahead.ends[2 * i] = -1
    for v in range(j, p.n):
        ahead.log_p[v] = log(-expm1(-<double> p.multiplicities[v] * p.log_either))
        for w in range(p.n_words):
            outside = ahead.pairs[w] & ~p.columns[v * p.n_words + w]
            while outside:
                i = 64 * w + lowest_bit(outside)
                outside &= outside - 1
                ahead.ends[2 * i + (ahead.ends[2 * i] >= 0)] = v
    memset(ahead.spared, 0, p.n * sizeof(int64_t))
    for i in range(p.m):
        if (ahead.pairs[i >> 6] >> (i & 63)) & 1 and p.exponents[i] < 0:
            ahead.spared[ahead.ends[2 * i]] -= p.exponents[i]
            ahead.spared[ahead.ends[2 * i + 1]] -= p.exponents[i]
    for w in range(p.n_words):
        outside = ahead.pairs[w]
        while outside:
            i = 64 * w + lowest_bit(outside)
            lowest = outside & -outside
            outside ^= lowest
            gain = max(
                gain_of(p, ahead, ahead.ends[2 * i]),
                gain_of(p, ahead, ahead.ends[2 * i + 1]),
            )
            if p.exponents[i] > 0 or gain < CONFLICT:
                ahead.pairs[w] ^= lowest
    for v in range(j, p.n):
        decider = ahead.deciders + ahead.n_deciders
        decider.end = 0
        for w in range(p.n_words - 1, -1, -1):
            if ahead.last[w] & ~p.columns[v * p.n_words + w]:
                decider.first = w
                decider.end = max(decider.end, w + 1)
        if decider.end:
            decider.attribute = v
            decider.log_q = -<double> p.multiplicities[v] * p.log_either
            decider.log_p = ahead.log_p[v]
            decider.q = exp(decider.log_q)
            log_odds = ahead.log_odds + v * ahead.n_guesses
            for c in range(GUESSES):
                decider.log_odds[c] = 0.0
            for c in range(ahead.n_guesses):
                decider.log_odds[1 + c] = log_odds[c] - log_odds[ahead.n_guesses + c]
            ahead.n_deciders += 1


cdef inline double decide(
    const Problem* p, LookAhead* ahead, const uint64_t* alive, float* sums
) noexcept nogil:
    """What the updates alive come to that a single attribute decides on, as logarithm.

    Each attribute sums over both ways of it, whatever the guesses say. One that is more
    likely constrained than not kills other updates; `rest` is what they leave.
    """
    cdef Py_ssize_t k, w, c
    cdef int64_t phi
    cdef uint64_t decided, some
    cdef const uint64_t* column
    cdef const Decider* decider
    cdef double log_factor, log_q, difference, result = 0.0
    for w in range(p.n_words):
        ahead.rest[w] = alive[w] & ~ahead.last[w]
    for k in range(ahead.n_deciders):
        decider = ahead.deciders + k
        column = p.columns + decider.attribute * p.n_words
        some = 0
        phi = 0
        for w in range(decider.first, decider.end):
            decided = alive[w] & ahead.last[w] & ~column[w]
            some |= decided
            while decided:
                phi += p.exponents[64 * w + lowest_bit(decided)]
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
                ahead.rest[w] &= column[w]
        else:
            result += log_q
        if -15.0 < difference < 15.0:
            result += log1pf(expf(<float> -fabs(difference)))
        for c in range(GUESSES):
            sums[c] -= decider.log_odds[c]
    return result


cdef inline double cover(
    const Problem* p, const Level* level, LookAhead* ahead
) noexcept nogil:
    """What constraining attributes costs that kill the pairs of `rest`, as logarithm.

    Those come first that spare most. In `rest` stays what they leave.
    """
    cdef Py_ssize_t i, v, w, best, j = p.n - level.n_left
    cdef uint64_t some = 0, killed
    cdef double gain, most, cost = 0.0
    for w in range(p.n_words):
        some |= ahead.rest[w] & ahead.pairs[w]
    if not some:
        return 0.0
    memset(ahead.spared + j, 0, level.n_left * sizeof(int64_t))
    for w in range(p.n_words):
        killed = ahead.rest[w] & ahead.pairs[w]
        while killed:
            i = 64 * w + lowest_bit(killed)
            killed &= killed - 1
            ahead.spared[ahead.ends[2 * i]] -= p.exponents[i]
            ahead.spared[ahead.ends[2 * i + 1]] -= p.exponents[i]
    while True:
        best = -1
        most = 0.0
        for v in range(j, p.n):
            gain = gain_of(p, ahead, v)
            if gain > most:
                most = gain
                best = v
        if best < 0:
            return cost
        cost += ahead.log_p[best]
        for w in range(p.n_words):
            killed = ahead.rest[w] & ~p.columns[best * p.n_words + w]
            ahead.rest[w] ^= killed
            killed &= ahead.pairs[w]
            while killed:
                i = 64 * w + lowest_bit(killed)
                killed &= killed - 1
                ahead.spared[ahead.ends[2 * i]] += p.exponents[i]
                ahead.spared[ahead.ends[2 * i + 1]] += p.exponents[i]


cdef inline double log_initial_of(
    const Problem* p, const Level* level, const double* terms, Py_ssize_t* size
) noexcept nogil:
    """log of the initial weight of what some terms become, and their main size."""
    cdef Py_ssize_t c
    cdef double value, result = -INFINITY, best = -INFINITY
    for c in range(p.n_sizes):
        value = terms[c] if p.logs else log(terms[c])
        value += p.log_completions[level.n_left * p.n_sizes + c]
        result = plus(result, value, True)
        if value > best:
            best = value
            size[0] = c
    return result


cdef inline double log_settled(
    const Problem* p, const Level* level, const States* s
) noexcept nogil:
    """log of what is settled; with sizes, of that without updates alive."""
    cdef Py_ssize_t i, size = 0
    cdef double value, result
    if p.n_sizes:
        return log_initial_of(p, level, s.settled, &size)
    result = s.settled[0] if p.logs else log(s.settled[0])
    for i in range(p.m):
        value = s.settled_alive[i] if p.logs else log(s.settled_alive[i])
        if value > -INFINITY:
            value += p.log_alpha * <double> p.exponents[i]
            result = plus(result, value, True)
    return result


cdef inline void raise_known(
    const Problem* p, const Level* level, const States* s, LookAhead* ahead
) noexcept nogil:
    """What is known of states that known terms go through: their future has this term.

    Of a state with many such terms, the heaviest counts.
    """
    cdef Py_ssize_t t, w, i, j = p.n - level.n_left
    cdef const uint64_t* alive
    cdef double priority
    for t in range(ahead.n_known):
        alive = ahead.known + (j * ahead.n_known + t) * p.n_words
        for w in range(p.n_words):
            ahead.mask[w] = alive[w] & ~level.immortal[w] if level.folds else alive[w]
        i = find(s, ahead.mask, p.n_words)
        if i < 0:
            continue
        priority = value_of(s, i, p.n_words)
        priority = priority if p.logs else log(priority)
        # Updates alive that the term does not kill.
        alive = ahead.known + (p.n * ahead.n_known + t) * p.n_words
        priority += ahead.log_rest[j * ahead.n_known + t] + p.log_alpha * <double> (
            phi_of(p, alive, ahead.mask, p.n_words)
        )
        ahead.priorities[i] = max(ahead.priorities[i], priority)


cdef inline void set_priorities(
    const Problem* p, const Level* level, const States* s, LookAhead* ahead
) noexcept nogil:
    """Value times the best of the guesses at what the updates alive come to, as logs.

    What immortal updates multiply is not guessed. Where values are logarithms it is
    computed from integers, as large exponents of opposite signs cancel in no other way;
    elsewhere factors are moderate.
    """
    cdef Py_ssize_t i, u, w, c, size = 0
    cdef uint64_t alive
    cdef float[GUESSES] first
    cdef float[GUESSES] sums
    cdef float best
    cdef double value, top = -INFINITY, doubt = 0.0, all_priorities = 0.0
    cdef const float* factors
    guess(p, level, ahead, first)
    look_for_deciders(p, level, ahead)
    for i in range(s.n):
        for c in range(GUESSES):
            sums[c] = first[c]
        sums[DOUBT] = 0.0
        if p.n_sizes:
            value = log_initial_of(p, level, sizes_of(s, i), &size)
        else:
            value = value_of(s, i, p.n_words)
            value = value if p.logs else log(value)
        if p.logs:
            value += p.log_alpha * <double> phi_of(
                p, alive_of(s, i, p.n_words), level.immortal, p.n_words
            )
        value += decide(p, ahead, alive_of(s, i, p.n_words), sums)
        for w in range(p.n_words):
            alive = ahead.rest[w]
            while alive:
                u = 64 * w + lowest_bit(alive)
                alive &= alive - 1
                factors = ahead.factors + (size * p.m + u) * GUESSES
                for c in range(GUESSES):
                    sums[c] += factors[c]
        best = <float> cover(p, level, ahead)
        if best < 0.0:
            for w in range(p.n_words):
                alive = ahead.rest[w]
                while alive:
                    u = 64 * w + lowest_bit(alive)
                    alive &= alive - 1
                    best += ahead.factors[u * GUESSES]
        else:
            best = sums[0]
        for c in range(DOUBT):
            best = max(best, sums[c])
        # Where sizes count, nothing is known of it.
        ahead.scratch[i] = 1.0 if p.n_sizes else min(sqrt(sums[DOUBT]), 1.0)
        ahead.priorities[i] = <double> best + value
    raise_known(p, level, s, ahead)
    for i in range(s.n):
        top = max(top, ahead.priorities[i])
    value = log_settled(p, level, s) - top
    ahead.settled = exp(min(value, 700.0)) if top > -INFINITY else 0.0
    for i in range(s.n):
        # No state is without a chance, or the sum would not be right on average.
        ahead.priorities[i] = (
            1.0 if top == -INFINITY
            else exp(max(ahead.priorities[i] - top, -200.0))
        )
        doubt += ahead.priorities[i] * ahead.scratch[i]
        all_priorities += ahead.priorities[i]
    ahead.doubt = doubt / all_priorities


cdef inline double threshold_of(
    const double* priorities, Py_ssize_t n, Py_ssize_t n_kept, double* scratch
) noexcept nogil:
    """The t for which the sum of min(1, priority / t) is n_kept < n."""
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


cdef inline void thin(
    const Problem* p, States* s, Py_ssize_t n_kept, LookAhead* ahead
) noexcept nogil:
    """Keep about n_kept states: systematic sampling of those below the threshold."""
    cdef Py_ssize_t i, w, c, place = 0
    cdef double t = threshold_of(ahead.priorities, s.n, n_kept, ahead.scratch)
    cdef uint64_t[LANES] draws
    cdef double chance, inverse, next_pick, passed = 0.0, above = 0.0
    draw_lanes(ahead.generators, draws)
    next_pick = <double> (draws[0] >> 11) / 9007199254740992.0
    for i in range(s.n):
        chance = ahead.priorities[i] / t
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
    ahead.step = max(
        ahead.step, ahead.doubt / (passed + above + ahead.settled / t)
    )
    index(s, p.n_words)
