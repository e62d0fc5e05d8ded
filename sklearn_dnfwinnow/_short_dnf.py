"""Short DNF: a few terms of a class that stand in for the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._heavy_terms import heavy_terms, satisfied_by
from sklearn_dnfwinnow._selection import select

# Candidates: the heaviest terms of the class, with and without redundant ones; and of
# so many of the rows to be covered, so that each has some.
_OF_CLASS, _IRREDUNDANT = 100, 30
_ROWS, _OF_ROW = 200, 3


def short_dnf(model, k, n_terms, codes, target, weights):
    """The heavy terms whose disjunction is nearest to a target.

    Parameters
    ----------
    model : Model
    k : int
        Class.
    n_terms : int
        Most terms.
    codes : ndarray of shape (n_rows, n_features), int32
        Distinct.
    target : ndarray of shape (n_rows,), bool
        Rows to be covered, and no others.
    weights : ndarray of shape (n_rows,)

    Returns
    -------
    terms : list of HeavyTerm
        Heaviest first.
    """
    candidates = set(heavy_terms(model, k, _OF_CLASS))
    candidates.update(heavy_terms(model, k, _IRREDUNDANT, irredundant=True))
    to_cover = codes[target]
    some = np.linspace(0, len(to_cover) - 1, min(_ROWS, len(to_cover))).astype(int)
    for row in to_cover[some]:
        candidates.update(heavy_terms(model, k, _OF_ROW, row=row))
    candidates = sorted(
        candidates, key=lambda term: (-term.log_weight, len(term.literals), term.literals)
    )
    satisfied = satisfied_by(candidates, model.with_literals(codes))
    sizes = np.array([len(term.literals) for term in candidates])
    chosen = select(satisfied, target, weights, sizes, n_terms)
    return [candidates[i] for i in chosen]
