"""Drawings: curves and points with axes, as inline SVG."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape
from math import ceil, floor, log10

from sklearn_dnfwinnow._utils._display._html import BLUE, ORANGE

#: Colours and dashes of lines; both differ, for printers without colours.
LINES = (BLUE, ""), (ORANGE, "7 3"), ("#2e8b57", "2 3"), ("#9b59d0", "9 3 2 3")
_WIDTH, _HEIGHT = 400, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 10, 10, 44


class Drawing:
    """A picture with two axes.

    Parameters
    ----------
    x, y : pairs of float
        Ends of the axes.
    labels : pair of str
        What the axes are.
    """

    def __init__(self, x, y, labels):
        self.x, self.y = _wide(x), _wide(y)
        self.labels = labels
        self.shapes = []

    def line(self, points, colour=BLUE, dash="", kind=""):
        """Draw a line through points."""
        places = " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in points)
        style = f' class="{kind}"' if kind else f' stroke="{colour}" stroke-width="2"'
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.shapes.append(f'<polyline points="{places}" fill="none"{style}{dashes}/>')

    def steps(self, cuts, levels, colour=BLUE, dash=""):
        """Draw levels that change at cut points, from one end of the axis to another.

        Parameters
        ----------
        cuts : list of n - 1 float
            Ascending, within the axis.
        levels : list of n float
        """
        ends = [self.x[0], *cuts, self.x[1]]
        points = [
            (end, level)
            for k, level in enumerate(levels)
            for end in (ends[k], ends[k + 1])
        ]
        self.line(points, colour, dash)

    def band(self, cuts, lows, highs, colour=BLUE):
        """Fill what is between two lines of steps."""
        ends = [self.x[0], *cuts, self.x[1]]
        for k, (low, high) in enumerate(zip(lows, highs)):
            left, right = self._x(ends[k]), self._x(ends[k + 1])
            top, bottom = self._y(high), self._y(low)
            self.shapes.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                f'height="{bottom - top:.1f}" fill="{colour}" fill-opacity="0.25"/>'
            )

    def point(self, x, y, low, high, colour=BLUE):
        """Draw a point with an interval."""
        self.line([(x, low), (x, high)], colour)
        self.shapes.append(
            f'<circle cx="{self._x(x):.1f}" cy="{self._y(y):.1f}" r="4" '
            f'fill="{colour}"/>'
        )

    def ticks(self, values):
        """Draw a short line for each value, at the lower axis."""
        low = _HEIGHT - _BOTTOM
        for place in sorted({round(self._x(value)) for value in values}):
            self.shapes.append(
                f'<line class="guide" x1="{place}" y1="{low}" x2="{place}" '
                f'y2="{low - 5}"/>'
            )

    def markup(self, alternative):
        """Return the SVG, with a text for those who do not see it."""
        shapes = "".join([*self._axes(), *self.shapes])
        text = escape(alternative)
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{text}">'
            f"{shapes}</svg>"
        )

    def _axes(self):
        low, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        for value in _round_numbers(*self.x):
            place = self._x(value)
            yield (
                f'<text x="{place:.1f}" y="{low + 17}" text-anchor="middle">'
                f"{value:.6g}</text>"
            )
        for value in _round_numbers(*self.y):
            place = self._y(value)
            yield (
                f'<line class="guide" x1="{_LEFT}" y1="{place:.1f}" x2="{right}" '
                f'y2="{place:.1f}"/><text x="{_LEFT - 6}" y="{place + 4:.1f}" '
                f'text-anchor="end">{value:.6g}</text>'
            )
        middle = (low + _TOP) / 2
        across, up = map(escape, self.labels)
        yield (
            f'<polyline class="axis" points="{_LEFT},{_TOP} {_LEFT},{low} '
            f'{right},{low}"/>'
            f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 6}" '
            f'text-anchor="middle">{across}</text>'
            f'<text transform="rotate(-90)" x="{-middle}" y="13" '
            f'text-anchor="middle">{up}</text>'
        )

    def _x(self, value):
        low, high = self.x
        return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def _y(self, value):
        low, high = self.y
        return _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def legend(names):
    """Return the names of up to as many lines as there are LINES, with their looks."""
    parts = []
    for name, (colour, dash) in zip(names, LINES):
        parts.append(
            '<span style="display: inline-block; overflow-wrap: anywhere">'
            '<svg viewBox="0 0 30 10" aria-hidden="true" style="display: inline; '
            'width: 30px; height: 10px"><line x1="0" y1="5" x2="30" y2="5" '
            f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/></svg> '
            f"{escape(name)}</span>"
        )
    return f"<p>{' '.join(parts)}</p>"


def _wide(ends):
    """Return the ends of an axis as floats that differ."""
    low, high = map(float, ends)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _round_numbers(low, high):
    """Return about five round numbers between the ends of an axis."""
    rough = (high - low) / 5
    unit = 10.0 ** floor(log10(rough))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= 0.999 * rough)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [k * step + 0.0 for k in range(first, last + 1)]
