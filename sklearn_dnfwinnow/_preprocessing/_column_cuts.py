"""Cuts: one column, cut into intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._preprocessing._interval_labels import interval_labels
from sklearn_dnfwinnow._preprocessing._interval_selection import SELECTIONS
from sklearn_dnfwinnow._preprocessing._multisplits import multisplits
from sklearn_dnfwinnow._preprocessing._segments import TIE, segments, tally


class Cut(NamedTuple):
    """A column cut into intervals.

    Attributes
    ----------
    points : ndarray of shape (n_intervals - 1,)
        Cut points, ascending.
    entropy_path : ndarray of shape (n_arities,)
        Least average class entropy of 1, 2, ... intervals, in bits.
    representatives : ndarray of shape (n_intervals,)
        Weighted median of the values in each interval.
    labels : ndarray of shape (n_intervals,), of str
        Names of the intervals.
    n_segments : int
        Segments before quantiles took some together.
    """

    points: np.ndarray
    entropy_path: np.ndarray
    representatives: np.ndarray
    labels: np.ndarray
    n_segments: int


def cut(values, labels, weights, one, n_classes, table, halted, settings):
    """Cut a column.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Finite, or NaN where missing.
    labels : ndarray of shape (n_samples,)
        Numbers of classes.
    weights : ndarray of shape (n_samples,)
        Positive.
    one : float
        A weight of 1 in the units of these weights, see `in_working_units`.
    n_classes : int
    table, halted : ndarrays
        See `multisplits`.
    settings : dict
        `max_intervals`, `selection`, `min_samples_interval` and `max_segments` of the
        discretizer.

    Returns
    -------
    column : Cut
    """
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
    rows = tally(values[seen], labels[seen], weights[seen], n_classes)
    value_weights = rows.value_weights
    total = value_weights.sum()
    least = settings["min_samples_interval"]
    if not isinstance(least, Integral):
        least *= total
    elif least == 1:
        least = 0
    else:
        least *= one
    if (value_weights >= least - TIE * total).all():
        least = 0  # every possible interval has that weight
    merged = segments(
        rows,
        n_classes,
        max_segments=settings["max_segments"],
        merge_shares=not least,
    )
    found = multisplits(
        counts=merged.counts,
        max_intervals=settings["max_intervals"],
        min_weight=float(least),
        table=table,
        halted=halted,
    )
    select = SELECTIONS[settings["selection"]]
    arity = select(found._replace(counts=merged.counts / one))

    starts = merged.starts[found.starts[arity - 1]]
    lower, upper = rows.values[starts[1:] - 1], rows.values[starts[1:]]
    points = _midpoints(lower, upper)
    return Cut(
        points=points,
        entropy_path=found.entropies,
        representatives=_medians(rows.values, value_weights, starts),
        labels=interval_labels(points, lower, upper),
        n_segments=merged.n_merged,
    )


def _midpoints(lower, upper):
    """Return midpoints of numbers, rounded so that lower <= midpoint < upper."""
    middle = 0.5 * lower + 0.5 * upper  # the sum itself could overflow
    return np.where((lower <= middle) & (middle < upper), middle, lower)


def _medians(values, weights, starts):
    """Return where half of the weight is reached in each run of ascending values."""
    ends = np.append(starts[1:], len(values))
    so_far = np.cumsum(weights)
    before = np.append(0.0, so_far)[starts]
    half = (before + so_far[ends - 1]) / 2
    at = np.searchsorted(so_far, half - TIE * so_far[-1])
    return values[np.clip(at, starts, ends - 1)]
