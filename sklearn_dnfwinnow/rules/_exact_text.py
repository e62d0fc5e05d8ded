"""Exact text of literals and terms, which the parser converts to equal ones."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf, isfinite, nextafter

from sklearn_dnfwinnow.rules._condition_text import (
    condition_on_values,
    interval_text,
    one_sided,
)
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
    said = condition_on_values(listed, literal.complement, literal.missing)
    return " ".join(said), not listed


def _of_intervals(literal):
    """Return a condition on numbers, and whether it already covers missing values."""
    intervals = [(float(low), float(high)) for low, high in literal.intervals]
    if not intervals:
        return " ".join(condition_on_values([], False, literal.missing)), True
    if len(intervals) == 1:
        ((low, high),) = intervals
        if low == -inf < high < inf or -inf < low < high == inf:
            is_below = low == -inf
            return " ".join(one_sided(_end(high if is_below else low), is_below)), False
    texts = [interval_text(_end(low), _end(high)) for low, high in intervals]
    return f"in {' or '.join(texts)}", False


def _end(number):
    """Return an end of an interval as text, and whether the interval excludes it."""
    if not isfinite(number):
        return number_text(number), number > 0
    above = nextafter(number, inf)
    # A number that was meant as an exclusive end has few digits.
    is_below = isfinite(above) and len(repr(above)) < len(repr(number))
    return number_text(above if is_below else number), is_below
