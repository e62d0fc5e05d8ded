"""Simplification: all changes of shape, for all values or for given rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_numeric, numbers_of
from sklearn_dnfwinnow.rules._shape._merging import merged
from sklearn_dnfwinnow.rules._shape._rounding import rounded


def simplified(terms, columns=None, *, drop=True, round_numbers=True):
    """Return fewer and shorter terms, see `DNF.simplify`.

    Parameters
    ----------
    terms : iterable of Term

    columns : non-empty list of ndarrays of shape (n_rows,), default=None
        In the form that `Term.holds` takes. None changes nothing for any value.

    drop, round_numbers : bool, default=True
        Whether to drop conditions, and to round numbers; only with `columns`.

    Returns
    -------
    terms : list of Term
    """
    if columns is None:
        return merged(terms)
    used = sorted({x.column for term in terms for x in term.literals})
    numbers = {j: numbers_of(columns[j]) for j in used if is_numeric(columns[j])}
    numbers = {j: np.unique(known[~np.isnan(known)]) for j, known in numbers.items()}
    terms = merged(terms, numbers)
    if drop:
        shorter = [without_idle_conditions(term, columns) for term in terms]
        terms = merged(shorter, numbers)
    return rounded(terms, numbers) if round_numbers else terms


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
    >>> from sklearn_dnfwinnow.rules._shape._simplification import (
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
