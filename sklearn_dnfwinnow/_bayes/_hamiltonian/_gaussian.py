"""Gaussian: normal approximations of the posterior, for given widths."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.linalg.lapack import dpotri
from scipy.sparse import diags_array

from sklearn_dnfwinnow._bayes._hamiltonian._row_basis import RowBasis

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
