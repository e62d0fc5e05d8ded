"""Metric: coordinates in which a posterior of normal priors is about standard normal.

Let z be the sums in units of their widths. A place is a vector: u for z, and v for the
logarithms of the widths that are learned. The transformation is linear, and learned
from the warm-up of all chains. Only the efficiency of moves depends on it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

# Maximum number of leading coordinates of each set, see `Metric`.
_MOST = 100
# The standard deviation of the logarithms of widths before the warm-up, and the number
# of sweeps that it counts for later.
_DEVIATION, _N_BEFORE = 0.3, 10


class Moments:
    """What a chain has seen in a part of its warm-up.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    n : int
        Number of sweeps.
    log_sigma : ndarray of shape (n_widths,)
        Sum over these sweeps of the logarithms of the widths that are learned.
    squares : ndarray of shape (n_widths, n_widths)
        Sum of their products.
    information : ndarray of shape (n_rows, n_sets)
        Sum of minus the second derivatives of the log likelihood.
    """

    def __init__(self, problem):
        n_widths = len(problem.prior.scales) - problem.prior.first
        self._problem, self.n = problem, 0
        self.log_sigma = np.zeros(n_widths)
        self.squares = np.zeros((n_widths, n_widths))
        self.information = np.zeros((len(problem.totals), problem.n_sets))

    def see(self, state):
        """See a state after a sweep."""
        learned = state.log_sigma[self._problem.prior.first :]
        self.n += 1
        self.log_sigma += learned
        self.squares += np.outer(learned, learned)
        self.information += information_of(self._problem, state.predictors)

    def scatter(self):
        """Return n times the covariance of the logarithms."""
        return self.squares - np.outer(self.log_sigma, self.log_sigma) / self.n


@dataclass(frozen=True, eq=False)
class Metric:
    """Coordinates of z and of the logarithms of widths.

    The leading coordinates are those on which the predictors depend most. For them, u
    is z times the root of a typical precision. For all others, u is z.

    Attributes
    ----------
    places : ndarray of shape (n,), int
        The sums with the largest prior variance of predictors.
    roots, inverses : ndarray of shape (n_sets, n, n), float64
        Transposed lower triangular roots of the precisions of the leading z, and their
        inverses.
    centre : ndarray of shape (n_widths,), float64
        Mean logarithms of the widths.
    spread : ndarray of shape (n_widths, n_widths), float64
        Lower triangular root of their covariance.
    """

    places: np.ndarray
    roots: np.ndarray
    inverses: np.ndarray
    centre: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, problem, seen=()):
        """Return the metric for what chains have seen, a list of `Moments`."""
        prior, members = problem.prior, problem.memberships
        fixed, centre = np.split(np.log(prior.scales), [prior.first])
        information = information_of(problem, np.zeros_like(problem.weights_of_sets))
        covariance = _N_BEFORE * _DEVIATION**2 * np.eye(len(centre))
        n = sum(one.n for one in seen)
        if n:
            centre = sum(one.log_sigma for one in seen) / n
            information = sum(one.information for one in seen) / n
            # Chains that have not met yet say nothing about the distance between them.
            covariance += sum(one.scatter() for one in seen)
        widths = prior.widths(np.append(fixed, centre), problem.groups.counts)
        variances = widths**2 * (members * members).sum(axis=1)
        places = np.sort(np.argsort(-variances, kind="stable")[:_MOST])
        vectors = members[places]
        if not isinstance(vectors, np.ndarray):
            vectors = vectors.toarray()
        vectors = widths[places, np.newaxis] * vectors
        precisions = np.stack([(vectors * own) @ vectors.T for own in information.T])
        roots = np.linalg.cholesky(precisions + np.eye(len(places)))
        roots = np.ascontiguousarray(roots.transpose(0, 2, 1))
        return cls(
            places=places,
            roots=roots,
            inverses=np.linalg.inv(roots),
            centre=centre,
            spread=np.linalg.cholesky(covariance / (n + _N_BEFORE)),
        )

    def place_of(self, z, learned):
        """Return the place of z and the logarithms of widths."""
        v = np.linalg.solve(self.spread, learned - self.centre)
        u = z.copy()
        u[self.places] = _each(self.roots, z[self.places])
        return np.append(u, v)

    def at(self, place, shape):
        """Return z, of a shape, and the logarithms of widths."""
        u, v = place[: shape[0] * shape[1]], place[shape[0] * shape[1] :]
        z = u.reshape(shape).copy()
        z[self.places] = _each(self.inverses, z[self.places])
        return z, self.centre + self.spread @ v

    def gradient(self, of_z, of_widths):
        """Return the gradient by a place, from those by z and the logarithms."""
        of_u = of_z.copy()
        of_u[self.places] = _each(self.inverses.transpose(0, 2, 1), of_z[self.places])
        return np.append(of_u, self.spread.T @ of_widths)


def information_of(problem, predictors):
    """Return minus the second derivatives of the log likelihood: (n_rows, n_sets)."""
    proba = probabilities(predictors)
    return problem.totals[:, np.newaxis] * proba * (1 - proba)


def probabilities(predictors):
    """Return the probability of the class of each set."""
    if predictors.shape[1] == 1:
        return expit(predictors)
    shares = np.exp(predictors - predictors.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _each(matrices, vectors):
    """Return the product of a matrix and a column of vectors for each set."""
    return (matrices @ vectors.T[..., np.newaxis])[..., 0].T
