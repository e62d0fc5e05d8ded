"""Conditions on terms as plain values: parameters, and the fitted state."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping

import numpy as np

from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integer,
    integers,
    number,
    storable,
)
from sklearn_dnfwinnow._winnow._conditions._column_conditions import (
    ColumnConditions,
    WeightedTerm,
)
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term

_KEYS = "directions", "features", "pairs", "literals", "initial_terms", "names"
# The smallest float above 0.
_SMALLEST_WEIGHT = 5e-324


# -- parameters ------------------------------------------------------------------------


def monotonic_cst_to_list(monotonic_cst):
    """Return the parameter `monotonic_cst`: a list of signs, or of pairs for a dict.

    None if it is empty, which is equivalent.
    """
    if isinstance(monotonic_cst, Mapping):
        pairs = [[_plain(c), _signs_to_list(sign)] for c, sign in monotonic_cst.items()]
        return pairs or None
    return [_signs_to_list(sign) for sign in np.asarray(monotonic_cst, dtype=object)]


def _signs_to_list(sign):
    if isinstance(sign, Mapping):
        return [[_plain(class_), _plain(one)] for class_, one in sign.items()]
    return _plain(sign)


def monotonic_cst_from_list(state):
    """Check and return the parameter from the result of `monotonic_cst_to_list`."""
    if any(
        type(entry) is list and entry[:1] and type(entry[0]) is not list
        for entry in state
    ):
        return {column: _signs_from_list(sign) for column, sign in _pairs(state)}
    return list(map(_signs_from_list, state))


def _signs_from_list(state):
    return dict(_pairs(state)) if type(state) is list else state


def forbidden_to_list(forbidden):
    """Return the parameter `forbidden`: literals as dicts, and pairs as lists."""
    return [
        entry.to_dict()
        if isinstance(entry, Literal)
        else list(map(_plain, entry))
        if isinstance(entry, tuple | list | set | frozenset)
        else _plain(entry)
        for entry in forbidden
    ]


def forbidden_from_list(state):
    """Check and return the parameter from the result of `forbidden_to_list`."""
    return [
        Literal.from_dict(entry)
        if type(entry) is dict
        else tuple(entry)
        if type(entry) is list
        else entry
        for entry in state
    ]


def initial_terms_to_list(initial_terms):
    """Return the parameter `initial_terms`: terms as text or dicts."""
    return [
        [
            term.to_dict() if isinstance(term, Term) else _plain(term),
            _plain(class_),
            _plain(weight),
        ]
        for term, class_, weight in initial_terms
    ]


def initial_terms_from_list(state):
    """Check and return the parameter from the result of `initial_terms_to_list`."""
    for entry in state:
        right = type(entry) is list and len(entry) == 3
        check(right, "initial terms of a term, a class and a weight", entry)
    return [
        (Term.from_dict(term) if type(term) is dict else term, class_, weight)
        for term, class_, weight in state
    ]


def _plain(value):
    return storable(value, "A condition on terms has")


def _pairs(state):
    for pair in state:
        check(type(pair) is list and len(pair) == 2, "pairs", pair)
        check(type(pair[0]) in (str, int, float, bool), "columns or classes", pair[0])
    return state


# -- a fitted model --------------------------------------------------------------------


def conditions_to_dict(conditions):
    """Return the conditions of a model as a dict; None if there are none."""
    if not conditions:
        return None
    return {
        "directions": [[j, list(signs)] for j, signs in conditions.directions],
        "features": list(conditions.features),
        "pairs": list(map(list, conditions.pairs)),
        "literals": [literal.to_dict() for literal in conditions.literals],
        "initial_terms": [
            [given.term.to_dict(), given.k, given.weight]
            for given in conditions.initial_terms
        ],
        "names": list(conditions.names),
    }


def conditions_from_dict(state, n_features, n_classes):
    """Check and return the conditions from the result of `conditions_to_dict`.

    Raises
    ------
    ValueError
        If they do not have that form, or refer to unknown columns or classes.
    """
    if state is None:
        return ColumnConditions()
    check_keys(state, _KEYS, "conditions on terms")
    for name, entries in state.items():
        check(type(entries) is list, f"a list of {name}", entries)
    for entry in (*state["directions"], *state["pairs"]):
        check(type(entry) is list and len(entry) == 2, "pairs of a column", entry)
    for entry in state["initial_terms"]:
        right = type(entry) is list and len(entry) == 3
        check(right, "initial terms of a term, a class and a weight", entry)
    check(all(type(name) is str for name in state["names"]), "names", state["names"])
    right = len(state["names"]) in (0, n_features)
    check(right, f"names of {n_features} columns", state["names"])
    found = ColumnConditions(
        directions=tuple(
            (j, tuple(integers(signs, "signs", -1, 1, n_classes).tolist()))
            for j, signs in state["directions"]
        ),
        features=tuple(state["features"]),
        pairs=tuple(map(tuple, state["pairs"])),
        literals=tuple(map(Literal.from_dict, state["literals"])),
        initial_terms=tuple(
            WeightedTerm(
                Term.from_dict(term),
                integer(k, "a class", 0, n_classes - 1),
                number(weight, "weights", low=_SMALLEST_WEIGHT),
            )
            for term, k, weight in state["initial_terms"]
        ),
        names=tuple(state["names"]),
    )
    of_terms = [one for given in found.initial_terms for one in given.term.literals]
    columns = [
        *(j for j, _ in found.directions),
        *found.features,
        *(j for pair in found.pairs for j in pair),
        *(literal.column for literal in [*found.literals, *of_terms]),
    ]
    for j in columns:
        integer(j, "the position of a column", 0, n_features - 1)
    pairs = set(map(frozenset, found.pairs))
    right = len(pairs) == len(found.pairs) and all(len(pair) == 2 for pair in pairs)
    check(right, "distinct pairs of different columns", state["pairs"])
    return found
