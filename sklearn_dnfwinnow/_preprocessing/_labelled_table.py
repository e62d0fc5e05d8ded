"""Labelled table: the checked input of one training call."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_choice import has_many_numbers
from sklearn_dnfwinnow._preprocessing._columns import (
    column_label,
    columns_of,
    holds_numbers,
)
from sklearn_dnfwinnow._preprocessing._sample_weights import class_weights


def refuse_single_class(classes):
    """Raise an error if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            "The number of classes has to be greater than one; got "
            f"{len(classes)} class."
        )


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """Samples with positive weight, by column, and their classes.

    Parameters
    ----------
    columns : list of ndarrays of shape (n_samples,)
        As returned by :func:`sklearn_dnfwinnow._preprocessing._columns.columns_of`,
        `exact`.
    labels : ndarray of shape (n_samples,), int
        Class indices.
    sample_weights : ndarray of shape (n_samples,), float64
        Positive.
    class_weights : ndarray of shape (n_classes,), float64
        Positive for the classes of the samples.
    label : callable
        From the position of a column to its name in messages.
    names : sequence of str
        Names of the columns; empty if they have none.
    given : tuple
        X, the class labels and the weights of all samples with class weights, for
        transformers.
    """

    columns: list
    labels: np.ndarray
    sample_weights: np.ndarray
    class_weights: np.ndarray
    label: Callable
    names: tuple
    given: tuple

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
            products = weights * of_classes[labels]
        kept = products > 0
        return cls(
            columns=[column[kept] for column in columns_of(X, estimator, exact=True)],
            labels=labels[kept],
            sample_weights=weights[kept],
            class_weights=of_classes,
            label=partial(column_label, estimator),
            names=getattr(estimator, "feature_names_in_", ()),
            given=(X, y, products),
        )

    @cached_property
    def weights(self):
        """Sample weights times class weights: (n_samples,), float64."""
        with np.errstate(over="ignore"):
            return self.sample_weights * self.class_weights[self.labels]

    @cached_property
    def numeric(self):
        """Whether each column is numeric: list of bool."""
        return list(map(holds_numbers, self.columns))

    def to_cut(self, ordered=()):
        """Return the positions of columns that are cut by default.

        These are the columns with more than a few distinct numbers, and the `ordered`
        columns, so that monotone scores hold for new numbers, too.
        """
        return [
            j
            for j, (column, is_numeric) in enumerate(zip(self.columns, self.numeric))
            if j in ordered or (is_numeric and has_many_numbers(column))
        ]
