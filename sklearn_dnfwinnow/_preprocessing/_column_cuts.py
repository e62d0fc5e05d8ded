"""Cutter: columns, each cut into intervals independently."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._preprocessing._entropy_cuts._interval_selection import (
    SELECTIONS,
)
from sklearn_dnfwinnow._preprocessing._entropy_cuts._multisplits import (
    multisplits,
    n_log_n,
)
from sklearn_dnfwinnow._preprocessing._entropy_cuts._segments import (
    TIE,
    in_working_units,
    segments,
    tally,
    tally_of_places,
)
from sklearn_dnfwinnow._preprocessing._interval_labels import interval_labels


class Cut(NamedTuple):
    """A column cut into intervals.

    Attributes
    ----------
    points : ndarray of shape (n_intervals - 1,)
        Cut points, ascending.
    entropy_path : ndarray of shape (n_arities,)
        Minimum average class entropy of 1, 2, ... intervals, in bits.
    representatives : ndarray of shape (n_intervals,)
        Weighted median of the values in each interval.
    labels : ndarray of shape (n_intervals,), of str
        Names of the intervals.
    n_segments : int
        Number of segments before some were merged by quantiles.
    """

    points: np.ndarray
    entropy_path: np.ndarray
    representatives: np.ndarray
    labels: np.ndarray
    n_segments: int


class _Partition(NamedTuple):
    """The selected intervals of a column.

    Attributes
    ----------
    starts : ndarray of shape (n_intervals,)
        Position of the first distinct value of each.
    entropies : ndarray of shape (n_arities,)
        See `Cut.entropy_path`.
    n_segments : int
        See `Cut`.
    """

    starts: np.ndarray
    entropies: np.ndarray
    n_segments: int


class Cutter:
    """Cut columns of the same samples.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,), int
        Class indices.
    weights : ndarray of shape (n_samples,)
        Not negative, and not all 0.
    settings : dict
        `max_intervals`, `selection`, `min_samples_interval` and `max_segments` of the
        discretizer.

    Attributes
    ----------
    counted : ndarray of shape (n_samples,), bool
        Samples with positive weight.
    """

    def __init__(self, labels, weights, settings):
        # In these units weights neither overflow nor lose bits.
        weights, self._one = in_working_units(weights)
        self.counted = weights > 0
        self._weights = weights[self.counted]
        # Classes without samples are ignored.
        classes, self._labels = np.unique(labels[self.counted], return_inverse=True)
        self._n_classes = len(classes)
        self._settings = settings
        self._table = n_log_n(self._weights)
        # A flag that stops the threads: Ctrl-C interrupts the main one only.
        self._halted = np.zeros(1, dtype=np.uint8)

    def halt(self):
        """Make calls in other threads raise an error soon."""
        self._halted[0] = 1

    def cut(self, values):
        """Cut a column.

        Parameters
        ----------
        values : ndarray of shape (n_samples,)
            Finite, or NaN for missing values.

        Returns
        -------
        column : Cut
        """
        values = values[self.counted]
        seen = ~np.isnan(values)
        if not seen.any():
            nothing = np.array([np.nan])
            no_points = np.empty(0)
            names = interval_labels(no_points, no_points, no_points)
            return Cut(
                points=no_points,
                entropy_path=nothing,
                representatives=nothing.copy(),
                labels=names,
                n_segments=0,
            )
        rows = tally(
            values[seen], self._labels[seen], self._weights[seen], self._n_classes
        )
        found = self._partition(rows)
        points, lower, upper = _points(rows.values, found.starts)
        return Cut(
            points=points,
            entropy_path=found.entropies,
            representatives=_medians(rows.values, rows.value_weights, found.starts),
            labels=interval_labels(points, lower, upper),
            n_segments=found.n_segments,
        )

    def points(self, values, codes):
        """Return only the cut points of a column of codes.

        Parameters
        ----------
        values : ndarray of shape (n_values,)
            Finite, distinct, ascending.
        codes : ndarray of shape (n_samples,), int
            0 for a missing value, k for the k-th value.

        Returns
        -------
        points : ndarray of shape (n_intervals - 1,)
            The same as in `cut`.
        """
        codes = codes[self.counted]
        seen = codes > 0
        labels, weights = self._labels, self._weights
        if not seen.all():
            codes, labels, weights = codes[seen], labels[seen], weights[seen]
        if not len(codes):
            return np.empty(0)
        rows = tally_of_places(
            values=values,
            places=codes - 1,
            labels=labels,
            weights=weights,
            n_classes=self._n_classes,
        )
        return _points(rows.values, self._partition(rows).starts)[0]

    def _partition(self, rows):
        """Return the _Partition of a Tally."""
        value_weights = rows.value_weights
        total = value_weights.sum()
        least = self._settings["min_samples_interval"]
        if not isinstance(least, Integral):
            least *= total
        elif least == 1:
            least = 0
        else:
            least *= self._one
        if (value_weights >= least - TIE * total).all():
            least = 0  # every possible interval has that weight
        most = "max_intervals" if self._by_quantiles else "max_segments"
        merged = segments(
            rows,
            self._n_classes,
            max_segments=self._settings[most],
            merge_shares=not least,
        )
        found = multisplits(
            counts=merged.counts,
            max_intervals=self._settings["max_intervals"],
            min_weight=float(least),
            table=self._table,
            halted=self._halted,
        )
        select = SELECTIONS[self._settings["selection"]]
        arity = select(found._replace(counts=merged.counts / self._one))
        starts = merged.starts[found.starts[arity - 1]]
        return _Partition(starts, found.entropies, merged.n_merged)

    @property
    def _by_quantiles(self):
        """Whether cuts are tried at as many quantiles as there may be intervals."""
        return self._settings["selection"] == "quantiles"


def _points(values, starts):
    """Return the points between runs of ascending values, and the values around them.

    Points are midpoints, rounded so that lower <= point < upper.
    """
    lower, upper = values[starts[1:] - 1], values[starts[1:]]
    middle = 0.5 * lower + 0.5 * upper  # the sum itself could overflow
    points = np.where((lower <= middle) & (middle < upper), middle, lower)
    return points, lower, upper


def _medians(values, weights, starts):
    """Return the weighted median of each run of ascending values."""
    ends = np.append(starts[1:], len(values))
    so_far = np.cumsum(weights)
    before = np.append(0.0, so_far)[starts]
    half = (before + so_far[ends - 1]) / 2
    at = np.searchsorted(so_far, half - TIE * so_far[-1])
    return values[np.clip(at, starts, ends - 1)]
