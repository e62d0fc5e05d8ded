"""DNFSyntaxError: where the text of a formula is wrong, and what is expected there."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Characters of a line that are shown before and behind the place.
_BEFORE, _BEHIND = 50, 25
# Characters of the text that is quoted as found.
_MOST_QUOTED = 40


class DNFSyntaxError(ValueError):
    """Error in the text of a formula.

    Attributes
    ----------
    line, column : int
        Where it is, both from 1; characters of a line are counted.

    expected, found : str
        What the grammar has there, and what the text has.

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
    def at(cls, text, place, expected, found=None):
        """Return the error at a place of a text.

        Parameters
        ----------
        text : str
        place : int
        expected : str
        found : str, default=None
            None is the word at this place.
        """
        start = text.rfind("\n", 0, place) + 1
        line, column = 1 + text.count("\n", 0, place), 1 + place - start
        if found is None:
            found = _word(text, place)
        first = max(start, place - _BEFORE)
        shown = text[first : place + _BEHIND].split("\n", 1)
        before = text[first:place]
        excerpt = _printable(shown[0])
        message = (
            f"Line {line}, column {column}: expected {expected}; found {found}.\n"
            f"    {excerpt}\n    {' ' * len(before)}^"
        )
        return cls(message, line, column, expected, found)


def quoted(text):
    """Return some text of a formula in quotes, cut if it is long."""
    return repr(text if len(text) <= _MOST_QUOTED else text[:_MOST_QUOTED] + "...")


def _word(text, place):
    """Return what stands at a place, for people."""
    if place >= len(text):
        return "the end of the text"
    words = text[place : place + 2 * _MOST_QUOTED].split(None, 1)
    if not words or text[place].isspace():
        return "the end of the line" if text[place] == "\n" else repr(text[place])
    return quoted(words[0])


def _printable(text):
    """Return text with a question mark for what would not stay in its place."""
    return "".join(c if c.isprintable() else "?" for c in text)
