"""Term: a conjunction of literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from numbers import Integral

import numpy as np

from sklearn_dnfwinnow.rules._expressions import term_as_sql
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._parser import Parser
from sklearn_dnfwinnow.rules._vocabulary import Vocabulary

# Maximum number of parts, and of their characters, that are compared to find similar
# ones.
_MOST_PARTS, _MOST_CHARACTERS = 300, 200


def position_of(part, parts, what, parse):
    """Return the position of a part of a formula.

    Parameters
    ----------
    part : Literal, Term, str or int
        The part, its text, or its position; a negative position counts from the end.

    parts : tuple of Literal, or of Term
        Parts are equal if their `meaning` is equal.

    what : str
        Name of a part in messages.

    parse : callable
        Converts a text to a part.

    Returns
    -------
    position : int

    Raises
    ------
    IndexError
        If the position does not exist.
    ValueError
        If the part does not exist, or a text is not a part.
    """
    if isinstance(part, Integral) and not isinstance(part, bool):
        if not -len(parts) <= part < len(parts):
            raise IndexError(f"There are {len(parts)} {what}s; got position {part}.")
        return int(part) % len(parts)
    texts = list(map(str, parts))
    if isinstance(part, str):
        if part.strip() in texts:
            return texts.index(part.strip())
        part = parse(part)
    if part in parts:
        return parts.index(part)
    meanings, meant = list(map(meaning, parts)), meaning(part)
    if meant in meanings:
        return meanings.index(meant)
    text = str(part)
    some = [one[:_MOST_CHARACTERS] for one in texts[:_MOST_PARTS]]
    near = get_close_matches(text[:_MOST_CHARACTERS], some) or some[:3]
    listed = "".join(f"\n    {one}" for one in near)
    nearest = f" The nearest are:{listed}" if near else ""
    raise ValueError(f"There is no {what} {text!r:.200}.{nearest}")


def meaning(part):
    """Return a key that is equal for literals, or terms, that the same values satisfy.

    A literal of values never equals a literal of intervals, unless both are empty.
    """
    if hasattr(part, "literals"):
        return frozenset(map(meaning, part.literals))
    exact = part.intervals or part.values or ()
    kind = "intervals" if part.intervals else "values"
    return part.column, kind, frozenset(exact), part.missing, part.complement


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
        """Parse a term, see :ref:`editing_grammar`.

        Parameters
        ----------
        text : str
            Literals joined by ``&`` or ``and``, or ``True``.

        features, values, like : object, default=None
            As in `DNF.parse`; `like` can also be a term.

        Returns
        -------
        term : Term

        Raises
        ------
        DNFSyntaxError
            If the text is not a term.
        """
        fields = Parser(text, Vocabulary(features, values, like)).term()
        return cls(Literal(**of_literal) for of_literal in fields)

    def to_text(self):
        """Return a text that `parse` converts to an equal term.

        Raises
        ------
        TypeError
            If a value is not a string, number or boolean.
        """
        return " & ".join(one.to_text() for one in self.literals) or "True"

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
            If the term does not contain the literal; the message lists similar ones.
        """
        parse = partial(Literal.parse, like=self)
        i = position_of(literal, self.literals, what="literal", parse=parse)
        return Term((*self.literals[:i], *self.literals[i + 1 :]))

    def with_literal(self, literal, *, features=None, values=None):
        """Return the term with one more literal at its end, unless it already has it.

        Parameters
        ----------
        literal : Literal or str
            A literal, or its text.

        features, values : object, default=None
            As in `DNF.parse`, for a text. `features` is required if the feature of the
            new literal is not in the term.

        Returns
        -------
        term : Term

        Raises
        ------
        DNFSyntaxError
            If the text is not a literal, or refers to an unknown feature.
        """
        if isinstance(literal, str):
            literal = Literal.parse(
                literal, features=features, values=values, like=self
            )
        if meaning(literal) in meaning(self):
            return self
        return Term((*self.literals, literal))

    def holds(self, columns):
        """Return which samples satisfy all literals.

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

    def to_python(self, row="row"):
        """Return the term as a Python expression, see `Literal.to_python`."""
        return " and ".join(one.to_python(row) for one in self.literals) or "True"

    def to_sql(self, *, dialect="standard"):
        """Return the term as an SQL condition, see `Literal.to_sql`."""
        return term_as_sql(self, dialect)
