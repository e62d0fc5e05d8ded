"""Small HTML tables for light and dark pages.

Texts and lines have the colour of the text around the table. Bars have colours with a
contrast of at least 3 to white and to the dark backgrounds of notebooks.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

_TABLE = "border-collapse: collapse; color: inherit"
_ROW = "background: none; border-top: 1px solid currentColor"
# The style of notebooks aligns cells, not rows.
_CELL = "text-align: left; padding: 0.15em 0.6em"
BLUE, ORANGE = "#2f7fc4", "#cf6a1a"


def cell(markup, tag="td", span=1):
    """Return a table cell: 'td', or 'th' for a heading, over `span` columns."""
    columns = f' colspan="{span}"' if span > 1 else ""
    return f'<{tag}{columns} style="{_CELL}">{markup}</{tag}>'


def table(rows):
    """Return a table from rows, each with the markup of its cells."""
    lines = "".join(f'<tr style="{_ROW}">{row}</tr>' for row in rows)
    return f'<table style="{_TABLE}">{lines}</table>'


def bar(start, end, colour):
    """Return a bar between two fractions of the width of its cell."""
    return (
        '<div aria-hidden="true" style="width: 8em">'
        f'<div style="margin-left: {start:.1%}; width: {end - start:.1%}; '
        f'height: 0.7em; background: {colour}"></div></div>'
    )
