"""Laplace: a normal approximation of the likelihood, and of the posterior by it.

The logarithm of the likelihood of the predictors e of one set is approximated by
``-|targets - roots * e|^2 / 2``, around a mode. Given the widths, the approximate
posterior of the effects is normal. Draws from it are a linear function of prior noise
and of noise of the targets (Matheron's rule), see `Conditional.effects`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs
from scipy.special import expit, softmax

from sklearn_dnfwinnow._bayes._columns import Columns
from sklearn_dnfwinnow._kernels._logistic import log_likelihood

_LEAST_CURVATURE = 1e-9
# The mode need not be exact: the approximation only has to be good.
_MOST_STEPS, _TOLERANCE, _LEAST_STEP = 30, 1e-2, 1e-3


class Laplace:
    """A normal approximation of the likelihood.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    log_sigma : ndarray of shape (max_order + 1,)
        Logarithms of the widths for which the mode is found.

    Attributes
    ----------
    roots, targets : ndarray of shape (n_sets, n_rows)
        Square roots of the precisions, and means times these.
    """

    def __init__(self, problem, log_sigma):
        self.problem = problem
        self.columns = problem.once(Columns.of)
        predictors = self._mode(self.columns.kernel(log_sigma))
        residuals, curvature = self._slopes(predictors)
        self.roots = np.sqrt(curvature)
        self.targets = self.roots * predictors + residuals / self.roots

    def log_likelihood(self, predictors):
        """Return the log likelihood of predictors: (n_sets, n_rows)."""
        return log_likelihood(
            predictors=np.ascontiguousarray(predictors.T),
            weights=self.problem.weights_of_sets,
            totals=self.problem.totals,
        )

    def excess(self, predictors):
        """Return the log likelihood minus its approximation."""
        gaps = self.targets - self.roots * predictors
        return self.log_likelihood(predictors) + 0.5 * np.sum(gaps**2)

    def residuals(self, predictors):
        """Return the gradient of the log likelihood."""
        return (
            self.problem.weights_of_sets.T
            - self.problem.totals * class_probabilities(predictors)
        )

    def _slopes(self, predictors):
        """Return the gradient of the log likelihood, and minus its second derivatives.

        Those of two sets are not needed: sets are approximated as independent.
        """
        chances, totals = class_probabilities(predictors), self.problem.totals
        curvature = np.maximum(totals * chances * (1 - chances), _LEAST_CURVATURE)
        return self.problem.weights_of_sets.T - totals * chances, curvature

    def _mode(self, kernel):
        """Return the predictors of the mode, by Newton steps that are halved.

        They are ``kernel @ duals``; the algorithm is 3.1 of Rasmussen & Williams
        (2006), for each set.
        """
        shape = self.problem.n_sets, len(kernel)
        duals, predictors, height = np.zeros(shape), np.zeros(shape), -np.inf
        for _ in range(_MOST_STEPS):
            residuals, curvature = self._slopes(predictors)
            roots, full = np.sqrt(curvature), np.empty(shape)
            for k, root in enumerate(roots):
                own = curvature[k] * predictors[k] + residuals[k]
                inner = solved(factor_of(kernel, root), root * (kernel @ own))
                full[k] = own - root * inner
            step = 1.0
            while True:
                moved = duals + step * (full - duals)
                places = moved @ kernel
                found = self.log_likelihood(places) - 0.5 * np.sum(moved * places)
                if found >= height or step < _LEAST_STEP:
                    break
                step /= 2
            if found < height:
                break
            duals, predictors, gain, height = moved, places, found - height, found
            if gain < _TOLERANCE:
                break
        return predictors


class Conditional:
    """The approximate posterior of the effects, given the widths.

    Attributes
    ----------
    log_sigma : ndarray of shape (max_order + 1,)
    mean : ndarray of shape (n_sets, n_columns)
        Mean of the effects.
    center : ndarray of shape (n_sets, n_rows)
        The predictors of the mean.
    log_marginal : float
        Logarithm of the density of the targets, given the widths.
    """

    def __init__(self, laplace, log_sigma):
        self.laplace, self.log_sigma = laplace, log_sigma
        columns = laplace.columns
        self.kernel = columns.kernel(log_sigma)
        self._widths = laplace.problem.prior.widths(log_sigma, columns.counts)
        self._factors = [factor_of(self.kernel, root) for root in laplace.roots]
        duals = self.solve(laplace.targets)
        self.log_marginal = -0.5 * np.sum(laplace.targets * duals) - sum(
            np.log(factor.diagonal()).sum() for factor in self._factors
        )
        self._duals = laplace.roots * duals
        self.center = self._duals @ self.kernel

    @cached_property
    def mean(self):
        return self.to_effects(self._duals)

    def solve(self, values):
        """Solve systems with the covariance of the targets of each set."""
        return np.stack([solved(f, row) for f, row in zip(self._factors, values)])

    def to_effects(self, duals):
        """Return the effects whose predictors are ``duals @ kernel``."""
        return self._widths * (duals @ self.laplace.columns.matrix)

    def predictors(self, effects):
        """Return the predictors of effects."""
        return (self._widths * effects) @ self.laplace.columns.matrix.T

    def effects(self, noise, of_targets):
        """Return effects, a linear function of noise, and their predictors.

        Independent standard normal noise, of shapes (n_sets, n_columns) and (n_sets,
        n_rows), gives draws from the approximate posterior.
        """
        roots, apart = self.laplace.roots, self.predictors(noise)
        duals = roots * self.solve(of_targets - roots * apart) + self._duals
        return noise + self.to_effects(duals), apart + duals @ self.kernel

    def noise_of(self, effects, predictors, generator):
        """Return noise for which `effects` returns given effects: a conditional draw.

        Noise of the joint law is corrected by the gap to its effects. That is the
        conditional law, because the correction is the regression on the effects.
        """
        noise, of_targets = drawn_noise(self.laplace, generator)
        drawn, places = self.effects(noise, of_targets)
        gap = self.laplace.roots * (predictors - places)
        return noise + effects - drawn, of_targets + gap


def class_probabilities(predictors):
    """Return the probabilities of the classes of sets: (n_sets, n_rows)."""
    return expit(predictors) if len(predictors) == 1 else softmax(predictors, axis=0)


def drawn_noise(laplace, generator):
    """Return standard normal noise of effects and of targets."""
    n_sets, n_columns = len(laplace.targets), laplace.columns.matrix.shape[1]
    noise = generator.standard_normal((n_sets, n_columns))
    return noise, generator.standard_normal(laplace.targets.shape)


def factor_of(kernel, root):
    """Return the Cholesky factor of the covariance of targets: kernel and noise."""
    matrix = kernel * root
    matrix *= root[:, np.newaxis]
    matrix.flat[:: len(matrix) + 1] += 1.0
    factor, failed = dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
    if failed:
        raise np.linalg.LinAlgError("The matrix of a joint draw is not finite.")
    return factor


def solved(factor, vector):
    """Solve a system by its Cholesky factor."""
    return dpotrs(factor, vector, lower=1)[0]
