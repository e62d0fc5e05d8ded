"""Inverses: from preimages after a fitted transformer to those before it.

There is a closed list of transformers (`_INVERSES`), of which each output column is a
function of one input column: encoders, imputers, selections, and increasing functions
of numbers. Any other transformer is opaque, and so is a subclass, which may do
something else.

Inverses are exact, but for None and NaN: these are two values to many transformers, and
one to rules. What a rule says of missing values is what training had.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import replace
from math import inf, nan

import numpy as np
from sklearn import preprocessing
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.impute import SimpleImputer

from sklearn_dnfwinnow._encoding._columns import is_missing
from sklearn_dnfwinnow._encoding._cuts import shortest
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._estimators import input_positions, one_hot_widths
from sklearn_dnfwinnow.inspection._preimages import (
    CategoricalPreimage,
    CutText,
    NumericPreimage,
)
from sklearn_dnfwinnow.inspection._steps import flatten_steps


def preimages_through(steps, preimages):
    """Return preimages before some steps, as far as these can be inverted.

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
    n_opaque = len(steps)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Steps see tables without names, and numbers that no row has.
        warnings.simplefilter("ignore")
        while n_opaque:
            step = steps[n_opaque - 1]
            invert = _INVERSES.get(type(step))
            if getattr(type(step), "transform", None) is SelectorMixin.transform:
                invert = _invert_selector
            try:
                before = invert and invert(step, preimages)
            except Exception:  # whatever a step raises
                before = None
            if before is None or None in before:
                break
            n_opaque, preimages = n_opaque - 1, before
    return n_opaque, preimages


# -- columns that stay as they are -----------------------------------------------------


def _invert_selector(step, preimages):
    """Return preimages before a selection of columns."""
    kept = step.get_support(indices=True).tolist()
    return [replace(p, column=kept[p.column]) for p in preimages]


def _invert_parts(step, preimages):
    """Return preimages before a ColumnTransformer; None if a part has no inverse."""
    if step.transformer_weights:
        return None
    found = [None] * len(preimages)
    for name, part, _ in step.transformers_:
        place = step.output_indices_[name]
        inside = {
            i: replace(p, column=p.column - place.start)
            for i, p in enumerate(preimages)
            if place.start <= p.column < place.stop
        }
        if not inside:
            continue
        n_opaque, before = preimages_through(flatten_steps([part]), [*inside.values()])
        if n_opaque:
            return None
        columns = input_positions(step, name)
        for i, preimage in zip(inside, before):
            found[i] = replace(preimage, column=columns[preimage.column])
    return found


# -- intervals -------------------------------------------------------------------------


def invert_discretizer(step, preimages, encode="ordinal"):
    """Return preimages before a ClassEntropyDiscretizer, by its output."""
    n_bins = np.where(step.n_intervals_ == 0, 1, step.n_intervals_)
    found = []
    for preimage in preimages:
        j, numbers, missing = _bins_of(preimage, n_bins, encode)
        cuts = step.cut_points_[j]
        if cuts is None:
            found.append(replace(preimage, column=j))
            continue
        inverse = NumericPreimage(
            column=j,
            cuts=cuts,
            codes=np.array([preimage.code_of(number) for number in numbers]),
            missing=preimage.code_of(missing),
            # Rounded as in the labels of their intervals, "<= 0.5" or "(0.5, 2]".
            texts=[
                CutText(label.split()[-1].rstrip("]"))
                for label in step.interval_labels_[j][:-1]
            ],
        )
        found.append(inverse if encode == "ordinal" else inverse.merged())
    return found


def _bins_of(preimage, n_bins, encode):
    """Return the column before a discretizer, and what a column of its output has.

    Parameters
    ----------
    preimage : preimage
        Of a column of the output.
    n_bins : ndarray of shape (n_columns,), int
    encode : {'ordinal', 'onehot', 'onehot-dense'}

    Returns
    -------
    column : int
    numbers : list of float
        The number in the output for each bin of this column.
    missing : float
        That for a missing value.
    """
    widths = np.ones_like(n_bins) if encode == "ordinal" else n_bins
    ends = np.cumsum(widths)
    j = int(np.searchsorted(ends, preimage.column, side="right"))
    numbers = np.arange(float(n_bins[j]))
    if encode == "ordinal":
        return j, numbers.tolist(), nan
    own = numbers == preimage.column - (ends - widths)[j]
    return j, own.astype(float).tolist(), 0.0


def _invert_bins(step, preimages):
    """Return preimages before a KBinsDiscretizer."""
    found = []
    for preimage in preimages:
        j, numbers, _ = _bins_of(preimage, step.n_bins_, step.encode)
        # A bin contains its lower edge, an interval its upper end.
        cuts = np.nextafter(np.float64(step.bin_edges_[j][1:-1]), -inf)
        codes = np.array([*map(preimage.code_of, numbers)])
        found.append(NumericPreimage(j, cuts, codes).merged())
    return found


# -- encoders --------------------------------------------------------------------------


def _invert_encoder(step, preimages):
    """Return preimages before an encoder, from its output for its categories."""
    is_one_hot = isinstance(step, preprocessing.OneHotEncoder)
    categories = [values.tolist() for values in step.categories_]
    widths = one_hot_widths(step) if is_one_hot else [1] * len(categories)
    columns = np.repeat(np.arange(len(categories)), widths).tolist()
    dropped = getattr(step, "drop_idx_", None)
    dropped = [None] * len(categories) if dropped is None else dropped
    rows = range(max(map(len, categories)))
    known = _output(step, [[v[i % len(v)] for v in categories] for i in rows])
    unknown = None
    if step.handle_unknown != "error":
        unknown = _output(step, [[*map(_unknown_value, categories)]])
    found = []
    for preimage in preimages:
        place = preimage.column
        j = columns[place]
        numbers = _cells(known, place)
        number = None if unknown is None else _cells(unknown, place)[0]
        # Values that the encoder rejects have no code of their own.
        is_coded = is_one_hot or number is not None
        other = preimage.code_of(number or 0.0) if is_coded else 0
        # Categories of the other columns of a one-hot encoder are like unknown values.
        is_short = is_one_hot and not number
        codes = {
            value: preimage.code_of(number)
            for i, (value, number) in enumerate(zip(categories[j], numbers))
            if number or not is_short or i == dropped[j]
        }
        missing = {code for value, code in codes.items() if is_missing(value)}
        if len(missing) > 1:
            return None  # None and NaN are two values to an encoder
        # Unless it is a category, a missing value is an unknown category.
        of_missing = missing.pop() if missing else other
        found.append(CategoricalPreimage(j, codes, missing=of_missing, other=other))
    return found


def _unknown_value(values):
    """Return a value of the same type as others, that is not among them."""
    if values and all(isinstance(value, (int, float)) for value in values):
        return 2.0 * max(map(abs, values)) + 1.5
    return "unknown " + max(map(str, values), key=len, default="")


def _output(step, rows):
    """Return the output of a step for rows of objects, if sparse then by columns."""
    found = step.transform(np.array(rows, dtype=object))
    return found.tocsc() if hasattr(found, "tocsc") else np.asarray(found)


def _cells(table, place):
    """Return a column of an array or of a sparse matrix as a list."""
    column = table[:, [place]]
    column = column.toarray() if hasattr(column, "toarray") else column
    return column.ravel().tolist()


# -- missing values --------------------------------------------------------------------


def _invert_imputer(step, preimages):
    """Return preimages before a SimpleImputer; None if it left missing values.

    These are None where it replaces NaN, or the other way round. There is no inverse if
    it replaces other values.
    """
    if not is_missing(step.missing_values):
        return None
    fills = step.statistics_.tolist()
    kept = list(range(len(fills)))
    if not step.keep_empty_features and step.strategy != "constant":
        # To encoders and imputers, None is a value, and only NaN is missing.
        kept = [j for j in kept if fills[j] == fills[j]]
    n_filled = len(kept)
    if step.add_indicator:
        kept += step.indicator_.features_.tolist()
    found = []
    for preimage in preimages:
        j = kept[preimage.column]
        if preimage.column < n_filled:
            if not is_missing(fills[j]) and any(map(is_missing, preimage.codes)):
                return None
            code = preimage.code_of(fills[j])
            preimage = replace(preimage, column=j)
        else:
            present, code = map(preimage.code_of, (False, True))
            preimage = CategoricalPreimage(j, {}, missing=present, other=present)
        found.append(replace(preimage, missing=code))
    return found


# -- increasing functions of numbers ---------------------------------------------------


def _invert_scaler(step, preimages):
    """Return preimages before a scaler; None if a column is not numeric.

    The preimage of a cut c is the largest number x with f(x) <= c, found by bisection
    on the numbers of float64. It is exact for the scaler including its rounding, which
    preserves the order of numbers.
    """
    numeric = [preimage.as_numeric() for preimage in preimages]
    if None in numeric:
        return None
    # Numbers that are not cut, which texts show.
    shown = [
        [float(value) for value in sorted(preimage.present)]
        if isinstance(preimage, CategoricalPreimage) and preimage.cuts is not None
        else []
        for preimage in preimages
    ]
    cuts = [[] for _ in range(step.n_features_in_)]
    for preimage, values in zip(numeric, shown):
        j = preimage.column
        cuts[j] = np.unique(np.concatenate([cuts[j], preimage.cuts, values]))
    targets = np.zeros((max(map(len, cuts)), len(cuts)))
    for j, of_column in enumerate(cuts):
        targets[: len(of_column), j] = of_column
    ends = _bisected(lambda x: np.asarray(step.transform(x)), targets)
    found = []
    for given, preimage, values in zip(preimages, numeric, shown):
        j = preimage.column
        moved = ends[np.searchsorted(cuts[j], preimage.cuts), j]
        kept = np.isfinite(moved)
        # No number is beyond an infinite end.
        last = preimage.codes[np.count_nonzero(moved < inf)]
        codes = np.append(preimage.codes[:-1][kept], last)
        inverse = replace(preimage, cuts=moved[kept], codes=codes, texts=None).merged()
        numbers = ends[np.searchsorted(cuts[j], values), j]
        if values and kept.all() and np.isfinite(numbers).all():
            # Without the digits of rounding.
            near = 1e-9 * np.diff(numbers).min(initial=np.abs(numbers).max() or 1.0)
            numbers = [float(shortest(x - near, x + near)) for x in numbers]
            codes = dict(zip(numbers, preimage.codes.tolist()))
            inverse = replace(given, codes=codes, cuts=inverse.cuts)
        found.append(inverse)
    return found


def _bisected(forward, targets):
    """Return the largest numbers that a function maps to at most some targets.

    An array like `targets`: -inf if no number qualifies, inf if all of them do.
    """
    limits = np.finfo(np.float64)
    low, high = (
        np.full(targets.shape, _ranks(end)) for end in (limits.min, limits.max)
    )
    is_none = forward(_numbers(low)) > targets
    is_all = forward(_numbers(high)) <= targets
    for _ in range(64):
        # This form avoids overflow.
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        is_below = forward(_numbers(middle)) <= targets
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.where(is_none, -inf, np.where(is_all, inf, _numbers(low)))


def _ranks(numbers):
    """Return integers in the order of float64, adjacent for adjacent numbers."""
    return _with_order(np.asarray(numbers, dtype=np.float64).view(np.int64))


def _numbers(ranks):
    """Return the numbers with the given ranks."""
    return _with_order(ranks).view(np.float64)


def _with_order(bits):
    """Return the ranks for the bits of numbers, or the bits for their ranks."""
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


# The closed list; selections of columns are found by their method.
_INVERSES = {
    ColumnTransformer: _invert_parts,
    preprocessing.FunctionTransformer: lambda step, preimages: (
        None if step.func else preimages
    ),
    ClassEntropyDiscretizer: lambda step, preimages: invert_discretizer(
        step, preimages, step.encode
    ),
    preprocessing.KBinsDiscretizer: _invert_bins,
    preprocessing.OneHotEncoder: _invert_encoder,
    preprocessing.OrdinalEncoder: _invert_encoder,
    SimpleImputer: _invert_imputer,
    preprocessing.StandardScaler: _invert_scaler,
    preprocessing.MinMaxScaler: _invert_scaler,
    preprocessing.MaxAbsScaler: _invert_scaler,
    preprocessing.RobustScaler: _invert_scaler,
}
