"""Conversion of values and arrays to JSON types, and back with checks.

The output contains Python strings, numbers and booleans, and flat lists of them. Large
arrays are stored as the Base64 text of their bytes, which is exact, and shorter than
their numbers. The input can contain anything that JSON can represent.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import binascii
import sys
from base64 import b64decode, b64encode
from itertools import pairwise
from math import prod

import numpy as np

# Kinds of labels, their types, and those of their arrays. Unsigned integers are loaded
# as signed ones if these can represent them.
_LABEL_TYPES = {
    "U": (str, str),
    "i": (int, np.int64),
    "u": (int, np.uint64),
    "f": (float, np.float64),
    "b": (bool, np.bool_),
    "O": (object, object),
}
# Types of arrays that are stored as text, and the maximum number of bytes of an array.
_ARRAY_TYPES = "<f4", "<f8", "<i4", "<i8"
_LARGEST_ARRAY = 2**32


def is_number(value):
    """Return whether a value is a number of float64, and not a boolean."""
    largest = sys.float_info.max
    return type(value) in (int, float) and -largest <= value <= largest


def is_plain(value):
    """Return whether a value is a Python string, number or boolean."""
    return type(value) in (str, int, bool) or is_number(value)


def plain(value, where):
    """Convert a value to a Python string, number or boolean.

    Raises
    ------
    TypeError
        If it is none of these; the message begins with `where`.
    """
    if isinstance(value, (np.bool_, np.number, np.str_)):
        value = value.item()
    if not is_plain(value):
        raise TypeError(
            f"{where} {value!r} of type {type(value).__name__}, but only strings, "
            "numbers and booleans can be saved."
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
        If its numbers have another type.
    """
    dtype = array.dtype.newbyteorder("<")
    if dtype.str not in _ARRAY_TYPES:
        raise TypeError(f"An array of {array.dtype} cannot be saved.")
    data = b64encode(array.astype(dtype).tobytes()).decode("ascii")
    return {"dtype": dtype.str, "shape": list(array.shape), "data": data}


def check(is_right, expected, got):
    """Raise a ValueError if loaded data are not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {got!r:.200}.")


def check_keys(read, names, what):
    """Raise a ValueError if loaded data are not a dict with exactly these keys."""
    check(type(read) is dict, f"{what} to be a dict", read)
    expected = f"{what} to have the keys {', '.join(names)}"
    check(set(read) == set(names), expected, sorted(map(repr, read)))


def integer(read, what, low, high=None):
    """Check and return a loaded integer."""
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

    None becomes NaN if missing numbers are allowed.
    """
    if missing and type(read) is list:
        read = [np.nan if number is None else number for number in read]
    array = _flat(read, what, length, "if").astype(np.float64)
    finite = np.isfinite(array) | (missing & np.isnan(array))
    check(finite.all(), f"{what} to be finite", read)
    return array


def labels(read, what):
    """Return the array that `plain_labels` converted: sorted, without repeats."""
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
        # An array of strings cannot end with null characters.
        ascending = ascending and array.tolist() == values
    except (TypeError, OverflowError):
        ascending = False
    check(ascending, f"{what} that ascend, of a kind", values)
    return array


def array_from(read, what, dtype, shape, finite=True):
    """Check and return the array that `plain_array` converted.

    Parameters
    ----------
    read : object
    what : str
        Name of the numbers, for messages.
    dtype : str
        Their type: '<f4', '<f8', '<i4' or '<i8'.
    shape : tuple of int or None
        Length of each axis; None allows any.
    finite : bool, default=True
        Whether to reject NaN and infinite numbers.

    Returns
    -------
    array : ndarray
        In the byte order of the machine.

    Raises
    ------
    ValueError
        If the data do not have that form. Memory is allocated only for the bytes that
        exist.
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
    # Empty arrays are limited, too, because numpy multiplies their other lengths.
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
