"""Ineffective parameters: parameters that do not affect predictions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect
from functools import cache

from sklearn_dnfwinnow._utils._warning import warn
from sklearn_dnfwinnow._winnow._settings import EFFECTIVE_WITH, PAPER


def ineffective_parameters(estimator):
    """Return parameters that were set without effect, by the reason.

    Parameters at their default, or at their value in `paper_settings`, are not
    included.

    Returns
    -------
    names_by_reason : dict of str to list of str
        A reason is text such as "multi_class='joint'".
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
    return names_by_reason


def warn_of_ineffective_parameters(estimator):
    """Warn once of all parameters that were set without effect."""
    names_by_reason = ineffective_parameters(estimator)
    if names_by_reason:
        reasons = [
            f"{', '.join(names)} with {reason}"
            for reason, names in names_by_reason.items()
        ]
        warn(
            f"Some parameters have no effect on predictions: {'; '.join(reasons)}.",
        )


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
