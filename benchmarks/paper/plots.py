"""Plots: Figures 1 and 2 of the paper, each beside what the package offers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import numpy as np

from benchmarks.paper.guess_error import KAPPAS, KEPT, SCALES, means, of_figure_1
from benchmarks.paper.protocol import EXACT, SAMPLERS

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter

# Okabe & Ito's palette, told apart by the colour-blind; the shape says it again.
_STYLES = {
    "M": ("#E69F00", "^", "-"),
    "M+PT": ("#E69F00", "^", ":"),
    "G": ("#D55E00", "v", "-"),
    "G+PT": ("#D55E00", "v", ":"),
    "MG": ("#CC79A7", "D", "-"),
    "MG+PT": ("#CC79A7", "D", ":"),
    "range": ("#009E73", "P", "-"),
    "frontier 50": ("#56B4E9", "o", "-"),
    "frontier 200": ("#0072B2", "s", "-"),
    "frontier 1000": ("#000000", "p", "-"),
    "sum": ("#D55E00", "v", "-"),
    "max": ("#0072B2", "s", "-"),
}
_NAMES = {
    "M": "Metropolis",
    "M+PT": "Metropolis, tempering",
    "G": "Gibbs",
    "G+PT": "Gibbs, tempering",
    "MG": "Metropolized Gibbs",
    "MG+PT": "Metropolized Gibbs, tempering",
    "range": "Gibbs, m = range",
    **{f"frontier {states}": f"frontier, {states:,} states" for states in KEPT},
}
_SCALE_NAMES = {"sum": "m = u + v", "max": "m = max(u, v)", "range": "m = range"}
# In %: what is less is drawn here.
_LEAST = 1e-4


def figure_1(rows, path):
    """Guess Error on Voting against steps, and against the time of a sum."""
    found = means(of_figure_1(rows), "label", "scale", "effort")
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6))
    for label in SAMPLERS:
        points = [
            (effort, *point)
            for (of_label, scale, effort), point in found.items()
            if (of_label, scale) == (label, "sum")
        ]
        _band(left, label, [(steps, error) for steps, error, _, _ in points])
    left.set(xlabel="sampling steps $T_s$", ylabel="Guess Error, %")
    _show_means(left)
    _against_time(right, found, "effort")
    _finish(figure, path, left, right, outside=right)


def figure_2(rows, path):
    """Guess Error on simulated sets of one law against n, and against time."""
    found = means(rows, "label", "scale", "effort", "n")
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6))
    for label in SAMPLERS:
        points = [
            (n, point[0])
            for (of_label, scale, _, n), point in found.items()
            if (of_label, scale) == (label, "sum")
        ]
        _band(left, label, points)
    left.set(xlabel="variables n", ylabel="Guess Error, %")
    _show_means(left)
    by_time = {
        (label, scale, n): point
        for (label, scale, effort, n), point in found.items()
        if not label.startswith("frontier") or effort == 8
    }
    _against_time(right, by_time, "n")
    _finish(figure, path, left, right, outside=right)


def ladders(found, path):
    """Chains, Guess Error and prediction error on Voting against kappa."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.9))
    titles = "chains a sum", "Guess Error, %", "prediction error, %"
    for ax, title, part in zip(axes, titles, (0, 2, 3)):
        for place, scale in enumerate(SCALES):
            colour, marker, line = _STYLES[scale]
            points = [(kappa, found[scale, kappa][part]) for kappa in KAPPAS]
            points = [
                (kappa, value if isinstance(value, tuple) else (value, np.nan))
                for kappa, value in points
                if value is not None
            ]
            if not points:
                continue
            kappas, values = zip(*points)
            mean, half = np.array(values, dtype=float).T
            # Beside each other, so that their bars can be seen.
            ax.errorbar(
                np.array(kappas) * 1.05 ** (place - 1),
                mean,
                yerr=np.nan_to_num(half),
                color=colour,
                marker=marker,
                linestyle=line,
                markersize=5,
                linewidth=1.4,
                elinewidth=1,
                capsize=2,
                label=_SCALE_NAMES[scale],
            )
        ax.set_xscale("log", base=2)
        ax.set(xlabel=r"$\kappa$", ylim=(0, None))
        ax.xaxis.set_major_locator(FixedLocator(KAPPAS))
        ax.xaxis.set_major_formatter(ScalarFormatter())
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_title(title, loc="left", fontsize=10)
    _finish(figure, path, *axes)


def _band(ax, label, points):
    """A curve of means with the bands of their intervals."""
    if not points:
        return
    colour, marker, line = _STYLES[label]
    points = sorted(points)
    x = [at for at, _ in points]
    mean, half = np.array([pair for _, pair in points], dtype=float).T
    ax.plot(
        x,
        mean,
        color=colour,
        marker=marker,
        linestyle=line,
        markerfacecolor="white" if line == ":" else colour,
        markersize=5,
        linewidth=1.4,
        label=_NAMES[label],
    )
    half = np.nan_to_num(half)
    ax.fill_between(x, mean - half, mean + half, color=colour, alpha=0.08, linewidth=0)


def _show_means(ax):
    """Have the means fill the axes; bands of few sets may leave them."""
    means_ = np.concatenate([line.get_ydata() for line in ax.lines] or [[1.0]])
    ax.set_ylim(0, 1.4 * means_.max())
    ax.set_title("samplers on the paper's ladder", loc="left", fontsize=10)


def _against_time(ax, found, along):
    """Curves of Guess Error against the time of a sum, one for each engine."""
    curves = {}
    for (label, scale, at), (error, seconds, _) in found.items():
        if label != EXACT and "+PT" not in label:
            name = "range" if scale == "range" else label
            curves.setdefault(name, []).append((at, 1e3 * seconds[0], *error))
    for name in (name for name in _STYLES if name in curves):
        colour, marker, line = _STYLES[name]
        _, ms, error, _ = np.array(sorted(curves[name]), dtype=float).T
        ax.plot(
            ms,
            np.maximum(error, _LEAST),
            color=colour,
            marker=marker,
            linestyle=line,
            markersize=5,
            linewidth=1.4,
            label=_NAMES[name],
        )
    exact = [
        1e3 * point[1][0] for (label, *_), point in found.items() if label == EXACT
    ]
    if exact:
        ax.axvspan(
            min(exact) / 1.02,
            max(exact) * 1.02,
            color="0.75",
            alpha=0.6,
            linewidth=0,
            label="exact sums",
        )
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlabel="time of a sum, ms", ylabel="Guess Error, %")
    ax.axhline(_LEAST, color="0.6", linewidth=0.8, linestyle=(0, (4, 3)))
    ax.annotate(
        "or less",
        (1.0, _LEAST),
        (-2, 3),
        xycoords=ax.get_yaxis_transform(),
        textcoords="offset points",
        horizontalalignment="right",
        color="0.4",
        fontsize=8,
    )
    ax.set_title(
        f"at equal time; along a curve {_ALONG[along]}", loc="left", fontsize=10
    )


_ALONG = {"effort": "$T_s$ or replicates grow", "n": "n grows"}


def _finish(figure, path, *axes, outside=None):
    for ax in axes:
        ax.grid(True, which="major", color="0.9", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False, fontsize=8)
    if outside is not None:
        place = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        outside.legend(frameon=False, fontsize=8, **place)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)
