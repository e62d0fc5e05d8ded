"""InspectionMixin: the functions of `inspection` as methods of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module
from types import MethodType


class LazyMethod:
    """A function of this package as a method, imported on first use.

    The instance is the first argument of the function.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name):
        self._name = name

    def __get__(self, instance, owner=None):
        function = getattr(import_module(__package__), self._name)
        return function if instance is None else MethodType(function, instance)


class InspectionMixin:
    """Mixin with the functions of `inspection`, for classifiers with a TermModel."""

    terms = LazyMethod("terms")
    explain = LazyMethod("explain")
    counterfactuals = LazyMethod("counterfactuals")
    to_dnf = LazyMethod("to_dnf")
    to_rules = LazyMethod("to_rules")


class InteractionInspectionMixin:
    """Mixin with the functions of `inspection` for an InteractionModel."""

    terms = LazyMethod("interactions")
    explain = LazyMethod("explain_interactions")
