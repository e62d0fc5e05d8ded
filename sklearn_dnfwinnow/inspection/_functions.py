"""Reading a model: its heaviest terms, the reasons of a prediction, a short formula.

Terms are found by an exact search, and their shares are those of the weighted sums that
decide predictions. Each function takes a classifier, a pipeline that ends with one, a
search, or a wrapper with a single classifier inside. Columns have the names, and values
the words, of the table that this estimator takes, wherever the transformers in front of
the classifier can be inverted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from numbers import Integral
from warnings import warn

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import (
    Interval,
    StrOptions,
    check_sample_weight,
    validate_params,
)
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._attribute_shares import attribute_shares_of
from sklearn_dnfwinnow.inspection._dnf import DNF
from sklearn_dnfwinnow.inspection._explanation import Explanation, explained
from sklearn_dnfwinnow.inspection._literal import Literal
from sklearn_dnfwinnow.inspection._literal_text import notice_of
from sklearn_dnfwinnow.inspection._plot._explanation_display import ExplanationDisplay
from sklearn_dnfwinnow.inspection._plot._terms_display import TermsDisplay
from sklearn_dnfwinnow.inspection._records import TERM_COLUMNS, as_table
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    heavy_terms,
    mean_shares,
    measures,
)
from sklearn_dnfwinnow.inspection._short_dnf import short_dnf
from sklearn_dnfwinnow.inspection._term import Term
from sklearn_dnfwinnow.inspection._term_decoder import Vocabulary

__all__ = [
    "DNF",
    "Explanation",
    "ExplanationDisplay",
    "Literal",
    "Term",
    "TermsDisplay",
    "attribute_shares",
    "explain",
    "export_text",
    "terms",
    "to_dnf",
]

_MEASURES = "support", "precision", "recall"
_POSITIVE = [Interval(Integral, 1, None, closed="left")]
_SEARCHED = {"top": _POSITIVE, "irredundant": ["boolean"]}


@validate_params(_SEARCHED, prefer_skip_nested_validation=True)
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
    """The heaviest terms of each class.

    Exact, by branch and bound: of all terms that were promoted more than demoted, over
    any attributes and of any size up to `max_term_size_`, no other is heavier.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_ : object, default=None
        The class whose terms are asked for; None is each class in turn.

    top : int, default=10
        How many terms of a class, or fewer if it has fewer.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Rows to measure the terms on, as `estimator` takes them.

    y : array-like of shape (n_samples,), default=None
        Their classes; None takes the predictions.

    sample_weight : array-like of shape (n_samples,), default=None
        Their weights, not negative; None is 1 for each.

    irredundant : bool, default=False
        Whether to leave out what says little new: the empty term; terms with a literal
        that excludes no update; and terms that are a part of a heavier one that is
        listed, or have it as a part.

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
    0  a1 = 1 & a2 = 1      43.0     57.0        1.0
    1  a1 = 2 & a2 = 2      43.0     63.0        1.0
    2  a1 = 3 & a2 = 3      42.0     65.0        1.0
    3           a5 = 1      31.0    137.0        1.0
    """
    vocabulary, rows = _read(estimator, X, y, sample_weight)
    if vocabulary.transformed_by:
        warn(
            f"The terms are about {notice_of(vocabulary.transformed_by)}: this cannot "
            "be inverted.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )
    model = vocabulary.model
    names = TERM_COLUMNS if rows is None else (*TERM_COLUMNS, *_MEASURES)
    records = []
    for k in _classes(vocabulary, class_):
        found = heavy_terms(model, k, top, irredundant)
        counted = LabelledRows.promoted_in(model) if rows is None else rows
        columns = {
            "share": mean_shares(model, k, found, counted).tolist(),
            **({} if rows is None else measures(model, k, found, rows)),
        }
        records += [
            {
                "class": vocabulary.classes[k],
                **vocabulary.record(term),
                **dict(zip(columns, measured)),
            }
            for term, measured in zip(found, zip(*columns.values()))
        ]
    return as_table(records, names)


@validate_params(
    {**_SEARCHED, "n_classes": [*_POSITIVE, None]}, prefer_skip_nested_validation=True
)
def explain(estimator, X, top=5, *, irredundant=False, n_classes=2):
    """The prediction of each row, and the reasons for it.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them. A value that training did not have counts as
        unspecified.

    top : int, default=5
        How many terms of each class, the heaviest of those that the row satisfies.

    irredundant : bool, default=False
        Whether to leave out what says little new, see :func:`terms`.

    n_classes : int, default=2
        List the terms of so many classes, those of the highest scores of the row. None
        is all classes; it takes longer where there are many.

    Returns
    -------
    explanations : list of n_samples Explanation
        Each has the position of its row in X, which it prints, and a blank line after
        it: ``print(*explain(estimator, X), sep="\\n")`` prints one after the other.
        Sums, and so probabilities, are those of the sampler 'auto', whatever the
        classifier has: exact where they can be, else estimates with standard errors.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If so many terms are nearly as heavy that the search was given up.

    See Also
    --------
    Explanation : What is said of a row.
    ExplanationDisplay.from_estimator : One of them as a picture.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import explain
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (explanation,) = explain(clf, X[:1])
    >>> explanation.prediction
    '1'
    """
    vocabulary, codes = Vocabulary.of_rows(estimator, X)
    return explained(vocabulary, codes, top, irredundant, n_classes)


@validate_params(
    {"n_terms": [StrOptions({"auto"}), *_POSITIVE]}, prefer_skip_nested_validation=True
)
def to_dnf(
    estimator, class_=None, n_terms="auto", *, X=None, y=None, sample_weight=None
):
    """A short DNF that stands in for the classifier, one class against all others.

    Of the heaviest terms of the class, and of those of its rows, it has the few whose
    disjunction agrees best with the model. They are chosen greedily, and then exchanged
    as long as that helps.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_ : object, default=None
        The class of rows that satisfy the DNF. None is the second of two classes.

    n_terms : int or 'auto', default='auto'
        Most terms; 'auto' is 5. There are fewer where no other term brings the DNF
        closer to the model.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Rows to agree on, as `estimator` takes them: best those of training. None takes
        the updates of the model, which are the rows that it had trouble with.

    y : array-like of shape (n_samples,), default=None
        Their classes, for the accuracy. They do not influence the choice.

    sample_weight : array-like of shape (n_samples,), default=None
        Their weights, not negative; None is 1 for each.

    Returns
    -------
    dnf : DNF
        With `scores`: 'fidelity', the share of the rows on which the DNF agrees with
        the predictions of the model, by `DNF.holds` if X is given; if y is given, also
        'accuracy' and 'accuracy_of_model', the shares of the rows on which either is
        right as to whether they are of the class.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If there is no such class, or none is given where there are more than two; if X
        does not fit the estimator, or y comes without X.

    Warns
    -----
    UserWarning
        If the DNF has no term, or fewer than an integer `n_terms`.

    Notes
    -----
    The terms are about the table that `estimator` takes wherever the transformers in
    front of the classifier can be inverted: see :ref:`reading_pipelines`. Where one
    cannot, they are about the output of that one, `DNF.transformed_by` has its name,
    and `DNF.holds` and exports refuse a table unless ``transformed=True``. The same is
    true if the inverse finds other values in X than the transformers do.

    A row counts by its weight, and by how sure the model is: \\|2 p - 1\\|, with p the
    probability of the class. So it is the expected accuracy that is maximised, if the
    probabilities of the model are right, not the number of its own decisions that are
    matched, the doubtful ones included.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_dnf
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> dnf = to_dnf(clf, X=X, y=y)
    >>> print(dnf)
    a1 = 1 & a2 = 1 or
    a1 = 2 & a2 = 2 or
    a1 = 3 & a2 = 3 or
    a5 = 1
    >>> dnf.scores
    {'fidelity': 1.0, 'accuracy': 1.0, 'accuracy_of_model': 1.0}
    """
    if X is None and y is not None:
        raise ValueError("y is given without X, the rows that it is of.")
    vocabulary, rows = _read(estimator, X, y, sample_weight)
    if class_ is None and len(vocabulary.classes) > 2:
        raise ValueError(
            "class_=None stands for the second of two classes; choose one of "
            f"{vocabulary.classes}."
        )
    k = 1 if class_ is None else _classes(vocabulary, class_)[0]
    if rows is None:
        rows = _updates(vocabulary.model)
    return short_dnf(vocabulary, k, n_terms, rows, X, labelled=y is not None)


@validate_params(
    {
        **_SEARCHED,
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
    """The heaviest terms of each class as text.

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
        The class whose terms are asked for; None is each class in turn.

    top : int, default=10
        How many terms of a class.

    decimals : int, default=2
        Digits of weights behind the point.

    irredundant : bool, default=False
        Whether to leave out what says little new, see :func:`terms`.

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
    |--- a1 = 1 & a2 = 1  (weight: 10.04)
    |--- a1 = 2 & a2 = 2  (weight: 10.04)
    |--- a1 = 3 & a2 = 3  (weight: 9.13)
    |--- a5 = 1  (weight: 7.84)
    <BLANKLINE>
    """
    vocabulary = Vocabulary.of(estimator)
    own = vocabulary.table_features
    features = _names(feature_names, "feature_names", own)
    vocabulary = replace(vocabulary, table_features=tuple(features))
    classes = _names(class_names, "class_names", vocabulary.classes)
    notice = notice_of(vocabulary.transformed_by)
    lines = [f"# {notice}"] if notice else []
    for k in _classes(vocabulary, class_):
        lines.append(f"class: {shown(classes[k])}")
        for term in heavy_terms(vocabulary.model, k, top, irredundant):
            weight = f"{np.exp(term.log_weight):.{decimals}f}"
            lines.append(f"|--- {vocabulary.listed(term)}  (weight: {weight})")
    return "\n".join(lines) + "\n"


def attribute_shares(estimator, X=None, *, sample_weight=None):
    """How much of the winning weighted sums mentions each attribute, on average.

    Of the class with the largest weighted sum W of a row, the share of W that belongs
    to terms with a literal on the attribute: what W loses where the attribute is
    unspecified. It tells what a model looks at, as `feature_importances_` of a forest
    do, not what it would lose in accuracy without it: for that there is
    :func:`sklearn.inspection.permutation_importance`, which mostly puts attributes into
    a similar order.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Rows to average over, as `estimator` takes them. None takes the updates of the
        model, weighted by their absolute exponents in all classes.

    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows, not negative; None is 1 for each.

    Returns
    -------
    shares : ndarray of shape (n_features,), float64
        Of the attributes of the classifier, from 0 to 1. As terms mention several, they
        do not sum to 1. An attribute that the model knows nothing about has a share
        about term_prior / (1 + term_prior) where it is specified, with terms of any
        size: the share of all terms that mention it, by their initial weights.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator, or weights come without X.

    See Also
    --------
    explain : The shares of one row, in all classes.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import attribute_shares
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> attribute_shares(clf, X).round(2)
    array([0.43, 0.43, 0.19, 0.18, 0.35, 0.19])

    The function can be what selects attributes:

    >>> from sklearn.feature_selection import SelectFromModel
    >>> selector = SelectFromModel(clf, importance_getter=attribute_shares)
    >>> selector.fit(X, y).get_feature_names_out()
    array(['a1', 'a2'], dtype=object)
    """
    if X is None and sample_weight is not None:
        raise ValueError("sample_weight is given without X, the rows that it is of.")
    vocabulary, rows = _read(estimator, X, None, sample_weight)
    model = vocabulary.model
    rows = rows or _updates(model)
    sums = attribute_shares_of(model, rows.codes)
    winners = sums.log_sums.argmax(axis=1)
    shares = sums.shares[np.arange(len(winners)), winners]
    return np.average(shares, axis=0, weights=rows.weights.sum(axis=1))


def _names(given, parameter, own):
    """Names that were given, or one's own."""
    if given is None:
        return own
    if len(given) != len(own):
        raise ValueError(
            f"{parameter} must be {len(own)} names; got {len(given)} of them."
        )
    return list(map(str, given))


def _classes(vocabulary, class_):
    """Indices of the classes that are asked for."""
    classes = vocabulary.classes
    if class_ is None:
        return range(len(classes))
    if class_ not in classes:
        raise ValueError(f"class_={class_!r} is none of the classes {classes}.")
    return [classes.index(class_)]


def _updates(model):
    """The updates, in place of rows."""
    if not len(model.updates):
        raise ValueError("The model has no updates that could stand for rows: pass X.")
    return LabelledRows.updates_of(model)


def _read(estimator, X, y, sample_weight):
    """The words of an estimator, and LabelledRows if X is not None.

    The classes of the rows are those that the model predicts if y is None.
    """
    if X is None:
        return Vocabulary.of(estimator), None
    vocabulary, codes = Vocabulary.of_rows(estimator, X)
    classes = vocabulary.classifier.classes_
    weights = check_sample_weight(sample_weight, codes, ensure_non_negative=True)
    if y is None:
        rows, _, inverse = distinct_rows(codes)
        labels = vocabulary.model.best_estimates(rows)[0].argmax(axis=1)[inverse]
    else:
        y = column_or_1d(y)
        check_consistent_length(codes, y)
        unknown = np.setdiff1d(y, classes)
        if len(unknown):
            raise ValueError(
                f"y has classes that the model does not know: {unknown.tolist()}."
            )
        labels = np.searchsorted(classes, y)
    return vocabulary, LabelledRows.of(codes, labels, weights, len(classes))
