"""Shapley game: what an exported model needs for the Shapley values of its rows.

The values of a row are those of its own game, minus their means over the background.
The former need the sums of the row for all sets of features, which the exported model
computes from the terms that the row satisfies. The latter are constants.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from sklearn_dnfwinnow.inspection._shapley._payoffs import OneAgainstRest
from sklearn_dnfwinnow.inspection._shapley._relative_games import RelativeGames

# Maximum number of features: a row has a sum for each set of them, in each class.
_MOST_FEATURES = 16


@dataclass(frozen=True, eq=False)
class ShapleyGame:
    """The players of a game, and the constants of its background.

    Attributes
    ----------
    features : tuple of str
        Names of all features of the classifier.
    players : list of int
        Positions of the features with literals; the order of the literal tables.
    masks : list of lists of int
        For each part, and each of its listed terms, the players in the term, as bits.
    mean_values : ndarray of shape (n_classes, n_features)
        Means of the Shapley values in the games of the background.
    base_values : ndarray of shape (n_classes,)
        Mean log-odds of the background.
    """

    features: tuple
    players: list
    masks: list
    mean_values: np.ndarray
    base_values: np.ndarray

    @classmethod
    def of(cls, decoder, tables, parts):
        """Return the game of the log-odds of each class against all others.

        Parameters
        ----------
        decoder : TermDecoder
        tables : list of LiteralTable
        parts : list of Part

        Raises
        ------
        ValueError
            If there are too many features, or the means of the background are
            estimates.
        """
        if len(tables) > _MOST_FEATURES:
            raise ValueError(
                f"Exported Shapley values need a sum for each set of features, so the "
                f"model may use up to {_MOST_FEATURES} features; it uses "
                f"{len(tables)}. Train with fewer, or use "
                "sklearn_dnfwinnow.inspection.shapley_values."
            )
        model = decoder.model
        games = RelativeGames(model=model, payoff=OneAgainstRest(float(model.scale)))
        if not games.is_exact:
            raise ValueError(
                "Shapley values of this model cannot be exported, because those of its "
                "background have too many literals for exact values. Train with a "
                "smaller `max_term_size`, or with literals='equal'."
            )
        bits = {pair: 1 << i for i, table in enumerate(tables) for pair in table.pairs}
        return cls(
            features=decoder.features,
            players=[table.attribute for table in tables],
            masks=[
                [reduce(or_, map(bits.get, term), 0) for term in part.weights.terms]
                for part in parts
            ],
            mean_values=games.mean_game.values,
            base_values=games.mean_game.base_values,
        )
