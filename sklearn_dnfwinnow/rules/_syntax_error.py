"""DNFSyntaxError: the position of an error in the text of a formula."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

# Words of SQL and of programming languages, and what to write instead.
_INSTEAD = {
    "AND": "&",
    "&&": "&",
    "OR": "or",
    "|": "or",
    "||": "or",
    "NOT": "!= or not in",
    "IN": "in",
    "IS": "is",
}
_OTHER_WORD = re.compile(r"(?<!\S)(AND|OR|NOT|IN|IS|&&|\|\|?)(?!\S)")
# Number of characters of a line that are shown before and after the error.
_BEFORE, _BEHIND = 50, 25
# Maximum number of characters of the quoted text.
_MOST_QUOTED = 40


class DNFSyntaxError(ValueError):
    """Error in the text of a formula.

    Attributes
    ----------
    line, column : int
        Position of the error, both from 1; columns are counted in characters.

    expected, found : str
        What the grammar expects at the position, and what the text contains.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError
    >>> try:
    ...     DNF.parse("age > forty")
    ... except DNFSyntaxError as error:
    ...     print(error)
    Line 1, column 7: expected a number; found 'forty'.
        age > forty
              ^
    """

    def __init__(self, message, line=1, column=1, expected="", found=""):
        super().__init__(message, line, column, expected, found)
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found

    def __str__(self):
        return self.args[0]

    @classmethod
    def at(cls, text, place, expected, found=None, advice=""):
        """Return the error at a place of a text.

        Parameters
        ----------
        text : str
        place : int
        expected : str
        found : str, default=None
            None is the word at the place.
        advice : str, default=''
            The last line of the message. Without it, a word of another language near
            the place has one.
        """
        start = text.rfind("\n", 0, place) + 1
        line, column = 1 + text.count("\n", 0, place), 1 + place - start
        if found is None:
            found = _word(text, place)
        first = max(start, place - _BEFORE)
        shown = text[first : place + _BEHIND].split("\n", 1)
        before = text[first:place]
        excerpt = _printable(shown[0])
        if not advice and (other := _OTHER_WORD.search(shown[0])):
            advice = (
                f"If {other[0]!r} is not part of a name or value, write "
                f"{_INSTEAD[other[0]]} instead."
            )
        message = (
            f"Line {line}, column {column}: expected {expected}; found {found}.\n"
            f"    {excerpt}\n    {' ' * len(before)}^" + f"\n{advice}" * bool(advice)
        )
        return cls(message, line, column, expected, found)


def quoted(text):
    """Return some text of a formula in quotes, shortened if it is long."""
    return repr(text if len(text) <= _MOST_QUOTED else text[:_MOST_QUOTED] + "...")


def _word(text, place):
    """Return the word at a place, for a message."""
    if place >= len(text):
        return "the end of the text"
    words = text[place : place + 2 * _MOST_QUOTED].split(None, 1)
    if not words or text[place].isspace():
        return "the end of the line" if text[place] == "\n" else repr(text[place])
    return quoted(words[0])


def _printable(text):
    """Return text with a question mark for each character of another width."""
    return "".join(c if c.isprintable() else "?" for c in text)
