"""Term: a conjunction of literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check, check_keys
from sklearn_dnfwinnow.rules._editing import meaning, position_of
from sklearn_dnfwinnow.rules._exact_text import exact_term
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._parser import Parser
from sklearn_dnfwinnow.rules._vocabulary import Vocabulary
from sklearn_dnfwinnow.rules._writers._python import term_as_python
from sklearn_dnfwinnow.rules._writers._sql import term_as_sql


@dataclass(frozen=True)
class Term:
    """A conjunction of literals; that of none is always satisfied.

    Parameters
    ----------
    literals : tuple of Literal

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules._literal import Literal
    >>> from sklearn_dnfwinnow.rules._term import Term
    >>> sunny = Literal(0, "outlook", "=", "sunny", ("sunny",))
    >>> calm = Literal(1, "wind", "!=", "strong", ("weak", "none"))
    >>> print(Term((sunny, calm)))
    outlook = sunny & wind != strong
    >>> Term((sunny, calm)).to_python()
    "row['outlook'] == 'sunny' and row['wind'] in ('weak', 'none')"
    """

    literals: tuple = ()

    def __post_init__(self):
        object.__setattr__(self, "literals", tuple(self.literals))

    def __str__(self):
        return " & ".join(map(str, self.literals)) or "True"

    def __len__(self):
        return len(self.literals)

    @classmethod
    def parse(cls, text, *, features=None, values=None, like=None):
        """Return the term that a text means, see :ref:`editing_grammar`.

        Parameters
        ----------
        text : str
            Literals that are joined by ``&`` or ``and``, or ``True``.

        features, values, like : object, default=None
            As in `DNF.parse`; `like` may also be a term.

        Returns
        -------
        term : Term

        Raises
        ------
        DNFSyntaxError
            If the text is no term.
        """
        fields = Parser(text, Vocabulary.of(features, values, like)).term()
        return cls(Literal(**of_literal) for of_literal in fields)

    def to_text(self):
        """Return it as the text that `parse` reads as an equal term.

        Raises
        ------
        TypeError
            If a value is no string, number or boolean.
        """
        return exact_term(self)

    def without(self, literal):
        """Return the term without one of its literals.

        Parameters
        ----------
        literal : Literal, str or int
            The literal, its text, or its position.

        Returns
        -------
        term : Term

        Raises
        ------
        IndexError, ValueError
            If it is not there; the message names those that are near.
        """
        parse = partial(Literal.parse, like=self)
        i = position_of(literal, self.literals, what="literal", parse=parse)
        return Term((*self.literals[:i], *self.literals[i + 1 :]))

    def with_literal(self, literal, *, features=None, values=None):
        """Return the term with one more literal, at its end; itself if it has it.

        Parameters
        ----------
        literal : Literal or str
            A literal, or its text.

        features, values : object, default=None
            As in `DNF.parse`, for a text. `features` is needed if it is about a column
            that no other literal is about.

        Returns
        -------
        term : Term

        Raises
        ------
        DNFSyntaxError
            If a text is no literal, or is about another column.
        """
        if isinstance(literal, str):
            literal = Literal.parse(
                literal, features=features, values=values, like=self
            )
        if meaning(literal) in meaning(self):
            return self
        return Term((*self.literals, literal))

    def holds(self, columns):
        """Return which rows satisfy all literals.

        Parameters
        ----------
        columns : non-empty list of ndarrays of shape (n_samples,)
            As `sklearn_dnfwinnow._preprocessing._columns.columns_of` returns them.

        Returns
        -------
        mask : ndarray of shape (n_samples,), bool
        """
        mask = np.ones(len(columns[0]), dtype=bool)
        for literal in self.literals:
            mask &= literal.holds(columns[literal.column])
        return mask

    def to_dict(self):
        """Return it as plain values that JSON holds, see `Literal.to_dict`."""
        return {"literals": [literal.to_dict() for literal in self.literals]}

    @classmethod
    def from_dict(cls, said):
        """Return the term that `to_dict` made this of.

        Raises
        ------
        ValueError
            If it is not of that form.
        """
        check_keys(said, ("literals",), "a term")
        check(type(said["literals"]) is list, "a list of literals", said["literals"])
        return cls(tuple(map(Literal.from_dict, said["literals"])))

    def to_python(self, row="row"):
        """Return it as an expression in Python, see `Literal.to_python`."""
        return term_as_python(self, row)

    def to_sql(self):
        """Return it as a condition in standard SQL, see `Literal.to_sql`."""
        return term_as_sql(self)
