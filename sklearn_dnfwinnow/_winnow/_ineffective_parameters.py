"""Ineffective parameters: those that change no prediction under the others."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect
import warnings
from collections import defaultdict

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._winnow._settings import EFFECTIVE_WITH, PAPER


def ineffective_parameters(estimator):
    """Parameters that were set without effect, by the parameters that make them so.

    Those at their default are not among them, nor those of `paper_settings`, which suit
    any sampler.

    Returns
    -------
    names_by_reason : dict of str to list of str
        A reason is such as "sampler='auto'".
    """
    usual = _usual(type(estimator))
    names_by_reason = {}
    for name, alternatives in EFFECTIVE_WITH.items():
        value = getattr(estimator, name)
        if value in usual[name]:
            continue
        failed = [_first_failed(estimator, needed) for needed in alternatives]
        if all(failed):
            reason = " and ".join(dict.fromkeys(failed))
            names_by_reason.setdefault(reason, []).append(name)
    return names_by_reason


def warn_of_ineffective_parameters(estimator):
    """Warn once of all parameters that were set without effect."""
    names_by_reason = ineffective_parameters(estimator)
    if names_by_reason:
        reasons = [
            f"{', '.join(names)} with {reason}"
            for reason, names in names_by_reason.items()
        ]
        warnings.warn(
            f"Parameters without effect on predictions: {'; '.join(reasons)}.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )


def _usual(cls):
    """Values of each parameter that are not named: of the paper, and all defaults."""
    usual = defaultdict(list, {name: [value] for name, value in PAPER.items()})
    for base in cls.__mro__:
        if "__init__" in vars(base):
            for parameter in inspect.signature(base).parameters.values():
                usual[parameter.name].append(parameter.default)
    return usual


def _first_failed(estimator, needed):
    """The first parameter, with its value, that is not as needed; None if all are."""
    for name, values in needed.items():
        value = getattr(estimator, name)
        if value not in values:
            return f"{name}={value!r}"
    return None
