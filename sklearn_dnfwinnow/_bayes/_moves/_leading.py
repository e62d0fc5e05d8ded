"""Leading: a move of the coordinates on which the predictors depend most.

Given Polya-Gamma variables, coordinates that concern many rows move in small steps if
the classes are well separated: for a predictor e far from 0, such a variable has the
precision 1 / (2 |e|), but the likelihood is nearly flat. This move updates these
coordinates together without the variables, given the widths and all other coordinates,
by Hamiltonian Monte Carlo (Neal 2011).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import exp

import numpy as np
from scipy.special import expit

from sklearn_dnfwinnow._kernels import logistic

# Maximum number of coordinates of each set.
_MOST = 100
# Maximum number of leapfrog steps, and the range of factors of their size.
_STEPS, _FACTORS = 15, (0.7, 1.2)
# The rate of acceptance that the size of the steps is adapted to.
_ACCEPTANCE = 0.8


@dataclass(frozen=True, eq=False)
class Leading:
    """The leading coordinates, and the metric of their moves.

    Attributes
    ----------
    places : ndarray of shape (n,), int
        The coordinates, or groups, with the largest prior variance of predictors.
    vectors : ndarray of shape (n, n_rows), float64
        What each adds to predictors.
    roots, inverses : ndarray of shape (n_sets, n, n), float64
        Lower triangular roots of the precision of standardized coordinates, and their
        inverses. Only the efficiency of moves depends on them.
    """

    places: np.ndarray
    vectors: np.ndarray
    roots: np.ndarray
    inverses: np.ndarray

    @classmethod
    def of(cls, problem, log_sigma, information):
        """Return the leading coordinates for typical widths.

        Parameters
        ----------
        problem : Problem
            With a normal prior.
        log_sigma : ndarray of shape (n_orders,)
        information : ndarray of shape (n_rows, n_sets)
            Typical second derivatives of the log likelihood, without the sign.
        """
        members = problem.memberships
        widths = problem.prior.widths(log_sigma, problem.groups.counts)
        variances = widths**2 * (members * members).sum(axis=1)
        places = np.sort(np.argsort(-variances, kind="stable")[:_MOST])
        vectors = members[places]
        if not isinstance(vectors, np.ndarray):
            vectors = vectors.toarray()
        scaled = widths[places, np.newaxis] * vectors
        precisions = np.stack([(scaled * own) @ scaled.T for own in information.T])
        roots = np.linalg.cholesky(precisions + np.eye(len(places)))
        return cls(places, vectors, roots, np.linalg.inv(roots))


def information_of(problem, predictors):
    """Return minus the second derivatives of the log likelihood: (n_rows, n_sets)."""
    proba = _probabilities(predictors)
    return problem.totals[:, np.newaxis] * proba * (1 - proba)


def move_leading(problem, state, generator):
    """Update the leading coordinates of all sets, given all others.

    Coordinates z, in units of their widths, are z_k = inverse_k^T u_k: their posterior
    is about as wide in each direction of u.
    """
    leading = state.leading
    if leading is None:
        return
    places, inverses = leading.places, leading.inverses
    widths = problem.prior.widths(state.log_sigma, problem.groups.counts[places])
    slopes = widths[:, np.newaxis] * leading.vectors
    standardized = state.sums[places] / widths[:, np.newaxis]
    u = _each(leading.roots.transpose(0, 2, 1), standardized)
    rest = state.predictors - slopes.T @ standardized

    def energy(z, predictors):
        height = logistic.log_likelihood(
            predictors=np.ascontiguousarray(predictors),
            weights=problem.weights_of_sets,
            totals=problem.totals,
        )
        return 0.5 * np.sum(z * z) - height

    def look(u):
        """Return standardized coordinates, predictors, and the gradient at u."""
        z = _each(inverses.transpose(0, 2, 1), u)
        predictors = rest + slopes.T @ z
        expected = problem.totals[:, np.newaxis] * _probabilities(predictors)
        gap = expected - problem.weights_of_sets
        return z, predictors, _each(inverses, z + slopes @ gap)

    z, predictors, gradient = look(u)
    momentum = generator.standard_normal(u.shape)
    before = energy(z, predictors) + 0.5 * np.sum(momentum * momentum)
    size = exp(state.log_step) * generator.uniform(*_FACTORS)
    with np.errstate(over="ignore", invalid="ignore"):
        momentum -= size / 2 * gradient
        for _ in range(generator.integers(_STEPS // 2, _STEPS + 1)):
            u = u + size * momentum
            z, predictors, gradient = look(u)
            momentum -= size * gradient
        momentum += size / 2 * gradient
        fall = before - energy(z, predictors) - 0.5 * np.sum(momentum * momentum)
    state.acceptance = exp(min(fall, 0.0)) if np.isfinite(fall) else 0.0
    if generator.uniform() < state.acceptance:
        state.sums[places] = widths[:, np.newaxis] * z
        state.predictors = np.ascontiguousarray(predictors)


def adapted(log_step, acceptance, n_moves):
    """Return the size of steps after a move (Robbins & Monro)."""
    return log_step + (acceptance - _ACCEPTANCE) / np.sqrt(n_moves)


def _each(matrices, vectors):
    """Return the product of a matrix and a column of vectors for each set."""
    return (matrices @ vectors.T[..., np.newaxis])[..., 0].T


def _probabilities(predictors):
    """Return the probability of the class of each set."""
    if predictors.shape[1] == 1:
        return expit(predictors)
    shares = np.exp(predictors - predictors.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
