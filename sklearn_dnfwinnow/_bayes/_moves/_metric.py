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
    efficiency of moves depends on it. Arrays of several chains are those of `Density`.

    Parameters
    ----------
    problem : Problem
    log_sigma : ndarray of shape (n_orders,)
        Typical widths.
    information : ndarray of shape (n_rows,)
        Typical information of the rows.
    of_widths : ndarray of shape (n_widths, n_widths)
        Typical information about the widths that are learned.
    dtype : dtype
        Of the momenta of coordinates.
    """

    def __init__(self, problem, log_sigma, information, of_widths, dtype):
        scaled = slopes_of(problem, log_sigma) @ diags_array(np.sqrt(information))
        n_coordinates, n_rows = scaled.shape
        over_rows = n_rows < n_coordinates
        gram = scaled.T @ scaled if over_rows else scaled @ scaled.T
        lengths, vectors = eigh(dense(gram))
        large = lengths > _LEAST_INFORMATION
        lengths, vectors = lengths[large], vectors[:, large]
        if over_rows:
            vectors = (scaled @ vectors) / np.sqrt(lengths)
        self._vectors = np.ascontiguousarray(vectors, dtype=dtype)
        self._inverse = -(lengths / (1 + lengths)).astype(dtype)[:, np.newaxis]
        self._root = (np.sqrt(1 + lengths) - 1).astype(dtype)[:, np.newaxis]
        precision = of_widths + np.eye(len(of_widths))
        self._root_of_widths = np.linalg.cholesky(precision)
        self._inverse_of_widths = np.linalg.inv(precision)

    def draw(self, shape, generators):
        """Draw momenta of coordinates, of a shape for each chain, and of widths."""
        vectors, root = self._vectors, self._root_of_widths
        noise = [generator.standard_normal(shape) for generator in generators]
        noise = np.stack(noise, axis=1).astype(vectors.dtype)
        momenta = noise + self._low_rank(self._root, noise)
        of_widths = [generator.standard_normal(len(root)) for generator in generators]
        return momenta, np.array(of_widths) @ root.T

    def velocities(self, momenta, of_widths):
        """Return the velocities of the coordinates, and of the widths."""
        velocities = self._low_rank(self._inverse, momenta)
        velocities += momenta
        return velocities, of_widths @ self._inverse_of_widths

    def energies(self, momenta, of_widths):
        """Return the kinetic energy of each chain."""
        velocities, speeds = self.velocities(momenta, of_widths)
        energies = np.sum(momenta * velocities, axis=(0, 2), dtype=np.float64)
        return 0.5 * (energies + np.sum(of_widths * speeds, axis=1))

    def _low_rank(self, factors, momenta):
        """Return the product of the part of low rank with some factors."""
        flat = momenta.reshape(len(momenta), -1)
        found = self._vectors @ (factors * (self._vectors.T @ flat))
        return found.reshape(momenta.shape)
