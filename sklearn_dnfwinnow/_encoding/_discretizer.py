"""ClassEntropyDiscretizer: numeric features to intervals of minimum class entropy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from numbers import Integral
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._columns import (
    check_table,
    column_label,
    columns_of,
    from_one_hot,
    is_numeric,
    ranked_numbers,
    replace_columns,
)
from sklearn_dnfwinnow._encoding._cuts import (
    SELECTIONS,
    Cutter,
    Partition,
    interval_places,
)
from sklearn_dnfwinnow._encoding._table import (
    check_samples,
    chosen_columns,
    numbers_to_cut,
)
from sklearn_dnfwinnow._utils._computing import run_tasks
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import (
    CallbackSupportMixin,
    Interval,
    PackageMixin,
    RealNotInt,
    StrOptions,
    all_or_nothing,
    callback_context,
    fit_context,
    get_output_config,
)

# The parameters that determine how a feature is cut.
_SETTINGS = "max_intervals", "selection", "min_samples_interval", "max_segments"
# Maximum number of quantiles that discretizer='auto' considers. Time grows with its
# square.
_MAX_SEGMENTS = 500
# Numeric columns with at most this number of distinct values may be categorical.
_MOST_CATEGORIES = 10

#: Parameters of the cuts of a model of equalities: quantiles, whose places do not
#: depend on the classes. Cuts of least entropy are fitted to the training rows, and
#: the model, which is fitted to the same rows, is then too certain.
EIGHTHS = {"selection": "quantiles", "max_intervals": 8}


class ClassEntropyDiscretizer(
    PackageMixin,
    CallbackSupportMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
    BaseEstimator,
):
    """Cut numeric features into intervals of minimum average class entropy.

    The average class entropy (ACE) of a partition measures how mixed its intervals are.
    It is the mean, over the rows, of the entropy of the class distribution in the
    interval of the row [1]_. Dynamic programming finds a partition of each feature
    that minimizes the ACE among all partitions into at most `max_intervals` intervals.
    The result is a global optimum, unlike the result of greedy splits. The paper on
    Winnow over all terms prepares numeric features in this way [2]_.

    Each feature is cut independently. The worst-case time is O(n log n + B^2 (m + k))
    for n rows, m classes, k = `max_intervals` and B segments. A segment is a run of
    neighbouring values with the same class distribution. Exact pruning usually reduces
    this time to a small part. Memory is O(n + B (m + k)) per feature.

    Parameters
    ----------
    max_intervals : int, default=10
        Maximum number of intervals of a feature, at least 2. A limit is necessary
        because more intervals never increase the ACE: without it, every run of values
        with its own class distribution would become an interval. With few intervals,
        the terms over them are few and have many rows each. More than about ten
        intervals seldom improve accuracy.

    selection : {'max', 'mdl', 'balanced', 'quantiles'}, default='max'
        Criterion that selects the number of intervals, among the partitions of minimum
        ACE into 1, 2, ..., `max_intervals` intervals.

        - 'max': the smallest number of intervals that reaches the lowest ACE. It is
          usually `max_intervals`. The scale of sample weights has no effect.
        - 'mdl': the minimum description length, in the sense of MODL [3]_. This is the
          most probable of the partitions of minimum ACE. All numbers of intervals, all
          divisions of the rows among them, and all class distributions in each
          interval are taken to be equally probable. A feature without information on
          the class usually gets one interval. A sample weight of 1 counts as one
          row, so the scale of weights matters. (The criterion of Fayyad & Irani
          compares one cut with none, and is not defined for a partition into several
          intervals.)
        - 'balanced': the maximum balanced gain, which is the reduction of the ACE
          divided by log2 of the number of intervals [1]_. It gives two or a few
          intervals for a feature that separates the classes. For a feature of noise,
          whose gain increases with every cut, it usually gives `max_intervals`. It
          gives one interval only if no cut reduces the ACE. The scale of sample weights
          has no effect.
        - 'quantiles': about `max_intervals` intervals of about the same weight,
          independent of the classes. The scale of sample weights has no effect.

        Before other models, 'max' was the best on average of fifteen data sets; 'mdl'
        can be better before linear models, see :ref:`discretizer_alone`.

    columns : {'numeric', 'all'} or array-like of str, int or bool, default='numeric'
        Features to cut. All other features are passed through unchanged. Boolean
        features are cut, as 0 and 1, only if they are selected explicitly. Dates, times
        and durations raise an error: convert them to numbers first, such as the number
        of days since an event.

        - 'numeric': features with integers or floats. The dtype of a data frame column
          decides; booleans, categories and strings are not numeric. In a list, an array
          of objects or an object column of a data frame, the values decide. At least
          one value must not be missing. All values that are not missing must be real
          numbers, not booleans.
        - 'all': all features.
        - array-like: names, positions, or a boolean mask.

    min_samples_interval : int or float, default=1
        Minimum size of an interval, if a feature has more than one.

        - int: a number of rows, or their total weight if `sample_weight` is given. 1
          means no limit, for any weights.
        - float, between 0 and 1: a fraction of the total weight of the rows with a
          value of the feature.

    max_segments : int or None, default=10_000
        Maximum number of segments of a feature for which all cuts are considered. With
        10,000 segments and a few classes, a feature takes about a second. Time
        increases with the square of the number of segments, and with the number of
        classes. For a feature with more segments, neighbouring segments are merged into
        this number of groups of about the same weight, and only cuts between groups are
        considered. The partition is optimal among these. None means no limit. With
        `min_samples_interval`, each distinct value is a segment.

    encode : {'ordinal', 'onehot', 'onehot-dense'}, default='ordinal'
        What `transform` makes of the features that are cut, as in
        :class:`~sklearn.preprocessing.KBinsDiscretizer`. Classifiers with a
        discretizer do not use it.

        - 'ordinal': the number of the interval.
        - 'onehot': a column of 0 and 1 for each interval, in a sparse array. All other
          features must be numeric.
        - 'onehot-dense': the same columns in a dense array, or a data frame.

    n_jobs : int or None, default=None
        Number of threads, over which the features are distributed. None is 1 unless in
        a :obj:`joblib.parallel_config` context, and -1 uses all processors. Results do
        not depend on `n_jobs`.

    Attributes
    ----------
    cut_points_ : list of `n_features_in_` ndarrays of shape (n_intervals - 1,), or None
        Cut points of each feature, ascending, float64. Each is midway between two
        neighbouring values. The array is empty for a feature with one interval. The
        entry is None for a feature that is not cut. Interval i of cut points c is
        (c[i-1], c[i]]: a value equal to a cut point belongs to the interval below it.

    n_intervals_ : ndarray of shape (`n_features_in_`,)
        Number of intervals of each feature, as an integer. 0 for a feature that is not
        cut.

    average_class_entropy_ : ndarray of shape (`n_features_in_`,)
        ACE of the intervals of each feature on the training rows, in bits. NaN for a
        feature that is not cut or has no value.

    entropy_path_ : list of `n_features_in_` ndarrays of shape (n_arities,), or None
        ACE of the best partition of each feature into 1, 2, ... intervals, in bits. The
        number of entries is `max_intervals`, unless there are fewer segments or
        `min_samples_interval` allows fewer intervals. None for a feature that is not
        cut.

    interval_labels_ : list of `n_features_in_` ndarrays of str, or None
        Readable names of the intervals of each feature, such as ``<= 0.8``,
        ``(0.8, 1.75]`` and ``> 1.75``. The cut points in the names are rounded to the
        fewest digits that keep them between the same two training values, and within a
        tenth of the gap between these values. `cut_points_` is not rounded. None for a
        feature that is not cut.

    representatives_ : list of `n_features_in_` ndarrays, or None
        Weighted median of the training values in each interval of each feature. It is
        the smallest training value at which half of the weight is reached. NaN for a
        feature without a value. None for a feature that is not cut.

    n_features_in_ : int
        Number of features seen in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`. Defined only if all names are strings.

    See Also
    --------
    sklearn.preprocessing.KBinsDiscretizer : Unsupervised discretization into bins.

    Notes
    -----
    The outer intervals are unbounded: a value outside the range of the training data
    belongs to the first or the last interval. Rows with a missing value of a feature
    are left out when the feature is cut. A missing value remains missing (NaN) in the
    output; one-hot columns of the feature are then all 0. A constant feature, and a
    feature without a value, have one interval. Infinite values raise an error. Results
    do not depend on the order of the rows.

    Cut points are midpoints of neighbouring values, rounded to float64. If no number
    lies between two values, the cut point is the lower value. Training rows
    therefore always belong to the interval in which they were counted. Partitions whose
    ACE differs by less than 1e-12 bits are tied. Ties are resolved in favour of fewer
    intervals, then of the leftmost last cut, and so on to the first cut.

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
        "encode": [StrOptions({"ordinal", "onehot", "onehot-dense"})],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        max_intervals=10,
        selection="max",
        columns="numeric",
        min_samples_interval=1,
        max_segments=10_000,
        encode="ordinal",
        n_jobs=None,
    ):
        self.max_intervals = max_intervals
        self.selection = selection
        self.columns = columns
        self.min_samples_interval = min_samples_interval
        self.max_segments = max_segments
        self.encode = encode
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find the cut points of each feature.

        If the call fails or is interrupted, the discretizer does not change.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows, with numbers in the features to cut, and any values in the
            other features. Data frames of pandas and polars are supported. None, NaN,
            NaT and pandas.NA are missing values.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative. A weight of 2 has the effect of two copies of
            the row. Rows with weight 0 are ignored. None is weight 1 for all
            rows.

        Returns
        -------
        self : ClassEntropyDiscretizer
            The fitted discretizer.

        Raises
        ------
        ValueError
            If a feature to be cut is not numeric or has an infinite value. If `columns`
            contains a feature that X does not have. If y is missing or continuous. If a
            weight is negative or all weights are zero.
        TypeError
            If a feature contains dates, times or durations.
        """
        with all_or_nothing(self), callback_context(self, X, y, sample_weight):
            X, y, weights = check_samples(self, X, y, sample_weight)
            columns = columns_of(X, self)
            names = getattr(self, "feature_names_in_", ())
            numeric = list(map(is_numeric, columns))
            chosen = chosen_columns(self.columns, numeric, names)
            ranked = {
                j: ranked_numbers(
                    numbers_to_cut(columns[j], column_label(self, j), self.columns)
                )
                for j in np.flatnonzero(chosen).tolist()
            }
            self._settle(self._partitions(ranked, y, weights))
        return self

    def _partitions(self, columns, labels, weights, with_entropies=True):
        """Return the Partition of each of some columns, by position.

        Parameters
        ----------
        columns : dict of int to (values, places)
            See `Cutter.partition`.
        labels, weights
            See `Cutter`.
        with_entropies : bool, default=True
            Whether entropies are needed: labels have no effect on quantiles, which are
            found sooner without.
        """
        by_quantiles = self.selection == "quantiles" and self.min_samples_interval == 1
        if by_quantiles and not with_entropies:
            return {
                j: Partition.of_quantiles(values, places, weights, self.max_intervals)
                for j, (values, places) in columns.items()
            }
        settings = {name: getattr(self, name) for name in _SETTINGS}
        cutter = Cutter(labels, weights, settings)
        partitions = run_tasks(
            cutter.partition, columns.values(), self.n_jobs, all_progress=[cutter]
        )
        return dict(zip(columns, partitions))

    def _settle(self, partitions):
        """Set the fitted attributes from partitions by position."""
        every = [partitions.get(j) for j in range(self.n_features_in_)]
        self.cut_points_ = [each and each.points for each in every]
        self.entropy_path_ = [each and each.entropies for each in every]
        self.representatives_ = [each and each.medians for each in every]
        self.interval_labels_ = [each and each.labels for each in every]
        # One more than cut points; no intervals where a feature is not cut.
        n_cuts = [-1 if points is None else len(points) for points in self.cut_points_]
        self.n_intervals_ = np.array(n_cuts, dtype=np.intp) + 1
        self.average_class_entropy_ = np.array(
            [each.entropies[n] if each else np.nan for each, n in zip(every, n_cuts)]
        )

    def transform(self, X):
        """Replace each value by its interval.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows with the features seen in `fit`.

        Returns
        -------
        X_out : {ndarray, sparse matrix, dataframe} of shape (n_samples, n_features_out)
            Numbers of intervals 0.0, 1.0, ..., ascending, as float64, or a column of
            0.0 and 1.0 for each interval, see `encode`. A missing value is NaN, or 0.0
            in all columns of the feature. Other features are unchanged. By default, the
            result is an array: of float64 if all features are numeric, and otherwise of
            objects. With `set_output` it is a data frame in which the other features
            keep their dtype. With encode='onehot' it is a CSR matrix.

        Raises
        ------
        ValueError
            If a feature that was cut in `fit` is not numeric, or has an infinite value;
            or if another one is not numeric, with encode='onehot'.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        columns = columns_of(X, self)
        places = self._places(columns)
        container = get_output_config("transform", self)["dense"]
        if self.encode == "ordinal":
            new = {j: np.where(p == 0, np.nan, p - 1.0) for j, p in places.items()}
            return replace_columns(X, columns, new, container)
        new = {
            j: (p[:, None] == np.arange(1, 1 + self.n_intervals_[j])).astype(np.float64)
            for j, p in places.items()
        }
        if self.encode == "onehot-dense":
            return replace_columns(X, columns, new, container)
        for j, column in enumerate(columns):
            if j not in places and not is_numeric(column):
                raise ValueError(
                    "encode='onehot' requires numbers in all columns, as the result is "
                    f"sparse; got others in column {column_label(self, j)}. Set "
                    "encode='onehot-dense'."
                )
        return csr_matrix(replace_columns(X, columns, new, "default"))

    def _places(self, columns):
        """Return the interval of each cell of the columns that are cut, 0 if missing.

        Parameters
        ----------
        columns : list of n_features ndarrays of shape (n_samples,)
            As returned by `columns_of`.
        """
        return {
            j: interval_places(
                cut_points, numbers_to_cut(columns[j], column_label(self, j))
            )
            for j, cut_points in enumerate(self.cut_points_)
            if cut_points is not None
        }

    def get_feature_names_out(self, input_features=None):
        """Return the names of the columns of the output.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the features; they must be those of `fit`. None uses these, or x0,
            x1, ... if there were none.

        Returns
        -------
        names : ndarray of str objects
            With one-hot columns, the name of the feature and the number of the
            interval, such as ``age_0.0``.
        """
        check_is_fitted(self)
        names = super().get_feature_names_out(input_features)
        if self.encode == "ordinal":
            return names
        every = [
            [f"{name}_{float(i)}" for i in range(n)] if n else [name]
            for name, n in zip(names, self.n_intervals_)
        ]
        return np.array([name for own in every for name in own], dtype=object)

    def bin_table(self, X, y, sample_weight=None):
        """Return the classes in each interval, as a data frame.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows with the features seen in `fit`, such as those of `fit`.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the rows. None is 1 for each.

        Returns
        -------
        table : DataFrame
            Requires pandas. One row for each interval of each feature that is cut, and
            one for its missing values, if there are any.

            - 'feature', 'bin': names of the feature and of the interval, see
              `interval_labels_`; 'missing' for missing values.
            - 'count': total weight of the rows.
            - 'share of <class>': fraction of each class among them, NaN without any.
            - 'woe': weight of evidence, the natural logarithm of the fraction of the
              rows of the class that are in the interval, divided by that of the rows of
              other classes. It is positive where the class is more frequent than
              elsewhere. If an interval has none of one kind, half a row is added to
              both.
            - 'iv': information value, the difference of the two fractions times 'woe'.
              The information value of a feature is the sum over its rows.

            With two classes, 'woe' and 'iv' are those of the second one, in sorted
            order. With more, there are 'woe of <class>' and 'iv of <class>' for each.

        Raises
        ------
        ValueError
            As for `transform`.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> cut = ClassEntropyDiscretizer(selection="mdl").fit(X[["mean texture"]], y)
        >>> table = cut.bin_table(X[["mean texture"]], y).round(2)
        >>> print(table[["bin", "count", "share of 1", "woe", "iv"]])
                       bin  count  share of 1   woe    iv
        0        <= 16.395  153.0        0.92  1.94  0.66
        1  (16.395, 19.61]  170.0        0.73  0.47  0.06
        2          > 19.61  246.0        0.37 -1.04  0.49
        """
        import pandas  # here for import time, and since it may not be installed

        check_is_fitted(self)
        X, y, weights = check_samples(self, X, y, sample_weight, reset=False)
        classes, labels = np.unique(y, return_inverse=True)
        names = super().get_feature_names_out()
        parts = []
        for j, places in self._places(columns_of(X, self)).items():
            n_bins = self.n_intervals_[j]
            counts = np.zeros((n_bins + 1, len(classes)))
            np.add.at(counts, ((places - 1) % (n_bins + 1), labels), weights)
            bins = [*self.interval_labels_[j], "missing"]
            if not counts[-1].any():
                counts, bins = counts[:-1], bins[:-1]
            parts.append(_classes_in(counts, list(map(shown, classes.tolist()))))
            parts[-1] = {"feature": names[j], "bin": bins, **parts[-1]}
        return pandas.concat(map(pandas.DataFrame, parts), ignore_index=True)

    def inverse_transform(self, X):
        """Replace each interval by the median of its training values.

        The positions of values within an interval are lost: each interval is replaced
        by one typical value. `transform` maps this value to the same interval again.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Intervals as returned by `transform`.

        Returns
        -------
        X_original : ndarray of shape (n_samples, n_features)
            Values of `representatives_` as float64, and NaN for a missing value. Other
            features are unchanged. The dtype is float64 if all features are numeric,
            and otherwise object.

        Raises
        ------
        ValueError
            If X has a value that is not the number of an interval, in a feature that
            was cut; or with one-hot columns, if X has another number of columns.
        """
        check_is_fitted(self)
        if self.encode != "ordinal":
            X = from_one_hot(X, self.n_intervals_)
        with warnings.catch_warnings():
            # The output of `transform` may have no feature names, or generated ones.
            warnings.filterwarnings("ignore", "X (does not have valid|has) feature n")
            X = check_table(self, X, reset=False)
        columns = columns_of(X, self)
        values = {}
        for j, representatives in enumerate(self.representatives_):
            if representatives is None:
                continue
            codes = numbers_to_cut(columns[j], column_label(self, j))
            is_missing, n = np.isnan(codes), len(representatives)
            wrong = ~(is_missing | np.isin(codes, np.arange(n)))
            if wrong.any():
                raise ValueError(
                    f"Column {column_label(self, j)} must contain interval numbers "
                    f"0 to {n - 1}; got {codes[wrong][0]:g}."
                )
            places = np.where(is_missing, n, codes).astype(np.intp)
            values[j] = np.append(representatives, np.nan)[places]
        return replace_columns(X, columns, values, "default")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _classes_in(counts, classes):
    """Return the columns of `bin_table` for counts: (n_bins, n_classes)."""
    totals = counts.sum(axis=1)
    own, others = counts, totals[:, None] - counts
    empty = 0.5 * ((own == 0) | (others == 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = counts / totals[:, None]
        own, others = (
            (part + empty) / part.sum(axis=0, keepdims=True) for part in (own, others)
        )
        woe = np.log(own / others)
    found = {"count": totals}
    found |= {f"share of {name}": column for name, column in zip(classes, shares.T)}
    for k, name in enumerate(classes):
        of_class = f" of {name}" if len(classes) > 2 else ""
        if of_class or k:
            found[f"woe{of_class}"] = woe[:, k]
            found[f"iv{of_class}"] = (own - others)[:, k] * woe[:, k]
    return found


def chosen_discretizer(given, table, ordered=(), **cuts):
    """Return the discretizer of a data set; None if it cuts no column.

    Parameters
    ----------
    given : {'auto'}, ClassEntropyDiscretizer, FrozenEstimator or None
        'auto' cuts columns of many distinct numbers. A frozen one is fitted.
    table : FactorizedTable
    ordered : collection of int, default=()
        Positions of columns that 'auto' cuts, for any number of distinct values, so
        that monotone scores hold for new numbers, too.
    **cuts : dict
        Parameters of the discretizer of 'auto'.
    """
    if given is None:
        return None
    if isinstance(given, str):
        columns = [
            j
            for j, column in enumerate(table.columns)
            if j in ordered
            or (column.is_numeric and len(column.ranked[0]) > _MOST_CATEGORIES)
        ]
        how = {"columns": columns, "max_segments": _MAX_SEGMENTS, **cuts}
        return ClassEntropyDiscretizer(**how) if columns else None
    if isinstance(given, FrozenEstimator):
        return _frozen_discretizer(given.estimator, table)
    given._validate_params()
    return clone(given) if table.columns_to_cut(given) else None


def _frozen_discretizer(fitted, table):
    """Return a discretizer that was fitted to columns like those of a table."""
    if not isinstance(fitted, ClassEntropyDiscretizer):
        raise TypeError(
            "discretizer must be a ClassEntropyDiscretizer inside of FrozenEstimator; "
            f"got {type(fitted).__name__}."
        )
    check_is_fitted(fitted)
    names = tuple(getattr(fitted, "feature_names_in_", table.names))
    if fitted.n_features_in_ != len(table.columns) or names != table.names:
        raise ValueError(
            "discretizer must have been fitted to the columns of X; it was fitted to "
            f"{fitted.n_features_in_} columns {', '.join(map(repr, names))}."
        )
    return fitted


def cuts_like(discretizer, fitted):
    """Return whether a parameter is compatible with the discretizer of a fitted model.

    Parameters
    ----------
    discretizer : {'auto'}, ClassEntropyDiscretizer, FrozenEstimator or None
    fitted : ClassEntropyDiscretizer or None
        None if no feature is cut, for any reason.
    """
    if fitted is None or discretizer is None:
        return fitted is None
    return discretizer == "auto" or _cutting(discretizer) == _cutting(fitted)


def _cutting(discretizer):
    """Return the parameters that determine which features are cut, and how."""
    columns = np.asarray(discretizer.columns, dtype=object).tolist()
    return columns, [getattr(discretizer, name) for name in _SETTINGS]
