"""Width slices: updates of the logarithms of the widths of orders.

One update holds the sums of groups, and the other holds the sums in units of their
widths. A chain needs both: sums that the data tell little about pin their widths in the
first case, others in the second.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int64_t

import numpy as np

from _draws cimport bits_of, bitgen_t
from _hyperprior cimport Hyperprior, log_hyperprior
from _logistic cimport row_log_likelihood
from _signals cimport listen
from _univariate_slice cimport slice_update

cdef enum:
    # Sums of factors whose product stays far from the limits of a double.
    FACTORS = 6
    # Of a slice: how many steps of width 1 there are at most.
    MOST_STEPS = 20


cdef struct Sums:
    int power
    Hyperprior* hyperprior
    double log_scale
    # Kinds of groups whose width depends on this order.
    Py_ssize_t n_kinds
    Py_ssize_t n_sets
    const double* counts        # (n_kinds,) terms of this order
    const double* rest          # (n_kinds,) what other orders add to the width
    const double* multiplicity  # (n_kinds,) normal: sums of each kind
    const double* squares       # (n_kinds, n_sets) of the sums; normal: (n_kinds,)


cdef double log_density(double place, double level, void* context) noexcept nogil:
    """Return the log density of a width, given the sums."""
    cdef const Sums* of = <const Sums*> context
    cdef double sigma = exp(of.power * place), width, product = 1.0
    cdef double total = log_hyperprior(place - of.log_scale, of.hyperprior)
    cdef Py_ssize_t g, k, n_factors = 0
    if total == -INFINITY:
        return total
    for g in range(of.n_kinds):
        width = of.rest[g] + of.counts[g] * sigma
        if of.power == 2:
            total -= 0.5 * (of.multiplicity[g] * log(width) + of.squares[g] / width)
            continue
        for k in range(of.n_sets):
            product *= width + of.squares[g * of.n_sets + k] / width
            n_factors += 1
            if n_factors == FACTORS:
                total -= log(product)
                product = 1.0
                n_factors = 0
    return total - log(product)


def given_sums(
    *,
    int power,                       # 1: Cauchy, 2: normal
    Hyperprior hyperprior,
    Py_ssize_t first,                # the first order whose width is learned
    const double[::1] log_scales,    # IN (n_orders,)
    const double[:, ::1] counts,     # IN (n_kinds, n_orders)
    const double[::1] multiplicity,  # IN (n_kinds,) sums of each kind, if normal
    const double[:, ::1] squares,    # IN (n_kinds, n_sets) of sums; normal: in total
    double[::1] log_sigma,           # IN/OUT (n_orders,)
    bit_generator,
):
    """Update each width that is learned, given the sums."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t n_orders = counts.shape[1], n_sets = squares.shape[1], o, p, g, k, m
    cdef double rest
    cdef double[::1] scaled = np.empty(n_orders)
    cdef double[:, ::1] room = np.empty((3, counts.shape[0]))
    cdef double[:, ::1] own = np.empty((counts.shape[0], n_sets))
    cdef int64_t work = 0
    cdef Sums of
    of.power = power
    of.hyperprior = &hyperprior
    of.n_sets = n_sets
    of.counts = &room[0, 0]
    of.rest = &room[1, 0]
    of.multiplicity = &room[2, 0]
    of.squares = &own[0, 0]
    with nogil:
        for o in range(first, n_orders):
            for p in range(n_orders):
                scaled[p] = exp(power * log_sigma[p]) if p != o else 0.0
            m = 0
            for g in range(counts.shape[0]):
                if counts[g, o] == 0.0:
                    continue
                rest = 0.0
                for p in range(n_orders):
                    rest += counts[g, p] * scaled[p]
                room[0, m] = counts[g, o]
                room[1, m] = rest
                room[2, m] = multiplicity[g]
                for k in range(n_sets):
                    own[m, k] = squares[g, k]
                m += 1
            of.n_kinds = m
            of.log_scale = log_scales[o]
            log_sigma[o] = slice_update(
                log_sigma[o], 1.0, MOST_STEPS, log_density, &of, bits
            )
            listen(&work, 20 * m * n_sets)


cdef struct Parts:
    Hyperprior* hyperprior
    Py_ssize_t n_orders
    const double* log_sigma     # (n_orders,)
    const double* log_scales    # (n_orders,)
    Py_ssize_t n_rows
    Py_ssize_t n_sets
    const double* rest          # (n_rows, n_sets)
    const double* own           # (n_rows, n_sets)
    const double* weights       # (n_rows, n_sets)
    const double* totals        # (n_rows,)
    double* predictors          # (n_sets,) scratch


cdef double log_posterior(double shift, double level, void* context) noexcept nogil:
    """Return the logarithm of prior times likelihood, to which no row adds."""
    cdef const Parts* of = <const Parts*> context
    cdef double factor = exp(shift), total = 0.0
    cdef Py_ssize_t o, i, k, at
    for o in range(of.n_orders):
        total += log_hyperprior(
            of.log_sigma[o] + shift - of.log_scales[o], of.hyperprior
        )
    for i in range(of.n_rows):
        if total <= level:
            break
        at = i * of.n_sets
        for k in range(of.n_sets):
            of.predictors[k] = of.rest[at + k] + factor * of.own[at + k]
        total += row_log_likelihood(
            of.predictors, &of.weights[at], of.totals[i], of.n_sets
        )
    return total


def given_parts(
    *,
    Hyperprior hyperprior,
    const double[::1] log_sigma,     # IN (n_orders,) of the orders that are scaled
    const double[::1] log_scales,    # IN (n_orders,)
    const double[:, ::1] rest,       # IN (n_rows, n_sets) what other orders add
    const double[:, ::1] own,        # IN (n_rows, n_sets) what these orders add
    const double[:, ::1] weights,    # IN (n_rows, n_sets)
    const double[::1] totals,        # IN (n_rows,)
    bit_generator,
):
    """Return by how much the logarithms of some widths change, with their sums."""
    cdef double shift
    cdef double[::1] room = np.empty(own.shape[1])
    cdef Parts of
    of.hyperprior = &hyperprior
    of.n_orders = log_sigma.shape[0]
    of.log_sigma = &log_sigma[0]
    of.log_scales = &log_scales[0]
    of.n_rows = own.shape[0]
    of.n_sets = own.shape[1]
    of.rest = &rest[0, 0]
    of.own = &own[0, 0]
    of.weights = &weights[0, 0]
    of.totals = &totals[0]
    of.predictors = &room[0]
    cdef bitgen_t* bits = bits_of(bit_generator)
    with nogil:
        shift = slice_update(0.0, 1.0, MOST_STEPS, log_posterior, &of, bits)
    return shift
