"""The attributes of an encoding: the values of each feature, as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._preprocessing._attribute import Attribute
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


def attributes_to_list(encoding):
    """Return the values of an encoding, as a dict for each feature.

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    """
    attributes = []
    for j, attribute in enumerate(encoding.attributes):
        where = f"Column {j} has the value"
        values = attribute.codes
        attributes.append(
            {
                "numeric": attribute.categories.dtype.kind in "iuf",
                "values": [None if v is None else storable(v, where) for v in values],
                "frequencies": plain_numbers(attribute.frequencies),
            }
        )
    return attributes


def attributes_from_list(state, missing, n_classes, discretizer=None):
    """Return the attributes from the result of `attributes_to_list`.

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
    cut_points = [None] * n_features
    if discretizer is not None:
        n_cut = discretizer.n_features_in_
        check(n_cut == n_features, f"cuts of {n_features} columns", n_cut)
        cut_points = discretizer.cut_points_
    return tuple(
        _attribute(attribute, missing, n_classes, points)
        for attribute, points in zip(attributes, cut_points)
    )


def _attribute(state, missing, n_classes, cut_points):
    """Check and return the Attribute of a column; `cut_points` is None without cuts."""
    n_intervals = 0 if cut_points is None else len(cut_points) + 1
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
    return Attribute.of(codes, numeric, frequencies, cut_points)


def checked_list(state, what, length=None):
    """Check and return a list."""
    check(type(state) is list, f"a list of {what}", state)
    check(length in (None, len(state)), f"{length} {what}", len(state))
    return state
