"""Plain arrays: numbers and labels as flat lists that JSON holds, and back, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check, check_keys, plain

# Kinds of labels, their types, and those of their arrays. Unsigned integers come back
# as signed ones where these have room for them.
_LABEL_TYPES = {
    "U": (str, str),
    "i": (int, np.int64),
    "u": (int, np.uint64),
    "f": (float, np.float64),
    "b": (bool, np.bool_),
    "O": (object, object),
}


def plain_numbers(array):
    """All numbers in one list, NaN as None."""
    array = np.ravel(array)
    if array.dtype.kind == "f" and np.isnan(array).any():
        return np.where(np.isnan(array), None, array).tolist()
    return array.tolist()


def integers(said, what, length=None, low=None, high=None):
    """A list of integers as int64, of a length, from a least to a largest one."""
    array = _flat(said, what, length, "i").astype(np.int64)
    if array.size and low is not None:
        check(array.min() >= low, f"{what} from {low}", array.min())
    if array.size and high is not None:
        check(array.max() <= high, f"{what} up to {high}", array.max())
    return array


def numbers(said, what, length=None, missing=False):
    """A list of finite numbers as float64; NaN for None where some may be missing."""
    if missing and type(said) is list:
        said = [np.nan if number is None else number for number in said]
    array = _flat(said, what, length, "if").astype(np.float64)
    finite = np.isfinite(array) | (missing & np.isnan(array))
    check(finite.all(), f"{what} to be finite", said)
    return array


def _flat(said, what, length, kinds):
    check(type(said) is list, f"a list of {what}", said)
    right = length is None or len(said) == length
    check(right, f"{length} {what}", said if right else f"{len(said)} of them")
    try:
        array = np.array(said, dtype=None if said else np.int64)
    except (ValueError, OverflowError):
        array = np.empty(0, dtype=object)
    right = array.ndim == 1 and array.dtype.kind in kinds
    check(right, f"{what} to be numbers within 64 bits", said)
    return array


def plain_labels(labels, where):
    """An array of labels as plain values, and their kind."""
    kind = labels.dtype.kind
    if kind == "u" and labels.max() <= np.iinfo(np.int64).max:
        kind = "i"
    return {"kind": kind, "values": [plain(label, where) for label in labels.tolist()]}


def labels(said, what):
    """The array of labels that `plain_labels` wrote down: sorted, without repeats."""
    check_keys(said, ("kind", "values"), what)
    kind, values = said["kind"], said["values"]
    check(kind in [*_LABEL_TYPES], f"a kind of {what}", kind)
    check(type(values) is list and values, f"a list of {what}", values)
    of_kind, dtype = _LABEL_TYPES[kind]
    for value in values:
        right = type(value) in (str, int, float, bool)
        check(right and of_kind in (object, type(value)), f"{what} of one kind", value)
    try:
        ascending = all(a < b for a, b in pairwise(values))
        array = np.array(values, dtype=dtype)
        # An array of strings has no zeros at their ends.
        ascending = ascending and array.tolist() == values
    except (TypeError, OverflowError):
        ascending = False
    check(ascending, f"{what} that ascend, of a kind", values)
    return array
