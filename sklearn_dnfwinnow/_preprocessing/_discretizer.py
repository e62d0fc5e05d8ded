"""ClassEntropyDiscretizer: numbers to intervals of least class entropy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from numbers import Integral
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._preprocessing._column_choice import (
    chosen_columns,
    refuse_to_cut,
)
from sklearn_dnfwinnow._preprocessing._column_cuts import Cutter
from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
    column_label,
    columns_of,
    is_numeric,
    numbers_of,
    replace_columns,
)
from sklearn_dnfwinnow._preprocessing._entropy_cuts._interval_selection import (
    SELECTIONS,
)
from sklearn_dnfwinnow._utils._callbacks import callback_context
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import (
    CallbackSupportMixin,
    Interval,
    RealNotInt,
    StrOptions,
    check_sample_weight,
    fit_context,
    get_output_config,
)
from sklearn_dnfwinnow._utils._estimator_mixins import (
    DocumentationLinkMixin,
    VersionedMixin,
)
from sklearn_dnfwinnow._utils._rollback import all_or_nothing

# The parameters that say how a column is cut.
_SETTINGS = "max_intervals", "selection", "min_samples_interval", "max_segments"


class ClassEntropyDiscretizer(
    DocumentationLinkMixin,
    VersionedMixin,
    CallbackSupportMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
    BaseEstimator,
):
    """Cut numeric columns into the intervals of least average class entropy.

    The average class entropy (ACE) of a partition of the rows into intervals is the
    mean, over the rows, of the entropy of the class distribution in the row's
    interval [1]_. Of all partitions of a column into at most `max_intervals`
    intervals, dynamic programming finds one of least ACE: an optimum, not the outcome
    of greedy splits. This is how real-valued attributes are prepared for Winnow over
    all terms in [2]_.

    Each column is cut on its own, in O(n log n + B^2 (m + k)) time at worst for n rows,
    m classes, k = `max_intervals` and B segments: runs of neighbouring values with the
    same class distribution. Exact pruning mostly leaves a small part of that. Memory is
    O(n + B (m + k)) a column.

    Parameters
    ----------
    max_intervals : int, default=10
        The largest number of intervals of a column, at least 2. A cap is needed because
        more intervals never raise the ACE: without one, every run of values with its
        own class distribution would become an interval. Few intervals keep the terms
        over them few and well supported; past about ten, accuracy seldom improves.

    selection : {'max', 'mdl', 'balanced', 'quantiles'}, default='max'
        How many intervals to take, of the partitions of least ACE into 1, 2, ...,
        `max_intervals` intervals.

        - 'max': the fewest that reach the least ACE of all, which mostly are all
          `max_intervals`. Weights have no scale here.
        - 'mdl': those of the least description length, in the sense of MODL [3]_: the
          most probable partition, if every number of intervals, every way to share the
          rows out among them, and every class distribution in each were as probable as
          any other. A column that says nothing of the class mostly gets one interval.
          A weight of 1 counts as a row here: weights have a scale.
          (The criterion of Fayyad & Irani compares one cut with none; it has no value
          for a partition into several intervals.)
        - 'balanced': those of the largest balanced gain, the ACE saved over log2 of the
          number of intervals [1]_: two or a few in a column that tells the classes
          apart, but mostly all `max_intervals` in one of noise, whose gain grows with
          every cut. One only if no cut lowers the ACE. Weights have no scale.
        - 'quantiles': about `max_intervals` of about the same weight, whatever the
          classes, but that neighbours with the same class distribution become one.
          Weights have no scale.

    min_samples_interval : int or float, default=1
        The least that each interval of a column must hold, unless there is only one:

        - int: a number of rows, or with `sample_weight` their weight. 1 is no limit,
          whatever the weights.
        - float, between 0 and 1: a share of the weight of the rows that have a value in
          the column.

    max_segments : int or None, default=10_000
        The largest number of segments of a column for which every cut is tried. At
        10,000, and a few classes, that takes about a second; time grows with the square
        of the segments, and with the classes. Of a column with more, only cuts at this
        many quantiles are tried: neighbouring segments are merged into groups of about
        the same weight, and the partition is the best that cuts between groups. A
        warning names these columns. None is no limit. With `min_samples_interval` each
        distinct value is a segment.

    columns : {'numeric', 'all'} or array-like of str, int or bool, default='numeric'
        The columns to cut; the others pass through untouched. Booleans are cut, as 0
        and 1, only if they are asked for. Dates, times and durations are refused:
        make numbers of them first, such as the days since an event.

        - 'numeric': those that hold integers or floats. In a data frame the dtype
          decides (booleans, categories and strings are not numeric); in an array or
          list of objects, and in an object column of a frame, the values do: some must
          not be missing, and all of these be real numbers, not booleans.
        - 'all': every column.
        - array-like: names, positions, or a boolean mask.

    n_jobs : int or None, default=None
        Number of threads to cut columns in. None is 1 unless in a
        :obj:`joblib.parallel_config` context, -1 all processors. Results do not depend
        on it.

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

    entropy_path_ : list of `n_features_in_` ndarrays of shape (n_arities,), or None
        ACE of the best partition of each column into 1, 2, ... intervals, in bits: up
        to `max_intervals`, or as many as there are segments, or as
        `min_samples_interval` allows. None for a column that passes through.

    interval_labels_ : list of `n_features_in_` ndarrays of str, or None
        Names of each column's intervals, for people: ``<= 0.8``, ``(0.8, 1.75]``,
        ``> 1.75``. Cut points are rounded in them, and only there, to the fewest digits
        that stay between the same two training values and within a tenth of the gap
        between these. None for a column that passes through.

    representatives_ : list of `n_features_in_` ndarrays, or None
        Median of the training values in each interval of each column, weighted: the
        least value at which half the weight is reached, so one that there is. NaN for a
        column without a value, None for one that passes through.

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
    column, or one without a value, gets one interval. Infinite values are refused.
    Results do not depend on the order of the rows.

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
    .. [3] M. Boulle, "MODL: a Bayes optimal discretization method for continuous
       attributes", Machine Learning 65(1), 131-165, 2006.

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
    >>> discretizer.interval_labels_[3].tolist()
    ['<= 0.8', '(0.8, 1.75]', '> 1.75']
    >>> discretizer.entropy_path_[3].round(2)
    array([1.58, 0.67, 0.21])
    """

    _parameter_constraints: ClassVar[dict] = {
        "max_intervals": [Interval(Integral, 2, None, closed="left")],
        "selection": [StrOptions(set(SELECTIONS))],
        "min_samples_interval": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
        ],
        "max_segments": [Interval(Integral, 2, None, closed="left"), None],
        "columns": [StrOptions({"numeric", "all"}), "array-like"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        max_intervals=10,
        selection="max",
        min_samples_interval=1,
        max_segments=10_000,
        columns="numeric",
        n_jobs=None,
    ):
        self.max_intervals = max_intervals
        self.selection = selection
        self.min_samples_interval = min_samples_interval
        self.max_segments = max_segments
        self.columns = columns
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find the cut points of each column.

        If it raises, Ctrl-C included, the discretizer stays as it was.

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
        TypeError
            If a column holds dates, times or durations.
        """
        with all_or_nothing(self), callback_context(self, X, y, sample_weight):
            X, y = check_table(self, X, y, reset=True)
            check_classification_targets(y)
            weights = check_sample_weight(
                sample_weight, y, dtype=np.float64, ensure_non_negative=True
            )
            columns = columns_of(X, self)
            names = getattr(self, "feature_names_in_", ())
            numeric = list(map(is_numeric, columns))
            chosen = chosen_columns(self.columns, numeric, names)
            positions = np.flatnonzero(chosen)
            cutter = self._cutter(y, weights)
            tasks = (
                delayed(cutter.cut)(self._numbers(columns[j], j)) for j in positions
            )
            try:
                found = Parallel(n_jobs=self.n_jobs, require="sharedmem")(tasks)
            except BaseException:
                cutter.halt()
                raise

            cuts = [None] * len(columns)
            for j, column in zip(positions, found):
                cuts[j] = column
            self._become(cuts)
            self._warn_of_quantiles(positions, found)
        return self

    def _cutter(self, labels, weights):
        """Return what cuts columns of some rows by the parameters, see `Cutter`."""
        settings = {name: getattr(self, name) for name in _SETTINGS}
        return Cutter(labels, weights, settings)

    def _become(self, cuts):
        """Set the fitted attributes from cuts, None for columns that pass through."""
        self.cut_points_, self.entropy_path_ = [], []
        self.interval_labels_, self.representatives_ = [], []
        self.n_intervals_ = np.zeros(len(cuts), dtype=np.intp)
        self.average_class_entropy_ = np.full(len(cuts), np.nan)
        for j, column in enumerate(cuts):
            is_cut = column is not None
            self.cut_points_.append(column.points if is_cut else None)
            self.entropy_path_.append(column.entropy_path if is_cut else None)
            self.interval_labels_.append(column.labels if is_cut else None)
            self.representatives_.append(column.representatives if is_cut else None)
            if is_cut:
                self.n_intervals_[j] = len(column.labels)
                self.average_class_entropy_[j] = column.entropy_path[len(column.points)]

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
        columns = columns_of(X, self)
        intervals = self._intervals(columns)
        container = get_output_config("transform", self)["dense"]
        return replace_columns(X, columns, intervals, container)

    def _intervals(self, columns):
        """Return the intervals of the columns that are cut: dict of float64 arrays."""
        intervals = {}
        for j, cut_points in enumerate(self.cut_points_):
            if cut_points is not None:
                values = self._numbers(columns[j], j)
                # The number of cut points below a value; NaN sorts above them all.
                below = np.searchsorted(cut_points, values, side="left")
                intervals[j] = np.where(np.isnan(values), np.nan, below)
        return intervals

    def inverse_transform(self, X):
        """Replace each interval by the median of its training values.

        What was inside an interval is lost: these are values typical of each, not the
        ones that there were. `transform` takes them to the same intervals again.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Intervals as `transform` returns them.

        Returns
        -------
        X_original : ndarray of shape (n_samples, n_features)
            `representatives_` as float64, NaN for a missing value; other columns
            untouched. Of float64 if all columns are numeric, and else of objects.

        Raises
        ------
        ValueError
            If X has another number than that of an interval in a column that was cut.
        """
        check_is_fitted(self)
        with warnings.catch_warnings():
            # `transform` may have dropped the names, or made some up.
            warnings.filterwarnings("ignore", "X (does not have valid|has) feature n")
            X = check_table(self, X, reset=False)
        columns = columns_of(X, self)
        values = {}
        for j, representatives in enumerate(self.representatives_):
            if representatives is not None:
                codes = self._numbers(columns[j], j)
                is_missing = np.isnan(codes)
                numbers = np.where(is_missing, 0, codes)
                wrong = numbers != np.clip(
                    np.floor(numbers), 0, len(representatives) - 1
                )
                if wrong.any():
                    raise ValueError(
                        f"Column {column_label(self, j)} has intervals 0 to "
                        f"{len(representatives) - 1}; got {numbers[wrong][0]:g}."
                    )
                known = representatives[numbers.astype(np.intp)]
                values[j] = np.where(is_missing, np.nan, known)
        return replace_columns(X, columns, values, "default")

    def _warn_of_quantiles(self, positions, found):
        """Warn of columns that had more segments than `max_segments`."""
        if self.max_segments is None or self.selection == "quantiles":
            return
        large = [
            f"{column_label(self, j)} ({column.n_segments:,})"
            for j, column in zip(positions, found)
            if column.n_segments > self.max_segments
        ]
        if large:
            more = f" and {len(large) - 5} more" if len(large) > 5 else ""
            warnings.warn(
                f"More than max_segments={self.max_segments:,} segments in column"
                f"{'s' * (len(large) > 1)} {', '.join(large[:5])}{more}: cut points "
                "are the best among that many quantiles, not among all values. Raise "
                "`max_segments`, or set it to None, for the optimum; time grows with "
                "the square of the number of segments.",
                UserWarning,
                stacklevel=stacklevel_of_caller(),
            )

    def _numbers(self, column, position):
        """Return a column to cut as float64, or raise if it cannot be."""
        label = column_label(self, position)
        values = numbers_of(column)
        if values is None:
            refuse_to_cut(self.columns, label)
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


def cuts_like(discretizer, fitted):
    """Return whether a parameter may stand for what a classifier was fitted with.

    Parameters
    ----------
    discretizer : {'auto'}, ClassEntropyDiscretizer or None
    fitted : ClassEntropyDiscretizer or None
        None if no column is cut, for whatever reason.
    """
    if fitted is None or discretizer is None:
        return fitted is None
    return discretizer == "auto" or _cutting(discretizer) == _cutting(fitted)


def _cutting(discretizer):
    """Return the parameters that say which columns are cut, and how."""
    columns = np.asarray(discretizer.columns, dtype=object).tolist()
    return columns, [getattr(discretizer, name) for name in _SETTINGS]


def with_intervals(columns, discretizer):
    """Return columns with those that a fitted discretizer cuts as its intervals.

    Parameters
    ----------
    columns : list of ndarrays of shape (n_samples,)
        As `columns_of` returns them, `exact` or not.
    discretizer : ClassEntropyDiscretizer or None

    Returns
    -------
    columns : list of ndarrays of shape (n_samples,)
        Intervals 0.0, 1.0, ..., NaN for a missing value.
    """
    if discretizer is None:
        return columns
    intervals = discretizer._intervals(columns)
    return [intervals.get(j, column) for j, column in enumerate(columns)]
