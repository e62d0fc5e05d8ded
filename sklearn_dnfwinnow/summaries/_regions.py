"""Regions: draws that are alike by their divergences, and the searches for them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Largest deviation of a divergence from 0 by rounding.
_ROUNDING = 1e-6


class Divergences:
    """Kullback-Leibler divergences between the draws of a sample.

    Parameters
    ----------
    divergence : array-like of shape (n_draws, n_draws), or callable
        See `message_from_monte_carlo`.
    n_draws : int

    Raises
    ------
    ValueError
        If a matrix has the wrong shape, or values that are not divergences. The values
        of a callable are checked in each call.
    """

    def __init__(self, divergence, n_draws):
        self.n_draws = n_draws
        self._function, self._matrix = divergence, None
        if not callable(divergence):
            matrix = np.array(divergence, dtype=np.float64)
            if matrix.shape != (n_draws, n_draws):
                raise ValueError(
                    f"divergence must be of shape {(n_draws, n_draws)}, for {n_draws} "
                    f"log_likelihoods, or a callable; got shape {matrix.shape}."
                )
            every = np.arange(n_draws)
            self._matrix = _checked(matrix, every[:, None], every)

    def of(self, draws, representative):
        """Return the divergences of one representative from some draws.

        Parameters
        ----------
        draws : ndarray of shape (n,), int64
        representative : int

        Returns
        -------
        divergences : ndarray of shape (n,), float64
            From 0 to infinity.
        """
        if self._matrix is not None:
            return self._matrix[draws, representative]
        found = np.array(self._function(draws, representative), dtype=np.float64)
        if found.shape != draws.shape:
            raise ValueError(
                "divergence must return an array of shape "
                f"{draws.shape} for {len(draws)} draws; got shape {found.shape}."
            )
        return _checked(found, draws, representative)

    def matrix(self):
        """Return divergences of all representatives from all draws: (n_draws, n_draws).

        Row i and column j contain the divergence of representative j from draw i.
        """
        if self._matrix is not None:
            return self._matrix
        every = np.arange(self.n_draws)
        return np.column_stack([self.of(every, j) for j in every.tolist()])


def _checked(found, draws, representatives):
    """Return divergences from 0 to infinity, in place.

    Parameters
    ----------
    found : ndarray, float64
        Divergences of representatives from draws.
    draws, representatives : int, or ndarrays of int
        Of the shape of `found`, or broadcast to it.
    """
    own = draws == representatives
    wrong = ~(found >= -_ROUNDING) | (own & (found > _ROUNDING))
    if wrong.any():
        place = np.unravel_index(wrong.argmax(), wrong.shape)
        draw = np.broadcast_to(draws, wrong.shape)[place]
        representative = np.broadcast_to(representatives, wrong.shape)[place]
        expected = "0, because it is the same draw"
        if not found[place] > 0.0:
            expected = "a number" if np.isnan(found[place]) else "0 or more"
        raise ValueError(
            f"divergence of draw {representative} from draw {draw} must be "
            f"{expected}; got {found[place]}."
        )
    found[own] = 0.0
    return np.maximum(found, 0.0, out=found)


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
