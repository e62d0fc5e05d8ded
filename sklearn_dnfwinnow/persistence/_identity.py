"""The state of a FunctionTransformer without a function: its number of columns."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._json_values import check, check_keys

_KEYS = ("n_features",)


def get_state(transformer):
    """Return the fitted state of a FunctionTransformer as plain values."""
    return {"n_features": int(transformer.n_features_in_)}


def set_state(transformer, state):
    """Set the fitted state of a FunctionTransformer from the result of `get_state`.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    check_keys(state, _KEYS, "a fitted FunctionTransformer")
    n_features = state["n_features"]
    right = type(n_features) is int and n_features > 0
    check(right, "a number of features from 1", n_features)
    transformer.n_features_in_ = n_features
