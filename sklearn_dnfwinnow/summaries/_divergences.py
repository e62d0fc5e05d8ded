"""Divergences: validated divergences of representatives from draws."""

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
