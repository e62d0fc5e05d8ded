"""Estimators as dicts: type, parameters and fitted state.

Each kind of estimator has a module with `get_state` and `set_state` for its fitted
state. A Pipeline of them is in `persistence._pipeline`. Other estimators have no form.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.pipeline import Pipeline
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
    _discretizer,
    _dnf_classifier,
    _output_config,
)
from sklearn_dnfwinnow.persistence._parameters import plain_parameters, with_parameters
from sklearn_dnfwinnow.persistence._pipeline import pipeline_from_dict, pipeline_to_dict
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
}
_KEYS = "type", "parameters", "output", "feature_names", "fitted"
# Maximum nesting of estimators. scikit-learn asks a Pipeline for its tags twice per
# level, which takes 2^n calls for n levels.
_MOST_LEVELS = 8


def to_dict(estimator, step=None, level=0):
    """Return a fitted estimator as a dict of plain values.

    Parameters
    ----------
    estimator : object
    step : str or None
        Name of the estimator in its pipeline, for messages.
    level : int
        Number of pipelines that contain this estimator.

    Returns
    -------
    state : dict

    Raises
    ------
    TypeError
        If the estimator, or something inside, has no plain form.
    ValueError
        If a parameter is invalid, or pipelines are nested too deeply.
    NotFittedError
        If the estimator is not fitted.
    """
    _check_level(level)
    name = type(estimator).__name__
    if type(estimator) is Pipeline:
        check_is_fitted(estimator)
        state = pipeline_to_dict(
            estimator, lambda part, step: to_dict(part, step, level + 1)
        )
        return {"type": "Pipeline", **state}
    if type(estimator) is not _FORMS.get(name, (None,))[0]:
        raise TypeError(_no_form(name, step))
    check_is_fitted(estimator)
    _, form = _FORMS[name]
    names = getattr(estimator, "feature_names_in_", None)
    return {
        "type": name,
        "parameters": plain_parameters(estimator),
        "output": _output_config.get_state(estimator),
        "feature_names": None if names is None else names.tolist(),
        "fitted": form.get_state(estimator),
    }


def from_dict(state, budget, step=None, level=0):
    """Return the estimator from the result of `to_dict`.

    Parameters
    ----------
    state : object
        Data that were read and not yet checked.
    budget : Budget
    step : str or None
        Name of the estimator in its pipeline, for messages.
    level : int
        Number of pipelines that contain this estimator.

    Returns
    -------
    estimator : object

    Raises
    ------
    ValueError
        If the data do not have that form, or exceed the budget.
    """
    _check_level(level)
    check(type(state) is dict and "type" in state, "an estimator with a type", state)
    name = state["type"]
    if name == "Pipeline":
        state = {key: value for key, value in state.items() if key != "type"}
        return pipeline_from_dict(
            state, lambda part, step: from_dict(part, budget, step, level + 1)
        )
    check(type(name) is str, "a type by name", name)
    if name not in _FORMS:
        raise ValueError(_no_form(name, step))
    check_keys(state, _KEYS, "an estimator")
    kind, form = _FORMS[name]
    estimator = with_parameters(kind, state["parameters"])
    form.set_state(estimator, state["fitted"], budget)
    _output_config.set_state(estimator, state["output"])
    names = state["feature_names"]
    if names is not None:
        right = type(names) is list and all(type(name) is str for name in names)
        right = right and len(names) == estimator.n_features_in_
        check(right, f"{estimator.n_features_in_} names of columns", names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
        if getattr(estimator, "discretizer_", None) is not None:
            estimator.discretizer_.feature_names_in_ = np.array(names, dtype=object)
    return estimator


def _no_form(name, step):
    """Return the message for an estimator of another kind."""
    where = "The estimator" if step is None else f"Step {step!r} of the pipeline"
    return (
        f"{where} is a {name:.50}. JSON is for {', '.join(_FORMS)}, and for a "
        "Pipeline of these only. Save the fitted classifier alone, or save the whole "
        "estimator with skops or joblib."
    )


def _check_level(level):
    """Raise an error if pipelines are nested too deeply."""
    if level > _MOST_LEVELS:
        raise ValueError(f"Expected estimators nested up to {_MOST_LEVELS} deep.")
