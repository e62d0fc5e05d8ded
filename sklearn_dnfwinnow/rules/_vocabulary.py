"""Vocabulary: the names and values that the text of a formula refers to."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from difflib import get_close_matches

import numpy as np

from sklearn_dnfwinnow._preprocessing._columns import frame_library
from sklearn_dnfwinnow._preprocessing._missing import is_missing
from sklearn_dnfwinnow._preprocessing._named_columns import named_columns
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.rules._tokens import default_value

# Maximum number of names, and of their characters, that are compared to find similar
# ones.
_MOST_NAMES, _MOST_CHARACTERS = 1000, 100


class Vocabulary:
    """Names of columns, their values, and literals known by their text.

    Parameters
    ----------
    features : iterable of str, default=None
        Names of all columns. None uses those of `values` or of `literals`, or allows
        any.

    values : {mapping of str to array-like, dataframe}, default=None
        Known values of some columns, by name.

    literals : iterable of Literal, default=()
        Literals that replace their text.

    like : iterable of str, default=()
        Names of the columns of `literals`.
    """

    def __init__(self, features=None, values=None, literals=(), like=()):
        names = features if features is not None else like
        if features is None and values is not None and not names:
            names = values.columns if frame_library(values) else values
        self.features = list(map(str, names))
        self._values, self._literals = values, list(literals)
        # Whether a formula can refer to other columns.
        self._is_open = features is None and not self.features and not self._literals
        self._places, self._texts, self._known = {}, {}, {}
        for j, name in enumerate(self.features):
            self._places.setdefault(name, []).append(j)
        for literal in self._literals:
            if not self.features:
                self._places[literal.feature] = [literal.column]
            known = self._texts.setdefault(str(literal), literal)
            if known != literal:
                self._texts[str(literal)] = None

    @classmethod
    def of(cls, features=None, values=None, like=None):
        """Return the vocabulary for a text.

        Parameters
        ----------
        features : iterable of str, default=None
        values : {mapping of str to array-like, dataframe}, default=None
        like : DNF, Term or Literal, default=None
        """
        if isinstance(features, str):
            raise TypeError(f"features must be names of columns; got {features!r}.")
        terms = getattr(like, "terms", () if like is None else (like,))
        literals = [x for term in terms for x in getattr(term, "literals", (term,))]
        names = getattr(like, "features", ())
        return cls(features, values, literals=literals, like=names)

    def column(self, name):
        """Return the position of a column.

        Raises
        ------
        LookupError
            If no column, or more than one, has the name; the message is the expected
            text.
        """
        if name not in self._places and self._is_open:
            self._places[name] = [len(self.features)]
            self.features.append(name)
        places = self._places.get(name, ())
        if len(places) == 1:
            return places[0]
        if places:
            raise LookupError("a name of one column only")
        known = self.features or self._places
        raise LookupError("the name of a column" + near(name, known))

    def literal(self, text):
        """Return the fields of the literal with a text; None if there is none.

        Raises
        ------
        LookupError
            If two different literals have the text, or its column does not exist; the
            message is the expected text.
        """
        if text not in self._texts:
            return None
        literal = self._texts[text]
        if literal is None:
            raise LookupError("a text that only one literal of `like` has")
        j, name = literal.column, literal.feature
        is_there = not self.features or self.features[j : j + 1] == [name]
        return {**vars(literal), "column": j if is_there else self.column(name)}

    def value(self, name, text):
        """Return the value that a text without quotes represents.

        Raises
        ------
        LookupError
            If the column cannot contain it; the message is the expected text.
        """
        if name not in self._known:
            self._known[name] = self._look_up(name)
        values, texts, kinds = self._known[name]
        try:
            value = default_value(text)
        except ValueError as error:
            if text not in texts and kinds != {str}:
                raise LookupError(str(error)) from None
            value = text
        if value in values or not values:
            return value
        if text in texts:
            return texts[text]
        if kinds == {str}:
            return text
        if str not in kinds and isinstance(value, str) and kinds <= {int, float}:
            raise LookupError("a number, as the column holds")
        return value

    def _look_up(self, name):
        """Return known values of a column, also by their texts, and their types."""
        values = set(self._given(name))
        if not values:
            for literal in self._literals:
                if literal.feature == name and literal.values is not None:
                    values.update(literal.values)
        return values, {shown(v): v for v in values}, set(map(type, values))

    def _given(self, name):
        """Return the values of a column of `values`, without missing ones."""
        table = self._values
        if table is None:
            return []
        if frame_library(table):
            names = list(map(str, table.columns))
            if names.count(name) != 1:
                return []
            (column,) = named_columns(table, names, [names.index(name)])
            return [value for value in column.tolist() if not is_missing(value)]
        if name not in table:
            return []
        listed = [v.item() if isinstance(v, np.generic) else v for v in table[name]]
        return [value for value in listed if not is_missing(value)]


def near(text, known):
    """Return an end of a message that lists the names most similar to a text."""
    some = [name[:_MOST_CHARACTERS] for name in list(known)[:_MOST_NAMES]]
    found = get_close_matches(text[:_MOST_CHARACTERS], some, n=3)
    listed = found or some[:5]
    if not listed:
        return ""
    more = ", ..." if not found and len(some) > len(listed) else ""
    return f" ({', '.join(map(repr, listed))}{more})"
