"""Short DNF: a few terms of a class that stand in for the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from warnings import warn

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import StrOptions, validate_params
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._greedy_cover import greedy_maximum_coverage
from sklearn_dnfwinnow.inspection._heavy_terms import POSITIVE, heavy_terms
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    coverage_matrix,
    read_rows,
)
from sklearn_dnfwinnow.rules._dnf import DNF

# Candidates: the heaviest terms of the class, with and without redundant ones; and of
# so many of the rows to be covered, so that each has some.
_OF_CLASS, _IRREDUNDANT = 100, 30
_ROWS, _OF_ROW = 200, 3
# Numbers that are worked with at once, 8 bytes each: of more rows, some are chosen by.
_MOST_CELLS = 1 << 24
# Most terms where it is left open.
_AUTO_TERMS = 5


@validate_params(
    {"n_terms": [StrOptions({"auto"}), POSITIVE]}, prefer_skip_nested_validation=True
)
def to_dnf(
    estimator, class_=None, n_terms="auto", *, X=None, y=None, sample_weight=None
):
    """Return a short DNF that stands in for the classifier, one class against all.

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
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    if class_ is None and len(decoder.classes) > 2:
        raise ValueError(
            "class_=None stands for the second of two classes; choose one of "
            f"{decoder.classes}."
        )
    k = 1 if class_ is None else decoder.class_indices(class_)[0]
    if rows is None:
        rows = LabelledRows.from_updates(decoder.model)
    return _short_dnf(decoder, k, n_terms, rows, X, labelled=y is not None)


def _short_dnf(decoder, k, n_terms, rows, X, *, labelled):
    """Return the DNF of at most so many terms that agrees best with a model.

    Parameters
    ----------
    decoder : TermDecoder
    k : int
        Class that it stands for.
    n_terms : int or 'auto'
        'auto' is 5; with an integer, a warning tells why there are fewer terms.
    rows : LabelledRows
        To agree on.
    X : {array-like, dataframe} of shape (n_samples, n_features) or None
        The same rows, as the estimator takes them; None if they are updates.
    labelled : bool
        Whether the classes of the rows are known.

    Returns
    -------
    dnf : DNF
    """
    model, classes = decoder.model, decoder.classes
    weights = rows.weights.sum(axis=1)
    log_sums, _ = model.estimate_log_sums(rows.codes)
    # What covering a row adds to the expected accuracy, by the model's probabilities.
    gains = 2.0 * softmax(model.scale * log_sums, axis=1)[:, k] - 1.0
    candidates = _candidates(model, k, rows.codes[gains > 0])
    covers = coverage_matrix(candidates, model.with_literals(rows.codes))
    sizes = np.array([len(term.literals) for term in candidates], dtype=np.int64)
    n_rows = min(len(gains), _MOST_CELLS // max(1, len(candidates)))
    some = _evenly(len(gains), n_rows)
    most = _AUTO_TERMS if n_terms == "auto" else n_terms
    chosen = greedy_maximum_coverage(
        covers=covers[:, some],
        gains=(weights * gains)[some],
        sizes=sizes,
        n_terms=most,
    )
    if not chosen or (n_terms != "auto" and len(chosen) < most):
        _warn_of_few(len(chosen), most, classes[k], any_row=(gains > 0).any())
    dnf = DNF(
        terms=[decoder.term(candidates[i].literals) for i in chosen],
        class_=classes[k],
        otherwise=classes[1 - k] if len(classes) == 2 else None,
        features=decoder.table_features,
        transformed_by=decoder.transformed_by,
    )
    predicted = (log_sums - model.log_threshold).argmax(axis=1) == k
    if X is None:
        holds = covers[chosen].any(axis=0)
        return replace(dnf, scores={"fidelity": _mean(holds == predicted, weights)})
    # By the formula alone: values that training did not have may differ from the model.
    holds = dnf.holds(decoder.table(X), transformed=True)
    predicted, weights = predicted[rows.places], rows.sample_weights
    scores = {"fidelity": _mean(holds == predicted, weights)}
    if labelled:
        of_class = rows.labels == k
        scores["accuracy"] = _mean(holds == of_class, weights)
        scores["accuracy_of_model"] = _mean(predicted == of_class, weights)
    return replace(dnf, scores=scores)


def _mean(is_right, weights):
    """Return the weighted share of rows that are right."""
    return float(np.average(is_right, weights=weights))


def _warn_of_few(n_found, n_terms, class_, any_row):
    """Warn of why a DNF has fewer terms than it may have."""
    if not any_row:
        reason = (
            "the model gives the class a probability above 0.5 on none of the rows, so "
            "that no term gains by covering one. For a rare class, pass X with more of "
            "its rows, or look at `terms`"
        )
    elif n_found:
        reason = "no other term brings it closer to the model on these rows"
    else:
        reason = (
            "each term covers more rows of other classes than of this one, weighted by "
            "how sure the model is"
        )
    warn(
        f"The DNF of class {shown(class_)} has {n_found} of at most {n_terms} terms: "
        f"{reason}.",
        UserWarning,
        stacklevel=stacklevel_of_caller(),
    )


def _candidates(model, k, to_cover):
    """Return the terms of class k to choose from, heaviest first."""
    found = set(heavy_terms(model, k, _OF_CLASS))
    found.update(heavy_terms(model, k, _IRREDUNDANT, irredundant=True))
    for i in _evenly(len(to_cover), min(_ROWS, len(to_cover))):
        found.update(heavy_terms(model, k, _OF_ROW, row=to_cover[i]))
    return sorted(found, key=lambda t: (-t.log_weight, len(t.literals), t.literals))


def _evenly(n, n_some):
    """Return some of n places, spread evenly."""
    return np.linspace(0, n - 1, n_some).astype(int)
