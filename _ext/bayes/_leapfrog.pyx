"""Leapfrog steps of Hamiltonian moves, of several chains side by side.

A normal parameter is its length times its coordinate. A Cauchy parameter is its width
times the hyperbolic sine of its coordinate, and its length is the derivative.

What a chain has for each contrast is a column of float32 numbers: coordinates, momenta,
predictors and slopes. Chains make the same number of steps, so that each product with a
matrix serves all columns.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.float cimport FLT_MAX
from libc.math cimport exp, sqrt

import numpy as np

from _hyperprior cimport Hyperprior, slope_of_hyperprior
from _products cimport ABREAST, PANEL, multiply
from _vectors cimport exp2_lanes

cdef extern from *:
    """
    #define DNFWINNOW_LOG2_E 1.44269504f
    /* Predictors count if they are this close to the largest one of a row: all
       probabilities are then normal numbers of float32. Products with other ones take
       much longer. */
    #define DNFWINNOW_FARTHEST 40.0f
    """
    const float LOG2_E "DNFWINNOW_LOG2_E"
    const float FARTHEST "DNFWINNOW_FARTHEST"

# How callers fill up columns, and the chains of a product.
N_PANEL, N_ABREAST = PANEL, ABREAST


cdef enum:
    PARTS = 16    # of a total: it divides PANEL


cdef struct Chains:
    Py_ssize_t n_contrasts, n_classes, n_orders, first
    Py_ssize_t n_chains              # a multiple of ABREAST
    # Multiples of PANEL.
    Py_ssize_t n_coordinates, n_rows, n_directions
    # The density.
    const float* to_rows             # panels of (n_coordinates, n_rows)
    const float* to_coordinates      # panels of (n_rows, n_coordinates)
    const float* counts              # (n_orders, n_coordinates) terms
    const float* weights             # (n_classes, n_rows)
    const float* totals              # (n_rows,)
    const float* basis               # (n_classes, n_contrasts)
    const float* information         # (n_contrasts, n_coordinates)
    bint is_cauchy                   # otherwise the prior is normal
    Hyperprior hyperprior
    const double* log_scales         # (n_orders,)
    # The metric, of each contrast and of the widths.
    const float* to_directions       # panels of (n_coordinates, n_directions)
    const float* from_directions     # panels of (n_directions, n_coordinates)
    const float* factors             # (n_contrasts, n_directions)
    const double* variances          # (n_learned,), NULL if none is
    # Places and momenta.
    const double* sizes              # (n_chains,) of steps
    double* log_sigma                # (n_chains, n_orders)
    double* of_widths                # (n_chains, n_learned) momenta, NULL likewise
    float* coordinates               # (n_contrasts, n_chains, n_coordinates)
    float* momenta                   # (n_contrasts, n_chains, n_coordinates)
    float* predictors                # (n_contrasts, n_chains, n_rows)
    # Room for what is computed of a place.
    float* additive                  # (n_chains, n_coordinates) of widths
    float* shares                    # (n_contrasts, n_chains, n_coordinates)
    float* lengths                   # (n_contrasts, n_chains, n_coordinates)
    float* scaled                    # (n_contrasts, n_chains, n_coordinates)
    float* scores                    # (n_contrasts, n_chains, n_rows)
    float* slopes                    # (n_contrasts, n_chains, n_coordinates)
    float* directions                # (n_chains, n_directions)
    float* products                  # (n_coordinates,)
    float* proba                     # (n_classes, n_rows)


cdef inline Py_ssize_t n_learned(const Chains* of) noexcept nogil:
    """Return the number of widths that are learned."""
    return of.n_orders - of.first


# -- slopes ----------------------------------------------------------------------------

cdef inline float sinh_of(float x, float exponential, float inverse) noexcept nogil:
    """Return the hyperbolic sine of x; near 0, the difference would cancel."""
    cdef float square = x * x
    cdef float series = <float> (1.0 / 120) + square * <float> (1.0 / 5040)
    series = x * (<float> 1.0 + square * (<float> (1.0 / 6) + square * series))
    return series if square < <float> 0.25 else <float> 0.5 * (exponential - inverse)


cdef inline double additive_width(const Chains* of, double log_sigma) noexcept nogil:
    """Return the power of a width that is additive, see `Prior.power`."""
    return exp(log_sigma if of.is_cauchy else 2.0 * log_sigma)


cdef void find_predictors(Chains* of) noexcept nogil:
    """Find the widths and the predictors of all chains."""
    cdef Py_ssize_t h, j, o, k, c, n = of.n_coordinates
    cdef float width, inverse
    cdef float* additive
    cdef float* shares
    cdef float* lengths
    cdef float* scaled
    cdef const float* coordinates
    cdef const float* information
    for h in range(of.n_chains):
        additive = of.additive + h * n
        for k in range(n):
            additive[k] = 0.0
        for o in range(of.n_orders):
            width = additive_width(of, of.log_sigma[h * of.n_orders + o])
            for k in range(n):
                additive[k] += width * of.counts[o * n + k]
        for j in range(of.n_contrasts):
            c = j * of.n_chains + h
            information = of.information + j * n
            shares, lengths = of.shares + c * n, of.lengths + c * n
            scaled, coordinates = of.scaled + c * n, of.coordinates + c * n
            if of.is_cauchy:
                # Exponentials of the coordinates, of which there are no shares.
                for k in range(n):
                    shares[k] = LOG2_E * coordinates[k]
                exp2_lanes(shares, shares, n)
                for k in range(n):
                    width, inverse = additive[k], <float> 1.0 / shares[k]
                    lengths[k] = <float> 0.5 * width * (shares[k] + inverse)
                    scaled[k] = width * sinh_of(coordinates[k], shares[k], inverse)
            else:
                for k in range(n):
                    shares[k] = <float> 1.0 / (
                        <float> 1.0 + additive[k] * information[k]
                    )
                    lengths[k] = sqrt(additive[k] * shares[k])
                    scaled[k] = lengths[k] * coordinates[k]
    multiply(
        of.to_rows, n, of.n_rows, of.scaled, of.n_contrasts * of.n_chains, of.predictors
    )


cdef void find_scores(Chains* of, Py_ssize_t chain) noexcept nogil:
    """Find the gradient of the log likelihood of a chain, by its predictors."""
    cdef Py_ssize_t i, j, y, n = of.n_rows
    cdef float factor
    cdef float* proba
    cdef float* scores
    cdef const float* predictors
    cdef const float* weights
    # The scores of the first contrast are the room for what is one number a row.
    cdef float* rest = of.scores + chain * n
    for i in range(n):
        rest[i] = -FLT_MAX
    for y in range(of.n_classes):
        proba = of.proba + y * n
        for i in range(n):
            proba[i] = 0.0
        for j in range(of.n_contrasts):
            predictors = of.predictors + (j * of.n_chains + chain) * n
            factor = of.basis[y * of.n_contrasts + j]
            for i in range(n):
                proba[i] += factor * predictors[i]
        for i in range(n):
            rest[i] = max(rest[i], proba[i])
    for y in range(of.n_classes):
        proba = of.proba + y * n
        for i in range(n):
            proba[i] = LOG2_E * max(proba[i] - rest[i], -FARTHEST)
        exp2_lanes(proba, proba, n)
    for i in range(n):
        rest[i] = 0.0
    for y in range(of.n_classes):
        proba = of.proba + y * n
        for i in range(n):
            rest[i] += proba[i]
    for i in range(n):
        rest[i] = of.totals[i] / rest[i]
    for y in range(of.n_classes):
        proba, weights = of.proba + y * n, of.weights + y * n
        for i in range(n):
            proba[i] = weights[i] - rest[i] * proba[i]
    for j in range(of.n_contrasts):
        scores = of.scores + (j * of.n_chains + chain) * n
        for i in range(n):
            scores[i] = 0.0
        for y in range(of.n_classes):
            proba, factor = of.proba + y * n, of.basis[y * of.n_contrasts + j]
            for i in range(n):
                scores[i] += factor * proba[i]


cdef inline double total_product(
    const float* one, const float* other, Py_ssize_t n
) noexcept nogil:
    """Return the total product of two columns, added in one order at every level."""
    cdef float[PARTS] totals
    cdef double total = 0.0
    cdef Py_ssize_t i, v
    for v in range(PARTS):
        totals[v] = 0.0
    for i in range(n // PARTS):
        for v in range(PARTS):
            totals[v] += one[i * PARTS + v] * other[i * PARTS + v]
    for v in range(PARTS):
        total += totals[v]
    return total


cdef void kick_column(
    Chains* of, Py_ssize_t h, Py_ssize_t j, double part
) noexcept nogil:
    """Change the momenta of a column, and add to the slopes of additive widths."""
    cdef Py_ssize_t k, n = of.n_coordinates, c = j * of.n_chains + h
    cdef float step = part * of.sizes[h]
    cdef float* momenta = of.momenta + c * n
    cdef float* products = of.products
    cdef const float* widths = of.additive + h * n
    cdef const float* coordinates = of.coordinates + c * n
    cdef const float* information = of.information + j * n
    cdef const float* shares = of.shares + c * n
    cdef const float* lengths = of.lengths + c * n
    cdef const float* scaled = of.scaled + c * n
    cdef const float* slopes = of.slopes + c * n
    if of.is_cauchy:
        for k in range(n):
            # The slope of the prior is a hyperbolic tangent.
            momenta[k] += step * (lengths[k] * slopes[k] - scaled[k] / lengths[k])
            products[k] += scaled[k] / widths[k] * slopes[k]
        return
    for k in range(n):
        momenta[k] += step * (lengths[k] * slopes[k] - shares[k] * coordinates[k])
    for k in range(n):
        products[k] += shares[k] * (
            shares[k] * coordinates[k] * (
                slopes[k] / lengths[k] + information[k] * coordinates[k]
            )
            - information[k]
        )


cdef void kick(Chains* of, double part) noexcept nogil:
    """Change momenta by the slopes of the density, for a part of a step."""
    cdef Py_ssize_t h, j, o, k, n = of.n_coordinates
    cdef double slope, log_sigma
    find_predictors(of)
    for h in range(of.n_chains):
        find_scores(of, h)
    multiply(
        of.to_coordinates, of.n_rows, n, of.scores, of.n_contrasts * of.n_chains,
        of.slopes,
    )
    for h in range(of.n_chains):
        for k in range(n):
            of.products[k] = 0.0
        for j in range(of.n_contrasts):
            kick_column(of, h, j, part)
        for o in range(of.first, of.n_orders):
            slope = total_product(of.products, of.counts + o * n, n)
            log_sigma = of.log_sigma[h * of.n_orders + o]
            slope *= additive_width(of, log_sigma)
            slope += slope_of_hyperprior(
                log_sigma - of.log_scales[o], &of.hyperprior
            )
            of.of_widths[h * n_learned(of) + o - of.first] += part * of.sizes[h] * slope


# -- steps -----------------------------------------------------------------------------

cdef void drift(Chains* of) noexcept nogil:
    """Move coordinates and widths by their velocities, for a step."""
    cdef Py_ssize_t h, j, c, k, o, own, n = of.n_coordinates, n_widths = n_learned(of)
    cdef float size
    cdef float* directions
    cdef float* coordinates
    cdef const float* momenta
    cdef const float* factors
    cdef const float* coupled
    for j in range(of.n_contrasts):
        own, factors = j * of.n_chains, of.factors + j * of.n_directions
        multiply(
            of.to_directions + j * n * of.n_directions, n, of.n_directions,
            of.momenta + own * n, of.n_chains, of.directions,
        )
        for h in range(of.n_chains):
            directions = of.directions + h * of.n_directions
            for k in range(of.n_directions):
                directions[k] *= factors[k]
        multiply(
            of.from_directions + j * n * of.n_directions, of.n_directions, n,
            of.directions, of.n_chains, of.slopes + own * n,
        )
        for h in range(of.n_chains):
            c, size = own + h, of.sizes[h]
            coordinates, momenta = of.coordinates + c * n, of.momenta + c * n
            coupled = of.slopes + c * n
            for k in range(n):
                coordinates[k] += size * (momenta[k] + coupled[k])
    for h in range(of.n_chains):
        for o in range(n_widths):
            of.log_sigma[h * of.n_orders + of.first + o] += (
                of.sizes[h] * of.variances[o] * of.of_widths[h * n_widths + o]
            )


def leapfrog(
    *,
    const float[:, :, ::1] to_rows,
    const float[:, :, ::1] to_coordinates,
    const float[:, ::1] counts,
    const float[:, ::1] weights,
    const float[::1] totals,
    const float[:, ::1] basis,
    const float[:, ::1] information,
    bint is_cauchy,
    Hyperprior hyperprior,
    Py_ssize_t first,
    const double[::1] log_scales,
    const float[:, :, :, ::1] to_directions,
    const float[:, :, :, ::1] from_directions,
    const float[:, ::1] factors,
    const double[::1] variances,
    const double[::1] sizes,
    Py_ssize_t n_steps,
    double[:, ::1] log_sigma,        # IN/OUT
    double[:, ::1] of_widths,        # IN/OUT
    float[:, :, ::1] coordinates,    # IN/OUT
    float[:, :, ::1] momenta,        # IN/OUT
    float[:, :, ::1] predictors,     # OUT
):
    """Make leapfrog steps; see `Chains` for the arrays."""
    cdef Py_ssize_t i, n = coordinates.shape[2]
    cdef Chains of
    of.n_contrasts, of.n_chains, of.n_coordinates = basis.shape[1], sizes.shape[0], n
    of.n_classes, of.n_orders, of.first = basis.shape[0], counts.shape[0], first
    of.n_rows, of.n_directions = totals.shape[0], factors.shape[1]
    cdef float[:, ::1] additive = np.empty((of.n_chains, n), dtype=np.float32)
    # Shares, lengths, scaled ones and slopes.
    cdef float[:, :, :, ::1] of_places = np.empty(
        (4, of.n_contrasts, of.n_chains, n), dtype=np.float32
    )
    cdef float[:, :, ::1] scores = np.empty_like(predictors)
    cdef float[:, ::1] directions = np.empty(
        (of.n_chains, of.n_directions), dtype=np.float32
    )
    cdef float[::1] products = np.empty(n, dtype=np.float32)
    cdef float[:, ::1] proba = np.empty((of.n_classes, of.n_rows), dtype=np.float32)
    of.to_rows, of.to_coordinates = &to_rows[0, 0, 0], &to_coordinates[0, 0, 0]
    of.counts, of.weights, of.totals = &counts[0, 0], &weights[0, 0], &totals[0]
    of.basis, of.information = &basis[0, 0], &information[0, 0]
    of.is_cauchy, of.hyperprior, of.log_scales = is_cauchy, hyperprior, &log_scales[0]
    of.to_directions = &to_directions[0, 0, 0, 0]
    of.from_directions = &from_directions[0, 0, 0, 0]
    of.factors, of.sizes, of.log_sigma = &factors[0, 0], &sizes[0], &log_sigma[0, 0]
    of.variances, of.of_widths = NULL, NULL
    if first < of.n_orders:
        of.variances, of.of_widths = &variances[0], &of_widths[0, 0]
    of.coordinates, of.momenta = &coordinates[0, 0, 0], &momenta[0, 0, 0]
    of.predictors, of.additive = &predictors[0, 0, 0], &additive[0, 0]
    of.shares, of.lengths = &of_places[0, 0, 0, 0], &of_places[1, 0, 0, 0]
    of.scaled, of.slopes = &of_places[2, 0, 0, 0], &of_places[3, 0, 0, 0]
    of.scores = &scores[0, 0, 0]
    of.directions, of.products, of.proba = &directions[0, 0], &products[0], &proba[0, 0]
    with nogil:
        kick(&of, 0.5)
        for i in range(n_steps):
            drift(&of)
            kick(&of, 1.0 if i < n_steps - 1 else 0.5)
