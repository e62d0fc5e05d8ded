"""Heavy terms: the top-weighted terms of each class, as a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp
from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._records import as_table, records_of
from sklearn_dnfwinnow._utils._warning import warn
from sklearn_dnfwinnow.inspection._data_by_name import data_by_name
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    labelled_rows,
    mean_shares,
    read_rows,
    rule_measures,
    seem_trained_on,
)

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
