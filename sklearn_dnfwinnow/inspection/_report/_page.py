"""Pages: HTML that loads nothing, for light and dark screens and for paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape
from importlib.resources import files

from sklearn_dnfwinnow._utils._display import cell, table
from sklearn_dnfwinnow.inspection._sections import html_of

_STYLE = files("sklearn_dnfwinnow.inspection._report") / "page.css"
# No browser executes or loads anything on this page, whatever names and values contain.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

#: What effects are, for a reader.
LOG_ODDS = (
    "Effects are in units of log-odds: +0.7 about doubles the odds of a class, and "
    "-0.7 about halves them."
)


class Part:
    """A section of a page, which is written from top to bottom.

    Texts are plain; only `write` takes markup.

    Parameters
    ----------
    name : str
        Its anchor.
    title : str
    """

    def __init__(self, name, title):
        self.name, self.title = name, title
        self.blocks = []

    def write(self, markup):
        """Write markup."""
        self.blocks.append(markup)

    def paragraph(self, text):
        """Write a paragraph."""
        self.write(f"<p>{escape(text)}</p>")

    def heading(self, text):
        """Write a heading within the section."""
        self.write(f"<h3>{escape(text)}</h3>")

    def listing(self, texts):
        """Write a list."""
        lines = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
        self.write(f"<ul>\n{lines}\n</ul>")

    def code(self, text):
        """Write text as it is, line by line."""
        self.write(f"<pre>{escape(text)}</pre>")

    def table(self, markup, kind=""):
        """Write the markup of a table, with a scroll bar on a narrow screen."""
        self.write(scrolling(markup, kind))

    def facts(self, rows):
        """Write a table of pairs: what, and its text."""
        self.table(
            table(cell(escape(what), "th") + cell(escape(text)) for what, text in rows),
            kind="facts",
        )

    def numbers(self, heads, rows, kind="numbers"):
        """Write a table from the texts of its headings and its cells."""
        self.write(number_table(heads, rows, kind))

    def bars(self, headline, section):
        """Write a Section as a table with bars."""
        self.table(html_of(headline, [section]))

    def pictures(self, figures):
        """Write figures side by side, where there is space."""
        self.write(f'<div class="pictures">\n{"".join(figures)}\n</div>')


def page(title, introduction, parts):
    """Return the HTML of a page.

    Parameters
    ----------
    title : str
    introduction : Part
        Without its title.
    parts : list of Part
    """
    links = "\n".join(
        f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in parts
    )
    sections = [
        f'<section aria-labelledby="{part.name}">\n'
        f'<h2 id="{part.name}">{escape(part.title)}</h2>\n'
        + "\n".join(part.blocks)
        + "\n</section>"
        for part in parts
    ]
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE.read_text(encoding='utf-8')}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{escape(title)}</h1>",
        *introduction.blocks,
        f'<nav aria-label="Contents">\n<ul>\n{links}\n</ul>\n</nav>',
        *sections,
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def scrolling(markup, kind=""):
    """Return markup that has a scroll bar of its own on a narrow screen."""
    return f'<div class="{f"wide {kind}".strip()}">{markup}</div>'


def figure(caption, markup):
    """Return markup with a caption."""
    return f"<figure><figcaption>{escape(caption)}</figcaption>{markup}</figure>"


def number_table(heads, rows, kind="numbers"):
    """Return a table from the texts of its headings and its cells."""
    lines = ["".join(cell(escape(head), "th") for head in heads)]
    lines += ["".join(cell(escape(text)) for text in row) for row in rows]
    return scrolling(table(lines), kind)


def percent(share, digits=1):
    """Return a fraction as text, in percent."""
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def count(n, noun):
    """Return a number of things as text."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
