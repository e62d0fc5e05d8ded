"""Superset sums: phi of all 2^n terms at once, and the weighted sum up to a size."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.stdint cimport int64_t, uint64_t

from _yates cimport SupersetProblem, allocate_and_solve


cdef double run(
    const uint64_t[:, ::1] sets, const int64_t[::1] net_counts,
    const double[::1] log_odds, bint narrow, double log_alpha,
    Py_ssize_t max_term_size, double* density, int64_t phi_low,
) except? -1.0:
    cdef SupersetProblem p
    cdef double log_value = 0.0
    cdef bint fits
    p.n = log_odds.shape[0]
    p.m = net_counts.shape[0]
    p.max_term_size = max_term_size
    p.sets = &sets[0, 0]
    p.net_counts = &net_counts[0]
    p.log_odds = &log_odds[0]
    with nogil:
        fits = allocate_and_solve(&p, narrow, log_alpha, &log_value, density, phi_low)
    if not fits:
        raise MemoryError
    return log_value


def log_sum(
    *,
    const uint64_t[:, ::1] sets,     # IN (m, 1) attributes of each agreement set
    const int64_t[::1] net_counts,    # IN (m,)
    const double[::1] log_odds,      # IN (n,) of constraining each attribute
    bint narrow,                     # whether every phi fits 16 bits, else 32
    double log_alpha,
    Py_ssize_t max_term_size,        # larger terms are left out
):
    """Return log W."""
    return run(sets, net_counts, log_odds, narrow, log_alpha, max_term_size, NULL, 0)


def density(
    *,
    const uint64_t[:, ::1] sets, const int64_t[::1] net_counts,
    const double[::1] log_odds, bint narrow,
    double[::1] weights,             # OUT (values of phi,) zeros on entry
    int64_t phi_low,                 # phi of the first
):
    """Compute the total initial weight of the terms of each phi."""
    run(
        sets, net_counts, log_odds, narrow, 0.0, log_odds.shape[0], &weights[0], phi_low
    )
