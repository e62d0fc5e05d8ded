"""SQL dialects: how database engines write names, strings, numbers and booleans."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ulp


@dataclass(frozen=True)
class Dialect:
    """The lexical rules of an engine, and its rules for comparisons.

    Parameters
    ----------
    quote : str
        The quotation mark of names.
    in_names, in_strings : dict of str to str
        Replacements of characters in quotes.
    compared : str, default='{}'
        Form of a string that a column is compared with.
    number : callable, default=repr
        Writes a finite number.
    booleans : (str, str), default=('FALSE', 'TRUE')
    folds_case : bool, default=True
        Whether names that differ only in case refer to the same column.
    has_types : bool, default=False
        Whether a column with numbers and strings cannot exist.
    """

    quote: str
    in_names: dict
    in_strings: dict
    compared: str = "{}"
    number: Callable = repr
    booleans: tuple = ("FALSE", "TRUE")
    folds_case: bool = True
    has_types: bool = False

    def name(self, text):
        """Return the name of a column in quotes."""
        escaped = _encodable(text).translate(str.maketrans(self.in_names))
        return f"{self.quote}{escaped}{self.quote}"

    def constant(self, value):
        """Return a string, number or boolean as a constant."""
        if isinstance(value, str):
            escaped = _encodable(value).translate(str.maketrans(self.in_strings))
            return f"'{escaped}'"
        if isinstance(value, bool):
            return self.booleans[value]
        return self.number(value)

    def operand(self, value):
        """Return a constant that is compared with a column."""
        constant = self.constant(value)
        return self.compared.format(constant) if isinstance(value, str) else constant


def _encodable(text):
    """Check and return text that databases can store."""
    if "\0" in text:
        raise ValueError(f"SQL cannot represent the null character in {text!r}.")
    try:
        text.encode()
    except UnicodeEncodeError:  # of a lone surrogate
        raise ValueError(f"SQL cannot represent a character in {text!r}.") from None
    return text


def _sqlite_number(number):
    """Return a number in a form that SQLite reads without an error of rounding.

    SQLite rounds twice. Text near the middle of two doubles can therefore become the
    wrong one; 17 digits are nearer to the number than to any middle.
    """
    text = repr(number)
    if isinstance(number, float):
        distance = abs(Fraction(text) - Fraction(number))
        if distance > Fraction(49, 100) * Fraction(ulp(number)):
            return format(number, ".17g")
    return text


_DOUBLED = {"'": "''"}
# The escapes of strings in BigQuery are also those of its names. A line end in quotes
# is an error there.
_BACKSLASHES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}

DIALECTS = {
    "standard": Dialect('"', {'"': '""'}, _DOUBLED, folds_case=False),
    # Backticks, because SQLite reads a name in double quotes as a string if there is no
    # such column. TRUE would be the column with this name, if there is one.
    "sqlite": Dialect(
        "`", {"`": "``"}, _DOUBLED, number=_sqlite_number, booleans=("0", "1")
    ),
    # Its default collations ignore case, accents or spaces at the end.
    "mysql": Dialect(
        quote="`",
        in_names={"`": "``"},
        in_strings={**_DOUBLED, "\\": "\\\\"},
        compared="CAST({} AS BINARY)",
        has_types=True,
    ),
    "bigquery": Dialect(
        quote="`",
        in_names={**_BACKSLASHES, "`": "\\`"},
        in_strings={**_BACKSLASHES, "'": "\\'"},
        has_types=True,
    ),
}
