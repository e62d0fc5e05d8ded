"""Short DNF: a few terms of a class that stand in for the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._dnf import DNF
from sklearn_dnfwinnow._heavy_terms import heavy_terms, satisfied_by
from sklearn_dnfwinnow._selection import select

# Candidates: the heaviest terms of the class, with and without redundant ones; and of
# so many of the rows to be covered, so that each has some.
_OF_CLASS, _IRREDUNDANT = 100, 30
_ROWS, _OF_ROW = 200, 3
# Numbers that are worked with at once, 8 bytes each: of more rows, some are chosen by.
_MOST_CELLS = 1 << 24


def short_dnf(vocabulary, k, n_terms, rows, labelled):
    """The DNF of at most so many terms that agrees best with a model.

    Parameters
    ----------
    vocabulary : Vocabulary
    k : int
        Class that it stands for.
    n_terms : int
    rows : LabelledRows
        To agree on.
    labelled : bool
        Whether their classes are known.

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
    chosen = select(satisfied[:, some], (weights * gains)[some], sizes, n_terms)
    holds = satisfied[chosen].any(axis=0)

    predicted = log_sums.argmax(axis=1) == k
    scores = {"fidelity": np.average(holds == predicted, weights=weights)}
    if labelled:
        of_class = rows.weights[:, k]
        for name, answers in (("accuracy", holds), ("accuracy_of_model", predicted)):
            right = np.where(answers, of_class, weights - of_class)
            scores[name] = right.sum() / weights.sum()
    return DNF(
        [vocabulary.term(candidates[i].literals) for i in chosen],
        classes[k],
        classes[1 - k] if len(classes) == 2 else None,
        vocabulary.table_features,
        {name: float(score) for name, score in scores.items()},
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
