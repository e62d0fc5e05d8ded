"""Attribute games: Shapley values of one row, against a background."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import comb
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._utils._computing import distinct_rows, stream
from sklearn_dnfwinnow._utils._estimators import Interval
from sklearn_dnfwinnow.sums._subset_sums import halves

# At least two pairs, for a standard error.
PERMUTATIONS = Interval(Integral, 4, None, closed="left")
# Purpose of a random stream; training and prediction use 0 and 1.
_PERMUTING = 2
# Number of specified features up to which values are exact, in some milliseconds.
_MOST_EXACT = 16
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
    mean : GameValues or None
        The mean of other games that was subtracted, with estimates of its own.
    """

    values: np.ndarray
    base_values: np.ndarray
    estimates: list
    mean: Any = None
    # Results of `errors`: many games have the same mean.
    _errors: dict = field(init=False, repr=False, default_factory=dict)

    @property
    def payoffs(self):
        """Return the payoffs with all features known: (n_classes,)."""
        return self.base_values + self.values.sum(axis=1)

    def errors(self, weights):
        """Return the standard errors of a weighted sum over classes: (n_features,)."""
        key = weights.tobytes()
        if key not in self._errors:
            squares = [estimate.errors(weights) ** 2 for estimate in self.estimates]
            if self.mean is not None:
                squares.append(self.mean.errors(weights) ** 2)
            found = np.sqrt(sum(squares, np.zeros(self.values.shape[1])))
            self._errors[key] = found
        return self._errors[key]


def game_values(model, row, payoff, n_permutations):
    """Return the GameValues of a row of codes under a TermModel.

    They are exact for rows with few specified features, if that is feasible.

    Parameters
    ----------
    model : TermModel
    row : ndarray of shape (n_features,), int32
    payoff : Scores or OneAgainstRest
    n_permutations : int
        Number of permutations for the estimates.
    """
    is_small = np.count_nonzero(row) <= _MOST_EXACT
    log_sums = model.log_subset_sums(row) if is_small else None
    if log_sums is None:
        return _estimated(model, row, payoff, n_permutations)
    scores = log_sums - model.log_thresholds[:, None]
    payoffs = np.ascontiguousarray(payoff.of_scores(scores))
    values = np.zeros((len(payoffs), len(row)))
    values[:, row != 0] = _shapley_values(payoffs)
    return GameValues(values, payoffs[:, 0], [])


def _shapley_values(values):
    """Return the Shapley values of games: (n_games, n), from (n_games, 2 ** n)."""
    n = values.shape[1].bit_length() - 1
    weights = np.array([1.0 / (n * comb(n - 1, size)) for size in range(n)])
    sizes = np.bitwise_count(np.arange(1 << n))
    # The set of all features is no set without one.
    of_sets = np.append(weights, 0.0)[sizes]
    effects = [
        (of_part * (with_it - without)).sum(axis=(-2, -1))
        for (without, with_it), (of_part, _) in zip(halves(values), halves(of_sets))
    ]
    return np.reshape(effects[::-1], (n, len(values))).T


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
    found = model.log_sums_along(row, places.reshape(2 * n_pairs, n))
    if found is not None:
        scores = found.reshape(n_pairs, 2, n + 1, -1) - model.log_thresholds
        return scores, np.zeros_like(scores)
    specified = np.flatnonzero(row)
    rows = np.zeros((n_pairs, 2, n + 1, len(row)), dtype=np.int32)
    known = places[:, :, None] < np.arange(n + 1)[:, None]
    rows[..., specified] = np.where(known, row[specified], 0)
    distinct, _, inverse = distinct_rows(rows.reshape(-1, len(row)))
    log_sums, errors = model.estimate_log_sums(distinct)
    shape = *rows.shape[:3], -1
    scores = log_sums[inverse] - model.log_thresholds
    return scores.reshape(shape), errors[inverse].reshape(shape)


@dataclass(frozen=True)
class Scores:
    """The score of each class.

    Differences of two payoffs, times `scale`, are log-odds of one class against
    another. Shapley values are linear, so theirs are the same differences.
    """

    def of_scores(self, scores):
        """Return the payoffs of scores: both of shape (n_classes, ...)."""
        return scores

    def gradients(self, scores):
        """Return the derivatives of all payoffs by the scores of a row.

        Parameters
        ----------
        scores : ndarray of shape (n_classes,)

        Returns
        -------
        gradients : ndarray of shape (n_classes, n_classes)
            Row k is the gradient of payoff k.
        """
        return np.eye(len(scores))


@dataclass(frozen=True)
class OneAgainstRest:
    """The log-odds of each class against all other classes together.

    Attributes
    ----------
    scale : float
        Factor of scores in the softmax of probabilities.
    """

    scale: float

    def of_scores(self, scores):
        """Return log(p / (1 - p)) of each class, see `Scores.of_scores`."""
        logits = self.scale * scores
        return logits - _log_sums_of_others(logits)

    def gradients(self, scores):
        """Return the derivatives of all payoffs, see `Scores.gradients`."""
        n_classes = len(scores)
        others = np.tile(self.scale * scores, (n_classes, 1))
        np.fill_diagonal(others, -np.inf)
        return self.scale * (np.eye(n_classes) - softmax(others, axis=1))


def _log_sums_of_others(logs):
    """Return the log sum of all other entries along the first axis, for each entry.

    Without subtractions, which would lose digits of small sums.
    """
    sums = np.full_like(logs, -np.inf)
    sums[1:] = np.logaddexp.accumulate(logs[:-1], axis=0)
    after = np.logaddexp.accumulate(logs[:0:-1], axis=0)[::-1]
    sums[:-1] = np.logaddexp(sums[:-1], after)
    return sums


# Maximum number of payoffs of sets of features, in the games of all training rows and
# all classes; and the number of rows that are used even if their games have more. Two
# classes take one to two seconds.
_MOST_PAYOFFS, _FEWEST_ROWS = 1 << 25, 32
# Number of literals, in addition to one for each feature, up to which the time of a
# game increases.
_MORE_LITERALS = 6
# Number of permutations of each training row whose values are estimated: two pairs, for
# a standard error. The mean over the rows has a smaller one.
_PERMUTATIONS = 4


@dataclass(frozen=True, eq=False)
class RelativeGames:
    """The games of rows of codes under a TermModel, relative to a background.

    Parameters
    ----------
    model : TermModel
    payoff : Scores or OneAgainstRest
    background : Background, default=None
        None is the background of the model. What is computed from it is cached.
    n_permutations : int, default=100
        Number of permutations for the estimates of a row, see `game_values`.
    """

    model: Any
    payoff: Scores | OneAgainstRest
    background: Background | None = None
    n_permutations: int = 100

    def values(self, row):
        """Return the GameValues of a row of codes."""
        game = game_values(self.model, row, self.payoff, self.n_permutations)
        mean = self.mean_game
        values, base_values = game.values - mean.values, mean.base_values
        return replace(game, values=values, base_values=base_values, mean=mean)

    @cached_property
    def mean_game(self):
        """Return the mean game of the background; its base values are mean payoffs."""
        if self.background is not None:
            return self._solve_background()
        return self.model.cached(f"games of {self.payoff}", self._solve_background)

    def _solve_background(self):
        rows = self.background
        if rows is None:
            rows = self.model.background
            rows = rows.thinned(_affordable(self.model, rows.codes))
        parts = rows.weights / rows.weights.sum()
        games = [
            game_values(self.model, row, self.payoff, _PERMUTATIONS)
            for row in rows.codes
        ]
        return GameValues(
            values=np.tensordot(parts, [game.values for game in games], axes=1),
            base_values=parts @ [game.payoffs for game in games],
            estimates=[
                estimate._replace(part=part)
                for part, game in zip(parts, games)
                for estimate in game.estimates
            ],
        )


def _affordable(model, codes):
    """Return the number of rows of codes whose games are solved in a short time."""
    n_literals = np.count_nonzero(model.encoding.with_literals(codes), axis=1).max()
    n_features = np.count_nonzero(codes, axis=1).max()
    if n_features > _MOST_EXACT:
        return MOST_ROWS
    # With more literals, the model adds up rows with some of the features instead.
    n_players = min(n_literals, n_features + _MORE_LITERALS)
    n_rows = (_MOST_PAYOFFS >> int(n_players)) // len(model.log_thresholds)
    return max(_FEWEST_ROWS, min(MOST_ROWS, n_rows))
