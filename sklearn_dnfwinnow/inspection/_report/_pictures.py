"""Pictures: figures of Matplotlib as inline SVG, in the colours of the page."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from html import escape
from io import StringIO

from sklearn_dnfwinnow.inspection._report._page import figure

# Colour of texts and axes, which becomes that of the page, as does black.
_INK = "#010203"
_STYLE = {
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 13.0,
    "legend.framealpha": 0.0,
    "svg.fonttype": "none",
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
# Without them, the file says neither when nor by what it was made.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def check_matplotlib():
    """Raise an ImportError if Matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "report draws pictures with Matplotlib: install it, for instance with `pip "
            "install matplotlib`; the extra 'examples' contains it."
        ) from error


def picture(caption, draw, alternative):
    """Return a picture with a caption.

    Parameters
    ----------
    caption : str
    draw : callable
        Draws in a figure of its own, and returns a display with `figure_`.
    alternative : str
        For those who do not see the picture.
    """
    import matplotlib.pyplot as plt  # here for import time

    # Identifiers follow from the salt and the content, and differ between pictures.
    style = ["default", _STYLE, {"svg.hashsalt": caption}]
    with plt.style.context(style, after_reset=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of glyphs that only browsers have
        drawn = draw().figure_
        drawn.suptitle("")
        file = StringIO()
        drawn.savefig(file, format="svg", metadata=_NO_METADATA)
        plt.close(drawn)
    return figure(caption, _inline(file.getvalue(), alternative))


def _inline(text, alternative):
    """Return an SVG file as a part of a page."""
    box = re.search(r'viewBox="[^"]*"', text)[0]
    # The first definition is a style, which would be that of the whole page.
    shapes = text[text.index("</defs>") + len("</defs>") :]
    # The names of groups are the same in all pictures.
    shapes = re.sub(r' id="[\w.]+_\d+"', "", shapes)
    shapes = re.sub(f"{_INK}|#000000", "currentColor", shapes)
    return f'<svg {box} role="img" aria-label="{escape(alternative)}">{shapes}'
