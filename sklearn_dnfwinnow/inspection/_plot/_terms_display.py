"""Display of terms: the top-weighted terms of each class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil, floor, isfinite, log10

import numpy as np

from sklearn_dnfwinnow._utils._display import records_in, shown
from sklearn_dnfwinnow._utils._estimators import StrOptions, validate_params
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
)
from sklearn_dnfwinnow.inspection._interactions import interactions
from sklearn_dnfwinnow.inspection._steps import has_interactions
from sklearn_dnfwinnow.inspection._terms import terms

# The measures of terms with weights, with axis labels.
_MEASURES = {"weight": "weight", "share": "mean relative contribution"}
# Ends of the columns of numbers beside a panel, in points.
_COLUMNS = (("precision", 56), ("support", 106))
# Sizes in inches.
_PANEL, _FIGURES, _AROUND = 3.6, 1.6, 0.75


class TermsDisplay:
    """Plot of the top-weighted terms of each class, one panel per class.

    Weights are dots on a logarithmic axis. Relative contributions are bars. Precision
    and support of the terms are printed beside them, if samples were given.

    For a BayesianInteractionClassifier, terms represent groups. Dots are medians of
    their effects, and lines through them are intervals. Precision and support are those
    among the training samples. With two classes there is one panel, because effects on
    the first class are those on the second with opposite sign.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    records : list of dict
        Rows of the result of :func:`terms` or :func:`interactions`.

    classes : sequence
        All class labels, in the order of the panels. A class may have no terms.

    class_of_interest : object, default=None
        The only class with a panel; None is all classes.

    coverage : float, default=None
        Fraction of the draws in each interval; None for terms with weights.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    axes_ : ndarray of shape (n_classes,), of matplotlib Axes
        Its panels.

    See Also
    --------
    terms, interactions : Compute the weights and the effects.
    ExplanationDisplay : The terms behind one prediction.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import TermsDisplay
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> TermsDisplay.from_estimator(clf, X, y, top=5)  # doctest: +SKIP
    """

    def __init__(self, records, classes, class_of_interest=None, coverage=None):
        self.records = records
        self.classes = classes
        self.class_of_interest = class_of_interest
        self.coverage = coverage

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
        measure="weight",
        coverage=0.9,
        ax=None,
    ):
        """Find the terms with the largest weights or effects, and plot them.

        Parameters
        ----------
        estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an \
                estimator with a single one inside
            Fitted.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features), \
                default=None
            Samples on which the terms are measured, as `estimator` takes them. Only for
            a DNFWinnowClassifier, like `y` and `sample_weight`.

        y : array-like of shape (n_samples,), default=None
            Classes of the samples. None uses the predictions.

        class_of_interest : object, default=None
            The class whose terms are plotted; None is each class in turn, but only the
            second of two classes for a BayesianInteractionClassifier.

        top : int, default=10
            Maximum number of terms per class.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the samples. None is 1 for each.

        measure : {'weight', 'share'}, default='weight'
            See `plot`.

        coverage : float, default=0.9
            Fraction of the draws in each interval of a BayesianInteractionClassifier.

        ax : matplotlib Axes, or one a class, default=None
            See `plot`.

        Returns
        -------
        display : TermsDisplay

        Raises
        ------
        ValueError
            If samples are given for a BayesianInteractionClassifier.
        """
        if not has_interactions(estimator):
            table = terms(
                estimator,
                class_of_interest,
                top,
                X=X,
                y=y,
                sample_weight=sample_weight,
            )
            display = cls(records_in(table), estimator.classes_, class_of_interest)
            return display.plot(ax, measure=measure)
        if any(given is not None for given in (X, y, sample_weight)):
            raise ValueError(
                "X, y and sample_weight must be None for a "
                "BayesianInteractionClassifier: precision and support are those among "
                "the training samples."
            )
        table = interactions(estimator, class_of_interest, top, coverage=coverage)
        classes = estimator.classes_
        if class_of_interest is None and len(classes) == 2:
            class_of_interest = classes[1]
        return cls(records_in(table), classes, class_of_interest, coverage).plot(ax)

    @validate_params({"measure": [StrOptions(set(_MEASURES))]})
    def plot(self, ax=None, *, measure="weight"):
        """Plot the terms.

        Parameters
        ----------
        ax : matplotlib Axes, or one a class, default=None
            Axes of the panels; None makes a figure with a height that fits the texts.

        measure : {'weight', 'share'}, default='weight'
            'weight' plots the weight as a dot on a logarithmic axis. 'share' plots the
            mean relative contribution of the term to the weighted sums of its class as
            a bar. Effects of a BayesianInteractionClassifier have no such measure.

        Returns
        -------
        display : TermsDisplay
            With `figure_` and `axes_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If the number of axes is not the number of classes.
        """
        plt = pyplot_for(self)
        classes = list(self.classes)
        drawn = classes
        if self.class_of_interest is not None:
            drawn = [self.class_of_interest]
        ranked, draw = self.records, _draw_effects
        if self.coverage is None:
            # Ties keep their order; NaN comes last.
            ranked = sorted(
                self.records,
                key=lambda r: -np.nan_to_num(_length(r, measure), nan=-1e300),
            )
            draw = _drawing(ranked, measure)
        panels = [
            [record for record in ranked if record["class"] == class_]
            for class_ in drawn
        ]
        measured = any("precision" in record for record in self.records)
        titles = [wrapped(f"class {shown(class_)}") for class_ in drawn]
        texts = [[wrapped(record["term"]) for record in found] for found in panels]
        if ax is None:
            ax = _panels_for(plt, titles, texts, _PANEL + _FIGURES * measured)
        self.axes_ = as_axes(ax, [len(panels)], f"contain {len(panels)} Axes")
        self.figure_ = self.axes_[0].figure
        for panel, class_, title, found, of_panel in zip(
            self.axes_, drawn, titles, panels, texts
        ):
            colour = class_colour(classes.index(class_), len(classes))
            middles = draw(panel, of_panel, found, [colour] * len(found))
            panel.set_title(title, loc="left", fontsize="medium", **LITERALLY)
            if measured:
                _write_figures(panel, found, middles)
        self.axes_[-1].set_xlabel(self._label(measure))
        return self

    def _label(self, measure):
        """Return the label of the axis."""
        if self.coverage is None:
            return _MEASURES[measure]
        what = "log-odds" if len(self.classes) == 2 else "score"
        return (
            f"effect on the {what} (natural log)\n"
            f"medians, {100 * self.coverage:.4g}% intervals"
        )


def _panels_for(plt, titles, texts, width):
    """Return panels below each other, with sizes that fit their texts.

    Parameters
    ----------
    plt : module
    titles : list of str
        Wrapped titles.
    texts : list of lists of str
        Wrapped texts beside each panel.
    width : float
        Of the panels, in inches.
    """
    heights = [max(0.2, height_of(of_panel)) for of_panel in texts]
    _, axes = plt.subplots(
        len(texts),
        figsize=(
            width + max(map(width_of, texts)),
            sum(heights) + height_of(titles) + _AROUND,
        ),
        sharex=True,
        height_ratios=heights,
        layout="constrained",
    )
    return axes


def _write_figures(ax, records, middles):
    """Write precision and support of records to the right of a panel."""
    place = {"textcoords": "offset points", "ha": "right", "fontsize": "small"}
    for name, right in _COLUMNS:
        ax.annotate(
            text=name,
            xy=(1, 1),
            xytext=(right, 5),
            xycoords="axes fraction",
            color="0.5",
            **place,
        )
        for record, middle in zip(records, middles):
            text = f"{record[name]:.6g}"
            if name == "precision":
                text = f"{record[name]:.1%}" if isfinite(record[name]) else "none"
            ax.annotate(
                text=text,
                xy=(1, middle),
                xytext=(right, 0),
                va="center",
                xycoords=("axes fraction", "data"),
                **place,
            )


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


def _drawing(records, measure):
    """Return a function that draws records in a panel, on the axis of all records."""
    start, end = _limits([_length(record, measure) for record in records], measure)
    ticks, labels = _ticks(start, end, measure)

    def draw(ax, texts, records, colours):
        lengths = [_length(record, measure) for record in records]
        if measure == "weight":
            middles = draw_dots(ax, texts, lengths, colours)
        else:
            middles = draw_bars(ax, texts, start, lengths, 0.0, colours)
        ax.set_xlim(start, end)
        ax.set_xticks(ticks, labels)
        return middles

    return draw


def _length(record, measure):
    """Return a contribution, or the decimal logarithm of a weight."""
    if measure == "share":
        return record["share"]
    return record["log_weight"] / np.log(10)


def _limits(lengths, measure):
    """Return both ends of the axis."""
    lengths = [length for length in lengths if isfinite(length)]
    least, most = min(lengths, default=0.0), max(lengths, default=0.0)
    if measure == "share":
        return 0.0, 1.05 * most or 1.0
    margin = max(0.05 * (most - least), 0.05)
    return least - margin, most + margin


def _ticks(start, end, measure):
    """Return the positions and the labels of the ticks."""
    from matplotlib.ticker import MaxNLocator  # here for import time

    if measure == "share":
        ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(start, end)
        labels = [f"{100 * tick:.3g}%" for tick in ticks]
    elif end - start < 3:
        marks = list(_marks(start, end))
        ticks = np.array([power + log10(digits) for digits, power in marks])
        labels = [_number(digits, power) for digits, power in marks]
    else:
        ticks = MaxNLocator(8, integer=True).tick_values(start, end)
        labels = [f"$10^{{{tick:.0f}}}$" for tick in ticks]
    inside = (ticks >= start) & (ticks <= end)
    return ticks[inside], np.array(labels)[inside]


def _marks(start, end):
    """Return tick values between two powers of ten: pairs of digits and power."""
    from matplotlib.ticker import MaxNLocator  # here for import time

    power = floor(start)
    if end - start < 0.6:
        numbers = MaxNLocator(5).tick_values(10 ** (start - power), 10 ** (end - power))
        return [(number, power) for number in numbers if number > 0]
    return [(step, p) for p in range(power, ceil(end) + 1) for step in (1, 2, 5)]


def _number(digits, power):
    """Return digits times a power of ten as text."""
    text = f"{digits:.4g}e{power}"
    return f"{float(text):g}" if abs(power) < 5 else text
