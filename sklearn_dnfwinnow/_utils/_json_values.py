"""Conversion of values and arrays to JSON types, and back with checks.

The output contains Python strings, numbers and booleans, and flat lists of them. Large
arrays are stored as the Base64 text of their bytes, which is exact, and shorter than
their numbers. The input can contain anything that JSON can represent.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import binascii
import json
import sys
from base64 import b64decode, b64encode
from itertools import count, pairwise
from math import inf, isfinite, prod
from reprlib import Repr

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
# Integers with fewer characters are always within 64 bits, with more never in float64.
_FEWEST_DIGITS, _MOST_DIGITS, _MOST_LARGE = 19, 310, 1000
# Data in messages, without recursion and without a long text.
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 20


def read_json(text):
    """Return the values of a JSON text.

    Raises
    ------
    ValueError
        If the text is not JSON or is nested too deeply, or for a number that is not
        finite as a float. Integers of more than 64 bits are allowed only in small
        numbers, because many of them can have the same hash value.
    """
    n_large = count(1)

    def integer_of(digits):
        if len(digits) < _FEWEST_DIGITS:
            return int(digits)
        # Longer texts take quadratic time.
        value = int(digits) if len(digits) <= _MOST_DIGITS else None
        if value is None or not is_plain(value):
            _refuse_number(digits)
        if not is_number(value) and next(n_large) > _MOST_LARGE:
            raise ValueError(f"Expected up to {_MOST_LARGE} integers beyond 64 bits.")
        return value

    def float_of(digits):
        value = float(digits)
        if not isfinite(value):
            _refuse_number(digits)
        return value

    try:
        return json.loads(
            text,
            parse_int=integer_of,
            parse_float=float_of,
            parse_constant=_refuse_number,
        )
    except RecursionError:
        raise ValueError("Expected fewer nested levels of lists and dicts.") from None


def _refuse_number(text):
    raise ValueError(f"Expected finite numbers; got {text:.50}.")


def is_number(value):
    """Return whether a value is a finite float, or an integer of 64 bits, no boolean.

    Integers are from -2^63 to 2^64 - 1, as in NumPy.
    """
    if type(value) is int:
        return -(2**63) <= value < 2**64
    return type(value) is float and isfinite(value)


def is_plain(value):
    """Return whether a value is a Python string, boolean, or number of float64."""
    largest = sys.float_info.max
    is_real = type(value) in (int, float) and -largest <= value <= largest
    return is_real or type(value) in (str, bool)


def is_storable(value):
    """Return whether a value is a Python string, boolean, or number of 64 bits."""
    return is_number(value) or type(value) in (str, bool)


def plain(value, where, is_allowed=is_plain, numbers="numbers"):
    """Convert a value to a Python string, number or boolean.

    Raises
    ------
    TypeError
        If it is none of these; the message begins with `where`.
    """
    if isinstance(value, (np.bool_, np.number, np.str_)):
        value = value.item()
    if not is_allowed(value):
        raise TypeError(
            f"{where} {value!r:.200} of type {type(value).__name__}, but only strings, "
            f"{numbers} and booleans can be saved."
        )
    return value


def storable(value, where):
    """Convert a value of a model to a Python string, boolean, or number of 64 bits.

    Raises
    ------
    TypeError
        If it is none of these; the message begins with `where`.
    """
    return plain(value, where, is_storable, "numbers of 64 bits")


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
    return {
        "kind": kind,
        "values": [storable(label, where) for label in labels.tolist()],
    }


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
        raise ValueError(f"Expected {expected}; got {_SHORT.repr(got):.200}.")


def check_keys(read, names, what):
    """Raise a ValueError if loaded data are not a dict with exactly these keys."""
    check(type(read) is dict, f"{what} to be a dict", read)
    expected = f"{what} to have the keys {', '.join(names)}"
    check(set(read) == set(names), expected, sorted(map(repr, read)))


def integer(read, what, low, high):
    """Check and return a loaded integer."""
    right = type(read) is int and low <= read <= high
    check(right, f"{what} from {low} to {high}", read)
    return read


def number(read, what, low=-inf, high=inf):
    """Check a loaded finite number, and return it as a float."""
    right = is_number(read) and low <= read <= high
    check(right, f"{what} from {low} to {high}", read)
    return float(read)


def integers(read, what, low, high, length=None):
    """Convert a list to an int64 array, and check its length and its range."""
    array = _flat(read, what, length, (int,), np.int64)
    if array.size:
        right = low <= array.min() and array.max() <= high
        check(right, f"{what} from {low} to {high}", [array.min(), array.max()])
    return array


def numbers(read, what, low=-inf, high=inf, length=None, missing=False):
    """Convert a list to a float64 array, and check its length and its range.

    None becomes NaN if missing numbers are allowed.
    """
    types = (int, float, type(None)) if missing else (int, float)
    array = _flat(read, what, length, types, np.float64)
    present = array[~np.isnan(array)]
    if present.size:
        right = np.isfinite(present).all()
        right = right and low <= present.min() and present.max() <= high
        ends = [present.min(), present.max()]
        check(right, f"finite {what} from {low} to {high}", ends)
    return array


def labels(read, what, budget):
    """Return the array that `plain_labels` converted: sorted, without repeats.

    An array of strings has as much room for each as for the longest. `budget.take` is
    called with these bytes first.
    """
    check_keys(read, ("kind", "values"), what)
    kind, values = read["kind"], read["values"]
    check(kind in [*_LABEL_TYPES], f"a kind of {what}", kind)
    check(type(values) is list and values, f"a list of {what}", values)
    of_kind, dtype = _LABEL_TYPES[kind]
    for value in values:
        right = is_storable(value) and of_kind in (object, type(value))
        check(right, f"{what} of one kind", value)
    if of_kind is str:
        n_bytes = 4 * len(values) * max(map(len, values))
        budget.take(f"the array of {what}", n_bytes)
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


def _flat(read, what, length, types, dtype):
    """Convert a list of numbers of some types to a flat array."""
    check(type(read) is list, f"a list of {what}", read)
    right = length is None or len(read) == length
    check(right, f"{length} {what}", read if right else f"{len(read)} of them")
    # Types first: NumPy would convert lists and long strings to huge arrays.
    right = set(map(type, read)) <= set(types)
    try:
        array = np.array(read if right else [], dtype=dtype)
    except OverflowError:
        right = False
    check(right, f"{what} to be numbers within 64 bits", read)
    return array
