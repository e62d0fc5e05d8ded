"""Plots: Figures 1 and 2 of the paper, each beside what the package offers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import numpy as np

from benchmarks.paper.guess_error import KAPPAS, KEPT, SCALES, means, of_figure_1
from benchmarks.paper.protocol import EXACT, SAMPLERS

matplotlib.use("Agg")

import matplotlib.pyplot as plt

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
    curves = _curves(found, 2)
    _two_panels(path, curves, "sampling steps $T_s$", found, "$T_s$ or replicates grow")


def figure_2(rows, path):
    """Guess Error on simulated sets of one law against n, and against time."""
    found = means(rows, "label", "scale", "effort", "n")
    curves = _curves(found, 3)
    by_time = {
        (label, scale, n): point
        for (label, scale, effort, n), point in found.items()
        if not label.startswith("frontier") or effort == 8
    }
    _two_panels(path, curves, "variables n", by_time, "n grows")


def ladders(found, path):
    """Chains, Guess Error and prediction error on Voting against kappa."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.9))
    titles = "chains a sum", "Guess Error, %", "prediction error, %"
    for ax, title, part in zip(axes, titles, (0, 2, 3)):
        for place, scale in enumerate(SCALES):
            points = [(kappa, found[scale, kappa][part]) for kappa in KAPPAS]
            points = [
                (kappa, *(value if isinstance(value, tuple) else (value, 0.0)))
                for kappa, value in points
                if value is not None
            ]
            if points:
                x, mean, half = np.array(points, dtype=float).T
                # Beside each other, so that their bars can be seen.
                x *= 1.05 ** (place - 1)
                half = np.nan_to_num(half)
                more = {"elinewidth": 1, "capsize": 2, **_line(scale)}
                ax.errorbar(x, mean, yerr=half, label=_SCALE_NAMES[scale], **more)
        ax.set_xscale("log", base=2)
        ax.set(xlabel=r"$\kappa$", ylim=(0, None))
        ax.set_xticks(KAPPAS, [f"{kappa:g}" for kappa in KAPPAS], minor=False)
        ax.minorticks_off()
        ax.set_title(title, loc="left", fontsize=10)
    _finish(figure, path, *axes)


def _curves(found, place):
    """Return points of each sampler on the paper's ladder: a part of the key, error."""
    return {
        label: [
            (key[place], *point[0])
            for key, point in found.items()
            if key[:2] == (label, "sum")
        ]
        for label in SAMPLERS
    }


def _line(label):
    """Return how the line of a label is drawn."""
    colour, marker, line = _STYLES[label]
    filled = "white" if line == ":" else colour
    style = {"color": colour, "marker": marker, "linestyle": line}
    return style | {"markerfacecolor": filled, "markersize": 5, "linewidth": 1.4}


def _two_panels(path, curves, xlabel, by_time, along):
    """Draw means with bands of their intervals, and Guess Error against time."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6))
    highest = 0.0
    for label, points in curves.items():
        if points:
            x, mean, half = np.array(sorted(points), dtype=float).T
            half, highest = np.nan_to_num(half), max(highest, *mean)
            left.plot(x, mean, label=_NAMES[label], **_line(label))
            shade = {"color": _STYLES[label][0], "alpha": 0.08, "linewidth": 0}
            left.fill_between(x, mean - half, mean + half, **shade)
    # Means fill the axes; bands of few sets may leave them.
    left.set(xlabel=xlabel, ylabel="Guess Error, %", ylim=(0, 1.4 * highest or 1))
    left.set_title("samplers on the paper's ladder", loc="left", fontsize=10)
    _against_time(right, by_time)
    right.set_title(f"at equal time; along a curve {along}", loc="left", fontsize=10)
    _finish(figure, path, left, right, outside=right)


def _against_time(ax, found):
    """Curves of Guess Error against the time of a sum, one for each engine."""
    curves, exact = {}, []
    for (label, scale, at), (error, seconds, _) in found.items():
        if label == EXACT:
            exact.append(1e3 * seconds[0])
        elif "+PT" not in label:
            name = "range" if scale == "range" else label
            curves.setdefault(name, []).append((at, 1e3 * seconds[0], error[0]))
    for name in (name for name in _STYLES if name in curves):
        _, ms, error = np.array(sorted(curves[name]), dtype=float).T
        ax.plot(ms, np.maximum(error, _LEAST), label=_NAMES[name], **_line(name))
    if exact:
        shade = {"color": "0.75", "alpha": 0.6, "linewidth": 0}
        span = min(exact) / 1.02, max(exact) * 1.02
        ax.axvspan(*span, label="exact sums", **shade)
    ax.set(xscale="log", yscale="log")
    ax.set(xlabel="time of a sum, ms", ylabel=f"Guess Error, %; at least {_LEAST:g}")


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
