"""ChainDiagnosticsDisplay: plots of chain diagnostics, with Matplotlib."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._plotting import BLUE, VERMILION, pyplot_for
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import diagnose_chains

# Panels of the figure: attribute, label of the axis, and its scale.
_PANELS = (
    ("acceptance", "acceptance rate", "linear"),
    ("swap_rates", "swap rate", "linear"),
    ("autocorrelation_times", "autocorrelation time", "log"),
    ("std_errors", "standard error", "log"),
)
# Colours of sums whose chains are long enough, and too short.
_LONG, _SHORT = BLUE, VERMILION


class ChainDiagnosticsDisplay:
    """Plot of the diagnostics of Markov chains along the temperature ladder.

    Each sum is a line over alpha_i. The panels show the acceptance rate, the swap rate,
    the autocorrelation time with the length of the chains, and the standard error of
    each ratio. Sums whose chains are too short are dashed and in another colour.

    It is recommended to use :meth:`from_estimator`. The parameters are stored under
    their names. Plotting requires Matplotlib.

    Parameters
    ----------
    diagnostics : ChainDiagnostics, or array-like of them
        Result of :func:`diagnose_chains` or :func:`diagnose_weighted_sum`.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The figure. Set by `plot`.
    axes_ : ndarray of shape (n_panels,), of matplotlib Axes
        The panels: acceptance rate, swap rate (if chains swap), autocorrelation time,
        standard error. Set by `plot`.

    See Also
    --------
    diagnose_chains : Return the plotted diagnostics.

    Examples
    --------
    >>> from sklearn_dnfwinnow.diagnostics import (
    ...     ChainDiagnosticsDisplay, diagnose_weighted_sum
    ... )
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> found = diagnose_weighted_sum(
    ...     [[True, True, False], [True, False, True], [False, True, True]], [9, -8, 7],
    ...     sampler=Gibbs(n_steps=3000), random_state=0,
    ... )
    >>> display = ChainDiagnosticsDisplay(found)
    >>> display.plot()  # doctest: +SKIP
    """

    def __init__(self, diagnostics):
        self.diagnostics = diagnostics

    @classmethod
    def from_estimator(cls, estimator, X, *, axes=None):
        """Diagnose the chains behind the scores of samples, and plot the diagnostics.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, or Pipeline that ends with one
            Fitted estimator, with a Markov chain as its `sampler`.

        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. A few samples suffice.

        axes : sequence of matplotlib Axes, default=None
            Axes of the panels, see `plot`.

        Returns
        -------
        display : ChainDiagnosticsDisplay
            The display, with `figure_` and `axes_`.
        """
        return cls(diagnose_chains(estimator, X)).plot(axes)

    def plot(self, axes=None):
        """Plot the diagnostics.

        Parameters
        ----------
        axes : sequence of matplotlib Axes, default=None
            Axes of the panels: 4, or 3 if no chains swap. None creates a figure.

        Returns
        -------
        display : ChainDiagnosticsDisplay
            The display, with `figure_` and `axes_`.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If there are fewer axes than panels.
        """
        plt = pyplot_for(self)
        all_found = np.ravel(np.asarray(self.diagnostics, dtype=object))
        swapped = any(np.isfinite(found.swap_rates).any() for found in all_found)
        panels = [panel for panel in _PANELS if swapped or panel[0] != "swap_rates"]
        if axes is None:
            size = 3.3 * len(panels), 3.2
            _, axes = plt.subplots(
                1, len(panels), figsize=size, sharex=True, layout="constrained"
            )
        axes = np.ravel(np.asarray(axes, dtype=object))
        if len(axes) < len(panels):
            raise ValueError(
                f"axes must contain {len(panels)} Axes, one for each panel; got "
                f"{len(axes)}."
            )
        for ax, (name, label, scale) in zip(axes, panels):
            for found in all_found:
                self._draw(ax, found, getattr(found, name))
            ax.set_xlabel("alpha of the chain")
            ax.set_ylabel(label)
            if all(len(found.alphas) == 0 for found in all_found):
                continue
            ax.set_yscale(scale)
            if scale == "linear":
                ax.set_ylim(-0.02, 1.02)
            if name == "std_errors":
                # Negligible values may be many powers of ten smaller.
                most = max(found.std_errors.max(initial=0) for found in all_found)
                if 0 < most < np.inf:
                    ax.set_ylim(bottom=1e-4 * most)
            if name == "autocorrelation_times":
                n_steps = max(found.n_steps for found in all_found)
                ax.axhline(n_steps, color="black", linewidth=1, linestyle=":")
                ax.annotate(
                    "length of the chains",
                    (0.98, n_steps),
                    xycoords=("axes fraction", "data"),
                    xytext=(0, -3),
                    textcoords="offset points",
                    ha="right",
                    va="top",
                    fontsize="small",
                )
        self._draw_legend(axes[0], all_found)
        self.figure_, self.axes_ = axes[0].figure, axes
        return self

    @staticmethod
    def _draw(ax, found, values):
        """Draw the line of one sum in one panel."""
        # Swaps are between a chain and the next, and drawn in the middle.
        alphas = found.alphas
        if len(values) < len(alphas):
            alphas = (alphas[1:] + alphas[:-1]) / 2
        ax.plot(
            alphas,
            np.where(np.isfinite(values), values, np.nan),
            color=_SHORT if found.too_short else _LONG,
            linestyle="--" if found.too_short else "-",
            marker="." if len(alphas) < 40 else "",
            linewidth=1,
            alpha=0.8,
        )

    @staticmethod
    def _draw_legend(ax, all_found):
        """Draw a legend with the number of sums of each colour."""
        n_short = sum(found.too_short for found in all_found)
        for n, verdict, colour, line in (
            (len(all_found) - n_short, "not too short", _LONG, "-"),
            (n_short, "too short", _SHORT, "--"),
        ):
            if n:
                ax.plot([], [], color=colour, linestyle=line, label=f"{n} {verdict}")
        ax.legend(frameon=False, fontsize="small")
