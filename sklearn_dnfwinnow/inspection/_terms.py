"""Terms: the top-weighted terms of a model, with their measures as rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial, wraps

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp, extent
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import as_table, records_of
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    check_sample_weight,
    validate_params,
    warn,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._statistics import rule_statistics

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


def data_by_name(function):
    """Return a function of an estimator that refuses data without their names.

    The error of Python, or of the parameter that the data are taken for, would not say
    what to write instead.
    """

    @wraps(function)
    def checked(*args, **kwargs):
        if any(getattr(value, "shape", ()) for value in args[1:]):
            name = function.__name__
            raise TypeError(
                f"{name} takes X and y by name: write model.{name}(1, X=X, y=y), where "
                "1 is the class."
            )
        return function(*args, **kwargs)

    return checked


#: Columns of a table of terms; `TermDecoder.record` has all but the first and the last.
TERM_COLUMNS = "class", "term", "size", "net_promotion_count", "log_weight", "share"


@data_by_name
@validate_params({"top": [POSITIVE]})
def terms(
    estimator,
    class_of_interest=None,
    top=10,
    *,
    X=None,
    y=None,
    sample_weight=None,
    X_test=None,
    y_test=None,
    sample_weight_test=None,
):
    """Return the top-weighted terms of each class.

    The search is exact, by branch and bound. It considers all terms that were promoted
    more often than demoted, over any features and of any size up to `max_term_size_`.
    None of them has a larger weight than the listed terms.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_of_interest : object, default=None
        The class whose terms are listed; None is each class in turn.

    top : int, default=10
        Maximum number of terms per class.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features), \
            default=None
        Samples on which the terms are measured, as `estimator` takes them. Precision
        and recall on the training samples are optimistic, because the terms were
        learned from these. Pass held-out samples, either here or as `X_test`.

    y : array-like of shape (n_samples,), default=None
        Classes of the samples in X. None uses the predictions.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples in X. None is 1 for each.

    X_test, y_test, sample_weight_test : default=None
        The same for held-out samples, if `X` contains the training samples. The table
        then has columns for both.

    Returns
    -------
    table : DataFrame, or list of dict if pandas is not installed
        One row per term, the largest weight of each class first. Of terms with the same
        weight, the shorter comes first, and then the order of columns and values
        decides. Terms of the models of an average are compared by their weights
        relative to the mean sum of their model, times its weight in the average.

        - 'class': the class.
        - 'model', if the estimator is an average: position in its `estimators_` of the
          model with the term.
        - 'term': the term, as text; ``(baseline)`` is the empty term, which all samples
          satisfy.
        - 'size': number of literals.
        - 'net_promotion_count': promotions minus demotions of the term; a fraction if
          it is an average.
        - 'log_weight': natural logarithm of the weight,
          ``log(literal_weight) * size + log(alpha) * net_promotion_count``. Copies of a
          term, which contain a literal that another one implies, such as ``x <= 9``
          beside ``x <= 5``, are not listed: their weights are added to this one.
        - 'share': mean relative contribution of the term to the weighted sum W of the
          class, over the samples of X in the class; without X, over the promoted stored
          examples. Samples that do not satisfy the term count as 0. In an average, it
          is the contribution to the sum of the model, times the weight of the model.
        - 'support', 'precision', 'recall', if X is given: total weight of the samples
          that satisfy the term; the fraction of these in the class (NaN if there are
          none); and the fraction of the class that satisfies the term.
        - 'lift', 'odds_ratio', if X is given: `precision` divided by the fraction of
          the class among all samples; and the odds of the class among the samples that
          satisfy the term, divided by the odds among all others. If one of the four
          weights in these odds is 0, half the mean weight of a sample is added to each.
        - 'precision_low', 'precision_high', 'recall_low', 'recall_high', if X is given:
          Wilson intervals with confidence 0.95. They are valid for samples that were
          not used to select the terms. With weights, they use the effective number of
          samples, (sum of weights)^2 / sum of squares.
        - 'test_support' and so on, if X_test is given: the same for these samples.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class does not exist, X does not fit the estimator, or classes or weights
        are given without their samples.

    Warns
    -----
    ConvergenceWarning
        If the search stopped early because too many terms have almost the same weight.
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms refer to its output; if `estimator` is a classifier that seems to be a
        step of a pipeline; or if X and y, without X_test, clearly are the training
        samples: nearly all of them are different, and all stored examples of the model
        are among them.

    See Also
    --------
    explain : The terms behind one prediction.
    to_dnf : A short formula that approximates the classifier.
    TermsDisplay.from_estimator : The same as a figure.
    interactions : The same for a BayesianInteractionClassifier.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import terms
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> table = terms(clf, class_of_interest="1", top=4, X=X, y=y)
    >>> table[["term", "net_promotion_count", "support", "precision"]]
                  term  net_promotion_count  support  precision
    0  a1 = 3 & a2 = 3                103.0     65.0        1.0
    1  a1 = 1 & a2 = 1                102.0     57.0        1.0
    2  a1 = 2 & a2 = 2                102.0     63.0        1.0
    3           a5 = 1                 78.0    137.0        1.0
    """
    for suffix, table, others in (
        ("", X, (y, sample_weight)),
        ("_test", X_test, (y_test, sample_weight_test)),
    ):
        if table is None and any(other is not None for other in others):
            raise ValueError(
                f"y{suffix} and sample_weight{suffix} require X{suffix}; got "
                f"X{suffix}=None."
            )
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    measured_on = {} if rows is None else {"": rows}
    if X_test is not None:
        codes = decoder.codes(X_test)
        test_rows = labelled_rows(decoder, codes, y_test, sample_weight_test)
        measured_on["test_"] = test_rows
    decoder.warn_of_transformed_columns()
    if y is not None and X_test is None and seem_trained_on(decoder.model, rows):
        warn(
            "X contains all stored examples of the model, so it seems to be the "
            "training data. Precision and recall on the training data are optimistic. "
            "Pass held-out samples as X and y, or as X_test and y_test."
        )
    model, records = decoder.model, []
    for k in decoder.class_indices(class_of_interest):
        found = heavy_terms(model, k, top)
        counted = rows
        if rows is None:
            counted = LabelledRows.from_model(model, partial(np.maximum, 0))
        columns = {
            "share": mean_shares(model, k, found, counted).tolist(),
            **{
                prefix + name: column
                for prefix, labelled in measured_on.items()
                for name, column in rule_measures(model, k, found, labelled).items()
            },
        }
        records += [
            {"class": decoder.classes[k], **decoder.record(term), **measured}
            for term, measured in zip(found, records_of(columns))
        ]
    names = dict.fromkeys([*TERM_COLUMNS, *columns])
    return as_table(records, next(iter(records), names))


def heavy_terms(model, k, top, row=None):
    """Find the top-weighted terms of class k, or of those that a row satisfies.

    Parameters
    ----------
    model : TermModel
    k, top : int
    row : ndarray of shape (n_features,), int32, default=None
        Codes of a row that has to satisfy the terms.

    Returns
    -------
    terms : list of HeavyTerm

    Warns
    -----
    ConvergenceWarning
        If the search stopped early.
    """
    try:
        return model.heaviest_terms(k, top, row)
    except GaveUp as error:
        warn(
            "The search stopped early, because too many terms have almost the same "
            f"weight: found {len(error.found)} of {top} terms, and terms with a larger "
            "weight may be missing. Decrease `top`, or train with a smaller "
            "`max_term_size`.",
            ConvergenceWarning,
        )
        return error.found
