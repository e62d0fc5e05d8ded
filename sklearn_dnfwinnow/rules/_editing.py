"""Editing: find a part of a formula, given the part, its text or its position."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from difflib import get_close_matches
from numbers import Integral

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
