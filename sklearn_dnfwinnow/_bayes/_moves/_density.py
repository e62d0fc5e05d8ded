"""Density: of the coordinates and widths of a chain."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._moves._contrasts import Contrasts


class Density:
    """The log density of coordinates and of the logarithms of widths.

    Coordinates have the shape (n_coordinates, n_contrasts) and predictors (n_rows,
    n_contrasts).

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    """

    def __init__(self, problem):
        self._problem, self.likelihood = problem, problem.once(Contrasts)

    def height(self, log_sigma, coordinates, predictors):
        """Return the log density, up to a constant."""
        height = self.likelihood.height(predictors) - 0.5 * np.sum(coordinates**2)
        return height + self._problem.prior.log_density(log_sigma)

    def information_of_widths(self, log_sigma, coordinates, predictors):
        """Return the information about widths given coordinates: (n, n)."""
        prior, counts = self._problem.prior, self._problem.groups.counts
        # The derivative of a width w by log sigma_o is n_o sigma_o^2 / w.
        relative = coordinates / prior.widths(log_sigma, counts)[:, np.newaxis]
        squares = np.exp(2 * log_sigma[prior.first :])
        parts = counts[:, prior.first :, np.newaxis] * relative[:, np.newaxis]
        shape = len(predictors), *parts.shape[1:]
        directions = self._problem.to_rows(parts.reshape(len(parts), -1))
        directions = directions.reshape(shape) * squares[:, np.newaxis]
        return self.likelihood.information_along(
            predictors, directions.transpose(1, 0, 2)
        )
