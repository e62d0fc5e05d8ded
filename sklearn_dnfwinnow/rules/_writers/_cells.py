"""Cells: a division of the values of a column on which all literals are constant."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import inf, isfinite, nan

import numpy as np

from sklearn_dnfwinnow.rules._writers._kinds import as_double, kinds_of_columns
from sklearn_dnfwinnow.rules._writers._plain_values import plain_values


@dataclass(frozen=True)
class Cells:
    """The values of a column, divided into cells.

    With n points, cell i < n is the i-th of some listed values, or the numbers from the
    previous point, exclusive, up to the i-th point. Cell n is any other value, or any
    larger number. Cell n + 1 is a missing value.

    Parameters
    ----------
    column : int
        Position of the column.
    feature : str
        Name of the column.
    points : tuple
        Distinct values that are not numbers, or numbers in ascending order.
    of_numbers : bool
        Whether the points divide the numbers.
    """

    column: int
    feature: str
    points: tuple
    of_numbers: bool

    def __len__(self):
        return len(self.points) + 2

    def samples(self):
        """Return a value of each cell, as a column of data."""
        if self.of_numbers:
            return np.array([*self.points, inf, nan])
        samples = np.empty(len(self), dtype=object)
        samples[:] = [*self.points, object(), None]
        return samples


def points_of(values):
    """Return the ends of the intervals that separate numbers in double precision.

    Parameters
    ----------
    values : iterable of plain values
        Numbers and booleans.

    Returns
    -------
    points : list of float
    """
    numbers = np.array([as_double(value) for value in values])
    return [*np.nextafter(numbers, -inf).tolist(), *numbers.tolist()]


def cells_of_literals(literals):
    """Return the cells of each column in some literals: list of Cells, by column.

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    ValueError
        If a column is compared both with strings and with other values, or with a
        number that double precision cannot represent.
    """
    points = {}
    kinds = kinds_of_columns(literals)
    for literal in literals:
        found = points.setdefault(literal.column, [])
        if literal.intervals is not None:
            ends = (end for interval in literal.intervals for end in interval)
            found += [end + 0.0 for end in ends if isfinite(end)]
        elif kinds[literal.column] == "string":
            found += plain_values(literal)
        else:
            found += points_of(plain_values(literal))
    names = {literal.column: literal.feature for literal in literals}
    return [
        Cells(
            column=j,
            feature=names[j],
            points=tuple(sorted(set(points[j]))),
            of_numbers=kind != "string",
        )
        for j, kind in kinds.items()
    ]
