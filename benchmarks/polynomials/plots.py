"""Figures: fits of the quintic, and errors of all methods on the quadratic."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import numpy as np

from benchmarks.polynomials.basis import Basis

matplotlib.use("Agg")

import matplotlib.pyplot as plt


def draw_fits(panels, target, path):
    """Draw data and the best region's model, plus and minus its sigma.

    Parameters
    ----------
    panels : list of tuples
        Points, values, draws and summary of each.
    target : callable
    path : Path
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(12, 3.9), sharey=True)
    for ax, (x, y, draws, summary) in zip(axes, panels):
        best = summary.representative
        sigma = np.sqrt(draws.variances[best])
        coefficients = draws.coefficients[best]
        line = np.linspace(x.min(), x.max(), 300)
        fit = Basis(x, len(coefficients) - 1).at(line) @ coefficients
        ax.plot(line, target(line), color="0.6", linestyle="--", label="target")
        ax.plot(line, fit, color="#0072B2", label="representative")
        ax.fill_between(
            line, fit - sigma, fit + sigma, color="#0072B2", alpha=0.15, linewidth=0
        )
        ax.plot(x, y, "x", color="black", label="data")
        title = f"n = {len(x)}: degree {draws.degrees[best]}, sigma {sigma:.2f}"
        ax.set_title(title, loc="left", fontsize=10)
        ax.set_xlabel("x")
    _finish(figure, axes, path)


def draw_boxes(panels, path):
    """Draw boxes of the logarithm of errors.

    Parameters
    ----------
    panels : dict
        From titles to dicts from methods to arrays of logarithms.
    path : Path
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(6 * len(panels), 4.6))
    axes = np.atleast_1d(axes)
    for ax, (title, logs) in zip(axes, panels.items()):
        ax.boxplot(
            list(logs.values()),
            tick_labels=list(logs),
            flierprops={"marker": ".", "markersize": 2, "markeredgecolor": "0.5"},
            medianprops={"color": "#D55E00"},
        )
        ax.tick_params(axis="x", labelrotation=40, labelsize=8)
        ax.set_title(title, loc="left", fontsize=10)
        ax.set_ylabel("log squared prediction error")
    _finish(figure, axes, path)


def _finish(figure, axes, path):
    for ax in axes:
        ax.grid(True, axis="y", color="0.9", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    if axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(frameon=False, fontsize=8)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)
