"""Exact text of literals and terms, which the parser converts to equal ones."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf, isfinite, nextafter

from sklearn_dnfwinnow.rules._tokens import exact_text, name_text, number_text


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
    of = _of_values if literal.intervals is None else _of_intervals
    condition, is_of_missing = of(literal)
    suffix = " (or missing)" if literal.missing and not is_of_missing else ""
    return f"{name_text(literal.feature)} {condition}{suffix}"


def exact_term(term):
    """Return a text that is parsed as a term that the same samples satisfy."""
    return " & ".join(map(exact_literal, term.literals)) or "True"


def _of_values(literal):
    """Return a condition on values, and whether it already covers missing values."""
    where = f"Column {literal.feature!r} is compared with"
    listed = [exact_text(value, where) for value in literal.values]
    if not listed:
        if literal.complement:
            return ("is anything" if literal.missing else "is not missing"), True
        return ("is missing" if literal.missing else "is nothing"), True
    if len(listed) == 1:
        return f"{'!=' if literal.complement else '='} {listed[0]}", False
    return f"{'not in' if literal.complement else 'in'} {{{', '.join(listed)}}}", False


def _of_intervals(literal):
    """Return a condition on numbers, and whether it already covers missing values."""
    intervals = [(float(low), float(high)) for low, high in literal.intervals]
    if not intervals:
        return ("is missing" if literal.missing else "is nothing"), True
    if len(intervals) == 1:
        ((low, high),) = intervals
        if low == -inf < high < inf:
            number, is_below = _end(high)
            return f"{'<' if is_below else '<='} {number}", False
        if -inf < low < high == inf:
            number, is_below = _end(low)
            return f"{'>=' if is_below else '>'} {number}", False
    return f"in {' or '.join(_interval(*ends) for ends in intervals)}", False


def _interval(low, high):
    """Return an interval as text."""
    first, is_closed = _end(low)
    last, is_open = _end(high)
    return f"{'[' if is_closed else '('}{first}, {last}{')' if is_open else ']'}"


def _end(number):
    """Return an end of an interval as text, and whether the interval excludes it."""
    if not isfinite(number):
        return number_text(number), number > 0
    above = nextafter(number, inf)
    # A number that was meant as an exclusive end has few digits.
    is_below = isfinite(above) and len(repr(above)) < len(repr(number))
    return number_text(above if is_below else number), is_below
