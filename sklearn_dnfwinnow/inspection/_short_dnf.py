"""Short DNF: a few terms of a class that stand in for the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from warnings import warn

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._dnf import DNF
from sklearn_dnfwinnow.inspection._greedy_cover import select
from sklearn_dnfwinnow.inspection._rule_measures import heavy_terms, satisfied_by

# Candidates: the heaviest terms of the class, with and without redundant ones; and of
# so many of the rows to be covered, so that each has some.
_OF_CLASS, _IRREDUNDANT = 100, 30
_ROWS, _OF_ROW = 200, 3
# Numbers that are worked with at once, 8 bytes each: of more rows, some are chosen by.
_MOST_CELLS = 1 << 24
# Most terms where it is left open.
_AUTO_TERMS = 5


def short_dnf(vocabulary, k, n_terms, rows, X=None, *, labelled=False):
    """The DNF of at most so many terms that agrees best with a model.

    Parameters
    ----------
    vocabulary : Vocabulary
    k : int
        Class that it stands for.
    n_terms : int or 'auto'
        'auto' is 5; an integer is asked for, so that a warning explains fewer terms.
    rows : LabelledRows
        To agree on.
    X : {array-like, dataframe} of shape (n_samples, n_features), default=None
        The same rows, as the estimator takes them; None if there are no such rows.
    labelled : bool
        Whether the classes of the rows are known.

    Returns
    -------
    dnf : DNF
    """
    model, classes = vocabulary.model, vocabulary.classes
    weights = rows.weights.sum(axis=1)
    log_sums = model.best_estimates(rows.codes)[0]
    # What covering a row adds to the expected accuracy, by the model's probabilities.
    gains = 2.0 * softmax(model.scale * log_sums, axis=1)[:, k] - 1.0
    candidates = _candidates(model, k, rows.codes[gains > 0])
    satisfied = satisfied_by(candidates, model.with_literals(rows.codes))
    sizes = np.array([len(term.literals) for term in candidates], dtype=np.int64)
    n_rows = min(len(gains), _MOST_CELLS // max(1, len(candidates)))
    some = _evenly(len(gains), n_rows)
    most = _AUTO_TERMS if n_terms == "auto" else n_terms
    chosen = select(satisfied[:, some], (weights * gains)[some], sizes, most)
    if not chosen or (n_terms != "auto" and len(chosen) < most):
        _warn_of_few(len(chosen), most, classes[k], any_row=(gains > 0).any())
    dnf = DNF(
        terms=[vocabulary.term(candidates[i].literals) for i in chosen],
        class_=classes[k],
        otherwise=classes[1 - k] if len(classes) == 2 else None,
        features=vocabulary.table_features,
        transformed_by=vocabulary.transformed_by,
    )
    predicted = log_sums.argmax(axis=1) == k
    if X is None:
        holds = satisfied[chosen].any(axis=0)
        return replace(dnf, scores={"fidelity": _mean(holds == predicted, weights)})
    # As the formula decides for whoever has nothing but the formula.
    holds = dnf.holds(vocabulary.table(X), transformed=True)
    predicted, weights = predicted[rows.places], rows.sample_weights
    scores = {"fidelity": _mean(holds == predicted, weights)}
    if labelled:
        of_class = rows.labels == k
        scores["accuracy"] = _mean(holds == of_class, weights)
        scores["accuracy_of_model"] = _mean(predicted == of_class, weights)
    return replace(dnf, scores=scores)


def _mean(is_right, weights):
    return float(np.average(is_right, weights=weights))


def _warn_of_few(n_found, n_terms, class_, any_row):
    """Say why a DNF has fewer terms than it may have."""
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
    """Terms of class k to choose from, heaviest first."""
    found = set(heavy_terms(model, k, _OF_CLASS))
    found.update(heavy_terms(model, k, _IRREDUNDANT, irredundant=True))
    for i in _evenly(len(to_cover), min(_ROWS, len(to_cover))):
        found.update(heavy_terms(model, k, _OF_ROW, row=to_cover[i]))
    return sorted(found, key=lambda t: (-t.log_weight, len(t.literals), t.literals))


def _evenly(n, n_some):
    """Some of n places, spread evenly."""
    return np.linspace(0, n - 1, n_some).astype(int)
