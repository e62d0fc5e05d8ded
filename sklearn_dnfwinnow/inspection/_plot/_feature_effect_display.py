"""Display of a feature effect: a curve or dots, and the distribution of the data."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from textwrap import wrap

import numpy as np

from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._plotting import (
    LITERALLY,
    as_axes,
    class_colour,
    draw_bars,
    draw_dots,
    height_of,
    line_colour,
    pyplot_for,
    width_of,
    wrapped,
    write_legend,
    write_title,
)
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._feature_effect import MISSING, feature_effect
from sklearn_dnfwinnow.inspection._plot._histogram import (
    count_in_bars,
    draw_histogram,
    histogram_edges,
)

# Size of a figure with a curve; widths of the panels of categories, and the height
# around them, in inches.
_CURVE, _PANELS, _AROUND = (6.4, 4.8), (3.2, 1.6), 1.1
# Maximum number of letters in a line of a title.
_TITLE = 60
_GREY = "0.65"
# Place of missing values to the right of a curve, and the width of their bar, in parts
# of the panel.
_ASIDE, _BAR = 1.05, 0.03


class FeatureEffectDisplay:
    """Plot of the effect of one feature on the log-odds, and of its distribution.

    There are two panels. For a numeric feature, the upper panel shows the effect as a
    curve in the units of the data. It has steps exactly at the cut points of the model.
    Numbers that the model does not cut have a dot each. The lower panel is a histogram
    of the samples. A diamond at the right shows the effect of missing values, if there
    are any, and a bar below it their number. For a categorical feature, the left panel
    has a dot for each category, and the right panel the number of its samples.

    It is recommended to use :meth:`from_estimator`. Matplotlib is needed to plot.

    Parameters
    ----------
    found : FeatureEffect
        As returned by :func:`feature_effect`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    ax_ : matplotlib Axes
        The panel of the effects.

    counts_ax_ : matplotlib Axes or None
        The panel of the distribution; None if there is none.

    See Also
    --------
    feature_effect : Computes the effect.
    DiscretizationDisplay : The classes along a numeric feature.
    sklearn.inspection.PartialDependenceDisplay : Partial dependence of any estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.inspection import FeatureEffectDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> FeatureEffectDisplay.from_estimator(
    ...     clf, X, "petal width (cm)"
    ... )  # doctest: +SKIP
    """

    def __init__(self, found):
        self.found = found

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        feature,
        *,
        class_of_interest=None,
        against=None,
        sample_weight=None,
        n_bars=40,
        n_values=20,
        ax=None,
    ):
        """Compute the effect of a feature, and plot it.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search
            Fitted.

        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples, as `estimator` takes them.

        feature : str or int
            Name or position of the feature.

        class_of_interest, against, sample_weight
            See :func:`feature_effect`.

        n_bars, n_values
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : FeatureEffectDisplay
        """
        found = feature_effect(
            estimator,
            X,
            feature,
            class_of_interest=class_of_interest,
            against=against,
            sample_weight=sample_weight,
        )
        return cls.from_effect(found, n_bars=n_bars, n_values=n_values, ax=ax)

    @classmethod
    def from_effect(cls, found, *, n_bars=40, n_values=20, ax=None):
        """Plot an effect.

        Parameters
        ----------
        found : FeatureEffect
            As returned by :func:`feature_effect`.

        n_bars, n_values
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : FeatureEffectDisplay
        """
        return cls(found).plot(ax, n_bars=n_bars, n_values=n_values)

    @validate_params(
        {"ax": "no_validation", "n_bars": [POSITIVE], "n_values": [POSITIVE]}
    )
    def plot(self, ax=None, *, n_bars=40, n_values=20):
        """Plot the effect.

        Parameters
        ----------
        ax : matplotlib Axes, or two of them, default=None
            One Axes is for the effects only, two are for effects and distribution. None
            makes a figure.

        n_bars : int, default=40
            Approximate number of bars in the histogram of a numeric feature.

        n_values : int, default=20
            Maximum number of categories: the most frequent ones.

        Returns
        -------
        display : FeatureEffectDisplay
            With `figure_`, `ax_` and `counts_ax_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If there are more than two axes.
        """
        plt = pyplot_for(self)
        is_own = ax is None
        draw = self._draw_numbers if self.found.is_numeric else self._draw_categories
        axes = draw(plt, ax, n_bars if self.found.is_numeric else n_values)
        write_title(axes, "\n".join(wrap(self.found.title, _TITLE)), is_own)
        if self.found.classes is not None:
            aside = _ASIDE + _BAR if self.found.is_numeric else 1.0
            place = {"loc": "upper left", "bbox_to_anchor": (aside, 1)} if is_own else {}
            write_legend(axes[-1 if not self.found.is_numeric else 0], False, **place)
        self.figure_, self.ax_ = axes[0].figure, axes[0]
        self.counts_ax_ = axes[1] if len(axes) == 2 else None
        return self
