"""HTML representation of explanations."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape

from sklearn_dnfwinnow._utils._html import BLUE, ORANGE, bar, cell, table
from sklearn_dnfwinnow.inspection._explanation_sections import SHARES, with_error


def explanation_html(headline, effects, classes):
    """Return an HTML table of the sections, with a bar beside each number.

    Parameters
    ----------
    headline : str
    effects : Section
        Effects on the log-odds.
    classes : list of Section
        Relative contributions to weighted sums.

    Returns
    -------
    markup : str
    """
    numbers = [with_error(f"{line.value:+.2f}", line.error) for line in effects.lines]
    rows = [heading(headline), *effect_rows(effects, numbers)]
    for place, section in enumerate(classes):
        rows.append(heading(f"{section.heading}: {SHARES}"))
        colour = ORANGE if place else BLUE
        for line in section.lines:
            ends = 0.0, line.value
            rows.append(bar_row(f"{line.value:.1%}", ends, line.text, colour))
    return table(rows)


def effect_rows(section, numbers):
    """Return the table rows of a section of effects, with bars to both sides of 0.

    Effects in favour of the prediction point to the right, and have another colour.

    Parameters
    ----------
    section : Section
        Each of its lines has a value and a text.
    numbers : list of str
        The formatted values.
    """
    rows = [heading(section.heading)]
    most = max((abs(line.value) for line in section.lines), default=1.0)
    for line, number in zip(section.lines, numbers):
        end = 0.5 + 0.5 * _ratio(line.value, most)
        colour = ORANGE if end < 0.5 else BLUE
        rows.append(bar_row(number, sorted((0.5, end)), line.text, colour))
    if section.note:
        rows.append(cell(f"<i>{escape(section.note)}</i>", span=3))
    return rows


def heading(text):
    """Return a table row with a heading."""
    return cell(escape(text), "th", span=3)


def bar_row(number, ends, text, colour=BLUE):
    """Return a table row with a number, a bar between two ends, and a text."""
    start, end = ends
    return cell(escape(number)) + cell(bar(start, end, colour)) + cell(escape(text))


def _ratio(value, most):
    """Return the ratio of a value and the largest value, which can be infinite."""
    if abs(value) == most != 0:
        return 1.0 if value > 0 else -1.0
    return value / most if most else 0.0
