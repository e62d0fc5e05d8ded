"""Term: a conjunction of literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np


def used_columns(terms):
    """Return the positions of the columns in some terms, ascending."""
    return sorted({literal.column for term in terms for literal in term.literals})


@dataclass(frozen=True)
class Term:
    """A conjunction of literals; without literals, it is always satisfied.

    Parameters
    ----------
    literals : tuple of Literal

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import Literal, Term
    >>> sunny = Literal(0, "outlook", "=", "sunny", ("sunny",))
    >>> calm = Literal(1, "wind", "!=", "strong", ("weak", "none"))
    >>> print(Term((sunny, calm)))
    outlook = sunny & wind != strong
    """

    literals: tuple = ()

    def __post_init__(self):
        object.__setattr__(self, "literals", tuple(self.literals))

    def __str__(self):
        return " & ".join(map(str, self.literals)) or "True"

    def __len__(self):
        return len(self.literals)

    def to_text(self):
        """Return a text that `parse` converts to an equal term.

        Raises
        ------
        TypeError
            If a value is not a string, number or boolean.
        """
        return " & ".join(one.to_text() for one in self.literals) or "True"

    def holds(self, columns):
        """Return which rows satisfy all literals.

        Parameters
        ----------
        columns : non-empty list of ndarrays of shape (n_samples,)
            As returned by `sklearn_dnfwinnow._encoding._columns.columns_of`.

        Returns
        -------
        mask : ndarray of shape (n_samples,), bool
        """
        mask = np.ones(len(columns[0]), dtype=bool)
        for literal in self.literals:
            mask &= literal.holds(columns[literal.column])
        return mask
