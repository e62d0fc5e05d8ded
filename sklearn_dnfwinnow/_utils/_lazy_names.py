"""Lazy names: a package that imports its names when they are asked for (PEP 562)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module


def lazy_names(package, modules):
    """Return `__getattr__` and `__dir__` for a package.

    For import time alone: who imports one module of the package, as the classifier
    does, need not wait for the others.

    Parameters
    ----------
    package : str
        Its name.
    modules : dict of str to str
        The module in the package that has each name.

    Returns
    -------
    getter, lister : callable
    """

    def getter(name):
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return getter, lambda: [*modules]
