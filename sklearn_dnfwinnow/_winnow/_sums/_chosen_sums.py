"""Chosen sums: sums over all terms, of which few have a weight that was learned."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._allowed import Allowed
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms


@dataclass(frozen=True, eq=False)
class ChosenSums:
    """Evaluation of rows: the learned weights, and all others in closed form.

    It has the interface of
    :class:`sklearn_dnfwinnow._winnow._sums._summation.Evaluation`.

    Parameters
    ----------
    terms : ChosenTerms
    log_weights : ndarray of shape (n_classes, n_terms)
        Minus infinity for terms that a class may not have.
    log_beta : float
    max_term_size : int or None
    allowed : Allowed or None
        Literals that the terms of each class may contain; None for all.
    """

    terms: ChosenTerms
    log_weights: np.ndarray
    log_beta: float
    max_term_size: int | None
    allowed: Allowed | None = None

    @classmethod
    def of(cls, model):
        """Return the sums of a model whose terms are chosen."""
        terms, of_terms = model.chosen_terms, model.stored.net_counts
        sizes = np.array([len(term) for term in terms.terms])
        log_weights = model.log_beta * sizes + model.log_alpha * of_terms
        if model.allowed is not None:
            for k, of_class in enumerate(log_weights):
                of_class[~terms.allowed(model.allowed, k)] = -np.inf
        return cls(
            terms=terms,
            log_weights=log_weights,
            log_beta=model.log_beta,
            max_term_size=model.max_term_size,
            allowed=model.allowed,
        )

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        starts, listed = self.terms.satisfied(rows)
        firsts, rest = starts[:, 0], None
        sums = np.empty((len(rows), len(self.log_weights)))
        for k, log_weights in enumerate(self.log_weights):
            if rest is None or self.allowed is not None:
                rest = self.terms.log_rest(
                    rows,
                    (starts, listed),
                    log_beta=self.log_beta,
                    max_term_size=self.max_term_size,
                    allowed=self.allowed,
                    k=k,
                )
            logs = log_weights[listed]
            top = np.maximum(np.maximum.reduceat(logs, firsts), rest)
            shifted = np.exp(logs - np.repeat(top, np.diff(starts[:, [0, -1]])[:, 0]))
            total = np.add.reduceat(shifted, firsts) + np.exp(rest - top)
            sums[:, k] = top + np.log(total)
        return sums

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        sums = self.log_sums(rows)
        return np.stack([sums, np.zeros_like(sums)], axis=-1)
