"""Standard: parameters of scale 1 as functions of coordinates that are moved.

A normal parameter is its own coordinate. A Cauchy parameter is the hyperbolic sine of a
coordinate z. The density of z is 1 / (pi cosh z), and its tails are exponential. So
steps of one size suit the tails as well. The kernel `_leapfrog` computes the same.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


class StandardNormal:
    """Coordinates of normal parameters."""

    @staticmethod
    def values(coordinates):
        """Return the parameters."""
        return coordinates

    @staticmethod
    def log_slopes(coordinates):
        """Return the logarithms of the derivatives of the parameters."""
        return np.zeros(coordinates.shape)

    @staticmethod
    def log_density(coordinates):
        """Return the log density of all coordinates, up to a constant."""
        return -0.5 * np.sum(coordinates**2)


class StandardCauchy:
    """Coordinates of Cauchy parameters."""

    @staticmethod
    def values(coordinates):
        """Return the parameters."""
        return np.sinh(coordinates)

    @staticmethod
    def log_slopes(coordinates):
        """Return the logarithms of the derivatives of the parameters."""
        return np.logaddexp(coordinates, -coordinates) - np.log(2)

    @staticmethod
    def log_density(coordinates):
        """Return the log density of all coordinates, up to a constant."""
        return -np.sum(np.logaddexp(coordinates, -coordinates))


def standard_of(problem):
    """Return the coordinates of the prior of a problem."""
    return StandardCauchy if problem.prior.family == "cauchy" else StandardNormal
