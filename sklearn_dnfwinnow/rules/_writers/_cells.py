"""Cells: a division of the values of a column on which all literals are constant."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import inf, nan

import numpy as np

from sklearn_dnfwinnow.rules._writers._plain_values import as_double, kind_of


@dataclass(frozen=True)
class Cells:
    """The values of a column, divided into cells.

    With n points, cell i < n is the i-th of some listed values, or the numbers from the
    previous point, exclusive, up to the i-th point. Cell n is any other value, or any
    larger number. Cell n + 1 is a missing value.

    Parameters
    ----------
    feature : str
        Name of the column.
    points : tuple
        Distinct values that are not numbers, or numbers in ascending order.
    of_numbers : bool
        Whether the points divide the numbers.
    """

    feature: str
    points: tuple
    of_numbers: bool

    @classmethod
    def of(cls, feature, values, cuts=None, *, typed=True):
        """Return the cells that separate some values, and the intervals of cuts.

        Parameters
        ----------
        feature : str
        values : iterable of plain values
        cuts : iterable of float, default=None
            Ends of intervals of numbers; None if there are no intervals.
        typed : bool, default=True
            Whether all values of a column need one type.

        Raises
        ------
        ValueError
            If values of a column that needs one type are strings and others, or a
            number that double precision cannot represent.
        """
        of_numbers = cuts is not None
        if typed or of_numbers:
            kind = kind_of(values, feature, has_intervals=of_numbers)
            of_numbers = kind != "string"
        points = dict.fromkeys(values)
        if of_numbers:
            points = sorted({*_ends_of(values), *(cut + 0.0 for cut in cuts or ())})
        return cls(feature, tuple(points), of_numbers)

    def __len__(self):
        return len(self.points) + 2

    def samples(self):
        """Return a value of each cell, as a column of data."""
        if self.of_numbers:
            return np.array([*self.points, inf, nan])
        return np.array([*self.points, object(), None], dtype=object)


def _ends_of(values):
    """Return the ends of the intervals that separate numbers in double precision."""
    numbers = np.array([as_double(value) for value in values])
    return [*np.nextafter(numbers, -inf).tolist(), *numbers.tolist()]
