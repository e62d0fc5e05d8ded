"""Repetitions: a batch of samples, the rows of its epochs, their units and order."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import repeat
from math import fsum, lcm

import numpy as np

from sklearn_dnfwinnow._encoding._cuts import is_whole
from sklearn_dnfwinnow._encoding._table import in_samples
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._estimators import warn
from sklearn_dnfwinnow._winnow._stores import check_sum

# Denominators of sample weights. Weights are rounded to the last one, or to smaller
# units if a weight is less than half of that.
_DENOMINATORS, _FINE_DENOMINATOR = (1, 2, 4, 20, 100), 10_000
# In `fit`, the largest weight below which weights are relative to it, and the mean
# above which they are relative to the mean.
_LEAST, _MOST_MEAN = 1 / 4, 4
# A mean in `partial_fit` below which a warning is issued.
_NEARLY_NO_REPETITION = 1 / 10
# A row with more repetitions in an epoch is presented several times in succession.
_MOST_PRESENTATIONS = 32


@dataclass(frozen=True, eq=False)
class Repetitions:
    """The rows that one training call presents to the weights of all classes.

    Attributes
    ----------
    codes : ndarray of shape (n, n_attributes), int32
        Rows of codes.
    labels : ndarray of shape (n,), int
        Class indices.
    units : ndarray of shape (n,), int64
        Weights, in units of which `one` make a whole repetition.
    one : int
        A row of weight w is presented w times in succession, a fraction last.
    n_epochs : int
        Maximum number of epochs.
    seed : int or None
        Seed of the order in each epoch; None keeps the given order.
    """

    codes: np.ndarray
    labels: np.ndarray
    units: np.ndarray
    one: int = 1
    n_epochs: int = 1
    seed: int | None = None

    def orders(self):
        """Yield the order of each epoch, the same for all classes."""
        given = np.arange(len(self.codes))
        if self.seed is None:
            yield from repeat(given, self.n_epochs)
            return
        random = np.random.RandomState(self.seed)
        for _ in range(self.n_epochs):
            yield random.permutation(given)


def in_repetitions(weights):
    """Return sample weights as numbers of repetitions, which are not far from 1.

    Whole numbers are numbers of copies, up to a common factor; other equal weights are
    1. An epoch of small weights would learn next to nothing: if the largest one is
    small, they are relative to it. One of large weights takes long: if their mean is
    large, they are relative to the mean.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,), float64
        Not negative; rows of weight 0 are ignored.
    """
    kept = weights[weights > 0]
    if len(kept) and kept.min() == kept.max():
        return (weights > 0).astype(np.float64)
    if is_whole(weights):
        weights = in_samples(weights)
    if weights.max() < _LEAST:
        return weights / weights.max()
    # A sum that depends neither on the order of rows nor overflows.
    mean = fsum(weights / max(1, len(kept)))
    return weights / mean if mean > _MOST_MEAN else weights


def warn_of_small_weights(weights):
    """Warn of weights by which `partial_fit` learns next to nothing."""
    kept = weights[weights > 0]
    mean = (kept / max(1, len(kept))).sum()
    if len(kept) and mean < _NEARLY_NO_REPETITION:
        warn(
            f"The mean of sample_weight is {mean:.2g}. In partial_fit, a weight is the "
            "number of times that a row is presented: scale all weights of all calls "
            "to a mean of about 1."
        )


def whole_units(weights, least, parts=1):
    """Return positive weights as integers over a common denominator.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,), float64
        Positive.
    least : int
        Denominator of the model so far; the new denominator is a multiple of it.
    parts : int
        Common divisor of the units of all weights.

    Returns
    -------
    units : ndarray of shape (n_samples,), int64
        At least 1.
    denominator : int
        The smallest denominator of which all weights are such units, or the largest
        one.

    Raises
    ------
    ValueError
        If there are too many units, see `sklearn_dnfwinnow._winnow._stores`.
    """
    with np.errstate(over="ignore"):
        check_sum(float(weights.sum()))
    denominators = _DENOMINATORS
    if weights.min() < 0.5 / _DENOMINATORS[-1]:
        denominators += (_FINE_DENOMINATOR,)
    for denominator in denominators:
        units = np.rint(weights * denominator)
        close = np.allclose(weights * denominator, units, rtol=0, atol=1e-9)
        if close and units.all():  # tiny weights are close to 0 units, too
            break
    units = np.maximum(units, 1)
    common = lcm(denominator * parts, least)
    times = common // denominator
    check_sum(float(units.sum()) * times, common)
    return units.astype(np.int64) * times, common


def canonical_rows(rows, seed=None, class_weights=None, parts=1):
    """Return the repetitions of an epoch, as a function of weights of distinct rows.

    Equal (row, class) pairs are merged, with the sum of their weights times the weight
    of their class, and sorted. Then a pair of weight w is presented w times, a fraction
    last. A weight and the same number of copies are therefore equivalent, and the order
    of the training rows has no effect.

    Parameters
    ----------
    rows : Repetitions
        Each row once.
    seed : int or None
        Seed of the order in each epoch, see `Repetitions`.
    class_weights, parts
        See `with_class_weights`.

    Returns
    -------
    rows : Repetitions
        One entry per repetition.
    """
    pairs = np.column_stack([rows.codes, rows.labels.astype(np.int32)])
    distinct, _, inverse = distinct_rows(pairs)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, inverse, rows.units)
    merged = replace(
        rows,
        codes=distinct[:, :-1],
        labels=distinct[:, -1].astype(np.intp),
        units=totals,
        seed=seed,
    )
    return _repeated(with_class_weights(merged, class_weights, parts))


def rows_in_order(rows, class_weights=None, parts=1):
    """Return the presentations of an epoch, in the given order.

    A row of weight w is presented w times in succession, a fraction last, each time
    with the weight of its class. A weight and copies of the row in succession are
    therefore equivalent, for weights up to `_MOST_PRESENTATIONS`.

    Parameters
    ----------
    rows : Repetitions
        Each row once.
    class_weights, parts
        See `with_class_weights`.
    """
    if _are_ones(class_weights):
        return rows
    return with_class_weights(_repeated(rows), class_weights, parts)


def with_class_weights(rows, class_weights, parts=1):
    """Return rows with their weights times the weights of their classes.

    The products are rounded, as by `whole_units`.

    Parameters
    ----------
    rows : Repetitions
    class_weights : ndarray of shape (n_classes,), float64, or None
        Positive for the classes of the rows. None is weight 1 for all classes.
    parts : int
        Common divisor of the units of all weights.
    """
    if _are_ones(class_weights):
        return rows
    with np.errstate(over="ignore"):
        weights = rows.units / rows.one * class_weights[rows.labels]
    units, one = whole_units(weights, least=rows.one, parts=parts)
    return replace(rows, units=units, one=one)


def _are_ones(class_weights):
    return class_weights is None or bool((class_weights == 1).all())


def _repeated(rows):
    """Return one entry per repetition of each row; the sum of units is unchanged.

    Above `_MOST_PRESENTATIONS`, an entry represents several repetitions in succession,
    so that an epoch is not longer than necessary.
    """
    times = np.minimum(-(-rows.units // rows.one), _MOST_PRESENTATIONS)
    row = np.repeat(np.arange(len(times)), times)
    turn = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    # Whole repetitions, one more for the first entries if they are not even. The
    # fraction is added to the last entry.
    whole = rows.units // rows.one
    more = turn < (whole % times)[row]
    shares = rows.one * (whole[row] // times[row] + more)
    shares[np.cumsum(times) - 1] += rows.units - np.add.reduceat(
        shares, np.cumsum(times) - times
    )
    return replace(
        rows,
        codes=np.ascontiguousarray(rows.codes[row]),
        labels=rows.labels[row],
        units=shares,
    )
