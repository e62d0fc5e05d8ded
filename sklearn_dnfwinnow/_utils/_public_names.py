"""Public names: imported on first use (PEP 562), and errors for former names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache, wraps
from importlib import import_module
from inspect import getattr_static, isfunction, signature

# Present names of parameters, and of fitted attributes, by their former names.
_PARAMETERS = {
    "class_": "class_of_interest",
    "exponents": "net_promotion_counts",
    "irredundant": "non_redundant",
    "max_updates": "max_stored_examples",
    "monotone": "monotonic_cst",
    "n_attributes": "n_features",
    "n_folds": "cv",
    "term_prior": "literal_weight",
}
_ATTRIBUTES = {
    "exponents_": "net_promotion_counts_",
    "n_mistakes_": "n_updates_",
    "term_prior_": "literal_weight_",
    "updates_": "stored_examples_",
}


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


def refuse_former_names(owner):
    """Make a function, or the methods of a class, refuse former parameters."""
    if isfunction(owner):
        return _refusing(owner)
    for name in dir(owner) if isinstance(owner, type) else ():
        member = getattr_static(owner, name)
        function = getattr(member, "__func__", member)
        refusing = _refusing(function) if isfunction(function) else function
        if refusing is not function:
            is_method_of_class = isinstance(member, classmethod)
            setattr(
                owner, name, classmethod(refusing) if is_method_of_class else refusing
            )
    return owner


def _refusing(function):
    """Return a function that raises a TypeError for former names of its parameters."""
    known = signature(function).parameters
    former = {old: new for old, new in _PARAMETERS.items() if new in known}
    if not former:
        return function

    @wraps(function)
    def refusing(*args, **kwargs):
        for name in former.keys() & kwargs.keys():
            raise TypeError(_message(f"{function.__qualname__}()", name, former[name]))
        return function(*args, **kwargs)

    return refusing


def _message(owner, former, present):
    return f"{owner} has no {former!r}: its name is {present!r} now."


class FormerNamesMixin:
    """Mixin of an estimator that refuses former names, of fitted attributes, too."""

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
