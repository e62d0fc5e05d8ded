"""Persistence: fitted estimators as JSON, which holds no code, and back.

A pickle can run anything when it is read. What is written here are numbers and strings;
reading checks all of them, and raises ValueError where something is not as it should
be. The estimator that comes back predicts the same, to the last bit, and goes on
learning the same.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from numbers import Integral

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
    _classifier_form,
    _discretizer_form,
)
from sklearn_dnfwinnow._plain import check, check_keys, is_number, plain

__all__ = ["from_json", "to_json"]

# Of what `to_json` writes; another form gets another number.
_SCHEMA = 1
_FORMS = {
    "ClassEntropyDiscretizer": (ClassEntropyDiscretizer, _discretizer_form),
    "DNFWinnowClassifier": (DNFWinnowClassifier, _classifier_form),
}
_KEYS = "type", "parameters", "feature_names", "fitted"


def to_json(estimator):
    """A fitted estimator as JSON text.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, ClassEntropyDiscretizer, or Pipeline of these
        Fitted. A `random_state` that is no integer is written as None; the seed of the
        model is kept.

    Returns
    -------
    text : str
        Some bytes for each code of an update, and for each exponent.

    Raises
    ------
    NotFittedError
        If it is not fitted.
    TypeError
        If it is another estimator, or a class, a value of a column, or a parameter is
        no string, number or boolean.

    See Also
    --------
    from_json : The way back.
    sklearn_dnfwinnow.inspection.to_dnf : A short formula, for elsewhere.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.persistence import from_json, to_json
    >>> X = [["sunny", "warm"], ["sunny", "cold"], ["rainy", "warm"], ["rainy", "cold"]]
    >>> y = ["out", "in", "in", "in"]
    >>> text = to_json(DNFWinnowClassifier(random_state=0).fit(X, y))
    >>> from_json(text).predict([["sunny", "warm"], ["rainy", None]])
    array(['out', 'in'], dtype='<U3')
    """
    said = {"schema": _SCHEMA, "estimator": _said(estimator)}
    return json.dumps(said, allow_nan=False)


def from_json(text):
    """The estimator that `to_json` wrote down.

    Nothing in the text is executed, whoever wrote it.

    Parameters
    ----------
    text : str

    Returns
    -------
    estimator : DNFWinnowClassifier, ClassEntropyDiscretizer, or Pipeline of these
        Fitted.

    Raises
    ------
    ValueError
        If the text is no JSON, or not of the form that `to_json` writes.
    """
    try:
        said = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("Expected an estimator; got too deep a nesting.") from None
    check_keys(said, ("schema", "estimator"), "an estimator")
    check(said["schema"] == _SCHEMA, f"schema {_SCHEMA}", said["schema"])
    return _estimator(said["estimator"])


def _refuse_constant(name):
    raise ValueError(f"Expected finite numbers; got {name}.")


def _said(estimator):
    if isinstance(estimator, Pipeline):
        check_is_fitted(estimator)
        steps = [[name, _said(step)] for name, step in estimator.steps]
        return {"type": "Pipeline", "steps": steps}
    name = type(estimator).__name__
    kind, form = _FORMS.get(name, (None, None))
    if type(estimator) is not kind:
        raise TypeError(
            f"estimator must be one of {', '.join(_FORMS)}, or a Pipeline of these; "
            f"got {name}."
        )
    check_is_fitted(estimator)
    parameters = estimator.get_params(deep=False)
    names = getattr(estimator, "feature_names_in_", None)
    return {
        "type": name,
        "parameters": {key: _plain(key, value) for key, value in parameters.items()},
        "feature_names": None if names is None else names.tolist(),
        "fitted": form.form_of(estimator),
    }


def _plain(name, value):
    """A parameter; a dict as pairs, since JSON has strings as keys only."""
    where = f"Parameter {name} is"
    if name == "random_state" and not isinstance(value, Integral):
        return None
    if value is None:
        return None
    if isinstance(value, dict):
        return [[plain(k, where), plain(v, where)] for k, v in value.items()]
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v, where) for v in np.asarray(value, dtype=object).ravel()]
    return plain(value, where)


def _estimator(said):
    check(type(said) is dict and "type" in said, "an estimator with a type", said)
    if said["type"] == "Pipeline":
        return _pipeline(said)
    check_keys(said, _KEYS, "an estimator")
    check(said["type"] in [*_FORMS], f"a type among {[*_FORMS]}", said["type"])
    kind, form = _FORMS[said["type"]]
    estimator = kind(**_parameters(kind, said["parameters"]))
    estimator._validate_params()
    form.fill(estimator, said["fitted"])
    names = said["feature_names"]
    if names is not None:
        right = type(names) is list and all(type(name) is str for name in names)
        right = right and len(names) == estimator.n_features_in_
        check(right, f"{estimator.n_features_in_} names of columns", names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
    return estimator


def _pipeline(said):
    check_keys(said, ("type", "steps"), "a Pipeline")
    steps = said["steps"]
    check(type(steps) is list and steps, "a list of steps", steps)
    for step in steps:
        right = type(step) is list and len(step) == 2 and type(step[0]) is str
        check(right, "steps of a name and an estimator", step)
        check(type(step[1]) is dict, "steps that are estimators", step)
        check(step[1].get("type") != "Pipeline", "steps of one estimator", step[0])
    pipeline = Pipeline([(name, _estimator(step)) for name, step in steps])
    for name, step in pipeline.steps[:-1]:
        check(hasattr(step, "transform"), "a classifier as the last step", name)
    return pipeline


def _parameters(kind, said):
    names = kind().get_params(deep=False)
    check_keys(said, names, f"parameters of {kind.__name__}")
    pairs = said.get("class_weight")
    if type(pairs) is not list:
        return said
    for pair in pairs:
        right = type(pair) is list and len(pair) == 2 and is_number(pair[1])
        right = right and type(pair[0]) in (str, int, float, bool)
        check(right, "class_weight of classes and numbers", pair)
    return {**said, "class_weight": dict(map(tuple, pairs))}
