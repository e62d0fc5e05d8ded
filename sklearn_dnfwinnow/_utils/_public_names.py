"""Public names: imported on first use (PEP 562), and errors for former names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import wraps
from importlib import import_module

# Present names of parameters, and of fitted attributes, by their former names.
_PARAMETERS = {
    "max_updates": "max_stored_examples",
    "monotone": "monotonic_cst",
    "n_folds": "cv",
    "term_prior": "literal_weight",
}
_ATTRIBUTES = {
    "exponents_": "net_promotion_counts_",
    "n_mistakes_": "n_updates_",
    "term_prior_": "literal_weight_",
    "updates_": "stored_examples_",
}


# -- on first use ----------------------------------------------------------------------


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


# -- former names ----------------------------------------------------------------------


def _message(owner, former, present):
    return f"{owner} has no {former!r}: its name is {present!r} now."


class FormerNamesMixin:
    """Mixin of an estimator that refuses the former names of its parameters."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = _refusing(cls.__init__)

    def __getattr__(self, name):
        present = _ATTRIBUTES.get(name, _PARAMETERS.get(name))
        if name in _ATTRIBUTES or (present and hasattr(self, present)):
            raise AttributeError(_message(type(self).__name__, name, present))
        return object.__getattribute__(self, name)

    def set_params(self, **params):
        """Set parameters, as in scikit-learn."""
        for name in _PARAMETERS.keys() & params.keys():
            if hasattr(self, _PARAMETERS[name]):
                owner = type(self).__name__
                raise ValueError(_message(owner, name, _PARAMETERS[name]))
        return super().set_params(**params)


def _refusing(init):
    """Return a constructor that raises a TypeError for former names."""

    @wraps(init)
    def refusing(self, *args, **kwargs):
        for name in _PARAMETERS.keys() & kwargs.keys():
            message = _message(type(self).__name__, name, _PARAMETERS[name])
            raise TypeError(message)
        init(self, *args, **kwargs)

    return refusing
