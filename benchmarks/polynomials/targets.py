"""Functions to be found, data of them, and the error of what is found."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.polynomials.basis import Basis

# Exact for squares of polynomials up to degree 31.
NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)


def quintic(x):
    """The polynomial of Figures 1 to 3."""
    return 9.72 * x**5 + 0.801 * x**3 + 0.4 * x**2 - 5.72 * x - 136.45


def quadratic(x):
    """The polynomial of Figure 5."""
    return x**2


def sine(x):
    """The first function of Cherkassy, Mulier and Vapnik."""
    return np.sin(np.pi * (x + 1)) ** 2


def noise_variance(target, ratio):
    """Return the variance of noise: the second moment of the target over the ratio."""
    return 0.5 * _WEIGHTS @ target(NODES) ** 2 / ratio


def sample(target, variance, *, n_trials, n, generator):
    """Return points, uniform on [-1, 1], and values with noise, (n_trials, n) each."""
    x = generator.uniform(-1, 1, (n_trials, n))
    return x, target(x) + np.sqrt(variance) * generator.standard_normal((n_trials, n))


def prediction_errors(target, x, coefficients):
    """Return the mean over [-1, 1] of squared errors of fits to one trial.

    Parameters
    ----------
    target : callable
    x : array of shape (n,)
        The points that the basis of the coefficients is orthonormal over.
    coefficients : array of shape (..., max_degree + 1)
    """
    basis = Basis(x, coefficients.shape[-1] - 1)
    away = coefficients @ basis.at(NODES).T - target(NODES)
    return 0.5 * (away**2) @ _WEIGHTS


def fit_errors(target, x, data):
    """Return the error of the least-squares fit of each degree, by trial."""
    below = np.tri(data.max_degree + 1, dtype=bool)
    return np.array(
        [
            prediction_errors(target, points, np.where(below, fit, 0.0))
            for points, fit in zip(x, data.projections)
        ]
    )
