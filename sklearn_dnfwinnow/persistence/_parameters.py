"""The parameters of an estimator, as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np

from sklearn_dnfwinnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    is_number,
    is_storable,
    storable,
)
from sklearn_dnfwinnow._winnow._candidate import check_candidates
from sklearn_dnfwinnow._winnow._model import FORMER_PARAMETERS
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS
from sklearn_dnfwinnow.persistence import _sampler
from sklearn_dnfwinnow.persistence._conditions import (
    forbidden_from_list,
    forbidden_to_list,
    initial_terms_from_list,
    initial_terms_to_list,
    monotonic_cst_from_list,
    monotonic_cst_to_list,
)
from sklearn_dnfwinnow.persistence._dnf_classifier import (
    formulas_from_plain,
    formulas_to_plain,
)

# Not saved, because the number of threads depends on the machine.
_MACHINE = ("n_jobs",)
_PLAIN_CONDITIONS = {
    "monotonic_cst": monotonic_cst_to_list,
    "forbidden": forbidden_to_list,
    "initial_terms": initial_terms_to_list,
}
_CONDITIONS = {
    "monotonic_cst": monotonic_cst_from_list,
    "forbidden": forbidden_from_list,
    "initial_terms": initial_terms_from_list,
}


def plain_parameters(estimator):
    """Check and return the parameters of an estimator by name, as plain values.

    Raises
    ------
    TypeError
        If a parameter has no plain form.
    ValueError
        If a parameter is invalid.
    """
    parameters = _plain_values(estimator)
    # Parameters can have been set to anything since `fit`.
    with_parameters(type(estimator), parameters)
    return parameters


def with_parameters(kind, state):
    """Return an estimator with the saved parameters, after checks.

    Parameters
    ----------
    kind : type
    state : object
        Data that were read and not yet checked.

    Raises
    ------
    ValueError
        If the state does not have the form of `plain_parameters`.
    """
    names = [name for name in kind().get_params(deep=False) if name not in _MACHINE]
    parameters = _sampler.without_former(state)
    if kind is DNFWinnowClassifier and type(parameters) is dict:
        parameters = {**FORMER_PARAMETERS, **parameters}
    check_keys(parameters, names, f"parameters of {kind.__name__}")
    cv = parameters.get("cv")
    check(cv is None or type(cv) in (int, str), "cv without splits", cv)
    pairs = parameters.get("class_weight")
    if type(pairs) is list:
        parameters = {**parameters, "class_weight": _class_weight(pairs)}
    if "sampler" in parameters:
        sampler = _sampler.sampler_of_state(parameters["sampler"])
        parameters = {**parameters, "sampler": sampler}
    if type(parameters.get("discretizer")) is dict:
        discretizer = with_parameters(
            ClassEntropyDiscretizer, parameters["discretizer"]
        )
        parameters = {**parameters, "discretizer": discretizer}
    columns = parameters.get("columns")
    if type(columns) is list:
        right = all(map(is_storable, columns))
        check(right, "columns by name, position or mask", columns)
    for name, read in _CONDITIONS.items():
        if type(parameters.get(name)) is list:
            parameters = {**parameters, name: read(parameters[name])}
    if type(parameters.get("candidates")) is list:
        candidates = [_candidate(given) for given in parameters["candidates"]]
        parameters = {**parameters, "candidates": candidates}
    if "dnf" in parameters:
        parameters = {**parameters, "dnf": formulas_from_plain(parameters["dnf"])}
        otherwise = parameters["otherwise"]
        check(otherwise is None or is_storable(otherwise), "a class or null", otherwise)
    estimator = kind(**parameters)
    estimator._validate_params()
    if "candidates" in parameters:
        check_candidates(estimator.candidates, CONSTRAINTS)
    try:
        _plain_values(estimator)
    except TypeError as error:
        raise ValueError(f"Expected parameters that can be saved. {error}") from error
    return estimator


def _plain_values(estimator):
    """Return the parameters of an estimator by name, as plain values."""
    return {
        name: _plain(name, value)
        for name, value in estimator.get_params(deep=False).items()
        if name not in _MACHINE
    }


def _plain(name, value):
    """Return a parameter; a dict as pairs, because JSON keys are always strings."""
    where = f"Parameter {name} is"
    if name == "random_state" and not isinstance(value, Integral):
        return None
    if name == "cv" and not isinstance(value, Integral | str | None):
        return "auto"  # of splits, which only `fit` uses
    if name == "sampler":
        return _sampler.get_state(value)
    if type(value) is ClassEntropyDiscretizer:
        return plain_parameters(value)
    if name == "candidates" and not isinstance(value, str):
        check_candidates(value, CONSTRAINTS)
        return [{k: _plain(k, v) for k, v in candidate.items()} for candidate in value]
    if value is None:
        return None
    if name == "dnf":
        return formulas_to_plain(value)
    if name in _PLAIN_CONDITIONS:
        return _PLAIN_CONDITIONS[name](value)
    if isinstance(value, dict):
        return [[storable(k, where), storable(v, where)] for k, v in value.items()]
    if isinstance(value, (list, tuple)) or hasattr(value, "__array__"):
        if not isinstance(value, np.generic):
            return [storable(v, where) for v in np.asarray(value, dtype=object).ravel()]
    return storable(value, where)


def _candidate(given):
    """Return a saved candidate, after checks of its discretizer."""
    if type(given) is not dict or type(given.get("discretizer")) is not dict:
        return given
    discretizer = with_parameters(ClassEntropyDiscretizer, given["discretizer"])
    return {**given, "discretizer": discretizer}


def _class_weight(pairs):
    """Check saved pairs, and return their dict."""
    for pair in pairs:
        right = type(pair) is list and len(pair) == 2 and is_number(pair[1])
        right = right and type(pair[0]) in (str, int, float, bool)
        check(right, "class_weight of classes and numbers", pair)
    return dict(map(tuple, pairs))
