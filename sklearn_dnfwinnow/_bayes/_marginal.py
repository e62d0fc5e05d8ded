"""Marginal: an interpolated density of the widths, from which proposals are drawn.

Any density is valid: proposals are accepted or refused by the exact one. The better it
is, the more are accepted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Values so far below the largest one do not matter.
_DEPTH = 30.0
# Nodes that are kept, and by how much they smooth.
_MOST_NODES, _SMOOTHING = 300, 1e-3
# How far the density extends, in standard deviations; the width of a slice.
_EXTENT, _STEP, _MOST_TRIES = 6.0, 2.5, 100


class Marginal:
    """A log density by interpolation with cubes of distances and a linear function.

    Parameters
    ----------
    places : ndarray of shape (n, d)
        Places that were visited, which give the mean and the covariance.
    nodes : ndarray of shape (m, d)
        The last ones are used.
    heights : ndarray of shape (m,)
        Values of the log density without `log_prior` at the nodes.
    log_prior : callable
        Log density of the prior of a place.
    """

    def __init__(self, places, nodes, heights, log_prior):
        self._log_prior = log_prior
        self._mean = places.mean(axis=0)
        self.root = root_of(places)
        totals = heights + [log_prior(node) for node in nodes]
        used = np.isfinite(totals) & (totals > np.nanmax(totals) - _DEPTH)
        nodes, heights = nodes[used][-_MOST_NODES:], heights[used][-_MOST_NODES:]
        self._nodes = self._standardized(nodes)
        n, d = nodes.shape
        system = np.zeros((n + d + 1,) * 2)
        gaps = self._nodes[:, np.newaxis] - self._nodes
        system[:n, :n] = np.sum(gaps**2, axis=2) ** 1.5
        system.flat[: n * (n + d + 1) : n + d + 2] += _SMOOTHING
        system[:n, n] = system[n, :n] = 1.0
        system[:n, n + 1 :] = self._nodes
        system[n + 1 :, :n] = self._nodes.T
        right = np.append(heights, np.zeros(d + 1))
        found = np.linalg.lstsq(system, right, rcond=1e-12)[0]
        self._cubes, self._level, self._slope = found[:n], found[n], found[n + 1 :]

    def _standardized(self, places):
        return np.linalg.solve(self.root, (places - self._mean).T).T

    def log_density(self, place):
        """Return the log density of a place, minus infinity far from the nodes."""
        return self._at(self._standardized(place[np.newaxis])[0])

    def _at(self, point):
        if np.abs(point).max() > _EXTENT:
            return -np.inf
        log_prior = self._log_prior(self._mean + self.root @ point)
        distances = np.sum((self._nodes - point) ** 2, axis=1)
        cubes = (distances * np.sqrt(distances)) @ self._cubes
        return log_prior + cubes + self._level + self._slope @ point

    def moved(self, place, generator):
        """Return another place and both log densities, by slices along axes.

        The order of the axes is random, and then reversed: the transition is reversible
        with respect to the density.
        """
        point = self._standardized(place[np.newaxis])[0]
        before = now = self._at(point)
        axes = generator.permutation(len(point))
        for axis in np.append(axes, axes[::-1]):
            own, here = point[axis], now
            level = here - generator.standard_exponential()
            low = own - _STEP * generator.uniform()
            high = low + _STEP
            for _ in range(_MOST_TRIES):
                point[axis] = low + (high - low) * generator.uniform()
                now = self._at(point)
                if now > level:
                    break
                if point[axis] < own:
                    low = point[axis]
                else:
                    high = point[axis]
            else:  # only if the density is not continuous
                point[axis], now = own, here
        return self._mean + self.root @ point, before, now


def root_of(places):
    """Return a triangular root of the covariance of places: (d, d)."""
    d = places.shape[1]
    covariance = np.cov(places.T).reshape(d, d) + 1e-3 * np.eye(d)
    return np.linalg.cholesky(covariance)
