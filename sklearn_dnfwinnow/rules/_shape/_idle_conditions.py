"""Idle conditions: those without which a rule holds for the same rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def without_idle_conditions(term, columns):
    """Return a term without the conditions that change nothing on given rows.

    Parameters
    ----------
    term : Term

    columns : non-empty list of ndarrays of shape (n_rows,)
        In the form that `Term.holds` takes.

    Returns
    -------
    term : Term
        It holds for the same rows as before. Of several conditions of which any could
        be dropped, the last one is. A term that holds for none of the rows stays.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> from sklearn_dnfwinnow.rules._shape._idle_conditions import (
    ...     without_idle_conditions,
    ... )
    >>> dnf = DNF.parse("age > 40 & age > 30 & smokes = yes")
    >>> columns = dnf._columns([[45, "yes"], [45, "no"], [35, "no"]])
    >>> print(without_idle_conditions(dnf.terms[0], columns))
    smokes = yes
    """
    if len(term) == 0:
        return term
    held = np.array(
        [literal.holds(columns[literal.column]) for literal in term.literals]
    )
    expected = held.all(axis=0)
    if not expected.any():
        return term
    kept = list(range(len(held)))
    for i in reversed(range(len(held))):
        others = [j for j in kept if j != i]
        if np.array_equal(held[others].all(axis=0), expected):
            kept = others
    return type(term)(term.literals[i] for i in kept)
