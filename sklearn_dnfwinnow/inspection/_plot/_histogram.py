"""Histograms whose bars end at the cut points of a feature."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np


def histogram_edges(values, cut_points, n_bars, log=False):
    """Return ends of bars of about equal width; cut points are among the ends.

    Bars are not narrower than the smallest gap between values, so that values on a grid
    get a bar each. Widths refer to the axis; on a logarithmic axis, to powers of ten.
    """
    if log:
        inner = np.log10(cut_points)
        edges = 10 ** histogram_edges(np.log10(values), inner, n_bars)
        edges[np.abs(np.log10(edges)[:, None] - inner).argmin(axis=0)] = cut_points
        return np.unique(edges)
    distinct = np.unique(np.concatenate([values, cut_points]))
    low, high = distinct[[0, -1]] if len(distinct) else (0.0, 0.0)
    gaps = np.diff(np.unique(values))
    width = max((high - low) / n_bars, gaps.min() if len(gaps) else 0.0) or 1.0
    borders = np.unique([low - width / 2, *cut_points, high + width / 2])
    pieces = [
        np.linspace(start, end, max(1, round((end - start) / width)), endpoint=False)
        for start, end in pairwise(borders)
    ]
    # Between numbers that differ by a rounding error, there is no room for all bars.
    return np.unique(np.append(np.concatenate(pieces), borders[-1]))


def count_in_bars(values, edges, weights):
    """Return the total weight of each class in each bar: (n_bars, n_classes).

    Parameters
    ----------
    values : ndarray of shape (n_samples,), float64
    edges : ndarray of shape (n_bars + 1,), float64
    weights : ndarray of shape (n_samples, n_classes), float64
        Of the rows in each class.
    """
    # Bars, like intervals, contain their upper ends.
    bars = np.searchsorted(edges[1:-1], values, side="left")
    counts = np.zeros((len(edges) - 1, weights.shape[1]))
    np.add.at(counts, bars, weights)
    return counts


def draw_histogram(ax, edges, counts, *, colours, labels, log=False):
    """Draw stacked bars; their areas are weights, in units of a typical bar.

    Parameters
    ----------
    ax : matplotlib Axes
    edges : ndarray of shape (n_bars + 1,)
    counts : ndarray of shape (n_bars, n_classes)
    colours, labels : lists of n_classes
        Colours of classes, and their texts in a legend.
    log : bool, default=False
        Whether the axis is logarithmic.
    """
    widths = np.diff(edges)
    units = np.diff(np.log10(edges)) if log else widths
    typical = np.median(units)
    heights = counts * (typical / units)[:, None]
    bottom = np.zeros(len(widths))
    for k, (colour, label) in enumerate(zip(colours, labels)):
        ax.bar(
            edges[:-1],
            heights[:, k],
            widths,
            bottom,
            align="edge",
            color=colour,
            edgecolor="white",
            linewidth=0.3,
            label=label,
        )
        bottom += heights[:, k]
    if log:
        ax.set_xscale("log")
        ax.set_ylabel(f"rows per factor of {10**typical:.3g}")
    else:
        ax.set_ylabel(f"rows per {float(f'{typical:.2g}'):,g}")
    ax.set_xlim(edges[0], edges[-1])
    # A few rows between two close cut points would make all other bars small.
    highest = bottom[units >= typical / 2].max() or bottom.max() or 1
    ax.set_ylim(0, 1.05 * highest)
