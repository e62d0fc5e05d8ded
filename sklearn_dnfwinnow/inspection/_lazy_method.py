"""LazyMethod: a function of `inspection` as a method of a classifier."""

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
