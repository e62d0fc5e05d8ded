"""Names of the intervals of a column, for people."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np


def interval_labels(cut_points, lower, upper):
    """Return names of intervals: ``<= 0.8``, ``(0.8, 1.75]``, ``> 1.75``.

    Parameters
    ----------
    cut_points : ndarray of shape (n_intervals - 1,)
        Ascending.
    lower, upper : ndarrays of shape (n_intervals - 1,)
        The value next below or equal to, and next above, each of them.

    Returns
    -------
    labels : ndarray of shape (n_intervals,), of str
        Numbers are rounded, see `short`; no two labels are equal. ``any value`` where
        there is one interval.
    """
    ends = [short(*border) for border in zip(cut_points, lower, upper)]
    if not ends:
        return np.array(["any value"], dtype=object)
    inner = [f"({low}, {high}]" for low, high in pairwise(ends)]
    return np.array([f"<= {ends[0]}", *inner, f"> {ends[-1]}"], dtype=object)


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
    number = next(filter(is_near, rounded), number)
    if number == 0:
        return "0"
    if 1e-4 <= abs(number) < 1e12:
        return np.format_float_positional(number, trim="-")
    return np.format_float_scientific(number, trim="-", exp_digits=1)
