"""Feature games: the payoffs of a row if only some of its features are known.

The players are the features that the row specifies. The value of a set of players is
the payoff of each class if all other features are unspecified, see `_payoffs`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import comb
from numbers import Integral
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._kernels import shapley
from sklearn_dnfwinnow._utils._compat import Interval
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._random_streams import stream

# At least two pairs, for a standard error.
PERMUTATIONS = Interval(Integral, 4, None, closed="left")
# Purpose of a random stream; training and prediction use 0 and 1.
_PERMUTING = 2
# Maximum number of codes in the rows that are summed in one call.
_MOST_CODES = 1 << 22


class Estimate(NamedTuple):
    """What the standard errors of estimated Shapley values follow from.

    Attributes
    ----------
    part : float
        Factor of the game in a sum of games.
    draws : ndarray of shape (n_pairs, n_classes, n_features)
        Estimates, each from two permutations; the values of the game are their means.
    sum_errors : ndarray of shape (n_classes, n_classes)
        Standard errors of the payoffs of all features, 0 where exact: a column for the
        weighted sum of each class, whose errors are independent.
    """

    part: float
    draws: np.ndarray
    sum_errors: np.ndarray

    def errors(self, weights):
        """Return the standard errors of a weighted sum over classes: (n_features,)."""
        draws = np.tensordot(weights, self.draws, axes=(0, 1))
        spread = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
        # All permutations end with the same payoff, and each relevant player is equally
        # often the last one.
        counts = draws.any(axis=0)
        shared = np.linalg.norm(weights @ self.sum_errors) / max(1, counts.sum())
        return self.part * np.where(counts, np.hypot(spread, shared), 0.0)


@dataclass(frozen=True, eq=False)
class GameValues:
    """Shapley values of the payoffs of one row, or of a sum of games.

    Attributes
    ----------
    values : ndarray of shape (n_classes, n_features)
        0 where a feature is unspecified. For each class they sum to its payoff minus
        its base value.
    base_values : ndarray of shape (n_classes,)
        Payoffs that the values are relative to: with no known features, or the mean of
        other rows.
    estimates : list of Estimate
        Empty if the values are exact up to rounding.
    """

    values: np.ndarray
    base_values: np.ndarray
    estimates: list

    @property
    def payoffs(self):
        """Return the payoffs with all features known: (n_classes,)."""
        return self.base_values + self.values.sum(axis=1)

    def errors(self, weights):
        """Return the standard errors of a weighted sum over classes: (n_features,)."""
        squares = (estimate.errors(weights) ** 2 for estimate in self.estimates)
        return np.sqrt(sum(squares, np.zeros(self.values.shape[1])))

    def minus(self, mean):
        """Return the values relative to the mean of other games."""
        return GameValues(
            values=self.values - mean.values,
            base_values=mean.base_values,
            estimates=self.estimates + mean.estimates,
        )


def mean_of_games(parts, games):
    """Return the mean of some games, with their mean payoffs as base values."""
    return GameValues(
        values=np.tensordot(parts, [game.values for game in games], axes=1),
        base_values=parts @ [game.payoffs for game in games],
        estimates=[
            estimate._replace(part=part)
            for part, game in zip(parts, games)
            for estimate in game.estimates
        ],
    )


def game_values(model, row, payoff, n_permutations):
    """Return the GameValues of a row of codes under a TermModel.

    Parameters
    ----------
    model : TermModel
    row : ndarray of shape (n_features,), int32
    payoff : Scores or OneAgainstRest
    n_permutations : int
        Number of permutations for the estimates, if exact values are not feasible.
    """
    found = exact_values(model, row, payoff)
    return _estimated(model, row, payoff, n_permutations) if found is None else found


def exact_values(model, row, payoff):
    """Return the exact GameValues of a row of codes; None if they are not feasible."""
    log_sums = model.log_subset_sums(row)
    if log_sums is None:
        return None
    scores = log_sums - model.log_thresholds[:, None]
    payoffs = np.ascontiguousarray(payoff.of_scores(scores))
    values = np.zeros((len(payoffs), len(row)))
    values[:, row != 0] = _shapley_values(payoffs)
    return GameValues(values, payoffs[:, 0], [])


def _shapley_values(values):
    """Return the Shapley values of games: (n_games, n), from (n_games, 2 ** n)."""
    n = values.shape[1].bit_length() - 1
    weights = np.array([1.0 / (n * comb(n - 1, size)) for size in range(n)])
    effects = np.empty((len(values), n))
    shapley.shapley_values(values=values, weights=weights, effects=effects)
    return effects


# -- estimates -------------------------------------------------------------------------


def _estimated(model, row, payoff, n_permutations):
    """Return means over random permutations, each with its reverse.

    The mean of what a feature adds to the features before it is its Shapley value. In
    each permutation, these sum to the payoff minus the base value.
    """
    specified = np.flatnonzero(row)
    n = len(specified)
    seed = stream(model.seed, _PERMUTING, row=row)
    random = np.random.RandomState([seed >> 32, seed & 0xFFFFFFFF])
    forward = np.array([random.permutation(n) for _ in range(n_permutations // 2)])
    # For each feature, in a permutation and in its reverse: (n_pairs, 2, n).
    places = np.stack([forward, n - 1 - forward], axis=1)
    n_parts = -(-len(places) * 2 * (n + 1) * len(row) // _MOST_CODES)
    scored = [
        _scores_along(model, row, part)
        for part in np.array_split(places, min(n_parts, len(places)))
    ]
    scores, errors = map(np.concatenate, zip(*scored))
    payoffs = np.moveaxis(payoff.of_scores(np.moveaxis(scores, -1, 0)), 0, -1)
    # From the order of the permutation to the order of the features.
    added = np.diff(payoffs, axis=2)
    of_attributes = np.take_along_axis(added, places[..., None], axis=2)
    draws = np.zeros((len(places), scores.shape[-1], len(row)))
    draws[..., specified] = of_attributes.mean(axis=1).swapaxes(1, 2)
    sum_errors = payoff.gradients(scores[0, 0, -1]) * errors[0, 0, -1]
    return GameValues(
        values=draws.mean(axis=0),
        base_values=payoffs[0, 0, 0],
        estimates=[Estimate(1.0, draws, sum_errors)],
    )


def _scores_along(model, row, places):
    """Return scores, and their standard errors, along some permutations.

    Parameters
    ----------
    places : ndarray of shape (n_pairs, 2, n), int
        Positions of the specified features in the permutations.

    Returns
    -------
    scores, errors : ndarrays of shape (n_pairs, 2, n + 1, n_classes)
    """
    n_pairs, _, n = places.shape
    specified = np.flatnonzero(row)
    rows = np.zeros((n_pairs, 2, n + 1, len(row)), dtype=np.int32)
    known = places[:, :, None] < np.arange(n + 1)[:, None]
    rows[..., specified] = np.where(known, row[specified], 0)
    distinct, _, inverse = distinct_rows(rows.reshape(-1, len(row)))
    log_sums, errors = model.estimate_log_sums(distinct)
    shape = *rows.shape[:3], -1
    scores = log_sums[inverse] - model.log_thresholds
    return scores.reshape(shape), errors[inverse].reshape(shape)
