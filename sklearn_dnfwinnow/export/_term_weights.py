"""Term weights: the terms of a model whose weights training has changed.

A weighted sum is the sum over the listed terms that a sample satisfies, and over all
other terms that it satisfies. The latter have their initial weights, and are counted by
size. Both are sums of positive numbers, so there is no cancellation.
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
        Listed terms: columns and codes. The first is the empty term.
    log_weights : ndarray of shape (n_classes, n_terms)
        Logarithms of their weights; -inf if a class does not allow a term.
    log_priors : ndarray of shape (largest_size + 1,)
        Logarithms of the weights of all other terms, by size.
    groups : ndarray of shape (n_classes,), int
        Classes of one group allow the same literals.
    allowed : ndarray of shape (n_groups, n_terms), bool
        Which of the listed terms the classes of a group allow.
    """

    terms: list
    log_weights: np.ndarray
    log_priors: np.ndarray
    groups: np.ndarray
    allowed: np.ndarray

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
        Maximum number of listed terms.

    Returns
    -------
    weights : TermWeights or None
        None if stored examples satisfy more terms.

    Raises
    ------
    ValueError
        If some columns must not occur together in a term.
    """
    conditions = model.conditions
    if conditions is not None and conditions.conflicts:
        raise ValueError(
            "A model with columns that must not occur together in a term cannot be "
            "exported. Use `to_dnf` to export a short formula."
        )
    examples, largest = model.literal_examples, _largest(model)
    # Terms with an initial weight of their own are always listed.
    initial = () if conditions is None else conditions.initial_terms
    own = {term.literals for term in initial if len(term.literals) <= largest}
    net_counts = dict.fromkeys(own, np.zeros(len(model.net_counts), dtype=np.int64))
    for term, extent in _terms_with_extents(examples, largest):
        net_counts[term] = model.net_counts[:, extent].sum(axis=1)
        if len(net_counts) > max_terms:
            return None
    literals = () if conditions is None else conditions.allowed
    may = np.hstack([np.ones((len(model.net_counts), 1), dtype=bool), *literals])
    _, firsts, groups = np.unique(may, axis=0, return_index=True, return_inverse=True)
    groups = groups.ravel()
    terms, allowed = [], []
    for term in sorted(net_counts, key=lambda term: (len(term), term)):
        of_groups = _allowed(conditions, term, firsts)
        is_listed = net_counts[term].any() or term in own
        if not term or (is_listed and of_groups.any()):
            terms.append(term)
            allowed.append(of_groups)
    allowed = np.array(allowed).T
    log_weights = _log_weights(model, terms, net_counts)
    return TermWeights(
        terms=terms,
        log_weights=np.where(allowed[groups], log_weights, -np.inf),
        log_priors=model.log_beta * np.arange(largest + 1),
        groups=groups,
        allowed=allowed,
    )


def most_terms(model):
    """Return an upper bound of the number of terms that stored examples satisfy."""
    n_specified, largest = (model.literal_examples != 0).sum(axis=1), _largest(model)
    return sum(
        times * sum(comb(n, size) for size in range(min(n, largest) + 1))
        for n, times in enumerate(np.bincount(n_specified).tolist())
    )


def _largest(model):
    """Return the maximum number of literals in a term."""
    largest, given = model.literal_examples.shape[1], model.max_term_size
    return largest if given is None else min(largest, given)


def _log_weights(model, terms, net_counts):
    """Return the log weights of terms in each class: (n_classes, n_terms).

    No other function computes these weights.

    Parameters
    ----------
    model : TermModel
    terms : list of tuples of (int, int)
    net_counts : dict of such a tuple to ndarray of shape (n_classes,)
    """
    sizes = np.array(list(map(len, terms)))
    learned = np.array([net_counts[term] for term in terms]).T
    log_weights = model.log_beta * sizes + model.log_alpha * learned
    conditions = model.conditions
    places = {term: i for i, term in enumerate(terms)}
    for term in () if conditions is None else conditions.initial_terms:
        if term.literals in places:
            log_prior = model.log_beta * len(term.literals)
            log_weights[term.k, places[term.literals]] += term.log_weight - log_prior
    return log_weights


def _allowed(conditions, term, classes):
    """Return which of some classes allow a term: bool."""
    allowed = np.ones(len(classes), dtype=bool)
    for column, code in () if conditions is None else term:
        allowed &= conditions.allowed[column][classes, code]
    return allowed


def _terms_with_extents(examples, largest):
    """Yield the terms up to a size that some stored examples satisfy, and these
    examples.

    Parameters
    ----------
    examples : ndarray of shape (m, n_columns), int32
    largest : int

    Yields
    ------
    term : tuple of (int, int)
    extent : ndarray of int
    """
    literals = [
        (j, code)
        for j, column in enumerate(examples.T)
        for code in np.unique(column).tolist()
        if code
    ]
    columns = np.array([j for j, _ in literals], dtype=np.intp)
    holds = examples[:, columns] == [code for _, code in literals]
    stack = [((), np.arange(len(examples)), 0)]
    while stack:
        term, extent, first = stack.pop()
        yield term, extent
        if len(term) == largest:
            continue
        for i in first + np.flatnonzero(holds[extent, first:].any(axis=0)):
            behind = np.searchsorted(columns, columns[i], side="right")
            stack.append(((*term, literals[i]), extent[holds[extent, i]], behind))
