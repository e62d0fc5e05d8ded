"""Cutter: columns, each cut into intervals independently."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise
from numbers import Integral
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._cuts import (
    SELECTIONS,
    TIE,
    in_working_units,
    midpoints,
    multisplits,
    n_log_n,
    quantile_starts,
    segments,
    short,
    tally,
)


class Partition(NamedTuple):
    """The selected intervals of a column.

    Attributes
    ----------
    values, weights : ndarrays of shape (n_values,)
        Distinct values, ascending, and their weights.
    starts : ndarray of shape (n_intervals,)
        Position of the first value of each interval; empty if there is no value.
    entropies : ndarray of shape (n_arities,)
        Minimum average class entropy of 1, 2, ... intervals, in bits.
    n_segments : int
        Number of segments before some were merged by quantiles.
    """

    values: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    entropies: np.ndarray
    n_segments: int

    @property
    def points(self):
        """Return the cut points, ascending: (n_intervals - 1,)."""
        return midpoints(*self._borders)

    @classmethod
    def of_quantiles(cls, values, places, weights, most):
        """Return intervals of about equal weights, at most so many, without labels.

        Parameters
        ----------
        values : ndarray of shape (n_values,)
            Distinct, ascending.
        places : ndarray of shape (n_samples,), int
            0 for a missing value, k for the k-th value.
        weights : ndarray of shape (n_samples,)
        most : int
        """
        values, totals = _seen(values, places, weights)
        starts = np.arange(len(values))
        if len(values) > most:
            starts = quantile_starts(totals, most)
        return cls._from(values, totals, starts)

    @classmethod
    def at(cls, values, places, weights, points):
        """Return the intervals between given cut points, see `of_quantiles`.

        Parameters
        ----------
        values, places, weights
            See `of_quantiles`.
        points : ndarray of shape (n_points,)
            Ascending; a value or more is on each side of each of them.
        """
        values, totals = _seen(values, places, weights)
        starts = np.searchsorted(values, points, side="right")
        return cls._from(values, totals, np.concatenate([[0], starts])[: len(values)])

    @classmethod
    def _from(cls, values, weights, starts):
        """Return intervals by their starts, without entropies."""
        entropies = np.full(max(1, len(starts)), np.nan)
        return cls(values, weights, starts, entropies, len(values))

    def only(self, borders):
        """Return the partition with some of its cut points, by their positions."""
        kept = np.concatenate([[0], 1 + np.asarray(borders, dtype=int)])
        # There is no interval without values.
        starts = self.starts[kept[: len(self.starts)]]
        return self._from(self.values, self.weights, starts)

    @property
    def labels(self):
        """Return names of intervals: ``<= 0.8``, ``(0.8, 1.75]``, ``> 1.75``.

        Numbers are rounded, see `short`; no two labels are equal. ``any value`` where
        there is one interval.
        """
        ends = [short(*border) for border in zip(self.points, *self._borders)]
        if not ends:
            return np.array(["any value"], dtype=object)
        inner = [f"({low}, {high}]" for low, high in pairwise(ends)]
        return np.array([f"<= {ends[0]}", *inner, f"> {ends[-1]}"], dtype=object)

    @property
    def _borders(self):
        """The values next below or equal to each cut point, and next above it."""
        return self.values[self.starts[1:] - 1], self.values[self.starts[1:]]

    @property
    def medians(self):
        """Return the weighted median of the values of each interval."""
        if not len(self.values):
            return np.array([np.nan])
        ends = np.append(self.starts[1:], len(self.values))
        so_far = np.cumsum(self.weights)
        before = np.append(0.0, so_far)[self.starts]
        half = (before + so_far[ends - 1]) / 2
        at = np.searchsorted(so_far, half - TIE * so_far[-1])
        return self.values[np.clip(at, self.starts, ends - 1)]


def _seen(values, places, weights):
    """Return the values with positive weight, and their total weights."""
    totals = np.bincount(places, weights=weights, minlength=len(values) + 1)[1:]
    seen = np.flatnonzero(totals)
    return values[seen], totals[seen]


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

    def partition(self, values, places):
        """Cut a column.

        Parameters
        ----------
        values : ndarray of shape (n_values,)
            Finite, distinct, ascending.
        places : ndarray of shape (n_samples,), int
            0 for a missing value, k for the k-th value.

        Returns
        -------
        found : Partition
        """
        places = places[self.counted]
        seen = places > 0
        labels, weights = self._labels, self._weights
        if not seen.all():
            places, labels, weights = places[seen], labels[seen], weights[seen]
        if not len(places):
            nothing = np.empty(0)
            return Partition._from(nothing, nothing, np.empty(0, dtype=np.intp))
        rows = tally(
            values=values,
            places=places - 1,
            labels=labels,
            weights=weights,
            n_classes=self._n_classes,
        )
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
        # Quantiles are cut at as many places as there may be intervals.
        by_quantiles = self._settings["selection"] == "quantiles"
        most = "max_intervals" if by_quantiles else "max_segments"
        merged = segments(
            rows,
            self._n_classes,
            max_segments=self._settings[most],
            merge_shares=not (least or by_quantiles),
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
        return Partition(
            values=rows.values,
            weights=value_weights,
            starts=merged.starts[found.starts[arity - 1]],
            entropies=found.entropies,
            n_segments=merged.n_merged,
        )


def interval_places(points, numbers):
    """Return the interval of each number, from 1; 0 for a missing one.

    Parameters
    ----------
    points : ndarray of shape (n_intervals - 1,)
        Cut points.
    numbers : ndarray of shape (n,), float64
    """
    # The number of cut points below a number; NaN sorts above them all.
    places = np.searchsorted(points, numbers) + 1
    places[np.isnan(numbers)] = 0
    return places
