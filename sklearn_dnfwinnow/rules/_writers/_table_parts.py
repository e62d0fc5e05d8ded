"""Table parts: the contents of the table of a formula, for Markdown and LaTeX."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._checks import check


def table_parts(dnf, measures=None, write=str):
    """Return the parts of the table of a formula, as text.

    Parameters
    ----------
    dnf : DNF
    measures : mapping of str to array-like, or data frame, default=None
        A number, or anything else, for each term.
    write : callable, default=str
        Writes a term.

    Returns
    -------
    head : list of str
        The heads of all columns.
    rows : list of lists of str
        Each term and its measures.
    foot : str
        The line below the terms; empty if there is none.
    """
    measures = {} if measures is None else dict(measures.items())
    columns = []
    for name, values in measures.items():
        values = list(values)
        check(len(values) == len(dnf.terms), f"{name!r} of each term", values)
        columns.append(list(map(_measure, values)))
    head = [f"{shown(dnf.class_)} where any of these holds", *map(shown, measures)]
    rows = [list(row) for row in zip(map(write, dnf.terms), *columns)]
    foot = [dnf.notice] if dnf.transformed_by else []
    foot += [] if dnf.otherwise is None else [f"else {shown(dnf.otherwise)}"]
    foot += [f"{shown(name)} {score:.3g}" for name, score in dnf.scores.items()]
    return head, rows or [["False", *[""] * len(columns)]], ", ".join(foot)


def _measure(value):
    """Return a measure as text."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        return f"{value:.3g}"
    return shown(value)
