"""Display of an explanation: one prediction, its features and its terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from textwrap import wrap

import numpy as np

from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    num_samples,
    safe_indexing,
    validate_params,
)
from sklearn_dnfwinnow._utils._plotting import (
    BLUE,
    ORANGE,
    draw_bars,
    draw_dots,
    height_of,
    line_colour,
    panels_beside,
    panels_of,
    width_of,
    wrapped,
    write_title,
)
from sklearn_dnfwinnow.inspection._explanation import UNSEEN, explain

# Sizes in inches.
_BARS, _AROUND, _LEAST_TEXT = 2.4, 1.0, 0.6
# Space for numbers beside the bars, as a fraction of these.
_ROOM = 0.5
# Maximum number of characters in a line of the title.
_TITLE = 70
# Colour of contributions that favour no class.
_DOUBT = "0.5"


class ExplanationDisplay:
    """Plot of the reasons for one prediction.

    There are two panels. The left panel shows the features with the largest effects on
    the log-odds (natural logarithm) of the predicted class against the next, which are
    Shapley values. The right panel shows the rules with the largest contributions to
    the log-odds. Blue bars raise the probability of the predicted class, and orange
    ones that of the next. For a BayesianInteractionClassifier, dots are means, and
    lines through them are intervals. If a sum is an estimate, error bars show standard
    errors.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    explanation : Explanation
        As returned by :func:`explain`.

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
    explain : Computes the explanations.
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
        background=None,
        n_permutations=100,
        coverage=0.9,
        n_features=10,
        ax=None,
    ):
        """Explain the prediction for a row, and plot the explanation.

        Parameters
        ----------
        estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an \
                estimator with a single one inside
            Fitted.

        X : {array-like, sparse matrix, dataframe} of shape (n_rows, n_features)
            Rows, as `estimator` takes them.

        row : int, default=0
            Position in X of the row to explain.

        top, background, n_permutations, coverage
            See :func:`explain`.

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
        row = range(num_samples(X))[row]
        (explanation,) = explain(
            estimator,
            safe_indexing(X, [row]),
            top,
            background=background,
            n_permutations=n_permutations,
            coverage=coverage,
        )
        return cls(replace(explanation, row=row)).plot(ax, n_features=n_features)

    @validate_params({"n_features": [POSITIVE]})
    def plot(self, ax=None, *, n_features=10):
        """Plot the explanation.

        Parameters
        ----------
        ax : matplotlib Axes, or two of them, default=None
            One Axes is for the effects only, two are for effects and terms. None makes
            a figure with two panels, with a size that fits the texts.

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
        sections = [
            explanation._effects_section(n_features),
            explanation._terms_section(),
        ]
        texts = [[wrapped(line.text) for line in one.lines] for one in sections]
        title = "\n".join(wrap(explanation._headline(), _TITLE))
        longest = max(texts, key=height_of)
        widths = [_BARS + max(_LEAST_TEXT, width_of(found)) for found in texts]
        around = _AROUND + height_of([title])
        axes = panels_of(
            self,
            ax,
            make=lambda plt: panels_beside(plt, longest, widths, around),
            second="terms_ax_",
        )
        write_title(axes, title, ax is None)
        for panel, section, of_panel in zip(axes, sections, texts):
            self._draw(panel, section.lines, of_panel)
        if ax is None:  # lines of both panels are equally high
            lowest = max(panel.get_ylim()[0] for panel in axes)
            for panel in axes:
                panel.set_ylim(lowest, 0)
        note = f"{explanation._base} {explanation.base_value:.2f}"
        log_odds = explanation._log_odds_text().replace(" (", "\n(")
        axes[0].set_xlabel(
            f"Shapley value of the log-odds\n(natural log; {note})\n"
            f"log-odds {log_odds}\n"
            f"{len(texts[0])} of {len(explanation.features)} columns shown",
            fontsize="small",
        )
        if len(axes) == 2:
            axes[1].set_xlabel("contribution to the log-odds", fontsize="small")
        return self

    def _draw(self, ax, lines, texts):
        """Draw numbers, blue for the predicted class and orange for the next."""
        values = np.array([line.value for line in lines])
        colours = [
            _DOUBT if line.text == UNSEEN else BLUE if v > 0 else ORANGE
            for line, v in zip(lines, values)
        ]
        ax.axvline(0, color=line_colour(), linewidth=1)
        if self.explanation.coverage is not None:
            ends = [line.interval for line in lines]
            draw_dots(ax, texts, values, colours, ends)
            return
        errors = np.array([line.error for line in lines])
        numbers = [f"{value:+.2f}" for value in values]
        bars = draw_bars(ax, texts, values, colours, errors if errors.any() else None)
        ax.bar_label(bars, numbers, padding=3, fontsize="small")
        ax.margins(x=_ROOM)
        ax.spines["left"].set_visible(False)
