"""All terms of one query at once: phi of each by Yates passes, and the sum over them.

    f[S] = sum of c_i over all i with A_i = S
    phi(S) = sum of f[T] over all supersets T of S

One attribute after the other, f[S] += f[S + {j}] turns the one into the other in place
(Yates 1937). The attributes of the lowest bits are done with when f is filled: an
update adds its net count to all subsets of A_i in its run of 64 cells at once. The
others follow halves first, so that once a part of f fits a cache, it stays there.

Terms up to a size are weighed run by run: where the higher attributes leave room for r
literals, by the weights of the lower ones' subsets of up to r.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from _bits cimport popcount

cdef enum:
    RUN_BITS = 6
    RUN = 64              # cells that an update fills at once
    SUMS = 16             # running sums, so that additions need not wait for each other
    FINE = 16             # powers that the finer of two tables of powers has
    LARGEST_LOG_ALPHA = 40   # beyond, the finer table would overflow


cdef struct SupersetProblem:
    Py_ssize_t n, m
    Py_ssize_t max_term_size      # larger terms are left out
    const uint64_t* sets          # (m,)
    const int64_t* net_counts      # (m,)
    const double* log_odds        # (n,)


cdef inline void add_supersets(int32_t* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if size == RUN:
        return
    for S in range(half):
        f[S] += f[half + S]
    add_supersets(f, half)
    add_supersets(f + half, half)


cdef inline void fill(
    const SupersetProblem* p, int32_t* f, Py_ssize_t size
) noexcept nogil:
    """From zeros to phi of every term."""
    cdef Py_ssize_t u
    cdef Py_ssize_t S
    cdef int32_t* run
    cdef int32_t c, outside
    for u in range(p.m):
        run = f + ((p.sets[u] >> RUN_BITS) << RUN_BITS)
        outside = <int32_t> (~p.sets[u] & (RUN - 1))
        c = <int32_t> p.net_counts[u]
        for S in range(RUN):
            run[S] += c if (<int32_t> S & outside) == 0 else 0
    add_supersets(f, size)


cdef inline void weigh(
    const double* log_odds, Py_ssize_t n, double* weights, Py_ssize_t size
) noexcept nogil:
    """Products of odds over all subsets of n attributes; 0 beyond the first 2^n."""
    cdef Py_ssize_t j, S
    cdef double odds
    weights[0] = 1.0
    for j in range(n):
        odds = exp(log_odds[j])
        for S in range(<Py_ssize_t> 1 << j):
            weights[(<Py_ssize_t> 1 << j) + S] = weights[S] * odds
    for S in range(<Py_ssize_t> 1 << n, size):
        weights[S] = 0.0


cdef inline void cut(double* cuts) noexcept nogil:
    """From the weights of a run, the last, to those of its subsets up to each size."""
    cdef Py_ssize_t r, S
    for r in range(RUN_BITS):
        for S in range(RUN):
            cuts[r * RUN + S] = cuts[RUN_BITS * RUN + S] if popcount(S) <= r else 0.0


cdef inline void range_of_short(
    int32_t* f, Py_ssize_t size, Py_ssize_t max_term_size,
    int32_t* lowest, int32_t* highest,
) noexcept nogil:
    """Range of phi; terms too long, in runs with others, get that of the empty term."""
    cdef Py_ssize_t run, S, room
    for run in range(size >> RUN_BITS):
        room = max_term_size - popcount(run)
        if room >= 0:
            for S in range(RUN):
                if popcount(S) > room:
                    f[run * RUN + S] = f[0]
                lowest[0] = min(lowest[0], f[run * RUN + S])
                highest[0] = max(highest[0], f[run * RUN + S])


cdef struct Powers:
    int64_t lowest, highest       # phi
    double* all                   # of alpha, relative to that of the highest


cdef inline bint tabulate(Powers* powers, double log_alpha) noexcept nogil:
    """Powers of alpha from lowest to highest, as products where that can be."""
    cdef int64_t k, width = powers.highest - powers.lowest + 1
    cdef double lowest = <double> (powers.lowest - powers.highest)
    cdef int64_t step = FINE if log_alpha <= LARGEST_LOG_ALPHA else 1
    cdef double[FINE] fine
    cdef double coarse = 0.0
    powers.all = <double*> malloc(width * sizeof(double))
    if powers.all == NULL:
        return False
    for k in range(FINE):
        fine[k] = exp(log_alpha * <double> k)
    for k in range(width):
        if k & (step - 1) == 0:
            coarse = exp(log_alpha * (lowest + <double> k))
        powers.all[k] = coarse * fine[k & (step - 1)]
    return True


cdef inline double total(
    const int32_t* phi, Py_ssize_t size, const double* cuts, const double* high,
    const Powers* powers, bint limited, Py_ssize_t max_term_size,
) noexcept nogil:
    """Sum of weight times power over all terms."""
    cdef const double* low = cuts + RUN_BITS * RUN
    cdef Py_ssize_t run, part, S, lane, room
    cdef const double* at_zero = powers.all - powers.lowest
    cdef double[SUMS] sums
    cdef double[SUMS] totals
    cdef double result = 0.0
    for lane in range(SUMS):
        totals[lane] = 0.0
    for run in range(size >> RUN_BITS):
        if limited:
            room = max_term_size - popcount(run)
            if room < 0:
                phi += RUN
                continue
            low = cuts + min(room, <Py_ssize_t> RUN_BITS) * RUN
        for lane in range(SUMS):
            sums[lane] = 0.0
        for part in range(RUN // SUMS):
            S = part * SUMS
            for lane in range(SUMS):
                sums[lane] += low[S + lane] * at_zero[phi[S + lane]]
        for lane in range(SUMS):
            totals[lane] += high[run] * sums[lane]
        phi += RUN
    for lane in range(SUMS):
        result += totals[lane]
    return result


cdef inline bint solve(
    const SupersetProblem* p, double log_alpha, double* log_value
) noexcept nogil:
    """Compute log W; False if memory is short."""
    cdef Py_ssize_t size = <Py_ssize_t> 1 << max(p.n, <Py_ssize_t> RUN_BITS)
    cdef Py_ssize_t n_low = min(p.n, RUN_BITS), n_runs = size >> RUN_BITS, S
    cdef int32_t lowest, highest
    cdef int32_t least, most       # apart: the others belong in registers
    cdef double in_all
    cdef Powers powers
    cdef double* cuts = <double*> malloc((RUN_BITS + 1) * RUN * sizeof(double))
    cdef double* low = cuts + RUN_BITS * RUN
    cdef double* high = <double*> malloc(n_runs * sizeof(double))
    cdef int32_t* f = <int32_t*> calloc(size, sizeof(int32_t))
    cdef bint limited = p.max_term_size < p.n
    cdef bint fits = f != NULL and cuts != NULL and high != NULL
    powers.all = NULL
    if fits:
        fill(p, f, size)
        # Cells that fill up a run stand for no term, and have no say in the range.
        for S in range(<Py_ssize_t> 1 << p.n, size):
            f[S] = f[0]
        weigh(p.log_odds, n_low, low, RUN)
        if limited:
            cut(cuts)
        weigh(p.log_odds + n_low, p.n - n_low, high, n_runs)
        lowest = highest = f[0]
        if limited:
            least = most = f[0]
            range_of_short(f, size, p.max_term_size, &least, &most)
            lowest, highest = least, most
        else:
            for S in range(size):
                lowest = min(lowest, f[S])
                highest = max(highest, f[S])
        powers.lowest, powers.highest = lowest, highest
        fits = tabulate(&powers, log_alpha)
    if fits:
        # Relative to the largest, so that nothing overflows.
        # (Apart, as weights that all runs share can stay in registers.)
        if limited:
            in_all = total(f, size, cuts, high, &powers, True, p.max_term_size)
        else:
            in_all = total(f, size, cuts, high, &powers, False, 0)
        log_value[0] = log_alpha * <double> highest + log(in_all)
    free(f)
    free(cuts)
    free(high)
    free(powers.all)
    return fits
