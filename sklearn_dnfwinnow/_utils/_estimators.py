"""Estimators: mixins and attributes, private names of scikit-learn, and the version.

The version is defined only here: ``pyproject.toml`` reads it from this file.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import warnings
from contextlib import contextmanager
from numbers import Integral
from operator import attrgetter

import numpy as np
from sklearn.base import _fit_context as fit_context
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils._param_validation import validate_params as _validate_params
from sklearn.utils._set_output import _get_output_config as get_output_config
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping
from sklearn.utils.multiclass import (
    _check_partial_fit_first_call as check_partial_fit_first_call,
)
from sklearn.utils.validation import _check_feature_names_in as feature_names_of
from sklearn.utils.validation import _check_sample_weight, check_is_fitted
from sklearn.utils.validation import _get_feature_names as get_feature_names
from sklearn.utils.validation import _num_samples as num_samples

from sklearn_dnfwinnow._utils._computing import distinct_rows

__version__ = "0.2.0"

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


class LogProbaMixin:
    """Mixin of classifiers with `predict_proba`."""

    def predict_log_proba(self, X):
        """Predict the logarithms of class probabilities.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples, as `predict_proba` takes them.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
            Natural logarithms of `predict_proba`, in the order of `classes_`; minus
            infinity for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


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
        model = vars(estimator).get("_model")
        if model is None:
            text = (
                f"{type(estimator).__name__!r} object has no attribute {self._name!r}"
            )
        elif len(getattr(model, "models", (model,))) == 1:
            return self._part(model)
        elif self._of_average is not None:
            return self._of_average(model)
        else:
            text = (
                f"{self._name!r} is a fitted attribute of each of the "
                f"{len(model.models)} classifiers in `estimators_`, whose log-odds are "
                "averaged. Set n_estimators=1 for a single model."
            )
        raise AttributeError(text, name=self._name, obj=estimator)

    def __set__(self, estimator, value):
        raise AttributeError(f"{self._name} is a part of the model and cannot be set.")


class TableModelMixin:
    """Mixin of classifiers whose fitted state is a model over codes of a table.

    The model has an `encoding`, from the cells of the table to codes with literals. The
    classifier has `classes_` and `n_features_in_`, and `feature_names_in_` if
    it was fitted to named columns.
    """

    def _table_model(self):
        """Return the model of the fitted classifier."""
        return self._model

    def _model_and_rows(self, X):
        """Return the model, distinct rows of codes, and the place of each row."""
        check_is_fitted(self)
        model = self._table_model()
        rows, _, inverse = distinct_rows(model.encoding.encode_table(X, self))
        return model, rows, inverse

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


class TermModelMixin(TableModelMixin):
    """Mixin of classifiers whose fitted state is a TermModel.

    A TermModel gives each term a weight in each class, or several of them: a `Model`,
    or an `Average` of them. The score of a class is the logarithm of its weighted sum
    W, the sum of the weights of all terms that a row satisfies, minus the
    `log_thresholds` of the class. An average of several models has the weighted mean of
    their log-odds, so its W is a product of powers of theirs.
    """


class InteractionModelMixin(TableModelMixin):
    """Mixin of classifiers whose fitted state is an InteractionModel.

    An InteractionModel has draws of the effect of each group of terms, as a
    `BayesianModel` has. The effects of one draw add up to the scores of the classes.
    With two classes, the effect on the second class is the effect on its log-odds, and
    the effect on the first is its negative. With more classes, the effects on all
    classes sum to 0.
    """


# ruff: noqa: F401


# Constraints of a number of things, and of what else can be "auto".
POSITIVE = Interval(Integral, 1, None, closed="left")
OR_AUTO = StrOptions({"auto"})


def validate_params(constraints):
    """Return a decorator that validates the parameters of a function."""
    return _validate_params(constraints, prefer_skip_nested_validation=True)


try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback._callback_support import callback_management_context
except ImportError:  # scikit-learn < 1.9 has no callbacks.

    class CallbackSupportMixin:
        """Substitute for scikit-learn's mixin: no estimator has callbacks."""

    callback_management_context = None


def check_sample_weight(sample_weight, X):
    """Return weights as float64, checked as by scikit-learn 1.9: one must not be 0."""
    weights = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weights


def one_hot_widths(encoder):
    """Return the number of output columns of each column of a OneHotEncoder."""
    return encoder._n_features_outs


def input_positions(transformer, name):
    """Return the positions of the columns of a part of a ColumnTransformer."""
    return [int(j) for j in transformer._transformer_to_input_indices[name]]


@contextmanager
def callback_context(estimator, X, y, sample_weight):
    """Call the callbacks of an estimator, if it has any, around its training.

    Yields
    ------
    context : sklearn.callback.CallbackContext or None
        None for an estimator without callbacks.
    """
    if not hasattr(estimator, "_skl_callbacks"):
        yield None
        return
    data = {"X": X, "y": y}
    if sample_weight is not None:
        data["metadata"] = {"sample_weight": sample_weight}
    with callback_management_context(estimator):
        # One subtask per class, run in parallel; their number is unknown before y is
        # checked.
        context = estimator._init_callback_context(
            max_subtasks=None, sequential_subtasks=False
        )
        context.call_on_fit_task_begin(estimator=estimator, **data)
        yield context
        # The estimator is now fitted, so callbacks can score it.
        context.call_on_fit_task_end(
            estimator=estimator, reconstruction_attributes={}, **data
        )


@contextmanager
def all_or_nothing(estimator):
    """Restore the attributes of an estimator if the block raises, also for Ctrl-C.

    The block must replace attributes, and must not change them in place.
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        # A single assignment, so that a second Ctrl-C cannot interrupt it.
        estimator.__dict__ = before
        raise


class SplitterMixin:
    """Mixin of classifiers whose `cv` may be a splitter, which may need groups."""

    # Groups are for the splitter, see `get_metadata_routing`.
    __metadata_request__fit = {"groups": UNUSED}

    def get_metadata_routing(self):
        """Return the metadata that methods take, with those of a splitter in `cv`.

        Returns
        -------
        routing : MetadataRequest, or MetadataRouter with a splitter
            See :mod:`sklearn.utils.metadata_routing`.
        """
        if not hasattr(self.cv, "split"):
            return super().get_metadata_routing()
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )


def has_splits(cv):
    """Return whether `cv` is a splitter or an iterable of splits."""
    return not isinstance(cv, Integral | str | None)


def masks_of_splits(cv, X, y, groups=None):
    """Yield masks of the training rows and the held-out rows of each split.

    Parameters
    ----------
    cv : splitter or iterable of (train, test)
    X, y : as given
    groups : array-like of shape (n_samples,), default=None
        For splitters that need them.

    Yields
    ------
    masks : ndarray of shape (2, n_samples), bool

    Raises
    ------
    ValueError
        If a split is not a pair of arrays of indices.
    """
    for number, split in enumerate(check_cv(cv, y).split(X, y, groups)):
        masks = np.zeros((2, len(y)), dtype=bool)
        try:
            for mask, indices in zip(masks, split, strict=True):
                mask[indices] = True
        except (IndexError, TypeError, ValueError) as error:
            raise ValueError(
                "Each split of cv must be a pair of arrays: the indices of training "
                f"rows, and those of held-out rows, from 0 to {len(y) - 1}. "
                f"Split {number} of a {type(cv).__name__} is not: {error}."
            ) from error
        yield masks


def check_groups(cv, groups):
    """Raise an error if there are groups without a splitter in `cv` for them.

    Raises
    ------
    ValueError
    """
    if groups is not None and not has_splits(cv):
        raise ValueError(
            "groups requires a splitter that uses them in the parameter cv, such as "
            f"GroupKFold(5); got cv={cv!r}."
        )


def check_fold_count(cv, labels):
    """Raise the error, or give the warning, of scikit-learn for too many folds.

    Parameters
    ----------
    cv : int, splitter, iterable, str or None
        Anything but an int is left to others.
    labels : ndarray of shape (n_samples,), int
        Classes of the rows with a positive weight.

    Raises
    ------
    ValueError
        If there are more folds than rows, or than rows of each class.

    Warns
    -----
    UserWarning
        If a class has fewer rows than there are folds.
    """
    if isinstance(cv, Integral):
        next(StratifiedKFold(int(cv)).split(labels, labels))


# Pipelines and searches are between the user and an estimator on the stack.
_LIBRARIES = {"contextlib", "joblib", "sklearn", "sklearn_dnfwinnow"}


def warn(text, category=UserWarning):
    """Warn the caller of the library.

    Frames of this package, of scikit-learn and of joblib are not those of the caller.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _library_of(frame) in _LIBRARIES:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def _library_of(frame):
    """Return the name of the top-level package of a frame."""
    return frame.f_globals.get("__name__", "").partition(".")[0]
