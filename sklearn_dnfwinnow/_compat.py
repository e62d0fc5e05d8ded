"""Compat: the one place for private scikit-learn names."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import _fit_context as fit_context
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import (
    Interval,
    RealNotInt,
    StrOptions,
    validate_params,
)
from sklearn.utils._set_output import _get_output_config as get_output_config
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback._callback_support import callback_management_context
except ImportError:  # scikit-learn < 1.9 has no callbacks.

    class CallbackSupportMixin:
        """Nothing to mix in: without `set_callbacks` nobody is ever told."""

    callback_management_context = None

__all__ = [
    "CallbackSupportMixin",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "callback_management_context",
    "check_sample_weight",
    "fit_context",
    "get_output_config",
    "safe_indexing",
    "validate_params",
]
