"""Tables as the texts of this folder have them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def print_table(header, rows):
    """Print rows of texts as a simple table; what a row lacks is left empty."""
    rows = [[*row, *[""] * (len(header) - len(row))] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    ruler = ["=" * width for width in widths]
    for row in (ruler, header, ruler, *rows, ruler):
        cells = (cell.ljust(width) for cell, width in zip(row, widths))
        print("  ".join(cells).rstrip())
    print(flush=True)
