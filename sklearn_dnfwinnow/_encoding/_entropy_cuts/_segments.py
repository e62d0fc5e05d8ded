"""Segments: runs of neighbouring values that no optimal partition has to separate."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._quantiles import quantile_starts

# Average class entropies, class shares and shares of the weight at most this far apart
# (in bits, in parts of one) count as equal: far above the rounding of sums of
# fractional weights, far below any difference that a sample could show.
TIE = 1e-12


class Tally(NamedTuple):
    """The samples of a column, counted by value and class.

    Attributes
    ----------
    values : ndarray of shape (n_values,)
        Distinct values, ascending.
    starts : ndarray of shape (n_values,)
        Start of the entries of each value.
    classes : ndarray of shape (n_cells,)
        Class of each entry; ascending within a value, each with positive weight.
    weights : ndarray of shape (n_cells,)
        Weight of the samples of that value and class.
    """

    values: np.ndarray
    starts: np.ndarray
    classes: np.ndarray
    weights: np.ndarray

    @property
    def value_weights(self):
        """Return the weight of the samples of each value."""
        return np.add.reduceat(self.weights, self.starts)

    @property
    def owners(self):
        """Return the position of the value of each entry."""
        sizes = np.diff(self.starts, append=len(self.weights))
        return np.repeat(np.arange(len(sizes)), sizes)


class Segments(NamedTuple):
    """Runs of neighbouring values.

    Attributes
    ----------
    starts : ndarray of shape (n_segments,)
        Position of the first value of each.
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class.
    n_merged : int
        Number of segments before some were merged by quantiles; n_segments if none
        were.
    """

    starts: np.ndarray
    counts: np.ndarray
    n_merged: int


def tally(values, places, labels, weights, n_classes):
    """Count at least one sample by value and class; memory is linear in the samples.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Finite, distinct, ascending. Values without a sample are ignored.
    places : ndarray of shape (n_samples,), int
        Index of the value of each sample.
    labels : ndarray of shape (n_samples,)
        Class indices.
    weights : ndarray of shape (n_samples,)
        Positive.
    n_classes : int

    Returns
    -------
    rows : Tally
        Bit-identical for any order of the samples.
    """
    cells = places * np.int64(n_classes) + labels
    if not is_whole(weights):  # fractions add up to the same only in the same order
        order = np.lexsort((weights, cells))
        cells, weights = cells[order], weights[order]
    if len(values) * n_classes <= 4 * len(cells):
        counts = np.bincount(cells, weights, minlength=len(values) * n_classes)
        cells = np.flatnonzero(counts)
        weights = counts[cells]
    else:
        order = np.argsort(cells, kind="stable")
        cells, weights = cells[order], weights[order]
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        cells, weights = cells[starts], np.add.reduceat(weights, starts)
    owners, classes = np.divmod(cells, n_classes)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    return Tally(values[owners[starts]], starts, classes, weights)


def is_whole(weights):
    """Return whether weights are integers with exact sums."""
    return bool((weights == np.floor(weights)).all() and weights.sum() < 2.0**53)


def in_working_units(weights):
    """Return weights in units in which they neither overflow nor lose bits.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,)
        Not negative, and not all 0.

    Returns
    -------
    weights : ndarray of shape (n_samples,)
        Unchanged if they are integers. Otherwise divided by a power of two, which is
        exact, so that the largest is about 1; relatively tiny weights become 0.
    one : float
        A weight of 1 in these units, within the range of float64.
    """
    if weights.max() < 2.0**53 and is_whole(weights):
        return weights, 1.0
    net_count = -int(np.frexp(weights.max())[1])
    return np.ldexp(weights, net_count), 2.0 ** min(max(net_count, -800), 800)


def segments(rows, n_classes, max_segments=None, merge_shares=True):
    """Merge neighbouring values.

    Parameters
    ----------
    rows : Tally
    n_classes : int
    max_segments : int or None
        If there are more, runs of segments with about the same weight are merged.
    merge_shares : bool
        Whether to merge values with the same class distribution. No optimal partition
        separates them if intervals may have any weight (Elomaa & Rousu 2004).

    Returns
    -------
    merged : Segments
    """
    owners, totals = rows.owners, rows.value_weights
    starts = np.arange(len(totals))
    if merge_shares:
        starts = starts[_differs_from_previous(rows, owners, totals)]
    n_merged = len(starts)
    if max_segments is not None and n_merged > max_segments:
        groups = quantile_starts(np.add.reduceat(totals, starts), max_segments)
        starts = starts[groups]
    segment = np.searchsorted(starts, owners, side="right") - 1
    counts = np.bincount(
        segment * n_classes + rows.classes,
        rows.weights,
        minlength=len(starts) * n_classes,
    )
    return Segments(starts, counts.reshape(-1, n_classes), n_merged)


def _differs_from_previous(rows, owners, totals):
    """Return a mask of values whose class distribution differs from the previous."""
    shares = rows.weights / totals[owners]
    sizes = np.diff(rows.starts, append=len(owners))
    previous = np.maximum(owners - 1, 0)
    # The entry at the same place among those of the previous value.
    partner = np.arange(len(owners)) - rows.starts[owners] + rows.starts[previous]
    has_partner = (sizes[owners] == sizes[previous]) & (owners > 0)
    partner[~has_partner] = 0
    differs = (
        ~has_partner
        | (rows.classes != rows.classes[partner])
        | (np.abs(shares - shares[partner]) > TIE)
    )
    return np.logical_or.reduceat(differs, rows.starts)
