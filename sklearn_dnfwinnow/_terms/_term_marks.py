"""Term marks: the effect of conditions on the terms of an index, in one class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import term_marks

#: Marks of terms with weight 0, and of terms with the default initial weight; larger
#: marks are those of initial terms.
FORBIDDEN, PLAIN, FIRST_OWN = 0, 1, 2


@dataclass(frozen=True, eq=False)
class TermMarks:
    """Initial weights of the terms of an index in one class, by marks.

    Attributes
    ----------
    marks : ndarray of shape (n_terms,), uint16
        `FORBIDDEN`, `PLAIN`, or at least `FIRST_OWN`.
    log_weights : ndarray of shape (n_own,), float64
        Initial weights of the terms with marks from `FIRST_OWN`.
    sizes : ndarray of shape (n_own,), int64
        Their numbers of literals.
    numbers : ndarray of shape (n_own,), int64
        Their numbers in the index.
    """

    marks: np.ndarray
    log_weights: np.ndarray
    sizes: np.ndarray
    numbers: np.ndarray

    def log_factors(self, log_beta):
        """Return the factor of initial weights for each mark, as logarithms."""
        own = self.log_weights - self.sizes * log_beta
        return np.concatenate([[-np.inf, 0.0], own])


def mark_terms(index, conditions, k):
    """Return the marks of the terms of an index in class k.

    Parameters
    ----------
    index : TermIndex
        Index of single terms, not of groups.
    conditions : Conditions
    k : int

    Returns
    -------
    marks : TermMarks
    """
    marks = np.zeros(index.n_terms, dtype=np.uint16)
    largest = index.rows.max(axis=0, initial=0)
    if index.kind == "numbers" and len(index.n_longer) > 1:
        largest = -np.diff(index.n_longer[1])
    if index.kind == "groups":
        raise ValueError("Groups of terms cannot be marked.")
    if index.chosen is not None:
        return mark_chosen(index.chosen, conditions, k)
    n_codes = np.diff(conditions.firsts)
    if len(largest) != len(n_codes) or (largest >= n_codes).any():
        raise ValueError("The conditions and the terms must have the same codes.")
    term_marks.mark(index=index, conditions=conditions, k=k, marks=marks)
    cap = len(index.log_priors) - 1
    terms = conditions.initial_terms_of(k, cap)
    return _marked(marks, terms, [_number_of(index, term) for term in terms])


def mark_chosen(chosen, conditions, k):
    """Return the marks of chosen terms in class k, see `mark_terms`.

    Parameters
    ----------
    chosen : ChosenTerms
        With all initial terms of the class.
    conditions : Conditions
    k : int
    """
    terms = conditions.initial_terms_of(k)
    numbers = chosen.places_of([term.literals for term in terms])
    return _marked(
        chosen.allowed(conditions, k).astype(np.uint16), terms, numbers.tolist()
    )


def _marked(marks, terms, numbers):
    """Return the marks of terms, given whether they are allowed, and initial terms.

    Parameters
    ----------
    marks : ndarray of shape (n_terms,), uint16
        `FORBIDDEN` or `PLAIN`.
    terms : list of InitialTerm
    numbers : list of int or None
        Their numbers in the index.
    """
    # A term that no row satisfies may have no number, and is in no sum.
    own = [(term, number) for term, number in zip(terms, numbers) if number is not None]
    if len(own) > np.iinfo(np.uint16).max - FIRST_OWN:
        raise ValueError(
            "initial_terms must contain at most 65533 terms of a class; got "
            f"{len(own)}."
        )
    for mark, (_, number) in enumerate(own, FIRST_OWN):
        marks[number] = mark
    return TermMarks(
        marks=marks,
        log_weights=np.array([term.log_weight for term, _ in own], dtype=np.float64),
        sizes=np.array([len(term.literals) for term, _ in own], dtype=np.int64),
        numbers=np.array([number for _, number in own], dtype=np.int64),
    )


def _number_of(index, term):
    """Return the number of an initial term in an index, None if it has none."""
    if index.kind == "numbers":
        return _number_of_literals(index.n_longer, term.literals)
    inside = np.flatnonzero(term.extent(index.rows))
    if not len(inside):
        return None
    row = inside[0]
    specified = np.flatnonzero(index.rows[row]).tolist()
    size = len(term.literals)
    # Its place among subsets of one size, in lexicographic order.
    place, after = 0, 0
    for i, (column, _) in enumerate(term.literals, 1):
        position = specified.index(column)
        for before in range(after, position):
            place += comb(len(specified) - 1 - before, size - i)
        after = position + 1
    return int(index.terms[index.starts[row, size] + place])


def _number_of_literals(n_longer, literals):
    """Return the number of a term among all terms over all values, depth first."""
    number, after, left = 0, 0, len(n_longer) - 1
    for column, code in literals:
        n_values = n_longer[1, column] - n_longer[1, column + 1]
        if code > n_values:
            return None
        # After the term itself, its extensions by a column before, or a code.
        number += 1 + int(n_longer[left, after] - n_longer[left, column])
        number += (code - 1) * int(n_longer[left - 1, column + 1])
        after, left = column + 1, left - 1
    return number
