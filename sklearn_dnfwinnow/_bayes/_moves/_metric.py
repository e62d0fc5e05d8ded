"""Metric: the kinetic energy of Hamiltonian moves."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import eigh

from sklearn_dnfwinnow._bayes._moves._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._moves._modes import dense, slopes_of

# Coordinates about which the rows tell less than this fraction of what the prior tells
# are as independent as in the prior.
_LEAST_TOLD = 0.1
# Directions in which the precision differs from 1 by less than this factor count as 1.
_LEAST_FACTOR = 1.5


class Metric:
    """The metric of the moves: about the precision of the posterior at typical places.

    For the coordinates of each contrast it is the identity, plus a matrix of low rank
    for what the rows determine. Contrasts and widths are not coupled. Only the
    efficiency of moves depends on it. Arrays of several chains are those of `Leapfrog`.

    Parameters
    ----------
    problem : Problem
    parametrization : Parametrization
    places : sequence of Place
    shares : ndarray of shape (n_places,)
        What part of the posterior each of them stands for.

    Attributes
    ----------
    vectors : ndarray of shape (n_contrasts, n_coordinates, n_directions)
        Orthonormal directions; or zeros, if a contrast has fewer of them.
    factors : ndarray of shape (n_contrasts, n_directions)
        What the inverse of the metric adds to the identity along them.
    variances : ndarray of shape (n_widths,)
        The inverse of the metric of the widths that are learned.
    """

    def __init__(self, problem, parametrization, places, shares):
        likelihood = problem.once(Contrasts)
        log_sigma = sum(s * place.log_sigma for s, place in zip(shares, places))
        information = sum(
            s * likelihood.information(place.predictors)
            for s, place in zip(shares, places)
        )
        of_prior = parametrization.shares_of_prior(log_sigma[np.newaxis])[:, 0]
        slopes = dense(slopes_of(problem, log_sigma))
        found = [_directions(slopes, *own) for own in zip(information.T, of_prior)]
        n_directions = max(len(lengths) for lengths, _ in found)
        self.vectors = np.zeros((len(found), len(slopes), n_directions))
        lengths = np.ones((len(found), n_directions))
        for contrast, (own, vectors) in enumerate(found):
            self.vectors[contrast, :, : len(own)] = vectors
            lengths[contrast, : len(own)] = own
        self.factors, self._root = 1 / lengths - 1, np.sqrt(lengths) - 1
        of_widths = sum(
            s * parametrization.information_of_widths(place)
            for s, place in zip(shares, places)
        )
        self.variances = 1 / (1 + of_widths)

    def draw(self, generators):
        """Draw momenta of coordinates and of widths, for a chain of each generator."""
        shape, root = self.vectors.shape[:2], np.sqrt(self.variances)
        noise = [generator.standard_normal(shape) for generator in generators]
        noise = np.stack(noise, axis=1)
        of_widths = [generator.standard_normal(len(root)) for generator in generators]
        return noise + self._low_rank(self._root, noise), np.array(of_widths) / root

    def energies(self, momenta, of_widths):
        """Return the kinetic energy of each chain."""
        velocities = momenta + self._low_rank(self.factors, momenta)
        energies = np.sum(momenta * velocities, axis=(0, 2))
        return 0.5 * (energies + np.sum(of_widths**2 * self.variances, axis=1))

    def _low_rank(self, factors, momenta):
        """Return the product of the part of low rank with some factors."""
        along = (momenta @ self.vectors) * factors[:, np.newaxis]
        return along @ self.vectors.swapaxes(1, 2)


def _directions(slopes, information, of_prior):
    """Return the precisions other than 1, and their directions, of a contrast."""
    told = np.flatnonzero(slopes**2 @ information > _LEAST_TOLD)
    scaled = slopes[told] * np.sqrt(information)
    precision = scaled @ scaled.T
    precision.flat[:: len(told) + 1] += 1.0
    root = np.sqrt(of_prior[told])
    lengths, found = eigh(precision * root * root[:, np.newaxis])
    others = np.abs(np.log(lengths)) > np.log(_LEAST_FACTOR)
    vectors = np.zeros((len(slopes), np.sum(others)))
    vectors[told] = found[:, others]
    return lengths[others], vectors
