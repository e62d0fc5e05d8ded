"""Labelled table: the checked input of one training call."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._encoding._columns import (
    column_label,
    columns_of,
    declared_categorical,
)
from sklearn_dnfwinnow._encoding._sample_weights import class_weights
from sklearn_dnfwinnow._encoding._tables._factorized_table import FactorizedTable

# Maximum number of columns that a classifier learns from.
_MOST_COLUMNS = 4096


def refuse_single_class(classes):
    """Raise an error if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            "The number of classes has to be greater than one; got "
            f"{len(classes)} class."
        )


def refuse_many_columns(estimator):
    """Raise an error if X has too many columns to learn from.

    Parameters
    ----------
    estimator : estimator instance
        With `n_features_in_`.
    """
    if estimator.n_features_in_ > _MOST_COLUMNS:
        name = type(estimator).__name__
        raise ValueError(
            f"{name} learns from at most {_MOST_COLUMNS:,} columns; X has "
            f"{estimator.n_features_in_:,}. Select columns before it: "
            f"make_pipeline(SelectKBest(chi2, k=1000), {name}()), with f_classif "
            "instead of chi2 if there are negative numbers."
        )


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """Samples with positive weight, and their classes.

    Parameters
    ----------
    table : FactorizedTable
    labels : ndarray of shape (n_samples,), int
        Class indices.
    sample_weights : ndarray of shape (n_samples,), float64
        Positive.
    class_weights : ndarray of shape (n_classes,), float64
        Positive for the classes of the samples.
    declared : list of n_features bool
        Whether each column has a categorical dtype.
    kept : ndarray of shape (n_given,), bool
        Which of the given samples these are.
    """

    table: FactorizedTable
    labels: np.ndarray
    sample_weights: np.ndarray
    class_weights: np.ndarray
    declared: list
    kept: np.ndarray

    @classmethod
    def of(cls, estimator, X, y, weights):
        """Return the samples with positive weight.

        Parameters
        ----------
        estimator : estimator instance
            With `class_weight`, and `classes_` in sorted order.
        X, y : as returned by `check_table`
        weights : ndarray of shape (n_samples,), float64
            Not negative.

        Raises
        ------
        ValueError
            If X has too many columns, before a sparse one becomes dense.
        """
        refuse_many_columns(estimator)
        of_classes = class_weights(
            estimator.class_weight, estimator.classes_, y, weights
        )
        # The label of a sample of weight 0 may not be in `classes_`.
        labels = np.searchsorted(estimator.classes_, y)
        labels = labels.clip(max=len(estimator.classes_) - 1)
        with np.errstate(over="ignore"):
            kept = weights * of_classes[labels] > 0
        columns = columns_of(X, estimator, exact=True)
        return cls(
            table=FactorizedTable.of(
                [column[kept] for column in columns],
                label=partial(column_label, estimator),
                names=getattr(estimator, "feature_names_in_", ()),
            ),
            labels=labels[kept],
            sample_weights=weights[kept],
            class_weights=of_classes,
            declared=declared_categorical(X),
            kept=kept,
        )

    @cached_property
    def weights(self):
        """Sample weights times class weights: (n_samples,), float64."""
        with np.errstate(over="ignore"):
            return self.sample_weights * self.class_weights[self.labels]
