"""Checks of the fields of formulas, and of values that all languages know."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from reprlib import Repr

import numpy as np

# Data in messages, without recursion and without a long text.
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 20


def check(is_right, expected, got):
    """Raise a ValueError if something is not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {_SHORT.repr(got):.200}.")


def is_plain(value):
    """Return whether a value is a Python string, boolean, or number of float64."""
    largest = sys.float_info.max
    is_real = type(value) in (int, float) and -largest <= value <= largest
    return is_real or type(value) in (str, bool)


def plain(value, where, is_allowed=is_plain):
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
            "numbers and booleans can be saved."
        )
    return value
