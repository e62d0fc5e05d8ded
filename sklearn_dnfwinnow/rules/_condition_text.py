"""Text of conditions: relations and labels, from texts of values and of numbers.

An end of an interval is a pair: a number as text, and whether the number itself is
above the end.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


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
