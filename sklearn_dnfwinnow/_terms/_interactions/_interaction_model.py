"""Interaction models: the interface of estimators with groups of terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np

from sklearn_dnfwinnow._terms._interactions._interaction_groups import InteractionGroups
from sklearn_dnfwinnow._terms._term_model import TableModel


@runtime_checkable
class InteractionModel(TableModel, Protocol):
    """A fitted model with draws of the effect of each group of terms.

    The effects of one draw add up to the scores of the classes. With two classes, the
    effect on the second class is the effect on its log-odds, and the effect on the
    first is its negative. With more classes, the effects on all classes sum to 0.

    Attributes
    ----------
    encoding
        See `TableModel`.
    groups : InteractionGroups
    n_classes : int
    n_draws : int
        Total number of draws of all chains.
    scale : float
        Factor of scores in the softmax of probabilities: 1/2 with two classes.
    class_weights : ndarray of shape (n_rows, n_classes), float64
        Weight of each class in each of the distinct training rows, ``groups.rows``.
    """

    groups: InteractionGroups
    n_classes: int
    n_draws: int
    scale: float
    class_weights: np.ndarray

    def group_weights(self) -> np.ndarray:
        """Return the weight of training rows in each group.

        Returns
        -------
        weights : ndarray of shape (n_groups, n_classes), float64
            Weights by class.
        """

    def effects(self, groups: np.ndarray) -> np.ndarray:
        """Return draws of the effects of some groups.

        Parameters
        ----------
        groups : ndarray of shape (n,), int

        Returns
        -------
        effects : ndarray of shape (n_draws, n, n_classes), float64
            Natural logarithms of odds.
        """

    def shares(self, groups: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return the contributions of some terms of groups to scores.

        Parameters
        ----------
        groups : ndarray of shape (n,), int
        counts : ndarray of shape (n, max_order + 1), float64
            Number of terms of each order. A term may count in part.

        Returns
        -------
        effects : ndarray of shape (n_draws, n, n_classes), float64
            For each draw, the mean of the effect of these terms, given the effect of
            the whole group. For all terms of a row, means over draws are exact
            contributions to the mean score.
        """

    def sample_scores(self, rows: np.ndarray) -> np.ndarray:
        """Return draws of the scores of some rows.

        Parameters
        ----------
        rows : ndarray of shape (n, n_features), int32

        Returns
        -------
        scores : ndarray of shape (n_draws, n, n_classes), float64
            Centred like effects. The effects of terms that no training row satisfies
            are drawn from their prior.
        """

    def joint_scores(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Return draws of the scores of some rows, for means over rows.

        In one draw, a term has the same effect in all rows that satisfy it. Each row
        has the same distribution as in `sample_scores`.

        Parameters
        ----------
        rows : ndarray of shape (n, n_features), int32
            Distinct.

        Yields
        ------
        scores : ndarray of shape (n_some, n, n_classes), float64
            For some of the draws after the other.
        """
