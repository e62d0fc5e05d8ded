"""Display of Shapley values: importances of features, and the values of all samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from textwrap import wrap

import numpy as np
from scipy.stats import rankdata

from sklearn_dnfwinnow._encoding._columns import is_missing
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._plotting import (
    class_colour,
    draw_bars,
    line_colour,
    panels_beside,
    panels_of,
    width_of,
    wrapped,
    write_title,
)
from sklearn_dnfwinnow.inspection._shapley_values import shapley_values

# Sizes in inches: of both panels, and around them.
_BARS, _STRIPS, _AROUND = 2.4, 4.2, 1.3
# Maximum number of letters in a line of a title, and in an inch of it.
_TITLE, _LETTERS = 50, 9
# Colours of dots by value; grey for values without an order. All are visible on white
# and on black.
_COLOURS, _GREY = "coolwarm", "0.55"
# Number of columns of dots in a strip, and its half height in lines of text.
_N_BINS, _HALF_HEIGHT = 80, 0.7


class ShapleyValuesDisplay:
    """Plot of the Shapley values of samples.

    There are two panels. The left panel shows the features with the largest
    importances, which are mean absolute Shapley values. The right panel shows a dot for
    each sample. Its place is the Shapley value of the feature, and its colour the value
    of the feature, from blue for low to red for high; text and missing values are
    grey. This shows in which direction a feature moves the log-odds. If the values are
    those of several classes, there is only the left panel, with a part for each class.

    It is recommended to use :meth:`from_estimator`. Matplotlib is needed to plot.

    Parameters
    ----------
    found : ShapleyValues
        As returned by :func:`shapley_values`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    ax_ : matplotlib Axes
        The panel of the importances.

    values_ax_ : matplotlib Axes or None
        The panel of the values; None if there is none.

    See Also
    --------
    shapley_values : Computes the values.
    ExplanationDisplay : The values of one sample.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import ShapleyValuesDisplay
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> ShapleyValuesDisplay.from_estimator(clf, X)  # doctest: +SKIP
    """

    def __init__(self, found):
        self.found = found

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        *,
        class_of_interest=None,
        against=None,
        background=None,
        n_permutations=100,
        n_features=10,
        ax=None,
    ):
        """Compute Shapley values, and plot them.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search
            Fitted.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples, as `estimator` takes them.

        class_of_interest, against, background, n_permutations
            See :func:`shapley_values`.

        n_features : int, default=10
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : ShapleyValuesDisplay
        """
        found = shapley_values(
            estimator,
            X,
            class_of_interest=class_of_interest,
            against=against,
            background=background,
            n_permutations=n_permutations,
        )
        return cls.from_values(found, n_features=n_features, ax=ax)

    @classmethod
    def from_values(cls, found, *, n_features=10, ax=None):
        """Plot Shapley values.

        Parameters
        ----------
        found : ShapleyValues
            As returned by :func:`shapley_values`.

        n_features : int, default=10
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : ShapleyValuesDisplay
        """
        return cls(found).plot(ax, n_features=n_features)

    @validate_params({"n_features": [POSITIVE]})
    def plot(self, ax=None, *, n_features=10):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, or two of them, default=None
            One Axes is for the importances only, two are for importances and values.
            None makes a figure with a size that fits the texts.

        n_features : int, default=10
            Maximum number of features: those with the largest importances.

        Returns
        -------
        display : ShapleyValuesDisplay
            With `figure_`, `ax_` and `values_ax_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If there are more than two axes, or two for the values of several classes.
        """
        several = self.found.classes is not None
        # For each feature and class, in the order of the importances.
        means = np.abs(self.found.values).mean(axis=0)
        means = means.reshape(len(means), -1)
        order = np.argsort(-means.sum(axis=1), kind="stable")[:n_features]
        texts = [wrapped(shown(self.found.feature_names[j])) for j in order]

        def make(plt):
            widths = [_BARS + width_of(texts)] + [_STRIPS] * (not several)
            return panels_beside(plt, texts, widths, _AROUND)

        numbers = [1] if several else [1, 2]
        axes = panels_of(self, ax, make, second="values_ax_", numbers=numbers)
        width = _TITLE
        if ax is None:
            width = int(_LETTERS * self.figure_.get_figwidth())
        write_title(axes, "\n".join(wrap(self.found.title, width)), ax is None)
        middles = self._draw_importances(axes[0], texts, means[order])
        if len(axes) == 2:
            self._draw_values(axes[1], order, middles)
        return self

    def _draw_importances(self, ax, texts, means):
        """Draw a bar for each feature, with a part for each class."""
        n_classes = means.shape[1]
        ends = np.cumsum(means / n_classes, axis=1)
        for k, (start, end) in enumerate(zip((ends - means / n_classes).T, ends.T)):
            middles = draw_bars(ax, texts, start, end, 0.0, class_colour(k, n_classes))
        if n_classes > 1:
            labels = [shown(class_) for class_ in self.found.classes]
            ax.legend(ax.patches[:: len(texts)], labels, fontsize="small")
        ax.set_xlabel(
            "mean absolute value\n"
            f"{len(texts)} of {len(self.found.feature_names)} features shown",
            fontsize="small",
        )
        return middles

    def _draw_values(self, ax, order, middles):
        """Draw a strip of dots for each feature, coloured by its values."""
        from matplotlib import colormaps  # here for import time

        values = self.found.values[:, order]
        width = max(np.ptp(values), 1e-9) / _N_BINS
        most = max(_heights(column, width).max(initial=0.0) for column in values.T)
        step = min(0.25, _HALF_HEIGHT / most if most else 1.0)
        colours = colormaps[_COLOURS].with_extremes(bad=_GREY)
        has_order = False
        for column, j, middle in zip(values.T, order, middles):
            ranks = _ranks(self.found.data[:, j])
            has_order |= not np.isnan(ranks).all()
            dots = ax.scatter(
                column,
                middle + step * _heights(column, width),
                c=ranks,
                cmap=colours,
                plotnonfinite=True,
                vmin=0,
                vmax=1,
                s=9,
                linewidths=0,
                rasterized=len(column) > 2000,
            )
        ax.axvline(0, color=line_colour(), linewidth=1)
        ax.set_ylim(2 * middles[-1] - middles[-2] if len(middles) > 1 else 2, 0)
        ax.set_yticks([])
        ax.spines[["left", "top", "right"]].set_visible(False)
        ax.set_xlabel(
            f"Shapley value (natural log)\nbase value {self.found.base_values[0]:.2f}",
            fontsize="small",
        )
        if has_order:
            bar = ax.figure.colorbar(dots, ax=ax, ticks=[0, 1], aspect=30)
            bar.ax.set_yticklabels(["low", "high"], fontsize="small")
            bar.set_label("value of the feature", fontsize="small")


def _heights(values, width):
    """Return the heights of dots such that those at the same place are side by side.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
    width : float
        Values within this distance share a column of dots.

    Returns
    -------
    heights : ndarray of shape (n_samples,)
        0, 1, -1, 2, -2, ... in each column.
    """
    columns = np.rint(values / width)
    order = np.argsort(columns, kind="stable")
    _, starts, counts = np.unique(columns[order], return_index=True, return_counts=True)
    turn = np.empty(len(values))
    turn[order] = np.arange(len(values)) - np.repeat(starts, counts)
    return np.ceil(turn / 2) * np.where(turn % 2, 1, -1)


def _ranks(column):
    """Return the ranks of numbers from 0 to 1, NaN for text and missing values."""
    ranks = np.full(len(column), np.nan)
    known = np.array([not is_missing(value) for value in column], dtype=bool)
    try:
        numbers = column[known].astype(float)
    except (TypeError, ValueError):
        return ranks
    if any(isinstance(value, str) for value in column[known]):
        return ranks
    places = rankdata(numbers, "dense") - 1.0
    ranks[known] = places / max(places.max(initial=0.0), 1.0)
    return ranks
