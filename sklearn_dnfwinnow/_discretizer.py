"""ClassEntropyDiscretizer: numbers to intervals, by the class entropy they leave."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._columns import (
    check_table,
    column_label,
    columns_of,
    is_numeric,
    replace_columns,
)
from sklearn_dnfwinnow._compat import (
    Interval,
    StrOptions,
    check_sample_weight,
    fit_context,
    get_output_config,
)
from sklearn_dnfwinnow._entropy import multisplit

# Average class entropies, and class shares, at most this far apart (in bits, in parts
# of one) count as equal: far above the rounding of sums of fractional weights, far
# below any difference that a sample could show.
TIE = 1e-12


class ClassEntropyDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut numeric columns into the intervals of least average class entropy.

    The average class entropy (ACE) of a partition of the rows into intervals is the
    mean, over the rows, of the entropy of the class distribution in the row's
    interval [1]_. Of all partitions of a column into at most `max_intervals`
    intervals, dynamic programming finds one of least ACE: an optimum, not the outcome
    of greedy splits. This is how real-valued attributes are prepared for Winnow over
    all terms in [2]_.

    Each column is cut on its own, in O(n log n + k B^2 m) time at worst for n rows,
    k = `max_intervals`, m classes and B runs of neighbouring values with the same class
    distribution; exact pruning mostly leaves a small part of that.

    Parameters
    ----------
    max_intervals : int, default=10
        The largest number of intervals of a column, at least 2. A cap is needed because
        more intervals never raise the ACE: without one, every run of values with its
        own class distribution would become an interval. Few intervals keep the terms
        over them few and well supported; past about ten, accuracy seldom improves. A
        column gets fewer intervals if fewer reach the same ACE.

    columns : {'numeric', 'all'} or array-like of str, int or bool, default='numeric'
        The columns to cut; the others pass through untouched.

        - 'numeric': those that hold integers or floats. In a data frame the dtype
          decides (booleans, categories and strings are not numeric); in an array or
          list of objects, and in an object column of a frame, the values do: some must
          not be missing, and all of these be real numbers, not booleans.
        - 'all': every column.
        - array-like: names, positions, or a boolean mask.

    Attributes
    ----------
    cut_points_ : list of `n_features_in_` ndarrays of shape (n_intervals - 1,), or None
        Ascending float64 cut points of each column, each midway between two
        neighbouring values; empty for a column of one interval, None in place of the
        array for a column that passes through. Interval i of cut points c is
        (c[i-1], c[i]]: a value equal to a cut point lies below it.

    n_intervals_ : ndarray of shape (`n_features_in_`,)
        Number of intervals of each column, an integer; 0 for a column that passes
        through.

    average_class_entropy_ : ndarray of shape (`n_features_in_`,)
        ACE of each column's intervals over the training rows, in bits; NaN for a column
        that passes through or has no value.

    n_features_in_ : int
        Number of columns seen during `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns seen during `fit`, if all were strings.

    See Also
    --------
    sklearn.preprocessing.KBinsDiscretizer : Bins that do not look at the classes.

    Notes
    -----
    The outer intervals are open: a value outside the range seen in `fit` falls into the
    first or the last. Rows with a missing value in a column are left out when that
    column is cut, and a missing value stays missing (NaN) in the output. A constant
    column, or one without a value, gets one interval.

    Cut points lie in the middle between neighbouring values as rounded to float64, and
    on the lower value where nothing lies between, so that training rows always fall
    into the interval they were counted in. Partitions whose ACE differs by less than
    1e-12 bits are tied; ties go to fewer intervals, then to the leftmost last cut, and
    so on down to the first.

    References
    ----------
    .. [1] T. Elomaa and J. Rousu, "General and efficient multisplitting of numerical
       attributes", Machine Learning 36(3), 201-244, 1999.
    .. [2] Q. Tao and S. Scott, "An analysis of MCMC sampling methods for estimating
       weighted sums in Winnow", section 5.1, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> discretizer = ClassEntropyDiscretizer(max_intervals=3).fit(X, y)
    >>> discretizer.cut_points_[3]
    array([0.8 , 1.75])
    >>> discretizer.transform(X.iloc[[0, 60, 120]])
    array([[0., 2., 0., 0.],
           [0., 0., 1., 1.],
           [2., 1., 2., 2.]])
    """

    _parameter_constraints: ClassVar[dict] = {
        "max_intervals": [Interval(Integral, 2, None, closed="left")],
        "columns": [StrOptions({"numeric", "all"}), "array-like"],
    }

    def __init__(self, *, max_intervals=10, columns="numeric"):
        self.max_intervals = max_intervals
        self.columns = columns

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find the cut points of each column.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Numbers and, in the columns that pass through, any values. A data frame is
            one of pandas or polars. None, NaN, NaT and pandas.NA are missing values.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, not negative: a row of weight 2 counts as two rows, a
            row of weight 0 as none. None is a weight of 1 for each.

        Returns
        -------
        self : ClassEntropyDiscretizer
            The fitted discretizer.

        Raises
        ------
        ValueError
            If a column to be cut is not numeric or holds an infinite value, if
            `columns` names a column that X does not have, if y is missing or
            continuous, or if a weight is negative or all are zero.
        """
        X, y = check_table(self, X, y, reset=True)
        check_classification_targets(y)
        weights = check_sample_weight(
            sample_weight, y, dtype=np.float64, ensure_non_negative=True
        )
        columns = columns_of(X)
        chosen = self._choose(columns)
        counted = weights > 0
        classes, labels = np.unique(y[counted], return_inverse=True)

        self.cut_points_ = [None] * len(columns)
        self.n_intervals_ = np.zeros(len(columns), dtype=np.intp)
        self.average_class_entropy_ = np.full(len(columns), np.nan)
        for j in np.flatnonzero(chosen):
            values = self._numbers(columns[j], j)[counted]
            seen = ~np.isnan(values)
            cut_points, entropy = _cut(
                values[seen],
                labels[seen],
                weights[counted][seen],
                len(classes),
                self.max_intervals,
            )
            self.cut_points_[j] = cut_points
            self.n_intervals_[j] = len(cut_points) + 1
            self.average_class_entropy_[j] = entropy
        return self

    def transform(self, X):
        """Replace each value by the number of its interval.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Columns as in `fit`.

        Returns
        -------
        X_out : {ndarray, dataframe} of shape (n_samples, n_features)
            Intervals 0.0, 1.0, ... in ascending order as float64, NaN for a missing
            value; other columns untouched. Without `set_output`, an array: of float64
            if all columns are numeric, and else of objects. With it, a data frame whose
            other columns keep their dtype.

        Raises
        ------
        ValueError
            If a column that was cut in `fit` is not numeric, or holds an infinite
            value.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        columns = columns_of(X)
        intervals = {}
        for j, cut_points in enumerate(self.cut_points_):
            if cut_points is not None:
                values = self._numbers(columns[j], j)
                # The number of cut points below a value; NaN sorts above them all.
                below = np.searchsorted(cut_points, values, side="left")
                intervals[j] = np.where(np.isnan(values), np.nan, below)
        container = get_output_config("transform", self)["dense"]
        return replace_columns(X, columns, intervals, container)

    def _choose(self, columns):
        """Mask of the columns to cut."""
        n_columns = len(columns)
        if isinstance(self.columns, str):
            return np.array([self.columns == "all" or is_numeric(c) for c in columns])
        wanted = np.asarray(self.columns)
        if wanted.dtype.kind == "b":
            if wanted.shape != (n_columns,):
                raise ValueError(
                    f"`columns` is a mask of shape {wanted.shape}, "
                    f"but X has {n_columns} columns."
                )
            return wanted
        mask = np.zeros(n_columns, dtype=bool)
        names = list(getattr(self, "feature_names_in_", ()))
        for column in wanted.ravel().tolist():
            if isinstance(column, str):
                if column not in names:
                    raise ValueError(
                        f"`columns` names {column!r}, which is not a column of X."
                    )
                mask[names.index(column)] = True
            elif isinstance(column, Integral):
                if not 0 <= column < n_columns:
                    raise ValueError(
                        f"`columns` has position {column}, but the positions of the "
                        f"columns of X are 0 to {n_columns - 1}."
                    )
                mask[column] = True
            else:
                raise ValueError(
                    "`columns` must be 'numeric', 'all', or names, positions or a mask "
                    f"of columns; got {column!r} among them."
                )
        return mask

    def _numbers(self, column, position):
        """A column to cut, as float64."""
        label = column_label(self, position)
        if np.equal(column, None).all():
            return np.full(len(column), np.nan)
        if not is_numeric(column):
            raise ValueError(
                f"`columns`={self.columns!r} selects column {label} to be cut into "
                "intervals, but its values are not all numbers."
            )
        values = column.astype(np.float64)
        if np.isinf(values).any():
            raise ValueError(
                "Input X contains infinity or a value too large for dtype('float64') "
                f"in column {label}."
            )
        return values

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _cut(values, labels, weights, n_classes, max_intervals):
    """Cut points of least average class entropy, and that entropy in bits."""
    if len(values) == 0:
        return np.empty(0), np.nan
    lower, upper, counts = _segments(values, labels, weights, n_classes)
    prefix = np.vstack([np.zeros(n_classes), counts.cumsum(axis=0)])
    total = prefix[-1].sum()
    tie = TIE * total
    n_segments = len(counts)

    n_arities = min(max_intervals, n_segments)
    cost = np.full((n_arities, n_segments + 1), np.inf)
    start = np.zeros((n_arities, n_segments + 1), dtype=np.intp)
    multisplit(prefix, tie, cost, start)

    # More intervals never cost more: the fewest that reach the least cost of all.
    costs = cost[:, -1]
    arity = np.flatnonzero(costs <= costs[-1] + tie)[0]
    borders = []
    segment = n_segments
    for k in range(arity, 0, -1):
        segment = start[k, segment]
        borders.append(segment - 1)
    borders = borders[::-1]
    return _midpoints(lower[borders], upper[borders]), costs[arity] / total


def _segments(values, labels, weights, n_classes):
    """Merge rows that no optimal partition needs to separate.

    Equal values, and neighbouring values with the same shares of the classes (Elomaa &
    Rousu 2004), are one segment. Returns the value before and the value after each
    border between segments, and the weight of each class in each segment.
    """
    order = np.argsort(values, kind="stable")
    values, labels, weights = values[order], labels[order], weights[order]
    is_new = np.concatenate([[True], values[1:] > values[:-1]])
    cells = (np.cumsum(is_new) - 1) * n_classes + labels
    values = values[is_new]
    counts = np.bincount(cells, weights, minlength=len(values) * n_classes)
    counts = counts.reshape(-1, n_classes)

    shares = counts / counts.sum(axis=1, keepdims=True)
    differs = (np.abs(np.diff(shares, axis=0)) > TIE).any(axis=1)
    borders = np.flatnonzero(differs)
    counts = np.add.reduceat(counts, np.concatenate([[0], borders + 1]), axis=0)
    return values[borders], values[borders + 1], counts


def _midpoints(lower, upper):
    """Midway between two numbers, rounded so that lower <= midpoint < upper."""
    middle = 0.5 * lower + 0.5 * upper  # the sum itself could overflow
    return np.where((lower <= middle) & (middle < upper), middle, lower)
