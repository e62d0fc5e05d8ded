"""Inverse transforms: preimages, from behind a fitted transformer to in front of it.

A transformer is understood if each column that it makes is a function of one column of
the table before it, and if it is known which values of that column become which. These
are encoders, imputers, selections, monotone functions of numbers, and combinations of
them. All others, those that mix columns, are not.
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

from sklearn_dnfwinnow._columns import is_missing
from sklearn_dnfwinnow._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._pipelines import flat
from sklearn_dnfwinnow._preimages import CategoricalPreimage, CutText, NumericPreimage

# Sums and products of floats, rounded, keep the order of numbers.
_SCALERS = StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, Binarizer
# These keep it but for the last digits, so that only cuts between values go back.
_CURVES = PowerTransformer, QuantileTransformer
# What one-hot encoders do with unknown categories if they count them as infrequent.
_TO_INFREQUENT = "infrequent_if_exist", "warn"
_MONOTONE_FUNCTIONS = frozenset(
    [np.sqrt, np.cbrt, np.log, np.log2, np.log10, np.log1p, np.exp, np.exp2, np.expm1]
    + [np.arcsinh, np.arctan, np.tanh, np.sinh, np.positive, np.negative]
)
# A function is inverted between the largest of these, and its negative, that it takes.
_LIMITS = np.finfo(np.float64).max, 1e100, 1e30
# Numbers at which a function is compared with itself to see whether it is monotone.
_LADDER = 0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6
# And whether it makes of each number one of its own.
_PROBES = np.array([-3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 7.0])


def before(steps, preimages):
    """Preimages in front of some steps, as far as these are understood.

    Parameters
    ----------
    steps : list of transformers
        Fitted.
    preimages : list of preimages
        Of columns of the table behind the last step.

    Returns
    -------
    n_opaque : int
        How many of the first steps are left: the table is what these make.
    preimages : list of preimages
        Of columns of that table.
    """
    for n_opaque in range(len(steps), 0, -1):
        try:
            # Foreign functions may warn of, or refuse, numbers that no row has.
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found = _before_step(steps[n_opaque - 1], preimages)
        except Exception:
            found = None
        if found is None or None in found:
            return n_opaque, preimages
        preimages = found
    return 0, preimages


def _before_step(step, preimages):
    """Preimages in front of a step; None, or a None among them, if not understood."""
    for kind, handler in _HANDLERS:
        if isinstance(step, kind):
            return handler(step, preimages)
    return None


# -- columns that stay as they are -----------------------------------------------------


def _before_selector(step, preimages):
    kept = step.get_support(indices=True).tolist()
    return [replace(p, column=kept[p.column]) for p in preimages]


def _before_column_transformer(step, preimages):
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
        n_opaque, within = before(flat([transformer]), within)
        if n_opaque:
            return None
        positions = _positions(columns, step)
        for i, preimage in zip(inside, within):
            found[i] = replace(preimage, column=positions[preimage.column])
    return found


def _positions(columns, step):
    """Positions of some columns of a table, however they are named."""
    names = list(getattr(step, "feature_names_in_", ()))
    every = np.arange(step.n_features_in_)
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            # By name, to the last inclusive.
            start = columns.start and names.index(columns.start)
            stop = columns.stop and 1 + names.index(columns.stop)
            columns = slice(start, stop)
        return every[columns].tolist()
    columns = np.atleast_1d(columns)
    if columns.dtype.kind in "ib":
        return every[columns].tolist()
    return [names.index(name) for name in columns]


# -- intervals -------------------------------------------------------------------------


def _before_discretizer(step, preimages):
    return [_before_cuts(step, preimage) for preimage in preimages]


def _before_cuts(step, preimage):
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
    """Cut points as they are rounded in the labels of their intervals."""
    if len(labels) == 1:
        return []
    inner = [label[1:-1].split(", ")[1] for label in labels[1:-1]]
    return [labels[0].removeprefix("<= "), *inner]


def _before_bins(step, preimages):
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
        # A bin holds its lower edge, an interval its upper end.
        cuts = np.nextafter(step.bin_edges_[j][1:-1].astype(np.float64), -inf)
        found.append(NumericPreimage(j, cuts, np.array(codes)).merged())
    return found


# -- encoders --------------------------------------------------------------------------


def _before_ordinal_encoder(step, preimages):
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
                step.encoded_missing_value if is_missing(value) else numbers[i]
            )
            for i, value in enumerate(categories)
        }
        # What the encoder refuses has no code.
        other = 0 if unknown is None else preimage.code_of(unknown)
        found.append(_categorical(j, codes, other))
    return found


def _before_one_hot_encoder(step, preimages):
    outputs = []  # of each output column: its input column, and the group of categories
    for j in range(step.n_features_in_):
        groups = _groups(step, j, missing_too=True)
        dropped = None if step.drop_idx_ is None else step.drop_idx_[j]
        if dropped is not None:
            groups = [group for group in groups if dropped not in group]
        outputs += [(j, group) for group in groups]
    found = []
    for preimage in preimages:
        j, group = outputs[preimage.column]
        codes = {
            value: preimage.code_of(float(i in group))
            for i, value in enumerate(step.categories_[j].tolist())
        }
        is_infrequent = _infrequent(step, j) == set(group)
        takes_unknown = is_infrequent and step.handle_unknown in _TO_INFREQUENT
        found.append(_categorical(j, codes, preimage.code_of(float(takes_unknown))))
    return found


def _before_target_encoder(step, preimages):
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
    """Positions, among the categories of column j, of the infrequent ones."""
    infrequent = getattr(step, "infrequent_categories_", None)
    if infrequent is None or infrequent[j] is None:
        return set()
    rare = [None if is_missing(value) else value for value in infrequent[j].tolist()]
    return {
        i
        for i, value in enumerate(step.categories_[j].tolist())
        if (None if is_missing(value) else value) in rare
    }


def _groups(step, j, missing_too=False):
    """Positions of the categories of column j that share a number, in its order."""
    rare = _infrequent(step, j)
    frequent = [
        [i]
        for i, value in enumerate(step.categories_[j].tolist())
        if i not in rare and (missing_too or not is_missing(value))
    ]
    return [*frequent, sorted(rare)] if rare else frequent


def _categorical(column, codes, other):
    """The preimage of a column whose values have these codes; None if two disagree."""
    missing = {code for value, code in codes.items() if is_missing(value)}
    if len(missing) > 1:
        return None  # None and NaN are two values to an encoder
    codes = {value: code for value, code in codes.items() if not is_missing(value)}
    # Unless it is a category, a missing value is an unknown one.
    return CategoricalPreimage(column, codes, missing.pop() if missing else other, other)


# -- missing values --------------------------------------------------------------------


def _before_imputer(step, preimages):
    fills = step.statistics_
    kept = np.arange(len(fills))
    if not step.keep_empty_features and step.strategy != "constant":
        kept = np.flatnonzero([not is_missing(fill) for fill in fills.tolist()])
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


def _before_indicator(step, preimages):
    features = step.features_.tolist()
    return [_indicated(step, features[p.column], p) for p in preimages]


def _indicated(step, column, preimage):
    """The preimage of a column that says whether another has a missing value."""
    present = preimage.code_of(False)
    codes = CategoricalPreimage(column, {}, missing=present, other=present)
    return _with_missing(step, codes, preimage.code_of(True))


def _with_missing(step, preimage, code):
    """The preimage with a code for what a step takes for missing."""
    if is_missing(step.missing_values):
        return replace(preimage, missing=code)
    if isinstance(preimage, CategoricalPreimage):
        codes = {**preimage.codes, step.missing_values: code}
        return replace(preimage, codes=codes, is_direct=False)
    return preimage.with_value(step.missing_values, code)


# -- monotone functions of numbers -----------------------------------------------------


def _before_scaler(step, preimages):
    preimages = [preimage.as_numeric() for preimage in preimages]
    if None in preimages:
        return None
    return _before_monotone(step.transform, step.n_features_in_, preimages)


def _before_curve(step, preimages):
    if not all(isinstance(preimage, NumericPreimage) for preimage in preimages):
        return None
    return _before_monotone(step.transform, step.n_features_in_, preimages)


def _before_function(step, preimages):
    if step.func is None:
        return preimages
    is_invertible = step.inverse_func is not None and step.check_inverse
    if not (is_invertible or step.func in _MONOTONE_FUNCTIONS):
        return None
    if not all(isinstance(preimage, NumericPreimage) for preimage in preimages):
        return None
    names = getattr(step, "feature_names_in_", None)

    def forward(numbers):
        if names is not None and step.func not in _MONOTONE_FUNCTIONS:
            import pandas

            numbers = pandas.DataFrame(numbers, columns=names)
        return step.transform(numbers)

    n_columns = step.n_features_in_
    if not _is_elementwise(forward, n_columns):
        return None
    return _before_monotone(forward, n_columns, preimages)


def _is_elementwise(forward, n_columns):
    """Whether a function makes of each number one of its own, whatever is around it."""
    rows = np.array([np.roll(_PROBES, j) for j in range(n_columns)]).T
    found = _as_floats(forward(rows))
    alone = np.concatenate(
        [_as_floats(forward(np.full((1, n_columns), number))) for number in _PROBES]
    )
    rolled = np.array([np.roll(alone[:, j], j) for j in range(n_columns)]).T
    return np.array_equal(found, rolled, equal_nan=True)


def _before_monotone(forward, n_columns, preimages):
    """Preimages in front of a function that keeps, or turns, the order of numbers.

    A cut c goes back to the largest number x with f(x) <= c, found by bisection on the
    numbers that float64 has. So it is exact for the function as it rounds.
    """
    columns = [preimage.column for preimage in preimages]
    limit, signs = _limit_and_signs(forward, n_columns)
    signs = signs[columns]
    missing = _codes_of_missing(forward, n_columns, preimages)
    preimages = [p.mirrored() if s < 0 else p for p, s in zip(preimages, signs)]

    def heights(numbers):
        """The function, increasing, below everything where it is not defined."""
        found = np.empty_like(numbers)
        for some in _with_distinct(columns):
            table = np.ones((len(numbers), n_columns))
            table[:, [columns[i] for i in some]] = numbers[:, some]
            values = _as_floats(forward(table))
            found[:, some] = signs[some] * values[:, [columns[i] for i in some]]
        return np.where(np.isnan(found), -inf, np.clip(found, -_LIMITS[0], _LIMITS[0]))

    # The first cut is where the function begins to be defined.
    targets = np.full((1 + max(len(p.cuts) for p in preimages), len(preimages)), -inf)
    for i, preimage in enumerate(preimages):
        targets[1 : 1 + len(preimage.cuts), i] = preimage.cuts
    ends = _bisected(heights, targets, limit)
    return [
        _with_ends(preimage, ends[: 1 + len(preimage.cuts), i], missing[i])
        for i, preimage in enumerate(preimages)
    ]


def _with_ends(preimage, ends, missing):
    """A preimage with its cuts moved, behind the end of where it is not defined."""
    if (ends[1:] < ends[:-1]).any():
        return None  # The function is not monotone.
    codes = np.array([preimage.missing, *preimage.codes])
    # Beyond an infinite end there is no number.
    n_below = np.count_nonzero(ends < inf)
    kept = np.isfinite(ends)
    return NumericPreimage(
        column=preimage.column,
        cuts=ends[kept],
        codes=np.append(codes[:-1][kept], codes[n_below]),
        missing=missing,
    ).merged()


def _limit_and_signs(forward, n_columns):
    """The largest numbers a function takes; 1 or -1 for each column it makes.

    Raises
    ------
    ValueError
        If the function is seen not to be monotone.
    """
    for limit in _LIMITS:
        positive = np.array([*_LADDER, limit])
        ladder = np.concatenate([-positive[::-1], positive])
        try:
            values = _as_floats(forward(np.repeat(ladder[:, None], n_columns, axis=1)))
            break
        except ValueError:
            if limit == _LIMITS[-1]:
                raise
    signs = np.ones(n_columns)
    for j, column in enumerate(values.T):
        defined = np.flatnonzero(~np.isnan(column))
        # An infinite value is as good as the largest number.
        steps = np.diff(np.clip(column[defined], -_LIMITS[0], _LIMITS[0]))
        if not len(defined) or defined[0] + len(defined) < len(column):
            raise ValueError("The function is not defined for large numbers.")
        if (steps < 0).any():
            signs[j] = -1.0
        if (steps * signs[j] < 0).any():
            raise ValueError("The function is not monotone.")
    return limit, signs


def _codes_of_missing(forward, n_columns, preimages):
    """Codes of what a function makes of missing values, 0 if it refuses them."""
    try:
        (values,) = _as_floats(forward(np.full((1, n_columns), np.nan)))
    except ValueError:
        return [0] * len(preimages)
    return [preimage.code_of(values[preimage.column]) for preimage in preimages]


def _bisected(heights, targets, limit):
    """The largest numbers whose heights are at most some targets: as `targets`.

    -inf where there is none from -limit on, inf where all to the limit are.
    """
    low = np.full(targets.shape, _ranks(np.float64(-limit)))
    high = np.full(targets.shape, _ranks(np.float64(limit)))
    is_none = heights(_numbers(low)) > targets
    is_all = heights(_numbers(high)) <= targets
    for _ in range(64):
        # Without overflow.
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        is_below = heights(_numbers(middle)) <= targets
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.where(is_none, -inf, np.where(is_all, inf, _numbers(low)))


def _ranks(numbers):
    """Integers in the order of numbers of float64, neighbours for neighbours."""
    bits = np.asarray(numbers, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _numbers(ranks):
    """The numbers that have some ranks."""
    bits = np.where(ranks < 0, ranks ^ np.int64(2**63 - 1), ranks)
    return bits.view(np.float64)


def _with_distinct(columns):
    """Places in a list of columns, in groups that have no column twice."""
    seen = {}
    groups = []
    for place, column in enumerate(columns):
        times = seen[column] = seen.get(column, -1) + 1
        if times == len(groups):
            groups.append([])
        groups[times].append(place)
    return groups


def _as_floats(table):
    return np.asarray(table, dtype=np.float64)


_HANDLERS = (
    (ClassEntropyDiscretizer, _before_discretizer),
    (SelectorMixin, _before_selector),
    (ColumnTransformer, _before_column_transformer),
    (_SCALERS, _before_scaler),
    (FunctionTransformer, _before_function),
    (_CURVES, _before_curve),
    (KBinsDiscretizer, _before_bins),
    (OrdinalEncoder, _before_ordinal_encoder),
    (OneHotEncoder, _before_one_hot_encoder),
    (TargetEncoder, _before_target_encoder),
    (SimpleImputer, _before_imputer),
    (MissingIndicator, _before_indicator),
)
