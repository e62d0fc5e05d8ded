"""Metric: the mass of Hamiltonian moves, from a Gaussian approximation."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh, solve_triangular
from scipy.linalg.lapack import dpotri
from scipy.sparse import diags_array

from sklearn_dnfwinnow._bayes._row_basis import RowBasis

# Maximum number of rows, or coordinates, of a matrix that is factorized.
MOST_FACTORIZED = 1500
# Below it, variances are differences of equal numbers.
_LEAST_VARIANCE = 1e-10


class Gaussian:
    """Normal distributions of standardized coordinates, for given widths.

    In a row basis, a matrix of rows or one of coordinates is factorized, whichever is
    smaller; otherwise one of coordinates.
    """

    def __init__(self, problem, log_sigma):
        self._slopes = slopes_of(problem, log_sigma)
        n_coordinates, n_rows = self._slopes.shape
        in_row_basis = isinstance(problem.groups, RowBasis)
        self._over_rows = in_row_basis and n_rows < n_coordinates
        if self._over_rows:
            kernels = problem.groups.kernels
            self._kernel = np.tensordot(np.exp(2 * log_sigma), kernels, axes=1)

    def to_rows(self, coordinates):
        """Return predictors."""
        return self._slopes.T @ coordinates

    def mean(self, precision, information):
        """Return the mean given rows of some precision, for each contrast."""
        factor, root = self._factor(precision), np.sqrt(precision)[:, np.newaxis]
        if not self._over_rows:
            return cho_solve(factor, self._slopes @ information)
        gap = cho_solve(factor, root * (self._kernel @ information))
        return self._slopes @ (information - root * gap)

    def variances(self, precision):
        """Return the variances given rows of some precision, of one contrast."""
        factor = self._factor(precision)
        if not self._over_rows:
            return dpotri(factor[0], lower=True)[0].diagonal()
        scaled = np.sqrt(precision)[:, np.newaxis] * dense(self._slopes.T)
        explained = solve_triangular(factor[0], scaled, lower=True)
        return np.maximum(1 - np.sum(explained**2, axis=0), _LEAST_VARIANCE)

    def log_determinant(self, likelihood, predictors):
        """Return the log determinant of the precision of all contrasts.

        Rows of weight m inform about the classes by m (diag(p) - p p^T). With
        R_k^2 = diag(m p_k) and E_k = R_k (I + R_k K R_k)^-1 R_k, the determinant is
        that of all I + R_k K R_k, times that of sum_k E_k, divided by that of diag(m)
        (Rasmussen & Williams 2006, section 3.5). For a matrix of coordinates, rows
        inform about each contrast by the mean information.
        """
        if likelihood.n == 1 or not self._over_rows:
            factor = self._factor(likelihood.information(predictors).mean(axis=1))
            return likelihood.n * _log_determinant(factor)
        weights, found, total = likelihood.expected(predictors), 0.0, 0.0
        for own in weights.T:
            factor, root = self._factor(own), np.sqrt(own)
            inverse = dpotri(factor[0], lower=True)[0]
            total += inverse * root * root[:, np.newaxis]
            found += _log_determinant(factor)
        found += _log_determinant(cho_factor(total, lower=True))
        return found - np.log(weights.sum(axis=1)).sum()

    def _factor(self, precision):
        root = np.sqrt(precision)
        if self._over_rows:
            matrix = self._kernel * root * root[:, np.newaxis]
        else:
            scaled = self._slopes @ diags_array(root)
            matrix = dense(scaled @ scaled.T)
        matrix.flat[:: len(matrix) + 1] += 1.0
        return cho_factor(matrix, lower=True, overwrite_a=True)


def _log_determinant(factor):
    return 2 * np.log(factor[0].diagonal()).sum()


def slopes_of(problem, log_sigma):
    """Return what standardized coordinates add to predictors: (n_coordinates, n_rows).

    It is a sparse matrix if the memberships are.
    """
    widths = problem.prior.widths(log_sigma, problem.groups.counts)
    return diags_array(widths) @ problem.memberships


def dense(matrix):
    """Return a matrix that may be sparse as a dense one."""
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


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
        places : sequence of Position
        shares : ndarray of shape (n_places,), default=None
            What part of the posterior each of them stands for. None: all the same.
        """
        told = [position.information for position in places]
        information = np.average(told, axis=0, weights=shares)
        told = [position.log_sigma for position in places]
        log_sigma = np.average(told, axis=0, weights=shares)
        of_prior = parametrization.shares_of_prior(log_sigma[np.newaxis])[:, 0]
        slopes = slopes_of(problem, log_sigma)
        told = [problem.prior.log_slopes(position.coordinates) for position in places]
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
