"""Lazy names: a package that imports its names on first use (PEP 562)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache
from importlib import import_module

from sklearn_dnfwinnow._utils._former_names import refuse_former_names


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

    @cache
    def getter(name):
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{modules[name]}")
        # Once, and for all importers: pickle looks for functions in their modules.
        setattr(module, name, refuse_former_names(getattr(module, name)))
        return getattr(module, name)

    return getter, lambda: [*modules]
