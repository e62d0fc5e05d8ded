"""Pages of reports: HTML that loads nothing, with pictures as inline SVG."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from html import escape
from importlib.resources import files
from io import StringIO

# No browser executes or loads anything on this page, whatever names and values contain.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
# Colour of texts and axes, which becomes that of the page, as does black.
_INK = "#010203"
_INKED = "axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"
_STYLE = {
    **dict.fromkeys(_INKED, _INK),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 13.0,
    "legend.framealpha": 0.0,
    "svg.fonttype": "none",
}
# Width of all pictures, in inches.
_WIDTH = 6.4
# Without them, the file says neither when nor by what it was made.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


class Part:
    """A part of a page, which is written from top to bottom.

    Texts are plain; only `write` and `wide` take markup.

    Parameters
    ----------
    name : str
        Its anchor.
    title : str
        Its heading.
    folded : bool, default=False
        Whether a reader has to open it.
    """

    def __init__(self, name, title, folded=False):
        self.name, self.title, self.folded = name, title, folded
        self.blocks = []

    def write(self, markup):
        """Write markup."""
        self.blocks.append(markup)

    def paragraph(self, *sentences):
        """Write a paragraph of some sentences; empty ones are left out."""
        self.write(f"<p>{escape(' '.join(filter(None, sentences)))}</p>")

    def heading(self, text):
        """Write a heading within the part."""
        self.write(f"<h3>{escape(text)}</h3>")

    def listing(self, texts):
        """Write a list."""
        lines = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
        self.write(f"<ul>\n{lines}\n</ul>")

    def wide(self, markup, kind=""):
        """Write markup that has a scroll bar of its own on a narrow screen."""
        self.write(f'<div class="{f"wide {kind}".strip()}">{markup}</div>')

    @property
    def markup(self):
        """Return the part as a section."""
        lines = [f'<h2 id="{self.name}">{escape(self.title)}</h2>', *self.blocks]
        if self.folded:
            lines[0] = f"<details>\n<summary>{lines[0]}</summary>"
            lines.append("</details>")
        body = "\n".join(lines)
        return f'<section aria-labelledby="{self.name}">\n{body}\n</section>'


def page(title, parts):
    """Return the HTML of a page with some parts."""
    style = (files("sklearn_dnfwinnow.inspection") / "page.css").read_text("utf-8")
    links = "\n".join(
        f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in parts
    )
    sections = "\n".join(part.markup for part in parts)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<nav aria-label="Contents">
<ul>
{links}
</ul>
</nav>
{sections}
</main>
</body>
</html>
"""


def count(n, noun):
    """Return a number of things as text."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


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
        # Texts have one size in all pictures, since all are equally wide on the page.
        drawn.set_figwidth(_WIDTH)
        drawn.set_layout_engine("constrained")
        file = StringIO()
        drawn.savefig(file, format="svg", metadata=_NO_METADATA)
        plt.close(drawn)
    text = file.getvalue()
    box = re.search(r'viewBox="[^"]*"', text)[0]
    # The first definition is a style, which would be that of the whole page.
    shapes = text[text.index("</defs>") + len("</defs>") :]
    # The names of groups are the same in all pictures.
    shapes = re.sub(r' id="[\w.]+_\d+"', "", shapes)
    shapes = re.sub(f"{_INK}|#000000", "currentColor", shapes)
    return (
        f"<figure><figcaption>{escape(caption)}</figcaption>"
        f'<svg {box} role="img" aria-label="{escape(alternative)}">{shapes}</figure>'
    )
