"""Text of formulas: tokens, conditions, and errors with their place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import sys
from ast import literal_eval
from math import inf, isfinite, nextafter
from reprlib import Repr
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._display import shown

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
        # A character of another width would move the mark.
        excerpt = "".join(c if c.isprintable() else "?" for c in shown[0])
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


# Data in messages, without recursion and without a long text.
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 20


def check(is_right, expected, got):
    """Raise a ValueError if something is not as expected."""
    if not is_right:
        raise ValueError(f"Expected {expected}; got {_SHORT.repr(got):.200}.")


def plain(value, where, *, any_integer=False):
    """Convert a value to a Python string, number or boolean.

    Numbers must be inside of float64, unless `any_integer` allows larger integers.

    Raises
    ------
    TypeError
        If it is none of these; the message says `where` it is, such as "column 'a'".
    """
    if isinstance(value, (np.bool_, np.number, np.str_)):
        value = value.item()
    largest = sys.float_info.max
    is_number = type(value) in (int, float) and -largest <= value <= largest
    is_number |= any_integer and type(value) is int
    if not (is_number or type(value) in (str, bool)):
        raise TypeError(
            f"Only strings, numbers and booleans can be written; {where} has "
            f"{value!r:.200} of type {type(value).__name__}. Convert {where} to "
            "strings before training."
        )
    return value


#: Words that end a name or value without quotes.
KEYWORDS = frozenset({"and", "in", "is", "not", "or"})
# The text of a missing value.
MISSING = "missing"
# Beginning of the text that replaces values that are not listed.
ELLIPSIS = "..."
#: An entry of the head: its key and a colon.
HEAD = re.compile(r"(features|transformed_by|class|otherwise)[^\S\n]*+:")
OR_MISSING = re.compile(r"\(\s*+or\s++missing\s*+\)")
NUMBER = re.compile(
    r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?|[+-]?inf", re.ASCII
)
_BLANK = re.compile(r"(?:\s++|\#[^\n]*+)*+")
# A new piece can start at each place of a text.
_PIECE = re.compile(r"!=|[^\s=<>!&,()\[\]{}]++|[^\S\n]++|.", re.DOTALL)
_STOPS = frozenset({"!=", "=", "<", ">", "&", "\n"})
_QUOTED = re.compile(r"""'((?:[^'\\\n]|\\.)*+)'|"((?:[^"\\\n]|\\.)*+)\"""")
_ESCAPE = re.compile(
    r"""\\(?:[\\'"nrt]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})""",
    re.ASCII,
)
_INSIDE = re.compile(rf"(?:[^\\]|{_ESCAPE.pattern})*+", re.ASCII)


class Token(NamedTuple):
    """A name or value in a text.

    Attributes
    ----------
    text : str
        The text as written, including quotes and escapes.
    value : str
        The string that it represents, if it is a string.
    is_quoted : bool
    place : int
    """

    text: str
    value: str
    is_quoted: bool
    place: int


def blank_end(text, place):
    """Return the place after white space and comments."""
    return _BLANK.match(text, place).end()


def token_at(text, place, expected):
    """Return the Token at a place, and the place after it.

    Raises
    ------
    DNFSyntaxError
        If no token is at the place; the message contains `expected`.
    """
    if text[place : place + 1] in ("'", '"') and place < len(text):
        return _quoted_at(text, place)
    end, depth = _bare_end(text, place)
    if end == place:
        raise DNFSyntaxError.at(text, place, expected)
    bare = text[place:end]
    if not bare.isprintable():
        odd = next(i for i, c in enumerate(bare) if not c.isprintable())
        expected = "quotes around a text with such a character"
        raise DNFSyntaxError.at(text, place + odd, expected)
    if depth:
        expected = "as many closing brackets as opening ones, or quotes"
        raise DNFSyntaxError.at(text, place, expected)
    return Token(bare, bare, is_quoted=False, place=place), end


def _quoted_at(text, place):
    """Return the quoted Token at a place, and the place after it."""
    found = _QUOTED.match(text, place)
    if found is None:
        raise DNFSyntaxError.at(text, place, "a closing quote in the same line")
    start, end = found.span(found.lastindex)
    odd = _INSIDE.match(text, start, end).end()
    if odd < end:
        expected = r"\\, \', \", \n, \r, \t, \x.., \u.... or \U........"
        raise DNFSyntaxError.at(text, odd, expected)
    # The escapes are some of those of Python.
    value = _ESCAPE.sub(lambda one: literal_eval(f"'{one[0]}'"), text[start:end])
    return Token(repr(value), value, is_quoted=True, place=place), found.end()


def _bare_end(text, place):
    """Return the end of a name or value without quotes, and its open brackets."""
    depth, end, start = 0, place, place
    while place < len(text):
        piece = _PIECE.match(text, place)[0]
        if piece in _STOPS:
            break
        if piece.isspace():
            if piece.strip(" "):
                break
            place += len(piece)
            continue
        if piece in "([{":
            if piece == "(" and not depth and OR_MISSING.match(text, place):
                break
            depth += 1
        elif piece in ")]}":
            if not depth:
                break
            depth -= 1
        elif not depth and (piece == "," or piece in KEYWORDS):
            break
        elif piece[0] == "#" and (place == start or text[place - 1].isspace()):
            break
        place += len(piece)
        end = place
    return end, depth


def default_value(text):
    """Return the value of a text without quotes if the column is unknown.

    Raises
    ------
    ValueError
        If it is a number with too many digits, or outside of double precision.
    """
    if text in ("True", "False"):
        return text == "True"
    return number_of(text) if NUMBER.fullmatch(text) else text


def number_of(text):
    """Return the number that a text matched by `NUMBER` represents."""
    if text.lstrip("+-").isdigit():
        try:
            return int(text)
        except ValueError:  # Python limits the digits of an integer
            raise ValueError("a number of fewer digits") from None
    number = float(text)
    if not isfinite(number) and not text.endswith("inf"):
        raise ValueError("a number within double precision")
    return number


# -- to text ---------------------------------------------------------------------------


def name_text(name):
    """Return the name of a column, in quotes if it could not be parsed without them."""
    is_bare = _is_bare(name) and name[0] not in "([{" and not HEAD.match(name)
    return name if is_bare else repr(name)


def value_text(value):
    """Return a value as text, in quotes if it could not be parsed without them."""
    text = shown(value)
    if text == repr(str(value)):
        return text  # in quotes already
    is_bare = _is_bare(text) and text != MISSING and not text.startswith(ELLIPSIS)
    return text if is_bare else repr(text)


def exact_text(value, where):
    """Return a value in the form that `default_value` reads, strings in quotes.

    Parameters
    ----------
    value : str, number or bool
    where : str
        As in `plain`.

    Raises
    ------
    TypeError
        If it is not a string, number or boolean.
    """
    if isinstance(value, float) and value in (inf, -inf):
        return str(float(value))
    value = plain(value, where)
    if isinstance(value, str):
        is_other = value in ("True", "False", MISSING) or NUMBER.fullmatch(value)
        is_bare = _is_bare(value) and not is_other and not value.startswith(ELLIPSIS)
        return value if is_bare else repr(value)
    return number_text(value)


def number_text(number):
    """Return a number with all its digits, without a fraction that is zero."""
    return repr(number).removesuffix(".0")


def _is_bare(text):
    """Return whether a text is parsed as one name or value without quotes."""
    return (
        text.isprintable()
        and text == text.strip() != ""
        and text[0] not in "'\""
        and _bare_end(text, 0) == (len(text), 0)
    )


def condition_of(literal):
    """Return relation and label of a literal for readers, from its exact meaning.

    Unlike in `Literal.to_text`, a value that could be a number or a string is not
    quoted, and an interval of one number is this number.
    """
    if literal.intervals:
        point, is_other = _only_point(literal.intervals)
        if point is not None:
            suffix = f" (or {MISSING})" if literal.missing else ""
            return "!=" if is_other else "=", f"{number_text(point)}{suffix}"
    return condition(literal, value_text)


def condition(literal, write):
    """Return relation and label of a literal, with values written by a function."""
    listed = list(map(write, literal.values or ()))
    if literal.intervals:
        relation, label = _on_intervals(literal.intervals)
    else:
        relation, label = condition_on_values(
            listed, literal.complement, literal.missing
        )
    is_said = not (literal.intervals or listed)
    suffix = f" (or {MISSING})" if literal.missing and not is_said else ""
    return relation, f"{label}{suffix}"


def _on_intervals(intervals):
    """Return relation and label of a condition on numbers."""
    intervals = [(float(low), float(high)) for low, high in intervals]
    low, high = intervals[0]
    if len(intervals) == 1 and isfinite(low) != isfinite(high):
        is_below = low == -inf
        return one_sided(_end(high if is_below else low), is_below)
    texts = [interval_text(_end(low), _end(high)) for low, high in intervals]
    return "in", " or ".join(texts)


def _only_point(intervals):
    """Return the number that intervals consist of, or leave out; None if not one.

    Returns
    -------
    point : float or None
    is_other : bool
        Whether the intervals consist of all other numbers.
    """
    low, high = intervals[0]
    is_other = len(intervals) == 2 and low == -inf and intervals[1][1] == inf
    if is_other:
        low, high = high, intervals[1][0]
    is_point = (is_other or len(intervals) == 1) and isfinite(low) and isfinite(high)
    return (high if is_point and nextafter(low, inf) == high else None), is_other


def shorter_end(number):
    """Return an end of an interval, and whether the interval excludes this number.

    A number that was meant as an exclusive end has few digits: the end is then the
    number above the given one.
    """
    if not isfinite(number):
        return number, number > 0
    above = nextafter(number, inf) + 0.0  # not -0.0
    is_below = isfinite(above) and len(repr(above)) < len(repr(number))
    return above if is_below else number, is_below


def _end(number):
    """Return an end of an interval as text, and whether the interval excludes it."""
    end, is_excluded = shorter_end(number)
    return number_text(end), is_excluded


def condition_on_values(listed, complement, missing):
    """Return relation and label of listed values, given as texts, or of all others.

    Whether missing values satisfy the condition is said only if no value is listed.
    """
    if not listed:
        if complement == missing:
            return "is", "anything" if missing else "nothing"
        return "is" if missing else "is not", "missing"
    if len(listed) == 1:
        return "!=" if complement else "=", listed[0]
    return "not in" if complement else "in", f"{{{', '.join(listed)}}}"


def one_sided(end, is_below):
    """Return relation and label of all numbers below, or above, an end."""
    number, strict = end
    if is_below:
        return "<" if strict else "<=", number
    return ">=" if strict else ">", number


def interval_text(low, high):
    """Return an interval between two ends as text."""
    (first, is_closed), (last, is_open) = low, high
    return f"{'[' if is_closed else '('}{first}, {last}{')' if is_open else ']'}"


def between(intervals, first, last):
    """Return the intervals before, between and after some that ascend."""
    ends = [first, *(end for interval in intervals for end in interval), last]
    return [pair for pair in zip(ends[::2], ends[1::2]) if pair[0] != pair[1]]


def united(intervals):
    """Return the union of intervals, as ascending ones; those that touch remain."""
    found = []
    for low, high in sorted(intervals):
        if found and low < found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found
