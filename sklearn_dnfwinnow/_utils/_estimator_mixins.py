"""Mixins and attributes of the estimators, and the version of the package.

The version is defined only here: ``pyproject.toml`` reads it from this file.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from operator import attrgetter

from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

__version__ = "0.1.0"

URL = "https://sklearn-dnfwinnow.readthedocs.io/en/latest"

_KEY = "_sklearn_dnfwinnow_version"


class PackageMixin:
    """Mixin of all estimators: documentation, common tags, and version of pickles.

    The "?" in the HTML representation of an estimator is a link to its documentation.
    There is a warning if it was pickled by another version of this package;
    scikit-learn does the same, but only for its own estimators.
    """

    _doc_link_module = "sklearn_dnfwinnow"
    _doc_link_template = (
        f"{URL}/api/generated/{{estimator_module}}.{{estimator_name}}.html"
    )

    def __getstate__(self):
        return {**super().__getstate__(), _KEY: __version__}

    def __setstate__(self, state):
        state = dict(state)
        written_by = state.pop(_KEY, "unknown")
        if written_by != __version__:
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=f"{__version__} of sklearn_dnfwinnow",
                    original_sklearn_version=f"{written_by} of sklearn_dnfwinnow",
                ),
                stacklevel=2,
            )
        super().__setstate__(state)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


class FittedAttribute:
    """A part of the model of a fitted estimator, which exists after `fit` only.

    Parameters
    ----------
    path : str
        Name of the part, such as ``'stored.denominator'``.
    average : str, default=None
        Name of the part if the model is an average of several; None if averages have no
        such part.
    """

    def __init__(self, path, average=None):
        self._part = attrgetter(path)
        self._of_average = average and attrgetter(average)
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
        model = estimator._model
        if len(getattr(model, "models", (model,))) == 1:
            return self._part(model)
        if self._of_average is None:
            raise AttributeError(
                f"{self._name!r} is a fitted attribute of each of the "
                f"{len(model.models)} classifiers in `estimators_`, whose log-odds are "
                "averaged. Set n_estimators=1 for a single model.",
                name=self._name,
                obj=estimator,
            )
        return self._of_average(model)

    def __set__(self, estimator, value):
        raise AttributeError(f"{self._name} is a part of the model and cannot be set.")


class TableModelMixin:
    """Mixin of classifiers whose fitted state is a `TableModel`.

    Such a classifier has `classes_` and `n_features_in_`, and `feature_names_in_` if
    it was fitted to named columns.
    """

    def _table_model(self):
        """Return the TableModel of the fitted classifier."""
        raise NotImplementedError

    def _model_and_rows(self, X):
        """Return the TableModel, distinct rows of codes, and the row of each sample."""
        check_is_fitted(self)
        model = self._table_model()
        rows, _, inverse = distinct_rows(model.encoding.encode_table(X, self))
        return model, rows, inverse

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


class TermModelMixin(TableModelMixin):
    """Mixin of classifiers whose fitted state is a `TermModel`."""


class InteractionModelMixin(TableModelMixin):
    """Mixin of classifiers whose fitted state is an `InteractionModel`."""
