"""Encodings of small tables."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
from internals.encoding import Encoding, FactorizedTable, columns_of


def table_of(X, names=()):
    """The factorized table of data in any container."""
    return FactorizedTable.of(columns_of(X), names)


def learned(X, labels=None, missing="unspecified", weights=None, n_classes=None):
    """An encoding that has learned a table, and the codes of the table."""
    labels = np.zeros(len(X), dtype=int) if labels is None else np.asarray(labels)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    n_classes = labels.max() + 1 if n_classes is None else n_classes
    table = table_of(X)
    empty = Encoding.empty(len(table.columns), n_classes, missing)
    return empty.learn(table, labels, weights)


def encoding_of(categories, literals="equal", cut_points=None, ordered=()):
    """An encoding of columns with given values, in the order of their codes."""
    (one,) = learned(np.zeros((1, 1)))[0].attributes
    attributes = tuple(
        replace(
            one,
            codes={value: code for code, value in enumerate(values.tolist(), start=1)},
            categories=values,
            frequencies=np.zeros((2, 1)),
            cut_points=points,
        )
        for values, points in zip(categories, cut_points or [None] * len(categories))
    )
    return Encoding(attributes, "unspecified", literals=literals, ordered=ordered)
