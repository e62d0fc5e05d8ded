"""Helpers without a relation to Winnow: parallel calls, plots, scikit-learn.

A module belongs here if it would be equally useful in another package of estimators.
This package can import NumPy, joblib and scikit-learn, whose private names are imported
in `_estimators` only. Matplotlib and pandas are imported only inside functions. It can
import no other part of this project, and no kernel.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module


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
