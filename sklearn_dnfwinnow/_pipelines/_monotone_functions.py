"""Monotone functions: preimages in front of functions that keep order."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf

import numpy as np

from sklearn_dnfwinnow._pipelines._preimages import NumericPreimage

# A function is inverted between the largest of these that it takes and its negative.
_LIMITS = np.finfo(np.float64).max, 1e100, 1e30
# Numbers at which a function is compared with itself to see whether it is monotone.
_LADDER = 0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6
# Numbers at which it is tried whether it maps each number on its own.
_PROBES = np.array([-3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 7.0])


def is_elementwise(forward, n_columns):
    """Return whether a function maps each number on its own, whatever is around it.

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
    """Return preimages in front of a function that keeps, or reverses, the order.

    A cut c goes back to the largest number x with f(x) <= c, found by bisection on the
    numbers that float64 has. So it is exact for the function as it rounds.

    Parameters
    ----------
    forward : callable
        From an array of shape (n_samples, n_columns) to one of the same shape, each
        column by itself.
    n_columns : int
    preimages : list of NumericPreimage
        Of columns behind the function.

    Returns
    -------
    preimages : list of NumericPreimage or None
        Of columns in front of it; None where it is seen not to be monotone.

    Raises
    ------
    ValueError
        If the function is seen not to be monotone, or does not take numbers enough.
    """
    columns = [preimage.column for preimage in preimages]
    limit, signs = _limit_and_signs(forward, n_columns)
    signs = signs[columns]
    missing = _codes_of_missing(forward, n_columns, preimages)
    preimages = [p.mirrored() if s < 0 else p for p, s in zip(preimages, signs)]

    def heights(numbers):
        """Return the function made increasing; -inf where it is not defined."""
        found = np.empty_like(numbers)
        for some in _with_distinct(columns):
            table = np.ones((len(numbers), n_columns))
            table[:, [columns[i] for i in some]] = numbers[:, some]
            values = _as_floats(forward(table))
            found[:, some] = signs[some] * values[:, [columns[i] for i in some]]
        return np.where(np.isnan(found), -inf, np.clip(found, -_LIMITS[0], _LIMITS[0]))

    # The first cut is where the function begins to be defined.
    targets = np.full((1 + max(len(p.cuts) for p in preimages), len(preimages)), -inf)
    for i, preimage in enumerate(preimages):
        targets[1 : 1 + len(preimage.cuts), i] = preimage.cuts
    ends = _bisected(heights, targets, limit)
    return [
        _with_ends(preimage, ends[: 1 + len(preimage.cuts), i], missing[i])
        for i, preimage in enumerate(preimages)
    ]


def _with_ends(preimage, ends, missing):
    """Return a preimage with its cuts moved, behind where it is not defined."""
    if (ends[1:] < ends[:-1]).any():
        return None  # The function is not monotone.
    codes = np.array([preimage.missing, *preimage.codes])
    # Beyond an infinite end there is no number.
    n_below = np.count_nonzero(ends < inf)
    kept = np.isfinite(ends)
    return NumericPreimage(
        column=preimage.column,
        cuts=ends[kept],
        codes=np.append(codes[:-1][kept], codes[n_below]),
        missing=missing,
    ).merged()


def _limit_and_signs(forward, n_columns):
    """Return the largest number a function takes, and 1 or -1 for each column.

    Raises
    ------
    ValueError
        If the function is seen not to be monotone.
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
    signs = np.ones(n_columns)
    for j, column in enumerate(values.T):
        defined = np.flatnonzero(~np.isnan(column))
        # An infinite value counts as the largest number.
        steps = np.diff(np.clip(column[defined], -_LIMITS[0], _LIMITS[0]))
        if not len(defined) or defined[0] + len(defined) < len(column):
            raise ValueError("The function is not defined for large numbers.")
        if (steps < 0).any():
            signs[j] = -1.0
        if (steps * signs[j] < 0).any():
            raise ValueError("The function is not monotone.")
    return limit, signs


def _codes_of_missing(forward, n_columns, preimages):
    """Return codes of the function of missing values, 0 if it refuses them."""
    try:
        (values,) = _as_floats(forward(np.full((1, n_columns), np.nan)))
    except ValueError:
        return [0] * len(preimages)
    return [preimage.code_of(values[preimage.column]) for preimage in preimages]


def _bisected(heights, targets, limit):
    """Return the largest numbers whose heights are at most some targets.

    An array like `targets`: -inf where there is none from -limit on, inf where all up
    to the limit are.
    """
    low = np.full(targets.shape, _ranks(np.float64(-limit)))
    high = np.full(targets.shape, _ranks(np.float64(limit)))
    is_none = heights(_numbers(low)) > targets
    is_all = heights(_numbers(high)) <= targets
    for _ in range(64):
        # Without overflow.
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        is_below = heights(_numbers(middle)) <= targets
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.where(is_none, -inf, np.where(is_all, inf, _numbers(low)))


def _ranks(numbers):
    """Return integers in the order of float64, adjacent for adjacent numbers."""
    bits = np.asarray(numbers, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _numbers(ranks):
    """Return the numbers that have some ranks."""
    bits = np.where(ranks < 0, ranks ^ np.int64(2**63 - 1), ranks)
    return bits.view(np.float64)


def _with_distinct(columns):
    """Return places in a list of columns, in groups that have no column twice."""
    seen = {}
    groups = []
    for place, column in enumerate(columns):
        times = seen[column] = seen.get(column, -1) + 1
        if times == len(groups):
            groups.append([])
        groups[times].append(place)
    return groups


def _as_floats(table):
    """Return a table as an array of float64."""
    return np.asarray(table, dtype=np.float64)
