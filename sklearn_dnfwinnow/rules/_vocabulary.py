"""Vocabulary: the names and values that the text of a formula refers to."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Iterable
from numbers import Number

import numpy as np

from sklearn_dnfwinnow._encoding._columns import (
    frame_library,
    is_missing,
    named_columns,
)
from sklearn_dnfwinnow._utils._display import near, shown
from sklearn_dnfwinnow.rules._text import default_value

# Maximum number of characters of a name in a message.
_MOST_CHARACTERS = 100
_ELSEWHERE = (
    "If only other rows contain this value, read the text by DNF.parse without "
    "`values`."
)


class Vocabulary:
    """Names of columns, and their values.

    Parameters
    ----------
    features : iterable of str, default=None
        Names of all columns. None uses those of `values`, or allows any.

    values : {mapping of str to array-like, dataframe}, default=None
        Known values of some columns, by name.
    """

    def __init__(self, features=None, values=None):
        if isinstance(features, str):
            raise TypeError(f"features must be names of columns; got {features!r}.")
        names = () if features is None else features
        if features is None and values is not None:
            names = _names_of(values) if frame_library(values) else values
        self.features = list(map(str, names))
        self._values = values
        # Whether a formula can refer to other columns.
        self._is_open = features is None and not self.features
        self._places, self._known = {}, {}
        for j, name in enumerate(self.features):
            self._places.setdefault(name, []).append(j)

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
        raise LookupError("the name of a column" + near(name, self.features))

    def value(self, name, text, *, is_string=False):
        """Return the value that a text represents.

        Parameters
        ----------
        name : str
            Name of the column.
        text : str
        is_string : bool, default=False
            Whether the text was in quotes, so that the value is the text itself.

        Raises
        ------
        LookupError
            If the column is in `values`, but does not contain it; or if its text is no
            number. The arguments are the expected text, and advice.
        """
        return self._known_values(name).value(text, is_string)

    def check_numbers(self, name):
        """Raise a LookupError if a column is known to contain only words."""
        known = self._known_values(name)
        if known.of_strings:
            expected = near("", [*known.values])
            raise LookupError(
                f"'=', '!=' or 'in', as {known.column} has words{expected}"
            )

    def _known_values(self, name):
        """Return what is known of the values of a column."""
        if name not in self._known:
            self._known[name] = _Known(name, self._given(name))
        return self._known[name]

    def _given(self, name):
        """Return the values of a column of `values`, without missing ones.

        Declared categories are among them, whether or not they occur.
        """
        table = self._values
        if table is None:
            return []
        if frame_library(table):
            names = _names_of(table, self.features)
            if names.count(name) != 1:
                return []
            j = names.index(name)
            (column,) = named_columns(table, names, [j])
            given = column.tolist()
            # Categorical columns of polars do not declare theirs.
            declared = getattr(list(table.dtypes)[j], "categories", None)
            given += list(declared) if isinstance(declared, Iterable) else []
        elif name in table:
            given = [v.item() if isinstance(v, np.generic) else v for v in table[name]]
        else:
            return []
        return [value for value in dict.fromkeys(given) if not is_missing(value)]


def _names_of(frame, features=()):
    """Return the names of the columns of a data frame.

    Columns whose names are no strings have those of `features`, by their position, or
    are named x0, x1 and so on.
    """
    names = list(frame.columns)
    if all(isinstance(name, str) for name in names):
        return names
    if len(features) == len(names):
        return list(features)
    return [f"x{j}" for j in range(len(names))]


class _Known:
    """The known values of a column.

    Parameters
    ----------
    name : str
        Name of the column.
    values : iterable
        Distinct values. If there are any, another value is an error, but other numbers
        can occur in a column of numbers.
    """

    def __init__(self, name, values):
        kinds = set(map(type, values))
        values = (True, False) if kinds == {bool} else values
        self.column = f"column {name!r:.{_MOST_CHARACTERS}}"
        self.values = {value: value for value in values}
        self.of_strings = bool(kinds) and all(issubclass(kind, str) for kind in kinds)
        self._of_numbers = kinds != {bool} and all(
            issubclass(kind, Number) for kind in kinds
        )
        self._texts = {
            shown(value): value for value in values if not isinstance(value, str)
        }

    def value(self, text, is_string):
        """Return the value that a text represents, see `Vocabulary.value`."""
        value = text if is_string or self.of_strings else self._read(text)
        if value in self.values:
            return self.values[value]
        if self.values and not (self._of_numbers and isinstance(value, Number)):
            raise LookupError(self._expected(text), _ELSEWHERE)
        return value

    def _read(self, text):
        """Return the value of a text without quotes, in a column not of strings only.

        A text in the form of a number is a number, as in `exact_text`, even if the
        column contains a string with this text.
        """
        if text in self._texts:
            return self._texts[text]
        try:
            return default_value(text)
        except ValueError as error:
            raise LookupError(str(error)) from None

    def _expected(self, text):
        """Return what is expected instead of an unknown value."""
        if self._of_numbers:
            return f"a number, as {self.column} contains only numbers"
        texts = {
            shown(v): repr(v) if isinstance(v, str) else shown(v) for v in self.values
        }
        return f"a value of {self.column}{near(text, dict(sorted(texts.items())))}"
