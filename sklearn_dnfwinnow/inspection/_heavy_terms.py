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
from sklearn_dnfwinnow._utils._text import shown, transformation_notice
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    mean_shares,
    read_rows,
    rule_measures,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

#: Columns of a table of terms; `TermDecoder.record` has all but the first and the last.
TERM_COLUMNS = "class", "term", "size", "exponent", "log_weight", "share"
_MEASURES = "support", "precision", "recall"
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
        Rows to measure the terms on, as `estimator` takes them.

    y : array-like of shape (n_samples,), default=None
        Their classes; None takes the predictions.

    sample_weight : array-like of shape (n_samples,), default=None
        Their weights, not negative; None is 1 for each.

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

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If there is no such class, or X does not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If so many terms are nearly as heavy that the search was given up.
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms are about its output; or if `estimator` is a classifier without the
        pipeline that it seems to be a step of.

    See Also
    --------
    explain : The terms behind one prediction.
    to_dnf : A few of them that stand in for the classifier.
    TermsDisplay.from_estimator : The same as a picture.

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
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    if decoder.transformed_by:
        warn(
            f"The terms are about {transformation_notice(decoder.transformed_by)}: "
            "this cannot be inverted.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )
    model = decoder.model
    names = TERM_COLUMNS if rows is None else (*TERM_COLUMNS, *_MEASURES)
    records = []
    for k in decoder.class_indices(class_):
        found = heavy_terms(model, k, top, irredundant)
        counted = LabelledRows.from_promotions(model) if rows is None else rows
        columns = {"share": mean_shares(model, k, found, counted).tolist()}
        if rows is not None:
            columns |= rule_measures(model, k, found, rows)
        records += [
            {
                "class": decoder.classes[k],
                **decoder.record(term),
                **dict(zip(columns, measured)),
            }
            for term, measured in zip(found, zip(*columns.values()))
        ]
    return as_table(records, names)


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


def as_table(records, columns):
    """Return records as a pandas data frame, or as they are without pandas.

    Parameters
    ----------
    records : list of dict
        All with the same keys.
    columns : iterable of str
        The keys, for when there are no records.
    """
    try:
        import pandas  # here for import time, and since it may not be installed
    except ImportError:
        return records

    def column(name):
        values = [record[name] for record in records]
        try:
            return pandas.Series(values)
        except UnicodeEncodeError:  # Arrow has no lone surrogates
            return pandas.Series(values, dtype=object)

    return pandas.DataFrame({name: column(name) for name in columns})
