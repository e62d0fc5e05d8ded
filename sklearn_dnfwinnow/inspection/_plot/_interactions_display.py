"""Display of interactions: the groups of terms with the largest effects."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._display._plotting import (
    class_panels,
    draw_dots,
    line_colour,
)
from sklearn_dnfwinnow._utils._records import records_in
from sklearn_dnfwinnow.inspection._interactions._interactions import interactions


class InteractionsDisplay:
    """Plot of the interactions with the largest effects, one panel per class.

    Dots are medians of effects, and lines through them are intervals. Samples that
    satisfy a group with a positive effect belong to the class more often. Precision and
    support of the groups among the training samples are printed beside them. With two
    classes there is one panel, because effects on the first class are those on the
    second with opposite sign.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    records : list of dict
        Rows of the result of :func:`interactions`.

    classes : sequence
        All class labels.

    coverage : float
        Fraction of the draws in each interval.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    axes_ : ndarray of shape (n_panels,), of matplotlib Axes
        Its panels, in the order of the records.

    See Also
    --------
    interactions : Computes the effects.
    InteractionExplanationDisplay : The interactions behind one prediction.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import InteractionsDisplay
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=50, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> InteractionsDisplay.from_estimator(clf, top=5)  # doctest: +SKIP
    """

    def __init__(self, records, classes, coverage):
        self.records = records
        self.classes = classes
        self.coverage = coverage

    @classmethod
    def from_estimator(
        cls, estimator, *, class_of_interest=None, top=10, coverage=0.9, ax=None
    ):
        """Find the interactions with the largest effects, and plot them.

        Parameters
        ----------
        estimator : BayesianInteractionClassifier, or an estimator with one inside
            Fitted, as :func:`interactions` takes it.

        class_of_interest : object, default=None
            The class whose effects are plotted. None is each class in turn; with two
            classes, None is the second class only.

        top : int, default=10
            Maximum number of groups per class.

        coverage : float, default=0.9
            Fraction of the draws in each interval.

        ax : matplotlib Axes, or one a panel, default=None
            See `plot`.

        Returns
        -------
        display : InteractionsDisplay
        """
        table = interactions(estimator, class_of_interest, top, coverage=coverage)
        return cls(records_in(table), estimator.classes_, coverage).plot(ax)

    def plot(self, ax=None):
        """Plot the interactions.

        Parameters
        ----------
        ax : matplotlib Axes, or one a panel, default=None
            Axes of the panels; None makes a figure with a height that fits the texts.

        Returns
        -------
        display : InteractionsDisplay
            With `figure_` and `axes_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If the number of axes is not the number of panels.
        """
        panels = {}
        for record in self.records:
            panels.setdefault(record["class"], []).append(record)
        class_panels(self, ax, [*panels.items()], draw=_draw_effects, measured=True)
        what = "log-odds" if len(self.classes) == 2 else "score"
        self.axes_[-1].set_xlabel(
            f"effect on the {what} (natural log)\n"
            f"medians, {100 * self.coverage:.4g}% intervals"
        )
        return self


def _draw_effects(ax, texts, records, colours):
    """Draw medians and intervals."""
    ax.axvline(0, color=line_colour(), linewidth=1)
    return draw_dots(
        ax=ax,
        texts=texts,
        places=[record["median"] for record in records],
        colours=colours,
        ends=[(record["low"], record["high"]) for record in records],
    )
