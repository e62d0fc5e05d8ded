"""The schema of estimators: type, parameters and fitted state; pipelines of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayes._classifier import (
    BayesianInteractionClassifier,
)
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._compat import own_output_config
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._winnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow.persistence._bayesian_model import bayesian_classifier
from sklearn_dnfwinnow.persistence._discretizer import discretizer
from sklearn_dnfwinnow.persistence._dnf_classifier import dnf_classifier
from sklearn_dnfwinnow.persistence._parameters import Parameters
from sklearn_dnfwinnow.persistence._schema import (
    NOTHING,
    TEXT,
    Items,
    Kind,
    ListOf,
    OneOf,
    Record,
    Tagged,
    choice,
    optional,
)
from sklearn_dnfwinnow.persistence._winnow_classifier import winnow_classifier
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

# From each class to a function from an estimator to the schema of its fitted state.
_FITTED = {
    BayesianInteractionClassifier: bayesian_classifier,
    ClassEntropyDiscretizer: discretizer,
    DNFClassifier: dnf_classifier,
    DNFWinnowClassifier: winnow_classifier,
}
_HINT = (
    "A Pipeline may contain only these. Save the fitted classifier alone, or save the "
    "whole estimator with skops or joblib."
)
# A step of a Pipeline that passes its input through.
_PASS = "passthrough"
_OUTPUTS = "default", "pandas", "polars"
# Maximum nesting of estimators. scikit-learn asks a Pipeline for its tags twice per
# level, which takes 2^n calls for n levels.
_MOST_LEVELS = 8


class Estimators(Tagged):
    """A fitted estimator of this package, or a Pipeline of them.

    Parameters
    ----------
    level : int
        Number of pipelines that contain the estimator.
    """

    def __init__(self, level=0):
        super().__init__("type", self._records, _HINT)
        self._level = level

    def _records(self):
        if self._level > _MOST_LEVELS:
            raise ValueError(f"Expected estimators nested up to {_MOST_LEVELS} deep.")
        steps = _Steps(OneOf(choice(_PASS), Estimators(self._level + 1)))
        return {
            **{cls: _estimator(cls, fitted) for cls, fitted in _FITTED.items()},
            Pipeline: Record({"steps": steps}, _pipeline),
        }


class _Steps(Kind):
    """The steps of a Pipeline, with their names in messages."""

    def __init__(self, kind):
        self._kind = kind

    def write(self, value, where):
        return [
            [
                name,
                self._kind.write(_PASS if step is None else step, f"{where}[{name!r}]"),
            ]
            for name, step in value
        ]

    def read(self, state, where, budget):
        steps = ListOf(Items(TEXT, Kind())).read(state, where, budget)
        names = [name for name, _ in steps]
        right = len(set(names)) == len(names) and not any("__" in n for n in names)
        right = right and not {*names} & {*Pipeline([]).get_params(deep=False)}
        check(right and names, f"{where} of distinct names, without '__'", names)
        return [
            (name, self._kind.read(step, f"{where}[{name!r}]", budget))
            for name, step in steps
        ]


def _pipeline(steps):
    """Return the Pipeline of some steps."""
    for name, step in steps[:-1]:
        right = isinstance(step, str) or hasattr(step, "transform")
        check(right, "a classifier as the last step", name)
    return Pipeline(steps)


def _name_columns(model, names):
    """Give the discretizers of a model, and of those in an average, the names."""
    own = names[model.encoding.positions]
    # The average itself, and each of its models.
    for one in [model, *getattr(model, "models", ())]:
        one.encoding.discretizer.feature_names_in_ = own


def _estimator(cls, fitted):
    """Return the schema of the estimators of a class."""
    output = optional(choice(*_OUTPUTS)) if hasattr(cls, "set_output") else NOTHING

    def parts(estimator):
        check_is_fitted(estimator)
        names = getattr(estimator, "feature_names_in_", None)
        return {
            "parameters": estimator,
            "fitted": estimator,
            "output": own_output_config(estimator),
            "feature_names": names,
        }

    def check_fields(found, _):
        names, n_features = found.feature_names, found.fitted.n_features_in_
        right = names is None or len(names) == n_features
        check(right, f"{n_features} names of columns", names)

    def make(fitted, output, feature_names, **_):
        if output is not None:
            fitted.set_output(transform=output)
        if feature_names is not None:
            names = np.array(feature_names, dtype=object)
            fitted.feature_names_in_ = names
            # The discretizers of a classifier have the names of its columns.
            if getattr(fitted, "discretizer_", None) is not None:
                _name_columns(fitted._table_model(), names)
        return fitted

    fields = {
        "parameters": Parameters(cls),
        "output": output,
        "feature_names": optional(ListOf(TEXT)),
        "fitted": lambda found: fitted(found.parameters),
    }
    return Record(fields, make, parts=parts, check=check_fields)
