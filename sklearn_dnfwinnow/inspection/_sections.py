"""Sections: parts of explanations as text and HTML, and lists that print them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape
from typing import NamedTuple

from sklearn_dnfwinnow._utils._display import BLUE, ORANGE, bar, cell, cells, table


class Line(NamedTuple):
    """A number with a text.

    Attributes
    ----------
    value : float or None
        None if there is only a text.
    text : str
    error : float
        Standard error, 0 where the number is exact.
    interval : (float, float) or None
        Both ends of an interval of posterior draws, if the number is their mean.
    """

    value: float | None
    text: str
    error: float = 0.0
    interval: tuple | None = None

    @property
    def beside(self):
        """Return the uncertainty of the number as text, '' if it is exact."""
        if self.interval is not None:
            return f"  {in_brackets(*self.interval)}"
        return with_error("", self.error)


class Section(NamedTuple):
    """Lines under a heading.

    Attributes
    ----------
    heading : str
    lines : list of Line
    note : str
        Printed below the lines; '' if there is none.
    style : str
        Format of the numbers. With a sign, bars point to both sides of 0, and
        uncertainties are printed.
    """

    heading: str
    lines: list
    note: str = ""
    style: str = "+.2f"

    @property
    def is_signed(self):
        """Return whether the numbers have a sign."""
        return self.style[0] == "+"

    @property
    def numbers(self):
        """Return pairs of texts for the lines: the number, and its uncertainty."""
        return [
            ("", "")
            if line.value is None
            else (f"{line.value:{self.style}}", line.beside if self.is_signed else "")
            for line in self.lines
        ]


class Sectioned:
    """Mixin of results that print sections, and show them in notebooks.

    Classes have a method `_summary`, which returns a headline and sections.
    """

    def __repr__(self):
        return text_of(*self._summary())

    def _repr_html_(self):
        """Return an HTML table with bars, for light and dark pages."""
        return html_of(*self._summary())


def text_of(headline, sections):
    """Return sections as text, with several lines."""
    lines = [headline]
    for section in sections:
        lines.append(f"  {section.heading}")
        width = max(
            (len(line.beside) for line in section.lines if line.interval), default=0
        )
        lines += [
            f"{number:>10}{beside:>{width}}  {line.text}"
            if number
            else f"    {line.text}"
            for line, (number, beside) in zip(section.lines, section.numbers)
        ]
        lines += [f"    {section.note}"] * bool(section.note)
    return "\n".join(lines)


def html_of(headline, sections):
    """Return sections as an HTML table, with a bar beside each number."""
    rows = [_heading(headline)]
    for section in sections:
        rows.append(_heading(section.heading))
        longest = max((abs(line.value or 0.0) for line in section.lines), default=0.0)
        for line, (number, beside) in zip(section.lines, section.numbers):
            if not number:
                rows.append(cell(escape(line.text), span=3))
                continue
            ratio = _ratio(line.value, longest)
            ends = (0.0, ratio)
            if section.is_signed:
                ends = sorted((0.5, 0.5 + 0.5 * ratio))
            colour = ORANGE if ratio < 0 else BLUE
            text = " ".join(f"{number}{beside}".split())
            markup = escape(text), bar(*ends, colour), escape(line.text)
            rows.append(cells(markup))
        if section.note:
            rows.append(cell(f"<i>{escape(section.note)}</i>", span=3))
    return table(rows)


def with_error(text, error):
    """Return a number with its standard error, unless it is exact."""
    return f"{text} ± {error:.2g}" if error > 0 else text


def in_brackets(low, high):
    """Return an interval as text."""
    return f"[{low:+.2f}, {high:+.2f}]"


def probability(p):
    """Return a probability with two digits, but never 0 or 1."""
    if p < 0.005:
        return "p < 0.01"
    return "p > 0.99" if p > 0.995 else f"p = {p:.2f}"


def _heading(text):
    """Return a table row with a heading."""
    return cell(escape(text), "th", span=3)


def _ratio(value, longest):
    """Return the ratio of a value and the largest value, which can be infinite."""
    if abs(value) == longest != 0:
        return 1.0 if value > 0 else -1.0
    return value / longest if longest else 0.0


# Maximum number of items in a representation, so that an interpreter is not flooded.
_MOST_ITEMS = 20


class PrintableList(list):
    """List whose text is that of its items, one after the other.

    `print` shows all items. An interpreter and a notebook show up to 20 of them. A
    slice is such a list, too.
    """

    def to_frame(self):
        """Return the data frames of all items as one.

        Returns
        -------
        frame : DataFrame
            Requires pandas. The position of the row of each item is the first level of
            the index, 'row'.
        """
        import pandas

        return pandas.concat(
            {item.row: item.to_frame() for item in self}, names=["row"]
        )

    def __getitem__(self, place):
        found = super().__getitem__(place)
        return type(self)(found) if isinstance(place, slice) else found

    def __str__(self):
        # The text of an item ends with a line break: a blank line separates them.
        return "\n".join(map(str, self))

    def __repr__(self):
        if not self:
            return "[]"
        # An interpreter adds the last line break.
        text = str(self[:_MOST_ITEMS]).removesuffix("\n")
        return text + ("\n\n" + self._rest() if self._rest() else "")

    def _repr_html_(self):
        """Return the HTML of the items, one below the other."""
        parts = [item._repr_html_() for item in self[:_MOST_ITEMS]]
        return "<br>".join([*parts, *filter(None, [self._rest()])])

    def _rest(self):
        """Return a text for the items that are not shown; '' if there are none."""
        n_more = len(self) - _MOST_ITEMS
        return f"... and {n_more} more" if n_more > 0 else ""
