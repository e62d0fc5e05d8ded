"""Lazy names: packages (PEP 562) and classes that import functions on first use."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module
from types import MethodType


def lazy_names(package, modules):
    """Return `__getattr__` and `__dir__` for a package.

    This saves import time: code that imports one module of the package, as the
    classifier does, does not load the others.

    Parameters
    ----------
    package : str
        Name of the package.
    modules : dict of str to str
        The module that defines each name.

    Returns
    -------
    getter, lister : callable
    """

    def getter(name):
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return getter, lambda: [*modules]


class LazyMethod:
    """A function of a package as a method, imported on first use.

    The instance is the first argument of the function.

    Parameters
    ----------
    package : str
    name : str
    """

    def __init__(self, package, name):
        self._package, self._name = package, name

    def __get__(self, instance, owner=None):
        function = getattr(import_module(self._package), self._name)
        return function if instance is None else MethodType(function, instance)
