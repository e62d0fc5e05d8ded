"""Polya-Gamma variables (Polson, Scott & Windle 2013), as sums of gamma variables.

PG(b, z) is the sum of all Gamma(b) / (2 pi^2 ((k - 1/2)^2 + (z / 2 pi)^2)), k >= 1. One
gamma variable with the mean and the variance of the rest replaces all terms but the
first 4 + 2 |z| / 3. The third cumulant becomes smaller by less than 2e-6 of itself at z
= 0, and by less than 1e-4 anywhere.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# From here on, PG(b, z) is inverse Gaussian: the total variation is b exp(-|z|).
_FAR = 40.0
# Nearer to 0, means and variances would be differences of equal numbers. The law of
# PG(b, z) hardly changes there: its mean by less than 1e-7 of itself.
_NEAR = 1e-3


def polya_gamma(generator, shapes, tilts):
    """Draw Polya-Gamma variables.

    Parameters
    ----------
    generator : Generator
    shapes, tilts : ndarray of shape (n,), float64
        The parameters b, positive, and z, finite.

    Returns
    -------
    draws : ndarray of shape (n,), float64
    """
    z = np.maximum(np.abs(tilts), _NEAR)
    draws, far = np.empty(len(z)), z >= _FAR
    draws[far] = generator.wald(2 * shapes[far] / z[far], shapes[far] ** 2) / 4
    draws[~far] = _sums_of_gammas(generator, shapes[~far, np.newaxis], z[~far])
    return draws


def _sums_of_gammas(generator, shapes, z):
    """Draw variables that are not far: (n,)."""
    halves = np.arange(4 + int(2 * z.max(initial=0.0) / 3)) + 0.5
    terms = 1 / (halves**2 + (z[:, np.newaxis] / (2 * np.pi)) ** 2)
    # Totals of all terms and of their squares, less those of the first ones.
    t = np.tanh(z / 2)
    rest = np.pi**2 * t / z - terms.sum(axis=1)
    squares = np.pi**4 * (2 * t - z * (1 - t * t)) / z**3 - (terms**2).sum(axis=1)
    # One more term, of the shape that gives the variance.
    last = generator.standard_gamma(shapes[:, 0] * rest**2 / squares) * squares / rest
    sums = (terms * generator.standard_gamma(shapes, terms.shape)).sum(axis=1)
    return (sums + last) / (2 * np.pi**2)
