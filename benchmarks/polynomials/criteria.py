"""Selection of a degree by MML87, and by structural risk.

The paper leaves the formulas to its references. MML87 is the general form of Wallace
and Freeman (1987): minus the log of prior and likelihood, half the log of the Fisher
information, and D (1 + log kappa_D) / 2 for D = d + 2 parameters, with normal
coefficients as in prior 1, 1 / sigma for sigma, and all degrees alike. The structural
risk is that of Cherkassy, Mulier and Vapnik (1996).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.polynomials.basis import Basis, legendre


def message_lengths(data, x=None):
    """Return the MML87 length of each degree up to n - 2, in nits.

    Coefficients are those of least squares, and sigma squared is SE / (n - d - 1).

    Parameters
    ----------
    data : Data

    x : array of shape (n_trials, n), optional
        Points of the data. With them the prior is one of the coefficients of Legendre
        polynomials, of unit mean square on [-1, 1], as published tables have it;
        without them of those of polynomials that are orthonormal over the data.

    Returns
    -------
    lengths : array of shape (n_trials, min(max_degree, n - 2) + 1)
    """
    n = data.n
    n_degrees = min(data.max_degree, n - 2) + 1
    degrees = np.arange(n_degrees)
    errors = data.residuals[:, :n_degrees]
    variances = errors / (n - degrees - 1)
    if x is None:
        weights = np.cumsum(data.projections[:, :n_degrees] ** 2, axis=1)
        log_gram, unit = 0.0, 1.0
    else:
        weights, log_gram = _legendre_fits(data, x, n_degrees)
        unit = 1 / n
    squares = unit * data.totals[:, None] / (degrees + 2)
    likelihood = 0.5 * (n * np.log(2 * np.pi * variances) + errors / variances)
    prior = 0.5 * (
        (degrees + 1) * np.log(2 * np.pi * squares)
        + weights / squares
        + np.log(variances)
    )
    n_parameters = degrees + 2
    information = 0.5 * (np.log(2 * n) + log_gram - n_parameters * np.log(variances))
    return likelihood + prior + information + _lattice(n_parameters)


def _legendre_fits(data, x, n_degrees):
    """Return squares of Legendre coefficients, summed, and log determinants.

    These are of the fit of each degree, and of sums of products of two polynomials.
    """
    weights = np.empty((len(data), n_degrees))
    log_gram = np.empty_like(weights)
    for i, points in enumerate(x):
        phi = Basis(points, n_degrees - 1).values
        change = np.triu(phi.T @ legendre(points, n_degrees - 1))
        log_gram[i] = 2 * np.cumsum(np.log(np.abs(np.diag(change))))
        for d in range(n_degrees):
            fit = data.projections[i, : d + 1]
            found = np.linalg.solve(change[: d + 1, : d + 1], fit)
            weights[i, d] = found @ found
    return weights, log_gram


def _lattice(n_parameters):
    """Return D (1 + log kappa_D) / 2, by Wallace and Freeman's approximation."""
    return (
        0.5 * (np.log(np.pi * n_parameters) - n_parameters * np.log(2 * np.pi))
        - np.euler_gamma
    )


def structural_risks(data):
    """Return the structural risk of the fit of each degree; infinite if too high."""
    n = data.n
    shares = np.arange(1, data.max_degree + 2) / n
    margin = 1 - np.sqrt(shares - shares * np.log(shares) + np.log(n) / (2 * n))
    with np.errstate(divide="ignore"):
        return data.residuals / n / np.maximum(margin, 0.0)
