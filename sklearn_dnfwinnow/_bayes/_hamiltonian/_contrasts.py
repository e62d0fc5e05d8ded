"""Contrasts: the log likelihood as a function of differences between the sets.

With one set of parameters for each class, the likelihood depends only on differences
between the predictors of the sets. With an orthonormal basis H of vectors whose total
is 0, predictors are F H^T plus a part that is the same for all sets. If the priors of
all sets are the same normal distributions, F and this part are independent, and the
prior of each column of F is that of one set. With two classes, F is the one predictor.
With Cauchy priors, F and the part are not independent, and contrasts are the sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import sqrt

import numpy as np
from scipy.linalg import helmert
from scipy.special import expit

from sklearn_dnfwinnow._kernels import logistic

# The largest predictors, as far as probabilities are concerned.
_FARTHEST = 300.0


class Contrasts:
    """The log likelihood of a problem as a function of contrasts.

    The first axis of predictors and their contrasts are rows, and the last one sets or
    contrasts.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    n : int
        Number of contrasts.
    of_classes : ndarray of shape (n_classes, n)
        What a contrast of 1 adds to the predictors of the classes.
    """

    def __init__(self, problem):
        n_sets = problem.n_sets
        self._totals, self._weights = problem.totals, problem.weights_of_sets
        if n_sets == 1:
            self._basis, self.of_classes = np.ones((1, 1)), np.array([[0.0], [1.0]])
        else:
            is_normal = problem.prior.family == "normal"
            basis = helmert(n_sets).T if is_normal else np.eye(n_sets)
            self._basis = self.of_classes = np.ascontiguousarray(basis)
        self.n = self._basis.shape[1]

    def of_sets(self, values):
        """Return the contrasts of the values of sets, the last axis."""
        return values @ self._basis

    def to_sets(self, values, same=0.0):
        """Return the values of sets, given contrasts and a part that all have."""
        n_sets = len(self._basis)
        if n_sets == 1:
            return values
        return values @ self._basis.T + same / sqrt(n_sets)

    def height(self, predictors):
        """Return the log likelihood, given contrasts of shape (n_rows, n)."""
        return logistic.log_likelihood(
            predictors=np.ascontiguousarray(self.to_sets(predictors)),
            weights=self._weights,
            totals=self._totals,
        )

    def score(self, predictors):
        """Return the gradient of the log likelihood: (n_rows, n)."""
        return self.of_sets(self._weights - self.expected(predictors))

    def expected(self, predictors):
        """Return the expected weights of the classes of the sets: (n_rows, n_sets)."""
        return self._totals[:, np.newaxis] * self._proba(predictors)

    def information(self, predictors):
        """Return the information of each row about each contrast: (n_rows, n).

        The information is minus the second derivative of the log likelihood.
        """
        proba = self._proba(predictors)
        spread = proba @ self._basis**2 - (proba @ self._basis) ** 2
        return self._totals[:, np.newaxis] * np.maximum(spread, 0.0)

    def information_along(self, predictors, directions):
        """Return the information about steps along some directions.

        Parameters
        ----------
        predictors : ndarray of shape (n_rows, n)
        directions : ndarray of shape (n_directions, n_rows, n)

        Returns
        -------
        information : ndarray of shape (n_directions,)
        """
        proba, steps = self._proba(predictors), self.to_sets(directions)
        spread = np.sum(steps**2 * proba, axis=2) - np.sum(steps * proba, axis=2) ** 2
        return spread @ self._totals

    def _proba(self, predictors):
        values = np.clip(self.to_sets(predictors), -_FARTHEST, _FARTHEST)
        if len(self._basis) == 1:
            return expit(values)
        shares = np.exp(values)
        return shares / shares.sum(axis=1, keepdims=True)
