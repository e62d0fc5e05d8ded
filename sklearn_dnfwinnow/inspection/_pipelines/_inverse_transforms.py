"""Inverse transforms: from preimages after a fitted transformer to those before it.

A transformer can be inverted if each output column is a function of one input column,
and if it is known which input values give which output. This holds for encoders,
imputers, selections, monotone functions of numbers, and combinations of them. It does
not hold for transformers that combine columns.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import replace
from math import inf

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._encoding._missing import is_missing
from sklearn_dnfwinnow._encoding._named_columns import positions_of
from sklearn_dnfwinnow._utils._compat import one_hot_widths
from sklearn_dnfwinnow.inspection._pipelines._agreement import agrees, unknown_value
from sklearn_dnfwinnow.inspection._pipelines._monotone_functions import (
    is_elementwise,
    preimages_through_monotone,
)
from sklearn_dnfwinnow.inspection._pipelines._preimages import (
    CategoricalPreimage,
    CutText,
    NumericPreimage,
)
from sklearn_dnfwinnow.inspection._pipelines._steps import flatten_steps

# Rounded sums and products of floats preserve the order of numbers.
_SCALERS = StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, Binarizer
# These preserve the order except for the last digits, so only cuts between values are
# inverted.
_CURVES = PowerTransformer, QuantileTransformer
# (Not np.negative, which changes booleans in data frames.)
_MONOTONE_FUNCTIONS = frozenset(
    [np.sqrt, np.cbrt, np.log, np.log2, np.log10, np.log1p, np.exp, np.exp2, np.expm1]
    + [np.arcsinh, np.arctan, np.tanh, np.sinh, np.positive]
)


def preimages_through(steps, preimages):
    """Return preimages before some steps, as far as these can be inverted.

    No inverse is trusted: the preimages are those before the longest part of the steps
    whose output agrees with them, see `_agreement`.

    Parameters
    ----------
    steps : list of transformers
        The fitted steps.
    preimages : list of preimages
        Preimages of the output columns of the last step.

    Returns
    -------
    n_opaque : int
        Number of first steps that remain; the preimages refer to their output.
    preimages : list of preimages
        Preimages of the columns of this output.
    """
    before = _inverted(steps, preimages)
    for n_inverted in range(len(before) - 1, -1, -1):
        n_opaque = len(steps) - n_inverted
        if agrees(steps[n_opaque:], before[n_inverted], preimages):
            return n_opaque, before[n_inverted]


def _inverted(steps, preimages):
    """Return preimages before the last 0, 1, ... steps, as far as these have inverses.

    Whether the inverses are right is not known.
    """
    before = [preimages]
    for step in reversed(steps):
        try:
            # Functions of other packages may warn of, or reject, numbers that no sample
            # has.
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found = _invert_step(step, before[-1])
        except Exception:
            found = None
        if found is None or None in found:
            break
        before.append(found)
    return before


def _invert_step(step, preimages):
    """Return preimages before a step.

    None, or a None among them, if the step cannot be inverted.
    """
    for kind, invert in _INVERSES:
        if isinstance(step, kind):
            return invert(step, preimages)
    return None


# -- columns that stay as they are -----------------------------------------------------


def _invert_selector(step, preimages):
    """Return preimages before a selection of columns."""
    kept = step.get_support(indices=True).tolist()
    return [replace(p, column=kept[p.column]) for p in preimages]


def _invert_column_transformer(step, preimages):
    """Return preimages before a ColumnTransformer; None if a part has no inverse."""
    places = step.output_indices_
    found = [None] * len(preimages)
    for name, transformer, columns in step.transformers_:
        place = places[name]
        inside = [
            i for i, p in enumerate(preimages) if place.start <= p.column < place.stop
        ]
        if not inside:
            continue
        within = [
            replace(preimages[i], column=preimages[i].column - place.start)
            for i in inside
        ]
        inner = flatten_steps([transformer])
        before = _inverted(inner, within)
        if len(before) <= len(inner):
            return None
        within = before[-1]
        positions = positions_of(columns, step)
        for i, preimage in zip(inside, within):
            found[i] = replace(preimage, column=positions[preimage.column])
    return found


# -- intervals -------------------------------------------------------------------------


def invert_discretizer(step, preimages):
    """Return preimages before a ClassEntropyDiscretizer."""
    return [_invert_cuts(step, preimage) for preimage in preimages]


def _invert_cuts(step, preimage):
    """Return the preimage before one column of a ClassEntropyDiscretizer."""
    j = preimage.column
    cuts = step.cut_points_[j]
    if cuts is None:
        return preimage
    return NumericPreimage(
        column=j,
        cuts=cuts,
        codes=np.array([preimage.code_of(float(i)) for i in range(len(cuts) + 1)]),
        missing=preimage.code_of(np.nan),
        texts=[CutText(text) for text in _rounded_cuts(step.interval_labels_[j])],
    )


def _rounded_cuts(labels):
    """Return cut points, rounded as in the labels of their intervals."""
    if len(labels) == 1:
        return []
    inner = [label[1:-1].split(", ")[1] for label in labels[1:-1]]
    return [labels[0].removeprefix("<= "), *inner]


def _invert_bins(step, preimages):
    """Return preimages before a KBinsDiscretizer."""
    # A bin contains its lower edge, an interval its upper end.
    cuts = [np.nextafter(np.float64(edges[1:-1]), -inf) for edges in step.bin_edges_]
    ends = [[*of_column, edges[-1]] for of_column, edges in zip(cuts, step.bin_edges_)]
    widths = step.n_bins_ if step.encode != "ordinal" else np.ones(len(cuts), dtype=int)

    def invert(preimage, j, numbers, unknown):
        codes = np.array([*map(preimage.code_of, numbers)])
        return NumericPreimage(j, cuts[j], codes).merged()

    return _inverted_by_output(step, preimages, ends, widths, invert)


# -- encoders --------------------------------------------------------------------------


def _invert_encoder(step, preimages):
    """Return preimages before an encoder; None for a target of several classes."""
    is_one_hot = isinstance(step, OneHotEncoder)
    if getattr(step, "target_type_", None) == "multiclass":
        return None
    widths = one_hot_widths(step) if is_one_hot else np.ones(step.n_features_in_, int)
    categories = [values.tolist() for values in step.categories_]
    dropped = getattr(step, "drop_idx_", None)
    dropped = [None] * len(categories) if dropped is None else dropped

    def invert(preimage, j, numbers, unknown):
        if unknown is not None:
            other = preimage.code_of(unknown)
        else:  # Values that the encoder rejects have no code of their own.
            other = preimage.code_of(0.0) if is_one_hot else 0
        # Categories of the other columns of a one-hot encoder are like unknown values.
        codes = {
            value: preimage.code_of(number)
            for i, (value, number) in enumerate(zip(categories[j], numbers))
            if not is_one_hot or number or unknown or i == dropped[j]
        }
        missing = {code for value, code in codes.items() if is_missing(value)}
        if len(missing) > 1:
            return None  # None and NaN are two values to an encoder
        # Unless it is a category, a missing value is an unknown category.
        of_missing = missing.pop() if missing else other
        return CategoricalPreimage(j, codes, missing=of_missing, other=other)

    return _inverted_by_output(step, preimages, categories, widths, invert)


def _inverted_by_output(step, preimages, values, widths, invert):
    """Return preimages before a step, from its output for known values.

    Parameters
    ----------
    step : transformer
        Fitted; each column of its output is a function of one column.
    preimages : list of preimages
    values : list of lists
        Known values of each column.
    widths : ndarray of shape (n_columns,), int
        Number of columns of the output for each column.
    invert : callable
        Returns a preimage before the step, given the one after it, the column, the
        output for its known values, and that for an unknown one; the latter is None if
        the step rejects it.
    """
    columns = np.repeat(np.arange(len(widths)), widths)
    rows = np.arange(max(map(len, values)))
    # Each column starts with another value, so that none depends on its neighbour.
    table = [
        np.array(of_column, dtype=object)[(rows + j) % len(of_column)]
        for j, of_column in enumerate(values)
    ]
    known = step.transform(np.column_stack(table))
    # Selecting columns of a sparse matrix by rows would be slow.
    known = known.tocsc() if hasattr(known, "tocsc") else np.asarray(known)
    try:
        unknown = step.transform(np.array([[*map(unknown_value, values)]], object))
        (unknown,) = (
            unknown.toarray() if hasattr(unknown, "toarray") else np.asarray(unknown)
        )
    except ValueError:
        unknown = [None] * len(columns)
    found = []
    for preimage in preimages:
        place = preimage.column
        j = int(columns[place])
        n_values = len(values[j])
        numbers = known[:n_values, [place]]
        numbers = numbers.toarray() if hasattr(numbers, "toarray") else numbers
        numbers = np.roll(numbers.ravel(), j).tolist()
        found.append(invert(preimage, j, numbers, unknown[place]))
    return found


# -- missing values --------------------------------------------------------------------


def _invert_imputer(step, preimages):
    """Return preimages before a SimpleImputer."""
    fills = step.statistics_
    kept = np.arange(len(fills))
    if not step.keep_empty_features and step.strategy != "constant":
        # To encoders and imputers, None is a value, and only NaN is missing.
        kept = np.flatnonzero([fill == fill for fill in fills.tolist()])
    indicated = step.indicator_.features_ if step.add_indicator else []
    found = []
    for preimage in preimages:
        place = preimage.column
        if place >= len(kept):
            j = int(indicated[place - len(kept)])
            found.append(_indicated(step, j, preimage))
        else:
            j = int(kept[place])
            preimage = replace(preimage, column=j)
            code = preimage.code_of(fills.tolist()[j])
            found.append(_with_missing(step, preimage, code))
    return found


def _invert_indicator(step, preimages):
    """Return preimages before a MissingIndicator."""
    features = step.features_.tolist()
    return [_indicated(step, features[p.column], p) for p in preimages]


def _indicated(step, column, preimage):
    """Return the preimage of an indicator of missing values in another column."""
    present = preimage.code_of(False)
    codes = CategoricalPreimage(column, {}, missing=present, other=present)
    return _with_missing(step, codes, preimage.code_of(True))


def _with_missing(step, preimage, code):
    """Return the preimage with a code for the values that a step treats as missing."""
    if is_missing(step.missing_values):
        return replace(preimage, missing=code)
    if isinstance(preimage, CategoricalPreimage):
        codes = {**preimage.codes, step.missing_values: code}
        return replace(preimage, codes=codes, is_direct=False)
    return preimage.with_value(step.missing_values, code)


# -- monotone functions of numbers -----------------------------------------------------


def _invert_scaler(step, preimages):
    """Return preimages before a scaler; None if a column is not numeric."""
    preimages = [preimage.as_numeric() for preimage in preimages]
    if None in preimages:
        return None
    return preimages_through_monotone(step.transform, step.n_features_in_, preimages)


def _invert_curve(step, preimages, forward=None):
    """Return preimages before a curve; None if single numbers have codes.

    `forward` transforms arrays of numbers, by default like the step.
    """
    if not all(isinstance(p, NumericPreimage) and not p.has_points for p in preimages):
        return None
    forward = step.transform if forward is None else forward
    return preimages_through_monotone(forward, step.n_features_in_, preimages)


def _invert_function(step, preimages):
    """Return preimages before a FunctionTransformer; None if it is not monotone."""
    if step.func is None:
        return preimages
    is_known = isinstance(step.func, np.ufunc) and step.func in _MONOTONE_FUNCTIONS
    if not (is_known or (step.inverse_func is not None and step.check_inverse)):
        return None
    names = None if is_known else getattr(step, "feature_names_in_", None)

    def forward(numbers):
        if names is not None:
            import pandas  # here for import time, and since it may not be installed

            numbers = pandas.DataFrame(numbers, columns=names)
        return step.transform(numbers)

    if not is_elementwise(forward, step.n_features_in_):
        return None
    return _invert_curve(step, preimages, forward)


_INVERSES = (
    (ClassEntropyDiscretizer, invert_discretizer),
    (SelectorMixin, _invert_selector),
    (ColumnTransformer, _invert_column_transformer),
    (_SCALERS, _invert_scaler),
    (FunctionTransformer, _invert_function),
    (_CURVES, _invert_curve),
    (KBinsDiscretizer, _invert_bins),
    ((OrdinalEncoder, OneHotEncoder, TargetEncoder), _invert_encoder),
    (SimpleImputer, _invert_imputer),
    (MissingIndicator, _invert_indicator),
)
