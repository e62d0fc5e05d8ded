"""Class state: the stored examples of a class at one time; their union over classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import lcm

import numpy as np

from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._winnow._net_counts import check_sum, largest_sum


@dataclass(frozen=True, eq=False)
class ClassState:
    """The stored examples of one class at one time, which determine its weights.

    Parameters
    ----------
    examples : ndarray of shape (m, n_attributes), int32
        Distinct codes, in order of arrival.
    net_counts : ndarray of shape (m,), int64
        Net promotion count of each, in units of the model.
    version : int
        Number of updates so far.
    places : ndarray of shape (m,), int, or None
        Positions of the stored examples among those of all classes, which are the first
        rows of a term index; None for the first positions.
    """

    examples: np.ndarray
    net_counts: np.ndarray
    version: int = 0
    places: np.ndarray | None = None

    @classmethod
    def empty(cls, n_attributes):
        """Return the state of a class before its first update."""
        return cls(
            np.empty((0, n_attributes), dtype=np.int32), np.empty(0, dtype=np.int64)
        )


def union(all_trained):
    """Return the stored examples of several classes as those of one model.

    Parameters
    ----------
    all_trained : list of Trained

    Returns
    -------
    examples : ndarray of shape (m, n_attributes), int32
        Distinct codes, in order of arrival.
    net_counts : ndarray of shape (n_classes, m), int64
        Net promotion counts, 0 for stored examples of other classes only.
    owned : list of ndarrays of int
        Positions of the stored examples of each class, oldest first.
    times : int
        Factor by which all net counts are too large.
    """
    distinct, places = distinct_in_order(
        np.concatenate([trained.examples for trained in all_trained])
    )
    ends = np.cumsum([len(trained.net_counts) for trained in all_trained])
    owned = np.split(places, ends[:-1])
    times = lcm(*(trained.times for trained in all_trained))
    net_counts = np.zeros((len(all_trained), len(distinct)), dtype=np.int64)
    for row, own, trained in zip(net_counts, owned, all_trained):
        more = times // trained.times
        check_sum(largest_sum(trained.net_counts) * more, times)
        row[own] = trained.net_counts * more
    # Reduced to the smallest integers.
    common = int(np.gcd.reduce(net_counts, axis=None, initial=times))
    return distinct, net_counts // common, owned, times // common
