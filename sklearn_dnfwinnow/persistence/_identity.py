"""The form of a FunctionTransformer without a function, which changes nothing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._json_values import check, check_keys

_KEYS = ("n_features",)


def form_of(transformer):
    """What a fitted FunctionTransformer has learned, as plain values."""
    return {"n_features": int(transformer.n_features_in_)}


def fill(transformer, said):
    """Have a FunctionTransformer be as one of which `form_of` said this.

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    check_keys(said, _KEYS, "a fitted FunctionTransformer")
    n_features = said["n_features"]
    right = type(n_features) is int and n_features > 0
    check(right, "a number of features from 1", n_features)
    transformer.n_features_in_ = n_features
