"""The schema of a fitted ClassEntropyDiscretizer: the cuts of its columns."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._encoding._column_cuts import Cut
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow.persistence._parameters import DISCRETIZER
from sklearn_dnfwinnow.persistence._schema import (
    TEXT,
    ListOf,
    Numbers,
    Record,
    optional,
)

# More than the entropy of any number of classes.
_MOST_BITS = 64


def _check_cut(found, _):
    points, labels = found.points, found.labels
    check((np.diff(points) > 0).all(), "cut points that ascend", points)
    is_whole = len(found.entropy_path) > len(points)
    check(is_whole, "an entropy for each number of intervals", found.entropy_path)
    check(len(labels) == len(points) + 1, "a label for each interval", labels)
    # Rules take rounded cut points from these labels.
    right = all(
        label.startswith("(") and label.endswith("]") and ", " in label[1:-1]
        for label in labels[1:-1]
    )
    check(right, "labels such as '(1, 2]' of inner intervals", labels)


def _cut(labels, **arrays):
    labels = np.array(labels, dtype=object)
    return Cut(labels=labels, **arrays)


_CUT = Record(
    {
        "points": Numbers(np.float64),
        "entropy_path": Numbers(np.float64, low=0, high=_MOST_BITS, missing=True),
        "labels": ListOf(TEXT),
        "representatives": lambda found: Numbers(
            np.float64, shape=(len(found.labels),), missing=True
        ),
    },
    make=_cut,
    check=_check_cut,
)


def discretizer(estimator):
    """Return the schema of the fitted attributes of a ClassEntropyDiscretizer."""

    def parts(estimator):
        columns = zip(
            estimator.cut_points_,
            estimator.entropy_path_,
            estimator.representatives_,
            estimator.interval_labels_,
        )
        return {"columns": [None if one[0] is None else Cut(*one) for one in columns]}

    def make(columns):
        check(columns, "a list of columns", columns)
        estimator.n_features_in_ = len(columns)
        estimator._become(dict(enumerate(columns)))
        return estimator

    return Record({"columns": ListOf(optional(_CUT))}, make, parts=parts)


#: The discretizer of a classifier, which has the names of its columns.
FITTED_DISCRETIZER = Record(
    {
        "parameters": DISCRETIZER,
        "fitted": lambda found: discretizer(found.parameters),
    },
    make=lambda parameters, fitted: fitted,
    parts=lambda estimator: {"parameters": estimator, "fitted": estimator},
)
