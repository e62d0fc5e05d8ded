"""Display of an explanation by interactions: contributions to one prediction."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from textwrap import wrap

from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._display._plotting import (
    as_axes,
    class_colour,
    draw_dots,
    line_colour,
    panels_for,
    pyplot_for,
    wrapped,
    write_title,
)
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._explained_prediction import explained_row
from sklearn_dnfwinnow.inspection._interactions._explanation import (
    UNSEEN,
    explain_interactions,
)

# Sizes in inches.
_PANEL, _AROUND = 4.2, 2.1
# Colour of contributions that favour no class.
_DOUBT = "0.5"
# Maximum number of characters in a line of the title.
_TITLE = 70


class InteractionExplanationDisplay:
    """Plot of the contributions of interactions and features to one prediction.

    There are three panels. The top panel shows the probabilities of the classes. The
    other panels show the contributions of interactions, and of features, to the mean
    log-odds of the predicted class against the next. The contributions in each of these
    two panels add up to the mean log-odds. Dots are means, and lines through them are
    intervals. Contributions to the left of 0 favour the next class.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    explanation : InteractionExplanation
        As returned by :func:`explain_interactions`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    axes_ : ndarray of shape (3,), of matplotlib Axes
        The panels of probabilities, interactions and features.

    See Also
    --------
    explain_interactions : Computes the explanations.
    InteractionsDisplay : The interactions of a model.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import InteractionExplanationDisplay
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=50, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> InteractionExplanationDisplay.from_estimator(clf, X, row=7)  # doctest: +SKIP
    """

    def __init__(self, explanation):
        self.explanation = explanation

    @classmethod
    def from_estimator(
        cls, estimator, X, row=0, *, top=5, coverage=0.9, n_features=10, ax=None
    ):
        """Explain the prediction for a sample, and plot the explanation.

        Parameters
        ----------
        estimator : BayesianInteractionClassifier, or an estimator with one inside
            Fitted, as :func:`explain_interactions` takes it.

        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples, as `estimator` takes them.

        row : int, default=0
            Position in X of the sample to explain.

        top : int, default=5
            Number of groups, in addition to the group of the empty term.

        coverage : float, default=0.9
            Fraction of the draws in each interval.

        n_features : int, default=10
            See `plot`.

        ax : sequence of three matplotlib Axes, default=None
            See `plot`.

        Returns
        -------
        display : InteractionExplanationDisplay

        Raises
        ------
        IndexError
            If X has no such row.
        """
        explanation = explained_row(
            explain_interactions, estimator, X, row=row, top=top, coverage=coverage
        )
        return cls.from_explanation(explanation, n_features=n_features, ax=ax)

    @classmethod
    def from_explanation(cls, explanation, *, n_features=10, ax=None):
        """Plot an explanation.

        Parameters
        ----------
        explanation : InteractionExplanation
            As returned by :func:`explain_interactions`.

        n_features : int, default=10
            See `plot`.

        ax : sequence of three matplotlib Axes, default=None
            See `plot`.

        Returns
        -------
        display : InteractionExplanationDisplay
        """
        return cls(explanation).plot(ax, n_features=n_features)

    @validate_params({"n_features": [POSITIVE]})
    def plot(self, ax=None, *, n_features=10):
        """Plot the explanation.

        Parameters
        ----------
        ax : sequence of three matplotlib Axes, default=None
            Axes of the panels; None makes a figure with a height that fits the texts.

        n_features : int, default=10
            Maximum number of features.

        Returns
        -------
        display : InteractionExplanationDisplay
            With `figure_` and `axes_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If there are not three axes.
        """
        plt = pyplot_for(self)
        explanation = self.explanation
        shares = explanation._sections(n_features)
        classes = [
            wrapped(f"class {shown(explanation.classes[k])}")
            for k in explanation.ranking
        ]
        texts = [
            classes,
            *([wrapped(line.text) for line in section.lines] for section in shares),
        ]
        title = "\n".join(wrap(explanation._headline(), _TITLE))
        is_own = ax is None
        if is_own:
            ax = panels_for(
                plt, [title], texts, width=_PANEL, around=_AROUND, sharex=False
            )
            ax[1].sharex(ax[2])
        axes = as_axes(ax, [3], "be three Axes")
        write_title(axes, title, is_own)
        self._draw_probabilities(axes[0], classes)
        for panel, section, of_panel in zip(axes[1:], shares, texts[1:]):
            self._draw_shares(panel, section, of_panel)
        axes[1].set_xlabel("contributions of interactions", fontsize="small")
        axes[2].set_xlabel(
            f"{shares[1].heading}\n"
            f"to the mean log-odds, {explanation.log_odds:+.2f} (natural log)\n"
            f"means, {100 * explanation.coverage:.4g}% intervals",
            fontsize="small",
        )
        self.figure_, self.axes_ = axes[0].figure, axes
        return self

    def _draw_probabilities(self, ax, texts):
        """Draw the probability of each class, the highest first."""
        ranking = self.explanation.ranking
        draw_dots(
            ax=ax,
            texts=texts,
            places=self.explanation.probabilities[ranking],
            colours=[self._colour(k) for k in ranking],
            ends=self.explanation.probability_intervals[ranking],
        )
        ax.set_xlim(-0.02, 1.02)
        ax.set_xlabel("probability", fontsize="small")

    def _draw_shares(self, ax, section, texts):
        """Draw contributions in the colours of the classes that they favour."""
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

    def _colour(self, k):
        """Return the colour of class k."""
        return class_colour(k, len(self.explanation.classes))
