"""Wording: how a literal reads, and which intervals it means."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf

from sklearn_dnfwinnow._literal import shown


def wording(relation, value, labels, missing):
    """How it reads that an attribute has a relation to a value.

    Parameters
    ----------
    relation : {'=', '!=', '<=', '>'}
    value : object
        None for a missing one; the number of an interval if there are `labels`.
    labels : ndarray of str or None
        Of all intervals, see `interval_labels`.
    missing : bool
        Whether a missing value satisfies it.

    Returns
    -------
    relation, label : str
        As a `Literal` has them.
    """
    if value is None:
        return "is" if relation == "=" else "is not", "missing"
    if labels is None:
        return relation, shown(value)
    place, last = int(value), len(labels) - 1
    if last == 0:
        return ("is", "anything") if missing else ("is not", "missing")
    ends = _ends(labels)
    if relation in ("<=", ">"):
        return relation, ends[place]
    if place in (0, last) and (relation == "=" or not missing):
        # What an outer interval is not is the other side of its one end.
        below = (place == 0) == (relation == "=")
        return "<=" if below else ">", ends[0 if place == 0 else -1]
    low = f"({ends[place - 1]}" if place > 0 else "(-inf"
    high = f"{ends[place]}]" if place < last else "inf)"
    return "in" if relation == "=" else "not in", f"{low}, {high}"


def intervals_of(numbers, cut_points):
    """Intervals by their numbers, those that touch made one: tuple of (low, high)."""
    ends = [-inf, *cut_points.tolist(), inf]
    merged = []
    for i in sorted(map(int, numbers)):
        low, high = ends[i : i + 2]
        if merged and merged[-1][1] == low:
            low, _ = merged.pop()
        merged.append((low, high))
    return tuple(merged)


def _ends(labels):
    """Cut points as they are rounded in labels of two intervals or more."""
    inner = [label[1:-1].split(", ")[1] for label in labels[1:-1]]
    return [labels[0].removeprefix("<= "), *inner]
