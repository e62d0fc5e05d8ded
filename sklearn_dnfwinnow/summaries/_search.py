"""Search: regions of draws, one after another or draw by draw."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.summaries._divergences import MOST_APART, draw_weights, entropies

# Maximum number of candidates times centres that are processed at once.
_AT_ONCE = 1 << 20


def exhaustive_search(losses, divergences):
    """Yield regions and their representatives, until each draw is in one.

    Candidates for a region are the most likely free draws. Their number is the one with
    the shortest message (equation 1, which implies the boundary rule of equation 6). A
    ball around a candidate c is a set of candidates that satisfies the boundary rule of
    equation 7:

        i is in the set if and only if KL(i, c) <= mean of KL(., c) over the set + 1.

    All balls around all candidates are tried. The region is the ball with the shortest
    message, which is the ball whose weights have the largest entropy.

    Parameters
    ----------
    losses : ndarray of shape (n_draws,), float64
        Minus log likelihoods, minus their minimum.
    divergences : Divergences

    Yields
    ------
    region : ndarray of int64
        Indices of draws.
    representative : int
        The member with the smallest mean divergence from the members; the most likely
        of several.
    mean : float
        This mean. Members have the weights 1 / f.
    """
    matrix = divergences.matrix()
    free = np.argsort(losses, kind="stable")
    while len(free):
        near = free[losses[free] <= losses[free[0]] + MOST_APART]
        candidates = near[: 1 + entropies(losses[near]).argmax()]
        is_in = _best_ball(candidates, losses, matrix)
        region = candidates[is_in]
        yield region, *_representative(region, losses, matrix)
        free = np.concatenate([candidates[~is_in], free[len(candidates) :]])


def _best_ball(candidates, losses, matrix):
    """Return a mask of the candidates in the ball with the largest entropy.

    The first one in a tie, in the order of centres.
    """
    losses = losses[candidates]
    weights = draw_weights(losses)
    largest, members = -np.inf, None
    step = max(1, _AT_ONCE // len(candidates))
    for start in range(0, len(candidates), step):
        distances = matrix[np.ix_(candidates, candidates[start : start + step])]
        order = np.argsort(distances, axis=0, kind="stable")
        distances = np.take_along_axis(distances, order, axis=0)
        found = entropies(losses[order])
        found[~_are_balls(distances, weights[order])] = -np.inf
        size, column = np.unravel_index(found.argmax(), found.shape)
        if found[size, column] > largest:
            largest, members = found[size, column], order[: size + 1, column]
    is_in = np.zeros(len(candidates), dtype=bool)
    is_in[members] = True
    return is_in


def _are_balls(distances, weights):
    """Return for which m the nearest m draws are a ball.

    Parameters
    ----------
    distances : ndarray of shape (n, n_centres), float64
        Divergences of each centre from the draws, ascending.
    weights : ndarray of shape (n, n_centres), float64

    Returns
    -------
    are_balls : ndarray of shape (n, n_centres), bool
        Of m - 1: whether the last of the m draws is within the limit of equation 7, and
        the next one is not.
    """
    finite = np.isfinite(distances)
    totals = np.cumsum(weights * np.where(finite, distances, 0.0), axis=0)
    limits = totals / np.cumsum(weights, axis=0) + 1.0
    # A draw at infinite distance makes the mean infinite, and is out of any ball.
    are_balls = finite & (distances <= limits)
    are_balls[:-1] &= distances[1:] > limits[:-1]
    return are_balls


def _representative(region, losses, matrix):
    """Return the member with the smallest mean divergence, and this mean."""
    weights = draw_weights(losses[region])
    means = weights / weights.sum() @ matrix[np.ix_(region, region)]
    best = int(means.argmin())
    return int(region[best]), means[best]


def sequential_search(losses, divergences):
    """Yield regions and their representatives, until each draw is in one.

    Each region starts from the most likely free draw. The other free draws are
    considered in the order of their likelihoods, up to the first one that violates the
    boundary rule for likelihoods (equation 6). Then the draws that were passed over are
    considered again. The printed algorithm is not in the available text of the paper;
    this implementation follows its description.

    Parameters and yielded values are those of `exhaustive_search`.
    """
    free = np.argsort(losses, kind="stable")
    while len(free):
        region = _GrowingRegion(free[0], losses, divergences)
        farthest = losses[free[0]] + MOST_APART
        passed_over = []
        for i in free[1:].tolist():
            if losses[i] > min(region.mean_loss + 1.0, farthest):
                break
            if not region.join(i):
                passed_over.append(i)
        for i in passed_over:
            region.join(i)
        yield np.array(region.members), region.representative, region.mean
        free = free[~np.isin(free, region.members)]


class _GrowingRegion:
    """A region, and its current representative.

    Attributes
    ----------
    members : list of int
    mean_loss : float
        Mean of the losses of the members, weighted by 1 / f (equation 4).
    representative : int
    mean : float
        Mean of its divergences from the members, with the same weights (equation 7).
    """

    def __init__(self, first, losses, divergences):
        self._losses, self._divergences = losses, divergences
        self.members = [int(first)]
        self.mean_loss, self.mean = float(losses[first]), 0.0
        self._represent(self.members[0])

    def join(self, i):
        """Add a draw, and return True, if the boundary rule allows it (equation 7).

        A new member becomes the representative if its mean divergence from the members
        is smaller.
        """
        if self._distances[i] > self.mean + 1.0:
            return False
        self.members.append(i)
        members = np.array(self.members)
        weights = draw_weights(self._losses[members])
        weights /= weights.sum()
        self.mean_loss = weights @ self._losses[members]
        self.mean = weights @ self._distances[members]
        own_mean = weights @ self._divergences.of(members, i)
        if own_mean < self.mean:
            self.mean = own_mean
            self._represent(i)
        return True

    def _represent(self, i):
        self.representative = i
        every = np.arange(self._divergences.n_draws)
        self._distances = self._divergences.of(every, i)
