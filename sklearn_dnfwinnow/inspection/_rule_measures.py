"""Rule measures: statistics of terms on labelled samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._terms._heaviest_terms import extent
from sklearn_dnfwinnow._utils._compat import check_sample_weight
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._statistics._rule_statistics import rule_statistics

# Minimum number of stored examples, and minimum fraction of distinct rows, from which
# it is no coincidence that X contains all stored examples.
_FEWEST_UPDATES, _DIFFERENT = 10, 0.9


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Distinct rows of codes, with the total weight of each class.

    Attributes
    ----------
    codes : ndarray of shape (n_rows, n_features), int32
    weights : ndarray of shape (n_rows, n_classes), float64
    places, labels : ndarrays of shape (n_samples,), int, or None
        Index of the row of each sample, and its class. None if there are no samples.
    sample_weights : ndarray of shape (n_samples,), float64, or None
    """

    codes: np.ndarray
    weights: np.ndarray
    places: np.ndarray | None = None
    labels: np.ndarray | None = None
    sample_weights: np.ndarray | None = None

    @classmethod
    def from_samples(cls, codes, labels, weights, n_classes):
        """Group samples by their codes, given their class indices and weights."""
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
    def from_model(cls, model, weigh):
        """Return the stored examples of a model, with weights by net promotion counts.

        If its terms were chosen, or no weight has changed, this is the background
        sample, weighted by the probabilities of the model.

        Parameters
        ----------
        model : TermModel
        weigh : callable
            Returns weights, given net promotion counts of any sign.
        """
        if len(model.examples):
            return cls(model.examples, weigh(model.net_counts).T / model.denominator)
        rows = model.background
        scores = model.estimate_log_sums(rows.codes)[0] - model.log_thresholds
        chances = softmax(model.scale * scores, axis=1)
        return cls(rows.codes, rows.weights[:, None] * chances)


def read_rows(estimator, X, y=None, sample_weight=None):
    """Return the decoder of a fitted estimator, and samples to measure its terms on.

    Parameters
    ----------
    estimator : object
        In the form that `TermDecoder.from_estimator` takes.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features) or None
        Samples, as `estimator` takes them.
    y : array-like of shape (n_samples,), default=None
        Their classes; None uses the predictions.
    sample_weight : array-like of shape (n_samples,), default=None

    Returns
    -------
    decoder : TermDecoder
    rows : LabelledRows or None
        None if X is None.
    """
    if X is None:
        return TermDecoder.from_estimator(estimator), None
    decoder, codes = TermDecoder.with_codes(estimator, X)
    return decoder, labelled_rows(decoder, codes, y, sample_weight)


def labelled_rows(decoder, codes, y=None, sample_weight=None):
    """Return the LabelledRows of codes, see `read_rows`."""
    classes = decoder.classifier.classes_
    weights = check_sample_weight(sample_weight, codes)
    if y is None:
        rows, _, inverse = distinct_rows(codes)
        log_sums, _ = decoder.model.estimate_log_sums(rows)
        # Ties are resolved as in `predict`.
        labels = (log_sums - decoder.model.log_thresholds).argmax(axis=1)[inverse]
    else:
        y = column_or_1d(y)
        check_consistent_length(codes, y)
        unknown = np.setdiff1d(y, classes)
        if len(unknown):
            raise ValueError(
                f"y contains classes that are not in classes_: {unknown.tolist()}."
            )
        labels = np.searchsorted(classes, y)
    return LabelledRows.from_samples(codes, labels, weights, len(classes))


def coverage_matrix(terms, codes):
    """Return which terms cover which rows of codes with literals.

    Parameters
    ----------
    terms : list of HeavyTerm
    codes : ndarray of shape (n_rows, n_columns), int32
        In the form that `Encoding.with_literals` returns.

    Returns
    -------
    covers : ndarray of shape (n_terms, n_rows), bool
    """
    covers = [extent(codes, term.literals) for term in terms]
    return np.array(covers, dtype=bool).reshape(len(terms), len(codes))


def mean_shares(model, k, terms, rows):
    """Return the mean relative contribution of terms to the sums of rows of class k.

    Parameters
    ----------
    model : TermModel
    k : int
    terms : list of HeavyTerm
    rows : LabelledRows

    Returns
    -------
    shares : ndarray of shape (n_terms,), float64
        A row that a term does not cover counts as 0. NaN if there are no rows.
    """
    of_class = rows.weights[:, k]
    counted = of_class > 0
    if not counted.any():
        return np.full(len(terms), np.nan)
    codes, of_class = rows.codes[counted], of_class[counted]
    covers = coverage_matrix(terms, model.encoding.with_literals(codes))
    shares = model.term_shares(k, terms, codes)
    return (shares * covers) @ of_class / of_class.sum()


def rule_measures(model, k, terms, rows):
    """Return the `rule_statistics` of terms of class k on samples."""
    covers = coverage_matrix(terms, model.encoding.with_literals(rows.codes))
    return rule_statistics(
        covers[:, rows.places], rows.labels == k, rows.sample_weights
    )


def seem_trained_on(model, rows):
    """Return whether rows clearly are the training samples of a model.

    They contain all stored examples of the model, and few of them are equal, so that
    this is no coincidence. Training samples are not recognized if many are equal, or if
    there are few stored examples.
    """
    n_examples, n_rows = len(model.examples), len(rows.codes)
    if n_examples < _FEWEST_UPDATES or n_rows < _DIFFERENT * len(rows.places):
        return False
    distinct, _, _ = distinct_rows(np.vstack([rows.codes, model.examples]))
    return len(distinct) == n_rows
