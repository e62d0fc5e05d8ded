"""Width proposals: what the widths of all orders may be next, learned in the warm-up.

Proposals are those of a random walk, or independent draws from a t distribution, which
has heavier tails than the posterior of the logarithms of the widths.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import sqrt

import numpy as np

# How often a walk is proposed; its first step, and the factor of later ones.
_WALKS, _FIRST_WALK, _WALK = 0.3, 0.6, 2.0
# Degrees of freedom of the t distribution, and its scale in standard deviations.
_FREEDOM, _SCALE = 5.0, 1.1
# Added to variances, and the fewest places that a covariance is computed from.
_LEAST_VARIANCE, _FEWEST_PLACES = 1e-3, 40


class WidthProposals:
    """Proposals of the logarithms of widths.

    Parameters
    ----------
    places : ndarray of shape (n, d)
        Places that chains have visited in the warm-up. With few of them, there are
        random walks of a fixed size only.
    """

    def __init__(self, places):
        n, d = places.shape
        self._mean = None
        self._root = _FIRST_WALK * np.eye(d)
        if n < _FEWEST_PLACES:
            return
        covariance = np.cov(places.T).reshape(d, d) + _LEAST_VARIANCE * np.eye(d)
        self._mean = places.mean(axis=0)
        self._root = np.linalg.cholesky(covariance)

    def draw(self, place, generator):
        """Return a proposal.

        Parameters
        ----------
        place : ndarray of shape (d,)
        generator : Generator

        Returns
        -------
        proposal : ndarray of shape (d,)
        log_ratio : float
            Log density of the reverse proposal minus that of this one.
        """
        noise = generator.standard_normal(len(place))
        if self._mean is None:
            return place + self._root @ noise, 0.0
        if generator.uniform() < _WALKS:
            return place + self._root @ noise * (_WALK / sqrt(len(place))), 0.0
        noise *= _SCALE / sqrt(generator.chisquare(_FREEDOM) / _FREEDOM)
        proposal = self._mean + self._root @ noise
        return proposal, self._log_density(place) - self._log_density(proposal)

    def _log_density(self, place):
        gap = np.linalg.solve(self._root, place - self._mean) / _SCALE
        return -(_FREEDOM + len(gap)) / 2 * np.log1p(gap @ gap / _FREEDOM)
