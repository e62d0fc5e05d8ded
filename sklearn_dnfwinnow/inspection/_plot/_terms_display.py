"""Display of terms: the terms that speak most for each class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isfinite

from sklearn_dnfwinnow._utils._display import records_in, shown
from sklearn_dnfwinnow._utils._estimators import validate_params
from sklearn_dnfwinnow._utils._plotting import (
    LITERALLY,
    as_axes,
    class_colour,
    draw_dots,
    height_of,
    pyplot_for,
    width_of,
    wrapped,
)
from sklearn_dnfwinnow.inspection._terms import terms

# Sizes in inches.
_PANEL, _AROUND = 3.6, 0.75


class TermsDisplay:
    """Plot of the terms that speak most for each class, one panel per class.

    Dots are a measure of the terms, such as the precision, and lines through them are
    its intervals, if it has any. Lift and support are printed below them.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    records : list of dict
        Rows of the result of :func:`terms`.

    classes : sequence
        All class labels, in the order of the panels. A class may have no terms.

    class_of_interest : object, default=None
        The only class with a panel; None is all classes.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    axes_ : ndarray of shape (n_classes,), of matplotlib Axes
        Its panels.

    See Also
    --------
    terms : Finds the terms, and measures them.
    ExplanationDisplay : The reasons for one prediction.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import TermsDisplay
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> TermsDisplay.from_estimator(clf, X, y, top=5)  # doctest: +SKIP
    """

    def __init__(self, records, classes, class_of_interest=None):
        self.records = records
        self.classes = classes
        self.class_of_interest = class_of_interest

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X=None,
        y=None,
        *,
        class_of_interest=None,
        top=10,
        sample_weight=None,
        coverage=0.9,
        measure="precision",
        ax=None,
    ):
        """Find the terms that speak most for each class, and plot them.

        Parameters
        ----------
        estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an \
                estimator with a single one inside
            Fitted.

        X, y, class_of_interest, top, sample_weight, coverage
            See :func:`terms`.

        measure : str, default='precision'
            See `plot`.

        ax : matplotlib Axes, or one a class, default=None
            See `plot`.

        Returns
        -------
        display : TermsDisplay
        """
        table = terms(
            estimator,
            class_of_interest,
            top,
            X=X,
            y=y,
            sample_weight=sample_weight,
            details=True,
            coverage=coverage,
        )
        display = cls(records_in(table), estimator.classes_, class_of_interest)
        return display.plot(ax, measure=measure)

    @validate_params({"measure": [str]})
    def plot(self, ax=None, *, measure="precision"):
        """Plot the terms.

        Parameters
        ----------
        ax : matplotlib Axes, or one a class, default=None
            Axes of the panels; None makes a figure with a height that fits the texts.

        measure : str, default='precision'
            The numbers that are plotted: a column of :func:`terms` with details, such
            as 'share', or 'effect' for a BayesianInteractionClassifier.

        Returns
        -------
        display : TermsDisplay
            With `figure_` and `axes_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If the number of axes is not the number of classes, or the terms have no
            such measure.
        """
        plt = pyplot_for(self)
        for record in self.records[:1]:
            known = [name for name in record if name not in ("class", "term", "closed")]
            if measure not in known:
                raise ValueError(f"measure must be one of {known}; got {measure!r}.")
        classes = list(self.classes)
        drawn = classes if self.class_of_interest is None else [self.class_of_interest]
        panels = [
            [record for record in self.records if record["class"] == class_]
            for class_ in drawn
        ]
        titles = [wrapped(f"class {shown(class_)}") for class_ in drawn]
        texts = [list(map(_label, found)) for found in panels]
        if ax is None:
            ax = _panels_for(plt, titles, texts)
        self.axes_ = as_axes(ax, [len(panels)], f"contain {len(panels)} Axes")
        self.figure_ = self.axes_[0].figure
        names = [f"{measure}_low", f"{measure}_high"]
        for panel, class_, title, found, of_panel in zip(
            self.axes_, drawn, titles, panels, texts
        ):
            colour = class_colour(classes.index(class_), len(classes))
            ends = [[record.get(name) for name in names] for record in found]
            draw_dots(
                ax=panel,
                texts=of_panel,
                places=[record[measure] for record in found],
                colours=[colour] * len(found),
                ends=ends if found and names[0] in found[0] else (),
            )
            panel.set_title(title, loc="left", fontsize="medium", **LITERALLY)
        self.axes_[-1].set_xlabel(measure.replace("_", " "))
        return self


def _panels_for(plt, titles, texts):
    """Return panels below each other, with sizes that fit their texts.

    Parameters
    ----------
    plt : module
    titles : list of str
        Wrapped titles.
    texts : list of lists of str
        Wrapped texts beside each panel.
    """
    heights = [max(0.2, height_of(of_panel)) for of_panel in texts]
    width = _PANEL + max(map(width_of, texts))
    _, axes = plt.subplots(
        len(texts),
        figsize=(width, sum(heights) + height_of(titles) + _AROUND),
        sharex=True,
        height_ratios=heights,
        layout="constrained",
    )
    return axes


def _label(record):
    """Return a term as text, with lift and support below it."""
    lift = f"{record['lift']:.2f}" if isfinite(record["lift"]) else "none"
    return f"{wrapped(record['term'])}\nlift {lift}, support {record['support']:.6g}"
