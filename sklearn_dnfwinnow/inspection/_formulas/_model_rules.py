"""Model rules: formulas of all classes from a fitted model, as a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.inspection._heavy_terms import heavy_terms
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

# Number of candidates of each class.
_OF_CLASS = 100


def to_rules(
    estimator,
    X,
    y,
    sample_weight=None,
    *,
    otherwise=None,
    smoothing=1.0,
    n_terms="auto",
    max_term_size=8,
    max_literals=None,
    min_precision=0.0,
    min_support=1,
    price="auto",
    class_weight=None,
    cv="auto",
    max_time=None,
    random_state=None,
    n_jobs=None,
):
    """Return the rules of all classes, from a fitted model, as a classifier.

    The rules of each class are learnt as by a :class:`DNFClassifier`. What a rule gains
    by a sample follows half from its label, and half from its probability by the model.
    The top-weighted terms of the model are candidates.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples as `estimator` takes them, to which the rules refer. Use the training
        samples.

    y : array-like of shape (n_samples,)
        Class labels, among those of `estimator`.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    otherwise, smoothing, n_terms, max_term_size, max_literals, min_precision, \
    min_support, price, class_weight, cv, max_time, random_state, n_jobs : object
        See :class:`DNFClassifier`.

    Returns
    -------
    clf : DNFClassifier
        Fitted. Its parameter `dnf` contains the formulas: another call of `fit`, for
        example in a cross-validation, keeps them, and only counts classes again.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If y contains classes that the estimator does not have.

    See Also
    --------
    to_dnf : The rules of one class, with a bound on how good any rules can be.

    Notes
    -----
    Price and default class are chosen by cross-validation of the rules. The model is
    not trained again, so that the probabilities of its training samples are a little
    too good. To avoid this, pass the model without fit as the `estimator` of a
    :class:`DNFClassifier`.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_rules
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = to_rules(DNFWinnowClassifier(random_state=0).fit(X, y), X, y)
    >>> clf.otherwise_, clf.score(X, y)
    ('0', 1.0)
    """
    decoder = TermDecoder.from_estimator(estimator)
    clf = DNFClassifier(
        otherwise=otherwise,
        smoothing=smoothing,
        n_terms=n_terms,
        max_term_size=max_term_size,
        max_literals=max_literals,
        min_precision=min_precision,
        min_support=min_support,
        price=price,
        class_weight=class_weight,
        cv=cv,
        max_time=max_time,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    present = np.unique(y).tolist()
    places = [decoder.class_indices(class_, "y")[0] for class_ in present]
    shares = estimator.predict_proba(X)[:, places]
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    terms = [[] for _ in places]
    if not decoder.transformed_by:
        terms = [
            [decoder.term(t.literals) for t in heavy_terms(decoder.model, k, _OF_CLASS)]
            for k in places
        ]
    clf._fit(X, y, sample_weight, probabilities=shares, terms=terms)
    formulas = {dnf.class_: dnf for dnf in clf.dnfs_}
    return clf.set_params(dnf=formulas, otherwise=clf.otherwise_)
