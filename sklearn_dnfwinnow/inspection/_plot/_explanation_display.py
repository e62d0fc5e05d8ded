"""Display of an explanation: one prediction, its features and its terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from textwrap import wrap

import numpy as np

from sklearn_dnfwinnow._utils._estimators import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._plotting import (
    N_COLOURS,
    class_colour,
    draw_bars,
    draw_dots,
    height_of,
    line_colour,
    panels_of,
    width_of,
    wrapped,
    write_title,
)
from sklearn_dnfwinnow.inspection._explanation import BASE, explain, explained_row
from sklearn_dnfwinnow.inspection._interaction_explanation import (
    UNSEEN,
    InteractionExplanation,
    explain_interactions,
)
from sklearn_dnfwinnow.inspection._steps import has_interactions

# Sizes in inches.
_BARS, _AROUND, _LEAST_TEXT = 2.4, 1.2, 0.6
# Fractions of the bars: margins beside an axis, and the gap between bar and number.
_MARGINS, _GAP = 0.8, 0.1
# Maximum number of characters in a line of the title.
_TITLE = 70
# Colour of contributions that favour no class.
_DOUBT = "0.5"


class ExplanationDisplay:
    """Plot of the reasons for one prediction.

    There are two panels. The left panel shows the features with the largest effects on
    the log-odds (natural logarithm) of the predicted class against the next. An effect
    is a Shapley value, or the decrease of the log-odds without the feature. Shapley
    values, and the log-odds of the average background row, add up to the log-odds of
    the sample. Bars to the left of 0 favour the next class. The
    right panel shows, for the classes with the highest scores, the relative
    contributions of the top-weighted terms to the weighted sum, and the contribution of
    all other terms. If a sum is an estimate, error bars show standard errors.

    For a BayesianInteractionClassifier, both panels show contributions to the mean
    log-odds: of features, and of interactions. Dots are means, and lines through them
    are intervals.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    explanation : Explanation or InteractionExplanation
        As returned by :func:`explain` or :func:`explain_interactions`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    ax_ : matplotlib Axes
        The panel of the effects.

    terms_ax_ : matplotlib Axes or None
        The panel of the terms; None if there is none.

    See Also
    --------
    explain, explain_interactions : Compute the explanations.
    TermsDisplay : The terms of a model.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import ExplanationDisplay
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> ExplanationDisplay.from_estimator(clf, X, row=7)  # doctest: +SKIP
    """

    def __init__(self, explanation):
        self.explanation = explanation

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        row=0,
        *,
        top=5,
        n_classes=2,
        method="auto",
        background=None,
        n_permutations=100,
        coverage=0.9,
        n_features=10,
        ax=None,
    ):
        """Explain the prediction for a sample, and plot the explanation.

        Parameters
        ----------
        estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an \
                estimator with a single one inside
            Fitted.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples, as `estimator` takes them.

        row : int, default=0
            Position in X of the sample to explain.

        top : int, default=5
            Number of terms per class, or of interactions.

        n_classes : int, default=2
            Number of classes whose terms are shown: those with the highest scores. None
            is all. Only for a DNFWinnowClassifier, like `method`, `background` and
            `n_permutations`.

        method : {'auto', 'leave_one_out', 'shapley'}, default='auto'
            Kind of feature effects, see :func:`explain`.

        background : {array-like, dataframe} of shape (n_rows, n_features), default=None
            Rows that Shapley values compare to, see :func:`explain`.

        n_permutations : int, default=100
            Number of permutations for estimated Shapley values, see :func:`explain`.

        coverage : float, default=0.9
            Fraction of the draws in each interval of a BayesianInteractionClassifier.

        n_features : int, default=10
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : ExplanationDisplay

        Raises
        ------
        IndexError
            If X has no such row.
        """
        if has_interactions(estimator):
            function, parameters = explain_interactions, {"coverage": coverage}
        else:
            function = explain
            parameters = {
                "n_classes": n_classes,
                "method": method,
                "background": background,
                "n_permutations": n_permutations,
            }
        explanation = explained_row(
            function, estimator, X, row=row, top=top, **parameters
        )
        return cls.from_explanation(explanation, n_features=n_features, ax=ax)

    @classmethod
    def from_explanation(cls, explanation, *, n_classes=None, n_features=10, ax=None):
        """Plot an explanation.

        Parameters
        ----------
        explanation : Explanation or InteractionExplanation
            As returned by :func:`explain` or :func:`explain_interactions`.

        n_classes, n_features : int
            See `plot`.

        ax : matplotlib Axes, or two of them, default=None
            See `plot`.

        Returns
        -------
        display : ExplanationDisplay
        """
        display = cls(explanation)
        return display.plot(ax, n_classes=n_classes, n_features=n_features)

    @validate_params({"n_classes": [POSITIVE, None], "n_features": [POSITIVE]})
    def plot(self, ax=None, *, n_classes=None, n_features=10):
        """Plot the explanation.

        Parameters
        ----------
        ax : matplotlib Axes, or two of them, default=None
            One Axes is for the effects only, two are for effects and terms. None makes
            a figure with two panels, with a size that fits the texts.

        n_classes : int, default=None
            Maximum number of classes whose terms are shown: those with the highest
            scores. None is all classes that the explanation lists.

        n_features : int, default=10
            Maximum number of features.

        Returns
        -------
        display : ExplanationDisplay
            With `figure_`, `ax_` and `terms_ax_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If there are more than two axes.
        """
        explanation = self.explanation
        has_intervals = isinstance(explanation, InteractionExplanation)
        effects = explanation._effects_section(n_features)
        left = [wrapped(line.text) for line in effects.lines]
        if has_intervals:
            sections = [explanation._terms_section()]
            right = [wrapped(line.text) for line in sections[0].lines]
        else:
            sections = explanation._class_sections()[:n_classes]
            # A heading is a line without a bar.
            right = [
                wrapped(text)
                for section in sections
                for text in (section.heading, *(line.text for line in section.lines))
            ]
        title = "\n".join(wrap(explanation._headline(), _TITLE))
        axes = panels_of(
            self, ax, lambda plt: _axes_for(plt, left, right), second="terms_ax_"
        )
        write_title(axes, title, ax is None)
        if has_intervals:
            for panel, section, texts in zip(axes, [effects, *sections], [left, right]):
                self._draw_contributions(panel, section, texts)
            return self
        self._draw_effects(axes[0], effects, left)
        if len(axes) == 2:
            self._draw_terms(axes[1], sections, right)
        return self

    def _draw_contributions(self, ax, section, texts):
        """Draw means and intervals, in the colours of the classes that they favour."""
        first, next_ = self.explanation.ranking[:2]
        ax.axvline(0, color=line_colour(), linewidth=1)
        draw_dots(
            ax=ax,
            texts=texts,
            places=[line.value for line in section.lines],
            colours=[
                _DOUBT
                if line.text == UNSEEN
                else self._colour(first if line.value > 0 else next_)
                for line in section.lines
            ],
            ends=[line.interval for line in section.lines],
        )
        ax.set_xlabel(
            f"contribution to the mean log-odds, {self.explanation.log_odds:+.2f}\n"
            f"(natural log; {100 * self.explanation.coverage:.4g}% intervals)",
            fontsize="small",
        )

    def _draw_terms(self, ax, sections, texts):
        """Draw the contributions of each class under its heading, in its colour."""
        from matplotlib.colors import to_rgba  # here for import time

        shares, errors, colours, headings = [], [], [], []
        for k, section in zip(self.explanation.ranking, sections):
            colour = self._colour(k)
            headings.append(len(shares))
            shares += [np.nan, *(line.value for line in section.lines)]
            errors += [0.0, *(line.error for line in section.lines)]
            colours += [colour] * len(section.lines) + [to_rgba(colour, 0.35)]
        middles = draw_bars(ax, texts, 0.0, shares, errors, colours)
        labels = ax.get_yticklabels()
        for i in headings:
            labels[i].set_fontweight("bold")
        ends = np.nan_to_num(np.add(shares, errors))
        numbers = ["" if np.isnan(share) else f"{share:.1%}" for share in shares]
        _write(ax, numbers, ends, middles)
        ax.set_xlim(0, 1.35 * max(ends.max(), 1e-9))
        ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
        ax.set_xlabel("relative contribution", fontsize="small")

    def _draw_effects(self, ax, section, texts):
        """Draw effects on the log-odds, in the colours of the classes they favour."""
        values = np.array([line.value for line in section.lines])
        errors = np.array([line.error for line in section.lines])
        first, next_ = self.explanation.ranking[:2]
        colours = [self._colour(first if v > 0 else next_) for v in values]
        # An effect is infinite if the feature alone determines the prediction.
        finite = np.isfinite(values)
        errors = np.where(finite, errors, 0.0)
        most = np.max(np.abs(values) + errors, where=finite, initial=0.0) or 1.0
        ends = np.clip(values, -most, most)
        reach = ends + np.copysign(errors, ends)
        middles = draw_bars(ax, texts, 0.0, ends, errors, colours)
        numbers = [f"{value:+.2f}" for value in values]
        _write(ax, numbers, reach, middles)
        ax.axvline(0, color=line_colour(), linewidth=1)
        ax.spines["left"].set_visible(False)
        # Leave space for the numbers, on one or both sides.
        low, high = reach.min(initial=0.0), reach.max(initial=0.0)
        beside = (width_of(numbers) + _GAP) / (_BARS - _MARGINS)
        left = 1.0 - beside * (1 + (low < 0 < high))
        room = (high - low) * beside / max(left, 0.2) or 1.0
        ax.set_xlim(
            low - room if low < 0 else 0, high + room if high > 0 or low == 0 else 0
        )
        base_value = self.explanation.base_value
        if base_value is None:
            what, note = "effect on", "not additive"
        else:
            what, note = "Shapley value of", f"{BASE} {base_value:.2f}"
        ax.set_xlabel(
            f"{what} the log-odds, {self.explanation.log_odds:.2f}\n"
            f"(natural log; {note})\n"
            f"{len(values)} of {len(self.explanation.features)} features shown",
            fontsize="small",
        )

    def _colour(self, k):
        """Return the colour of class k."""
        n_classes = len(self.explanation.classes)
        if n_classes > N_COLOURS:
            # If there are many classes, the highest ones need different colours.
            k = self.explanation.ranking.tolist().index(k)
            n_classes = self.explanation.n_listed
        return class_colour(k, n_classes)


def _axes_for(plt, *texts):
    """Return a figure with two panels, with sizes that fit the texts."""
    widths = [_BARS + max(_LEAST_TEXT, width_of(found)) for found in texts]
    heights = [height_of(found) for found in texts]
    rows, ratios = [["effects", "terms"]], [max(heights)]
    if max(heights) - min(heights) > _AROUND:
        # The part of the figure below the lower panel is empty.
        lower = heights.index(min(heights))
        rows.append(["." if i == lower else name for i, name in enumerate(rows[0])])
        ratios = [min(heights) + _AROUND, max(heights) - min(heights) - _AROUND]
    _, axes = plt.subplot_mosaic(
        rows,
        figsize=(sum(widths), max(heights) + _AROUND),
        width_ratios=widths,
        height_ratios=ratios,
        layout="constrained",
    )
    return [axes["effects"], axes["terms"]]


def _write(ax, numbers, ends, middles):
    """Write numbers at the ends of bars."""
    for text, end, middle in zip(numbers, ends, middles):
        side = 1 if end >= 0 else -1
        ax.annotate(
            text,
            (end, middle),
            xytext=(3 * side, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center",
            fontsize="small",
        )
