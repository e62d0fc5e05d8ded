"""Literal: a condition on one feature."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import inf

import numpy as np

from sklearn_dnfwinnow._encoding._columns import numbers_of
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.rules._text import (
    check,
    condition,
    condition_of,
    exact_text,
    name_text,
)

RELATIONS = "=", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"


@dataclass(frozen=True)
class Literal:
    """A condition on one feature, given by the values that satisfy it.

    The values, or the intervals of numbers, are exact. The text is short, and can
    suggest more: ``a != v`` is satisfied by the other values of the training data, but
    not by values that do not occur there.

    Parameters
    ----------
    column : int
        Position of the feature.

    feature : str
        Name of the feature.

    relation : {'=', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is', 'is not'}
        Relation between a value and the `label`, for the text. 'is' and 'is not' are
        for missing values.

    label : str
        Text of the values on the right side of the relation.

    values : tuple or None, default=None
        The values that satisfy the literal: hashable, and compared like keys of a dict.
        None if there are `intervals`.

    intervals : tuple of (float, float) or None, default=None
        Pairs of numbers. A number x satisfies the literal if ``low < x <= high`` for
        any of the pairs. Intervals are in ascending order, do not touch, and have
        infinite ends where they are open. None if there are `values`.

    missing : bool, default=False
        Whether a missing value satisfies the literal.

    complement : bool, default=False
        Whether all values other than `values` satisfy the literal, including values
        that do not occur in the training data.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow.rules import Literal
    >>> literal = Literal(3, "petal width", "in", "(0.8, 1.75]", None, ((0.8, 1.75),))
    >>> print(literal)
    petal width in (0.8, 1.75]
    >>> literal.holds(np.array([0.8, 1.0, np.nan]))
    array([False,  True, False])
    """

    column: int
    feature: str
    relation: str
    label: str
    values: tuple | None = None
    intervals: tuple | None = None
    missing: bool = False
    complement: bool = False

    def __post_init__(self):
        check(self.relation in RELATIONS, f"a relation of {RELATIONS}", self.relation)
        check(
            (self.values is None) != (self.intervals is None),
            "either values or intervals",
            (self.values, self.intervals),
        )
        check(
            self.intervals is None or not self.complement,
            "values if complement is true",
            self.intervals,
        )
        if self.intervals is not None:
            ends = [end for interval in self.intervals for end in interval]
            check(
                all(low < high for low, high in self.intervals)
                and all(low <= high for low, high in pairwise(ends)),
                "intervals (low, high) that ascend",
                self.intervals,
            )

    @classmethod
    def of(cls, column, feature, values, intervals, missing=False, complement=False):
        """Return the literal of some values or intervals, with an exact text."""
        literal = cls(column, feature, "=", "", values, intervals, missing, complement)
        relation, label = condition_of(literal)
        return replace(literal, relation=relation, label=label)

    def __str__(self):
        return f"{name_text(self.feature)} {self.relation} {shown(self.label)}"

    def to_text(self):
        """Return a text that `parse` converts to an equal literal.

        Raises
        ------
        TypeError
            If a value is not a string, number or boolean.
        """
        write = partial(exact_text, where=f"column {self.feature!r}")
        relation, label = condition(self, write)
        return f"{name_text(self.feature)} {relation} {label}"

    def holds(self, column):
        """Return which rows satisfy the literal.

        Parameters
        ----------
        column : ndarray of shape (n_samples,)
            The values of the feature, as returned by
            `sklearn_dnfwinnow._encoding._columns.columns_of`.

        Returns
        -------
        mask : ndarray of shape (n_samples,), bool

        Raises
        ------
        ValueError
            If the literal has intervals, and the column contains other values than
            numbers.
        """
        holds = self._among if self.intervals is None else self._inside
        return holds(column) | (self.missing & _gaps(column))

    def _among(self, column):
        """Return which values satisfy a literal with `values`."""
        known = frozenset(self.values)
        # Comparison by Python, as in training: 1 == 1.0 == True, without rounding.
        found = map(known.__contains__, column.tolist())
        among = np.fromiter(found, dtype=bool, count=len(column))
        return ~among & ~_gaps(column) if self.complement else among

    def _inside(self, column):
        """Return which numbers are inside the intervals."""
        numbers = numbers_of(column, declared=True)
        if numbers is None:
            raise ValueError(
                f"Column {self.feature!r} must contain only numbers, because a "
                "condition compares it with numbers; got other values."
            )
        inside = np.zeros(len(numbers), dtype=bool)
        for low, high in self.intervals:
            inside |= ((numbers > low) | (low == -inf)) & (numbers <= high)
        return inside


def _gaps(column):
    """Return which values of a column are missing."""
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return np.equal(column, None).astype(bool)
    return np.zeros(len(column), dtype=bool)
