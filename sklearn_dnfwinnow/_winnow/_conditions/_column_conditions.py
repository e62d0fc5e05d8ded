"""Column conditions: conditions on terms, in terms of columns and classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from math import isfinite
from typing import NamedTuple

from sklearn_dnfwinnow.rules._term import Term


class WeightedTerm(NamedTuple):
    """A term of the user with an initial weight.

    Attributes
    ----------
    term : Term
        Its literals contain the positions of columns.
    k : int
        Index of the class.
    weight : float
        Weight before any update.
    """

    term: Term
    k: int
    weight: float


@dataclass(frozen=True)
class ColumnConditions:
    """Conditions on terms, in terms of the columns of X and the classes of a model.

    Parameters
    ----------
    directions : tuple of (int, tuple of int)
        Columns, and for each class whether its score may only increase with the column
        (1), only decrease (-1), or is free (0).
    features : tuple of int
        Columns that no term may contain.
    pairs : tuple of (int, int)
        Columns that no term may contain together.
    literals : tuple of Literal
        No term may have a literal that implies one of these.
    initial_terms : tuple of WeightedTerm
    names : tuple of str, default=()
        Names of all columns, for messages; empty if they have none.
    """

    directions: tuple = ()
    features: tuple = ()
    pairs: tuple = ()
    literals: tuple = ()
    initial_terms: tuple = ()
    names: tuple = field(default=(), compare=False)

    def __bool__(self):
        return self != ColumnConditions()

    @property
    def ordered(self):
        """Numeric columns that are compared with cut points, not with values."""
        return tuple(j for j, _ in self.directions)

    @property
    def longest(self):
        """Largest number of literals of an initial term, with two for both ends."""

        def n_literals(literal):
            ends = [end for one in literal.intervals or () for end in one]
            return 1 + (len(ends) == 2 and all(map(isfinite, ends)))

        terms = [given.term.literals for given in self.initial_terms]
        return max((sum(map(n_literals, term)) for term in terms), default=0)

    def label(self, j):
        """Return the name of a column in messages."""
        return repr(self.names[j]) if self.names else str(j)
