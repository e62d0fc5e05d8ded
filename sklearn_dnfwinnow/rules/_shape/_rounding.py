"""Rounding: ends of intervals with few digits, and rows on the same side of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise
from math import inf, isfinite, nextafter

from sklearn_dnfwinnow.rules._shape._extent import Extent
from sklearn_dnfwinnow.rules._term import Term

# Each float64 has a text of fewer significant digits.
_MOST_DIGITS = 18


def rounded(terms, numbers):
    """Return terms whose numbers have as few digits as separate the same known numbers.

    Parameters
    ----------
    terms : iterable of Term

    numbers : dict of int to ndarray
        For columns by their position, the known numbers, ascending, float64.

    Returns
    -------
    terms : list of Term
        They hold for the same known values. Their text is exact. Ends between two
        neighbouring whole numbers of a column of whole numbers are these, as in `calls
        >= 3` and `calls <= 2`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape._rounding import rounded
    >>> dnf = DNF.parse("calls > 2.5 & balance <= -240.8357")
    >>> known = {0: np.arange(9.0), 1: np.array([-251.7, -240.9, -230.1, 16.0])}
    >>> print(*rounded(dnf.terms, known))
    calls >= 3 & balance <= -240
    """
    return [
        Term(
            _rounded(literal, numbers.get(literal.column)) for literal in term.literals
        )
        for term in terms
    ]


def _rounded(literal, numbers):
    """Return a literal with rounded ends; as it is where it has no ends."""
    extent = Extent.of(literal)
    if not extent.intervals or numbers is None or not len(numbers):
        return literal
    are_whole = all(map(float.is_integer, map(float, numbers)))
    ends = [
        [_end(end, is_low, numbers, are_whole) for is_low, end in zip((1, 0), interval)]
        for interval in extent.intervals
    ]
    ascending = [end for interval in ends for end in interval]
    if any(low >= high for low, high in pairwise(ascending)):
        return literal  # between two ends there is no known number
    rounded = replace(extent, intervals=tuple(map(tuple, ends)))
    return rounded.literal(literal.column, literal.feature)


def _end(end, is_low, numbers, are_whole):
    """Return an end that separates the same numbers, with fewer digits.

    Parameters
    ----------
    end : float
    is_low : bool
        Whether an interval begins with it.
    numbers : ndarray of shape (n_numbers,), float64
        Ascending.
    are_whole : bool
        Whether all of them are integers.
    """
    place = numbers.searchsorted(end, side="right")
    if not isfinite(end) or not 0 < place < len(numbers):
        return end
    below, above = float(numbers[place - 1]), float(numbers[place])
    if not isfinite(below) or not isfinite(above):
        return end
    if are_whole and above - below == 1:
        number = above if is_low else below
    else:
        number = _fewest_digits(end, below, above)
    # An end at the number above is exclusive, as in `balance < 0`.
    return nextafter(number, -inf) if number == above else number


def _fewest_digits(number, low, high):
    """Return the number of the fewest digits in [low, high], near one in it."""
    if low <= 0 <= high:
        return 0.0
    exact = Decimal(number)
    for n_digits in range(1, _MOST_DIGITS):
        unit = Decimal((0, (1,), exact.adjusted() - n_digits + 1))
        near = [
            float(exact.quantize(unit, rounding=rounding))
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        ]
        near = [found for found in near if low <= found <= high]
        if near:
            return min(near, key=lambda found: (abs(found - number), found))
    return number
