"""DNFClassifier as plain values: its formulas and its counts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from math import prod

from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integer,
    is_storable,
    labels,
    numbers,
    plain_labels,
    plain_numbers,
    storable,
)
from sklearn_dnfwinnow.rules._dnf import DNF

_KEYS = "classes", "n_features", "dnfs", "class_counts", "otherwise"
# Counts are summed as float64, with the smoothing.
_LARGEST_COUNT = 1e300
_MOST_FEATURES, _BYTES_A_NAME = 2**31 - 1, 100


# -- the parameter `dnf` ---------------------------------------------------------------


def formulas_to_plain(given):
    """Return `dnf`: text unchanged, a DNF as a dict, a dict of classes as pairs.

    Raises
    ------
    TypeError
        If a formula or a class has no plain form.
    """
    if not isinstance(given, dict):
        return _formula_to_plain(given)
    where = "Parameter dnf has the class"
    return [[storable(c, where), _formula_to_plain(one)] for c, one in given.items()]


def formulas_from_plain(state):
    """Check and return `dnf` from the result of `formulas_to_plain`."""
    if type(state) is not list:
        return state if state is None else _formula_from_plain(state)
    for pair in state:
        right = type(pair) is list and len(pair) == 2 and is_storable(pair[0])
        check(right, "pairs of a class and a formula", pair)
    return {class_: _formula_from_plain(one) for class_, one in state}


def _formula_to_plain(given):
    if isinstance(given, DNF):
        return json.loads(given.to_json())
    return storable(given, "Parameter dnf has the formula")


def _formula_from_plain(state):
    check(type(state) in (str, dict), "a formula or its text", state)
    return state if type(state) is str else DNF._from_dict(state)


# -- a fitted classifier ---------------------------------------------------------------


def get_state(classifier):
    """Return the fitted state of a classifier as plain values."""
    return {
        "classes": plain_labels(classifier.classes_, "There is a class"),
        "n_features": int(classifier.n_features_in_),
        "dnfs": [json.loads(dnf.to_json()) for dnf in classifier.dnfs_],
        "class_counts": plain_numbers(classifier.class_counts_),
        "otherwise": classifier.classes_.tolist().index(classifier.otherwise_),
    }


def set_state(classifier, state, budget):
    """Set the fitted state of a classifier from the result of `get_state`.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    check_keys(state, _KEYS, "a fitted DNFClassifier")
    classes = labels(state["classes"], "classes", budget)
    n_features = integer(state["n_features"], "a number of features", 1, _MOST_FEATURES)
    # Messages and formulas name each column.
    budget.take("the names of columns", _BYTES_A_NAME * n_features)
    otherwise = integer(state["otherwise"], "a class", 0, len(classes) - 1)
    check(type(state["dnfs"]) is list, "a list of formulas", state["dnfs"])
    dnfs = [DNF._from_dict(dnf) for dnf in state["dnfs"]]
    for dnf in dnfs:
        n_names = len(dnf.features)
        check(n_names == n_features, f"a formula of {n_features} columns", n_names)
        check(dnf.class_ in classes.tolist(), f"a class of {classes}", dnf.class_)
    shape = len(dnfs) + 1, len(classes)
    counts = numbers(
        state["class_counts"],
        "counts of classes",
        low=0,
        high=_LARGEST_COUNT,
        length=prod(shape),
    )
    classifier.classes_ = classes
    classifier.n_features_in_ = n_features
    classifier.dnfs_ = dnfs
    classifier.class_counts_ = counts.reshape(shape)
    classifier.otherwise_ = classes.tolist()[otherwise]
