"""Short DNF: a few terms of a class that approximate the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from warnings import warn

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import POSITIVE, StrOptions, validate_params
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._greedy_cover import greedy_maximum_coverage
from sklearn_dnfwinnow.inspection._heavy_terms import heavy_terms
from sklearn_dnfwinnow.inspection._rule_measures import (
    LabelledRows,
    coverage_matrix,
    read_rows,
)
from sklearn_dnfwinnow.rules._dnf import DNF

# Numbers of candidates: top-weighted terms of the class, with and without redundant
# ones; and those of some of the rows to cover, so that each row has some.
_OF_CLASS, _IRREDUNDANT = 100, 30
_ROWS, _OF_ROW = 200, 3
# Maximum number of values that are processed at once, 8 bytes each. If there are more
# rows, only some of them are used to select terms.
_MOST_CELLS = 1 << 24
# Maximum number of terms for n_terms='auto'.
_AUTO_TERMS = 5


@validate_params({"n_terms": [StrOptions({"auto"}), POSITIVE]})
def to_dnf(
    estimator,
    class_of_interest=None,
    n_terms="auto",
    *,
    X=None,
    y=None,
    sample_weight=None,
):
    """Return a short DNF that approximates the classifier for one class.

    The candidates are the top-weighted terms of the class, and those of its samples.
    The result is the disjunction of a few candidates that agrees best with the
    predictions of the model. They are selected greedily, and then exchanged as long as
    the agreement improves.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_of_interest : object, default=None
        The class that is predicted for samples that satisfy the DNF. None is the second
        of two classes.

    n_terms : int or 'auto', default='auto'
        Maximum number of terms; 'auto' is 5. The DNF has fewer terms if no other term
        improves the agreement with the model.

    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        Samples on which the DNF should agree with the model, as `estimator` takes them.
        Use the training samples. None uses the stored examples of the model, which are
        the training samples that triggered updates.

    y : array-like of shape (n_samples,), default=None
        Classes of the samples, for the accuracy. They do not influence the selection.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    Returns
    -------
    dnf : DNF
        The formula, with `scores`. 'fidelity' is the fraction of the samples on which
        the DNF agrees with the predictions of the model; the DNF is evaluated by
        `DNF.holds` if X is given. If y is given, 'accuracy' and 'accuracy_of_model' are
        the fractions of the samples for which the DNF and the model correctly predict
        whether they belong to the class.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class does not exist, or is not given for more than two classes; if X
        does not fit the estimator, or y is given without X.

    Warns
    -----
    UserWarning
        If the DNF has no terms, with what to try, or fewer than an integer `n_terms`.

    Notes
    -----
    The terms refer to the data that `estimator` takes if the transformers in front of
    the classifier can be inverted, see :ref:`reading_pipelines`. Otherwise they refer
    to the output of the last transformer that cannot be inverted. `DNF.transformed_by`
    then contains its name, and `DNF.holds` and exports raise an error unless
    ``transformed=True``. The same applies if the inverse gives other values for X than
    the transformers.

    The weight of a sample in the selection is its sample weight times the confidence of
    the model, \\|2 p - 1\\|, where p is the probability of the class. The selection
    therefore maximizes the expected accuracy if the probabilities of the model are
    calibrated, not the number of matched predictions. A threshold that was tuned, such
    as that of a TunedThresholdClassifierCV, is not used: rules are those of the
    classifier inside. For rare classes, see :ref:`rare_classes`.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_dnf
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> dnf = to_dnf(clf, X=X, y=y)
    >>> print(dnf)
    a1 = 3 & a2 = 3 or
    a1 = 1 & a2 = 1 or
    a1 = 2 & a2 = 2 or
    a5 = 1
    >>> dnf.scores
    {'fidelity': 1.0, 'accuracy': 1.0, 'accuracy_of_model': 1.0}
    """
    if X is None and y is not None:
        raise ValueError("y requires X; got y with X=None.")
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    if class_of_interest is None and len(decoder.classes) > 2:
        raise ValueError(
            "class_of_interest must be given for a model with more than two classes; "
            f"choose one of {decoder.classes}."
        )
    k = 1 if class_of_interest is None else decoder.class_indices(class_of_interest)[0]
    if rows is None:
        rows = LabelledRows.from_examples(decoder.model)
    return _short_dnf(decoder, k, n_terms, rows, X, labelled=y is not None)


def _short_dnf(decoder, k, n_terms, rows, X, *, labelled):
    """Return the DNF of at most `n_terms` terms that agrees best with a model.

    Parameters
    ----------
    decoder : TermDecoder
    k : int
        Class of the DNF.
    n_terms : int or 'auto'
        'auto' is 5. With an integer, a warning gives the reason for fewer terms.
    rows : LabelledRows
        Samples on which the DNF should agree with the model.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features) or None
        The same samples, as the estimator takes them; None for stored examples.
    labelled : bool
        Whether the classes of the samples are known.

    Returns
    -------
    dnf : DNF
    """
    model, classes = decoder.model, decoder.classes
    weights = rows.weights.sum(axis=1)
    scores = model.estimate_log_sums(rows.codes)[0] - model.log_thresholds
    # Change of the expected accuracy by covering a row, by the model's probabilities.
    gains = 2.0 * softmax(model.scale * scores, axis=1)[:, k] - 1.0
    candidates = _candidates(model, k, rows.codes[gains > 0])
    covers = coverage_matrix(candidates, model.encoding.with_literals(rows.codes))
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
    predicted = scores.argmax(axis=1) == k
    if X is None:
        holds = covers[chosen].any(axis=0)
        return replace(dnf, scores={"fidelity": _mean(holds == predicted, weights)})
    # Only the formula is evaluated: for values that do not occur in the training data,
    # it can differ from the model.
    holds = dnf.holds(decoder.table(X), transformed=True)
    predicted, weights = predicted[rows.places], rows.sample_weights
    scores = {"fidelity": _mean(holds == predicted, weights)}
    if labelled:
        of_class = rows.labels == k
        scores["accuracy"] = _mean(holds == of_class, weights)
        scores["accuracy_of_model"] = _mean(predicted == of_class, weights)
    return replace(dnf, scores=scores)


def _mean(is_right, weights):
    """Return the weighted fraction of rows with a correct prediction."""
    return float(np.average(is_right, weights=weights))


def _warn_of_few(n_found, n_terms, class_, any_row):
    """Warn that a DNF has fewer terms than requested: the reason, and what to try."""
    name = shown(class_)
    if n_found:
        text = (
            f"The DNF of class {name} has {n_found} terms instead of {n_terms}: no "
            "other term improves the agreement with the model on these samples."
        )
    else:
        reason = "is right more often than wrong"
        if not any_row:
            reason = "was found: it has no sample with a probability above 0.5"
        text = (
            f"No rule for {name} {reason}. Try class_weight='balanced', cuts with "
            "ClassEntropyDiscretizer(selection='mdl'), or X with more samples of the "
            "class; or list terms(..., X=X, y=y) by precision. See the user guide, "
            "'Rare classes'."
        )
    warn(text, UserWarning, stacklevel=stacklevel_of_caller())


def _candidates(model, k, to_cover):
    """Return the candidate terms of class k in descending order of weight."""
    found = set(heavy_terms(model, k, _OF_CLASS))
    found.update(heavy_terms(model, k, _IRREDUNDANT, non_redundant=True))
    for i in _evenly(len(to_cover), min(_ROWS, len(to_cover))):
        found.update(heavy_terms(model, k, _OF_ROW, row=to_cover[i]))
    return sorted(found, key=lambda t: (-t.log_weight, len(t.literals), t.literals))


def _evenly(n, n_some):
    """Return evenly spaced positions among n."""
    return np.linspace(0, n - 1, n_some).astype(int)
