"""Density: of the coordinates and widths of several chains."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._moves._contrasts import Contrasts


class Density:
    """The log density of coordinates and of the logarithms of widths.

    Arrays of several chains have them as an axis, so that one product of matrices
    serves all of them: `log_sigma` of shape (n_chains, n_orders), coordinates of shape
    (n_coordinates, n_chains, n_contrasts), predictors of shape (n_rows, n_chains,
    n_contrasts).

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    """

    # Products with rows in single precision take half the time. Their relative error of
    # 1e-7 is that of a kernel of the rows that differs by as much.
    dtype = np.float32

    def __init__(self, problem):
        self._problem, self.likelihood = problem, problem.once(Contrasts)
        self._rows = Contrasts(problem, self.dtype)
        self._members = problem.memberships.astype(self.dtype)
        self._of_rows = self._members.T
        counts = problem.groups.counts[:, problem.prior.first :]
        self._learned = np.ascontiguousarray(counts.T, dtype=self.dtype)

    def predictors(self, log_sigma, coordinates):
        """Return the predictors."""
        return self._to_rows(self._widths(log_sigma) * coordinates)

    def heights(self, log_sigma, coordinates, predictors):
        """Return the log density of each chain, up to a constant: (n_chains,)."""
        likelihood, prior = self.likelihood, self._problem.prior
        return np.array(
            [
                likelihood.height(predictors[:, chain].astype(np.float64))
                - 0.5 * np.sum(coordinates[:, chain] ** 2, dtype=np.float64)
                + prior.log_density(log_sigma[chain])
                for chain in range(len(log_sigma))
            ]
        )

    def slopes(self, log_sigma, coordinates):
        """Return the gradients: of the coordinates, and of the widths learned."""
        prior = self._problem.prior
        widths = self._widths(log_sigma)
        score = self._rows.score(self._to_rows(widths * coordinates))
        score = self._members @ score.reshape(len(score), -1)
        score = score.reshape(coordinates.shape)
        # The derivative of a width w by log sigma_o is n_o sigma_o^2 / w.
        of_widths = np.einsum("gck,gck->gc", score, coordinates) / widths[:, :, 0]
        of_widths = (self._learned @ of_widths).T * np.exp(2 * self._own(log_sigma))
        score *= widths
        score -= coordinates
        return score, prior.slope(log_sigma) + of_widths

    def information_of_widths(self, log_sigma, coordinates, predictors):
        """Return the information about widths given coordinates, of one chain: (n, n).

        Its arrays are those of one chain.
        """
        squares = np.exp(2 * self._own(log_sigma))
        relative = coordinates / self._widths(log_sigma[np.newaxis])[:, 0]
        directions = [
            square * self._to_rows(counts[:, np.newaxis] * relative)
            for square, counts in zip(squares, self._learned)
        ]
        if not directions:
            return np.zeros((0, 0))
        directions = np.stack(directions).astype(np.float64)
        return self.likelihood.information_along(predictors, directions)

    def _to_rows(self, sums):
        sums = sums.astype(self.dtype, copy=False)
        found = self._of_rows @ sums.reshape(len(sums), -1)
        return found.reshape(-1, *sums.shape[1:])

    def _own(self, log_sigma):
        """Return the logarithms of the widths that are learned."""
        return log_sigma[..., self._problem.prior.first :]

    def _widths(self, log_sigma):
        """Return the widths of the coordinates: (n_coordinates, n_chains, 1)."""
        widths = self._problem.prior.widths(log_sigma, self._problem.groups.counts)
        return np.ascontiguousarray(widths.T, dtype=self.dtype)[:, :, np.newaxis]
