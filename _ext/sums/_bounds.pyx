"""Bounds of weighted sums, in time proportional to the agreements they are of.

Let S be random, each of the n specified attributes constrained with odds beta. Then

    W = (1 + beta)^n E[alpha^phi(S)].

*From below.* For any other distribution of S, log W is at least the mean of phi(S)
log(alpha) + |S| log(beta) plus the entropy (Jensen's inequality). Here attributes are
constrained independently of each other, with probabilities that are improved one after
the other (mean field).

*From above.* A term that is not empty has a first attribute. Given which it is, phi
lies between the sums l and h of the negative and of the positive exponents of the
updates that agree there; and as powers are convex, E[alpha^phi] is at most what it
would be if phi were h with probability (E[phi] - l) / (h - l), and l otherwise.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from _log_sum_exp cimport log_add
from _packed cimport add_up, code_t, compare, number_sets, size_of_table

cdef enum:
    LANES = 8             # running sums, so that additions need not wait for each other

# Probabilities of the mean field stay so far from 0 and 1, and are improved so often.
# They start small: heavy terms are found from the short ones that they contain.
cdef double NEVER = 1e-6
cdef double FIRST = 0.02
cdef int N_SWEEPS = 3


cdef struct Problem:
    # Agreement sets of one query and class, as numbers, padded with zeros.
    Py_ssize_t n
    Py_ssize_t m                     # a multiple of LANES
    double* inside                   # (n, m) whether a set contains an attribute
    double* up                       # (m,) positive exponents
    double* down                     # (m,) negative exponents, without their sign
    double* in_all                   # (m,) SCRATCH, probability of S inside a set
    double* not_all                  # (m,) SCRATCH, and of the contrary
    double* constrained              # (n,) SCRATCH
    double* n_promoted               # (n,) SCRATCH
    int64_t* order                   # (n,) SCRATCH


cdef inline double _sum(const double* lanes) noexcept nogil:
    return (
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
        + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    )


cdef void _order(Problem* p) noexcept nogil:
    """Attributes by what promoted updates agree there, the least first."""
    cdef Py_ssize_t j, u, t, i
    cdef double size
    cdef double[LANES] sizes
    for j in range(p.n):
        for i in range(LANES):
            sizes[i] = 0.0
        u = 0
        while u < p.m:
            for i in range(LANES):
                sizes[i] += p.inside[j * p.m + u + i] * p.up[u + i]
            u += LANES
        size = _sum(sizes)
        t = j
        while t > 0 and p.n_promoted[t - 1] > size:
            p.n_promoted[t] = p.n_promoted[t - 1]
            p.order[t] = p.order[t - 1]
            t -= 1
        p.n_promoted[t] = size
        p.order[t] = j


cdef double _upper(Problem* p, double log_alpha, double log_beta) noexcept nogil:
    """log of what W is at most."""
    cdef double log_either = log1p(exp(log_beta)) if log_beta < 0 else (
        log_beta + log1p(exp(-log_beta))
    )
    cdef double constrained = 1.0 / (1.0 + exp(-log_beta))
    cdef double free_ = 1.0 / (1.0 + exp(log_beta))
    cdef double value, high, low, mean, outside
    cdef double[LANES] highs
    cdef double[LANES] lows
    cdef double[LANES] means
    cdef const double* inside
    cdef Py_ssize_t t, u, i
    _order(p)
    high = low = 0.0
    for u in range(p.m):
        p.in_all[u] = 1.0
        p.not_all[u] = 0.0
        high += p.up[u]
        low += p.down[u]
    value = (high - low) * log_alpha
    for t in range(p.n - 1, -1, -1):
        inside = p.inside + p.order[t] * p.m
        for i in range(LANES):
            highs[i] = lows[i] = means[i] = 0.0
        u = 0
        while u < p.m:
            for i in range(LANES):
                highs[i] += inside[u + i] * p.up[u + i]
                lows[i] += inside[u + i] * p.down[u + i]
                means[i] += inside[u + i] * (
                    p.up[u + i] * p.in_all[u + i] + p.down[u + i] * p.not_all[u + i]
                )
                outside = 1.0 - inside[u + i]
                p.not_all[u + i] += outside * constrained * p.in_all[u + i]
                p.in_all[u + i] *= inside[u + i] + outside * free_
            u += LANES
        high = _sum(highs)
        low = _sum(lows)
        mean = _sum(means)
        value = log_add(
            value,
            log_beta + <double> (p.n - 1 - t) * log_either
            + _log_chord(mean, high, low, log_alpha),
        )
    return value


cdef inline double _log_chord(
    double mean, double high, double low, double log_alpha
) noexcept nogil:
    """log of at most E[alpha^phi], phi from -low to high, `mean` above -low."""
    cdef double share
    if high + low == 0.0:
        return 0.0
    share = min(mean / (high + low), 1.0)
    return log_add(log(share) + high * log_alpha, log1p(-share) - low * log_alpha)


cdef double _lower(Problem* p, double log_alpha, double log_beta) noexcept nogil:
    """log of what W is at least."""
    cdef double prior = 1.0 / (1.0 + exp(-log_beta)), value, probability, factor, mean
    cdef double[LANES] means
    cdef double* inside
    cdef Py_ssize_t _sweep, j, u, i
    for j in range(p.n):
        p.constrained[j] = min(max(prior, NEVER), FIRST)
    for _sweep in range(N_SWEEPS):
        _refresh(p)
        for j in range(p.n):
            inside = p.inside + j * p.m
            for i in range(LANES):
                means[i] = 0.0
            u = 0
            while u < p.m:
                for i in range(LANES):
                    means[i] += (
                        (1.0 - inside[u + i]) * p.in_all[u + i]
                        * (p.up[u + i] - p.down[u + i])
                    )
                u += LANES
            mean = _sum(means) / (1.0 - p.constrained[j])
            probability = 1.0 / (1.0 + exp(mean * log_alpha - log_beta))
            probability = min(max(probability, NEVER), 1.0 - NEVER)
            factor = (1.0 - probability) / (1.0 - p.constrained[j])
            for u in range(p.m):
                p.in_all[u] *= inside[u] + (1.0 - inside[u]) * factor
            p.constrained[j] = probability
    _refresh(p)
    value = 0.0
    for u in range(p.m):
        value += (p.up[u] - p.down[u]) * p.in_all[u]
    value *= log_alpha
    for j in range(p.n):
        probability = p.constrained[j]
        value += probability * (log_beta - log(probability))
        value -= (1.0 - probability) * log1p(-probability)
    return value


cdef void _refresh(Problem* p) noexcept nogil:
    """Probabilities that S lies inside each set, anew."""
    cdef Py_ssize_t j, u
    cdef double free_
    cdef const double* inside
    for u in range(p.m):
        p.in_all[u] = 1.0
    for j in range(p.n):
        inside = p.inside + j * p.m
        free_ = 1.0 - p.constrained[j]
        for u in range(p.m):
            p.in_all[u] *= inside[u] + (1.0 - inside[u]) * free_


cdef void _take_in(
    Problem* p,
    const uint64_t* sets,            # (n_sets, n_words)
    Py_ssize_t n_words,
    const int32_t* own,              # (n_own,) those of the class
    const int64_t* sums,             # (n_own,) their exponents
    Py_ssize_t n_own,
) noexcept nogil:
    """The agreement sets of one class, as numbers."""
    cdef Py_ssize_t a, j
    cdef const uint64_t* words
    p.m = (n_own + LANES - 1) // LANES * LANES
    for a in range(p.m):
        p.up[a] = <double> max(sums[a], 0) if a < n_own else 0.0
        p.down[a] = <double> max(-sums[a], 0) if a < n_own else 0.0
    for j in range(p.n):
        for a in range(n_own):
            words = sets + own[a] * n_words
            p.inside[j * p.m + a] = <double> ((words[j >> 6] >> (j & 63)) & 1)
        for a in range(n_own, p.m):
            p.inside[j * p.m + a] = 0.0


def bounds(
    *,
    const code_t[:, ::1] columns,    # IN (n_attributes, m) codes of the updates
    const code_t[:, ::1] rows,       # IN (n_rows, n_attributes) codes of the queries
    const int64_t[::1] starts,       # IN (n_classes + 1,) where a class starts in
    const int32_t[::1] updates,      # IN (n_acting,) updates that act in classes
    const int64_t[::1] exponents,    # IN (n_acting,) and their exponents there
    double log_alpha,
    double log_beta,
    double[:, ::1] lower,            # OUT (n_rows, n_classes)
    double[:, ::1] upper,            # OUT (n_rows, n_classes)
    int64_t[:, ::1] n_sets,          # OUT (n_rows, n_classes)
):
    """Compute bounds of log W of rows in all classes, and how many sets they are of."""
    cdef Py_ssize_t n = columns.shape[0], m = columns.shape[1], r, j, k, n_own
    cdef Py_ssize_t n_words = max(1, (n + 63) // 64)
    cdef int64_t[::1] specified = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] order = np.empty(n, dtype=np.int64)
    cdef uint8_t[::1] planes = np.empty(8 * n_words * m, dtype=np.uint8)
    cdef uint64_t[::1] sets = np.empty(n_words * m, dtype=np.uint64)
    cdef int32_t[:, ::1] numbers = np.empty((3, m), dtype=np.int32)
    cdef int32_t[::1] table = np.empty(size_of_table(m), dtype=np.int32)
    cdef int64_t[::1] sums = np.empty(m, dtype=np.int64)
    cdef double[:, ::1] vectors = np.empty((n + 4, m + LANES))
    cdef double[:, ::1] scalars = np.empty((2, n))
    cdef int32_t* set_of = &numbers[0, 0]
    cdef int32_t* place = &numbers[1, 0]
    cdef int32_t* own = &numbers[2, 0]
    # No update may act at all.
    cdef const int32_t* acting = &updates[0] if updates.shape[0] else NULL
    cdef const int64_t* amounts = &exponents[0] if updates.shape[0] else NULL
    cdef Problem p
    p.up = &vectors[0, 0]
    p.down = &vectors[1, 0]
    p.in_all = &vectors[2, 0]
    p.not_all = &vectors[3, 0]
    p.inside = &vectors[4, 0]
    p.constrained = &scalars[0, 0]
    p.n_promoted = &scalars[1, 0]
    p.order = &order[0]
    with nogil:
        memset(place, -1, m * sizeof(int32_t))
        for r in range(rows.shape[0]):
            p.n = 0
            for j in range(rows.shape[1]):
                if rows[r, j]:
                    specified[p.n] = j
                    p.n += 1
            n_words = max(1, (p.n + 63) // 64)
            compare(
                &columns[0, 0], m, &rows[r, 0], &specified[0], p.n, &planes[0],
                &sets[0], n_words,
            )
            number_sets(
                &sets[0], m, n_words, set_of, &table[0], table.shape[0] - 1
            )
            for k in range(starts.shape[0] - 1):
                n_own = add_up(
                    acting + starts[k], amounts + starts[k],
                    starts[k + 1] - starts[k], set_of, place, own, &sums[0],
                )
                _take_in(&p, &sets[0], n_words, own, &sums[0], n_own)
                n_sets[r, k] = n_own
                upper[r, k] = _upper(&p, log_alpha, log_beta)
                lower[r, k] = _lower(&p, log_alpha, log_beta)
