"""Display of terms: the top-weighted terms of each class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil, floor, isfinite, log10

import numpy as np

from sklearn_dnfwinnow._utils._compat import StrOptions, validate_params
from sklearn_dnfwinnow._utils._display._plotting import (
    class_panels,
    draw_bars,
    draw_dots,
)
from sklearn_dnfwinnow._utils._records import records_in
from sklearn_dnfwinnow.inspection._heavy_terms import terms

# The measures, with axis labels.
_MEASURES = {"weight": "weight", "share": "mean relative contribution"}


class TermsDisplay:
    """Plot of the top-weighted terms of each class, one panel per class.

    Weights are dots on a logarithmic axis. Relative contributions are bars. Precision
    and support of the terms are printed beside them, if samples were given.

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
    terms : Computes the weights.
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
        measure="weight",
        ax=None,
    ):
        """Find the top-weighted terms, and plot them.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search
            Fitted.

        X : {array-like, dataframe} of shape (n_samples, n_features), default=None
            Samples on which the terms are measured, as `estimator` takes them.

        y : array-like of shape (n_samples,), default=None
            Classes of the samples. None uses the predictions.

        class_of_interest : object, default=None
            The class whose terms are plotted; None is each class in turn.

        top : int, default=10
            Maximum number of terms per class.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the samples. None is 1 for each.

        measure : {'weight', 'share'}, default='weight'
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
        )
        return cls(records_in(table), estimator.classes_, class_of_interest).plot(
            ax, measure=measure
        )

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
            a bar.

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
        classes = list(self.classes)
        if self.class_of_interest is not None:
            classes = [self.class_of_interest]
        # Ties keep their order; NaN comes last.
        ranked = sorted(
            self.records, key=lambda r: -np.nan_to_num(_length(r, measure), nan=-1e300)
        )
        panels = [
            (class_, [record for record in ranked if record["class"] == class_])
            for class_ in classes
        ]
        start, end = _limits([_length(record, measure) for record in ranked], measure)
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

        measured = any("precision" in record for record in self.records)
        class_panels(self, ax, panels, draw=draw, measured=measured)
        self.axes_[-1].set_xlabel(_MEASURES[measure])
        return self


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
