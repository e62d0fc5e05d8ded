"""Estimators as dicts: type, parameters and fitted state.

Each kind of estimator has a module with `get_state` and `set_state` for its fitted
state; those that contain other estimators are in `persistence._composites`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayesian_interaction_classifier import (
    BayesianInteractionClassifier,
)
from sklearn_dnfwinnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._json_values import check, check_keys
from sklearn_dnfwinnow.persistence import (
    _bayesian_interaction_classifier,
    _classifier,
    _composites,
    _discretizer,
    _dnf_classifier,
    _identity,
    _output_config,
)
from sklearn_dnfwinnow.persistence._parameters import plain_parameters, with_parameters
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

# Class of each estimator with its own state, and the module for this state.
_FORMS = {
    "BayesianInteractionClassifier": (
        BayesianInteractionClassifier,
        _bayesian_interaction_classifier,
    ),
    "ClassEntropyDiscretizer": (ClassEntropyDiscretizer, _discretizer),
    "DNFClassifier": (DNFClassifier, _dnf_classifier),
    "DNFWinnowClassifier": (DNFWinnowClassifier, _classifier),
    "FunctionTransformer": (FunctionTransformer, _identity),
}
# Class of each composite estimator, and its functions to a dict and back.
_COMPOSITES = {
    "Pipeline": (
        Pipeline,
        _composites.pipeline_to_dict,
        _composites.pipeline_from_dict,
    ),
    "ColumnTransformer": (
        ColumnTransformer,
        _composites.column_transformer_to_dict,
        _composites.column_transformer_from_dict,
    ),
}
_KEYS = "type", "parameters", "output", "feature_names", "fitted"
# Maximum nesting of estimators. scikit-learn asks a Pipeline for its tags twice per
# level, which takes 2^n calls for n levels.
_MOST_LEVELS = 8


def to_dict(estimator, level=0):
    """Return a fitted estimator as a dict of plain values.

    Parameters
    ----------
    estimator : object
        For a search, its best estimator is saved; for a FrozenEstimator, its inner
        estimator.
    level : int
        Number of estimators that contain this one.

    Returns
    -------
    state : dict

    Raises
    ------
    TypeError
        If the estimator, or something inside, has no plain form.
    ValueError
        If a parameter is invalid, or estimators are nested too deeply.
    NotFittedError
        If the estimator is not fitted.
    """
    _check_level(level)
    if hasattr(estimator, "refit"):  # a search
        check_is_fitted(estimator, "best_estimator_")
        return to_dict(estimator.best_estimator_, level)
    if isinstance(estimator, FrozenEstimator):
        return to_dict(estimator.estimator, level)
    name = type(estimator).__name__
    kinds = {**_FORMS, **_COMPOSITES}
    if type(estimator) is not kinds.get(name, (None,))[0]:
        raise TypeError(
            f"estimator must be one of {', '.join(kinds)}, a search for one of these, "
            f"or a FrozenEstimator of one; got {name}."
        )
    check_is_fitted(estimator)
    if name in _COMPOSITES:
        _, parts_to_dict, _ = _COMPOSITES[name]
        state = parts_to_dict(estimator, lambda part: to_dict(part, level + 1))
        return {"type": name, **state}
    _, form = _FORMS[name]
    names = getattr(estimator, "feature_names_in_", None)
    return {
        "type": name,
        "parameters": plain_parameters(estimator),
        "output": _output_config.get_state(estimator),
        "feature_names": None if names is None else names.tolist(),
        "fitted": form.get_state(estimator),
    }


def from_dict(state, check_cost, level=0):
    """Return the estimator from the result of `to_dict`.

    Parameters
    ----------
    state : object
        Data that were read and not yet checked.
    check_cost : callable
        Raises ValueError for a DNFWinnowClassifier that can be too expensive.
    level : int
        Number of estimators that contain this one.

    Returns
    -------
    estimator : object

    Raises
    ------
    ValueError
        If the data do not have that form.
    """
    _check_level(level)
    check(type(state) is dict and "type" in state, "an estimator with a type", state)
    name = state["type"]
    known = [*_FORMS, *_COMPOSITES]
    check(type(name) is str and name in known, f"a type among {known}", name)
    if name in _COMPOSITES:
        _, _, parts_from_dict = _COMPOSITES[name]
        state = {key: value for key, value in state.items() if key != "type"}
        return parts_from_dict(
            state, lambda part: from_dict(part, check_cost, level + 1)
        )
    check_keys(state, _KEYS, "an estimator")
    kind, form = _FORMS[name]
    estimator = with_parameters(kind, state["parameters"])
    form.set_state(estimator, state["fitted"])
    _output_config.set_state(estimator, state["output"])
    names = state["feature_names"]
    if names is not None:
        right = type(names) is list and all(type(name) is str for name in names)
        right = right and len(names) == estimator.n_features_in_
        check(right, f"{estimator.n_features_in_} names of columns", names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
        if getattr(estimator, "discretizer_", None) is not None:
            estimator.discretizer_.feature_names_in_ = np.array(names, dtype=object)
    if kind is DNFWinnowClassifier:
        check_cost(estimator)
    return estimator


def _check_level(level):
    """Raise an error if estimators are nested too deeply."""
    if level > _MOST_LEVELS:
        raise ValueError(f"Expected estimators nested up to {_MOST_LEVELS} deep.")
