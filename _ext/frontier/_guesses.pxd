"""Guesses at the future of states, and what each update multiplies it by."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, expm1, fabs, log, log1p
from libc.string cimport memset

from _frontier_problem cimport Problem
from _level cimport Level
from _log_sum_exp cimport log_add

cdef enum:
    # Guesses at a state's future that are compared, and behind them how far its future
    # may be from the first.
    GUESSES = 16
    DOUBT = 15


cdef struct Guesses:
    Py_ssize_t n_guesses          # besides the first, that terms are as at the start
    const float* agreeing         # (n + 1, m, n_guesses)
    const float* log_odds         # (n + 1, n_guesses)
    float* factors                # (n_sizes or 1, m, GUESSES) of examples, in logs


cdef inline double log_mean_factor(
    double share, double log_factor, double gain
) noexcept nogil:
    """Return log(1 + share * gain), gain = expm1(log_factor), which may overflow."""
    if share >= 1.0:
        return log_factor
    if gain < INFINITY:
        return log1p(share * gain)
    return 0.0 if share <= 0.0 else log_add(log1p(-share), log(share) + log_factor)


cdef inline double doubt_of(double share, double gain) noexcept nogil:
    """Return how far an update may take the future from its guess, up to 1."""
    if share >= 1.0 or gain == INFINITY:
        return 0.0 if share >= 1.0 else 1.0
    return min(1.0, share * (1.0 - share) * fabs(gain) / (1.0 + share * gain))


cdef inline void set_factors(
    const Problem* p, const Level* level, Guesses* guesses, float* first
) noexcept nogil:
    """Compute what each update multiplies the future of a state by, in each guess.

    If a completion agrees with update i with probability a_i, independently, then the
    examples alive multiply the weight by the product of 1 + a_i (alpha^c_i - 1). In the
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
    for c in range(guesses.n_guesses):
        first[1 + c] = guesses.log_odds[j * guesses.n_guesses + c]
    memset(guesses.factors, 0, max(p.n_sizes, 1) * p.m * GUESSES * sizeof(float))
    for i in range(p.m):
        if p.logs and level.outside[i] == 0:
            continue  # exact: see `set_priorities`
        log_factor = p.log_alpha * <double> p.net_counts[i]
        gain = expm1(log_factor)
        inside = completions - level.outside[i] * p.n_sizes
        for c in range(p.n_sizes):
            guesses.factors[(c * p.m + i) * GUESSES] = <float> log_mean_factor(
                exp(inside[c] - completions[c]), log_factor, gain
            )
        if p.n_sizes:
            continue
        agreeing = level.inside[i]
        if p.logs:
            agreeing = exp(agreeing)
        guesses.factors[i * GUESSES] = <float> log_mean_factor(
            agreeing, log_factor, gain
        )
        guesses.factors[i * GUESSES + DOUBT] = <float> (doubt_of(agreeing, gain) ** 2)
        for c in range(guesses.n_guesses):
            guesses.factors[i * GUESSES + 1 + c] = <float> log_mean_factor(
                guesses.agreeing[(j * p.m + i) * guesses.n_guesses + c],
                log_factor, gain,
            )
