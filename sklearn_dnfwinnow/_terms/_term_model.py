"""Term models: the interface of estimators that weight terms, for inspection."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._terms._heaviest_terms import HeavyTerm


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


class SingleModelMixin:
    """Mixin of models that are no averages: what a `TermModel` says of its models."""

    @property
    def models(self):
        """Return the models whose log-odds are averaged."""
        return (self,)

    @property
    def weights(self):
        """Return the weights of these models."""
        return np.ones(1)

    @property
    def factors(self):
        """Return the factors of their log W."""
        return np.ones(1)

    def term_shares(self, k, terms, rows):
        """Return the contributions of terms to the sums of rows, see `TermModel`."""
        log_sums = self.estimate_log_sums(rows)[0][:, k]
        log_weights = np.array([term.log_weight for term in terms])
        return np.exp(np.minimum(log_weights[:, None] - log_sums, 0.0))
