"""Heavy terms: those of a class, and how they do on rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows


def heavy_terms(model, k, top, irredundant=False, row=None):
    """The heaviest terms of class k, or those that a row of codes satisfies.

    Parameters
    ----------
    model : Model
    k, top : int
    irredundant : bool
        See `TermSearch.heaviest`.
    row : ndarray of shape (n_features,), int32, optional

    Returns
    -------
    terms : list of HeavyTerm

    Warns
    -----
    ConvergenceWarning
        If the search was given up.
    """
    try:
        return model.search(k, row).heaviest(top, irredundant)
    except GaveUp as error:
        warnings.warn(
            "The search for the heaviest terms was given up, too many being nearly as "
            f"heavy: of {top}, {len(error.found)} were found, and heavier ones may be "
            "missing. Ask for fewer, or train with a smaller `max_term_size`.",
            ConvergenceWarning,
            stacklevel=stacklevel_of_caller(),
        )
        return error.found


def satisfied_by(terms, codes):
    """Which rows of codes, with literals, satisfy which terms: (n_terms, n_rows)."""
    satisfied = np.ones((len(terms), len(codes)), dtype=bool)
    for of_term, term in zip(satisfied, terms):
        for column, code in term.literals:
            of_term &= codes[:, column] == code
    return satisfied


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Distinct rows of codes, and the weight of each class among those that are equal.

    Attributes
    ----------
    codes : ndarray of shape (n_rows, n_features), int32
    weights : ndarray of shape (n_rows, n_classes), float64
    places, labels : ndarrays of shape (n_samples,), int, or None
        Which of the rows each sample is, and its class. None if there are no samples.
    sample_weights : ndarray of shape (n_samples,), float64, or None
    """

    codes: np.ndarray
    weights: np.ndarray
    places: np.ndarray | None = None
    labels: np.ndarray | None = None
    sample_weights: np.ndarray | None = None

    @classmethod
    def of(cls, codes, labels, weights, n_classes):
        """Those of some rows, their class indices, and weights."""
        rows, _, inverse = distinct_rows(codes)
        totals = np.zeros((len(rows), n_classes))
        np.add.at(totals, (inverse, labels), weights)
        return cls(
            codes=rows,
            weights=totals,
            places=inverse,
            labels=labels,
            sample_weights=weights,
        )

    @classmethod
    def promoted_in(cls, model):
        """The updates of a model, weighted by how often each class promoted them."""
        return cls(model.updates, np.maximum(model.exponents, 0).T / model.denominator)

    @classmethod
    def updates_of(cls, model):
        """The updates of a model, weighted by how often they were any, in any class."""
        return cls(model.updates, np.abs(model.exponents).T / model.denominator)


def mean_shares(model, k, terms, rows):
    """Mean share of each term in the weighted sums of the rows of class k."""
    of_class = rows.weights[:, k]
    counted = of_class > 0
    if not counted.any():
        return np.full(len(terms), np.nan)
    codes, of_class = rows.codes[counted], of_class[counted]
    satisfied = satisfied_by(terms, model.with_literals(codes))
    log_sums = model.best_estimates(codes)[0][:, k]
    log_weights = np.array([term.log_weight for term in terms])
    shares = np.exp(np.minimum(log_weights[:, None] - log_sums, 0.0))
    return (shares * satisfied) @ of_class / of_class.sum()


def measures(model, k, terms, rows):
    """Support, precision and recall of terms of class k: a dict of lists."""
    satisfied = satisfied_by(terms, model.with_literals(rows.codes))
    support = satisfied @ rows.weights.sum(axis=1)
    right = satisfied @ rows.weights[:, k]
    with np.errstate(invalid="ignore"):
        precision = right / support
        recall = right / rows.weights[:, k].sum()
    return {
        "support": support.tolist(),
        "precision": precision.tolist(),
        "recall": recall.tolist(),
    }
