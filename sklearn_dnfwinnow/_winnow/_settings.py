"""Settings: constraints of parameters, values of 'auto', values of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect
from dataclasses import dataclass, fields
from functools import cache
from math import log
from numbers import Integral, Real

from sklearn.frozen import FrozenEstimator

from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._utils._compat import (
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn_dnfwinnow._utils._warning import warn
from sklearn_dnfwinnow.samplers._registry import SAMPLERS, sampler_of
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.sums._log_weighted_sum import SUM_CONSTRAINTS

#: Constraints of the parameters of `DNFWinnowClassifier`.
CONSTRAINTS = {
    **SUM_CONSTRAINTS,
    "max_term_size": [
        StrOptions({"auto"}),
        Interval(Integral, 1, None, closed="left"),
        None,
    ],
    "multi_class": [StrOptions({"joint", "ovr"})],
    "margin": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
    "scale": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
    "alpha": [StrOptions({"auto"}), *SUM_CONSTRAINTS["alpha"]],
    "threshold": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
    "literal_weight": [StrOptions({"auto"}), *SUM_CONSTRAINTS["literal_weight"]],
    "literals": [StrOptions({"auto", "equal", "ordered", "intervals"})],
    "screening": [
        StrOptions({"auto"}),
        Interval(Real, 0, None, closed="neither"),
        None,
    ],
    "discretizer": [
        StrOptions({"auto"}),
        ClassEntropyDiscretizer,
        FrozenEstimator,
        None,
    ],
    "monotonic_cst": ["array-like", dict, None],
    "n_estimators": [
        StrOptions({"auto"}),
        Interval(Integral, 1, None, closed="left"),
    ],
    "cv": [StrOptions({"auto"}), "cv_object"],
    "average": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "max_iter": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
    "max_stored_examples": [Interval(Integral, 1, None, closed="left"), None],
    "missing": [StrOptions({"unspecified", "category", "most_frequent"})],
    "n_jobs": [Integral, None],
    "verbose": ["verbose"],
}
#: Parameters that have no effect unless another parameter, one of those given, has one
#: of certain values. Parameters of a sampler are named as in
#: `set_params`, and are considered only if the sampler is an object with these
#: parameters. Effects that depend on the data are not included.
EFFECTIVE_WITH = {
    "sampler__swap_probability": {"sampler__tempering": (True,)},
    # Joint training computes all sums in full. Tempering depends on the groups of
    # chains, which depend on `early_stop`.
    "sampler__early_stop": {"multi_class": ("ovr",), "sampler__tempering": (True,)},
    # All scores have the same threshold, so it does not decide between classes.
    "threshold": {"multi_class": ("ovr",)},
}
#: Parameters of the algorithm of the paper.
PAPER = {
    "multi_class": "ovr",
    "margin": 0.0,
    "alpha": 1.5,
    "threshold": "auto",
    "literal_weight": 1.0,
    "literals": "equal",
    "screening": None,
    "discretizer": None,
    "monotonic_cst": None,
    "max_term_size": None,
    "max_iter": 20,
    "cv": None,
    "average": False,
    "class_weight": None,
    "max_stored_examples": None,
    "missing": "unspecified",
}


def paper_settings(sampler=None):
    """Return the parameters of the paper, see `DNFWinnowClassifier.paper_settings`."""
    if sampler is None:
        return dict(PAPER)
    if sampler not in SAMPLERS:
        names = ", ".join(map(repr, SAMPLERS))
        raise ValueError(f"sampler must be one of {names}, or None; got {sampler!r}.")
    return {**PAPER, "sampler": SAMPLERS[sampler].paper()}


def warn_of_ineffective_parameters(estimator):
    """Warn once of all parameters that were set without effect.

    Parameters at their default, or at their value in `paper_settings`, are not
    included.
    """
    names_by_reason = {}
    for name, needed in EFFECTIVE_WITH.items():
        value, usual = _value_and_usual(estimator, name)
        if value in usual:
            continue
        others = {other: _value_and_usual(estimator, other)[0] for other in needed}
        if all(others[other] not in values for other, values in needed.items()):
            reason = " and ".join(f"{other}={others[other]!r}" for other in others)
            names_by_reason.setdefault(reason, []).append(name)
    if names_by_reason:
        reasons = [
            f"{', '.join(names)} with {reason}"
            for reason, names in names_by_reason.items()
        ]
        warn(f"Some parameters have no effect on predictions: {'; '.join(reasons)}.")


def _value_and_usual(estimator, name):
    """Return the value of a parameter, and its default and value in the paper.

    If the sampler is a name, the value is None, which is usual.
    """
    owner, _, own_name = name.rpartition("__")
    if owner:
        estimator = getattr(estimator, owner)
        if not hasattr(estimator, own_name):
            return None, [None]
    usual = [PAPER[own_name]] if own_name in PAPER else []
    return getattr(estimator, own_name), [*usual, *_defaults(type(estimator), own_name)]


@cache
def _defaults(kind, name):
    """Return the defaults of a parameter of a class, and of its base classes."""
    every = [
        inspect.signature(base).parameters.get(name)
        for base in kind.__mro__
        if "__init__" in vars(base)
    ]
    return [parameter.default for parameter in every if parameter is not None]


def validate_call(estimator):
    """Validate the parameters of an estimator that a call other than `fit` reads."""
    names = [*(field.name for field in fields(Settings)), "margin", "scale"]
    validate_parameter_constraints(
        {name: CONSTRAINTS[name] for name in names},
        {name: getattr(estimator, name) for name in names},
        caller_name=type(estimator).__name__,
    )


@dataclass(frozen=True)
class Settings:
    """The parameters of training and sums in one call, as they are at its start.

    A change of one of them does not change what was learned.

    Parameters
    ----------
    sampler : Sampler
        The given object, or the object of the given name.
    multi_class, threshold, average, max_stored_examples, n_jobs
        See :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    """

    sampler: Sampler
    multi_class: str
    threshold: float | str
    average: bool
    max_stored_examples: int | None
    n_jobs: int | None

    @classmethod
    def of(cls, estimator):
        """Return the settings of an estimator with validated parameters."""
        values = {field.name: getattr(estimator, field.name) for field in fields(cls)}
        return cls(**{**values, "sampler": sampler_of(estimator.sampler)})

    def log_threshold(self, n_values, candidate):
        """Log theta, for the given numbers of values."""
        if self.threshold == "auto":
            return log_initial_weight(
                n_values, candidate.log_beta, candidate.max_term_size
            )
        return log(self.threshold)
