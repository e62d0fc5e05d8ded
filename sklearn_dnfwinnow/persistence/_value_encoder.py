"""The fitted state of a ValueEncoder: the values of each feature, as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    is_number,
    is_storable,
    numbers,
    plain_numbers,
    storable,
)

_KEYS = "numeric", "values", "frequencies"
# Weights of values are summed as float64, and saved as finite numbers.
_LARGEST_FREQUENCY = 1e300


def encoder_to_list(encoder):
    """Return the values of an encoder, as a dict for each feature.

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    """
    attributes = []
    for j, (array, frequencies) in enumerate(
        zip(encoder.categories_, encoder._frequencies)
    ):
        where = f"Column {j} has the value"
        values = encoder.codes_of(j)
        attributes.append(
            {
                "numeric": array.dtype.kind in "iuf",
                "values": [None if v is None else storable(v, where) for v in values],
                "frequencies": plain_numbers(frequencies),
            }
        )
    return attributes


def encoder_from_list(state, missing, n_classes, discretizer=None):
    """Return the encoder from the result of `encoder_to_list`.

    Parameters
    ----------
    state : object
        Data that were read and not yet checked.
    missing : {'unspecified', 'category', 'most_frequent'}
    n_classes : int
    discretizer : ClassEntropyDiscretizer or None
        Fitted discretizer that cuts columns before they are encoded.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    attributes = checked_list(state, "attributes")
    n_features = len(attributes)
    check(n_features, "an attribute or more", attributes)
    n_intervals = np.zeros(n_features, dtype=int)
    if discretizer is not None:
        n_cut = discretizer.n_features_in_
        check(n_cut == n_features, f"cuts of {n_features} columns", n_cut)
        n_intervals = discretizer.n_intervals_
    # The encoder is allocated when each column is known to have values of all classes.
    columns = [
        _column(attribute, missing, n_classes, n)
        for attribute, n in zip(attributes, n_intervals.tolist())
    ]
    encoder = ValueEncoder(missing, n_features, n_classes)
    for j, column in enumerate(columns):
        encoder.recall(j, **column)
    return encoder


def _column(state, missing, n_classes, n_intervals):
    """Check and return codes, kind and frequencies of a column.

    `n_intervals` is 0 for a column that is not cut.
    """
    check_keys(state, _KEYS, "an attribute")
    values = checked_list(state["values"], "values")
    for value in values:
        right = value is None or is_storable(value)
        check(right, "values to be strings, numbers, booleans or null", value)
        if n_intervals and value is not None:
            right = is_number(value) and 0 <= value < n_intervals
            right = right and value == int(value)
            check(right, f"intervals from 0 to {n_intervals - 1}", value)
    codes = {value: code for code, value in enumerate(values, start=1)}
    check(len(codes) == len(values), "values that are distinct", values)
    check(missing == "category" or None not in codes, "no missing value", values)
    numeric = state["numeric"]
    check(type(numeric) is bool, "numeric to be a boolean", numeric)
    right = numeric or not n_intervals or not set(codes) - {None}
    check(right, "intervals to be numeric", numeric)
    # Frequencies are kept only if missing values are replaced by the most frequent one.
    n_known = len(values) if missing == "most_frequent" else 0
    frequencies = numbers(
        state["frequencies"],
        "frequencies of values in classes",
        low=0,
        high=_LARGEST_FREQUENCY,
        length=n_classes * (n_known + 1),
    )
    frequencies = frequencies.reshape(n_classes, -1)
    return {"codes": codes, "numeric": numeric, "frequencies": frequencies}


def checked_list(state, what, length=None):
    """Check and return a list."""
    check(type(state) is list, f"a list of {what}", state)
    check(length in (None, len(state)), f"{length} {what}", len(state))
    return state
