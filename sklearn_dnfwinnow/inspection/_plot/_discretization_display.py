"""Display of a discretization: class distribution and cut points."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._columns import (
    check_table,
    column_label,
    columns_of,
    position_of,
)
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._encoding._table import numbers_to_cut
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import TableModelMixin, check_sample_weight
from sklearn_dnfwinnow._utils._plotting import (
    LITERALLY,
    as_axes,
    class_colour,
    line_colour,
    pyplot_for,
    write_legend,
)
from sklearn_dnfwinnow.inspection._plot._histogram import (
    count_in_bars,
    draw_histogram,
    histogram_edges,
)


class DiscretizationDisplay:
    """Plot of the intervals of a numeric feature.

    It shows the class distribution along the feature, in stacked bars that end at the
    cut points; bars between two close cut points may be cut off at the top. The axis is
    logarithmic for positive values of which a few are far above the others. For other
    values with such a tail, it ends near the last cut point, and the outer bars contain
    all rows beyond it.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    edges : ndarray of shape (n_bars + 1,)
        Ends of the bars; these include all cut points.

    counts : ndarray of shape (n_bars, n_classes)
        Total weight of each class in each bar.

    classes : ndarray of shape (n_classes,)
        Class labels.

    cut_points : ndarray of shape (n_intervals - 1,)
        Cut points of the feature.

    feature_name : str, default=None
        Name of the feature.

    n_missing : float, default=0
        Total weight of the rows with missing values, which are in no bar.

    log : bool, default=False
        Whether the axis of the feature is logarithmic.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    ax_ : matplotlib Axes
        Its axes.

    See Also
    --------
    ClassEntropyDiscretizer : Finds the cut points.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer, DiscretizationDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> discretizer = ClassEntropyDiscretizer(selection="mdl").fit(X, y)
    >>> DiscretizationDisplay.from_estimator(
    ...     discretizer, X, y, "petal width (cm)"
    ... )  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        edges,
        counts,
        classes,
        cut_points,
        feature_name=None,
        n_missing=0,
        log=False,
    ):
        self.edges = edges
        self.counts = counts
        self.classes = classes
        self.cut_points = cut_points
        self.feature_name = feature_name
        self.n_missing = n_missing
        self.log = log

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        y,
        feature,
        *,
        sample_weight=None,
        n_bars=40,
        ax=None,
    ):
        """Count the rows along a feature, and plot the counts.

        Parameters
        ----------
        estimator : ClassEntropyDiscretizer, or classifier with one inside
            Fitted: a DNFWinnowClassifier or BayesianInteractionClassifier has one for
            its numeric features.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows, as `estimator` takes them.

        y : array-like of shape (n_samples,)
            Class labels of the rows.

        feature : str or int
            Name or position of a feature that the discretizer divides into intervals.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        n_bars : int, default=40
            Approximate number of bars.

        ax : matplotlib Axes, default=None
            See `plot`.

        Returns
        -------
        display : DiscretizationDisplay

        Raises
        ------
        TypeError
            If `estimator` has no ClassEntropyDiscretizer.
        ValueError
            If the feature does not exist or is not divided into intervals, or if its
            values are not all finite numbers.
        """
        check_is_fitted(estimator)
        discretizer = _discretizer_of(estimator)
        X, y = check_table(discretizer, X, y, reset=False)
        weights = check_sample_weight(sample_weight, y)
        names = list(getattr(discretizer, "feature_names_in_", ()))
        n_columns = discretizer.n_features_in_
        position = position_of(feature, names, n_columns, parameter="feature")
        cut_points = discretizer.cut_points_[position]
        if cut_points is None:
            raise ValueError(
                f"Column {column_label(discretizer, position)} is not divided into "
                "intervals; the discretizer passes it through."
            )
        cells = columns_of(X, discretizer)[position]
        values = numbers_to_cut(cells, column_label(discretizer, position))
        classes, labels = np.unique(y, return_inverse=True)
        seen = ~np.isnan(values)
        log, ends = _axis_for(values[seen], cut_points)
        shown_values = values[seen] if ends is None else values[seen].clip(*ends)
        edges = histogram_edges(shown_values, cut_points, n_bars, log)
        of_classes = np.eye(len(classes))[labels] * weights[:, None]
        display = cls(
            edges=edges,
            counts=count_in_bars(shown_values, edges, of_classes[seen]),
            classes=classes,
            cut_points=cut_points,
            feature_name=names[position] if names else f"column {position}",
            n_missing=weights[~seen].sum(),
            log=log,
        )
        return display.plot(ax)

    def plot(self, ax=None):
        """Plot the distribution.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot on; None makes a figure.

        Returns
        -------
        display : DiscretizationDisplay
            With `figure_` and `ax_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        plt, is_own = pyplot_for(self), ax is None
        if is_own:
            _, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
        (self.ax_,) = as_axes(ax, [1], "be one Axes")
        self.figure_ = self.ax_.figure
        n_classes = len(self.classes)
        draw_histogram(
            self.ax_,
            self.edges,
            self.counts,
            colours=[class_colour(k, n_classes) for k in range(n_classes)],
            labels=list(map(shown, self.classes)),
            log=self.log,
        )
        for point in self.cut_points:
            self.ax_.axvline(point, color=line_colour(), linewidth=1, linestyle="--")
        name = "value" if self.feature_name is None else shown(self.feature_name)
        if self.n_missing:
            name += f" ({self.n_missing:,.7g} missing)"
        self.ax_.set_xlabel(name, **LITERALLY)
        if n_classes <= 12:
            # Only the figure made here has space beside the bars.
            write_legend(self.ax_, is_own, title="class")
        return self


# Values have a tail if their range is so many times that of 98 % of them and of the cut
# points; a logarithm helps if the largest is so many times the middle of them.
_TAIL, _DECADES = 3.0, 30.0


def _axis_for(values, cut_points):
    """Return whether an axis is better logarithmic, and its ends, or None for all.

    Parameters
    ----------
    values : ndarray of shape (n_values,), float64
    cut_points : ndarray of shape (n_intervals - 1,)
    """
    if not len(values):
        return False, None
    low, high = np.quantile(values, [0.01, 0.99])
    low, high = min([low, *cut_points]), max([high, *cut_points])
    if values.min() > 0 and values.max() > _DECADES * np.median(values):
        return min([values.min(), *cut_points]) > 0, None
    # The outer bars are as wide as others.
    ends = low - 0.05 * (high - low), high + 0.05 * (high - low)
    has_tail = high > low and np.ptp(values) > _TAIL * (high - low)
    return False, ends if has_tail else None


def _discretizer_of(estimator):
    """Return a discretizer, or that of a classifier."""
    discretizer = estimator
    if isinstance(estimator, TableModelMixin):
        discretizer = estimator._table_model().encoding.discretizer
    if isinstance(discretizer, ClassEntropyDiscretizer):
        return discretizer
    raise TypeError(
        "estimator must be a ClassEntropyDiscretizer, or a classifier with one inside; "
        f"got {type(estimator).__name__}."
    )
