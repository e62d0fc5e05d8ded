"""Cuts: partitions of least class entropy, groups of equal weight, and their texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise
from math import ceil
from numbers import Integral
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from sklearn_dnfwinnow._kernels import entropy


def midpoints(lower, upper):
    """Return points between numbers, so that lower <= point < upper."""
    middle = 0.5 * lower + 0.5 * upper  # the sum itself could overflow
    return np.where((lower <= middle) & (middle < upper), middle, lower)


def short(number, lower, upper):
    """Return a number as text, in the fewest digits that keep it in place.

    It stays between `lower`, inclusive, and `upper`, exclusive, and moves by at most a
    tenth of the gap between them.
    """
    slack = 0.1 * upper - 0.1 * lower
    return _rounded(
        number, lambda near: lower <= near < upper and abs(near - number) <= slack
    )


def shortest(low, high):
    """Return the number of the fewest digits in (low, high], as text."""
    if low < 0 <= high:
        return "0"
    return _rounded(high, lambda near: low < near <= high)


def _rounded(number, is_near):
    """Return a number as text, rounded to the fewest digits that are near enough."""
    rounded = (float(f"{number:.{digits}g}") for digits in range(1, 17))
    return as_text(next(filter(is_near, rounded), number))


def as_text(number):
    """Return a number with all its digits, and none that are zero behind them."""
    if number == 0:
        return "0"
    if 1e-4 <= abs(number) < 1e12:
        return np.format_float_positional(number, trim="-")
    return np.format_float_scientific(number, trim="-", exp_digits=1)


def well_between(lower, upper, near=None):
    """Return a number of few digits between two neighbouring numbers.

    Parameters
    ----------
    lower, upper : float
    near : float, default=None
        A number that is rounded, as far as a twentieth of the gap from both. If it is
        nearer to one of them, their midpoint is. None is their midpoint, which is
        rounded by a tenth of the gap at most.

    Returns
    -------
    number : float
        With ``lower <= number < upper``.
    """
    middle = float(midpoints(lower, upper))
    if near is None:
        return float(short(middle, lower, upper))
    slack = 0.05 * upper - 0.05 * lower

    def is_between(number):
        return lower + slack <= number <= upper - slack

    if is_between(0.0):
        return 0.0
    return float(_rounded(near if is_between(near) else middle, is_between))


def are_counts(numbers):
    """Return whether numbers are whole, and none lies between two of them."""
    ascending = sorted(map(float, numbers))
    return all(map(float.is_integer, ascending)) and all(
        high - low == 1 for low, high in pairwise(ascending)
    )


def quantile_starts(weights, n_groups):
    """Return the starts of at most `n_groups` groups of about equal weight.

    A group consists of the values whose middles are between the same two quantiles. A
    value heavier than a group spans several quantiles, which gives fewer groups; the
    quantiles are then refined.

    Parameters
    ----------
    weights : ndarray of shape (n_values,)
        Of the values, in their order.
    n_groups : int

    Returns
    -------
    starts : ndarray of shape (n_found,), int
        Position of the first value of each group.
    """
    middle = np.cumsum(weights) - weights / 2
    total = weights.sum() or 1.0

    def starts(n_quantiles):
        """Return the starts of the groups for a number of quantiles."""
        quantile = (middle * n_quantiles / total).astype(np.intp)
        # The middle of the last value may be rounded to the total.
        quantile = np.minimum(quantile, ceil(n_quantiles) - 1)
        return np.flatnonzero(np.diff(quantile, prepend=-1))

    n_quantiles = n_groups
    found = starts(n_quantiles)
    while len(found) < 0.9 * n_groups:
        # A little less than the estimate, and at most the resolution of floats.
        n_quantiles = min(n_quantiles * 0.95 * n_groups / len(found), 2.0**53)
        finer = starts(n_quantiles)
        if not len(found) < len(finer) <= n_groups:
            break
        found = finer
    return found


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
    cells, inverse = np.unique(cells, return_inverse=True)
    weights = np.bincount(inverse, weights)
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
    starts : ndarray of shape (n_segments,)
        Position of the first value of each run.
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class in it.
    """
    owners, totals = rows.owners, rows.value_weights
    starts = np.arange(len(totals))
    if merge_shares:
        starts = starts[_differs_from_previous(rows, owners, totals)]
    if max_segments is not None and len(starts) > max_segments:
        groups = quantile_starts(np.add.reduceat(totals, starts), max_segments)
        starts = starts[groups]
    segment = np.searchsorted(starts, owners, side="right") - 1
    counts = np.bincount(
        segment * n_classes + rows.classes,
        rows.weights,
        minlength=len(starts) * n_classes,
    )
    return starts, counts.reshape(-1, n_classes)


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


# The largest table of n log n, in entries of 8 bytes.
_LARGEST_TABLE = 1 << 21


class Multisplits(NamedTuple):
    """An optimal partition into each number of intervals that is possible.

    Attributes
    ----------
    entropies : ndarray of shape (n_arities,)
        Average class entropy of the partition into 1, 2, ... intervals, in bits.
    starts : list of n_arities ndarrays of shape (1,), (2,), ...
        First segment of each interval.
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class in each segment.
    """

    entropies: np.ndarray
    starts: list
    counts: np.ndarray


def n_log_n(weights):
    """Return a table of n log2 n for n = 0, 1, ..., up to the sum of some weights.

    It is faster than logarithms, and threads can share it. It is empty if weights are
    not integers, or if their sum is too large.
    """
    total = weights.sum()
    if not is_whole(weights) or total >= _LARGEST_TABLE:
        return np.empty(0)
    n = np.arange(int(total) + 1, dtype=np.float64)
    return n * np.log2(np.maximum(n, 1.0))


def multisplits(counts, max_intervals, min_weight, table, halted):
    """Find the optimal partitions.

    Parameters
    ----------
    counts : ndarray of shape (n_segments, n_classes)
        Weight of each class in each segment.
    max_intervals : int
        The largest arity.
    min_weight : float
        Minimum weight of an interval if there are several; 0 for no minimum.
    table : ndarray
        See `n_log_n`.
    halted : ndarray of shape (1,), uint8
        Set to a nonzero value by another thread to end the call.

    Returns
    -------
    found : Multisplits

    Raises
    ------
    RuntimeError
        If it was halted.
    """
    n_segments, n_classes = counts.shape
    prefix = np.vstack([np.zeros(n_classes), counts.cumsum(axis=0)])
    weight = prefix.sum(axis=1)
    total = weight[-1]
    n_arities = min(max_intervals, n_segments)
    if min_weight > 0.0:
        # Maximum number of intervals with this weight.
        most = int(total / max(min_weight - TIE * total, TIE * total))
        n_arities = max(1, min(n_arities, most))
        min_weight = min(min_weight, total)
    shape, bounds = (n_arities, n_segments + 1), None
    # With a minimum weight, the costs without one are bounds.
    for least in dict.fromkeys([0.0, min_weight]):
        cost, start = np.full(shape, np.inf), np.zeros(shape, dtype=np.intp)
        entropy.multisplit(
            prefix=prefix,
            weight=weight,
            min_weight=least,
            tie=TIE * total,
            table=table,
            halted=halted,
            known=np.full(n_segments, -1.0),
            cost=cost,
            start=start,
            bounds=cost if bounds is None else bounds,
        )
        bounds = cost
    if halted[0]:
        raise RuntimeError("The search for partitions was halted.")
    starts = []
    for arity in range(1, 1 + int(np.isfinite(cost[:, -1]).sum())):
        path = [n_segments]
        for k in range(arity - 1, -1, -1):
            path.append(start[k, path[-1]])
        starts.append(np.array(path[:0:-1]))
    return Multisplits(cost[: len(starts), -1] / total, starts, counts)


def fewest_of_least_entropy(found):
    """Return the fewest intervals with the minimum average class entropy."""
    return 1 + int(np.argmax(found.entropies <= found.entropies.min() + TIE))


def most_possible(found):
    """Return the largest number of intervals."""
    return len(found.entropies)


def most_probable(found):
    """Return the number of intervals of the most probable partition (Boulle 2006).

    This is the criterion of MODL. In its prior, all numbers of intervals are equally
    probable, then all divisions of N rows among I intervals, and then, in each
    interval, all distributions over the J classes. Minus the logarithm of prior times
    likelihood is, up to a constant,

        log C(N + I - 1, I - 1) + sum_i log C(N_i + J - 1, J - 1)
            + sum_i log (N_i! / prod_j N_ij!).
    """
    n_classes = found.counts.shape[1]
    rows = found.counts.sum()
    costs = []
    for arity in range(1, len(found.entropies) + 1):
        counts = np.add.reduceat(found.counts, found.starts[arity - 1], axis=0)
        inside = counts.sum(axis=1)
        borders = _log_binomial(rows + arity - 1, arity - 1)
        distributions = _log_binomial(inside + n_classes - 1, n_classes - 1).sum()
        labels = gammaln(inside + 1).sum() - gammaln(counts + 1).sum()
        costs.append(borders + distributions + labels)
    return 1 + int(np.argmax(costs <= np.min(costs) + 1e-9))


def most_balanced(found):
    """Return the number k of largest gain over log2(k) (Elomaa & Rousu 1999)."""
    gains = found.entropies[0] - found.entropies[1:]
    if not (gains > TIE).any():
        return 1
    balanced = gains / np.log2(np.arange(2, len(gains) + 2))
    return 2 + int(np.argmax(balanced >= balanced.max() - TIE))


def _log_binomial(n, k):
    """Return the log of the number of ways to choose k of n."""
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


SELECTIONS = {
    "max": fewest_of_least_entropy,
    # Between quantiles, see `Cutter`.
    "quantiles": most_possible,
    "mdl": most_probable,
    "balanced": most_balanced,
}


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
    """

    values: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    entropies: np.ndarray

    @property
    def points(self):
        """Return the cut points, ascending: (n_intervals - 1,)."""
        return midpoints(*self._borders)

    @classmethod
    def of_quantiles(cls, values, places, weights, most=np.inf):
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
        totals = np.bincount(places, weights=weights, minlength=len(values) + 1)[1:]
        seen = np.flatnonzero(totals)
        values, totals = values[seen], totals[seen]
        starts = np.arange(len(values))
        if len(values) > most:
            starts = quantile_starts(totals, most)
        return cls._from(values, totals, starts)

    @classmethod
    def _from(cls, values, weights, starts):
        """Return intervals by their starts, without entropies."""
        entropies = np.full(max(1, len(starts)), np.nan)
        return cls(values, weights, starts, entropies)

    def with_points(self, points):
        """Return the intervals of these values between other cut points, ascending."""
        starts = np.searchsorted(self.values, points, side="right")
        # There is no interval without values.
        starts = np.concatenate([[0], starts])[: len(self.values)]
        return self._from(self.values, self.weights, starts)

    def with_borders(self, borders):
        """Return intervals between some of the borders, given by their positions."""
        kept = np.append(0, borders + 1)[: len(self.starts)]
        return self._from(self.values, self.weights, self.starts[kept])

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
        if not seen.any():
            nothing = np.empty(0)
            return Partition._from(nothing, nothing, np.empty(0, dtype=np.intp))
        rows = tally(
            values=values,
            places=places[seen] - 1,
            labels=self._labels[seen],
            weights=self._weights[seen],
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
        starts, counts = segments(
            rows,
            self._n_classes,
            max_segments=self._settings[most],
            merge_shares=not (least or by_quantiles),
        )
        found = multisplits(
            counts=counts,
            max_intervals=self._settings["max_intervals"],
            min_weight=float(least),
            table=self._table,
            halted=self._halted,
        )
        select = SELECTIONS[self._settings["selection"]]
        arity = select(found._replace(counts=counts / self._one))
        return Partition(
            values=rows.values,
            weights=value_weights,
            starts=starts[found.starts[arity - 1]],
            entropies=found.entropies,
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
