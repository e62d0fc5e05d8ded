"""Conditions: the allowed terms of each class, and initial weights of given terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._terms._conflicts import Conflicts


def extent(codes, literals):
    """Return a mask of the rows of codes that satisfy all literals: (n_rows,), bool."""
    inside = np.ones(len(codes), dtype=bool)
    for column, code in literals:
        inside &= codes[:, column] == code
    return inside


class InitialTerm(NamedTuple):
    """A term with a given initial weight.

    Attributes
    ----------
    k : int
        Index of the class.
    literals : tuple of (int, int)
        Columns and codes, ascending.
    log_weight : float
        Natural logarithm of the initial weight, in place of the default one.
    """

    k: int
    literals: tuple
    log_weight: float

    def extent(self, codes):
        """Return a mask of the rows of codes that satisfy the term: (n_rows,), bool."""
        return extent(codes, self.literals)


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions on the terms of each class, over columns of codes with literals.

    A forbidden term has weight 0 in every weighted sum. The empty term is always
    allowed.

    Parameters
    ----------
    allowed : list of n_columns ndarrays of shape (n_classes, n_codes + 1), bool
        Whether terms of a class may contain the literal that a column has a code.
        Entries of code 0, which is no literal, are True.
    conflicts : Conflicts
        Pairs of columns that no term of any class may contain together.
    initial_terms : tuple of InitialTerm
        Distinct terms, none of which is forbidden. Terms with more literals than the
        maximum term size are ignored.
    """

    allowed: list
    conflicts: Conflicts
    initial_terms: tuple = ()

    @property
    def longest(self):
        """Largest number of literals of an initial term, 0 if there is none."""
        return max((len(term.literals) for term in self.initial_terms), default=0)

    @cached_property
    def firsts(self):
        """Positions of code 0 of each column in `flags`, and their end: int64."""
        widths = [of_column.shape[1] for of_column in self.allowed]
        return np.cumsum([0, *widths], dtype=np.int64)

    @cached_property
    def flags(self):
        """The entries of `allowed` side by side: (n_classes, n_codes), bool.

        Columns differ in their numbers of codes; a table of columns by codes would take
        more memory by far if one has many.
        """
        return np.concatenate(self.allowed, axis=1)

    def allows(self, k, columns, codes):
        """Return whether terms of class k may contain some literals: bool."""
        return self.flags[k, self.firsts[columns] + codes]

    def initial_terms_of(self, k, max_term_size=None):
        """Return the initial terms of class k, up to a maximum number of literals."""
        return [
            term
            for term in self.initial_terms
            if term.k == k
            and (max_term_size is None or len(term.literals) <= max_term_size)
        ]

    def masked(self, codes, k):
        """Return rows of codes without the forbidden literals of class k.

        The terms that a row then satisfies are the allowed terms of the row for class
        k, except for conflicts.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_columns), int32
        k : int

        Returns
        -------
        codes : ndarray of shape (n_rows, n_columns), int32
        """
        kept = self.allows(k, np.arange(codes.shape[1]), codes)
        return np.where(kept, codes, 0).astype(np.int32)


def check_initial_terms(longest, max_term_size):
    """Raise an error for initial terms that exceed the maximum term size.

    Parameters
    ----------
    longest : int
        Largest number of literals of an initial term.
    max_term_size : int or None

    Raises
    ------
    ValueError
    """
    if max_term_size is not None and longest > max_term_size:
        raise ValueError(
            "initial_terms must contain terms of at most "
            f"max_term_size={max_term_size} literals; got a term of {longest}."
        )
