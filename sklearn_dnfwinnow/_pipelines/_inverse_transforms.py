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
from math import inf, nan

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

from sklearn_dnfwinnow._pipelines._agreement import agrees
from sklearn_dnfwinnow._pipelines._monotone_functions import (
    is_elementwise,
    preimages_through_monotone,
)
from sklearn_dnfwinnow._pipelines._preimages import (
    CategoricalPreimage,
    CutText,
    NumericPreimage,
)
from sklearn_dnfwinnow._pipelines._steps import flatten_steps
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._preprocessing._missing import is_missing
from sklearn_dnfwinnow._preprocessing._named_columns import positions_of

# Rounded sums and products of floats preserve the order of numbers.
_SCALERS = StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, Binarizer
# These preserve the order except for the last digits, so only cuts between values are
# inverted.
_CURVES = PowerTransformer, QuantileTransformer
# Options of one-hot encoders that treat unknown categories as infrequent.
_TO_INFREQUENT = "infrequent_if_exist", "warn"
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


def _invert_discretizer(step, preimages):
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
    is_one_hot = step.encode != "ordinal"
    n_columns = step.n_bins_ if is_one_hot else np.ones(len(step.n_bins_), dtype=int)
    column_of = np.repeat(np.arange(len(n_columns)), n_columns)
    bin_of = np.concatenate([np.arange(n) for n in n_columns])
    found = []
    for preimage in preimages:
        j = int(column_of[preimage.column])
        numbers = np.arange(step.n_bins_[j])
        if is_one_hot:
            numbers = numbers == bin_of[preimage.column]
        codes = [preimage.code_of(float(number)) for number in numbers]
        # A bin contains its lower edge, an interval its upper end.
        cuts = np.nextafter(step.bin_edges_[j][1:-1].astype(np.float64), -inf)
        found.append(NumericPreimage(j, cuts, np.array(codes)).merged())
    return found


# -- encoders --------------------------------------------------------------------------


def _invert_ordinal_encoder(step, preimages):
    """Return preimages before an OrdinalEncoder."""
    unknown = None
    if step.handle_unknown == "use_encoded_value":
        unknown = step.unknown_value
    found = []
    for preimage in preimages:
        j = preimage.column
        groups = _groups(step, j)
        numbers = {i: float(rank) for rank, group in enumerate(groups) for i in group}
        categories = step.categories_[j].tolist()
        codes = {
            value: preimage.code_of(
                step.encoded_missing_value if _is_nan(value) else numbers[i]
            )
            for i, value in enumerate(categories)
        }
        # Values that the encoder rejects have no code.
        other = 0 if unknown is None else preimage.code_of(unknown)
        found.append(_categorical(j, codes, other))
    return found


def _invert_one_hot_encoder(step, preimages):
    """Return preimages before a OneHotEncoder."""
    n_columns = step.n_features_in_
    dropped = [None] * n_columns if step.drop_idx_ is None else step.drop_idx_
    infrequent = [_infrequent(step, j) for j in range(n_columns)]
    outputs = []  # of each output column: its input column, and the group of categories
    for j in range(n_columns):
        groups = _groups(step, j, nan_too=True)
        if dropped[j] is not None:
            groups = [group for group in groups if dropped[j] not in group]
        outputs += [(j, group) for group in groups]
    found = []
    for preimage in preimages:
        j, group = outputs[preimage.column]
        categories = step.categories_[j].tolist()
        is_infrequent = infrequent[j] == set(group)
        takes_unknown = is_infrequent and step.handle_unknown in _TO_INFREQUENT
        listed = group
        if takes_unknown:
            listed = range(len(categories))
        elif dropped[j] is not None:
            listed = [*group, dropped[j]]
        codes = {categories[i]: preimage.code_of(float(i in group)) for i in listed}
        found.append(_categorical(j, codes, preimage.code_of(float(takes_unknown))))
    return found


def _invert_target_encoder(step, preimages):
    """Return preimages before a TargetEncoder; None for more than two classes."""
    if step.target_type_ == "multiclass":
        return None
    found = []
    for preimage in preimages:
        j = preimage.column
        pairs = zip(step.categories_[j].tolist(), step.encodings_[j].tolist())
        codes = {value: preimage.code_of(number) for value, number in pairs}
        found.append(_categorical(j, codes, preimage.code_of(step.target_mean_)))
    return found


def _infrequent(step, j):
    """Return the positions of the infrequent categories of column j."""
    infrequent = getattr(step, "infrequent_categories_", None)
    if infrequent is None or infrequent[j] is None:
        return set()
    rare = set(map(_plain_nan, infrequent[j].tolist()))
    return {
        i
        for i, value in enumerate(step.categories_[j].tolist())
        if _plain_nan(value) in rare
    }


def _is_nan(value):
    """Return whether a value is NaN, which encoders of scikit-learn call missing.

    To these, None is a category like others.
    """
    return isinstance(value, float) and value != value


def _plain_nan(value):
    """Return the same NaN for every NaN, and all other values as they are."""
    return nan if _is_nan(value) else value


def _groups(step, j, nan_too=False):
    """Return positions of categories of column j with equal codes, in code order."""
    rare = _infrequent(step, j)
    frequent = [
        [i]
        for i, value in enumerate(step.categories_[j].tolist())
        if i not in rare and (nan_too or not _is_nan(value))
    ]
    return [*frequent, sorted(rare)] if rare else frequent


def _categorical(column, codes, other):
    """Return the preimage of a column by codes of values; None if two codes differ."""
    missing = {code for value, code in codes.items() if is_missing(value)}
    if len(missing) > 1:
        return None  # None and NaN are two values to an encoder
    # Unless it is a category, a missing value is an unknown category.
    return CategoricalPreimage(
        column, codes, missing.pop() if missing else other, other
    )


# -- missing values --------------------------------------------------------------------


def _invert_imputer(step, preimages):
    """Return preimages before a SimpleImputer."""
    fills = step.statistics_
    kept = np.arange(len(fills))
    if not step.keep_empty_features and step.strategy != "constant":
        kept = np.flatnonzero([not _is_nan(fill) for fill in fills.tolist()])
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


def _invert_curve(step, preimages):
    """Return preimages before a curve; None if single numbers have codes."""
    if not all(map(_has_cuts_only, preimages)):
        return None
    return preimages_through_monotone(step.transform, step.n_features_in_, preimages)


def _has_cuts_only(preimage):
    """Return whether a preimage consists of intervals, without single numbers."""
    return isinstance(preimage, NumericPreimage) and not preimage.has_points


def _invert_function(step, preimages):
    """Return preimages before a FunctionTransformer; None if it is not monotone."""
    if step.func is None:
        return preimages
    is_invertible = step.inverse_func is not None and step.check_inverse
    if not (is_invertible or step.func in _MONOTONE_FUNCTIONS):
        return None
    if not all(map(_has_cuts_only, preimages)):
        return None
    names = getattr(step, "feature_names_in_", None)

    def forward(numbers):
        if names is not None and step.func not in _MONOTONE_FUNCTIONS:
            import pandas  # here for import time, and since it may not be installed

            numbers = pandas.DataFrame(numbers, columns=names)
        return step.transform(numbers)

    n_columns = step.n_features_in_
    if not is_elementwise(forward, n_columns):
        return None
    return preimages_through_monotone(forward, n_columns, preimages)


_INVERSES = (
    (ClassEntropyDiscretizer, _invert_discretizer),
    (SelectorMixin, _invert_selector),
    (ColumnTransformer, _invert_column_transformer),
    (_SCALERS, _invert_scaler),
    (FunctionTransformer, _invert_function),
    (_CURVES, _invert_curve),
    (KBinsDiscretizer, _invert_bins),
    (OrdinalEncoder, _invert_ordinal_encoder),
    (OneHotEncoder, _invert_one_hot_encoder),
    (TargetEncoder, _invert_target_encoder),
    (SimpleImputer, _invert_imputer),
    (MissingIndicator, _invert_indicator),
)
