"""Terms: the terms that speak most for a class, with their measures as rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial, wraps
from typing import NamedTuple

import numpy as np
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp, extent
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import as_table, records_of
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS, interval_of
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    TableModelMixin,
    check_sample_weight,
    validate_params,
    warn,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._statistics import rule_statistics

# Maximum number of values of draws that are processed at once.
_AT_ONCE = 1 << 22
# Factor from one number of terms to the next one that is searched for terms to list,
# and the largest number, as a multiple of the terms to list.
_MORE, _MOST = 4, 16


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
    def promoted(cls, model):
        """Return the stored examples of a model, with weights by their promotions.

        If its terms were chosen, or no weight has changed, this is the background.
        """
        if len(model.examples):
            counts = np.maximum(model.net_counts, 0)
            return cls(model.examples, counts.T / model.denominator)
        return cls.stored(model)

    @classmethod
    def stored(cls, model):
        """Return the training rows that a model stores.

        Those of a Bayesian model have their classes. Those of another one are its
        background, and have the probabilities of the classes by the model.
        """
        if has_draws(model):
            return cls(model.groups.rows, model.class_weights)
        rows = model.background
        scores = model.estimate_log_sums(rows.codes)[0] - model.log_thresholds
        chances = softmax(model.scale * scores, axis=1)
        return cls(rows.codes, rows.weights[:, None] * chances)


def has_draws(model):
    """Return whether a model has draws of the effects of groups of terms."""
    return hasattr(model, "n_draws")


def probabilities_of(scores):
    """Return the probabilities of classes from draws of scores: last axis.

    With two classes, each score is a log-odds.
    """
    return expit(scores) if scores.shape[-1] == 2 else softmax(scores, axis=-1)


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
        return TermDecoder.from_estimator(estimator, TableModelMixin), None
    decoder, codes = TermDecoder.with_codes(estimator, X, TableModelMixin)
    classes = decoder.classifier.classes_
    weights = check_sample_weight(sample_weight, codes)
    rows, _, inverse = distinct_rows(codes)
    if y is None:
        if has_draws(decoder.model):
            scores = probabilities_of(decoder.model.sample_scores(rows)).mean(axis=0)
        else:
            log_sums, _ = decoder.model.estimate_log_sums(rows)
            scores = log_sums - decoder.model.log_thresholds
        # Ties are resolved as in `predict`.
        labels = scores.argmax(axis=1)[inverse]
    else:
        y = column_or_1d(y)
        check_consistent_length(codes, y)
        unknown = np.setdiff1d(y, classes)
        if len(unknown):
            raise ValueError(
                f"y contains classes that are not in classes_: {unknown.tolist()}."
            )
        labels = np.searchsorted(classes, y)
    totals = np.zeros((len(rows), len(classes)))
    np.add.at(totals, (inverse, labels), weights)
    return decoder, LabelledRows(
        codes=rows,
        weights=totals,
        places=inverse,
        labels=labels,
        sample_weights=weights,
    )


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
    """Return measures of terms of class k as rules: dict of arrays of (n_terms,).

    On samples, these are the `rule_statistics`. Rows that are no samples have no
    intervals.
    """
    covers = coverage_matrix(terms, model.encoding.with_literals(rows.codes))
    if rows.places is not None:
        found = rule_statistics(
            covers[:, rows.places], rows.labels == k, rows.sample_weights
        )
        return {name: np.array(values) for name, values in found.items()}
    covered, totals = covers @ rows.weights, rows.weights.sum(axis=0)
    support = covered.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = covered[:, k] / support
        lift = precision / (totals[k] / totals.sum())
    # Rows that stand for others have fractions as weights.
    return {"lift": lift, "support": np.rint(support), "precision": precision}


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


# Columns of a table of terms that are shown without details.
_FEW = (
    "class",
    "term",
    "lift",
    "support",
    "precision",
    "precision_low",
    "precision_high",
    "effect",
    "effect_low",
    "effect_high",
)


@data_by_name
@validate_params({"top": [POSITIVE], "details": ["boolean"], **COVERAGE_CONSTRAINTS})
def terms(
    estimator,
    class_of_interest=None,
    top=10,
    *,
    X=None,
    y=None,
    sample_weight=None,
    details=False,
    coverage=0.9,
):
    """Return the terms that speak most for each class.

    These are the terms with the largest weights of a DNFWinnowClassifier, among all
    that were promoted more often than demoted. A BayesianInteractionClassifier has
    groups of terms, each of which the same training rows satisfy, with a common effect:
    those with the largest effects are listed, each by one of its shortest terms. The
    search is exact. The empty term, and terms that make the class less frequent (a lift
    below 1), are left out.

    Parameters
    ----------
    estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an estimator \
            with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_of_interest : object, default=None
        The class whose terms are listed; None is each class in turn.

    top : int, default=10
        Maximum number of terms per class.

    X : {array-like, sparse matrix, dataframe} of shape (n_rows, n_features), \
            default=None
        Rows on which the terms are measured, as `estimator` takes them. Pass held-out
        rows: precision on the training rows is optimistic, because the terms were
        learned from these. None uses training rows that `fit` stored, see 'lift'.

    y : array-like of shape (n_rows,), default=None
        Classes of the rows in X. None uses the predictions.

    sample_weight : array-like of shape (n_rows,), default=None
        Non-negative weights of the rows in X. None is 1 for each.

    details : bool, default=False
        Whether the table has all columns.

    coverage : float, default=0.9
        Fraction of the posterior draws between 'effect_low' and 'effect_high'.

    Returns
    -------
    table : DataFrame, or list of dict if pandas is not installed
        One row per term, the largest weight or effect of each class first. Of terms
        with the same weight, the shorter comes first, and then the order of columns and
        values decides. Terms of the models of an average are compared by their weights
        relative to the mean sum of their model, times its weight in the average; a term
        that several models have is listed once.

        - 'class', 'term': the class, and the term as text.
        - 'lift': 'precision' divided by the fraction of the class among all rows. It is
          NaN if no row satisfies the term.
        - 'support', 'precision': total weight of the rows that satisfy the term, and
          the fraction of these in the class. Without X, these three are measured on
          training rows: on all of them for a BayesianInteractionClassifier; and
          otherwise on a sample of up to 256 different ones, with the probabilities of
          the model in place of the classes. 'support' is then a whole number.
        - 'precision_low', 'precision_high', if X is given: Wilson interval with
          confidence 0.95. It is valid for rows that were not used to select the terms.
          With weights, it uses the effective number of rows, (sum of weights)^2 / sum
          of squares.
        - 'effect', 'effect_low', 'effect_high', for a BayesianInteractionClassifier:
          median of the effect of the group over all draws, and the ends of its central
          interval. With two classes, this is the effect on the log-odds of the class.
          With more classes, it is the effect on the score of the class, which is its
          log probability minus the mean of those of all classes. Logarithms are
          natural.

        With `details`, further columns follow.

        - 'size': number of literals.
        - 'recall', 'recall_low', 'recall_high', if X is given: the fraction of the
          class that satisfies the term, with its interval.
        - 'model', if the estimator is an average: position in its `estimators_` of the
          model in which the term has the largest weight.
        - 'net_promotion_count': promotions minus demotions of the term; a fraction if
          it is an average.
        - 'log_weight': natural logarithm of the weight,
          ``log(literal_weight) * size + log(alpha) * net_promotion_count``. Copies of a
          term, which contain a literal that another one implies, such as ``x <= 9``
          beside ``x <= 5``, are not listed: their weights are added to this one.
        - 'share': mean relative contribution of the term to the weighted sum W of the
          class, over the rows of X in the class; without X, over the promoted stored
          examples. Rows that do not satisfy the term count as 0. In an average, it is
          the contribution to the sum of the model, times the weight of the model.
        - 'closed': all literals that the training rows of a group have in common.
        - 'n_terms': number of terms in the group, a Python int.
        - 'p_positive': fraction of the draws in which the effect is positive.

    Raises
    ------
    TypeError
        If `estimator` has neither classifier.
    ValueError
        If the class does not exist, X does not fit the estimator, or classes or weights
        are given without their rows.

    Warns
    -----
    ConvergenceWarning
        If the search stopped early because too many terms have almost the same weight.
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms refer to its output.

    See Also
    --------
    explain : The reasons for one prediction.
    to_dnf : A short formula that approximates the classifier.
    TermsDisplay.from_estimator : The same as a figure.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import terms
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> table = terms(clf, class_of_interest="1", top=4, X=X, y=y)
    >>> table[["term", "lift", "support", "precision"]].round(2)
                  term  lift  support  precision
    0  a1 = 3 & a2 = 3   2.0     65.0        1.0
    1  a1 = 1 & a2 = 1   2.0     57.0        1.0
    2  a1 = 2 & a2 = 2   2.0     63.0        1.0
    3           a5 = 1   2.0    137.0        1.0
    """
    if X is None and (y is not None or sample_weight is not None):
        raise ValueError("y and sample_weight require X; got X=None.")
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    model = decoder.model
    decoder.warn_of_transformed_columns()
    measured = LabelledRows.stored(model) if rows is None else rows
    if has_draws(model):
        medians = _median_effects(model)
        find = partial(_largest_groups, model, medians)
        describe = partial(_describe_groups, decoder, coverage)
    else:
        find = partial(heavy_terms, model)
        describe = partial(_describe_terms, decoder, rows, details)
    records = []
    for k in decoder.class_indices(class_of_interest):
        listed, columns = _listed(
            find=partial(find, k),
            measure=partial(rule_measures, model, k, rows=measured),
            top=top,
        )
        columns |= {"size": [len(term.literals) for term in listed]}
        columns |= describe(k, listed)
        names = ["class", "term", *columns]
        if not details:
            names = [name for name in _FEW if name in names]
        for term, others in zip(listed, records_of(columns)):
            text = str(decoder.term(term.literals))
            record = {"class": decoder.classes[k], "term": text, **others}
            records.append({name: record[name] for name in names})
    return as_table(records, names)


def _listed(find, measure, top):
    """Return the terms of a class to list, and their measures: dict of lists.

    Parameters
    ----------
    find : callable
        Returns some of the top terms, given their number.
    measure : callable
        Returns the measures of terms.
    top : int
    """
    n = top + 1  # the empty term may be among them
    while True:
        found, first = find(n), {}
        for term in found:
            first.setdefault(term.literals, term)
        first.pop((), None)
        distinct = [*first.values()]
        measures = measure(distinct)
        # No lift is one that is not known to be below 1.
        listed = np.flatnonzero(~(measures["lift"] < 1))[:top]
        if len(listed) == top or len(found) < n or n > _MOST * top:
            break
        n *= _MORE
    columns = {name: values[listed].tolist() for name, values in measures.items()}
    ordered = [name for name in _FEW if name in columns]
    return [distinct[i] for i in listed], {
        name: columns[name] for name in dict.fromkeys([*ordered, *columns])
    }


def _describe_terms(decoder, rows, details, k, listed):
    """Return the columns of terms with weights: dict of lists."""
    if not details:
        return {}
    model = decoder.model
    if rows is None:
        rows = LabelledRows.promoted(model)
    several = len(model.models) > 1
    return ({"model": [term.model for term in listed]} if several else {}) | {
        "net_promotion_count": [term.net_count / model.denominator for term in listed],
        "log_weight": [term.log_weight for term in listed],
        "share": mean_shares(model, k, listed, rows).tolist(),
    }


class Group(NamedTuple):
    """A group of terms of a Bayesian model.

    Attributes
    ----------
    literals : tuple of (int, int)
        Columns and codes of one of its shortest terms.
    place : int
        Its index.
    """

    literals: tuple
    place: int


def _median_effects(model):
    """Return the medians of the draws of all effects: (n_groups, n_classes)."""
    every = np.arange(model.groups.n_groups)
    parts = [
        np.median(model.effects(every[part]), axis=0)
        for part in parts_of(model, len(every))
    ]
    return np.concatenate(parts)


def _largest_groups(model, medians, k, n):
    """Return at most n groups with the largest positive effects on class k."""
    # Ties go to the first group, because lexsort is stable.
    order = np.lexsort((model.group_orders, -medians[:, k]))[:n]
    return [
        Group(model.groups.generator(g), g) for g in order.tolist() if medians[g, k] > 0
    ]


def _describe_groups(decoder, coverage, k, listed):
    """Return the columns of groups of terms: dict of lists."""
    groups, places = decoder.model.groups, [group.place for group in listed]
    draws = decoder.model.effects(np.array(places, dtype=int))[..., k]
    low, high = np.moveaxis(interval_of(draws, coverage), -1, 0).tolist()
    return {
        "effect": np.median(draws, axis=0).tolist(),
        "effect_low": low,
        "effect_high": high,
        "closed": [str(decoder.term(groups.closed_pattern(g))) for g in places],
        "n_terms": [sum(map(int, groups.counts[g])) for g in places],
        "p_positive": (draws > 0).mean(axis=0).tolist(),
    }


def parts_of(model, n_groups):
    """Yield slices of groups, such that the draws of each slice fit into memory."""
    step = max(1, _AT_ONCE // (model.n_draws * model.n_classes))
    for start in range(0, n_groups, step):
        yield slice(start, start + step)


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
            f"The list may be incomplete: {len(error.found)} of {top} rules were "
            "found, because too many rules have almost the same weight. Decrease "
            "`top`, or train with a smaller `max_term_size`.",
            ConvergenceWarning,
        )
        return error.found
