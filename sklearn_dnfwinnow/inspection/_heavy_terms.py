"""Heavy terms: those of each class, searched, as a table and as text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from numbers import Integral
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import Interval, validate_params
from sklearn_dnfwinnow._utils._records import as_table
from sklearn_dnfwinnow._utils._text import shown, transformation_notice
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    labelled_rows,
    mean_shares,
    read_rows,
    rule_measures,
    seem_trained_on,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._rule_statistics import STATISTICS

#: Columns of a table of terms; `TermDecoder.record` has all but the first and the last.
TERM_COLUMNS = "class", "term", "size", "exponent", "log_weight", "share"
POSITIVE = Interval(Integral, 1, None, closed="left")
SEARCH_CONSTRAINTS = {"top": [POSITIVE], "irredundant": ["boolean"]}


@validate_params(SEARCH_CONSTRAINTS, prefer_skip_nested_validation=True)
def terms(
    estimator,
    class_=None,
    top=10,
    *,
    X=None,
    y=None,
    sample_weight=None,
    X_test=None,
    y_test=None,
    sample_weight_test=None,
    irredundant=False,
):
    """Return the heaviest terms of each class.

    Exact, by branch and bound: of all terms that were promoted more than demoted, over
    any attributes and of any size up to `max_term_size_`, no other is heavier.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_ : object, default=None
        The class whose terms to list; None is each class in turn.

    top : int, default=10
        How many terms of a class, or fewer if it has fewer.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Rows to measure the terms on, as `estimator` takes them. On rows of training,
        precision and recall are better than on others: terms were chosen by them. Pass
        rows that were held out, or those as `X_test`.

    y : array-like of shape (n_samples,), default=None
        Their classes; None takes the predictions.

    sample_weight : array-like of shape (n_samples,), default=None
        Their weights, not negative; None is 1 for each.

    X_test, y_test, sample_weight_test : default=None
        The same for rows that were held out, beside rows of training in `X`. There are
        columns for both.

    irredundant : bool, default=False
        Whether to leave out redundant terms: the empty term; terms with a literal that
        excludes no update; and terms that are a part of a heavier one that is listed,
        or have it as a part.

    Returns
    -------
    table : DataFrame, or list of dict if pandas is not installed
        One row a term, the heaviest of each class first; of terms of the same weight
        the shorter, and then by the order of columns and values.

        - 'class': the class.
        - 'term': the term, as text; ``(baseline)`` is the empty term, which all rows
          satisfy.
        - 'size': number of literals.
        - 'exponent': net promotions, those of an average being fractions.
        - 'log_weight': natural logarithm of the weight, log(term_prior) * size +
          log(alpha) * exponent.
        - 'share': mean share of the term in the weighted sum W of the class, over the
          rows of X that are of the class; without X over the promoted updates. Rows
          that do not satisfy it count as 0.
        - 'support', 'precision', 'recall', if X is given: weight of the rows that
          satisfy the term, the share of the class among them (NaN if there are none),
          and the share of the class that they are.
        - 'lift', 'odds_ratio', if X is given: `precision` by the share of the class
          among all rows; and the odds of the class among rows that satisfy the term by
          those among all others. If a weight in these odds is 0, half a row of mean
          weight is added to each of the four.
        - 'precision_low', 'precision_high', 'recall_low', 'recall_high', if X is given:
          Wilson's intervals of confidence 0.95. They hold for rows that had no part in
          the choice of the terms. With weights they count the effective number of rows,
          (sum of weights)^2 / sum of squares.
        - 'test_support' and so on, if X_test is given: the same on these rows.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If there is no such class, X does not fit the estimator, or classes or weights
        come without their rows.

    Warns
    -----
    ConvergenceWarning
        If so many terms are nearly as heavy that the search was given up.
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms are about its output; or if `estimator` is a classifier without the
        pipeline that it seems to be a step of; or if X and y, without X_test, clearly
        are rows of training: nearly all of them are different, and every update of the
        model is among them.

    See Also
    --------
    explain : The terms behind one prediction.
    to_dnf : A few of them that stand in for the classifier.
    TermsDisplay.from_estimator : The same as a picture.
    interactions : The same for a BayesianInteractionClassifier.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import terms
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> table = terms(clf, class_="1", top=4, X=X, y=y)
    >>> table[["term", "exponent", "support", "precision"]]
                  term  exponent  support  precision
    0  a1 = 1 & a2 = 1     103.0     57.0        1.0
    1  a1 = 2 & a2 = 2     103.0     63.0        1.0
    2  a1 = 3 & a2 = 3     103.0     65.0        1.0
    3           a5 = 1      82.0    137.0        1.0
    """
    for suffix, table, others in (
        ("", X, (y, sample_weight)),
        ("_test", X_test, (y_test, sample_weight_test)),
    ):
        if table is None and any(other is not None for other in others):
            raise ValueError(
                f"y{suffix} or sample_weight{suffix} is given without X{suffix}."
            )
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    test_rows = None
    if X_test is not None:
        codes = decoder.codes(X_test)
        test_rows = labelled_rows(decoder, codes, y_test, sample_weight_test)
    decoder.warn_of_transformed_columns()
    if y is not None and X_test is None and seem_trained_on(decoder.model, rows):
        warn(
            "Every row that the model was updated by is among those of X, so these "
            "seem to be rows of training: precision and recall are better on them than "
            "on others. Pass rows that were held out, or those as X_test and y_test.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )
    measured_on = {"": rows, "test_": test_rows}
    measured_on = {name: rows for name, rows in measured_on.items() if rows is not None}
    model, records = decoder.model, []
    for k in decoder.class_indices(class_):
        found = heavy_terms(model, k, top, irredundant)
        counted = LabelledRows.from_promotions(model) if rows is None else rows
        columns = {"share": mean_shares(model, k, found, counted).tolist()}
        for prefix, labelled in measured_on.items():
            measures = rule_measures(model, k, found, labelled)
            columns |= {prefix + name: column for name, column in measures.items()}
        records += [
            {
                "class": decoder.classes[k],
                **decoder.record(term),
                **dict(zip(columns, measured)),
            }
            for term, measured in zip(found, zip(*columns.values()))
        ]
    measures = [prefix + name for prefix in measured_on for name in STATISTICS]
    return as_table(records, [*TERM_COLUMNS, *measures])


@validate_params(
    {
        **SEARCH_CONSTRAINTS,
        "feature_names": ["array-like", None],
        "class_names": ["array-like", None],
        "decimals": [Interval(Integral, 0, None, closed="left")],
    },
    prefer_skip_nested_validation=True,
)
def export_text(
    estimator,
    *,
    feature_names=None,
    class_names=None,
    class_=None,
    top=10,
    decimals=2,
    irredundant=False,
):
    """Return the heaviest terms of each class as text.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    feature_names : array-like of str, default=None
        What to call the columns of the table; None are the names it has.

    class_names : array-like of str, default=None
        What to call the classes, in the order of `classes_`; None are their labels.

    class_ : object, default=None
        The class whose terms to list; None is each class in turn.

    top : int, default=10
        How many terms of a class.

    decimals : int, default=2
        Digits of weights behind the point.

    irredundant : bool, default=False
        Whether to leave out redundant terms, see :func:`terms`.

    Returns
    -------
    text : str
        The class of the largest weighted sum wins; weights are factors, not logarithms.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If there is no such class, or another number of names than of what they are for.

    See Also
    --------
    sklearn.tree.export_text : The same for trees.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import export_text
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(export_text(clf, class_="1", top=4))
    class: 1
    |--- a1 = 1 & a2 = 1  (weight: 25.37)
    |--- a1 = 2 & a2 = 2  (weight: 25.37)
    |--- a1 = 3 & a2 = 3  (weight: 25.37)
    |--- a5 = 1  (weight: 22.31)
    <BLANKLINE>
    """
    decoder = TermDecoder.from_estimator(estimator)
    features = _check_names(feature_names, "feature_names", decoder.table_features)
    decoder = replace(decoder, table_features=tuple(features))
    classes = _check_names(class_names, "class_names", decoder.classes)
    notice = transformation_notice(decoder.transformed_by)
    lines = [f"# {notice}"] if notice else []
    for k in decoder.class_indices(class_):
        lines.append(f"class: {shown(classes[k])}")
        for term in heavy_terms(decoder.model, k, top, irredundant):
            weight = f"{np.exp(term.log_weight):.{decimals}f}"
            lines.append(f"|--- {decoder.term_text(term)}  (weight: {weight})")
    return "\n".join(lines) + "\n"


def _check_names(given, parameter, default):
    """Return the names that were given, checked, or the default ones."""
    if given is None:
        return default
    if len(given) != len(default):
        raise ValueError(
            f"{parameter} must be {len(default)} names; got {len(given)} of them."
        )
    return list(map(str, given))


def heavy_terms(model, k, top, irredundant=False, row=None):
    """Search the heaviest terms of class k, or of those that a row satisfies.

    Parameters
    ----------
    model : TermModel
    k, top : int
    irredundant : bool, default=False
        See `TermSearch.heaviest`.
    row : ndarray of shape (n_features,), int32, default=None
        Codes of the row that is to satisfy the terms.

    Returns
    -------
    terms : list of HeavyTerm

    Warns
    -----
    ConvergenceWarning
        If the search was given up.
    """
    try:
        return model.heaviest_terms(k, top, irredundant, row)
    except GaveUp as error:
        warn(
            "The search for the heaviest terms was given up, too many being nearly as "
            f"heavy: of {top}, {len(error.found)} were found, and heavier ones may be "
            "missing. Ask for fewer, or train with a smaller `max_term_size`.",
            ConvergenceWarning,
            stacklevel=stacklevel_of_caller(),
        )
        return error.found
