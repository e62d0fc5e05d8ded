"""Fitting: given formulas, or formulas that are learned from samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._column_warnings import (
    encode_rows,
    without_column_warnings,
)
from sklearn_dnfwinnow._encoding._columns import (
    column_label,
    columns_of,
    dense,
    distinct_values,
    frame_library,
    is_numeric,
    ordered,
)
from sklearn_dnfwinnow._encoding._cuts import is_whole
from sklearn_dnfwinnow._encoding._table import (
    LabelledTable,
    read_signs,
    refuse_many_columns,
)
from sklearn_dnfwinnow._utils._computing import distinct_rows, one_blas_thread
from sklearn_dnfwinnow._utils._display import near, shown
from sklearn_dnfwinnow._utils._estimators import (
    check_fold_count,
    feature_names_of,
    has_splits,
    masks_of_splits,
    warn,
)
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._formula_text import read_formula, sections_of
from sklearn_dnfwinnow.rules._rule_learner import Varied, learn_rules
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._text import value_text

# Rows that a mean number of equal samples is divided into, at most.
_MOST_PARTS = 16


@dataclass(frozen=True, eq=False)
class Samples:
    """Labelled rows of a table, and what a model says of them.

    Attributes
    ----------
    columns : list of ndarrays of shape (n_rows,)
        As returned by `columns_of`.
    names : list of str
    labels : ndarray of shape (n_rows,), int
        Index of the class of each row.
    weights : ndarray of shape (n_rows,), float64
    counts : ndarray of shape (n_rows,), float64
        Number of samples that each row stands for.
    probabilities : ndarray of shape (n_rows, n_classes), default=None
        Probabilities of the classes by a model.
    places : ndarray of shape (n_rows,), int, default=None
        Of the rows in the table.
    """

    columns: list
    names: list
    labels: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    probabilities: np.ndarray | None = None
    places: np.ndarray | None = None

    def __len__(self):
        return len(self.labels)

    @cached_property
    def distinct(self):
        """Return the distinct values of each column and their places: list of tuples.

        See `distinct_values`, which raises an error for infinite values.
        """
        names = map(repr, map(str, self.names))
        return list(map(distinct_values, self.columns, names))

    def rows(self, places):
        """Return some of the rows."""
        p, where = self.probabilities, self.places
        return replace(
            self,
            places=None if where is None else where[places],
            columns=[column[places] for column in self.columns],
            labels=self.labels[places],
            weights=self.weights[places],
            counts=self.counts[places],
            probabilities=None if p is None else p[places],
        )

    def in_order(self, estimator=None):
        """Return the rows with a positive weight, in an order of their own.

        Equal rows of a class are first merged, and then divided into rows that stand
        for one sample each, or for about as many if there are far more samples than
        distinct rows. A count of 2 has therefore the effect of two copies, and the
        order of rows has none.

        Parameters
        ----------
        estimator : estimator instance, default=None
            The estimator with the names of the columns, for messages.
        """
        some = self.rows(np.flatnonzero(self.weights > 0))
        codes = [some.labels]
        for j, column in enumerate(some.columns):
            values, places = distinct_values(column, column_label(estimator, j))
            ranks = {value: rank for rank, value in enumerate(ordered(values))}
            codes.append(np.array([ranks[value] for value in values], int)[places])
        _, first, inverse = distinct_rows(np.column_stack(codes))
        weights = np.bincount(inverse, weights=some.weights)
        counts = np.bincount(inverse, weights=some.counts)
        merged = replace(some.rows(first), weights=weights, counts=counts)
        if self.probabilities is not None:
            parts = (some.weights[:, None] * some.probabilities).T
            sums = [np.bincount(inverse, weights=part) for part in parts]
            merged = replace(merged, probabilities=np.array(sums).T / weights[:, None])
        size = max(1.0, counts.mean() / _MOST_PARTS)
        n_parts = np.maximum(np.rint(counts / size), 1).astype(np.int64)
        parts = replace(merged, weights=weights / n_parts, counts=counts / n_parts)
        return parts.rows(np.repeat(np.arange(len(counts)), n_parts))


# Folds for cv='auto', of up to so many rows, and of more.
_FOLDS, _MANY, _FEWER = 5, 2000, 3
# Folds in which `estimator` predicts the rows that it has not seen.
_MODEL_FOLDS = 3


def learn_formulas(
    classifier,
    X,
    labels,
    weights,
    *,
    groups=None,
    probabilities=None,
    signs=None,
    shares_of_varied=None,
):
    """Return the formulas that a classifier learns, and the class of all other rows.

    Parameters
    ----------
    classifier : DNFClassifier
        With its parameters, `classes_` and the names of its columns.
    X : {dataframe, sparse matrix, ndarray} of shape (n_samples, n_features)
        As returned by `check_table`.
    labels : ndarray of shape (n_samples,), int
        Indices of classes.
    weights : ndarray of shape (n_samples,)
        In samples, see `in_samples`.
    groups : array-like of shape (n_samples,), default=None
        For a splitter in `cv`.
    probabilities : ndarray of shape (n_samples, n_classes), default=None
        Of a model, for the gains of rows. None uses `estimator`, if there is one.
    signs : ndarray of shape (n_features, n_classes), int, default=None
        Directions of the columns for each class; None uses `monotonic_cst`.
    shares_of_varied : callable, default=None
        Returns the probabilities of the classes, by a model, for rows of which some
        values are those of others, see `_varied`.

    Returns
    -------
    dnfs : list of DNF
        In the order in which they are tried.
    without : list
        Classes that rules were looked for in vain.
    otherwise : int or None
        See `learn_rules`.
    prices : dict
        Price of a condition for each class of the formulas, in rows.
    """
    progress = Progress(classifier)
    progress.stage("reading the table").start()
    refuse_many_columns(classifier)
    X = dense(X)  # `estimator` may take no sparse one
    y = classifier.classes_[labels]
    check_fold_count(classifier.cv, labels[weights > 0])
    splits = None
    if has_splits(classifier.cv):
        splits = list(masks_of_splits(classifier.cv, X, y, groups=groups))
    if probabilities is None:
        if not _is_fitted(classifier.estimator):
            # Numbers are cut only to tell them from categories in warnings.
            rows = LabelledTable(classifier, X, y, weights)
            encode_rows(rows, missing="unspecified", discretizer="auto")
        if classifier.estimator is not None:
            progress.stage("probabilities of the estimator").start()
        probabilities = _probabilities(classifier, X, y, weights=weights, splits=splits)
    samples = Samples(
        columns=columns_of(X, classifier),
        names=feature_names_of(classifier).tolist(),
        labels=labels,
        weights=weights,
        counts=weights if is_whole(weights) else np.ones(len(weights)),
        probabilities=probabilities,
        places=np.arange(len(labels)),
    )
    if splits is not None:
        is_known = weights > 0
        samples = samples.rows(np.flatnonzero(is_known))
        folds = [tuple(map(np.flatnonzero, masks[:, is_known])) for masks in splits]
    else:
        samples = samples.in_order(classifier)
        folds = _random_folds(samples, classifier)
    varied = _varied(samples, shares_of_varied)
    with one_blas_thread():
        signs = _signs(classifier, samples) if signs is None else signs
        rules, otherwise = learn_rules(
            classifier, samples, folds, signs, progress, varied=varied
        )
    values = classifier.classes_.tolist()
    dnfs = [
        DNF(
            terms=of_class.terms,
            class_=values[k],
            # Of several classes, a row that one formula rejects can have any other.
            otherwise=values[otherwise] if len(values) == 2 else None,
            features=samples.names,
            scores=of_class.scores,
            rule_scores=of_class.of_terms,
        )
        for k, of_class in rules.items()
        if of_class.terms
    ]
    without = [values[k] for k, of_class in rules.items() if not of_class.terms]
    prices = {values[k]: of.price for k, of in rules.items() if of.terms}
    return dnfs, without, otherwise, prices


# Rows that varied ones fill up to, so that many rows have none; a row has two at most.
# The fraction of their values that are those of another row, and their weight together,
# relative to that of the rows.
_ENOUGH, _VARIED, _CHANGED, _WEIGHT = 2000, 2, 0.1, 0.25


def _varied(samples, shares_of_varied):
    """Return rows of which some values are those of other rows; None if not needed.

    Many formulas agree on few rows, and differ elsewhere: varied rows, as those of
    Breiman and Shang (1996), tell which of them is like the model.
    """
    n_rows = len(samples)
    n_varied = _VARIED * min(n_rows, _ENOUGH - n_rows)
    if shares_of_varied is None or n_varied <= 0:
        return None
    rng = np.random.default_rng(0)
    bases = np.arange(n_varied) * n_rows // n_varied
    places = np.tile(bases, (len(samples.columns), 1))
    is_other = rng.random(places.shape) < _CHANGED
    places[is_other] = rng.integers(0, n_rows, is_other.sum())
    return Varied(
        bases=bases,
        shares=shares_of_varied(samples.places[places]),
        weight=_WEIGHT * samples.weights.sum() / n_varied,
        columns=[column[of] for column, of in zip(samples.columns, places)],
    )


def _signs(classifier, samples):
    """Return the sign of each column for each class: (n_columns, n_classes), int.

    They are those of `monotonic_cst`, of the classifier or of its estimator.
    """
    classes = classifier.classes_.tolist()
    signs = np.zeros((len(samples.names), len(classes)), dtype=int)
    given = classifier.monotonic_cst
    if given is None:
        given = getattr(classifier.estimator, "monotonic_cst", None)
    if given is not None and len(classes) > 1:
        known = read_signs(
            given,
            samples.names,
            classes,
            lambda j: (
                is_numeric(samples.columns[j])
                or all(value is None for value in samples.distinct[j][0])
            ),
        )
        for j, of_classes in known.items():
            signs[j] = of_classes
    return signs


def _is_fitted(estimator):
    """Return whether there is an estimator, which is fitted."""
    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError):
        return False
    return True


def _probabilities(classifier, X, y, *, weights, splits):
    """Return probabilities of the classes by the parameter `estimator`; None if none.

    A fitted estimator predicts all rows. Of another one, clones that are fitted on
    other rows predict each: without the splits of a splitter, folds are random, because
    rows may be sorted.
    """
    estimator = classifier.estimator
    if estimator is None:
        return None
    if _is_fitted(estimator):
        known = list(estimator.classes_)
        absent = [class_ for class_ in classifier.classes_ if class_ not in known]
        if absent:
            raise ValueError(
                f"estimator must know all classes of y; it has {known}, without "
                f"{absent}."
            )
        places = [known.index(class_) for class_ in classifier.classes_]
        return estimator.predict_proba(X)[:, places]
    if splits is not None:
        cv = [tuple(map(np.flatnonzero, masks)) for masks in splits]
    else:
        cv = StratifiedKFold(
            _MODEL_FOLDS, shuffle=True, random_state=classifier.random_state
        )
    is_weighted = not (weights == weights[0]).all()
    with without_column_warnings():
        return cross_val_predict(
            estimator,
            X,
            y,
            cv=cv,
            method="predict_proba",
            params={"sample_weight": weights} if is_weighted else {},
        )


def _random_folds(samples, classifier):
    """Return random folds, stratified if each class has a row for each of them.

    There are none if there are fewer rows than folds, or only one class.
    """
    n_folds = classifier.cv
    if n_folds == "auto":
        n_folds = _FOLDS if len(samples) <= _MANY else _FEWER
    counts = np.bincount(samples.labels)
    n_classes = np.count_nonzero(counts)
    if n_folds is None or len(samples) < 2 * n_folds or n_classes < 2:
        return []
    stratified = counts[counts > 0].min() >= n_folds
    splitter = (StratifiedKFold if stratified else KFold)(
        n_folds, shuffle=True, random_state=classifier.random_state
    )
    return list(splitter.split(samples.labels, samples.labels))


def given_formulas(classifier, X):
    """Return the formulas that a classifier is given, for the columns of X.

    Parameters
    ----------
    classifier : DNFClassifier
        With `classes_` and the names of its columns.
    X : {dataframe, sparse matrix, ndarray} of shape (n_samples, n_features)
        As returned by `check_table`.

    Returns
    -------
    dnfs : list of DNF
    """
    given = classifier.dnf
    if isinstance(given, dict):
        return [
            replace(_read(classifier, one, X, class_), class_=class_)
            for class_, one in given.items()
        ]
    if isinstance(given, str):
        return [_read(classifier, section, X) for section in sections_of(given)]
    return [_read(classifier, given, X)]


def _read(classifier, given, X, class_=None):
    """Return one formula. Its class is `class_` if it contains none."""
    names = feature_names_of(classifier).tolist()
    classes = classifier.classes_.tolist()
    is_named = hasattr(classifier, "feature_names_in_") and frame_library(X)
    if isinstance(given, str):
        if is_named:
            values = X
        elif frame_library(X):  # of pandas, whose names are no strings
            values = X.set_axis(names, axis=1)
        else:
            used = [j for j, name in enumerate(names) if name in given]
            values = dict(zip([names[j] for j in used], dense(X[:, used]).T))
        head, terms = read_formula(
            given,
            values=values,
            or_features=names,
            classes=classes,
        )
        if class_ is None and "class_" not in head:
            # A text may name no more than the class of all rows.
            is_asked = terms or "otherwise" not in head
            class_ = _class_of_text(classes) if is_asked else head["otherwise"]
        given = DNF(**{"class_": class_, **head}, terms=terms)
    elif not isinstance(given, DNF):
        raise TypeError(f"A formula must be a DNF or a str; got {given!r:.200}.")
    return _about(given, names) if is_named else given


def _class_of_text(classes):
    """Return the class of rules that name none: that of `pos_label` in scikit-learn.

    Raises
    ------
    ValueError
        If the labels are not 0 and 1, -1 and 1, or False and True.
    """
    if not ({*classes} <= {0, 1} or {*classes} <= {-1, 1}):
        some = " or ".join(f"'class: {value_text(one)}'" for one in classes[:3])
        raise ValueError(
            f"The rules must name the class that they predict: begin the text with "
            f"{some}{' or ...' * (len(classes) > 3)}, or pass a dict of class to text. "
            "Only for labels 0 and 1, -1 and 1, or False and True can they leave it "
            "out, for 1 or True."
        )
    return type(classes[0])(1)


def with_named(classes, named):
    """Return the labels of y, and the classes that rules name and y lacks, ascending.

    Rules of a rare class predict it also where no row of y has it, as in a fold of a
    cross-validation.

    Parameters
    ----------
    classes : ndarray of shape (n_labels,)
    named : iterable
        Classes that rules name.

    Raises
    ------
    ValueError
        If y lacks a class that is not of the type of the labels.

    Warns
    -----
    UserWarning
        If y lacks a class.
    """
    known = classes.tolist()
    absent = [one for one in dict.fromkeys(named) if one not in known]
    if not absent:
        return classes
    types = str, bool, Real
    kinds = {tuple(isinstance(one, t) for t in types) for one in [*known, *absent]}
    if len(kinds) > 1 or not any(*kinds):
        raise ValueError(f"Rules must name classes among {known}; got {absent[0]!r}.")
    texts = ", ".join(shown(one) + near(str(one), known) for one in absent)
    warn(f"No row of y belongs to a class that the rules name: {texts}.")
    return np.unique([*known, *absent])


def _about(dnf, names):
    """Return a formula for columns that are identified by name."""
    if list(dnf.features) == names:
        return dnf
    for name in dnf.used_features:
        if names.count(name) != 1:
            raise ValueError(
                "X must have exactly one column for each feature of the rules; this "
                f"does not hold for {name!r}{near(name, names) * (name not in names)}."
            )
    terms = [
        Term(replace(x, column=names.index(x.feature)) for x in term.literals)
        for term in dnf.terms
    ]
    return replace(dnf, terms=terms, features=names)
