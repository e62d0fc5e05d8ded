"""Display of a feature effect: a curve or dots, and the distribution of the data."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from textwrap import wrap

import numpy as np

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._plotting import (
    LITERALLY,
    class_colour,
    draw_bars,
    draw_dots,
    line_colour,
    panels_beside,
    panels_of,
    width_of,
    wrapped,
    write_legend,
    write_title,
)
from sklearn_dnfwinnow.inspection._feature_effect import MISSING, feature_effect
from sklearn_dnfwinnow.inspection._plot._histogram import (
    count_in_bars,
    draw_histogram,
    histogram_edges,
)

# Size of a figure with a curve; widths of the panels of categories, and the height
# around them, in inches.
_CURVE, _DOTS, _BARS, _AROUND = (6.4, 4.8), 3.2, 1.6, 1.1
# Maximum number of letters in a line of a title.
_TITLE = 60
_GREY = "0.65"
# Places to the right of a curve, in parts of the panel: of missing values, and of a
# legend.
_ASIDE, _BEYOND = 1.07, 1.1


class FeatureEffectDisplay:
    """Plot of the effect of one feature on the log-odds, and of its distribution.

    There are two panels. For a numeric feature, the upper panel shows the effect as a
    curve in the units of the data, which steps exactly at the cut points of the model.
    Numbers that the model does not cut are single dots. The lower panel is a histogram
    of the rows. A diamond at the right shows the effect of missing values, if there are
    any, above their number. For a categorical feature, the left panel has a dot for
    each category, and the right panel the number of its rows. Bands and lines
    through dots are the credible intervals of a Bayesian classifier, the range of the
    models of an average, or the standard errors of estimated sums.

    It is recommended to use :meth:`from_estimator`. Matplotlib is needed to plot.

    Parameters
    ----------
    effect : FeatureEffect
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

    def __init__(self, effect):
        self.effect = effect

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        feature,
        *,
        class_of_interest=None,
        sample_weight=None,
        coverage=0.9,
        n_bars=40,
        n_values=20,
        ax=None,
    ):
        """Compute the effect of a feature, and plot it.

        Parameters
        ----------
        estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an \
                estimator with a single one inside
            Fitted, as :func:`feature_effect` takes it.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows, as `estimator` takes them.

        feature : str or int
            Name or position of the feature.

        class_of_interest, sample_weight, coverage
            See :func:`feature_effect`.

        n_bars, n_values
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : FeatureEffectDisplay
        """
        effect = feature_effect(
            estimator,
            X,
            feature,
            class_of_interest=class_of_interest,
            sample_weight=sample_weight,
            coverage=coverage,
        )
        return cls(effect).plot(ax, n_bars=n_bars, n_values=n_values)

    @validate_params({"n_bars": [POSITIVE], "n_values": [POSITIVE]})
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
        is_own, is_numeric = ax is None, self.effect.is_numeric
        if is_numeric:
            axes = self._draw_numbers(ax, n_bars)
        else:
            axes = self._draw_categories(ax, n_values)
        write_title(axes, "\n".join(wrap(self.effect.title, _TITLE)), is_own)
        if self.effect.classes is not None:
            aside = {"loc": "upper left", "bbox_to_anchor": (_BEYOND, 1)}
            place = aside if is_own and is_numeric else {"loc": "best"}
            write_legend(axes[0], False, **place)
        return self

    def _lines(self):
        """Yield the effects of each class, missing values last, and both ends of each.

        Yields
        ------
        effects : ndarray of shape (n_values + 1,)
        ends : ndarray of shape (2, n_values + 1), or None
            Ends of credible intervals, or one standard error below and above; None if
            effects are exact.
        colour, label : str
        """
        effect = self.effect
        classes = [None] if effect.classes is None else effect.classes.tolist()
        effects, errors, ends = effect._with_missing()
        has_ends = ends is not None or errors.any()
        if ends is None:
            ends = np.concatenate([effects - errors, effects + errors], axis=-1)
        for k, class_ in enumerate(classes):
            yield (
                effects[:, k, 0],
                ends[:, k].T if has_ends else None,
                class_colour(k, len(classes)),
                shown(class_),
            )

    @property
    def _effect_label(self):
        """Return the label of an axis of effects."""
        if self.effect.intervals is None:
            return "effect (natural log)"
        if self.effect.coverage is None:
            return "effect (natural log)\nband: range of averaged models"
        fraction = f"{100 * self.effect.coverage:.4g}%"
        return f"effect (natural log)\nmedians, {fraction} intervals"

    # -- numeric features --------------------------------------------------------------

    def _draw_numbers(self, ax, n_bars):
        """Draw the effects along an axis of numbers; return the axes."""

        def make(plt):
            _, axes = plt.subplots(
                nrows=2,
                figsize=_CURVE,
                sharex=True,
                height_ratios=[2, 1],
                layout="constrained",
            )
            return axes

        axes, effect = panels_of(self, ax, make, second="counts_ax_"), self.effect
        numbers = np.asarray(effect.data, dtype=float)
        seen, is_cut = ~np.isnan(numbers), effect.cut_points is not None
        cut_points = effect.cut_points if is_cut else effect.values[:0]
        edges = histogram_edges(numbers[seen], cut_points, n_bars)
        steps = np.concatenate([edges[:1], cut_points, edges[-1:]])
        places = (steps[1:] + steps[:-1]) / 2 if is_cut else effect.values
        for effects, ends, colour, label in self._lines():
            known = effects[:-1]
            if is_cut:
                axes[0].stairs(
                    known, steps, baseline=None, color=colour, label=label, lw=1.5
                )
            else:
                axes[0].plot(places, known, "o", color=colour, label=label)
            if is_cut and effect.intervals is not None:
                low, high = ends[:, :-1]
                axes[0].stairs(
                    high, steps, baseline=low, fill=True, color=colour, alpha=0.2, lw=0
                )
            elif ends is not None:
                _draw_ends(axes[0], places, known, ends[:, :-1], ecolor=colour)
            if effect.n_missing:
                aside = {"transform": axes[0].get_yaxis_transform(), "clip_on": False}
                axes[0].plot(_ASIDE, effects[-1], "D", color=colour, **aside)
                if ends is not None:
                    last = effects[-1:], ends[:, -1:]
                    _draw_ends(axes[0], _ASIDE, *last, ecolor=colour, **aside)
        axes[0].axhline(0, color=line_colour(), linewidth=1, zorder=0.5)
        axes[0].set_xlim(edges[0], edges[-1])
        axes[0].set_ylabel(self._effect_label)
        if len(axes) == 2:
            weights = effect.sample_weight[seen, None]
            counts = count_in_bars(numbers[seen], edges, weights)
            draw_histogram(axes[1], edges, counts, colours=[_GREY], labels=[None])
        if effect.n_missing:
            self._draw_missing(axes[-1])
        for panel in axes:
            panel.spines[["top", "right"]].set_visible(False)
        axes[-1].set_xlabel(shown(effect.feature), **LITERALLY)
        return axes

    def _draw_missing(self, ax):
        """Write the number of missing values to the right of a panel."""
        ax.annotate(
            text=f"{MISSING}\n{self.effect.n_missing:,.7g}",
            xy=(_ASIDE, 0),
            xycoords="axes fraction",
            xytext=(0, -5),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize="small",
        )

    # -- categories --------------------------------------------------------------------

    def _draw_categories(self, ax, n_values):
        """Draw a dot for each of the most frequent categories; return the axes."""
        effect = self.effect
        counts = np.append(effect.counts, effect.n_missing)
        listed = np.sort(np.argsort(-effect.counts, kind="stable")[:n_values])
        n_listed = len(listed)
        if effect.n_missing:
            listed = np.append(listed, len(effect.counts))
        texts = [wrapped((*effect.labels, MISSING)[i]) for i in listed]

        def make(plt):
            widths = [width_of(texts) + _DOTS, _BARS]
            return panels_beside(plt, texts, widths, _AROUND)

        axes = panels_of(self, ax, make, second="counts_ax_")
        for effects, ends, colour, label in self._lines():
            places = effects[listed]
            middles = draw_dots(axes[0], texts, places, [colour])
            axes[0].collections[-1].set_label(label)
            if ends is not None:
                _draw_ends(
                    axes[0], middles, places, ends[:, listed], False, ecolor=colour
                )
        axes[0].axvline(0, color=line_colour(), linewidth=1, zorder=0.5)
        name = shown(effect.feature)
        axes[0].set_xlabel(
            f"{self._effect_label}\n"
            f"{n_listed} of {len(effect.labels)} values of {name} shown",
            fontsize="small",
            **LITERALLY,
        )
        if len(axes) == 2:
            draw_bars(axes[1], texts, counts[listed], _GREY)
            axes[1].tick_params(labelleft=False)
            axes[1].set_xlabel("rows", fontsize="small")
        return axes


def _draw_ends(ax, places, effects, ends, is_vertical=True, **options):
    """Draw a line between both ends of each effect, at places on the other axis."""
    lengths = np.abs(ends - effects)
    if is_vertical:
        of_axes = {"x": places, "y": effects, "yerr": lengths}
    else:
        of_axes = {"x": effects, "y": places, "xerr": lengths}
    ax.errorbar(**of_axes, fmt="none", elinewidth=1, capsize=2, **options)
