"""Stored examples: the rows that determine the weights of terms, with their counts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._winnow._net_counts import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._stores._class_state import ClassState, union


@dataclass(frozen=True, eq=False)
class StoredExamples:
    """The stored examples of all classes.

    Parameters
    ----------
    examples : ndarray of shape (m, n_features), int32
        Their codes.
    net_counts : ndarray of shape (n_classes, m), int64
        Net promotion counts, in units of ``1 / denominator``.
    denominator : int
    own : list of ndarrays of int
        Positions of the stored examples of each class among all, in order of arrival.
    versions : list of int
        Number of updates in each class.
    are_terms : bool, default=False
        Whether the examples are chosen terms, in codes with literals. A net count is
        then that of one term, and not of all that an example satisfies.
    """

    examples: np.ndarray
    net_counts: np.ndarray
    denominator: int
    own: list
    versions: list
    are_terms: bool = False

    @classmethod
    def empty(cls, n_features, n_classes):
        """Return no examples."""
        examples = np.empty((0, n_features), dtype=np.int32)
        return cls.of(examples, np.empty((n_classes, 0), dtype=np.int64))

    @classmethod
    def of(cls, examples, net_counts, denominator=1, are_terms=False):
        """Return given examples, as those of all classes before any update."""
        return cls(
            examples=examples,
            net_counts=net_counts,
            denominator=denominator,
            own=[np.arange(len(examples), dtype=np.intp)] * len(net_counts),
            versions=[0] * len(net_counts),
            are_terms=are_terms,
        )

    def of_classes(self, literal_examples):
        """Return the state of each class, with codes that include literals."""
        return [
            ClassState(
                examples=literal_examples[own],
                net_counts=net_counts[own],
                version=version,
                places=own,
            )
            for net_counts, own, version in zip(
                self.net_counts, self.own, self.versions
            )
        ]

    def in_units_of(self, denominator):
        """Return the same examples, with net promotion counts in smaller units."""
        times = denominator // self.denominator
        check_sum(largest_sum(self.net_counts) * times, denominator)
        net_counts = self.net_counts * times
        return replace(self, net_counts=net_counts, denominator=denominator)

    def after(self, all_trained):
        """Return the examples after training; the same object if nothing changed.

        Parameters
        ----------
        all_trained : list of Trained
        """
        versions = [trained.version for trained in all_trained]
        if self.are_terms:
            return self._of_terms(all_trained, versions)
        sizes = [len(trained.examples) for trained in all_trained]
        if versions == self.versions and sizes == [len(own) for own in self.own]:
            return self
        examples, net_counts, own, times = union(all_trained)
        check_sum(largest_sum(net_counts), self.denominator * times)
        return StoredExamples(
            examples=np.ascontiguousarray(examples[:, : self.examples.shape[1]]),
            net_counts=net_counts,
            denominator=self.denominator * times,
            own=own,
            versions=versions,
        )

    def _of_terms(self, all_trained, versions):
        """Return the same terms, with the net counts after training."""
        times = all_trained[0].times
        net_counts = np.array([trained.net_counts for trained in all_trained])
        common = int(np.gcd.reduce(net_counts, axis=None, initial=times))
        check_sum(largest_sum(net_counts), self.denominator * times)
        return replace(
            self,
            net_counts=net_counts // common,
            denominator=self.denominator * times // common,
            versions=versions,
        )
