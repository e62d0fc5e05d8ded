"""Polynomials that are orthonormal over the points of the data."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: The highest degree of the paper. With few points it is less: n of them tell apart
#: polynomials up to degree n - 1, which is our reading, as the paper does not say.
MAX_DEGREE = 20


class Basis:
    """Orthonormal polynomials phi_0, phi_1, ... over some points.

    Each is x times the one before, made orthogonal to all below, twice, as once is not
    enough in floating point. What was taken away is kept, so that evaluation at other
    points repeats the same steps.

    Parameters
    ----------
    x : array of shape (n,)
        Distinct points.

    max_degree : int

    Attributes
    ----------
    values : array of shape (n, max_degree + 1)
        The polynomials at the points: orthonormal columns.
    """

    def __init__(self, x, max_degree):
        n_columns = max_degree + 1
        self.values = np.zeros((len(x), n_columns))
        self._steps = np.zeros((n_columns, n_columns))
        self._norm = np.sqrt(len(x))
        self.values[:, 0] = 1 / self._norm
        for k in range(1, n_columns):
            below = self.values[:, :k]
            new = x * below[:, -1]
            for _ in range(2):
                overlap = below.T @ new
                new = new - below @ overlap
                self._steps[:k, k] += overlap
            self._steps[k, k] = np.linalg.norm(new)
            self.values[:, k] = new / self._steps[k, k]

    def at(self, x):
        """Return the polynomials at other points, of shape (n, max_degree + 1)."""
        found = np.zeros((len(x), len(self._steps)))
        found[:, 0] = 1 / self._norm
        for k in range(1, found.shape[1]):
            steps = self._steps[: k + 1, k]
            new = x * found[:, k - 1] - found[:, :k] @ steps[:k]
            found[:, k] = new / steps[k]
        return found


def legendre(x, max_degree):
    """Return Legendre polynomials, of unit mean square on [-1, 1], at some points."""
    return np.polynomial.legendre.legvander(x, max_degree) * np.sqrt(
        2 * np.arange(max_degree + 1) + 1
    )
