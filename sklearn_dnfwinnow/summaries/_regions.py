"""Regions: draws that are alike by their divergences, and the searches for them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Largest deviation of a divergence from 0 by rounding.
_ROUNDING = 1e-6


def divergence_matrix(divergence, n_draws):
    """Return Kullback-Leibler divergences between the draws of a sample.

    Parameters
    ----------
    divergence : array-like of shape (n_draws, n_draws), or callable
        See `message_from_monte_carlo`.
    n_draws : int

    Returns
    -------
    matrix : ndarray of shape (n_draws, n_draws), float64
        Row i and column j contain the divergence of draw j from draw i, from 0 to
        infinity.

    Raises
    ------
    ValueError
        If it has the wrong shape, or values that are not divergences.
    """
    if callable(divergence):
        every = np.arange(n_draws)
        divergence = np.transpose([divergence(every, j) for j in every.tolist()])
    matrix = np.array(divergence, dtype=np.float64)
    if matrix.shape != (n_draws, n_draws):
        raise ValueError(
            f"divergence must be of shape {(n_draws, n_draws)}, for {n_draws} "
            f"log_likelihoods, or a callable that returns its columns; got shape "
            f"{matrix.shape}."
        )
    own = np.eye(n_draws, dtype=bool)
    wrong = ~(matrix >= -_ROUNDING) | (own & (matrix > _ROUNDING))
    if wrong.any():
        draw, representative = map(int, np.argwhere(wrong)[0])
        value = matrix[draw, representative]
        expected = "0, because it is the same draw"
        if not value > 0.0:
            expected = "a number" if np.isnan(value) else "0 or more"
        raise ValueError(
            f"divergence of draw {representative} from draw {draw} must be "
            f"{expected}; got {value}."
        )
    return np.where(own, 0.0, np.maximum(matrix, 0.0))


#: Largest range of the losses of draws whose weights are compared. The weights of
#: others are below the smallest float, in relation to the largest weight.
MOST_APART = 700.0


def draw_weights(losses):
    """Return the weights of draws, the largest of which is 1.

    Parameters
    ----------
    losses : ndarray, float64
        Minus log likelihoods, at most `MOST_APART` from each other.
    """
    return np.exp(losses - losses.max())


def entropies(losses):
    """Return the entropy of the weights of the first m draws, for each m.

    Parameters
    ----------
    losses : ndarray of shape (n, ...), float64
        As above; draws are in the order of the first axis.

    Returns
    -------
    entropies : ndarray of shape (n, ...), float64
        Nats, from 0 to log(m).
    """
    weights = draw_weights(losses)
    totals = np.cumsum(weights, axis=0)
    means = np.cumsum(weights * losses, axis=0) / totals
    return losses.max() - means + np.log(totals)


# Maximum number of candidates times centres that are processed at once.
_AT_ONCE = 1 << 20


def exhaustive_search(losses, matrix):
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
    matrix : ndarray of shape (n_draws, n_draws), float64
        See `divergence_matrix`.

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


def sequential_search(losses, matrix):
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
        region = _GrowingRegion(free[0], losses, matrix)
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

    def __init__(self, first, losses, matrix):
        self._losses, self._matrix = losses, matrix
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
        own_mean = weights @ self._matrix[members, i]
        if own_mean < self.mean:
            self.mean = own_mean
            self._represent(i)
        return True

    def _represent(self, i):
        self.representative = i
        self._distances = self._matrix[:, i]
