"""Sequential search: regions grow draw by draw, as in Algorithm 1 of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.summaries._draw_weights import MOST_APART, draw_weights


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
