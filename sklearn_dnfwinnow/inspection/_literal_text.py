"""Text of literals: relation and label, from the values that satisfy them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.inspection._pipelines._preimages import (
    CategoricalPreimage,
    Values,
)
from sklearn_dnfwinnow.rules._condition_text import (
    between,
    condition_on_values,
    interval_text,
    one_sided,
)
from sklearn_dnfwinnow.rules._tokens import ELLIPSIS, value_text

# Maximum number of values of a set that are listed; others are counted.
_MOST_LISTED = 6


def relation_and_label(relation, compared, codes, preimage):
    """Return the text of a literal on an attribute, in terms of the original feature.

    Parameters
    ----------
    relation : {'=', '!=', '<=', '>', 'in'}
        Relation between the attribute and one of its values, or an interval of them.
    compared : int
        Code of this value.
    codes : set of int
        Codes that satisfy the relation.
    preimage : CategoricalPreimage or NumericPreimage
        Preimage of the attribute.

    Returns
    -------
    relation, label : str
        In the form of a `Literal`.
    """
    missing = preimage.missing in codes
    negated = relation == "!="
    # The excluded value is shorter than the list of all others.
    shown_codes = {compared} if relation in ("=", "!=") else codes
    found = preimage.among(shown_codes)
    if not isinstance(preimage, CategoricalPreimage):
        points = [preimage.point(interval) for interval in found]
        if relation in ("<=", ">") and points and None not in points:
            # No training value lies between single values.
            is_lowest = found[0][1] == 1
            return ("<=", points[-1]) if is_lowest else (">=", points[0])
        return _text_of_intervals(preimage, found, negated, missing)
    if preimage.is_direct:
        (value,) = preimage.among({compared}).listed or (None,)
        if value is not None and relation != "in":
            return relation, value_text(value)
    return _text_of_values(Values(found.listed, found.complement != negated), missing)


def _text_of_values(values, missing):
    """Return relation and label of `Values`."""
    listed = [value_text(value) for value in values.listed[:_MOST_LISTED]]
    if len(values.listed) > _MOST_LISTED:
        listed.append(f"{ELLIPSIS} {len(values.listed)} values")
    return condition_on_values(listed, values.complement, missing)


def _text_of_intervals(preimage, intervals, negated, missing):
    """Return relation and label of intervals of numbers, or of their complement."""
    last = len(preimage.cuts)
    if len(intervals) > 1:
        others = between(intervals, -1, last)
        if len(others) == 1:
            intervals, negated = others, not negated
    if intervals in ([], [(-1, last)]):
        return _text_of_values(
            Values((), complement=bool(intervals) != negated), missing
        )
    if len(intervals) > 1:
        parts = (_interval(preimage, interval) for interval in intervals)
        return "not in" if negated else "in", " or ".join(parts)
    (interval,) = intervals
    point = preimage.point(interval)
    if point is not None:
        return "!=" if negated else "=", point
    low, high = interval
    if (low < 0 or high == last) and not (negated and missing):
        # The complement of an outer interval is the other side of its single end.
        end = preimage.text(high if low < 0 else low)
        return one_sided(end, (low < 0) != negated)
    return "not in" if negated else "in", _interval(preimage, interval)


def _interval(preimage, interval):
    """Return one interval as text."""
    point = preimage.point(interval)
    if point is not None:
        return f"{{{point}}}"
    low, high = interval
    first = preimage.text(low) if low >= 0 else ("-inf", False)
    last = preimage.text(high) if high < len(preimage.cuts) else ("inf", True)
    return interval_text(first, last)
