"""Monotone functions: preimages before functions that preserve the order."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter, defaultdict
from math import inf

import numpy as np

from sklearn_dnfwinnow.inspection._pipelines._preimages import NumericPreimage

# Limits: a function is inverted between the largest that it accepts and its negative.
_LIMITS = np.finfo(np.float64).max, 1e100, 1e30
# Numbers at which monotonicity is tested.
_LADDER = 0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6
# Numbers at which it is tested whether a function is elementwise.
_PROBES = np.array([-3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 7.0])


def is_elementwise(forward, n_columns):
    """Return whether a function maps each number independently of all others.

    Parameters
    ----------
    forward : callable
        From an array of shape (n_samples, n_columns) to one of the same shape.
    n_columns : int
    """
    rows = np.array([np.roll(_PROBES, j) for j in range(n_columns)]).T
    found = _as_floats(forward(rows))
    alone = np.concatenate(
        [_as_floats(forward(np.full((1, n_columns), number))) for number in _PROBES]
    )
    rolled = np.array([np.roll(alone[:, j], j) for j in range(n_columns)]).T
    return np.array_equal(found, rolled, equal_nan=True)


def preimages_through_monotone(forward, n_columns, preimages):
    """Return preimages before a function that preserves, or reverses, the order.

    The preimage of a cut c is the largest number x with f(x) <= c, found by bisection
    on the numbers of float64. It is exact for the function including its rounding.

    Parameters
    ----------
    forward : callable
        From an array of shape (n_samples, n_columns) to one of the same shape, each
        column by itself.
    n_columns : int
    preimages : list of NumericPreimage
        Preimages of columns after the function.

    Returns
    -------
    preimages : list of NumericPreimage or None
        Preimages of columns before the function; None if it is found not to be
        monotone.

    Raises
    ------
    ValueError
        If the function is found not to be monotone, or does not accept enough numbers.
    """
    columns = [preimage.column for preimage in preimages]
    limit, signs = _limit_and_signs(forward, n_columns)
    signs = signs[columns]
    missing = _codes_of_missing(forward, n_columns, preimages)
    preimages = [p.mirrored() if s < 0 else p for p, s in zip(preimages, signs)]

    def heights(numbers):
        """Return the function, made increasing; -inf where it is undefined."""
        found = np.empty_like(numbers)
        for some in _with_distinct(columns):
            table = np.ones((len(numbers), n_columns))
            table[:, [columns[i] for i in some]] = numbers[:, some]
            values = _as_floats(forward(table))
            found[:, some] = signs[some] * values[:, [columns[i] for i in some]]
        return np.where(np.isnan(found), -inf, np.clip(found, -_LIMITS[0], _LIMITS[0]))

    # The first cut is the beginning of the domain of the function.
    targets = np.full((1 + max(len(p.cuts) for p in preimages), len(preimages)), -inf)
    for i, preimage in enumerate(preimages):
        targets[1 : 1 + len(preimage.cuts), i] = preimage.cuts
    ends = _bisected(heights, targets, limit)
    return [
        _with_ends(preimage, ends[: 1 + len(preimage.cuts), i], missing[i])
        for i, preimage in enumerate(preimages)
    ]


def _with_ends(preimage, ends, missing):
    """Return a preimage with moved cuts, for the domain of the function."""
    if (ends[1:] < ends[:-1]).any():
        return None  # The function is not monotone.
    codes = np.array([preimage.missing, *preimage.codes])
    # No number is beyond an infinite end.
    n_below = np.count_nonzero(ends < inf)
    kept = np.isfinite(ends)
    return NumericPreimage(
        column=preimage.column,
        cuts=ends[kept],
        codes=np.append(codes[:-1][kept], codes[n_below]),
        missing=missing,
    ).merged()


def _limit_and_signs(forward, n_columns):
    """Return the largest number a function accepts, and 1 or -1 for each column.

    Raises
    ------
    ValueError
        If the function is found not to be monotone.
    """
    for limit in _LIMITS:
        positive = np.array([*_LADDER, limit])
        ladder = np.concatenate([-positive[::-1], positive])
        try:
            values = _as_floats(forward(np.repeat(ladder[:, None], n_columns, axis=1)))
            break
        except ValueError:
            if limit == _LIMITS[-1]:
                raise
    is_undefined = np.isnan(values)
    if is_undefined[-1].any() or (is_undefined[1:] > is_undefined[:-1]).any():
        raise ValueError("The function is not defined for large numbers.")
    # An infinite value counts as the largest number.
    steps = np.diff(np.clip(values, -_LIMITS[0], _LIMITS[0]), axis=0)
    signs = np.where((steps < 0).any(axis=0), -1.0, 1.0)
    if (steps * signs < 0).any():
        raise ValueError("The function is not monotone.")
    return limit, signs


def _codes_of_missing(forward, n_columns, preimages):
    """Return codes of missing values of the function, 0 if it rejects them."""
    try:
        (values,) = _as_floats(forward(np.full((1, n_columns), np.nan)))
    except ValueError:
        return [0] * len(preimages)
    return [preimage.code_of(values[preimage.column]) for preimage in preimages]


def _bisected(heights, targets, limit):
    """Return the largest numbers whose heights are at most some targets.

    An array like `targets`: -inf if no number from -limit on qualifies, inf if all
    numbers up to the limit qualify.
    """
    low = np.full(targets.shape, _ranks(np.float64(-limit)))
    high = np.full(targets.shape, _ranks(np.float64(limit)))
    is_none = heights(_numbers(low)) > targets
    is_all = heights(_numbers(high)) <= targets
    for _ in range(64):
        # This form avoids overflow.
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        is_below = heights(_numbers(middle)) <= targets
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.where(is_none, -inf, np.where(is_all, inf, _numbers(low)))


def _ranks(numbers):
    """Return integers in the order of float64, adjacent for adjacent numbers."""
    bits = np.asarray(numbers, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _numbers(ranks):
    """Return the numbers with the given ranks."""
    bits = np.where(ranks < 0, ranks ^ np.int64(2**63 - 1), ranks)
    return bits.view(np.float64)


def _with_distinct(columns):
    """Return positions in a list of columns, in groups without repeated columns."""
    seen, groups = Counter(), defaultdict(list)
    for place, column in enumerate(columns):
        groups[seen[column]].append(place)
        seen[column] += 1
    return list(groups.values())


def _as_floats(table):
    """Return data as an array of float64."""
    return np.asarray(table, dtype=np.float64)
