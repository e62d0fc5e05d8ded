"""Metric: the kinetic energy of Hamiltonian moves."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import diags_array

from sklearn_dnfwinnow._bayes._moves._modes import dense, slopes_of

# The metric treats directions as if only the prior determined them, if the information
# of all rows is below this fraction of that of the prior.
_LEAST_INFORMATION = 0.7


class Metric:
    """The metric of the moves: about the precision of the posterior.

    For the coordinates of each contrast it is the identity, plus a matrix of low rank
    for what the rows determine. Coordinates and widths are not coupled. Only the
    efficiency of moves depends on it. Arrays of several chains are those of `Leapfrog`.

    Parameters
    ----------
    problem : Problem
    log_sigma : ndarray of shape (n_orders,)
        Typical widths.
    information : ndarray of shape (n_rows,)
        Typical information of the rows.
    of_widths : ndarray of shape (n_widths, n_widths)
        Typical information about the widths that are learned.

    Attributes
    ----------
    vectors : ndarray of shape (n_coordinates, n_directions)
        Orthonormal directions of the coordinates that the rows determine.
    factors : ndarray of shape (n_directions,)
        What the inverse of the metric adds to the identity along them.
    covariance : ndarray of shape (n_widths, n_widths)
        The inverse of the metric of the widths.
    """

    def __init__(self, problem, log_sigma, information, of_widths):
        scaled = slopes_of(problem, log_sigma) @ diags_array(np.sqrt(information))
        n_coordinates, n_rows = scaled.shape
        over_rows = n_rows < n_coordinates
        gram = scaled.T @ scaled if over_rows else scaled @ scaled.T
        lengths, vectors = eigh(dense(gram))
        large = lengths > _LEAST_INFORMATION
        lengths, vectors = lengths[large], vectors[:, large]
        if over_rows:
            vectors = (scaled @ vectors) / np.sqrt(lengths)
        self.vectors, self.factors = vectors, -lengths / (1 + lengths)
        self._root = np.sqrt(1 + lengths) - 1
        precision = of_widths + np.eye(len(of_widths))
        self._root_of_widths = np.linalg.cholesky(precision)
        self.covariance = np.linalg.inv(precision)

    def draw(self, shape, generators):
        """Draw momenta of coordinates, of a shape for each chain, and of widths."""
        root = self._root_of_widths
        noise = np.stack([generator.standard_normal(shape) for generator in generators])
        momenta = noise + self._low_rank(self._root, noise)
        of_widths = [generator.standard_normal(len(root)) for generator in generators]
        return momenta, np.array(of_widths) @ root.T

    def energies(self, momenta, of_widths):
        """Return the kinetic energy of each chain."""
        velocities = momenta + self._low_rank(self.factors, momenta)
        energies = np.sum(momenta * velocities, axis=(1, 2))
        return 0.5 * (energies + np.sum(of_widths * (of_widths @ self.covariance), 1))

    def _low_rank(self, factors, momenta):
        """Return the product of the part of low rank with some factors."""
        flat = momenta.reshape(-1, momenta.shape[-1])
        found = ((flat @ self.vectors) * factors) @ self.vectors.T
        return found.reshape(momenta.shape)
