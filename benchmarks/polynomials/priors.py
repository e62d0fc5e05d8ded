"""Both priors of the coefficients, and those of the degree and of sigma.

What the paper leaves open is read so: the sum in (11) has all n squares, not d + 1 of
them. Geometric(0.9) gives degree k the probability .9 * .1^k. The inverse gamma
distribution is one of the square of sigma; (16), which is a density of sigma, is right
for that. Where u_i squared is not above 0 for some i of (13), as it happens if a
coefficient below is greater than what was left to explain, the density of prior 2 is 0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, ndtr, ndtri

from benchmarks.polynomials.data import is_inside

SHAPE = SCALE = 1e-4


def log_degree(degrees):
    """Return the log prior probability of degrees, before they have a highest one."""
    return np.log(0.9) + degrees * np.log(0.1)


def log_variance(variances):
    """Return the log prior density of squares of sigma."""
    constant = SHAPE * np.log(SCALE) - gammaln(SHAPE)
    return constant - (SHAPE + 1) * np.log(variances) - SCALE / variances


def draw_variances(data, degrees, coefficients, generator):
    """Return squares of sigma from their full conditional, (16), one a trial."""
    rate = SCALE + 0.5 * data.squared_errors(degrees, coefficients)
    return rate / generator.standard_gamma(SHAPE + 0.5 * data.n, size=len(data))


def log_posterior(prior, data, *, degrees, coefficients, variances):
    """Return the log posterior density of one model a trial, up to a constant."""
    return (
        data.log_likelihoods(
            degrees=degrees, coefficients=coefficients, variances=variances
        )
        + prior.log_density(data, degrees, coefficients)
        + log_degree(degrees)
        + log_variance(variances)
    )


class NormalPrior:
    """Prior 1: independent normal coefficients, (10) and (11)."""

    def squares(self, data, degrees):
        """Return u squared for one degree a trial."""
        return data.totals / (degrees + 2)

    def log_density(self, data, degrees, coefficients):
        """Return the log density of the coefficients of one model a trial."""
        squares = self.squares(data, degrees)
        return -0.5 * (
            (degrees + 1) * np.log(2 * np.pi * squares)
            + (coefficients**2).sum(axis=1) / squares
        )

    def conditional(self, data, degrees, variances):
        """Return means and deviations, (n_trials, max_degree + 1), of (14)."""
        squares = self.squares(data, degrees)
        shares = (squares / (squares + variances))[:, None]
        deviations = np.sqrt(shares * variances[:, None])
        means = shares * data.projections
        return means, np.broadcast_to(deviations, means.shape)

    def move(self, data, *, degrees, coefficients, variances, generator):
        """Return coefficients after a Gibbs step; they are independent."""
        means, deviations = self.conditional(data, degrees, variances)
        new = means + deviations * generator.standard_normal(means.shape)
        return np.where(is_inside(new, degrees), new, 0.0)


@dataclass(frozen=True)
class AdditivePrior:
    """Prior 2: coefficients uniform on what those below have not explained, (12, 13).

    The full conditional (15) lacks a factor 1 / (4 u_i) for each coefficient above the
    one drawn, since their ranges depend on it. A draw that leaves these without density
    is not taken in any case.

    Attributes
    ----------
    exact : bool
        Whether a draw from (15) is only proposed, and accepted by the factors that it
        lacks.
    """

    exact: bool = False

    def squares(self, data, coefficients):
        """Return u_i squared for each coefficient of one model a trial."""
        explained = np.cumsum(coefficients**2, axis=1)
        return data.totals[:, None] - np.append(
            np.zeros((len(data), 1)), explained[:, :-1], axis=1
        )

    def log_density(self, data, degrees, coefficients):
        """Return the log density of the coefficients of one model a trial."""
        squares = self.squares(data, coefficients)
        inside = is_inside(coefficients, degrees)
        allowed = ~inside | (squares > 0) & (coefficients**2 <= 4 * squares)
        logs = np.log(4) + 0.5 * np.log(np.where(inside & allowed, squares, 1.0))
        density = -np.where(inside, logs, 0.0).sum(axis=1)
        return np.where(allowed.all(axis=1), density, -np.inf)

    def conditional(self, data, degrees, variances):
        """Return means and deviations, (n_trials, max_degree + 1), of (15)."""
        deviations = np.sqrt(variances)[:, None]
        return data.projections, np.broadcast_to(deviations, data.projections.shape)

    def move(self, data, *, degrees, coefficients, variances, generator):
        """Return coefficients after each was drawn from (15), in order."""
        coefficients = coefficients.copy()
        density = self.log_density(data, degrees, coefficients)
        for z in range(degrees.max() + 1):
            rows = np.flatnonzero(degrees >= z)
            mine, old = data[rows], coefficients[rows]
            explained = (old[:, :z] ** 2).sum(axis=1)
            new = old.copy()
            new[:, z] = truncated_normal(
                mine.projections[:, z],
                np.sqrt(variances[rows]),
                2 * np.sqrt(mine.totals - explained),
                generator,
            )
            found = self.log_density(mine, degrees[rows], new)
            limit = np.log(generator.random(len(rows))) if self.exact else -np.inf
            taken = (found > -np.inf) & (found - density[rows] >= limit)
            coefficients[rows[taken]] = new[taken]
            density[rows[taken]] = found[taken]
        return coefficients


def truncated_normal(means, deviations, bounds, generator):
    """Return normal draws between minus and plus some bounds.

    It is NaN where no mass between them is left in floating point.
    """
    # Mirrored so that what is between the bounds is never in the upper tail.
    signs = np.where(means < 0, -1.0, 1.0)
    low = ndtr((-bounds - signs * means) / deviations)
    high = ndtr((bounds - signs * means) / deviations)
    with np.errstate(invalid="ignore"):
        places = ndtri(low + (high - low) * generator.random(len(means)))
        found = signs * means + deviations * places
    found = np.clip(found, -bounds, bounds)
    return np.where(high > low, signs * found, np.nan)
