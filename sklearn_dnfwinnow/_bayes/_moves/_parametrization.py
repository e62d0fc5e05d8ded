"""Parametrization: coordinates that are centred as far as the rows determine them.

A coordinate is its width w times z, and z has a standard normal prior. Where the rows
determine the product, z changes with the width, and where they do not, the product does.
Moves of u = z sqrt(1 + w^2 q) fit both: q is the information of the rows about the
product, so that u has about the same deviation for any width. This is a partially
non-centred parametrization (Papaspiliopoulos, Roberts & Skold 2007), which is learned
from the posterior (Gorinova, Moore & Hoffman 2020).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from sklearn_dnfwinnow._bayes._moves._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._moves._modes import dense, slopes_of
from sklearn_dnfwinnow._bayes._moves._place import Place

# The least information of a row: geometric means would be 0 otherwise.
_LEAST_INFORMATION = 1e-8



class Parametrization:
    """Coordinates u = z sqrt(1 + w^2 q) of standardized coordinates z.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
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
    def learned(cls, problem, places, shares):
        """Return the parametrization that fits some places, with shares of them.

        Coordinates of an order stay z if they then tell less about the width.
        """
        likelihood, prior = problem.once(Contrasts), problem.prior
        counts = problem.groups.counts
        log_sigma = sum(
            share * place.log_sigma for place, share in zip(places, shares)
        )
        logs = sum(
            share
            * np.log(
                np.maximum(likelihood.information(place.predictors), _LEAST_INFORMATION)
            )
            for place, share in zip(places, shares)
        )
        information = _of_coordinates(problem, log_sigma, np.exp(logs))
        plain, centred = cls.plain(problem), cls(problem, information)
        told = [
            sum(
                share * one.information_of_widths(place)
                for place, share in zip(places, shares)
            )
            for one in (plain, centred)
        ]
        is_centred = np.zeros(counts.shape[1])
        is_centred[prior.first :] = told[1] < told[0]
        parts = counts * np.exp(2 * log_sigma)
        return cls(problem, information * (parts @ is_centred) / parts.sum(axis=1))

    def shares_of_prior(self, log_sigma):
        """Return 1 / (1 + w^2 q), the share of the prior in the precision of z.

        Parameters
        ----------
        log_sigma : ndarray of shape (n_chains, n_orders)

        Returns
        -------
        shares : ndarray of shape (n_contrasts, n_chains, n_coordinates)
        """
        squares = self._problem.prior.widths(log_sigma, self._problem.groups.counts) ** 2
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

    def information_of_widths(self, place):
        """Return the information about each width that is learned, given u."""
        prior, counts = self._problem.prior, self._problem.groups.counts
        shares = self.shares_of_prior(place.log_sigma[np.newaxis])[:, 0].T
        widths = prior.widths(place.log_sigma, counts)[:, np.newaxis]
        # The derivative of w^2 by log sigma_o is 2 n_o sigma_o^2.
        parts = (counts * np.exp(2 * place.log_sigma))[:, prior.first :, np.newaxis]
        relative = parts * (shares * place.coordinates / widths)[:, np.newaxis]
        directions = self._problem.to_rows(relative.reshape(len(relative), -1))
        directions = directions.reshape(-1, *relative.shape[1:]).swapaxes(0, 1)
        of_rows = self._problem.once(Contrasts).information_along(
            place.predictors, directions
        )
        # The prior of u is a normal distribution, whose deviation depends on widths.
        of_prior = parts * (self.information.T * shares)[:, np.newaxis]
        return of_rows + 2 * np.sum(of_prior**2, axis=(0, 2))


def _of_coordinates(problem, log_sigma, information):
    """Return the information of the rows about each coordinate, given no others.

    It follows from the variances of z in the normal approximation of the posterior, so
    that it is small for coordinates for which others can stand.
    """
    slopes = dense(slopes_of(problem, log_sigma))
    squares = problem.prior.widths(log_sigma, problem.groups.counts) ** 2
    found = []
    for own in information.T:
        scaled = slopes * np.sqrt(own)
        gram = scaled.T @ scaled
        gram.flat[:: len(gram) + 1] += 1.0
        factor = cholesky(gram, lower=True, overwrite_a=True)
        explained = solve_triangular(factor, scaled.T, lower=True)
        variances = 1 - np.sum(explained**2, axis=0)
        found.append((1 / variances - 1) / squares)
    return np.array(found)
