"""Plain values: what JSON, SQL and source code can say, and checks of what was read."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

import numpy as np


def is_number(value):
    """Whether it is a number that float64 has, and no boolean."""
    largest = sys.float_info.max
    return type(value) in (int, float) and -largest <= value <= largest


def is_plain(value):
    """Whether it is a string, number or boolean of Python's own."""
    return type(value) in (str, int, bool) or is_number(value)


def plain(value, where):
    """A value as a string, number or boolean of Python's own.

    Raises
    ------
    TypeError
        If it is none, in words that begin with `where`.
    """
    if isinstance(value, (np.bool_, np.number, np.str_)):
        value = value.item()
    if not is_plain(value):
        raise TypeError(
            f"{where} {value!r} of type {type(value).__name__}: only strings, numbers "
            "and booleans can be written down."
        )
    return value


def check(is_right, expected, got):
    """Refuse what was read if it is not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {got!r:.200}.")


def check_keys(said, names, what):
    """Refuse what is no dict of exactly these keys."""
    check(type(said) is dict, f"{what} to be a dict", said)
    expected = f"{what} to have the keys {', '.join(names)}"
    check(set(said) == set(names), expected, sorted(map(repr, said)))
