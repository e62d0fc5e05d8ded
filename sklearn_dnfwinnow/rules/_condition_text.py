"""Text of conditions, for readers and exact: the parser reads equal ones from this.

An end of an interval is a pair: a number as text, and whether the number itself is
above the end.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from math import inf, isfinite, nextafter
from operator import le

from sklearn_dnfwinnow.rules._tokens import (
    MISSING,
    exact_text,
    name_text,
    number_text,
    value_text,
)


def exact_literal(literal):
    """Return a text that is parsed as a literal that the same values satisfy.

    Parameters
    ----------
    literal : Literal

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    """
    where = f"Column {literal.feature!r} is compared with"
    relation, label = _condition(literal, partial(exact_text, where=where))
    return f"{name_text(literal.feature)} {relation} {label}"


def condition_of(literal):
    """Return relation and label of a literal for readers, from its exact meaning.

    Unlike in `exact_literal`, a value that could be a number or a string is not quoted,
    and an interval of one number is this number.
    """
    if literal.intervals:
        point, is_other = _only_point(literal.intervals)
        if point is not None:
            suffix = f" (or {MISSING})" if literal.missing else ""
            return "!=" if is_other else "=", f"{number_text(point)}{suffix}"
    return _condition(literal, value_text)


def _condition(literal, write):
    """Return relation and label of a literal, with values written by a function."""
    listed = list(map(write, literal.values or ()))
    if literal.intervals:
        relation, label = _on_intervals(literal.intervals)
    else:
        relation, label = condition_on_values(
            listed, literal.complement, literal.missing
        )
    is_said = not (literal.intervals or listed)
    suffix = f" (or {MISSING})" if literal.missing and not is_said else ""
    return relation, f"{label}{suffix}"


def _on_intervals(intervals):
    """Return relation and label of a condition on numbers."""
    intervals = [(float(low), float(high)) for low, high in intervals]
    low, high = intervals[0]
    if len(intervals) == 1 and isfinite(low) != isfinite(high):
        is_below = low == -inf
        return one_sided(_end(high if is_below else low), is_below)
    texts = [interval_text(_end(low), _end(high)) for low, high in intervals]
    return "in", " or ".join(texts)


def _only_point(intervals):
    """Return the number that intervals consist of, or leave out; None if not one.

    Returns
    -------
    point : float or None
    is_other : bool
        Whether the intervals consist of all other numbers.
    """
    low, high = intervals[0]
    is_other = len(intervals) == 2 and low == -inf and intervals[1][1] == inf
    if is_other:
        low, high = high, intervals[1][0]
    is_point = (is_other or len(intervals) == 1) and isfinite(low) and isfinite(high)
    return (high if is_point and nextafter(low, inf) == high else None), is_other


def shorter_end(number):
    """Return an end of an interval, and whether the interval excludes this number.

    A number that was meant as an exclusive end has few digits: the end is then the
    number above the given one.
    """
    if not isfinite(number):
        return number, number > 0
    above = nextafter(number, inf) + 0.0  # not -0.0
    is_below = isfinite(above) and len(repr(above)) < len(repr(number))
    return above if is_below else number, is_below


def _end(number):
    """Return an end of an interval as text, and whether the interval excludes it."""
    end, is_excluded = shorter_end(number)
    return number_text(end), is_excluded


def condition_on_values(listed, complement, missing):
    """Return relation and label of listed values, given as texts, or of all others.

    Whether missing values satisfy the condition is said only if no value is listed.
    """
    if not listed:
        if complement == missing:
            return "is", "anything" if missing else "nothing"
        return "is" if missing else "is not", "missing"
    if len(listed) == 1:
        return "!=" if complement else "=", listed[0]
    return "not in" if complement else "in", f"{{{', '.join(listed)}}}"


def one_sided(end, is_below):
    """Return relation and label of all numbers below, or above, an end."""
    number, strict = end
    if is_below:
        return "<" if strict else "<=", number
    return ">=" if strict else ">", number


def interval_text(low, high):
    """Return an interval between two ends as text."""
    (first, is_closed), (last, is_open) = low, high
    return f"{'[' if is_closed else '('}{first}, {last}{')' if is_open else ']'}"


def between(intervals, first, last):
    """Return the intervals before, between and after some that ascend."""
    ends = [first, *(end for interval in intervals for end in interval), last]
    return [pair for pair in zip(ends[::2], ends[1::2]) if pair[0] != pair[1]]


def united(intervals, joins=le):
    """Return the union of intervals, as ascending ones.

    Parameters
    ----------
    intervals : iterable of (float, float)
    joins : {operator.le, operator.lt}, default=operator.le
        Whether intervals that only touch become one, or remain.
    """
    found = []
    for low, high in sorted(intervals):
        if found and joins(low, found[-1][1]):
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found
