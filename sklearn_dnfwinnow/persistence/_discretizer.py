"""The form of a discretizer: what it has learned as plain values, and back, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._preprocessing._column_cuts import Cut
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    numbers,
    plain_numbers,
)

_KEYS = "cut_points", "entropy_path", "labels", "representatives"


def form_of(discretizer):
    """What a fitted discretizer has learned, as plain values."""
    parts = (
        *(discretizer.cut_points_, discretizer.entropy_path_),
        *(discretizer.interval_labels_, discretizer.representatives_),
    )
    columns = []
    for column in zip(*parts):
        if column[0] is None:
            columns.append(None)
            continue
        points, path, names, typical = column
        said = plain_numbers(points), plain_numbers(path), names.tolist()
        columns.append(dict(zip(_KEYS, (*said, plain_numbers(typical)))))
    return {"columns": columns}


def fill(discretizer, said):
    """Have a discretizer be as one of which `form_of` said this.

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    check_keys(said, ("columns",), "a fitted ClassEntropyDiscretizer")
    columns = said["columns"]
    check(type(columns) is list and columns, "a list of columns", columns)
    cuts = [None if column is None else _cut(column) for column in columns]
    discretizer.n_features_in_ = len(columns)
    discretizer._become(cuts)


def _cut(said):
    check_keys(said, _KEYS, "a column")
    points = numbers(said["cut_points"], "cut points")
    check((np.diff(points) > 0).all(), "cut points that ascend", points)
    path = numbers(said["entropy_path"], "entropies", missing=True)
    check(len(path) > len(points), "an entropy for each number of intervals", path)
    names = said["labels"]
    right = type(names) is list and all(type(name) is str for name in names)
    check(right and len(names) == len(points) + 1, "a label for each interval", names)
    typical = numbers(said["representatives"], "representatives", len(names), True)
    return Cut(points, path, typical, np.array(names, dtype=object), len(names))
