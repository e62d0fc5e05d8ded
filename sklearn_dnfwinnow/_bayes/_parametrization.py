"""Parametrization: coordinates of chains, and modes from which chains start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import qmc

from sklearn_dnfwinnow._bayes._metric import Gaussian
from sklearn_dnfwinnow._bayes._problem import Problem


@dataclass(frozen=True, eq=False)
class Position:
    """Widths and coordinates, without what all sets have.

    Attributes
    ----------
    problem : Problem
    log_sigma : ndarray of shape (n_orders,)
    coordinates : ndarray of shape (n_coordinates, n_contrasts)
        Of parameters in units of their widths, see `_standard`.
    predictors : ndarray of shape (n_rows, n_contrasts)
    """

    problem: Problem
    log_sigma: np.ndarray
    coordinates: np.ndarray
    predictors: np.ndarray

    @cached_property
    def height(self):
        """Return the log density of coordinates and log widths, up to a constant."""
        height = self.problem.contrasts.height(self.predictors)
        height += self.problem.prior.log_density_of_coordinates(self.coordinates)
        return height + self.problem.prior.log_density(self.log_sigma)

    @property
    def values(self):
        """Return the parameters in units of their widths, as coordinates."""
        return self.problem.prior.values(self.coordinates)

    @property
    def information(self):
        """Return the information of each row about each contrast: (n_rows, n)."""
        return self.problem.contrasts.information(self.predictors)


# The least information of a row: geometric means would be 0 otherwise.
_LEAST_INFORMATION = 1e-8


class Parametrization:
    """Coordinates u = z sqrt(1 + w^2 q) of standardized coordinates z.

    Parameters
    ----------
    problem : Problem
    information : ndarray of shape (n_contrasts, n_coordinates)
        The information q about coordinates in units of 1. Where it is 0, u is z.
    """

    def __init__(self, problem, information):
        self._problem, self.information = problem, information

    @classmethod
    def plain(cls, problem):
        """Return z itself."""
        shape = problem.contrasts.n, problem.groups.n_groups
        return cls(problem, np.zeros(shape))

    @classmethod
    def learned(cls, problem, places):
        """Return the parametrization that fits some places.

        Coordinates of an order stay z if the widths are then less determined by them;
        all do with a Cauchy prior, where the parameter is not proportional to z, and at
        widths so large that a matrix has no factor in float64.
        """
        if problem.prior.family == "cauchy":
            return cls.plain(problem)
        counts, first = problem.groups.counts, problem.prior.first
        log_sigma = np.mean([position.log_sigma for position in places], axis=0)
        plain = cls.plain(problem)
        try:
            centred = cls._informed(problem, places, log_sigma)
        except np.linalg.LinAlgError:
            return plain
        is_centred = np.zeros(len(log_sigma))
        is_centred[first:] = centred.mean_information_of_widths(
            places
        ) < plain.mean_information_of_widths(places)
        parts = counts * np.exp(2 * log_sigma)
        share = parts @ is_centred / parts.sum(axis=1)
        return cls(problem, centred.information * share)

    @classmethod
    def _informed(cls, problem, places, log_sigma):
        """Return the parametrization for what the rows tell at some places.

        Means are geometric: near separable classes, few places tell much. What the rows
        tell about a coordinate follows from its variance in the normal approximation of
        the posterior. It is little if others can stand for it.
        """
        gaussian = Gaussian(problem, log_sigma)
        squares = problem.prior.widths(log_sigma, problem.groups.counts) ** 2
        logs = [
            np.log(np.maximum(position.information, _LEAST_INFORMATION))
            for position in places
        ]
        variances = [gaussian.variances(own) for own in np.exp(np.mean(logs, axis=0)).T]
        return cls(problem, (1 / np.array(variances) - 1) / squares)

    def shares_of_prior(self, log_sigma):
        """Return 1 / (1 + w^2 q), the share of the prior in the precision of z.

        Parameters
        ----------
        log_sigma : ndarray of shape (n_chains, n_orders)

        Returns
        -------
        shares : ndarray of shape (n_contrasts, n_chains, n_coordinates)
        """
        widths = self._problem.prior.widths(log_sigma, self._problem.groups.counts)
        return 1 / (1 + widths**2 * self.information[:, np.newaxis])

    def coordinates(self, places):
        """Return u at some places: (n_contrasts, n_chains, n_coordinates)."""
        z = np.stack([position.coordinates.T for position in places], axis=1)
        return z / np.sqrt(self._shares_at(places))

    def places(self, log_sigma, coordinates, predictors):
        """Return the places of several chains, given u and predictors."""
        z = coordinates * np.sqrt(self.shares_of_prior(log_sigma))
        ends = zip(log_sigma, z.transpose(1, 2, 0), predictors.transpose(1, 2, 0))
        return [Position(self._problem, *end) for end in ends]

    def heights(self, places):
        """Return the log densities of u and log widths: (n_places,)."""
        heights = np.array([position.height for position in places])
        return heights + 0.5 * np.log(self._shares_at(places)).sum(axis=(0, 2))

    def _shares_at(self, places):
        log_sigma = np.stack([position.log_sigma for position in places])
        return self.shares_of_prior(log_sigma)

    def mean_information_of_widths(self, places, shares=None):
        """Return the mean information about each width that is learned, given u.

        Shares of the places are those of `Metric.learned`.
        """
        told = np.array([self._information_of_widths(position) for position in places])
        return told.mean(axis=0) if shares is None else shares @ told

    def _information_of_widths(self, position):
        prior, counts = self._problem.prior, self._problem.groups.counts
        shares = self.shares_of_prior(position.log_sigma[np.newaxis])[:, 0].T
        widths = prior.widths(position.log_sigma, counts)[:, np.newaxis]
        # The derivative of w^p by log sigma_o is p n_o sigma_o^p.
        parts = counts * np.exp(prior.power * position.log_sigma)
        parts = parts[:, prior.first :, np.newaxis]
        slopes = shares * position.values * widths ** (1 - prior.power)
        relative = parts * slopes[:, np.newaxis]
        directions = self._problem.to_rows(relative.reshape(len(relative), -1))
        shape = len(directions), *relative.shape[1:]
        directions = directions.reshape(shape).swapaxes(0, 1)
        of_rows = self._problem.contrasts.information_along(
            position.predictors, directions
        )
        # The prior of u is a normal distribution, whose deviation depends on widths.
        of_prior = parts * (self.information.T * shares)[:, np.newaxis]
        return of_rows + 2 * np.sum(of_prior**2, axis=(0, 2))


# Logarithms of the first widths, relative to scales.
_LOWEST, _HIGHEST = -2.0, 4.0
# The number of first widths, which are spread evenly: this times 2 to the power of the
# number of orders, within limits. Then come rounds of half as many, near the best ones.
_SPREAD, _FEWEST, _MOST, _ROUNDS = 4, 16, 32, 2
# Deviation of the steps to others near them.
_NEAR = 0.5
# The number of starts with Cauchy priors, and the highest logarithm of their widths.
_STARTS, _HIGHEST_START = 16, 0.0
# Maximum number of Newton steps, and the rise of the log density at which they end.
_STEPS, _LEAST_RISE = 25, 0.05
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Mode(Position):
    """The mode of the coordinates for some widths.

    Attributes
    ----------
    log_density : float
        Approximate log density of the logarithms of the widths, up to a constant.
    """

    log_density: float

    @classmethod
    def of(cls, problem, log_sigma):
        """Find the mode.

        Widths so large that a matrix has no factor in float64 have density 0.
        """
        likelihood, gaussian = problem.contrasts, Gaussian(problem, log_sigma)
        z = np.zeros((problem.groups.n_groups, likelihood.n))
        predictors = np.zeros((len(problem.totals), likelihood.n))
        try:
            z, predictors, height = _climbed(likelihood, gaussian, z, predictors)
            height -= 0.5 * gaussian.log_determinant(likelihood, predictors)
        except np.linalg.LinAlgError:
            height = -np.inf
        height += problem.prior.log_density(log_sigma)
        return cls(problem, log_sigma, z, predictors, float(height))


def _climbed(likelihood, gaussian, z, predictors):
    """Return a mode, its predictors and log density, by Newton steps from a position.

    Steps have the full length if they lead upwards.
    """
    height = likelihood.height(predictors) - 0.5 * np.sum(z**2)
    for _ in range(_STEPS):
        information = likelihood.information(predictors).mean(axis=1)
        slope = likelihood.score(predictors)
        slope += information[:, np.newaxis] * predictors
        aim = gaussian.mean(information, slope)
        gap, change = aim - z, gaussian.to_rows(aim) - predictors
        length, before = 1.0, height
        while True:
            position, there = z + length * gap, predictors + length * change
            height = likelihood.height(there) - 0.5 * np.sum(position**2)
            if height >= before or length < _SHORTEST:
                break
            length /= 2
        z, predictors = position, there
        if height - before < _LEAST_RISE:
            break
    return z, predictors, height


def starts_of(problem):
    """Return places where chains may start, and their probabilities."""
    prior = problem.prior
    if prior.family == "normal":
        return modes_of(problem)
    n_learned, n_contrasts = len(prior.scales) - prior.first, problem.contrasts.n
    log_sigmas = np.tile(np.log(prior.scales), (_STARTS, 1))
    spread = qmc.Sobol(n_learned, rng=0).random(_STARTS) if n_learned else 0.0
    log_sigmas[:, prior.first :] += _LOWEST + (_HIGHEST_START - _LOWEST) * spread
    z = np.zeros((problem.groups.n_groups, n_contrasts))
    predictors = np.zeros((len(problem.totals), n_contrasts))
    starts = [Position(problem, log_sigma, z, predictors) for log_sigma in log_sigmas]
    return starts, np.full(_STARTS, 1 / _STARTS)


def modes_of(problem):
    """Return modes for several widths, and their approximate probabilities."""
    prior = problem.prior
    n_learned = len(prior.scales) - prior.first

    def mode(relative):
        log_sigma = np.log(prior.scales)
        log_sigma[prior.first :] += relative
        return Mode.of(problem, log_sigma)

    if not n_learned:
        return [mode([])], np.ones(1)
    generator = np.random.default_rng(0)
    n = int(np.clip(_SPREAD << n_learned, _FEWEST, _MOST))
    places = qmc.Sobol(n_learned, rng=0).random(n)
    places = _LOWEST + (_HIGHEST - _LOWEST) * places
    modes = [mode(position) for position in places]
    for _ in range(_ROUNDS):
        near = generator.choice(len(modes), n // 2, p=_probabilities(modes, 0.5))
        noise = generator.standard_normal((len(near), n_learned))
        others = np.clip(places[near] + _NEAR * noise, 2 * _LOWEST, 2 * _HIGHEST)
        places = np.concatenate([places, others])
        modes += [mode(position) for position in others]
    return modes, _probabilities(modes, 1.0)


def _probabilities(modes, power):
    """Return probabilities proportional to a power of the densities."""
    logs = power * np.array([mode.log_density for mode in modes])
    if logs.max() == -np.inf:
        logs = np.zeros(len(modes))
    probabilities = np.exp(logs - logs.max())
    return probabilities / probabilities.sum()
