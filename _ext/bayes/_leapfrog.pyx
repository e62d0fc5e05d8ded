"""Leapfrog steps of Hamiltonian moves, of several chains side by side.

What a chain has for each contrast is a column of float32 numbers: coordinates, momenta,
predictors and slopes. Chains make the same number of steps, so that each product with a
matrix serves all columns. Columns are numbered chain by chain; some of zeros follow.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.math cimport exp, sqrt

import numpy as np

from _hyperprior cimport Hyperprior, slope_of_hyperprior
from _products cimport ABREAST, PANEL, multiply
from _vectors cimport exp2_lanes

cdef extern from *:
    """
    #define DNFWINNOW_LOG2_E 1.44269504f
    /* Predictors count up to here: all probabilities are then normal numbers of
       float32. Products with other ones take much longer. */
    #define DNFWINNOW_FARTHEST 40.0f
    """
    const float LOG2_E "DNFWINNOW_LOG2_E"
    const float FARTHEST "DNFWINNOW_FARTHEST"

cdef enum:
    PARTS = 16    # of a total: it divides PANEL

cdef struct Chains:
    Py_ssize_t n_chains, n_contrasts, n_classes, n_orders, first
    # Of columns a multiple of ABREAST, of others multiples of PANEL.
    Py_ssize_t n_columns, n_coordinates, n_rows, n_directions
    # The density.
    const float* to_rows             # panels of (n_coordinates, n_rows)
    const float* to_coordinates      # panels of (n_rows, n_coordinates)
    const float* counts              # (n_orders, n_coordinates) terms
    const float* weights             # (n_classes, n_rows)
    const float* totals              # (n_rows,)
    const float* basis               # (n_classes, n_contrasts)
    Hyperprior hyperprior
    const double* log_scales         # (n_orders,)
    # The metric.
    const float* to_directions       # panels of (n_coordinates, n_directions)
    const float* from_directions     # panels of (n_directions, n_coordinates)
    const float* factors             # (n_directions,)
    const double* covariance         # (n_learned, n_learned), NULL if none is
    # Places and momenta.
    const double* sizes              # (n_chains,) of steps
    double* log_sigma                # (n_chains, n_orders)
    double* of_widths                # (n_chains, n_learned) momenta, NULL likewise
    float* coordinates               # (n_columns, n_coordinates)
    float* momenta                   # (n_columns, n_coordinates)
    float* predictors                # (n_columns, n_rows)
    # Room for what is computed of a place.
    float* widths                    # (n_chains, n_coordinates)
    float* scaled                    # (n_columns, n_coordinates)
    float* scores                    # (n_columns, n_rows)
    float* slopes                    # (n_columns, n_coordinates)
    float* directions                # (n_columns, n_directions)
    float* proba                     # (n_classes, n_rows)


cdef inline Py_ssize_t n_learned(const Chains* of) noexcept nogil:
    """Return the number of widths that are learned."""
    return of.n_orders - of.first


# -- slopes ----------------------------------------------------------------------------

cdef void find_predictors(Chains* of) noexcept nogil:
    """Find the widths and the predictors of all chains."""
    cdef Py_ssize_t h, o, k, c, n = of.n_coordinates
    cdef float square
    cdef float* widths
    cdef const float* coordinates
    for h in range(of.n_chains):
        widths = of.widths + h * n
        for k in range(n):
            widths[k] = 0.0
        for o in range(of.n_orders):
            square = exp(2.0 * of.log_sigma[h * of.n_orders + o])
            for k in range(n):
                widths[k] += square * of.counts[o * n + k]
        for k in range(n):
            widths[k] = sqrt(widths[k])
        for c in range(h * of.n_contrasts, (h + 1) * of.n_contrasts):
            coordinates = of.coordinates + c * n
            for k in range(n):
                of.scaled[c * n + k] = widths[k] * coordinates[k]
    multiply(
        of.to_rows, n, of.n_rows, of.scaled, of.n_columns, of.predictors
    )


cdef void find_scores(Chains* of, Py_ssize_t chain) noexcept nogil:
    """Find the gradient of the log likelihood of a chain, by its predictors."""
    cdef Py_ssize_t i, j, y, n = of.n_rows
    cdef float factor
    cdef float* proba
    cdef float* scores
    cdef const float* predictors
    cdef const float* weights
    # The scores of the first contrast are the room for the totals of all classes.
    cdef float* rest = of.scores + chain * of.n_contrasts * n
    for i in range(n):
        rest[i] = 0.0
    for y in range(of.n_classes):
        proba = of.proba + y * n
        for i in range(n):
            proba[i] = 0.0
        for j in range(of.n_contrasts):
            predictors = of.predictors + (chain * of.n_contrasts + j) * n
            factor = of.basis[y * of.n_contrasts + j]
            for i in range(n):
                proba[i] += factor * predictors[i]
        for i in range(n):
            proba[i] = LOG2_E * min(max(proba[i], -FARTHEST), FARTHEST)
        exp2_lanes(proba, proba, n)
        for i in range(n):
            rest[i] += proba[i]
    for i in range(n):
        rest[i] = of.totals[i] / rest[i]
    for y in range(of.n_classes):
        proba, weights = of.proba + y * n, of.weights + y * n
        for i in range(n):
            proba[i] = weights[i] - rest[i] * proba[i]
    for j in range(of.n_contrasts):
        scores = of.scores + (chain * of.n_contrasts + j) * n
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


cdef void kick(Chains* of, double part) noexcept nogil:
    """Change momenta by the slopes of the density, for a part of a step."""
    cdef Py_ssize_t h, o, k, c, n = of.n_coordinates
    cdef double slope, log_sigma
    cdef float step
    cdef float* widths
    cdef float* slopes
    cdef float* coordinates
    cdef float* momenta
    cdef float* products
    find_predictors(of)
    for h in range(of.n_chains):
        find_scores(of, h)
    multiply(
        of.to_coordinates, of.n_rows, n, of.scores, of.n_columns, of.slopes
    )
    for h in range(of.n_chains):
        widths, products = of.widths + h * n, of.scaled + h * of.n_contrasts * n
        step = part * of.sizes[h]
        # The slope by log sigma_o is that by the widths w, times n_o sigma_o^2 / w.
        for k in range(n):
            products[k] = 0.0
        for c in range(h * of.n_contrasts, (h + 1) * of.n_contrasts):
            slopes, momenta = of.slopes + c * n, of.momenta + c * n
            coordinates = of.coordinates + c * n
            for k in range(n):
                products[k] += slopes[k] * coordinates[k]
            for k in range(n):
                momenta[k] += step * (widths[k] * slopes[k] - coordinates[k])
        for k in range(n):
            products[k] /= widths[k]
        for o in range(of.first, of.n_orders):
            slope = total_product(products, of.counts + o * n, n)
            log_sigma = of.log_sigma[h * of.n_orders + o]
            slope *= exp(2.0 * log_sigma)
            slope += slope_of_hyperprior(
                log_sigma - of.log_scales[o], &of.hyperprior
            )
            of.of_widths[h * n_learned(of) + o - of.first] += part * of.sizes[h] * slope


# -- steps -----------------------------------------------------------------------------

cdef void drift(Chains* of) noexcept nogil:
    """Move coordinates and widths by their velocities, for a step."""
    cdef Py_ssize_t h, c, k, o, q, n = of.n_coordinates, n_widths = n_learned(of)
    cdef double speed
    cdef float size
    cdef float* directions
    cdef float* coordinates
    cdef const float* momenta
    cdef const float* coupled
    multiply(
        of.to_directions, n, of.n_directions, of.momenta, of.n_columns, of.directions
    )
    for c in range(of.n_columns):
        directions = of.directions + c * of.n_directions
        for k in range(of.n_directions):
            directions[k] *= of.factors[k]
    multiply(
        of.from_directions, of.n_directions, n, of.directions, of.n_columns, of.slopes
    )
    for h in range(of.n_chains):
        size = of.sizes[h]
        for c in range(h * of.n_contrasts, (h + 1) * of.n_contrasts):
            coordinates, momenta = of.coordinates + c * n, of.momenta + c * n
            coupled = of.slopes + c * n
            for k in range(n):
                coordinates[k] += size * (momenta[k] + coupled[k])
        for o in range(n_widths):
            speed = 0.0
            for q in range(n_widths):
                speed += of.covariance[o * n_widths + q] * of.of_widths[
                    h * n_widths + q
                ]
            of.log_sigma[h * of.n_orders + of.first + o] += of.sizes[h] * speed


def leapfrog(
    *,
    const float[:, :, ::1] to_rows,
    const float[:, :, ::1] to_coordinates,
    const float[:, ::1] counts,
    const float[:, ::1] weights,
    const float[::1] totals,
    const float[:, ::1] basis,
    Hyperprior hyperprior,
    Py_ssize_t first,
    const double[::1] log_scales,
    const float[:, :, ::1] to_directions,
    const float[:, :, ::1] from_directions,
    const float[::1] factors,
    const double[:, ::1] covariance,
    const double[::1] sizes,
    Py_ssize_t n_steps,
    double[:, ::1] log_sigma,      # IN/OUT
    double[:, ::1] of_widths,      # IN/OUT
    float[:, ::1] coordinates,     # IN/OUT
    float[:, ::1] momenta,         # IN/OUT
    float[:, ::1] predictors,      # OUT
):
    """Make leapfrog steps; see `Chains` for the arrays."""
    cdef Py_ssize_t i, n = coordinates.shape[1], n_columns = coordinates.shape[0]
    cdef Chains of
    of.n_chains, of.n_contrasts = sizes.shape[0], basis.shape[1]
    of.n_classes, of.n_orders, of.first = basis.shape[0], counts.shape[0], first
    of.n_columns, of.n_coordinates = n_columns, n
    of.n_rows, of.n_directions = totals.shape[0], factors.shape[0]
    cdef float[:, ::1] widths = np.empty((of.n_chains, n), dtype=np.float32)
    cdef float[:, ::1] scaled = np.zeros((n_columns, n), dtype=np.float32)
    cdef float[:, ::1] scores = np.zeros((n_columns, of.n_rows), dtype=np.float32)
    cdef float[:, ::1] slopes = np.empty((n_columns, n), dtype=np.float32)
    cdef float[:, ::1] directions = np.empty(
        (n_columns, of.n_directions), dtype=np.float32
    )
    cdef float[:, ::1] proba = np.empty((of.n_classes, of.n_rows), dtype=np.float32)
    of.to_rows, of.to_coordinates = &to_rows[0, 0, 0], &to_coordinates[0, 0, 0]
    of.counts, of.weights, of.totals = &counts[0, 0], &weights[0, 0], &totals[0]
    of.basis, of.hyperprior, of.log_scales = &basis[0, 0], hyperprior, &log_scales[0]
    of.to_directions = &to_directions[0, 0, 0]
    of.from_directions = &from_directions[0, 0, 0]
    of.factors, of.sizes, of.log_sigma = &factors[0], &sizes[0], &log_sigma[0, 0]
    of.covariance, of.of_widths = NULL, NULL
    if first < of.n_orders:
        of.covariance, of.of_widths = &covariance[0, 0], &of_widths[0, 0]
    of.coordinates, of.momenta = &coordinates[0, 0], &momenta[0, 0]
    of.predictors, of.widths = &predictors[0, 0], &widths[0, 0]
    of.scaled, of.scores, of.slopes = &scaled[0, 0], &scores[0, 0], &slopes[0, 0]
    of.directions, of.proba = &directions[0, 0], &proba[0, 0]
    with nogil:
        kick(&of, 0.5)
        for i in range(n_steps):
            drift(&of)
            kick(&of, 1.0 if i < n_steps - 1 else 0.5)
