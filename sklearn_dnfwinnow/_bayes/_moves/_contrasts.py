"""Contrasts: the log likelihood as a function of differences between the sets.

With one set of parameters for each class, the likelihood depends only on differences
between the predictors of the sets. With an orthonormal basis H of vectors whose total
is 0, predictors are F H^T plus a part that is the same for all sets. If the priors of
all sets are the same normal distributions, F and this part are independent, and the
prior of each column of F is that of one set. With two classes, F is the one predictor.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import helmert
from scipy.special import expit

from sklearn_dnfwinnow._kernels import logistic

# The exponential of larger values is not finite, with some room for sums.
_LARGEST = 700.0


class Contrasts:
    """The log likelihood of a problem as a function of contrasts.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    n : int
        Number of contrasts.
    """

    def __init__(self, problem):
        self._totals, self._weights = problem.totals, problem.weights_of_sets
        n_sets = problem.n_sets
        self._basis = helmert(n_sets).T if n_sets > 1 else np.ones((1, 1))
        self._ones = np.ones((n_sets, 1))
        self.n = self._basis.shape[1]

    def of_sets(self, values):
        """Return the contrasts of the values of sets, the last axis."""
        return values @ self._basis

    def to_sets(self, values, same=0.0):
        """Return the values of sets, given contrasts and a part that all have."""
        n_sets = len(self._basis)
        if n_sets == 1:
            return values
        return values @ self._basis.T + same / np.sqrt(n_sets)

    def height(self, predictors):
        """Return the log likelihood."""
        return logistic.log_likelihood(
            predictors=np.ascontiguousarray(self.to_sets(predictors)),
            weights=self._weights,
            totals=self._totals,
        )

    def score(self, predictors):
        """Return the gradient of the log likelihood: (n_rows, n)."""
        return (self._weights - self.expected(predictors)) @ self._basis

    def expected(self, predictors):
        """Return the expected weight of the class of each set: (n_rows, n_sets)."""
        return self._totals[:, np.newaxis] * self._proba(predictors)

    def information(self, predictors):
        """Return the information of each row about its contrasts, the mean: (n_rows,).

        The information is minus the second derivative of the log likelihood.
        """
        proba = self._proba(predictors)
        trace = proba.sum(axis=1) - (proba**2).sum(axis=1)
        return self._totals * trace / self.n

    def information_along(self, predictors, directions):
        """Return the information about steps along some directions.

        Parameters
        ----------
        predictors : ndarray of shape (n_rows, n)
        directions : ndarray of shape (n_directions, n_rows, n)

        Returns
        -------
        information : ndarray of shape (n_directions, n_directions)
        """
        proba = self._proba(predictors)
        steps = self.to_sets(directions)
        means = np.einsum("dik,ik->di", steps, proba)
        products = np.einsum(
            "dik,ik,eik->de", steps, proba * self._totals[:, np.newaxis], steps
        )
        return products - (means * self._totals) @ means.T

    def _proba(self, predictors):
        if len(self._basis) == 1:
            return expit(predictors)
        # The total of the values of all sets is 0, so that the largest is not negative.
        shares = np.exp(np.minimum(self.to_sets(predictors), _LARGEST))
        return shares / (shares @ self._ones)
