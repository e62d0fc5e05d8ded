"""Exact draws under prior 2 of polynomials: importance sampling.

Coefficients are drawn one after the other, each from its normal distribution on the
range that those before leave, and weighted by the mass of the range over its width.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import log_ndtr

from benchmarks.polynomials.draws import Draws
from benchmarks.polynomials.exact import known_sigma
from benchmarks.polynomials.priors import log_degree, log_variance, truncated_normal


def additive_draws(data, n_draws, generator):
    """Return draws under prior 2 for the data of one trial, and their log weights.

    Degree and sigma are proposed with ranges as they are near the least-squares
    coefficients.
    """
    fit = data.projections[0]

    def explained(variances):
        below = np.append(0.0, np.cumsum(fit**2)[:-1])[:, None]
        rest = np.append(data.totals[0], data.residuals[0][:-1])[:, None]
        squares = rest + np.sqrt(below * variances)
        narrow = -0.5 * np.log(2 * np.pi * variances)
        return np.cumsum(np.minimum(narrow, -0.5 * np.log(16 * squares)), axis=0)

    table = known_sigma(data, explained)
    degrees, variances, proposed = table.draw(n_draws, generator)
    log_weights = (
        -0.5 * (data.n - degrees - 1) * np.log(2 * np.pi * variances)
        - 0.5 * data.residuals[0][degrees] / variances
        + log_degree(degrees)
        + log_variance(variances)
        + np.log(variances)
        - proposed
    )
    deviations = np.sqrt(variances)
    coefficients = np.zeros((n_draws, data.max_degree + 1))
    squares = np.full(n_draws, data.totals[0])
    for z in range(degrees.max() + 1):
        # u squared of the next one stays above 0.
        rows = np.flatnonzero((degrees >= z) & (log_weights > -np.inf))
        widths = np.sqrt(squares[rows])
        bounds = np.where(degrees[rows] == z, 2 * widths, widths)
        mean, deviation = np.full(len(rows), fit[z]), deviations[rows]
        drawn = truncated_normal(mean, deviation, bounds, generator)
        mass = _log_mass(mean, deviation, bounds)
        lost = np.isnan(drawn)
        log_weights[rows] += np.where(lost, -np.inf, mass - np.log(4 * widths))
        coefficients[rows, z] = np.where(lost, 0.0, drawn)
        squares[rows] -= coefficients[rows, z] ** 2
        log_weights[(squares <= 0) & (degrees > z)] = -np.inf
    return Draws(data.n, degrees, coefficients, variances), log_weights


def _log_mass(means, deviations, bounds):
    """Return the log of normal masses between minus and plus some bounds."""
    high = log_ndtr((bounds - np.abs(means)) / deviations)
    low = log_ndtr((-bounds - np.abs(means)) / deviations)
    with np.errstate(divide="ignore"):
        return high + np.log1p(-np.exp(low - high))
