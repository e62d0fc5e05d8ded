"""Conditions: which terms count in each class, and what terms weigh at the start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np


class InitialTerm(NamedTuple):
    """A term with a weight of its own before any update.

    Attributes
    ----------
    k : int
        Index of the class.
    literals : tuple of (int, int)
        Columns and codes, ascending.
    log_weight : float
        Natural logarithm of the initial weight, in place of that of the term prior.
    """

    k: int
    literals: tuple
    log_weight: float

    def extent(self, codes):
        """Return which rows of codes satisfy the term: (n_rows,), bool."""
        inside = np.ones(len(codes), dtype=bool)
        for column, code in self.literals:
            inside &= codes[:, column] == code
        return inside


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions on the terms of each class, over columns of codes with literals.

    A term that a condition forbids has the weight 0 in every weighted sum. The empty
    term is always allowed.

    Parameters
    ----------
    allowed : list of n_columns ndarrays of shape (n_classes, n_codes + 1), bool
        Whether terms of a class may have the literal that a column has a code. Entries
        of code 0, which is no literal, are True.
    conflicts : ndarray of shape (n_columns, n_columns), bool
        Symmetric: columns that must not meet in a term, of any class.
    initial_terms : tuple of InitialTerm
        Distinct terms, none of which is forbidden. Those of more literals than terms
        may have do not count.
    """

    allowed: list
    conflicts: np.ndarray
    initial_terms: tuple = ()

    @property
    def longest(self):
        """Most literals of an initial term, 0 if there is none."""
        return max((len(term.literals) for term in self.initial_terms), default=0)

    @cached_property
    def _may(self):
        """What is allowed of all columns: (n_classes, n_columns, n_codes + 1)."""
        width = max((of_column.shape[1] for of_column in self.allowed), default=1)
        n_classes = len(self.allowed[0]) if self.allowed else 1
        may = np.zeros((n_classes, len(self.allowed), width), dtype=bool)
        for j, of_column in enumerate(self.allowed):
            may[:, j, : of_column.shape[1]] = of_column
        return may

    def literals_of(self, k):
        """Return which literals class k may have: (n_columns, n_codes + 1), bool."""
        return self._may[k]

    def initial_terms_of(self, k, max_term_size=None):
        """Return the initial terms of class k, of up to so many literals."""
        return [
            term
            for term in self.initial_terms
            if term.k == k
            and (max_term_size is None or len(term.literals) <= max_term_size)
        ]

    def masked(self, codes, k):
        """Return rows of codes without the literals that class k must not have.

        The terms that a row satisfies after this are those of the row that class k may
        have, but for conflicts.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_columns), int32
        k : int

        Returns
        -------
        codes : ndarray of shape (n_rows, n_columns), int32
        """
        kept = self._may[k][np.arange(codes.shape[1]), codes]
        return np.where(kept, codes, 0).astype(np.int32)


def check_initial_terms(longest, max_term_size):
    """Refuse initial terms that are longer than any term may be.

    Parameters
    ----------
    longest : int
        Most literals of an initial term.
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
