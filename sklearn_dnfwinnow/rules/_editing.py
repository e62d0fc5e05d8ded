"""Editing: which part of a formula is meant by a part, its text or its position."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from difflib import get_close_matches
from numbers import Integral

# Parts that are compared, and their characters, for those that are near.
_MOST_PARTS, _MOST_CHARACTERS = 300, 200


def position_of(part, parts, what, parse):
    """Return the position of a part among the parts of a formula.

    Parameters
    ----------
    part : Literal, Term, str or int
        Itself, its text, or its position; a negative one counts from the end.

    parts : tuple of Literal, or of Term
        Equal ones are found by their `meaning`.

    what : str
        What messages call a part.

    parse : callable
        Returns the part that a text means.

    Returns
    -------
    position : int

    Raises
    ------
    IndexError
        If there is no such position.
    ValueError
        If there is no such part, or a text means none.
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
    """Return what literals have in common that the same values satisfy, or terms.

    Literals of values are other ones than literals of intervals, but if both are empty.
    """
    if hasattr(part, "literals"):
        return frozenset(map(meaning, part.literals))
    exact = part.intervals or part.values or ()
    kind = "intervals" if part.intervals else "values"
    return part.column, kind, frozenset(exact), part.missing, part.complement
