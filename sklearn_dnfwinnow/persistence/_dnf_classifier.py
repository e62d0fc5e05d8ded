"""The schema of a fitted DNFClassifier: its formulas and its counts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow.persistence._parameters import FORMULA
from sklearn_dnfwinnow.persistence._schema import (
    FLAG,
    TEXT,
    VALUE,
    Labels,
    ListOf,
    Numbers,
    Pairs,
    integer,
    number,
    onto,
)

# Counts are summed as float64, with the smoothing.
_LARGEST_COUNT = 1e300
_MOST_FEATURES, _BYTES_A_NAME = 2**31 - 1, 100

# What `fit` says of formulas that it learns.
_LEARNT = {
    "price_": number(low=0),
    "validation_": ListOf(Pairs(TEXT, VALUE)),
    "is_timed_out_": FLAG,
}


def dnf_classifier(classifier):
    """Return the schema of the fitted attributes of a DNFClassifier."""

    def check_all(found, budget):
        number(high=_LARGEST_COUNT).read(classifier.smoothing, "smoothing", budget)
        n_features, classes = found.n_features_in_, found.classes_.tolist()
        # Messages and formulas name each column.
        budget.take("the names of columns", _BYTES_A_NAME * n_features)
        for dnf in found.dnfs_:
            right = len(dnf.features) == n_features
            check(right, f"a formula of {n_features} columns", len(dnf.features))
        kinds = {(type(class_), class_) for class_ in classes}
        for class_ in [found.otherwise_, *(dnf.class_ for dnf in found.dnfs_)]:
            check(class_ in classes, f"a class of {classes}", class_)
        right = (type(found.otherwise_), found.otherwise_) in kinds
        check(right, "otherwise of the type of the classes", found.otherwise_)

    fields = {
        "classes_": Labels(),
        "n_features_in_": integer(1, _MOST_FEATURES),
        "dnfs_": ListOf(FORMULA),
        "class_counts_": lambda found: Numbers(
            np.float64,
            low=0,
            high=_LARGEST_COUNT,
            shape=(len(found.dnfs_) + 1, len(found.classes_)),
        ),
        "otherwise_": VALUE,
    }
    if classifier.dnf is None:
        fields |= _LEARNT
    return onto(classifier, fields, check_all)
