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
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from _bits cimport popcount

cdef extern from *:
    """
    /* A run of 64 cells: each of 16 running sums takes every 16th, times a weight. With
       AVX-512 the power of a cell is the product of two entries out of 16, which
       permutations of registers look up; without, it is read from the table of such
       products. The bits are the same. */
    #if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__)
    #  include <immintrin.h>
    #  define DNFWINNOW_PERMUTES 1
    static inline void dnfwinnow_permuted_run(
        const int16_t *phi, int16_t lowest, const double *low, double high,
        const double *coarse, const double *fine, double *totals)
    {
        const __m512d c0 = _mm512_loadu_pd(coarse), c1 = _mm512_loadu_pd(coarse + 8);
        const __m512d f0 = _mm512_loadu_pd(fine), f1 = _mm512_loadu_pd(fine + 8);
        const __m128i first = _mm_set1_epi16(lowest);
        __m512d sums[2] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
        for (int i = 0; i < 8; i++) {
            const __m128i cells = _mm_loadu_si128((const __m128i *)(phi + 8 * i));
            const __m512i k = _mm512_cvtepu16_epi64(_mm_sub_epi16(cells, first));
            const __m512d power = _mm512_mul_pd(
                _mm512_permutex2var_pd(c0, _mm512_srli_epi64(k, 4), c1),
                _mm512_permutex2var_pd(f0, k, f1));
            sums[i & 1] = _mm512_add_pd(
                sums[i & 1], _mm512_mul_pd(_mm512_loadu_pd(low + 8 * i), power));
        }
        for (int i = 0; i < 2; i++)
            _mm512_storeu_pd(totals + 8 * i, _mm512_add_pd(
                _mm512_loadu_pd(totals + 8 * i),
                _mm512_mul_pd(_mm512_set1_pd(high), sums[i])));
    }
    #else
    #  define DNFWINNOW_PERMUTES 0
    #  define dnfwinnow_permuted_run(a, b, c, d, e, f, g) ((void) 0)
    #endif
    """
    bint PERMUTES "DNFWINNOW_PERMUTES"
    void permuted_run "dnfwinnow_permuted_run"(
        const int16_t* phi, int16_t lowest, const double* low, double high,
        const double* coarse, const double* fine, double* totals,
    ) noexcept nogil


cdef enum:
    RUN_BITS = 6
    RUN = 64              # cells that an update fills at once
    SUMS = 16             # running sums, so that additions need not wait for each other
    FINE = 16             # powers that the finer of two tables of powers has
    MOST_PERMUTED = 256   # values of phi that two tables in registers are enough for
    LARGEST_LOG_ALPHA = 40   # beyond, the finer table would overflow

ctypedef fused cell_t:
    int16_t
    int32_t


cdef struct SupersetProblem:
    Py_ssize_t n, m
    Py_ssize_t max_term_size      # larger terms are left out
    const uint64_t* sets          # (m,)
    const int64_t* net_counts      # (m,)
    const double* log_odds        # (n,)


cdef inline void add_supersets(cell_t* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if size == RUN:
        return
    for S in range(half):
        f[S] = <cell_t> (f[S] + f[half + S])
    add_supersets(f, half)
    add_supersets(f + half, half)


cdef inline void fill(
    const SupersetProblem* p, cell_t* f, Py_ssize_t size
) noexcept nogil:
    """From zeros to phi of every term."""
    cdef Py_ssize_t u
    cdef Py_ssize_t S
    cdef cell_t* run
    cdef cell_t c, outside
    for u in range(p.m):
        run = f + ((p.sets[u] >> RUN_BITS) << RUN_BITS)
        outside = <cell_t> (~p.sets[u] & (RUN - 1))
        c = <cell_t> p.net_counts[u]
        for S in range(RUN):
            run[S] = <cell_t> (run[S] + (c if (<cell_t> S & outside) == 0 else 0))
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
    cell_t* f, Py_ssize_t size, Py_ssize_t max_term_size,
    cell_t* lowest, cell_t* highest,
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
    double[FINE] fine             # alpha^k
    double[FINE] coarse         # alpha^(16 k), relative likewise
    bint permuted                 # whether the two tables do


cdef inline bint tabulate(Powers* powers, double log_alpha) noexcept nogil:
    """Powers of alpha from lowest to highest, as products where that can be."""
    cdef int64_t k, width = powers.highest - powers.lowest + 1
    cdef double lowest = <double> (powers.lowest - powers.highest)
    cdef bint products = log_alpha <= LARGEST_LOG_ALPHA
    cdef double coarse = 0.0
    powers.all = <double*> malloc(width * sizeof(double))
    if powers.all == NULL:
        return False
    powers.permuted = PERMUTES and products and width <= MOST_PERMUTED
    for k in range(FINE):
        powers.fine[k] = exp(log_alpha * <double> k) if products else 1.0
    for k in range(FINE):
        powers.coarse[k] = 0.0
    for k in range(width):
        if not products:
            powers.all[k] = exp(log_alpha * (lowest + <double> k))
            continue
        if k % FINE == 0:
            coarse = exp(log_alpha * (lowest + <double> k))
            if k < MOST_PERMUTED:
                powers.coarse[k // FINE] = coarse
        powers.all[k] = coarse * powers.fine[k % FINE]
    return True


cdef inline double total(
    const cell_t* phi, Py_ssize_t size, const double* cuts, const double* high,
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
        if cell_t is int16_t and powers.permuted:
            permuted_run(
                phi, <int16_t> powers.lowest, low, high[run], powers.coarse,
                powers.fine, totals,
            )
        else:
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


cdef inline bint solve_in(
    const SupersetProblem* p, cell_t* f, Py_ssize_t size, double log_alpha,
    double* log_value,
) noexcept nogil:
    """Compute log W in cells of zeros; False if memory is short."""
    cdef Py_ssize_t n_low = min(p.n, RUN_BITS), n_runs = size >> RUN_BITS, S
    cdef cell_t lowest, highest
    cdef cell_t least, most       # apart: the others belong in registers
    cdef double in_all
    cdef Powers powers
    cdef double* cuts = <double*> malloc((RUN_BITS + 1) * RUN * sizeof(double))
    cdef double* low = cuts + RUN_BITS * RUN
    cdef double* high = <double*> malloc(n_runs * sizeof(double))
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
    free(cuts)
    free(high)
    free(powers.all)
    return fits


cdef inline bint solve(
    const SupersetProblem* p, double log_alpha, double* log_value
) noexcept nogil:
    """Compute log W, in cells of 16 bits if these have room for every phi, or of 32.

    False if memory is short.
    """
    cdef Py_ssize_t size = <Py_ssize_t> 1 << max(p.n, <Py_ssize_t> RUN_BITS), u
    cdef int64_t low = 0, high = 0
    cdef int16_t* f16
    cdef int32_t* f32
    cdef bint fits
    for u in range(p.m):
        low += min(p.net_counts[u], 0)
        high += max(p.net_counts[u], 0)
    if max(high, -low) < 1 << 15:
        f16 = <int16_t*> calloc(size, sizeof(int16_t))
        fits = solve_in(p, f16, size, log_alpha, log_value)
        free(f16)
    else:
        f32 = <int32_t*> calloc(size, sizeof(int32_t))
        fits = solve_in(p, f32, size, log_alpha, log_value)
        free(f32)
    return fits
