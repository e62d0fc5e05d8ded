"""Fitted attribute: a public attribute of an estimator that is a part of its model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from operator import attrgetter


class FittedAttribute:
    """A part of the model of a fitted estimator, which exists after `fit` only.

    Parameters
    ----------
    path : str
        Name of the part, such as ``'stored.denominator'``.
    """

    def __init__(self, path):
        self._part = attrgetter(path)
        # The docstring of the estimator describes the attribute.
        self.__doc__ = None

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, estimator, owner=None):
        if estimator is None:
            return self
        if "_model" not in vars(estimator):
            raise AttributeError(
                f"{type(estimator).__name__!r} object has no attribute {self._name!r}",
                name=self._name,
                obj=estimator,
            )
        return self._part(estimator._model)

    def __set__(self, estimator, value):
        raise AttributeError(f"{self._name} is a part of the model and cannot be set.")
