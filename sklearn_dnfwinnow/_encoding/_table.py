"""Table: the checked input of a training call, and parameters about its columns."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from numbers import Real

import numpy as np
from scipy.special import chdtri, rel_entr
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from sklearn_dnfwinnow._encoding._columns import (
    as_array,
    check_cells,
    check_table,
    columns_of,
    declared_categorical,
    distinct_values,
    label_of,
    numbers_of,
    ordered,
    position_of,
    ranked_numbers,
    refuse_infinity,
)
from sklearn_dnfwinnow._encoding._cuts import is_whole
from sklearn_dnfwinnow._utils._estimators import check_sample_weight

_BOOLEANS = bool, np.bool_


def chosen_columns(columns, numeric, names):
    """Return a mask of the columns that a parameter selects.

    Parameters
    ----------
    columns : {'numeric', 'all'} or array-like
        See :class:`~sklearn_dnfwinnow.ClassEntropyDiscretizer`.
    numeric : list of bool
        Whether each column is numeric.
    names : sequence of str
        Names of the columns; empty if they have none.

    Returns
    -------
    mask : ndarray of shape (n_columns,), bool

    Raises
    ------
    ValueError
        If there is no such column.
    """
    n_columns = len(numeric)
    if isinstance(columns, str):
        return np.array([columns == "all" or is_number for is_number in numeric])
    # As objects: NumPy would convert positions to strings if there are also names.
    wanted = np.asarray(columns, dtype=object)
    if wanted.ndim != 1:
        raise ValueError(
            f"`columns` must be 'numeric', 'all', or one-dimensional; got {columns!r}."
        )
    wanted = wanted.tolist()
    if wanted and all(isinstance(column, _BOOLEANS) for column in wanted):
        if len(wanted) != n_columns:
            raise ValueError(
                f"`columns` must be a mask of length {n_columns}, the number of "
                f"columns of X; got length {len(wanted)}."
            )
        return np.array(wanted)
    mask = np.zeros(n_columns, dtype=bool)
    names = list(names)
    for column in wanted:
        mask[position_of(column, names, n_columns, parameter="`columns`")] = True
    return mask


def read_signs(given, names, classes, has_order=None):
    """Return the directions in a parameter `monotonic_cst`.

    Parameters
    ----------
    given : array-like of shape (n_columns,) or dict
    names : list of str
        Of all columns.
    classes : list
    has_order : callable, default=None
        Says of the position of a column whether its values are numbers.

    Returns
    -------
    signs : dict of int to tuple of int
        For columns by their position, the sign of each class: 1 if its score may only
        increase with the column, -1 if it may only decrease, and 0 if it is free.

    Raises
    ------
    ValueError
        With the expected value.
    """
    if not isinstance(given, Mapping):
        if np.ndim(given) != 1 or len(given) != len(names):
            raise ValueError(
                "monotonic_cst must be a dict, or contain one sign for each of the "
                f"{len(names)} columns of X; got {given!r}."
            )
        given = dict(enumerate(given))
    signs = {}
    for column, sign in given.items():
        j = position_of(column, names, len(names), parameter="monotonic_cst")
        of_classes = _signs(column, sign, classes)
        if j in signs:
            raise ValueError(f"monotonic_cst contains column {column!r} twice.")
        if any(of_classes) and has_order is not None and not has_order(j):
            raise ValueError(
                f"monotonic_cst must select numeric columns; got column {names[j]!r}, "
                "whose values are not all numbers."
            )
        signs[j] = of_classes
    return signs


def _signs(column, given, classes):
    """Return the sign of each class for a column."""
    if isinstance(given, Mapping):
        signs = [0] * len(classes)
        for class_, sign in given.items():
            if class_ not in classes:
                raise ValueError(
                    f"monotonic_cst must contain classes of y, {classes}; got "
                    f"{class_!r}."
                )
            signs[classes.index(class_)] = _sign(column, sign)
        return tuple(signs)
    sign = _sign(column, given)
    if sign and len(classes) != 2:
        raise ValueError(
            f"monotonic_cst[{column!r}] must be a dict from classes to signs if there "
            f"are more than two classes, such as {{{classes[-1]!r}: 1, "
            f"{classes[0]!r}: -1}}; got {given!r} with {len(classes)} classes."
        )
    return (-sign, sign) if sign else (0,) * len(classes)


def _sign(column, given):
    is_sign = isinstance(given, Real) and not isinstance(given, _BOOLEANS)
    if not (is_sign and given in (-1, 0, 1)):
        raise ValueError(
            f"monotonic_cst[{column!r}] must be -1, 0 or 1, or a dict from classes to "
            f"these; got {given!r}."
        )
    return int(given)


def numbers_to_cut(cells, label, columns=None):
    """Return the numbers of a column to cut: float64, NaN for a missing one.

    Parameters
    ----------
    cells : ndarray of shape (n_samples,)
        As returned by `columns_of`.
    label : str
        Name of the column in messages.
    columns : {'numeric', 'all'} or array-like, default=None
        See `chosen_columns`. None for new samples: errors then name the first value
        that is not a number.

    Raises
    ------
    ValueError
        If they are not all numbers, or one is infinite.
    """
    numbers = numbers_of(cells, declared=columns is None)
    if numbers is None and columns is None:
        check_cells(cells.tolist(), None, label)
        raise ValueError(
            f"The values of column {label} are not all numbers, as they were in "
            "`fit`: some are booleans."
        )
    if numbers is None:
        refuse_to_cut(columns, label)
    refuse_infinity(numbers, label)
    return numbers


def refuse_to_cut(columns, label):
    """Raise the error of a selected column that is not numeric.

    Parameters
    ----------
    columns : {'numeric', 'all'} or array-like
        See `chosen_columns`.
    label : str
        Name of the column in messages.
    """
    raise ValueError(
        f"`columns`={columns!r} selects column {label} to be cut into "
        "intervals, but its values are not all numbers (categories never are)."
    )


@dataclass(frozen=True, eq=False)
class FactorizedColumn:
    """The distinct values of a column.

    Attributes
    ----------
    values : list
        None for a missing value, whether or not there is one, followed by the distinct
        values in order.
    dtype : dtype
        Of the cells, see :func:`sklearn_dnfwinnow._encoding._columns.columns_of`.
    """

    values: list
    dtype: np.dtype

    @classmethod
    def of(cls, cells, label):
        """Return a column of `columns_of`, and the places of its cells: int32."""
        values, places = distinct_values(cells, label)
        present = [value for value in values if value is not None]
        in_order = [None, *(ordered(present) if cells.dtype == object else present)]
        ranks = {value: place for place, value in enumerate(in_order)}
        look_up = np.array([ranks[value] for value in values], dtype=np.int32)
        return cls(in_order, cells.dtype), look_up[places]

    @cached_property
    def numbers(self):
        """The values as numbers, also for booleans: (n_values + 1,), float64, or None.

        NaN for the missing one. None for other values.
        """
        numbers = self.values[1:]
        if self.dtype == object:
            numbers = numbers_of(as_array(numbers, numeric=False))
        return None if numbers is None else np.array([np.nan, *numbers], np.float64)

    @property
    def is_numeric(self):
        """Whether the column contains numbers, not booleans or objects."""
        return self.dtype.kind in "iuf"

    @cached_property
    def ranked(self):
        """Ascending numbers, and the rank of each value: see `ranked_numbers`.

        Large integers that differ can be the same number.
        """
        return ranked_numbers(self.numbers)


@dataclass(frozen=True, eq=False)
class FactorizedTable:
    """Data as the distinct values of each column, and their places.

    Attributes
    ----------
    codes : ndarray of shape (n_samples, n_features), int32
        The place of each cell among the values of its column, 0 if it is missing.
    columns : list of n_features FactorizedColumn
    names : tuple of str
        Names of the columns of X; empty if they have none.
    """

    codes: np.ndarray
    columns: list
    names: tuple

    @classmethod
    def of(cls, columns, names=()):
        """Return the factorized table of some columns.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_samples,)
            As returned by :func:`sklearn_dnfwinnow._encoding._columns.columns_of`.
        names : sequence of str, default=()

        Raises
        ------
        ValueError
            If a value is infinite.
        TypeError
            If a value has no hash.
        """
        codes = np.empty((len(columns[0]), len(columns)), dtype=np.int32, order="F")
        factorized = []
        for j, cells in enumerate(columns):
            column, codes[:, j] = FactorizedColumn.of(cells, label_of(names, j))
            factorized.append(column)
        return cls(codes, factorized, tuple(names))

    def label(self, j):
        """Return the label of a column in messages."""
        return label_of(self.names, j)

    @property
    def numeric(self):
        """Whether each column is numeric: list of bool."""
        return [column.is_numeric for column in self.columns]

    def columns_to_cut(self, discretizer):
        """Return the positions of the columns that a discretizer cuts, none for None.

        Raises
        ------
        ValueError
            If there is no such column, or it is not numeric.
        """
        if discretizer is None:
            return []
        chosen = chosen_columns(discretizer.columns, self.numeric, self.names)
        for j in np.flatnonzero(chosen):
            if self.columns[j].numbers is None:
                refuse_to_cut(discretizer.columns, self.label(j))
        return np.flatnonzero(chosen).tolist()

    def ranked(self, columns, rows=slice(None)):
        """Return ascending numbers of some columns, and the ranks of their cells.

        Parameters
        ----------
        columns : list of int
        rows : ndarray of shape (n_samples,), bool, default=slice(None)
            Some of the samples; all by default.

        Returns
        -------
        ranked : dict of int to (numbers, places)
            Places are 0 for a missing value.
        """
        found = {}
        for j in columns:
            numbers, ranks = self.columns[j].ranked
            found[j] = numbers, ranks[self.codes[rows, j]]
        return found

    def is_one_view(self, discretizer, missing):
        """Return whether the codes of all rows are valid for any held-out rows.

        They are if they do not depend on labels. Values that occur only in held-out
        rows then keep their own codes, which no other row uses.
        """
        if missing == "most_frequent" and not self.codes.all():
            return False
        if not self.columns_to_cut(discretizer):
            return True
        is_limited = discretizer.min_samples_interval != 1
        return discretizer.selection == "quantiles" and not is_limited


def check_samples(estimator, X, y, sample_weight, *, reset=True):
    """Check the arguments of `fit`, see `check_table`.

    Returns
    -------
    X : {dataframe, ndarray} of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Class labels.
    weights : ndarray of shape (n_samples,), float64
        Sample weights, ones for None; negative ones raise an error.
    """
    X, y = check_table(estimator, X, y, reset=reset)
    check_classification_targets(y)
    return X, y, check_sample_weight(sample_weight, X)


def in_samples(weights):
    """Return weights in units of a sample.

    Whole numbers are numbers of equal samples, up to a common factor. Others are
    relative to their mean.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,), float64
        Not negative; samples of weight 0 are ignored.
    """
    if is_whole(weights):
        return weights / np.gcd.reduce(weights.astype(np.int64))
    # Relative to the largest, so that no sum overflows. The sum does not depend on the
    # order of samples.
    weights = weights / weights.max()
    return weights * (np.count_nonzero(weights) / fsum(weights))


def class_weights(class_weight, classes, y, weights):
    """Return the weight of each class, by the rules of scikit-learn.

    Parameters
    ----------
    class_weight : dict, 'balanced' or None
    classes : ndarray of shape (n_classes,)
    y : ndarray of shape (n_samples,)
        Class labels.
    weights : ndarray of shape (n_samples,)
        Sample weights; samples of weight 0 are ignored.

    Returns
    -------
    of_classes : ndarray of shape (n_classes,), float64
        Rounded to 24 significant bits, so that sums of integer weights times them are
        exact: a weight of 3 has the effect of three samples, in any order.
    """
    if class_weight is None:
        return np.ones(len(classes))
    present = weights > 0
    of_classes = compute_class_weight(
        class_weight, classes=classes, y=y[present], sample_weight=weights[present]
    )
    if (of_classes < 0).any() or not np.isfinite(of_classes).all():
        raise ValueError(
            "class_weight must contain finite numbers that are not negative; got "
            f"{class_weight!r}."
        )
    significands, net_counts = np.frexp(of_classes)
    return np.ldexp(np.rint(np.ldexp(significands, 24)), net_counts - 24)


# Maximum number of columns that a classifier learns from.
_MOST_COLUMNS = 4096


def refuse_single_class(classes):
    """Raise an error if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            "The number of classes has to be greater than one; got "
            f"{len(classes)} class."
        )


def refuse_many_columns(estimator):
    """Raise an error if X has too many columns to learn from.

    Parameters
    ----------
    estimator : estimator instance
        With `n_features_in_`.
    """
    if estimator.n_features_in_ > _MOST_COLUMNS:
        name = type(estimator).__name__
        raise ValueError(
            f"{name} learns from at most {_MOST_COLUMNS:,} columns; X has "
            f"{estimator.n_features_in_:,}. Select columns before it: "
            f"make_pipeline(SelectKBest(k=1000), {name}())."
        )


# Probability that missing values tell the classes apart by chance.
_CHANCE = 0.01


class LabelledTable:
    """Samples with positive weight, and their classes.

    Parameters
    ----------
    estimator : estimator instance
        With `classes_` in sorted order; it can have a `class_weight`.
    X, y : as returned by `check_table`
    weights : ndarray of shape (n_given,), float64
        Not negative.

    Attributes
    ----------
    table : FactorizedTable
    labels : ndarray of shape (n_samples,), int
        Class indices.
    sample_weights : ndarray of shape (n_samples,), float64
        Positive.
    class_weights : ndarray of shape (n_classes,), float64
        Positive for the classes of the samples.
    declared : list of n_features bool
        Whether each column has a categorical dtype.
    kept : ndarray of shape (n_given,), bool
        Which of the given samples these are.

    Raises
    ------
    ValueError
        If X has too many columns, before a sparse one becomes dense.
    """

    def __init__(self, estimator, X, y, weights):
        refuse_many_columns(estimator)
        classes = estimator.classes_
        class_weight = getattr(estimator, "class_weight", None)
        self.class_weights = class_weights(class_weight, classes, y, weights)
        # The label of a sample of weight 0 may not be in `classes_`.
        labels = np.searchsorted(classes, y).clip(max=len(classes) - 1)
        with np.errstate(over="ignore"):
            self.kept = weights * self.class_weights[labels] > 0
        self.table = FactorizedTable.of(
            [column[self.kept] for column in columns_of(X, estimator)],
            names=getattr(estimator, "feature_names_in_", ()),
        )
        self.labels, self.sample_weights = labels[self.kept], weights[self.kept]
        self.declared = declared_categorical(X)

    @cached_property
    def telling_columns(self):
        """Return the columns whose missing values tell the classes apart: tuple of int.

        By the likelihood ratio of "is missing" and the class, against chance.
        """
        found, n_classes = [], len(self.class_weights)
        for j, codes in enumerate(self.table.codes.T):
            is_missing = codes == 0
            if not 0 < is_missing.sum() < len(codes):
                continue
            cells = is_missing * n_classes + self.labels
            counts = np.bincount(cells, self.sample_weights, 2 * n_classes)
            counts = counts.reshape(2, n_classes)
            expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
            n_free = np.count_nonzero(counts.any(axis=0)) - 1
            if 2 * rel_entr(counts, expected).sum() > chdtri(max(n_free, 1), _CHANCE):
                found.append(j)
        return tuple(found)

    @cached_property
    def weights(self):
        """Sample weights times class weights: (n_samples,), float64."""
        with np.errstate(over="ignore"):
            return self.sample_weights * self.class_weights[self.labels]
