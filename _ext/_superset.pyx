"""Superset sums: phi of all 2^n terms at once, and the weighted sum over them.

    f[S] = sum of c_i over all i with A_i = S
    phi(S) = sum of f[T] over all supersets T of S

One attribute after the other, f[S] += f[S + {j}] turns the one into the other in place
(Yates 1937). The attributes of the lowest bits are done with when f is filled: an
update adds its exponent to all subsets of A_i in its run of 64 cells at once. The
others follow halves first, so that once a part of f fits a cache, it stays there.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

cdef enum:
    RUN_BITS = 6
    RUN = 64              # cells that an update fills at once
    SUMS = 16             # running sums, so that additions need not wait for each other

ctypedef fused cell_t:
    int16_t
    int32_t


cdef struct Problem:
    Py_ssize_t n, m
    const uint64_t* sets          # (m,)
    const int64_t* exponents      # (m,)
    const double* log_odds        # (n,)


cdef void add_supersets(cell_t* f, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t half = size >> 1, S
    if size == RUN:
        return
    for S in range(half):
        f[S] = <cell_t> (f[S] + f[half + S])
    add_supersets(f, half)
    add_supersets(f + half, half)


cdef void fill(const Problem* p, cell_t* f, Py_ssize_t size) noexcept nogil:
    """From zeros to phi of every term."""
    cdef Py_ssize_t u
    cdef int32_t S, outside
    cdef cell_t* run
    cdef cell_t c
    for u in range(p.m):
        run = f + ((p.sets[u] >> RUN_BITS) << RUN_BITS)
        outside = <int32_t> (~p.sets[u] & (RUN - 1))
        c = <cell_t> p.exponents[u]
        for S in range(RUN):
            run[S] = <cell_t> (run[S] + (0 if S & outside else c))
    add_supersets(f, size)


cdef void weigh(
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


cdef double total(
    const cell_t* phi, Py_ssize_t size, const double* low, const double* high,
    const double* powers,
) noexcept nogil:
    """Sum of weight times power over all terms; `powers` has phi = 0 at its start."""
    cdef Py_ssize_t run, part, S, lane
    cdef double[SUMS] sums
    cdef double[SUMS] totals
    cdef double result = 0.0
    for lane in range(SUMS):
        totals[lane] = 0.0
    for run in range(size >> RUN_BITS):
        for lane in range(SUMS):
            sums[lane] = 0.0
        for part in range(RUN // SUMS):
            S = part * SUMS
            for lane in range(SUMS):
                sums[lane] += low[S + lane] * powers[phi[S + lane]]
        for lane in range(SUMS):
            totals[lane] += high[run] * sums[lane]
        phi += RUN
    for lane in range(SUMS):
        result += totals[lane]
    return result


cdef bint solve(
    const Problem* p, cell_t* f, Py_ssize_t size, double log_alpha, double* log_value,
    double* density, int64_t phi_low,
) noexcept nogil:
    """log W or, where there is room for it, the density; False if memory is short."""
    cdef Py_ssize_t n_low = min(p.n, RUN_BITS), n_runs = size >> RUN_BITS, S
    cdef int64_t k
    cdef cell_t lowest, highest
    cdef double* low = <double*> malloc(RUN * sizeof(double))
    cdef double* high = <double*> malloc(n_runs * sizeof(double))
    cdef double* powers = NULL
    cdef bint fits = f != NULL and low != NULL and high != NULL
    if fits:
        fill(p, f, size)
        weigh(p.log_odds, n_low, low, RUN)
        weigh(p.log_odds + n_low, p.n - n_low, high, n_runs)
        if density != NULL:
            for S in range(size):
                density[f[S] - phi_low] += low[S & (RUN - 1)] * high[S >> RUN_BITS]
        else:
            lowest = highest = f[0]
            for S in range(size):
                lowest = min(lowest, f[S])
                highest = max(highest, f[S])
            powers = <double*> malloc((highest - lowest + 1) * sizeof(double))
            fits = powers != NULL
    if fits and density == NULL:
        # Relative to the largest, so that nothing overflows.
        for k in range(highest - lowest + 1):
            powers[k] = exp(log_alpha * <double> (k + lowest - highest))
        log_value[0] = log_alpha * <double> highest + log(
            total(f, size, low, high, powers - lowest)
        )
    free(low)
    free(high)
    free(powers)
    return fits


cdef double run(
    const uint64_t[:, ::1] sets, const int64_t[::1] exponents,
    const double[::1] log_odds, bint narrow, double log_alpha,
    double* density, int64_t phi_low,
) except? -1.0:
    cdef Problem p
    cdef Py_ssize_t size
    cdef int16_t* f16 = NULL
    cdef int32_t* f32 = NULL
    cdef double log_value = 0.0
    cdef bint fits
    p.n = log_odds.shape[0]
    p.m = exponents.shape[0]
    p.sets = &sets[0, 0]
    p.exponents = &exponents[0]
    p.log_odds = &log_odds[0]
    size = <Py_ssize_t> 1 << max(p.n, RUN_BITS)
    with nogil:
        if narrow:
            f16 = <int16_t*> calloc(size, sizeof(int16_t))
            fits = solve(&p, f16, size, log_alpha, &log_value, density, phi_low)
        else:
            f32 = <int32_t*> calloc(size, sizeof(int32_t))
            fits = solve(&p, f32, size, log_alpha, &log_value, density, phi_low)
        free(f16)
        free(f32)
    if not fits:
        raise MemoryError
    return log_value


def log_sum(
    const uint64_t[:, ::1] sets,     # IN (m, 1) attributes of each agreement set
    const int64_t[::1] exponents,    # IN (m,)
    const double[::1] log_odds,      # IN (n,) of constraining each attribute
    bint narrow,                     # whether every phi fits 16 bits, else 32
    double log_alpha,
):
    """log W."""
    return run(sets, exponents, log_odds, narrow, log_alpha, NULL, 0)


def density(
    const uint64_t[:, ::1] sets, const int64_t[::1] exponents,
    const double[::1] log_odds, bint narrow,
    double[::1] weights,             # OUT (values of phi,) zeros on entry
    int64_t phi_low,                 # phi of the first
):
    """Total initial weight of the terms of each phi."""
    run(sets, exponents, log_odds, narrow, 0.0, &weights[0], phi_low)
