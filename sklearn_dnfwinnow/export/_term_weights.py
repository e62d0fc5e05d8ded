"""Term weights: the terms of a model that updates have changed, and what they weigh.

A weighted sum is that of the listed terms which a row satisfies, and of all others that
it satisfies, which have their initial weights: of each size, these are counted. Both
are sums of positive numbers, so that nothing cancels out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import comb

import numpy as np


@dataclass(frozen=True, eq=False)
class TermWeights:
    """The weights of all terms of a model, in each class.

    Attributes
    ----------
    terms : list of tuples of (int, int)
        Terms that are listed: columns and codes. The first is the empty one.
    log_weights : ndarray of shape (n_classes, n_terms)
        Logarithms of their weights.
    log_priors : ndarray of shape (largest_size + 1,)
        Logarithms of the weights of all other terms, by their size.
    """

    terms: list
    log_weights: np.ndarray
    log_priors: np.ndarray

    @property
    def sizes(self):
        """Return the sizes of the listed terms: (n_terms,), int."""
        return np.array(list(map(len, self.terms)))


def term_weights(model, max_terms):
    """Return the weights of the terms of a model.

    Parameters
    ----------
    model : TermModel
    max_terms : int
        Terms to list, at most.

    Returns
    -------
    TermWeights

    Raises
    ------
    ValueError
        If updates satisfy more terms.
    NotImplementedError
        If there are conditions on the terms.
    """
    if getattr(model, "conditions", None) is not None:
        raise NotImplementedError(
            "A model with conditions on its terms cannot be exported yet. `to_dnf` "
            "makes a formula of it that can."
        )
    updates = model.with_literals(model.updates)
    n_columns = updates.shape[1]
    largest = n_columns
    if model.max_term_size is not None:
        largest = min(largest, model.max_term_size)
    terms, exponents = [], []
    for term, extent in _terms_with_extents(updates, largest):
        if len(terms) == max_terms:
            raise ValueError(_too_many(updates, largest, max_terms))
        terms.append(term)
        exponents.append(model.exponents[:, extent].sum(axis=1))
    exponents = np.array(exponents).T
    sizes = np.array(list(map(len, terms)))
    # The shortest first, for groups of one size; the empty one is always listed.
    order = np.lexsort((np.arange(len(terms)), sizes))
    order = [i for i in order if exponents[:, i].any() or not terms[i]]
    return TermWeights(
        terms=[terms[i] for i in order],
        log_weights=_log_weights(model, sizes[order], exponents[:, order]),
        log_priors=model.log_beta * np.arange(largest + 1),
    )


def _log_weights(model, sizes, exponents):
    """Return what terms of some sizes and exponents weigh: (n_classes, n_terms).

    This is the one place that says so.
    """
    return model.log_beta * sizes + model.log_alpha * exponents


def _terms_with_extents(updates, largest):
    """Yield the terms up to a size that some updates satisfy, and these updates.

    Parameters
    ----------
    updates : ndarray of shape (m, n_columns), int32
    largest : int

    Yields
    ------
    term : tuple of (int, int)
    extent : ndarray of int
    """
    literals = [
        (j, code)
        for j, column in enumerate(updates.T)
        for code in np.unique(column).tolist()
        if code
    ]
    columns = np.array([j for j, _ in literals], dtype=np.intp)
    holds = updates[:, columns] == [code for _, code in literals]
    stack = [((), np.arange(len(updates)), 0)]
    while stack:
        term, extent, first = stack.pop()
        yield term, extent
        if len(term) == largest:
            continue
        for i in first + np.flatnonzero(holds[extent, first:].any(axis=0)):
            behind = np.searchsorted(columns, columns[i], side="right")
            stack.append(((*term, literals[i]), extent[holds[extent, i]], behind))


def _too_many(updates, largest, max_terms):
    """Return the message for a model of too many terms."""
    n_specified = (updates != 0).sum(axis=1)
    most = sum(
        times * sum(comb(n, size) for size in range(min(n, largest) + 1))
        for n, times in enumerate(np.bincount(n_specified).tolist())
    )
    return (
        f"The weights of more than {max_terms:,} terms, of up to {most:,}, differ from "
        "what they were initially. Train with a smaller `max_term_size`, or with "
        "literals='equal'; set a larger `max_terms`; or export a short formula that "
        "stands in for the model, see `to_dnf`."
    )
