"""Samples: labelled rows of a table, each distinct one once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._encoding._columns import column_label
from sklearn_dnfwinnow._encoding._distinct_values import distinct_values, ordered
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Rows that a mean number of equal samples is divided into, at most.
_MOST_PARTS = 16


@dataclass(frozen=True, eq=False)
class Samples:
    """Labelled rows of a table, and what a model says of them.

    Attributes
    ----------
    columns : list of ndarrays of shape (n_rows,)
        As returned by `columns_of`.
    names : list of str
    labels : ndarray of shape (n_rows,), int
        Index of the class of each row.
    weights : ndarray of shape (n_rows,), float64
    counts : ndarray of shape (n_rows,), float64
        Number of samples that each row stands for.
    n_classes : int
    probabilities : ndarray of shape (n_rows, n_classes), default=None
        Probabilities of the classes, by a model that was trained without the row.
    """

    columns: list
    names: list
    labels: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    n_classes: int
    probabilities: np.ndarray | None = None

    def __len__(self):
        return len(self.labels)

    @property
    def unit(self):
        """Return the mean weight of a sample."""
        return float(self.weights.sum() / self.counts.sum())

    @cached_property
    def distinct(self):
        """Return the distinct values of each column and their places: list of tuples.

        See `distinct_values`, which raises an error for infinite values.
        """
        names = map(repr, map(str, self.names))
        return list(map(distinct_values, self.columns, names))

    def rows(self, places):
        """Return some of the rows."""
        p = self.probabilities
        return replace(
            self,
            columns=[column[places] for column in self.columns],
            labels=self.labels[places],
            weights=self.weights[places],
            counts=self.counts[places],
            probabilities=None if p is None else p[places],
        )

    def in_order(self, estimator=None):
        """Return the rows with a positive weight, in an order of their own.

        Equal rows of a class are first merged, and then divided into rows that stand
        for one sample each, or for about as many if there are far more samples than
        distinct rows. A count of 2 has therefore the effect of two copies, and the
        order of rows has none.

        Parameters
        ----------
        estimator : estimator instance, default=None
            The estimator with the names of the columns, for messages.
        """
        some = self.rows(np.flatnonzero(self.weights > 0))
        codes = [some.labels]
        for j, column in enumerate(some.columns):
            values, places = distinct_values(column, column_label(estimator, j))
            ranks = {value: rank for rank, value in enumerate(ordered(values))}
            codes.append(np.array([ranks[value] for value in values], int)[places])
        _, first, inverse = distinct_rows(np.column_stack(codes))
        weights = np.bincount(inverse, weights=some.weights)
        counts = np.bincount(inverse, weights=some.counts)
        merged = replace(some.rows(first), weights=weights, counts=counts)
        if self.probabilities is not None:
            parts = (some.weights[:, None] * some.probabilities).T
            sums = [np.bincount(inverse, weights=part) for part in parts]
            merged = replace(merged, probabilities=np.array(sums).T / weights[:, None])
        size = max(1.0, counts.mean() / _MOST_PARTS)
        n_parts = np.maximum(np.rint(counts / size), 1).astype(np.int64)
        parts = replace(merged, weights=weights / n_parts, counts=counts / n_parts)
        return parts.rows(np.repeat(np.arange(len(counts)), n_parts))

    @property
    def worth(self):
        """Return what predicting each class is worth: (n_rows, n_classes), float64.

        The weight of a row for its class, and 0 for others. With the probabilities of a
        model, the expected value of this counts as much as the label.
        """
        share = (self.labels[:, None] == np.arange(self.n_classes)).astype(np.float64)
        if self.probabilities is not None:
            share = 0.5 * (share + self.probabilities)
        return share * self.weights[:, None]

    def fires(self, formulas):
        """Return which rows satisfy the formulas of which classes.

        Parameters
        ----------
        formulas : dict of int to list of Term

        Returns
        -------
        fires : ndarray of shape (n_rows, n_classes), bool
        """
        fires = np.zeros((len(self), self.n_classes), dtype=bool)
        for k, terms in formulas.items():
            for term in terms:
                fires[:, k] |= term.holds(self.columns)
        return fires
