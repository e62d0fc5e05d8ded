"""Values and arrays in the types of JSON, and back with checks of what was read.

What is written are strings, numbers and booleans of Python's own, and flat lists of
them. Large arrays are written as the Base64 text of their bytes, which is shorter than
their numbers, and exact. What is read may be anything that JSON can hold.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import binascii
import sys
from base64 import b64decode, b64encode
from itertools import pairwise
from math import prod

import numpy as np

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
# Types of arrays that are written as text of their bytes, and most bytes of one.
_ARRAY_TYPES = "<f4", "<f8", "<i4", "<i8"
_LARGEST_ARRAY = 2**32


def is_number(value):
    """Return whether a value is a number that float64 has, and no boolean."""
    largest = sys.float_info.max
    return type(value) in (int, float) and -largest <= value <= largest


def is_plain(value):
    """Return whether a value is a string, number or boolean of Python's own."""
    return type(value) in (str, int, bool) or is_number(value)


def plain(value, where):
    """Convert a value to a string, number or boolean of Python's own.

    Raises
    ------
    TypeError
        If it is none of these; the message begins with `where`.
    """
    if isinstance(value, (np.bool_, np.number, np.str_)):
        value = value.item()
    if not is_plain(value):
        raise TypeError(
            f"{where} {value!r} of type {type(value).__name__}: only strings, numbers "
            "and booleans can be written down."
        )
    return value


def plain_numbers(array):
    """Return all numbers of an array in one list, NaN as None."""
    array = np.ravel(array)
    if array.dtype.kind == "f" and np.isnan(array).any():
        return np.where(np.isnan(array), None, array).tolist()
    return array.tolist()


def plain_labels(labels, where):
    """Return an array of labels as a dict of plain values and their kind."""
    kind = labels.dtype.kind
    if kind == "u" and labels.max() <= np.iinfo(np.int64).max:
        kind = "i"
    return {"kind": kind, "values": [plain(label, where) for label in labels.tolist()]}


def plain_array(array):
    """Return an array of 4 or 8 byte numbers as a dict: type, shape and bytes as text.

    Raises
    ------
    TypeError
        If its numbers are of another type.
    """
    dtype = array.dtype.newbyteorder("<")
    if dtype.str not in _ARRAY_TYPES:
        raise TypeError(f"An array of {array.dtype} cannot be written down.")
    data = b64encode(array.astype(dtype).tobytes()).decode("ascii")
    return {"dtype": dtype.str, "shape": list(array.shape), "data": data}


def check(is_right, expected, got):
    """Raise a ValueError if what was read is not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {got!r:.200}.")


def check_keys(read, names, what):
    """Raise a ValueError if what was read is no dict of exactly these keys."""
    check(type(read) is dict, f"{what} to be a dict", read)
    expected = f"{what} to have the keys {', '.join(names)}"
    check(set(read) == set(names), expected, sorted(map(repr, read)))


def integer(read, what, low, high=None):
    """Return an integer that was read, checked."""
    check(type(read) is int and low <= read, f"{what} from {low}", read)
    check(high is None or read <= high, f"{what} up to {high}", read)
    return read


def integers(read, what, length=None, low=None, high=None):
    """Convert a list to an int64 array, and check its length and its range."""
    array = _flat(read, what, length, "i").astype(np.int64)
    if array.size and low is not None:
        check(array.min() >= low, f"{what} from {low}", array.min())
    if array.size and high is not None:
        check(array.max() <= high, f"{what} up to {high}", array.max())
    return array


def numbers(read, what, length=None, missing=False):
    """Convert a list of finite numbers to a float64 array, and check its length.

    None becomes NaN if some numbers may be missing.
    """
    if missing and type(read) is list:
        read = [np.nan if number is None else number for number in read]
    array = _flat(read, what, length, "if").astype(np.float64)
    finite = np.isfinite(array) | (missing & np.isnan(array))
    check(finite.all(), f"{what} to be finite", read)
    return array


def labels(read, what):
    """Return the array that `plain_labels` wrote down: sorted, without repeats."""
    check_keys(read, ("kind", "values"), what)
    kind, values = read["kind"], read["values"]
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


def array_from(read, what, dtype, shape, finite=True):
    """Return the array that `plain_array` wrote down, checked.

    Parameters
    ----------
    read : object
    what : str
        Name of its numbers, for messages.
    dtype : str
        Their type: '<f4', '<f8', '<i4' or '<i8'.
    shape : tuple of int or None
        Length of each axis; None is any.
    finite : bool, default=True
        Whether to refuse NaN and infinite numbers.

    Returns
    -------
    array : ndarray
        Of the machine's own order of bytes.

    Raises
    ------
    ValueError
        If it is not of that form. Memory is taken only for as many bytes as there are.
    """
    check_keys(read, ("dtype", "shape", "data"), what)
    lengths, data = read["shape"], read["data"]
    check(read["dtype"] == dtype, f"{what} of type {dtype}", read["dtype"])
    right = type(lengths) is list and len(lengths) == len(shape)
    right = right and all(type(length) is int and length >= 0 for length in lengths)
    right = right and all(a in (None, b) for a, b in zip(shape, lengths))
    text = ", ".join("any" if length is None else str(length) for length in shape)
    check(right, f"{what} of shape ({text})", lengths)
    item = int(dtype[-1])
    # An empty array has limits, too: numpy multiplies its other lengths.
    most = prod(max(1, length) for length in lengths) * item
    check(most <= _LARGEST_ARRAY, f"{what} of up to {_LARGEST_ARRAY} bytes", lengths)
    n_bytes = prod(lengths) * item
    check(type(data) is str, f"{what} as text", data)
    n_characters = (n_bytes + 2) // 3 * 4
    right = len(data) == n_characters
    check(right, f"{n_characters} characters of {what}", len(data))
    try:
        decoded = b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        decoded = None
    right = decoded is not None and len(decoded) == n_bytes
    check(right, f"{what} in Base64", data)
    array = np.frombuffer(decoded, dtype).reshape(lengths)
    array = array.astype(array.dtype.newbyteorder("="))
    if finite:
        others = array[~np.isfinite(array)]
        check(not others.size, f"{what} to be finite", others[:3].tolist())
    return array


def _flat(read, what, length, kinds):
    """Convert a list of numbers of some kinds to a flat array."""
    check(type(read) is list, f"a list of {what}", read)
    right = length is None or len(read) == length
    check(right, f"{length} {what}", read if right else f"{len(read)} of them")
    try:
        array = np.array(read, dtype=None if read else np.int64)
    except (ValueError, OverflowError):
        array = np.empty(0, dtype=object)
    right = array.ndim == 1 and array.dtype.kind in kinds
    check(right, f"{what} to be numbers within 64 bits", read)
    return array
