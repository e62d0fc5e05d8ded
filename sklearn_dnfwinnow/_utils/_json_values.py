"""Conversion of values to JSON types, and checks of values that were read.

The output contains Python strings, numbers and booleans, and flat lists of them. The
input can contain anything that JSON can represent.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import sys
from itertools import count
from math import isfinite
from reprlib import Repr

import numpy as np

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


def check(is_right, expected, got):
    """Raise a ValueError if loaded data are not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {_SHORT.repr(got):.200}.")


def check_keys(read, names, what):
    """Raise a ValueError if loaded data are not a dict with exactly these keys."""
    check(type(read) is dict, f"{what} to be a dict", read)
    expected = f"{what} to have the keys {', '.join(names)}"
    check(set(read) == set(names), expected, sorted(map(repr, read)))
