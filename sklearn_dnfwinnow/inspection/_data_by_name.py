"""Data by name: a clear error if X and y take the places of the class and a number."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import wraps


def data_by_name(function):
    """Return a function of an estimator that refuses data without their names.

    The error of Python, or of the parameter that the data are taken for, would not say
    what to write instead.
    """

    @wraps(function)
    def checked(*args, **kwargs):
        if any(getattr(value, "shape", ()) for value in args[1:]):
            name = function.__name__
            raise TypeError(
                f"{name} takes X and y by name: write model.{name}(1, X=X, y=y), where "
                "1 is the class."
            )
        return function(*args, **kwargs)

    return checked
