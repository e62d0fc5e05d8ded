"""Display of a validation: the log loss of each candidate, and the selected one."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from textwrap import fill

import numpy as np

from sklearn_dnfwinnow._utils._compat import StrOptions, validate_params
from sklearn_dnfwinnow._utils._display._plotting import (
    LITERALLY,
    N_COLOURS,
    VERMILLION,
    class_colour,
    draw_ring,
    height_of,
    pyplot_for,
    write_legend,
)
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._pipelines._steps import steps_of

# Columns that are not parameters of a candidate.
_FOUND = "candidate", "n_epochs", "log_loss", "scale_"
# Maximum number of characters in a line of a label.
_WIDTH = 48
# Sizes in inches: of a figure, and of the space above and below the labels.
_HEIGHT, _AROUND = 4.2, 1.2
_GREY = "0.75"
# Pattern of a parameter in the text of an estimator.
_PARAMETER = re.compile(r"\w+=(?:\[.*?\]|'.*?'|[^,()]+)")


class ValidationDisplay:
    """Plot of the candidates of a classifier by held-out log loss.

    Lines show the log loss of each candidate by epoch. Alternatively, a heat map shows
    the lowest log loss for each pair of values of two parameters. A mark shows the
    selected candidate.

    It is recommended to use :meth:`from_estimator`. The display stores all parameters
    under their names. Matplotlib is needed to plot.

    Parameters
    ----------
    validation : dict of str to array-like
        `validation_` of a :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure, once plotted.

    ax_ : matplotlib Axes
        Its panel.

    See Also
    --------
    TermsDisplay : The terms of the selected model.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import ValidationDisplay
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> ValidationDisplay.from_estimator(clf)  # doctest: +SKIP
    """

    def __init__(self, validation):
        self.validation = validation

    @classmethod
    def from_estimator(cls, estimator, *, kind="lines", x=None, y=None, ax=None):
        """Plot the validation of a classifier.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search
            Fitted.

        kind : {'lines', 'heatmap'}, default='lines'
            See `plot`.

        x, y : str, default=None
            See `plot`.

        ax : matplotlib Axes, default=None
            See `plot`.

        Returns
        -------
        display : ValidationDisplay

        Raises
        ------
        ValueError
            If the classifier was fitted without internal cross-validation.
        """
        _, classifier = steps_of(estimator)
        validation = getattr(classifier, "validation_", None)
        if validation is None:
            raise ValueError(
                f"This {type(classifier).__name__} has no `validation_`, because it "
                "was fitted without internal cross-validation. Set `cv` to an "
                "integer."
            )
        return cls(validation).plot(ax, kind=kind, x=x, y=y)

    @validate_params(
        {
            "kind": [StrOptions({"lines", "heatmap"})],
            "x": [str, None],
            "y": [str, None],
        }
    )
    def plot(self, ax=None, *, kind="lines", x=None, y=None):
        """Plot the log losses.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes of the panel; None makes a figure.

        kind : {'lines', 'heatmap'}, default='lines'
            'lines' draws a line for each candidate, of log loss by epoch. Up to eight
            candidates have a colour and a label with the parameters in which they
            differ. 'heatmap' shows the lowest log loss of each pair of values of `x`
            and `y`, over all candidates and epochs with these values.

        x, y : str, default=None
            Columns of `validation` for the axes of a heat map: parameters, or
            'n_epochs'. Candidates to which one of them does not apply are omitted.

        Returns
        -------
        display : ValidationDisplay
            With `figure_` and `ax_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If `x` or `y` is missing for a heat map, is given for lines, is not a
            column, or applies to no candidate.
        """
        plt = pyplot_for(self)
        if kind == "heatmap":
            columns, rows, losses = self._cells(x, y)
            if ax is None:
                _, ax = plt.subplots(layout="constrained")
            _draw_cells(plt, ax, columns=columns, rows=rows, losses=losses)
            ax.set_xlabel(x, **LITERALLY)
            ax.set_ylabel(y, **LITERALLY)
        else:
            if x is not None or y is not None:
                raise ValueError("x and y must be None unless kind='heatmap'.")
            ranked = self._ranked()
            labels = self._labels(ranked[:N_COLOURS])
            is_own = ax is None
            if is_own:
                size = 9, max(_HEIGHT, height_of(labels) + _AROUND)
                _, ax = plt.subplots(figsize=size, layout="constrained")
            self._draw_lines(ax, ranked, labels)
            write_legend(ax, is_own, frameon=False)
        self.figure_, self.ax_ = ax.figure, ax
        return self

    def _column(self, name):
        return np.asarray(self.validation[name])

    def _texts(self, name):
        """Return a column as texts, empty where a parameter does not apply.

        Discretizers are shown with the parameters in which they differ.
        """
        texts = [_text(value) for value in self._column(name)]
        return _but_for_common(texts) if name == "discretizer" else texts

    # -- lines -------------------------------------------------------------------------

    def _ranked(self):
        """Return the candidates in ascending order of their lowest log loss."""
        candidates, losses = self._column("candidate"), self._column("log_loss")
        return sorted(
            np.unique(candidates), key=lambda one: losses[candidates == one].min()
        )

    def _draw_lines(self, ax, ranked, labels):
        """Draw log losses by epoch, and a ring around the lowest."""
        candidates, losses = self._column("candidate"), self._column("log_loss")
        epochs = self._column("n_epochs")
        for k, candidate in enumerate(ranked):
            rows = candidates == candidate
            has_label = k < len(labels)
            # Better candidates are drawn on top.
            ax.plot(
                epochs[rows],
                losses[rows],
                color=class_colour(k, len(labels)) if has_label else _GREY,
                label=labels[k] if has_label else None,
                marker=".",
                linewidth=1,
                zorder=3 - k / len(ranked),
            )
        if len(ranked) > len(labels):
            ax.plot([], [], color=_GREY, label=f"{len(ranked) - len(labels)} others")
        chosen = losses.argmin()
        draw_ring(ax, epochs[chosen], losses[chosen], zorder=4)
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:.0f}")
        ax.set_xlabel("epochs")
        ax.set_ylabel("held-out log loss")

    def _labels(self, candidates):
        """Return the parameters in which candidates differ, as a text for each.

        `update` is omitted, because the update rules have different parameters.
        """
        names = [name for name in self.validation if name not in (*_FOUND, "update")]
        texts = {name: self._texts(name) for name in names}
        differing = [name for name in names if len(set(texts[name])) > 1]
        labels = []
        for candidate in candidates:
            row = int((self._column("candidate") == candidate).argmax())
            values = {name: texts[name][row] for name in differing}
            said = [_said(name, text) for name, text in values.items() if text]
            labels.append(_folded(", ".join(said) or f"candidate {candidate}"))
        return labels

    # -- heat map ----------------------------------------------------------------------

    def _cells(self, x, y):
        """Return two columns as texts, and the lowest log losses of pairs of values."""
        choices = [
            name for name in self.validation if name == "n_epochs" or name not in _FOUND
        ]
        for name, column in (("x", x), ("y", y)):
            if column not in choices:
                raise ValueError(
                    f"{name} must be one of {', '.join(choices)} for kind='heatmap'; "
                    f"got {column!r}."
                )
        lowest = {}
        losses = self._column("log_loss")
        for column, row, loss in zip(self._texts(x), self._texts(y), losses):
            if column and row:
                lowest[row, column] = min(loss, lowest.get((row, column), np.inf))
        if not lowest:
            raise ValueError(f"No candidate has both {x!r} and {y!r}.")
        columns = self._in_order(x, {column for _, column in lowest})
        rows = self._in_order(y, {row for row, _ in lowest})
        table = [[lowest.get((row, c), np.inf) for c in columns] for row in rows]
        return columns, rows, np.array(table)

    def _in_order(self, name, texts):
        """Return the texts of a column in the order of its values: numbers first."""
        values = dict(zip(self._texts(name), self._column(name).tolist()))

        def order(text):
            value = values[text]
            is_number = isinstance(value, (int, float))
            return not is_number, value if is_number else 0, value is None, text

        return sorted(texts, key=order)


def _draw_cells(plt, ax, columns, rows, losses):
    """Draw the cells of a heat map with their log losses, and frame the lowest."""
    found = np.ma.masked_invalid(losses)
    image = ax.imshow(found, cmap="viridis", aspect="auto", origin="lower")
    ax.set_xticks(range(len(columns)), list(map(_folded, columns)))
    ax.set_yticks(range(len(rows)), list(map(_folded, rows)))
    middle = (found.min() + found.max()) / 2
    for (row, column), loss in np.ndenumerate(losses):
        if np.isfinite(loss):
            # Low values are dark.
            color = "white" if loss < middle else "black"
            ax.text(column, row, f"{loss:.3f}", ha="center", va="center", color=color)
    row, column = np.unravel_index(losses.argmin(), losses.shape)
    corner = column - 0.5, row - 0.5
    style = {"fill": False, "color": VERMILLION, "linewidth": 3, "clip_on": False}
    ax.add_patch(plt.Rectangle(corner, width=1, height=1, **style))
    ax.figure.colorbar(image, ax=ax, label="lowest held-out log loss")


def _text(value):
    """Return the value of a parameter as text; empty where it does not apply."""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.6g}"
    # The text of a discretizer can have several lines.
    return shown(" ".join(str(value).split()))


def _said(name, text):
    # The text of a discretizer contains the names of its parameters.
    return text if _PARAMETER.match(text) else f"{name}={text}"


def _but_for_common(texts):
    """Return texts of discretizers without the parameters that they have in common."""
    found = {text: _PARAMETER.findall(text) for text in texts}
    told = [set(parameters) for text, parameters in found.items() if "(" in text]
    common = set.intersection(*told) if told else set()
    return [
        ", ".join(one for one in found[text] if one not in common) or text
        for text in texts
    ]


def _folded(text):
    return fill(text, _WIDTH, break_long_words=False)
