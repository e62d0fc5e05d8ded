"""Relative games: Shapley values of rows, relative to the average background row.

The game of one row starts from no known feature. No row of the data is like that: a row
with fewer known features satisfies fewer terms. The values of a row minus the mean
values of background rows start from the average background row instead. They are the
Shapley values of the game v(S) - m(S) + m(all), where m is the mean of the games of the
background rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._terms._term_model import TermModel
from sklearn_dnfwinnow.inspection._shapley._attribute_game import (
    exact_values,
    game_values,
    mean_of_games,
)
from sklearn_dnfwinnow.inspection._shapley._payoffs import OneAgainstRest, Scores

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
        Number of permutations for the estimates of a row, if exact values are not
        feasible.
    """

    model: TermModel
    payoff: Scores | OneAgainstRest
    background: Background | None = None
    n_permutations: int = 100

    def values(self, row):
        """Return the GameValues of a row of codes."""
        return self._game(row, self.n_permutations).minus(self.mean_game)

    def exact_values(self, row):
        """Return the GameValues of a row; None if exact ones are not feasible."""
        game = exact_values(self.model, row, self.payoff)
        if game is None or not self.is_exact:
            return None
        return game.minus(self.mean_game)

    @cached_property
    def is_exact(self):
        """Return whether the background has exact values."""
        return self._of_background("exactness", self._has_exact_background)

    @cached_property
    def mean_game(self):
        """Return the mean of the games of the background."""
        return self._of_background("games", self._solve_background)

    def _of_background(self, name, make):
        """Return a result for the background, cached if it is that of the model."""
        if self.background is not None:
            return make()
        return self.model.cached(f"{name} of {self.payoff}", make)

    def _game(self, row, n_permutations):
        """Return the GameValues of a row, relative to those without known features."""
        return game_values(
            model=self.model,
            row=row,
            payoff=self.payoff,
            n_permutations=n_permutations,
        )

    def _rows(self):
        """Return the rows of the background, and their fractions of the weight."""
        found = self.background
        if found is None:
            found = self.model.background
            found = found.thinned(_affordable(self.model, found.codes))
        return found.codes, found.weights / found.weights.sum()

    def _has_exact_background(self):
        rows, _ = self._rows()
        widest = rows[np.count_nonzero(rows, axis=1).argmax()]
        if exact_values(self.model, widest, self.payoff) is None:
            return False  # without the estimates, which take longer
        return not self.mean_game.estimates

    def _solve_background(self):
        rows, parts = self._rows()
        return mean_of_games(parts, [self._game(row, _PERMUTATIONS) for row in rows])


def _affordable(model, codes):
    """Return the number of rows of codes whose games are solved in a short time."""
    n_literals = np.count_nonzero(model.encoding.with_literals(codes), axis=1).max()
    n_features = np.count_nonzero(codes, axis=1).max()
    # With more literals, the model adds up rows with some of the features instead.
    n_players = min(n_literals, n_features + _MORE_LITERALS)
    n_rows = (_MOST_PAYOFFS >> int(n_players)) // len(model.log_thresholds)
    return max(_FEWEST_ROWS, min(MOST_ROWS, n_rows))
