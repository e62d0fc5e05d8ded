"""Formulas that a DNFClassifier learns, from its parameters and checked samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from numbers import Integral

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

from sklearn_dnfwinnow._encoding._column_warnings import without_column_warnings
from sklearn_dnfwinnow._encoding._columns import columns_of, dense
from sklearn_dnfwinnow._encoding._entropy_cuts._segments import is_whole
from sklearn_dnfwinnow._encoding._sample_weights import class_weights
from sklearn_dnfwinnow._encoding._tables._labelled_table import refuse_many_columns
from sklearn_dnfwinnow._utils._splitter import (
    check_fold_count,
    has_splits,
    masks_of_splits,
)
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._fitting._doubtful_columns import (
    warn_of_doubtful_columns,
)
from sklearn_dnfwinnow.rules._fitting._rule_list import learn_rule_list
from sklearn_dnfwinnow.rules._fitting._samples import Samples

# Number of folds for cv='auto'.
_AUTO_FOLDS = 3


def learn_formulas(
    classifier, X, labels, weights, *, groups=None, probabilities=None, terms=None
):
    """Return the formulas that a classifier learns.

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
        Of a model, for the gains of samples. None uses `estimator`, if there is one.
    terms : list of lists of Term, default=None
        Candidates of each class.

    Returns
    -------
    dnfs : list of DNF
    found : RuleList
    """
    refuse_many_columns(classifier)
    X = dense(X)  # `estimator` may take no sparse one
    classes, y = classifier.classes_, classifier.classes_[labels]
    check_fold_count(classifier.cv, labels[weights > 0])
    splits = None
    if has_splits(classifier.cv):
        splits = list(masks_of_splits(classifier.cv, X, y, groups=groups))
    if probabilities is None:
        warn_of_doubtful_columns(classifier, X, y, weights)
        if classifier.estimator is not None:
            probabilities = _held_out_probabilities(
                classifier, X, y, weights=weights, splits=splits
            )
    names = column_names(classifier)
    of_classes = class_weights(classifier.class_weight, classes, y, weights)
    samples = Samples(
        columns=columns_of(X, classifier, exact=True),
        names=names,
        labels=labels,
        weights=weights,
        counts=weights if is_whole(weights) else np.ones(len(weights)),
        n_classes=len(classes),
        probabilities=probabilities,
    )
    if splits is not None:
        is_known = weights > 0
        samples = samples.rows(np.flatnonzero(is_known))
        folds = [_rows_of(masks[:, is_known]) for masks in splits]
    else:
        samples = samples.in_order(classifier)
        folds = _random_folds(samples, classifier)
    weights = samples.weights * of_classes[samples.labels]
    samples = replace(samples, weights=weights)
    otherwise = classifier.otherwise
    if otherwise is not None:
        otherwise = classifier._place_of(otherwise, "otherwise")
    found = learn_rule_list(
        samples,
        _limits(classifier, samples),
        folds,
        price=None if classifier.price == "auto" else float(classifier.price),
        otherwise=otherwise,
        terms=terms,
        max_time=classifier.max_time,
        n_jobs=classifier.n_jobs,
    )
    values = classes.tolist()
    dnfs = [
        DNF(
            terms=terms,
            class_=values[k],
            otherwise=values[1 - k] if len(values) == 2 else None,
            features=names,
            scores={
                "loss": found.searches[k].objective,
                "bound": found.searches[k].bound,
            },
        )
        for k, terms in found.formulas
    ]
    return dnfs, found


def _held_out_probabilities(classifier, X, y, *, weights, splits):
    """Return probabilities of the classes by clones of the parameter `estimator`.

    Each sample is predicted by a clone that was fitted on other samples. Without the
    splits of a splitter, folds are random, because samples may be sorted.
    """
    if splits is not None:
        cv = [_rows_of(masks) for masks in splits]
    else:
        n_folds = _AUTO_FOLDS if classifier.cv in (None, "auto") else classifier.cv
        cv = StratifiedKFold(
            n_folds, shuffle=True, random_state=classifier.random_state
        )
    is_weighted = not (weights == weights[0]).all()
    with without_column_warnings():
        return cross_val_predict(
            classifier.estimator,
            X,
            y,
            cv=cv,
            n_jobs=classifier.n_jobs,
            method="predict_proba",
            params={"sample_weight": weights} if is_weighted else {},
        )


def column_names(classifier):
    """Return the names of the columns of a classifier, or x0, x1 and so on."""
    names = getattr(classifier, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(classifier.n_features_in_)]
    return list(map(str, names))


def _limits(classifier, samples):
    """Return the limits of a RuleProblem, from the parameters of a classifier."""
    support = classifier.min_support
    if not isinstance(support, Integral) and support < 1:
        support = support * samples.weights.sum()
    else:
        support = support * samples.unit
    return {
        "max_rules": None if classifier.n_terms == "auto" else classifier.n_terms,
        "max_literals": classifier.max_literals,
        "max_term_size": classifier.max_term_size,
        # The search need not look at a limit that all rules keep.
        "min_support": float(support) if support > samples.weights.min() else 0.0,
        "min_precision": float(classifier.min_precision),
    }


def _rows_of(masks):
    """Return the rows of both masks of a split."""
    learned, held_out = masks
    return np.flatnonzero(learned), np.flatnonzero(held_out)


def _random_folds(samples, classifier):
    """Return random folds, stratified if each class has a row for each of them.

    There are none if there are fewer rows than folds, or only one class.
    """
    n_folds = _AUTO_FOLDS if classifier.cv == "auto" else classifier.cv
    counts = np.bincount(samples.labels)
    n_classes = np.count_nonzero(counts)
    if n_folds is None or len(samples) < 2 * n_folds or n_classes < 2:
        return []
    stratified = counts[counts > 0].min() >= n_folds
    splitter = (StratifiedKFold if stratified else KFold)(
        n_folds, shuffle=True, random_state=classifier.random_state
    )
    return list(splitter.split(samples.labels, samples.labels))
