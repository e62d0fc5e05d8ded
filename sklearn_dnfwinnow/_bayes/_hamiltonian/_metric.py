"""Metric: the kinetic energy of Hamiltonian moves."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import diags_array

from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import (
    MOST_FACTORIZED,
    dense,
    slopes_of,
)
from sklearn_dnfwinnow._bayes._hamiltonian._standard import standard_of

# Coordinates about which the rows tell less than this fraction of what the prior tells
# are as independent as in the prior.
_LEAST_TOLD = 0.1
# Directions in which the precision differs from 1 by less than this factor count as 1.
_LEAST_FACTOR = 1.5


@dataclass(frozen=True, eq=False)
class Metric:
    """The metric of the moves: about the precision of the posterior at typical places.

    For the coordinates of each contrast it is the identity, but along some directions
    that the rows determine. Contrasts and widths are not coupled. Only the efficiency
    of moves depends on it. Arrays of several chains are those of `Leapfrog`.

    Attributes
    ----------
    vectors : ndarray of shape (n_contrasts, n_coordinates, n_directions)
        Orthonormal directions; zeros follow, if a contrast has fewer than others.
    precisions : ndarray of shape (n_contrasts, n_directions)
        The metric along these directions.
    variances : ndarray of shape (n_widths,)
        The inverse of the metric of the widths that are learned.
    """

    vectors: np.ndarray
    precisions: np.ndarray
    variances: np.ndarray

    @classmethod
    def learned(cls, problem, parametrization, places, shares=None):
        """Return the metric that fits some places.

        Parameters
        ----------
        problem : Problem
        parametrization : Parametrization
        places : sequence of Place
        shares : ndarray of shape (n_places,), default=None
            What part of the posterior each of them stands for. None: all the same.
        """
        told = [place.information for place in places]
        information = np.average(told, axis=0, weights=shares)
        told = [place.log_sigma for place in places]
        log_sigma = np.average(told, axis=0, weights=shares)
        of_prior = parametrization.shares_of_prior(log_sigma[np.newaxis])[:, 0]
        slopes = slopes_of(problem, log_sigma)
        told = [standard_of(problem).log_slopes(place.coordinates) for place in places]
        stretches = np.exp(np.average(told, axis=0, weights=shares))
        found = [
            _directions(diags_array(stretch) @ slopes, *own)
            for stretch, *own in zip(stretches.T, information.T, of_prior)
        ]
        n_directions = max(len(own) for own, _ in found)
        vectors = np.zeros((len(found), slopes.shape[0], n_directions))
        precisions = np.ones((len(found), n_directions))
        for contrast, (own, along) in enumerate(found):
            vectors[contrast, :, : len(own)] = along
            precisions[contrast, : len(own)] = own
        of_widths = parametrization.mean_information_of_widths(places, shares)
        return cls(vectors, precisions, 1 / (1 + of_widths))

    @property
    def factors(self):
        """Return what the inverse of the metric adds to 1 along the directions."""
        return 1 / self.precisions - 1

    def draw(self, generators):
        """Draw momenta of coordinates and of widths, for a chain of each generator."""
        shape, root = self.vectors.shape[:2], np.sqrt(self.variances)
        noise = [generator.standard_normal(shape) for generator in generators]
        noise = np.stack(noise, axis=1)
        momenta = noise + self._along(np.sqrt(self.precisions) - 1, noise)
        of_widths = [generator.standard_normal(len(root)) for generator in generators]
        return momenta, np.array(of_widths) / root

    def energies(self, momenta, of_widths):
        """Return the kinetic energy of each chain."""
        velocities = momenta + self._along(self.factors, momenta)
        energies = np.sum(momenta * velocities, axis=(0, 2))
        return 0.5 * (energies + np.sum(of_widths**2 * self.variances, axis=1))

    def _along(self, factors, momenta):
        """Return the parts of momenta along the directions, times some factors."""
        parts = (momenta @ self.vectors) * factors[:, np.newaxis]
        return parts @ self.vectors.swapaxes(1, 2)


def _directions(slopes, information, of_prior):
    """Return the precisions other than 1, and their directions, of a contrast."""
    squares = (slopes * slopes) @ information
    # Of many coordinates, the metric couples those about which the rows tell the most.
    least = np.sort(squares)[-MOST_FACTORIZED:][0]
    told = np.flatnonzero(squares >= max(least, _LEAST_TOLD))
    scaled = dense(slopes[told]) * np.sqrt(information)
    precision = scaled @ scaled.T
    precision.flat[:: len(told) + 1] += 1.0
    root = np.sqrt(of_prior[told])
    lengths, found = eigh(precision * root * root[:, np.newaxis])
    others = np.abs(np.log(lengths)) > np.log(_LEAST_FACTOR)
    vectors = np.zeros((len(of_prior), np.sum(others)))
    vectors[told] = found[:, others]
    return lengths[others], vectors
