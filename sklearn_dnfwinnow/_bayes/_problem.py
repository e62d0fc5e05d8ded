"""Problem: the input of samplers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._terms._interactions._interaction_groups import InteractionGroups


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
    _derived: dict = field(default_factory=dict, init=False, repr=False)

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

    def once(self, function):
        """Return what a function derives from this problem, computed once."""
        if function not in self._derived:
            self._derived[function] = function(self)
        return self._derived[function]
