"""Private names of scikit-learn, and differences between its versions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from numbers import Integral

import numpy as np
from sklearn.base import _fit_context as fit_context
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
from sklearn.utils.multiclass import (
    _check_partial_fit_first_call as check_partial_fit_first_call,
)
from sklearn.utils.validation import _check_sample_weight
from sklearn.utils.validation import _get_feature_names as get_feature_names
from sklearn.utils.validation import _num_samples as num_samples

# The constraint of a number of things.
POSITIVE = Interval(Integral, 1, None, closed="left")


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


def with_names(frame):
    """Return a polars data frame whose column names scikit-learn finds.

    Before 1.9, scikit-learn uses a protocol for this that polars 2 no longer has.
    """
    return frame if get_feature_names(frame) is not None else _Named(frame)


class _Named:
    """Shape and column names of a data frame by the old protocol."""

    def __init__(self, frame):
        self.shape = frame.shape
        self._names = frame.columns

    def __dataframe__(self):
        return self

    def column_names(self):
        return self._names
