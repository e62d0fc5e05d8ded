"""Tokens: names, values and numbers in the text of a formula, read and written."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from ast import literal_eval
from math import isfinite
from typing import NamedTuple

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._checks import plain
from sklearn_dnfwinnow.rules._syntax_error import DNFSyntaxError

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
        raise DNFSyntaxError.at(
            text, place + odd, "quotes around a text with such a character"
        )
    if depth:
        raise DNFSyntaxError.at(
            text, place, "as many closing brackets as opening ones, or quotes"
        )
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
        Beginning of the error message.

    Raises
    ------
    TypeError
        If it is not a string, number or boolean.
    """
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
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
