"""Parser: converts the text of a formula to the fields of its literals.

The grammar is in the guide, :ref:`editing_grammar`. The parser reads the text from left
to right without recursion, and examines each character a bounded number of times.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from functools import partial
from math import inf, isfinite, nextafter
from typing import NamedTuple

from sklearn_dnfwinnow.rules._text import (
    ELLIPSIS,
    HEAD,
    MISSING,
    NUMBER,
    OR_MISSING,
    DNFSyntaxError,
    between,
    blank_end,
    number_of,
    quoted,
    token_at,
    united,
)

#: The byte order mark that editors put before a text.
MARK = "\ufeff"
_WORD = r"(?![^\s=<>!&,()\[\]{}])"
_RELATION = re.compile(
    rf"==|!=|<=|>=|=|<|>|(?:not\s++in|in|is\s++not|is){_WORD}", re.DOTALL
)
_AND = re.compile(rf"&|and{_WORD}")
_OR = re.compile(rf"or{_WORD}")
_TRUTH = re.compile(
    rf"(True|False)(?=\s*+(?:[&)#]|\Z|(?:and|or){_WORD}|otherwise[^\S\n]*+:))"
)
# The text after `or` that continues a literal instead of starting a new term.
_OR_PART = re.compile(r"or\s*+(?=\{|[\[(]\s*+[^\s,()\[\]{}]++\s*+,)")
_IS = re.compile(rf"(missing|anything|nothing){_WORD}")
_RELATIONS = (
    "'=', '!=', '<', '<=', '>', '>=', 'in', 'not in' or 'is' (quote a name that has "
    "one of these in it)"
)
_BRACES = "(values are in braces: {a, b})"


class Part(NamedTuple):
    """A part of a condition after its relation: a text, with values or an interval."""

    text: str
    tokens: list = []
    interval: tuple | None = None


class Parser:
    """Read a text from its beginning to its end.

    Parameters
    ----------
    text : str
    vocabulary : Vocabulary
    """

    def __init__(self, text, vocabulary):
        if not isinstance(text, str):
            raise TypeError(f"text must be a string; got {type(text).__name__}.")
        self.text = text.removeprefix(MARK)
        self.vocabulary = vocabulary
        self._go(0)

    # -- wholes ------------------------------------------------------------------------

    def head(self):
        """Return the entries of a head: a dict of key to list of Token."""
        entries = {}
        while found := HEAD.match(self.text, self._place):
            entries[found[1]] = self._entry(found, entries)
        return entries

    def last_line(self, head):
        """Return the entry 'otherwise' below a formula, as `head` does, if there is."""
        entries, found = {}, HEAD.match(self.text, self._place)
        if found and found[1] == "otherwise":
            entries["otherwise"] = self._entry(found, head)
        if not self.is_at_end:
            raise self.error("'&', 'and', 'or' or the end of the text")
        return entries

    def _entry(self, found, others):
        """Return the list of Token of the entry whose key was found."""
        if found[1] in others:
            raise self.error(f"one entry {found[1]!r} only")
        self._go(found.end())
        if self.is_at_end or "\n" in self.text[found.end() : self._place]:
            return []
        tokens = [self._token("a name or value")]
        while self._takes(","):
            tokens.append(self._token("a name or value"))
        return tokens

    @property
    def is_at_end(self):
        """Return whether no text is left."""
        return self._place == len(self.text)

    def formula(self):
        """Parse the terms of a formula: lists of dicts with the fields of literals."""
        terms = [self._term()]
        while self._matches(_OR):
            terms.append(self._term())
        return [term for term in terms if term is not None]

    # -- parts -------------------------------------------------------------------------

    def _term(self):
        """Return the literals of a term; None if one of them is False."""
        literals, depth, is_possible = [], 0, True
        while True:
            while self._takes("("):
                depth += 1
            if found := self._matches(_TRUTH):
                is_possible &= found[0] == "True"
            else:
                literals.append(self._literal())
            while depth and self._takes(")"):
                depth -= 1
            if not self._matches(_AND):
                break
        if depth:
            raise self.error("')' or '&' (there is no 'or' inside of parentheses)")
        return literals if is_possible else None

    def _literal(self):
        """Return the fields of a literal."""
        name = self._token("the name of a column")
        if not name.is_quoted and name.text[0] in "([{":
            raise self.error("the name of a column, in quotes", name.place)
        place, found = self._place, self._matches(_RELATION)
        if found is None:
            raise self.error(_RELATIONS)
        relation = " ".join(found[0].split())
        relation = "=" if relation == "==" else relation
        if relation in ("in", "not in"):
            parts = self._parts()
        elif relation in ("is", "is not"):
            parts = self._state(relation)
        else:
            token = self._token("a value")
            parts = [Part(token.text, [token])]
        suffix = self._matches(OR_MISSING)
        column = self._look_up(self.vocabulary.column, name.value, name.place)
        relation, label, exact = self._meaning(name.value, relation, parts, place)
        if suffix:
            label, exact["missing"] = f"{label} (or {MISSING})", True
        fields = {"feature": name.value, "relation": relation, "label": label}
        return {"column": column, **fields, **exact}

    def _state(self, relation):
        """Return the word after 'is' or 'is not', as a Part."""
        place = self._place
        found = self._matches(_IS)
        if found is None or (relation == "is not" and found[0] != MISSING):
            others = ", 'anything' or 'nothing'" * (relation == "is")
            raise self.error(f"'missing'{others}", place)
        return [Part(found[0])]

    def _parts(self):
        """Return the parts after 'in': a list of Part."""
        parts = []
        while True:
            if self._takes("{"):
                values = self._values()
                listed = ", ".join(token.text for token in values)
                parts.append(Part(f"{{{listed}}}", values))
            elif self.text[self._place : self._place + 1] in ("(", "["):
                parts.append(self._interval())
            else:
                raise self.error("'{', '(' or '['")
            if not self._matches(_OR_PART):
                return parts

    def _values(self):
        """Return the values of a set after its opening brace: a list of Token."""
        values = []
        while not self._takes("}"):
            if values and not self._takes(","):
                raise self.error("',' or '}'")
            values.append(self._token("a value"))
        return values

    def _interval(self):
        """Return the interval at the current place, as a Part."""
        start = self._place
        opening = self.text[start]
        self._go(start + 1)
        first = self._token("a number")
        if not self._takes(","):
            raise self.error(f"',' {_BRACES}")
        self.number(first, f"a number {_BRACES}")
        last = self._token("a number")
        closing = self.text[self._place : self._place + 1]
        if not (self._takes(")") or self._takes("]")):
            raise self.error(f"')' or ']' {_BRACES}")
        low = self.below(first) if opening == "[" else self.number(first)
        high = self.below(last) if closing == ")" else self.number(last)
        if not low < high or low == inf:
            raise self.error("an interval with a number in it", start)
        text = f"{opening}{first.text}, {last.text}{closing}"
        return Part(text, interval=(low, high))

    def number(self, token, expected="a number"):
        """Return a Token as a float; `expected` is for the error.

        Raises
        ------
        DNFSyntaxError
            If it is not a number.
        """
        if token.is_quoted or not NUMBER.fullmatch(token.text):
            raise self.error(expected, token.place, token.text)
        try:
            return float(number_of(token.text))
        except (OverflowError, ValueError):
            expected = "a number within double precision"
            raise self.error(expected, token.place, token.text) from None

    def below(self, token):
        """Return the largest float below a Token; an infinite number itself.

        Raises
        ------
        DNFSyntaxError
            If it is not a number, or no float is below it.
        """
        number = self.number(token)
        below = nextafter(number, -inf) if isfinite(number) else number
        if isfinite(number) and not isfinite(below):
            expected = "a number that is not the smallest"
            raise self.error(expected, token.place, token.text)
        return below

    def value(self, name, token):
        """Return the value of a column that a Token represents.

        Raises
        ------
        DNFSyntaxError
            If the column cannot contain the value.
        """
        if not token.is_quoted and token.text.startswith(ELLIPSIS):
            raise self.error("all values, as in `to_text`", token.place, token.text)
        look_up = partial(self.vocabulary.value, name, is_string=token.is_quoted)
        return self._look_up(look_up, token.value, token.place, token.text)

    # -- meanings ----------------------------------------------------------------------

    def _meaning(self, name, relation, parts, place):
        """Return the meaning of a literal without '(or missing)'.

        Parameters
        ----------
        name : str
            Name of the column.
        relation : str
        parts : list of Part
        place : int
            Of the relation.

        Returns
        -------
        relation, label : str
        exact : dict
            The other fields of the literal, except for its column.
        """
        label = " or ".join(part.text for part in parts)
        tokens = [token for part in parts for token in part.tokens]
        if relation in ("is", "is not"):
            is_missing = relation == "is" and label != "nothing"
            others = relation == "is not" or label == "anything"
            exact = {"values": (), "missing": is_missing, "complement": others}
            return relation, label, exact
        intervals = [part.interval for part in parts if part.interval]
        if intervals or relation in ("<", "<=", ">", ">="):
            self._look_up(self.vocabulary.check_numbers, name, place, found=relation)
        if relation in ("<", "<=", ">", ">="):
            return relation, label, {"intervals": self._beyond(relation, tokens[0])}
        negated = relation in ("!=", "not in")
        known = [token for token in tokens if token.text != MISSING]
        is_missing = len(known) < len(tokens)
        if is_missing and relation in ("=", "!="):
            relation = "is not" if negated else "is"
        if intervals:
            intervals = self._merged(intervals, known)
            intervals = between(intervals, -inf, inf) if negated else intervals
            exact = {"intervals": tuple(intervals)}
        else:
            values = dict.fromkeys(self.value(name, token) for token in known)
            exact = {"values": tuple(values), "complement": negated}
        return relation, label, {**exact, "missing": is_missing and not negated}

    def _beyond(self, relation, token):
        """Return the intervals on one side of a number."""
        is_below = relation in ("<", ">=")
        number = self.below(token) if is_below else self.number(token)
        if not isfinite(number):
            raise self.error("a finite number", token.place, token.text)
        return ((-inf, number),) if relation[0] == "<" else ((number, inf),)

    def _merged(self, intervals, tokens):
        """Return intervals and single numbers as intervals that ascend."""
        found = [*intervals]
        for token in tokens:
            found.append((self.below(token), self.number(token)))
            if not found[-1][0] < found[-1][1]:
                raise self.error("a finite number", token.place, token.text)
        return united(found)

    # -- places ------------------------------------------------------------------------

    def _token(self, expected):
        """Return the Token at the current place, and advance."""
        token, end = token_at(self.text, self._place, expected)
        self._go(end)
        return token

    def _matches(self, pattern):
        """Return the match of a pattern at the current place, and advance; or None."""
        found = pattern.match(self.text, self._place)
        if found:
            self._go(found.end())
        return found

    def _takes(self, character):
        """Return whether a character is at the current place, and advance."""
        if not self.text.startswith(character, self._place):
            return False
        self._go(self._place + 1)
        return True

    def _go(self, place):
        """Go to the end of what was read, and skip white space and comments."""
        self._place = blank_end(self.text, place)

    def _look_up(self, function, text, place, found=None):
        """Call a function of the vocabulary, with errors at a place of the text."""
        try:
            return function(text)
        except LookupError as error:
            expected, *advice = error.args
            found = text if found is None else found
            raise self.error(expected, place, found, *advice) from None

    def error(self, expected, place=None, found=None, advice=""):
        """Return an error at a place, by default the current one."""
        place = self._place if place is None else place
        found = None if found is None else quoted(found)
        return DNFSyntaxError.at(self.text, place, expected, found, advice)
