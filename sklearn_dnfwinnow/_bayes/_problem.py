"""Problem: the input of samplers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from scipy.linalg import helmert
from scipy.special import expit

from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._kernels import logistic
from sklearn_dnfwinnow._terms._interactions import (
    InteractionGroups,
    TooManyGroups,
    all_interactions,
    nested_interactions,
    of_largest_order,
)


def n_sets_of(n_classes):
    """Return the number of sets of parameters.

    With two classes, one: the linear predictor is the log-odds of the second class.
    With more, one per class: probabilities are the softmax of linear predictors.
    """
    return 1 if n_classes == 2 else n_classes


@dataclass(frozen=True, eq=False)
class Problem:
    """Groups of terms, the classes of their rows, and the prior.

    Attributes
    ----------
    groups : InteractionGroups
    class_weights : ndarray of shape (n_rows, n_classes), float64
        Total weight of each class among the training rows equal to each distinct row.
        Not negative; any fractions.
    prior : Prior
    """

    groups: InteractionGroups
    class_weights: np.ndarray
    prior: Prior

    @property
    def n_sets(self):
        """Return the number of sets of parameters, see `n_sets_of`."""
        return n_sets_of(self.class_weights.shape[1])

    @cached_property
    def totals(self):
        """Return the total weight of each row: (n_rows,), float64."""
        return self.class_weights.sum(axis=1)

    @cached_property
    def weights_of_sets(self):
        """Return the weights of the class of each set: (n_rows, n_sets), float64."""
        return np.ascontiguousarray(self.class_weights[:, -self.n_sets :])

    @cached_property
    def memberships(self):
        """Return `InteractionGroups.memberships`."""
        return self.groups.memberships()

    @cached_property
    def _transposed(self):
        return self.memberships.T

    def to_rows(self, sums):
        """Return the total of the sums, or vectors, of the groups of each row."""
        return self._transposed @ sums

    @cached_property
    def contrasts(self):
        """Return the `Contrasts` of the problem."""
        return Contrasts(self)


# The largest predictors, as far as probabilities are concerned.
_FARTHEST = 300.0


class Contrasts:
    """The log likelihood of a problem as a function of contrasts.

    The first axis of predictors and their contrasts are rows, and the last one sets or
    contrasts.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    n : int
        Number of contrasts.
    of_classes : ndarray of shape (n_classes, n)
        What a contrast of 1 adds to the predictors of the classes.
    """

    def __init__(self, problem):
        n_sets = problem.n_sets
        self._totals, self._weights = problem.totals, problem.weights_of_sets
        if n_sets == 1:
            self._basis, self.of_classes = np.ones((1, 1)), np.array([[0.0], [1.0]])
        else:
            is_normal = problem.prior.family == "normal"
            basis = helmert(n_sets).T if is_normal else np.eye(n_sets)
            self._basis = self.of_classes = np.ascontiguousarray(basis)
        self.n = self._basis.shape[1]

    def of_sets(self, values):
        """Return the contrasts of the values of sets, the last axis."""
        return values @ self._basis

    def to_sets(self, values, same=0.0):
        """Return the values of sets, given contrasts and a part that all have."""
        n_sets = len(self._basis)
        if n_sets == 1:
            return values
        return values @ self._basis.T + same / sqrt(n_sets)

    def height(self, predictors):
        """Return the log likelihood, given contrasts of shape (n_rows, n)."""
        return logistic.log_likelihood(
            predictors=np.ascontiguousarray(self.to_sets(predictors)),
            weights=self._weights,
            totals=self._totals,
        )

    def score(self, predictors):
        """Return the gradient of the log likelihood: (n_rows, n)."""
        return self.of_sets(self._weights - self.expected(predictors))

    def expected(self, predictors):
        """Return the expected weights of the classes of the sets: (n_rows, n_sets)."""
        return self._totals[:, np.newaxis] * self._proba(predictors)

    def information(self, predictors):
        """Return the information of each row about each contrast: (n_rows, n).

        The information is minus the second derivative of the log likelihood.
        """
        proba = self._proba(predictors)
        spread = proba @ self._basis**2 - (proba @ self._basis) ** 2
        return self._totals[:, np.newaxis] * np.maximum(spread, 0.0)

    def information_along(self, predictors, directions):
        """Return the information about steps along some directions.

        Parameters
        ----------
        predictors : ndarray of shape (n_rows, n)
        directions : ndarray of shape (n_directions, n_rows, n)

        Returns
        -------
        information : ndarray of shape (n_directions,)
        """
        proba, steps = self._proba(predictors), self.to_sets(directions)
        spread = np.sum(steps**2 * proba, axis=2) - np.sum(steps * proba, axis=2) ** 2
        return spread @ self._totals

    def _proba(self, predictors):
        values = np.clip(self.to_sets(predictors), -_FARTHEST, _FARTHEST)
        if len(self._basis) == 1:
            return expit(values)
        shares = np.exp(values)
        return shares / shares.sum(axis=1, keepdims=True)


# Maximum bytes of all draws, and of lists of the rows of groups.
_MEMORY_BUDGET = 512 * 2**20
_MOST_ENTRIES = _MEMORY_BUDGET // 4
# Maximum order of max_order='auto', and maximum number of its sums: about a minute.
_LARGEST_AUTO, _AUTO_SUMS = 3, 1 << 15

_FUNCTIONS = {"all": all_interactions, "nested": nested_interactions}


def group_interactions(estimator, rows, n_sets):
    """Return the groups of interactions over some rows.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct, sorted.
    n_sets : int
        Number of sets of parameters.

    Returns
    -------
    groups : InteractionGroups

    Raises
    ------
    ValueError
        If there are too many; the message states the largest possible `max_order`.
    """
    group = _FUNCTIONS[estimator.interactions]
    n_draws = estimator.n_chains * estimator.n_draws * n_sets
    limits = {
        "max_entries": _MOST_ENTRIES,
        "max_groups": _MEMORY_BUDGET // (4 * n_draws),
    }
    order, most = estimator.max_order, rows.shape[1]
    try:
        if order != "auto":
            return _of_order(group, rows, min(order, most), limits)
        if estimator.interactions == "all":
            quick = min(limits["max_groups"], _AUTO_SUMS // n_sets)
            quick = {**limits, "max_groups": quick}
            try:
                return of_largest_order(group, rows, _LARGEST_AUTO, **quick)
            except TooManyGroups:  # single literals, for any number of them
                most = 1
        return of_largest_order(group, rows, most, **limits)
    except TooManyGroups as error:
        raise ValueError(
            f"n_draws={estimator.n_draws} with n_chains={estimator.n_chains} requires "
            f"more than {_MEMORY_BUDGET // 2**20} MiB, even with max_order=1. Decrease "
            "n_draws."
        ) from error


def _of_order(group, rows, order, limits):
    """Return the groups up to an order, or raise an error that states a smaller one."""
    try:
        return group(rows, order, **limits)
    except TooManyGroups as error:
        smaller = of_largest_order(group, rows, order - 1, **limits).max_order
        raise ValueError(
            f"max_order={order} gives too many groups of interactions: draws of "
            f"{limits['max_groups']} groups, or lists of {limits['max_entries']} "
            f"rows, require {_MEMORY_BUDGET // 2**20} MiB. The largest possible "
            f"value is max_order={smaller}."
        ) from error
