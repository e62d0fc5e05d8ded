"""Stored examples: the rows that determine the weights of terms, with their counts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._weights._class_state import ClassState, union


@dataclass(frozen=True, eq=False)
class StoredExamples:
    """The stored examples of all classes.

    Parameters
    ----------
    updates : ndarray of shape (m, n_features), int32
        Their codes.
    exponents : ndarray of shape (n_classes, m), int64
        Net promotion counts, in units of ``1 / denominator``.
    denominator : int
    own : list of ndarrays of int
        Positions of the stored examples of each class among all, in order of arrival.
    versions : list of int
        Number of updates in each class.
    """

    updates: np.ndarray
    exponents: np.ndarray
    denominator: int
    own: list
    versions: list

    @classmethod
    def empty(cls, n_features, n_classes):
        """Return no examples."""
        return cls(
            updates=np.empty((0, n_features), dtype=np.int32),
            exponents=np.empty((n_classes, 0), dtype=np.int64),
            denominator=1,
            own=[np.empty(0, dtype=np.intp)] * n_classes,
            versions=[0] * n_classes,
        )

    def of_classes(self, literal_updates):
        """Return the state of each class, with codes that include literals."""
        return [
            ClassState(
                updates=literal_updates[own],
                exponents=exponents[own],
                version=version,
                places=own,
            )
            for exponents, own, version in zip(self.exponents, self.own, self.versions)
        ]

    def in_units_of(self, denominator):
        """Return the same examples, with net promotion counts in smaller units."""
        times = denominator // self.denominator
        check_sum(largest_sum(self.exponents) * times, denominator)
        exponents = self.exponents * times
        return replace(self, exponents=exponents, denominator=denominator)

    def after(self, all_trained):
        """Return the examples after training; the same object if nothing changed.

        Parameters
        ----------
        all_trained : list of Trained
        """
        versions = [trained.version for trained in all_trained]
        sizes = [len(trained.updates) for trained in all_trained]
        if versions == self.versions and sizes == [len(own) for own in self.own]:
            return self
        updates, exponents, own, times = union(all_trained)
        check_sum(largest_sum(exponents), self.denominator * times)
        return StoredExamples(
            updates=np.ascontiguousarray(updates[:, : self.updates.shape[1]]),
            exponents=exponents,
            denominator=self.denominator * times,
            own=own,
            versions=versions,
        )
