"""Directions: the parameter `monotonic_cst`, as signs of columns and classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Hashable, Mapping
from numbers import Real

import numpy as np

from sklearn_dnfwinnow._encoding._columns import position_of


def read_signs(given, names, classes, has_order=None):
    """Return the directions in a parameter `monotonic_cst`.

    Parameters
    ----------
    given : array-like of shape (n_columns,) or dict
    names : list of str
        Of all columns.
    classes : list
    has_order : callable, default=None
        Says of the position of a column whether its values are numbers.

    Returns
    -------
    signs : dict of int to tuple of int
        For columns by their position, the sign of each class: 1 if its score may only
        increase with the column, -1 if it may only decrease, and 0 if it is free.

    Raises
    ------
    ValueError
        With the expected value.
    """
    if not isinstance(given, Mapping):
        is_row = (
            not isinstance(given, set | frozenset) and getattr(given, "ndim", 1) == 1
        )
        if not is_row or len(given) != len(names):
            raise ValueError(
                "monotonic_cst must be a dict, or contain one sign for each of the "
                f"{len(names)} columns of X; got {given!r}."
            )
        given = dict(enumerate(given))
    signs = {}
    for column, sign in given.items():
        j = position_of(column, names, len(names), parameter="monotonic_cst")
        of_classes = _signs(column, sign, classes)
        if j in signs:
            raise ValueError(f"monotonic_cst contains column {column!r} twice.")
        if any(of_classes) and has_order is not None and not has_order(j):
            raise ValueError(
                f"monotonic_cst must select numeric columns; got column {names[j]!r}, "
                "whose values are not all numbers."
            )
        signs[j] = of_classes
    return signs


def _signs(column, given, classes):
    """Return the sign of each class for a column."""
    if isinstance(given, Mapping):
        signs = [0] * len(classes)
        for class_, sign in given.items():
            if not isinstance(class_, Hashable) or class_ not in classes:
                raise ValueError(
                    f"monotonic_cst must contain classes of y, {classes}; got "
                    f"{class_!r}."
                )
            signs[classes.index(class_)] = _sign(column, sign)
        return tuple(signs)
    sign = _sign(column, given)
    if sign and len(classes) != 2:
        raise ValueError(
            f"monotonic_cst[{column!r}] must be a dict from classes to signs if there "
            f"are more than two classes, such as {{{classes[-1]!r}: 1, "
            f"{classes[0]!r}: -1}}; got {given!r} with {len(classes)} classes."
        )
    return (-sign, sign) if sign else (0,) * len(classes)


def _sign(column, given):
    is_sign = isinstance(given, Real) and not isinstance(given, bool | np.bool_)
    if not (is_sign and given in (-1, 0, 1)):
        raise ValueError(
            f"monotonic_cst[{column!r}] must be -1, 0 or 1, or a dict from classes to "
            f"these; got {given!r}."
        )
    return int(given)
