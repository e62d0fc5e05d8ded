"""Plotting: Matplotlib, its colours, and bars and dots with texts beside them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from html import escape
from io import StringIO
from textwrap import wrap

import numpy as np

# Colours suitable for colour vision deficiencies (Okabe & Ito).
BLUE, ORANGE = "#0072B2", "#E69F00"
_OTHERS = "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"
_COLOURS = BLUE, ORANGE, *_OTHERS

# A dollar sign or an underscore in a name is not a formula.
LITERALLY = {"parse_math": False, "usetex": False}
# Maximum number of characters in a line.
_WIDTH = 44
# Height in inches of a line in a small font, and points per inch.
_LINE_HEIGHT, _POINTS = 0.155, 72
# Number of literals from which they no longer get a line each.
_MANY = 5
# Space between texts, in lines.
_GAP = 0.7
# The style of pictures in pages. Texts and lines are black, which becomes the colour of
# texts of the page; without metadata, a file says neither when nor by what it was made.
_INLINE = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 13.0,
    "legend.framealpha": 0.0,
    "svg.fonttype": "none",
}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
# Width of pictures in pages, in inches.
_INLINE_WIDTH = 6.4


def pyplot_for(display):
    """Return the module pyplot of Matplotlib.

    Parameters
    ----------
    display : object
        A display, or the name of a function.

    Raises
    ------
    ImportError
        If Matplotlib is not installed; the message contains what needs it.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        what = display if isinstance(display, str) else f"{type(display).__name__}.plot"
        raise ImportError(
            f"{what} needs Matplotlib: install it, for instance with `pip install "
            "matplotlib`."
        ) from error
    return plt


def inline_svg(caption, draw, alternative):
    """Return a figure with a caption as HTML, in the colours of its page.

    Parameters
    ----------
    caption : str
    draw : callable
        Draws in a figure of its own, and returns a display with `figure_`.
    alternative : str
        For those who do not see the picture.
    """
    plt = pyplot_for("inline_svg")
    # Identifiers follow from the salt and the content, and differ between pictures.
    style = ["default", _INLINE, {"svg.hashsalt": caption}]
    with plt.style.context(style, after_reset=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of glyphs that only browsers have
        figure, file = draw().figure_, StringIO()
        figure.suptitle("")
        # Texts have one size in all pictures, since all are equally wide on the page.
        figure.set_figwidth(_INLINE_WIDTH)
        figure.set_layout_engine("constrained")
        figure.savefig(file, format="svg", metadata=_NO_METADATA)
        plt.close(figure)
    text = file.getvalue()
    box = re.search(r'viewBox="[^"]*"', text)[0]
    # The first definition is a style, which would be that of the whole page.
    shapes = text[text.index("</defs>") + len("</defs>") :]
    # The names of groups are the same in all pictures.
    shapes = re.sub(r' id="[\w.]+_\d+"', "", shapes)
    return (
        f"<figure><figcaption>{escape(caption)}</figcaption>"
        f'<svg {box} role="img" aria-label="{escape(alternative)}">'
        f"{shapes.replace('#000000', 'currentColor')}</figure>"
    )


def class_colour(k, n_classes):
    """Return the colour of class k; from a colour map if the palette is too short."""
    if n_classes <= len(_COLOURS):
        return _COLOURS[k]
    from matplotlib import colormaps

    return colormaps["turbo"](k / (n_classes - 1))


def line_colour():
    """Return the colour of axes in the current style, light or dark."""
    from matplotlib import rcParams

    return rcParams["axes.edgecolor"]


def wrapped(text):
    """Wrap a long term: one literal per line, or several if there are many."""
    if len(text) <= _WIDTH:
        return text
    first, *others = text.split(" & ")
    width = _WIDTH if len(others) >= _MANY else 0
    lines = []
    for literal in [first, *(f"& {other}" for other in others)]:
        if lines and len(lines[-1]) + 1 + len(literal) <= width:
            lines[-1] += f" {literal}"
        else:
            lines += wrap(literal, _WIDTH) or [literal]
    return "\n".join(lines)


def height_of(texts):
    """Return the height in inches of wrapped texts beside bars."""
    return _LINE_HEIGHT * sum(_heights(texts))


def width_of(texts):
    """Return the width in inches of the longest line of wrapped texts."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size="small")
    lines = [line for text in texts for line in text.split("\n")]
    sizes = [
        text_to_path.get_text_width_height_descent(line, font, False) for line in lines
    ]
    return max((width for width, _, _ in sizes), default=0.0) / _POINTS


def panels_beside(plt, texts, widths, around):
    """Return panels beside each other, of some widths, and as high as their texts.

    Parameters
    ----------
    plt : module
    texts : list of str
        Wrapped texts beside the first panel.
    widths : list of float
        In inches, with the texts.
    around : float
        Height of everything around the panels, in inches.
    """
    _, axes = plt.subplots(
        ncols=len(widths),
        figsize=(sum(widths), height_of(texts) + around),
        width_ratios=widths,
        layout="constrained",
    )
    return np.ravel(axes)


def panels_of(display, ax, make, *, second):
    """Return one panel or two to draw in, and store them in a display.

    Parameters
    ----------
    display : object
    ax : matplotlib Axes, or two of them; or None
    make : callable
        Returns the axes of a new figure, given the module pyplot; for None.
    second : str
        Name of the attribute for the second panel, which is None if there is one only.

    Returns
    -------
    axes : ndarray of matplotlib Axes
    """
    plt = pyplot_for(display)
    axes = as_axes(make(plt) if ax is None else ax, (1, 2), "be one Axes or two")
    display.figure_, display.ax_ = axes[0].figure, axes[0]
    setattr(display, second, axes[1] if len(axes) == 2 else None)
    return axes


def as_axes(ax, numbers, expected):
    """Return Axes as an array of one of some lengths; `expected` is for the error."""
    axes = np.ravel(np.asarray(ax, dtype=object))
    if len(axes) not in numbers:
        raise ValueError(f"ax must {expected}; got {len(axes)}.")
    return axes


def write_title(axes, text, is_own):
    """Write a title above a figure made by a display, or else above the first axes."""
    if is_own:
        # The title is wider than the panel.
        axes[0].figure.suptitle(text, x=0.01, ha="left", **LITERALLY)
        text = ""
    axes[0].set_title(text, loc="left", fontsize="medium", **LITERALLY)


def write_legend(ax, is_beside, **options):
    """Write a legend with literal texts, in the axes or beside them."""
    if is_beside:
        options |= {"loc": "upper left", "bbox_to_anchor": (1, 1), "frameon": False}
    for text in ax.legend(fontsize="small", **options).get_texts():
        text.set(**LITERALLY)


def draw_bars(ax, texts, lengths, colours, errors=None):
    """Draw bars from 0, from top to bottom, with texts beside them.

    Parameters
    ----------
    ax : matplotlib Axes
    texts : list of str
        Wrapped texts.
    lengths : ndarray of shape (n_bars,)
    colours : list, or one colour
    errors : ndarray of shape (n_bars,), default=None
        Standard errors of the lengths.

    Returns
    -------
    bars : matplotlib BarContainer
    """
    return ax.barh(
        y=_write_beside(ax, texts),
        width=lengths,
        height=1.0,
        color=colours,
        xerr=errors,
        error_kw={"ecolor": line_colour(), "elinewidth": 1, "capsize": 2},
    )


def draw_dots(ax, texts, places, colours, ends=()):
    """Draw dots from top to bottom, for an axis on which length has no meaning.

    Parameters
    ----------
    ax : matplotlib Axes
    texts : list of str
        Wrapped texts.
    places : array-like of shape (n_dots,)
        Positions along the axis.
    colours : list
    ends : array-like of shape (n_dots, 2), default=()
        Both ends of a line through each dot.

    Returns
    -------
    middles : ndarray of shape (n_dots,)
        Positions of the dots on the other axis.
    """
    middles = _write_beside(ax, texts)
    ax.grid(axis="y", color="0.5", alpha=0.4, linestyle=":")
    ax.set_axisbelow(True)
    if len(ends):
        ax.hlines(middles, *np.transpose(ends), colors=colours, linewidth=2)
    ax.scatter(places, middles, s=36, color=colours)
    return middles


def _write_beside(ax, texts):
    """Write texts beside an axis from top to bottom; return their positions."""
    heights = _heights(texts)
    middles = np.cumsum(heights) - heights / 2
    ax.set_yticks(middles, texts, fontsize="small", **LITERALLY)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(max(heights.sum(), 1.0), 0)
    ax.spines[["top", "right"]].set_visible(False)
    return middles


def _heights(texts):
    """Return the height of each text, in lines."""
    return np.array([text.count("\n") + 1 + _GAP for text in texts])
