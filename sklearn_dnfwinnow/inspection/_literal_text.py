"""Text of literals: relation and label, from the values that satisfy them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

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
        Relation between the attribute and some of its values: one, or several that it
        differs from or is among.
    compared : set of int
        Codes of these values.
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
    # Excluded values are fewer than all others.
    shown_codes = compared if relation in ("=", "!=") else codes
    found = preimage.among(shown_codes)
    if not isinstance(preimage, CategoricalPreimage):
        points = [preimage.point(interval) for interval in found]
        # No training value lies between single values that are neighbours.
        if relation in ("<=", ">", "in") and _are_neighbours(found, points):
            last = len(preimage.cuts) - 1
            return _text_of_range(points, found[0][1] == 1, found[-1][1] == last)
        return _text_of_intervals(preimage, found, negated, missing)
    if preimage.is_direct and relation == "in" and found.listed:
        every = sorted(preimage.present)
        texts = [value_text(value) for value in every if value in found.listed]
        return _text_of_range(
            texts, every[0] in found.listed, every[-1] in found.listed
        )
    if preimage.is_direct and len(compared) == 1:
        (value,) = preimage.among(compared).listed or (None,)
        if value is not None:
            return relation, value_text(value)
    return _text_of_values(Values(found.listed, found.complement != negated), missing)


def _are_neighbours(intervals, points):
    """Return whether intervals are single values, with no other one among them."""
    gaps = [after[1] - before[1] for before, after in pairwise(intervals)]
    return bool(points) and None not in points and set(gaps) <= {2}


def _text_of_range(values, is_lowest, is_highest):
    """Return relation and label of values, as texts that ascend, among others."""
    if is_lowest != is_highest:
        return ("<=", values[-1]) if is_lowest else (">=", values[0])
    return "in", interval_text((values[0], True), (values[-1], False))


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
