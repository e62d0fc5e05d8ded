"""Mutations of JSON, and what is read from them in use."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import numpy as np
from sklearn.pipeline import Pipeline

from sklearn_dnfwinnow.persistence import to_json


def mutated(said, rng):
    """A copy in which something is of another kind, elsewhere, or away."""
    said = json.loads(json.dumps(said))
    node, place = {"root": said}, "root"
    while isinstance(node[place], (dict, list)) and node[place] and rng.random() < 0.9:
        node = node[place]
        place = rng.choice([*node] if isinstance(node, dict) else range(len(node)))
    old = node[place]
    others = [None, True, -1, 0, 1, 2**31, 2**63, 1e300, 0.5, "x", [], {}, [old], [[]]]
    if isinstance(old, int) and not isinstance(old, bool):
        others += [old + 1, -old, old * 2**40, 2**57, -(2**59), 2**60]
    if isinstance(old, list):
        others += [old[1:], old + old, old[::-1]]
    node[place] = rng.choice(others)
    return said


def used(estimator, X):
    """Scores before and after a batch more; None for what is refused.

    Parameters
    ----------
    estimator : classifier, or Pipeline that ends with one
        As it was read.
    X : array-like of shape (n_samples, n_features)

    Returns
    -------
    scores : list of ndarrays
    """
    all_scores = []
    try:
        all_scores.append(estimator.decision_function(X))
        classifier = estimator
        if isinstance(estimator, Pipeline):
            *before, (_, classifier) = estimator.steps
            for _, step in before:
                X = X if step == "passthrough" else step.transform(X)
        y = np.resize(classifier.classes_, len(X))
        weights = np.resize([1.0, 0.37, 3.0], len(X))
        classifier.partial_fit(X, y, sample_weight=weights)
        all_scores.append(classifier.decision_function(X))
        to_json(classifier)
    except ValueError:  # of another number of columns, or sums that take too much
        pass
    return all_scores
