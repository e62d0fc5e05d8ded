"""Term models: the interface of fitted models of terms, for inspection."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._terms._heaviest_terms import HeavyTerm
from sklearn_dnfwinnow._terms._interactions import InteractionGroups
from sklearn_dnfwinnow._utils._computing import distinct_rows, stream

#: Maximum number of rows of a background.
MOST_ROWS = 256


@dataclass(frozen=True, eq=False)
class Background:
    """Distinct rows of codes, with the number of training rows that each stands for.

    Up to `MOST_ROWS` distinct rows are kept as they are. More rows are thinned by
    systematic sampling: the rows are laid side by side in lexicographic order, each as
    long as its weight, and points at equal distances choose the rows. Similar rows are
    neighbours, so the sample represents them more evenly than a random one. The first
    point is a function of the distinct rows. The result therefore depends neither on
    the order of the rows nor on a seed, and a weight has the effect of repetitions.

    Attributes
    ----------
    codes : ndarray of shape (n_rows, n_features), int32
        In lexicographic order.
    weights : ndarray of shape (n_rows,), float64
        Positive.
    """

    codes: np.ndarray
    weights: np.ndarray

    @classmethod
    def empty(cls, n_features):
        """Return the background without any rows."""
        return cls(np.empty((0, n_features), dtype=np.int32), np.empty(0))

    @classmethod
    def of_rows(cls, codes, weights):
        """Return a background of all distinct rows, with their total weights."""
        distinct, _, inverse = distinct_rows(codes)
        # Sorted, because the last bits of a sum depend on the order of its summands.
        order = np.lexsort((weights, inverse))
        totals = np.bincount(inverse[order], weights[order], len(distinct))
        return cls(np.ascontiguousarray(distinct), totals)

    def with_rows(self, codes, weights):
        """Return the background of these and further rows, thinned to `MOST_ROWS`."""
        every = self.of_rows(
            np.concatenate([self.codes, codes]),
            np.concatenate([self.weights, weights]),
        )
        return every.thinned(MOST_ROWS)

    def thinned(self, n_rows):
        """Return a background of at most `n_rows` rows, with the same total weight."""
        if len(self.codes) <= n_rows:
            return self
        ends = np.cumsum(self.weights)
        first = stream(row=self.codes) / 2.0**64
        points = (np.arange(n_rows) + first) * (ends[-1] / n_rows)
        places = np.searchsorted(ends, points, side="right")
        chosen, counts = np.unique(
            np.minimum(places, len(ends) - 1), return_counts=True
        )
        return Background(self.codes[chosen], counts * (ends[-1] / n_rows))


@runtime_checkable
class TableModel(Protocol):
    """A fitted model over the codes of a data set.

    Attributes
    ----------
    encoding : Encoding
        From the cells of the table to codes with literals.
    """

    encoding: Encoding


@runtime_checkable
class TermModel(TableModel, Protocol):
    """A fitted model that gives each term a weight in each class, or several of them.

    The score of a class is the logarithm of its weighted sum W, the sum of the weights
    of all terms that a row satisfies, minus the `log_thresholds` of the class. An
    average of several models has the weighted mean of their log-odds, so its W is a
    product of powers of theirs.

    Attributes
    ----------
    encoding
        See `TableModel`.
    models : tuple of TermModel
        The models that are averaged; the only one of a single model is itself.
    weights : ndarray of shape (n_models,), float64
        Their weights in the mean of log-odds. The sum is 1.
    factors : ndarray of shape (n_models,), float64
        Factors of their log W in the log W of this model.
    examples : ndarray of shape (n_updates, n_features), int32
        Distinct rows of codes that determine the weights (stored examples). None if
        the terms with other weights were chosen, or models are averaged.
    denominator : int
        Denominator of displayed net counts.
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    log_thresholds : ndarray of shape (n_classes,), float64
    scale : float
        Factor of scores in the softmax of probabilities.
    seed : int
        Seed of all randomness.
    background : Background
        A sample of the training rows.
    """

    models: tuple
    weights: np.ndarray
    factors: np.ndarray
    examples: np.ndarray
    denominator: int
    max_term_size: int | None
    log_thresholds: np.ndarray
    scale: float
    seed: int
    background: Background

    def cached(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the result of `make`, computed once for each name.

        Parameters
        ----------
        name : str
        make : callable
            Without parameters; a function of the scores and the background only.
        """

    def heaviest_terms(
        self,
        k: int,
        top: int,
        row: np.ndarray | None = None,
    ) -> list[HeavyTerm]:
        """Search the top-weighted terms of a class.

        Parameters
        ----------
        k : int
            Index of the class.
        top : int
            Number of terms.
        row : ndarray of shape (n_features,), int32, default=None
            Codes of a row that satisfies the terms; None for any terms.

        Returns
        -------
        terms : list of HeavyTerm
            By descending weight. Literals are pairs of a column of
            `Encoding.with_literals` and a code.

        Raises
        ------
        GaveUp
            If the search took too long.
        """

    def term_shares(
        self, k: int, terms: list[HeavyTerm], rows: np.ndarray
    ) -> np.ndarray:
        """Return the relative contributions of terms to the sums of rows.

        Parameters
        ----------
        k : int
            Index of the class.
        terms : list of HeavyTerm
            As `heaviest_terms` returns them.
        rows : ndarray of shape (n_rows, n_features), int32
            Codes; a term is taken as satisfied.

        Returns
        -------
        shares : ndarray of shape (n_terms, n_rows), float64
            Those of all terms of a model that a row satisfies add up to its weight.
        """

    def estimate_log_sums(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log W of distinct rows of codes, and relative standard errors of W.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_features), int32

        Returns
        -------
        log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
            The errors of exact sums are 0.
        """

    def log_subset_sums(self, row: np.ndarray) -> np.ndarray | None:
        """Return log W of a row for all sets of known attributes.

        Parameters
        ----------
        row : ndarray of shape (n_features,), int32
            Codes; n attributes are specified.

        Returns
        -------
        log_sums : ndarray of shape (n_classes, 2 ** n), float64, or None
            Bit j of an index is 1 if the j-th specified attribute is known; the others
            are unspecified. None if there are too many sets for exact sums.
        """


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
