"""Labelled table: the checked input of one training call."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.sparse import issparse

from sklearn_dnfwinnow._encoding._columns import (
    column_label,
    columns_of,
    declared_categorical,
)
from sklearn_dnfwinnow._encoding._sample_weights import class_weights
from sklearn_dnfwinnow._encoding._tables._factorized_table import FactorizedTable
from sklearn_dnfwinnow._encoding._tables._sparse_table import SparseTable, most_columns


def refuse_single_class(classes):
    """Raise an error if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            "The number of classes has to be greater than one; got "
            f"{len(classes)} class."
        )


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """Samples with positive weight, and their classes.

    Parameters
    ----------
    table : FactorizedTable or SparseTable
        The latter if there are too many columns for dense codes of all of them.
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

    table: FactorizedTable | SparseTable
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
        """
        of_classes = class_weights(
            estimator.class_weight, estimator.classes_, y, weights
        )
        # The label of a sample of weight 0 may not be in `classes_`.
        labels = np.searchsorted(estimator.classes_, y)
        labels = labels.clip(max=len(estimator.classes_) - 1)
        with np.errstate(over="ignore"):
            kept = weights * of_classes[labels] > 0
        parts = {
            "label": partial(column_label, estimator),
            "names": getattr(estimator, "feature_names_in_", ()),
        }
        if issparse(X):
            columns = columns_of(X[kept])
            n_samples = np.count_nonzero(kept)
            is_wide = len(columns) > most_columns(n_samples)
            table = (SparseTable if is_wide else FactorizedTable).of(columns, **parts)
        else:
            columns = columns_of(X, estimator, exact=True)
            table = FactorizedTable.of([column[kept] for column in columns], **parts)
        return cls(
            table=table,
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
