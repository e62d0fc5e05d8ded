"""Parametrization: coordinates that are centred as far as the rows determine them.

A coordinate is its width w times z, where z has a standard normal prior. If the rows
determine the product, z changes with the width. If they do not, the product does. Moves
of u = z sqrt(1 + w^2 q) fit both: q is the information of the rows about the product.
So u has about the same deviation for any width. This is a partially non-centred
parametrization (Papaspiliopoulos, Roberts & Skold 2007), learned from the posterior
(Gorinova, Moore & Hoffman 2020).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import Gaussian
from sklearn_dnfwinnow._bayes._hamiltonian._place import Place

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
        shape = problem.once(Contrasts).n, problem.groups.n_groups
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
        log_sigma = np.mean([place.log_sigma for place in places], axis=0)
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
            np.log(np.maximum(place.information, _LEAST_INFORMATION))
            for place in places
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
        squares = (
            self._problem.prior.widths(log_sigma, self._problem.groups.counts) ** 2
        )
        return 1 / (1 + squares * self.information[:, np.newaxis])

    def coordinates(self, places):
        """Return u at some places: (n_contrasts, n_chains, n_coordinates)."""
        z = np.stack([place.coordinates.T for place in places], axis=1)
        return z / np.sqrt(self._shares_at(places))

    def places(self, log_sigma, coordinates, predictors):
        """Return the places of several chains, given u and predictors."""
        z = coordinates * np.sqrt(self.shares_of_prior(log_sigma))
        ends = zip(log_sigma, z.transpose(1, 2, 0), predictors.transpose(1, 2, 0))
        return [Place(self._problem, *end) for end in ends]

    def heights(self, places):
        """Return the log densities of u and log widths: (n_places,)."""
        heights = np.array([place.height for place in places])
        return heights + 0.5 * np.log(self._shares_at(places)).sum(axis=(0, 2))

    def _shares_at(self, places):
        return self.shares_of_prior(np.stack([place.log_sigma for place in places]))

    def mean_information_of_widths(self, places, shares=None):
        """Return the mean information about each width that is learned, given u.

        Shares of the places are those of `Metric.learned`.
        """
        told = np.array([self._information_of_widths(place) for place in places])
        return told.mean(axis=0) if shares is None else shares @ told

    def _information_of_widths(self, place):
        prior, counts = self._problem.prior, self._problem.groups.counts
        shares = self.shares_of_prior(place.log_sigma[np.newaxis])[:, 0].T
        widths = prior.widths(place.log_sigma, counts)[:, np.newaxis]
        # The derivative of w^p by log sigma_o is p n_o sigma_o^p.
        parts = counts * np.exp(prior.power * place.log_sigma)
        parts = parts[:, prior.first :, np.newaxis]
        slopes = shares * place.values * widths ** (1 - prior.power)
        relative = parts * slopes[:, np.newaxis]
        directions = self._problem.to_rows(relative.reshape(len(relative), -1))
        shape = len(directions), *relative.shape[1:]
        directions = directions.reshape(shape).swapaxes(0, 1)
        of_rows = self._problem.once(Contrasts).information_along(
            place.predictors, directions
        )
        # The prior of u is a normal distribution, whose deviation depends on widths.
        of_prior = parts * (self.information.T * shares)[:, np.newaxis]
        return of_rows + 2 * np.sum(of_prior**2, axis=(0, 2))
