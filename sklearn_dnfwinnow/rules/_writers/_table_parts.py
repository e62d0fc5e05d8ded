"""Table parts: the contents of the table of a formula, for Markdown and LaTeX."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._json_values import check


def head_of(dnf, measures):
    """Return the heads of all columns: list of str."""
    return [f"{shown(dnf.class_)} where any of these holds", *map(shown, measures)]


def rows_of(dnf, measures, write):
    """Return each term, written by a function, and its measures, as text.

    Parameters
    ----------
    dnf : DNF
    measures : mapping of str to array-like, or data frame
        A number, or anything else, for each term.
    """
    columns = []
    for name, values in measures.items():
        values = list(values)
        check(len(values) == len(dnf.terms), f"{name!r} of each term", values)
        columns.append(list(map(_measure, values)))
    if not dnf.terms:
        return [["False", *[""] * len(columns)]]
    return [list(row) for row in zip(map(write, dnf.terms), *columns)]


def foot_of(dnf):
    """Return the lines below the terms: list of str."""
    foot = [dnf.notice] if dnf.transformed_by else []
    foot += [] if dnf.otherwise is None else [f"else {shown(dnf.otherwise)}"]
    return foot + [f"{shown(name)} {score:.3g}" for name, score in dnf.scores.items()]


def _measure(value):
    """Return a measure as text."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        return f"{value:.3g}"
    return shown(value)
