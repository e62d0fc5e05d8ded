"""The fitted state of a ValueEncoder: the values of each feature, as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    is_number,
    numbers,
    plain,
    plain_numbers,
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
                "values": [None if v is None else plain(v, where) for v in values],
                "frequencies": plain_numbers(frequencies),
            }
        )
    return attributes


def encoder_from_list(state, missing, n_classes):
    """Return the encoder from the result of `encoder_to_list`.

    Parameters
    ----------
    state : object
        Data that were read and not yet checked.
    missing : {'unspecified', 'category', 'most_frequent'}
    n_classes : int

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    attributes = checked_list(state, "attributes")
    check(attributes, "an attribute or more", attributes)
    encoder = ValueEncoder(missing, len(attributes), n_classes)
    for j, attribute in enumerate(attributes):
        check_keys(attribute, _KEYS, "an attribute")
        values = checked_list(attribute["values"], "values")
        for value in values:
            right = value is None or type(value) in (str, int, bool) or is_number(value)
            check(right, "values to be strings, numbers, booleans or null", value)
        codes = {value: code for code, value in enumerate(values, start=1)}
        check(len(codes) == len(values), "values that are distinct", values)
        check(missing == "category" or None not in codes, "no missing value", values)
        numeric = attribute["numeric"]
        check(type(numeric) is bool, "numeric to be a boolean", numeric)
        frequencies = numbers(attribute["frequencies"], "frequencies")
        check(frequencies.min(initial=0) >= 0, "frequencies from 0", frequencies)
        small = frequencies.max(initial=0) <= _LARGEST_FREQUENCY
        check(small, f"frequencies up to {_LARGEST_FREQUENCY}", frequencies)
        # Frequencies are kept only if missing values are replaced by the most frequent
        # one.
        n_known = len(values) if missing == "most_frequent" else 0
        fits = len(frequencies) == n_classes * (n_known + 1)
        check(fits, "frequencies of values in classes", len(frequencies))
        encoder.recall(
            j,
            codes=codes,
            numeric=numeric,
            frequencies=frequencies.reshape(n_classes, -1),
        )
    return encoder


def checked_list(state, what, length=None):
    """Check and return a list."""
    check(type(state) is list, f"a list of {what}", state)
    check(length in (None, len(state)), f"{length} {what}", len(state))
    return state
