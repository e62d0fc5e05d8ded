"""Width slices: updates of the logarithms of the widths of orders.

The centred updates hold the sums of groups, and the others hold the sums in units of
their widths. A chain needs both: sums that the data tell little about pin their widths
in the first case, others in the second.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int64_t

import numpy as np

from _draws cimport bitgen_t, bits_of
from _hyperprior cimport Hyperprior, log_hyperprior
from _logistic cimport row_log_likelihood
from _signals cimport listen
from _univariate_slice cimport slice_update

cdef enum:
    # Sums of factors whose product stays far from the limits of a double.
    FACTORS = 6

cdef struct Centred:
    Hyperprior hyperprior
    double log_scale
    # Kinds of groups whose width depends on this order.
    Py_ssize_t n_kinds
    const double* counts        # (n_kinds,) terms of this order
    const double* rest          # (n_kinds,) what other orders add to the width
    const double* squares       # (n_kinds, n_sets) of the sums; normal: (n_kinds,)
    const double* multiplicity  # (n_kinds,) normal: sums of each kind
    Py_ssize_t n_sets


cdef double cauchy_density(double place, const Centred* of) noexcept nogil:
    """Return the log density of a width, given sums with Cauchy priors."""
    cdef double sigma = exp(place), width, total, product = 1.0
    cdef Py_ssize_t g, k, n_factors = 0
    total = log_hyperprior(place - of.log_scale, &of.hyperprior)
    if total == -INFINITY:
        return total
    for g in range(of.n_kinds):
        width = of.rest[g] + of.counts[g] * sigma
        for k in range(of.n_sets):
            product *= width + of.squares[g * of.n_sets + k] / width
            n_factors += 1
            if n_factors == FACTORS:
                total -= log(product)
                product = 1.0
                n_factors = 0
    return total - log(product)


cdef double normal_density(double place, const Centred* of) noexcept nogil:
    """Return the log density of a width, given sums with normal priors."""
    cdef double variance = exp(2.0 * place), width, total
    cdef Py_ssize_t g
    total = log_hyperprior(place - of.log_scale, &of.hyperprior)
    if total == -INFINITY:
        return total
    for g in range(of.n_kinds):
        width = of.rest[g] + of.counts[g] * variance
        total -= 0.5 * (of.multiplicity[g] * log(width) + of.squares[g] / width)
    return total


cdef bint cauchy_above(double place, double level, void* of) noexcept nogil:
    return cauchy_density(place, <const Centred*> of) > level


cdef bint normal_above(double place, double level, void* of) noexcept nogil:
    return normal_density(place, <const Centred*> of) > level


def centred(
    *,
    int power,                       # IN 1: Cauchy, 2: normal
    int law,                         # IN the hyperprior's
    double shape,                    # IN the hyperprior's
    const double[::1] log_scales,    # IN (n_orders,)
    double limit,                    # IN of log(sigma / scale)
    Py_ssize_t first,                # IN the first order whose width is learned
    const double[:, ::1] counts,     # IN (n_kinds, n_orders)
    const double[::1] multiplicity,  # IN (n_kinds,) sums of each kind, if normal
    const double[:, ::1] squares,    # IN (n_kinds, n_sets) of sums; normal: in total
    double[::1] log_sigma,           # IN/OUT (n_orders,)
    bit_generator,
):
    """Update each width that is learned, given the sums."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t n_kinds = counts.shape[0], n_sets = squares.shape[1], o, p, g, m, k
    cdef double width, density
    cdef double[::1] scaled = np.empty(counts.shape[1])
    cdef double[:, ::1] room = np.empty((3, n_kinds))
    cdef double[:, ::1] own = np.empty((n_kinds, n_sets))
    cdef int64_t work = 0
    cdef Centred of
    of.hyperprior.law = law
    of.hyperprior.shape = shape
    of.hyperprior.limit = limit
    of.n_sets = n_sets
    of.counts = &room[0, 0]
    of.rest = &room[1, 0]
    of.multiplicity = &room[2, 0]
    of.squares = &own[0, 0]
    with nogil:
        for o in range(first, counts.shape[1]):
            for p in range(counts.shape[1]):
                scaled[p] = exp(power * log_sigma[p]) if p != o else 0.0
            m = 0
            for g in range(n_kinds):
                if counts[g, o] == 0.0:
                    continue
                width = 0.0
                for p in range(counts.shape[1]):
                    width += counts[g, p] * scaled[p]
                room[0, m] = counts[g, o]
                room[1, m] = width
                room[2, m] = multiplicity[g] if power == 2 else 0.0
                for k in range(n_sets):
                    own[m, k] = squares[g, k]
                m += 1
            of.n_kinds = m
            of.log_scale = log_scales[o]
            if power == 1:
                density = cauchy_density(log_sigma[o], &of)
                log_sigma[o] = slice_update(
                    log_sigma[o], density, 1.0, 20, cauchy_above, &of, bits
                )
            else:
                density = normal_density(log_sigma[o], &of)
                log_sigma[o] = slice_update(
                    log_sigma[o], density, 1.0, 20, normal_above, &of, bits
                )
            listen(&work, 20 * m * n_sets)


cdef struct NonCentred:
    Hyperprior hyperprior
    # The orders whose widths are scaled together.
    Py_ssize_t n_orders
    const double* log_sigma     # (n_orders,)
    const double* log_scales    # (n_orders,)
    Py_ssize_t n_rows
    Py_ssize_t n_sets
    const double* rest          # (n_rows, n_sets) what other orders add
    const double* own           # (n_rows, n_sets) what these add before
    const double* weights       # (n_rows, n_sets)
    const double* totals        # (n_rows,)
    double* predictors          # (n_sets,) scratch


cdef inline double prior_density(double shift, const NonCentred* of) noexcept nogil:
    """Return the log density of the widths, scaled."""
    cdef double total = 0.0
    cdef Py_ssize_t o
    for o in range(of.n_orders):
        total += log_hyperprior(
            of.log_sigma[o] + shift - of.log_scales[o], &of.hyperprior
        )
    return total


cdef inline double row_density(
    const NonCentred* of, Py_ssize_t i, double factor
) noexcept nogil:
    """Return the log likelihood of one row, at most 0."""
    cdef Py_ssize_t k, at = i * of.n_sets
    for k in range(of.n_sets):
        of.predictors[k] = of.rest[at + k] + factor * of.own[at + k]
    return row_log_likelihood(
        of.predictors, &of.weights[at], of.totals[i], of.n_sets
    )


cdef bint likely_above(double shift, double level, void* context) noexcept nogil:
    """Return whether prior times likelihood is above a level; no row adds to it."""
    cdef const NonCentred* of = <const NonCentred*> context
    cdef double factor = exp(shift), total = prior_density(shift, of)
    cdef Py_ssize_t i
    for i in range(of.n_rows):
        if total <= level:
            return False
        total += row_density(of, i, factor)
    return total > level


cdef double scale(
    double[:, ::1] rest,        # IN (n_rows, n_sets)
    double[:, ::1] own,         # IN (n_rows, n_sets)
    NonCentred* of,
    bitgen_t* bits,
) noexcept nogil:
    """Return by how much the logarithms of some widths change."""
    cdef double density = prior_density(0.0, of)
    cdef Py_ssize_t i
    of.rest = &rest[0, 0]
    of.own = &own[0, 0]
    for i in range(of.n_rows):
        density += row_density(of, i, 1.0)
    return slice_update(0.0, density, 1.0, 20, likely_above, of, bits)


cdef void move_part(
    double[:, ::1] source,      # IN/OUT
    double[:, ::1] target,      # OUT
    const double[:, ::1] slope,
    double sigma,
) noexcept nogil:
    """Write ``sigma * slope``, and subtract it from the source."""
    cdef Py_ssize_t i, k
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = sigma * slope[i, k]
            source[i, k] -= target[i, k]


cdef void add_scaled(
    double[:, ::1] target,      # IN/OUT
    double[:, ::1] source,      # IN
    double factor,
) noexcept nogil:
    cdef Py_ssize_t i, k
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] += factor * source[i, k]


def non_centred(
    *,
    int law,                         # IN the hyperprior's
    double shape,                    # IN the hyperprior's
    const double[::1] log_scales,    # IN (n_orders,)
    double limit,                    # IN of log(sigma / scale)
    Py_ssize_t first,                # IN the first order whose width is learned
    const int64_t[::1] orders,       # IN those to update, from the first
    const double[:, :, ::1] slopes,  # IN (n_orders, n_rows, n_sets)
    const double[:, ::1] weights,    # IN (n_rows, n_sets)
    const double[::1] totals,        # IN (n_rows,)
    double[::1] log_sigma,           # IN/OUT (n_orders,)
    double[:, ::1] predictors,       # OUT (n_rows, n_sets)
    bit_generator,
):
    """Update some widths, given what sums are in units of widths; then scale all.

    The predictors are the sum of sigma_o times the slopes of order o. Widths of orders
    before the first stay.

    Returns
    -------
    log_likelihood : float
    """
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t n_orders = slopes.shape[0], n_rows = slopes.shape[1]
    cdef Py_ssize_t n_sets = slopes.shape[2], a, o, i
    cdef double shift, log_likelihood = 0.0
    cdef double[::1] room = np.empty(n_sets)
    cdef double[:, ::1] own = np.empty((n_rows, n_sets))
    cdef int64_t work = 0
    cdef NonCentred of
    of.hyperprior.law = law
    of.hyperprior.shape = shape
    of.hyperprior.limit = limit
    of.n_rows = n_rows
    of.n_sets = n_sets
    of.weights = &weights[0, 0]
    of.totals = &totals[0]
    of.predictors = &room[0]
    with nogil:
        predictors[:] = 0.0
        for o in range(n_orders):
            move_part(predictors, own, slopes[o], -exp(log_sigma[o]))
        for a in range(orders.shape[0]):
            o = orders[a]
            of.n_orders = 1
            of.log_sigma = &log_sigma[o]
            of.log_scales = &log_scales[o]
            move_part(predictors, own, slopes[o], exp(log_sigma[o]))
            shift = scale(predictors, own, &of, bits)
            log_sigma[o] += shift
            add_scaled(predictors, own, exp(shift))
            listen(&work, 200 * n_rows * n_sets)
        if n_orders > first:
            of.n_orders = n_orders - first
            of.log_sigma = &log_sigma[first]
            of.log_scales = &log_scales[first]
            # What order 0 adds stays, if its width is not learned.
            own[:] = 0.0
            if first > 0:
                move_part(predictors, own, slopes[0], exp(log_sigma[0]))
            shift = scale(own, predictors, &of, bits)
            for o in range(first, n_orders):
                log_sigma[o] += shift
            add_scaled(own, predictors, exp(shift))
            predictors[:] = own
        for i in range(n_rows):
            log_likelihood += row_log_likelihood(
                &predictors[i, 0], &weights[i, 0], totals[i], n_sets
            )
    return log_likelihood
