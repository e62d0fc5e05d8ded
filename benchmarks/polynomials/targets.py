"""Target functions, data sampled from them, and squared prediction errors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.polynomials.basis import Basis

# Means over [-1, 1] are exact for squares of polynomials up to degree 31.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
WEIGHTS = WEIGHTS / 2


def quintic(x):
    """The polynomial of Figures 1 to 3."""
    return 9.72 * x**5 + 0.801 * x**3 + 0.4 * x**2 - 5.72 * x - 136.45


def quadratic(x):
    """The polynomial of Figure 5."""
    return x**2


def noise_variance(target, ratio):
    """Return the variance of noise: the second moment of the target over the ratio."""
    return WEIGHTS @ target(NODES) ** 2 / ratio


def sample(target, variance, *, n_trials, n, generator, half_width=1.0):
    """Return uniform points and values with noise, (n_trials, n) each."""
    x = half_width * generator.uniform(-1, 1, (n_trials, n))
    return x, target(x) + np.sqrt(variance) * generator.standard_normal((n_trials, n))


def prediction_errors(target, x, coefficients):
    """Return means over [-1, 1] of squared errors of fits to one trial, exactly.

    Parameters
    ----------
    target : callable
    x : array of shape (n,)
        The points that the basis of the coefficients is orthonormal over.
    coefficients : array of shape (..., max_degree + 1)
    """
    basis = Basis(x, coefficients.shape[-1] - 1)
    away = coefficients @ basis.at(NODES).T - target(NODES)
    return away**2 @ WEIGHTS
