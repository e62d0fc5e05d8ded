"""Pages: HTML that loads nothing, for light and dark screens and for paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape

from sklearn_dnfwinnow._utils._display._html import cell, table
from sklearn_dnfwinnow.inspection._sections import html_of

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --line: #c8c8c8;
  --soft: #f3f3f1 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15171a; --ink: #e8e6e3; --line: #4c5056; --soft: #212429 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0 }
h2 { font-size: 1.3rem; margin: 2.2rem 0 0.5rem; border-bottom: 2px solid var(--line) }
h3 { font-size: 1.05rem; margin: 1.3rem 0 0.4rem }
h1, h2, h3, figcaption { overflow-wrap: anywhere }
p { margin: 0.5rem 0; max-width: 44rem }
a { color: inherit }
nav ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding: 0;
  list-style: none }
dt { font-weight: bold }
dd { margin: 0 0 0.4rem 1rem; max-width: 43rem }
pre { background: var(--soft); padding: 0.6rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.9rem }
table { margin: 0.5rem 0; font-size: 0.95rem; line-height: 1.35 }
tr { border-top-color: var(--line) !important }
th, td { vertical-align: top }
td:last-child, th[colspan], .facts th, .names th { overflow-wrap: anywhere }
td:first-child { overflow-wrap: anywhere; min-width: 4.5em }
.names th { min-width: 4em }
td > div[aria-hidden] { margin-top: 0.3em }
.numbers td:last-child { overflow-wrap: normal }
.numbers td { font-variant-numeric: tabular-nums }
.wide { overflow-x: auto }
.pictures { display: flex; flex-wrap: wrap; gap: 0 2rem }
figure { margin: 0.7rem 0; flex: 0 1 27rem; min-width: 0 }
figcaption { font-weight: bold }
svg { display: block; width: 100%; max-width: 27rem; height: auto;
  stroke-linejoin: round }
@media (max-width: 40rem) {
  main { padding: 0.6rem }
  table { font-size: 0.88rem }
  th, td { padding: 0.15em 0.35em !important }
  td > div[aria-hidden] { width: 3.5em !important }
  .rules td > div[aria-hidden] { display: none }
  td:last-child { min-width: 8em }
  .numbers td:last-child { min-width: 0 } }
@page { margin: 15mm }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --line: #aaa;
    --soft: #f3f3f1 }
  body { font-size: 10pt; print-color-adjust: exact;
    -webkit-print-color-adjust: exact }
  main { max-width: none; padding: 0 }
  nav { display: none }
  .wide { overflow: visible }
  .pictures { gap: 0 1rem }
  figure { flex: 0 1 45% }
  .pictures > .wide { flex: 0 1 51% }
  h1, h2, h3, h3 + p, figcaption { break-after: avoid }
  tr, figure, pre, .wide { break-inside: avoid }
  p { orphans: 3; widows: 3 } }
"""
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

    def table(self, markup, kind="facts"):
        """Write the markup of a table, with a scroll bar on a narrow screen."""
        self.write(scrolling(markup, kind))

    def facts(self, rows):
        """Write a table of pairs: what, and its text."""
        self.table(
            table(cell(escape(what), "th") + cell(escape(text)) for what, text in rows)
        )

    def numbers(self, heads, rows, kind="numbers"):
        """Write a table from the texts of its headings and its cells."""
        self.write(number_table(heads, rows, kind))

    def bars(self, headline, section):
        """Write a Section as a table with bars."""
        self.table(html_of(headline, [section]), "")

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
        f"<style>{_STYLE}</style>",
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


def records_in(found):
    """Return a table as a list of dict, whether or not pandas is installed."""
    return found if isinstance(found, list) else found.to_dict("records")
