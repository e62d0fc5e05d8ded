"""Term models: what inspection and pipelines ask of an estimator that weighs terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Protocol, runtime_checkable

import numpy as np

from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._preprocessing._literal_columns import LiteralColumn
from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._terms._heaviest_terms import HeavyTerm


@runtime_checkable
class TableModel(Protocol):
    """A fitted model over the codes of a table.

    Attributes
    ----------
    discretizer : ClassEntropyDiscretizer or None
        Fitted; what cuts columns before their values become codes.
    encoder : ValueEncoder
        Codes of the values of each attribute.
    """

    discretizer: ClassEntropyDiscretizer | None
    encoder: ValueEncoder

    def with_literals(self, codes: np.ndarray) -> np.ndarray:
        """Append a column of codes for each literal that is no equality.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32

        Returns
        -------
        codes : ndarray of shape (n_rows, n_columns), int32
            As `_preprocessing._literal_columns.with_literals`.
        """

    def literal_columns(self) -> list[LiteralColumn]:
        """Return what each column of `with_literals` stands for."""


@runtime_checkable
class TermModel(TableModel, Protocol):
    """A fitted model that gives each term a weight in each class.

    The score of a class is the logarithm of its weighted sum W, the sum of the weights
    of all terms that a row satisfies, minus `log_threshold`.

    Attributes
    ----------
    discretizer, encoder
        As `TableModel` has them.
    updates : ndarray of shape (n_updates, n_features), int32
        Distinct rows of codes that the weights depend on.
    exponents : ndarray of shape (n_classes, n_updates), int64
        By how much each update raises, or lowers, the weights of the terms that it
        satisfies, in each class.
    denominator : int
        What exponents are divided by where they are shown.
    log_alpha : float
        Logarithm of what one unit of an exponent multiplies a weight by.
    log_beta : float
        Logarithm of what each literal of a term multiplies its initial weight by.
    max_term_size : int or None
        Most literals of a term, None for any number.
    conditions : Conditions or None
        Which terms count in each class, in codes of `with_literals`.
    log_threshold : float
    scale : float
        Factor of scores in the softmax that makes them probabilities.
    seed : int
        Of all randomness.
    """

    updates: np.ndarray
    exponents: np.ndarray
    denominator: int
    log_alpha: float
    log_beta: float
    max_term_size: int | None
    conditions: Conditions | None
    log_threshold: float
    scale: float
    seed: int

    def heaviest_terms(
        self,
        k: int,
        top: int,
        irredundant: bool = False,
        row: np.ndarray | None = None,
    ) -> list[HeavyTerm]:
        """Search the heaviest terms of a class.

        Parameters
        ----------
        k : int
            Index of the class.
        top : int
            How many terms.
        irredundant : bool, default=False
            See `_terms._heaviest_terms.TermSearch.heaviest`.
        row : ndarray of shape (n_features,), int32, default=None
            Codes of a row that is to satisfy the terms; None for any terms.

        Returns
        -------
        terms : list of HeavyTerm
            The heaviest first. Literals are pairs of a column of `with_literals` and a
            code.

        Raises
        ------
        GaveUp
            If the search took too long.
        """

    def estimate_log_sums(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log W of distinct rows of codes, and relative standard errors of W.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_features), int32

        Returns
        -------
        log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
            The errors are 0 where sums are exact.
        """

    def log_subset_sums(self, row: np.ndarray) -> np.ndarray | None:
        """Return log W of a row for all sets of its attributes that are known.

        Parameters
        ----------
        row : ndarray of shape (n_features,), int32
            Codes; n attributes are specified.

        Returns
        -------
        log_sums : ndarray of shape (n_classes, 2 ** n), float64, or None
            Bit j of an index is whether the j-th specified attribute is known; the
            others are unspecified. None if these are too many to be computed exactly.
        """


class TableModelMixin:
    """Mixin of classifiers whose fitted state is a `TableModel`.

    Such a classifier has `classes_` and `n_features_in_`, and `feature_names_in_` if
    it was fitted to named columns.
    """

    def _table_model(self):
        """Return the TableModel of the fitted classifier."""
        raise NotImplementedError


class TermModelMixin(TableModelMixin):
    """Mixin of classifiers whose fitted state is a `TermModel`."""

    def _table_model(self):
        """Return the TermModel of the fitted classifier."""
        return self._term_model()

    def _term_model(self):
        """Return the TermModel of the fitted classifier."""
        raise NotImplementedError
