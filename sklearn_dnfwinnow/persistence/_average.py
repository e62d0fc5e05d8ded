"""The schema of an Average: its models, which must fit together, and their weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_numeric
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._winnow._averaging._average import Average
from sklearn_dnfwinnow._winnow._averaging._shared_encoding import (
    SharedEncoding,
    shared_points,
)
from sklearn_dnfwinnow.persistence._discretizer import FITTED_DISCRETIZER
from sklearn_dnfwinnow.persistence._schema import ListOf, Numbers, Record, optional
from sklearn_dnfwinnow.persistence._winnow_model import SCALE, background, model

# Far more than an average gains from; each takes part in every score.
_MOST_MODELS = 64
# Products with a scale are positive.
_SMALLEST_WEIGHT, _ROUNDING = 1e-100, 1e-9


def average(n_classes):
    """Return the schema of an Average of models of so many classes."""
    fields = {
        "models": ListOf(model(n_classes), make=tuple),
        "weights": lambda found: _weights(len(found.models)),
        "scale": SCALE,
        "discretizer": optional(FITTED_DISCRETIZER),
        # Its codes are those of all models together, which are therefore checked first.
        "background": lambda found: background(_shared_encoding(found).n_known),
    }
    return Record(fields, Average, check=_check_weights)


def _weights(n_models):
    """Return the schema of the weights of so many models."""
    check(2 <= n_models <= _MOST_MODELS, f"2 to {_MOST_MODELS} models", n_models)
    return Numbers(np.float64, low=_SMALLEST_WEIGHT, high=1, shape=(n_models,))


def _check_weights(found, _):
    total = float(found.weights.sum())
    check(abs(total - 1) < _ROUNDING, "weights with the sum 1", total)


def _shared_encoding(found):
    """Return the encoding of models and a discretizer, if they fit together.

    An average that is written is checked, too, so that its file can be read.
    """
    first, *others = found.models
    for one in others:
        _check_alike(first.encoding, one.encoding)
        right = one.weighting.conditions == first.weighting.conditions
        check(right, "models with the same conditions", one.weighting.conditions)
    encodings = [one.encoding for one in found.models]
    _check_cuts(encodings, found.discretizer)
    return SharedEncoding.of(encodings, found.discretizer)


def _check_alike(first, other):
    """Check that two encodings differ only in cut points, intervals and literals."""
    right = other.missing == first.missing != "most_frequent"
    expected = "models with the same treatment of missing values, not 'most_frequent'"
    check(right, expected, [first.missing, other.missing])
    right = first.n_columns == other.n_columns
    right = right and np.array_equal(first.positions, other.positions)
    check(right, "models with the same columns", other.n_columns)
    for j, (one, another) in enumerate(zip(first.attributes, other.attributes)):
        is_cut = one.cut_points is not None
        right = is_cut == (another.cut_points is not None)
        check(right, "models that cut the same columns", j)
        right = is_cut or _values(one) == _values(another)
        check(right, "models with the same values of a column", [*another.codes])


def _values(attribute):
    """Return what two equal columns that are not cut have in common."""
    values = [(type(value), value) for value in attribute.codes]
    return is_numeric(attribute.categories), values


def _check_cuts(encodings, discretizer):
    """Check that a discretizer has the cut points of encodings, and no others."""
    with_cuts = [one.discretizer is not None for one in encodings]
    right = {*with_cuts} == {discretizer is not None}
    check(right, "discretizers of all models and of the average, or none", with_cuts)
    if discretizer is None:
        return
    found, expected = discretizer.cut_points_, shared_points(encodings)
    is_cut = [j for j, points in enumerate(found) if points is not None]
    right = len(found) == len(encodings[0].attributes) and is_cut == list(expected)
    check(right, "a discretizer that cuts the columns of the models", found)
    for j, points in expected.items():
        right = np.array_equal(found[j], points)
        check(right, "the cut points of all models, and no others", found[j])
