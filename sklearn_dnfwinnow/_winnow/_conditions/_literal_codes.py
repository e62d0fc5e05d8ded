"""Codes of a column that satisfy a literal: exactly, or approximately."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isinf

import numpy as np


def codes_within(literal, values, points):
    """Return the codes of a column whose values all satisfy a literal.

    Parameters
    ----------
    literal : Literal
    values : ndarray of shape (n_values,)
        In the order of their codes; numbers of intervals if the column is cut.
    points : ndarray or None
        Cut points of the column; None if it is not cut.

    Returns
    -------
    mask : ndarray of shape (n_values + 1,), bool
        False for code 0.
    """
    if points is None:
        return np.concatenate([[False], literal.holds(values)])
    # Without any value, they are objects.
    values = values.astype(np.float64)
    inside = [
        any(low <= below and above <= high for low, high in literal.intervals or ())
        for below, above in _intervals(values, points)
    ]
    return np.array([False, *inside], dtype=bool) | _missing(literal, values)


def codes_about(literal, values, points):
    """Return the codes of a column that satisfy a literal with its ends at cut points.

    Each end of an interval of the literal moves to the nearest cut point, so that no
    interval of the column is divided. An interval that is too narrow for this is
    replaced by the interval of the column that contains its middle.

    Parameters
    ----------
    literal, values, points
        See `codes_within`.

    Returns
    -------
    mask : ndarray of shape (n_values + 1,), bool
    """
    if points is None or not len(points):
        return codes_within(literal, values, points)
    mask = np.zeros(len(values) + 1, dtype=bool)
    ends = _intervals(values, points)
    for low, high in literal.intervals or ():
        first, last = _nearest(low, points), _nearest(high, points)
        if first == last:
            middle = low if isinf(high) else high if isinf(low) else (low + high) / 2
            mask[1:] |= [below < middle <= above for below, above in ends]
        else:
            mask[1:] |= [first <= below and above <= last for below, above in ends]
    return mask | _missing(literal, values)


def _intervals(values, points):
    """Return the ends (low, high] of intervals, by their numbers; NaN is missing."""
    ends = np.concatenate([[-np.inf], points, [np.inf]])
    places = np.where(np.isnan(values), 0, values).astype(int)
    low, high = ends[places], ends[places + 1]
    low[np.isnan(values)] = high[np.isnan(values)] = np.nan
    return list(zip(low.tolist(), high.tolist()))


def _missing(literal, values):
    """Return a mask of the codes of a missing value, for a column that is cut."""
    return np.concatenate([[False], np.isnan(values) & literal.missing])


def _nearest(end, points):
    """Return the cut point nearest to an end of an interval; open ends stay open."""
    return end if isinf(end) else float(points[np.abs(points - end).argmin()])
