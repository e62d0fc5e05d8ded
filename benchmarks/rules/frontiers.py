"""A picture of error against conditions, a panel for each set."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil

from matplotlib.figure import Figure

from benchmarks.rules.tables import MODEL, OURS, summary

N_COLUMNS = 6
# Of each method: colour, marker, width of the line. The last ones are drawn on top.
STYLES = {
    "tree": ("#9a9a9a", "s", 1.0),
    "optimal tree": ("#2a9d8f", "^", 1.0),
    "boosted rules": ("#b58ac4", "v", 1.0),
    "FIGS": ("#c9a227", "D", 1.0),
    "RIPPER": ("#d1603d", "o", 1.2),
    "to_dnf": ("#5aa9e6", "P", 1.4),
    OURS: ("#1f5fa8", "o", 2.2),
}
TICKS = (1, 3, 10, 30, 100)


def draw(records, kind, path, sets=None):
    """Write the picture of some sets of a kind of task, or of all, as PNG."""
    found = summary(records)
    found = found[found.index.get_level_values("kind") == kind].droplevel("kind")
    sets = list(found.index.unique("set")) if sets is None else sets
    n_columns = min(N_COLUMNS, len(sets))
    n_rows = ceil(len(sets) / n_columns)
    figure = Figure(
        figsize=(2.05 * n_columns, 1.75 * n_rows + 0.5 + 0.3 * (n_rows == 1)),
        layout="constrained",
        facecolor="white",
    )
    axes = figure.subplots(n_rows, n_columns, sharex=True, squeeze=False).ravel()
    lines = {}
    for ax, of_set in zip(axes, sets):
        lines |= panel(ax, found.loc[of_set])
        ax.set_title(of_set, fontsize=9)
    for ax in axes[len(sets) :]:
        ax.set_visible(False)
    # The lowest panel of each column has the numbers, also above an empty place.
    for ax in axes[max(0, len(sets) - n_columns) : len(sets)]:
        ax.tick_params(labelbottom=True)
    figure.supxlabel("conditions", fontsize=10)
    figure.supylabel("error on test rows, %", fontsize=10)
    order = [name for name in (*reversed(STYLES), MODEL) if name in lines]
    figure.legend(
        [lines[name] for name in order],
        order,
        loc="outside upper center",
        ncols=ceil(len(order) / (1 + (n_columns < N_COLUMNS))),
        frameon=False,
        fontsize=9,
    )
    figure.savefig(path, dpi=90)


def panel(ax, found):
    """Draw the methods of one set; return their lines by name."""
    lines = {}
    methods = found.index.unique("method")
    for name, (colour, marker, width) in STYLES.items():
        if name not in methods:
            continue
        of_method = found.loc[name].sort_values("literals")
        (lines[name],) = ax.plot(
            of_method["literals"].clip(lower=0.5),
            100 * of_method["error"],
            color=colour,
            marker=marker,
            markersize=3.5 if width < 1.3 else 6,
            linewidth=width,
            markeredgewidth=0,
            clip_on=False,
            zorder=3,
        )
    if MODEL in methods:
        error = 100 * found.loc[MODEL]["error"].iloc[0]
        lines[MODEL] = ax.axhline(error, color="#1f5fa8", linestyle=":", linewidth=1.2)
    ax.set_xscale("log")
    ax.set_xlim(0.4, 500)
    # From zero, unless that would leave the lower half empty.
    if ax.get_ylim()[0] < ax.get_ylim()[1] / 2:
        ax.set_ylim(bottom=0)
    ax.set_xticks(TICKS, [str(tick) for tick in TICKS])
    ax.minorticks_off()
    ax.tick_params(labelsize=7.5, length=2)
    ax.grid(color="#ececec", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    return lines
