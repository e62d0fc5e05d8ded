"""Exact posteriors, which the sampler is compared with.

Given sigma, least-squares coefficients are independent. Under prior 1 coefficients
integrate out: the evidence of a degree is one quadrature over log sigma squared, and
draws are independent. Under prior 2 coefficients are drawn one after the other, each
from its normal distribution on the range that those before leave, and weighted by the
mass of the range over its width. What is left of error is that of finitely many draws.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from benchmarks.polynomials.draws import Draws
from benchmarks.polynomials.priors import (
    SCALE,
    NormalPrior,
    log_degree,
    log_variance,
)

N_CELLS = 4000


@dataclass(frozen=True)
class Table:
    """Log densities of each degree and log sigma squared, at the points of a grid.

    Attributes
    ----------
    grid : array of shape (n_points,)
        Of log sigma squared, in equal steps.
    log_density : array of shape (max_degree + 1, n_points)
    """

    grid: np.ndarray
    log_density: np.ndarray

    @property
    def step(self):
        return self.grid[1] - self.grid[0]

    def log_evidence(self):
        """Return the log integral of each degree, by the trapezoid rule."""
        return logsumexp(self._log_cells(), axis=1)

    def draw(self, n_draws, generator):
        """Return degrees, squares of sigma, and log densities that they had."""
        log_cells = self._log_cells()
        masses = np.exp(log_cells - log_cells.max()).ravel()
        places = np.searchsorted(
            np.cumsum(masses) / masses.sum(), generator.random(n_draws), side="right"
        )
        degrees, cells = np.unravel_index(places, log_cells.shape)
        logs = self.grid[cells] + self.step * generator.random(n_draws)
        log_density = log_cells[degrees, cells] - np.log(self.step)
        return degrees, np.exp(logs), log_density - logsumexp(log_cells)

    def _log_cells(self):
        sums = np.logaddexp(self.log_density[:, :-1], self.log_density[:, 1:])
        return sums + np.log(0.5 * self.step)


def known_sigma(data, explained):
    """Return a table of likelihood and priors, given what coefficients integrate to.

    `explained` takes squares of sigma, and returns the log of the integral of the
    prior of the coefficients times the normal densities of those of least squares.
    """
    # Beyond these, less than e^-35 of the mass is left.
    ends = np.log(SCALE / 60), np.log(data.totals[0]) + 70 / data.n
    grid = np.linspace(*ends, N_CELLS + 1)
    variances = np.exp(grid)
    degrees = np.arange(data.max_degree + 1)[:, None]
    left = data.n - degrees - 1
    log_density = (
        -0.5 * (left * np.log(2 * np.pi * variances))
        - 0.5 * data.residuals[0][:, None] / variances
        + log_degree(degrees)
        + log_variance(variances)
        + grid
        + explained(variances)
    )
    return Table(grid, log_density)


def normal_table(data):
    """Return the table of prior 1 for the data of one trial."""
    degrees = np.arange(data.max_degree + 1)
    squares = NormalPrior().squares(data, degrees)

    def explained(variances):
        found = np.empty((len(degrees), len(variances)))
        for d in degrees:
            both = squares[d] + variances
            weight = (data.projections[0, : d + 1] ** 2).sum()
            found[d] = -0.5 * ((d + 1) * np.log(2 * np.pi * both) + weight / both)
        return found

    return known_sigma(data, explained)


def normal_draws(data, n_draws, generator):
    """Return independent draws under prior 1 for the data of one trial."""
    degrees, variances, _ = normal_table(data).draw(n_draws, generator)
    repeated = data[np.zeros(n_draws, dtype=int)]
    coefficients = NormalPrior().move(
        repeated,
        degrees=degrees,
        coefficients=np.zeros_like(repeated.projections),
        variances=variances,
        generator=generator,
    )
    return Draws(data.n, degrees, coefficients, variances)
