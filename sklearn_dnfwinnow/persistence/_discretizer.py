"""The fitted state of a discretizer, alone or in a classifier, as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_cuts import Cut
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    numbers,
    plain_numbers,
)
from sklearn_dnfwinnow.persistence._parameters import plain_parameters, with_parameters

_KEYS = "cut_points", "entropy_path", "labels", "representatives"
# More than the entropy of any number of classes.
_MOST_BITS = 64


def get_state(discretizer):
    """Return the fitted state of a discretizer as plain values."""
    columns = []
    for points, path, names, typical in zip(
        discretizer.cut_points_,
        discretizer.entropy_path_,
        discretizer.interval_labels_,
        discretizer.representatives_,
    ):
        if points is None:
            columns.append(None)
            continue
        columns.append(
            {
                "cut_points": plain_numbers(points),
                "entropy_path": plain_numbers(path),
                "labels": names.tolist(),
                "representatives": plain_numbers(typical),
            }
        )
    return {"columns": columns}


def set_state(discretizer, state, budget=None):
    """Set the fitted state of a discretizer from the result of `get_state`.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    check_keys(state, ("columns",), "a fitted ClassEntropyDiscretizer")
    columns = state["columns"]
    check(type(columns) is list and columns, "a list of columns", columns)
    cuts = {j: _cut(column) for j, column in enumerate(columns) if column is not None}
    discretizer.n_features_in_ = len(columns)
    discretizer._become(cuts)


def discretizer_to_dict(discretizer):
    """Return the discretizer of a classifier, without the names of its columns."""
    if discretizer is None:
        return None
    return {
        "parameters": plain_parameters(discretizer),
        "fitted": get_state(discretizer),
    }


def discretizer_from_dict(state):
    """Check and return the discretizer from the result of `discretizer_to_dict`."""
    if state is None:
        return None
    check_keys(state, ("parameters", "fitted"), "a discretizer")
    discretizer = with_parameters(ClassEntropyDiscretizer, state["parameters"])
    set_state(discretizer, state["fitted"])
    return discretizer


def _cut(state):
    """Check and return the Cut of a column."""
    check_keys(state, _KEYS, "a column")
    points = numbers(state["cut_points"], "cut points")
    check((np.diff(points) > 0).all(), "cut points that ascend", points)
    path = numbers(
        state["entropy_path"], "entropies", low=0, high=_MOST_BITS, missing=True
    )
    check(len(path) > len(points), "an entropy for each number of intervals", path)
    names = state["labels"]
    right = type(names) is list and all(type(name) is str for name in names)
    check(right and len(names) == len(points) + 1, "a label for each interval", names)
    typical = numbers(
        state["representatives"], "representatives", length=len(names), missing=True
    )
    return Cut(points, path, typical, np.array(names, dtype=object))
