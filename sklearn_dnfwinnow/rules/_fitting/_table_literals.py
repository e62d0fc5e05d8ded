"""Table literals: the conditions of which the rules of a table are made."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from math import ceil, inf

import numpy as np

from sklearn_dnfwinnow._encoding._column_cuts import Cutter, midpoints
from sklearn_dnfwinnow._encoding._columns import is_numeric
from sklearn_dnfwinnow._encoding._distinct_values import (
    as_array,
    ranked_numbers,
)
from sklearn_dnfwinnow.rules._shape._extent import Extent

# Intervals of a number, by the smallest class entropy and of equally many rows.
_INTERVALS = 10
# A number with at most this many values is cut between any two of them, and each value
# is a condition, too.
_FEW_VALUES = 12
# A category is a condition if it has at least two rows and this fraction of all.
_LEAST_SHARE = 0.002
# Categories of a column at most, the most frequent ones.
_MOST_CATEGORIES = 100
# Groups of values that are considered for a cut of smallest entropy: time grows with
# the square of their number.
_MOST_SEGMENTS = 500


def table_literals(samples, labels):
    """Return the literals of a table that can tell a class from others.

    A number is compared with cut points: those of the intervals of smallest class
    entropy, and quantiles. A category is equal to a value, or differs from it. Missing
    values satisfy no literal.

    Parameters
    ----------
    samples : Samples
    labels : ndarray of shape (n_rows,), int
        1 for the rows of the class, and 0 for others.

    Returns
    -------
    literals : list of (Literal, int)
        All different, with 1 for the lower end of an interval, -1 for an upper end, and
        0 for others.

    Raises
    ------
    ValueError
        If a value is infinite.
    TypeError
        If a value has no hash.
    """
    found = []
    for j, (values, places) in enumerate(samples.distinct):
        column = samples.columns[j]
        if is_numeric(column):
            extents = _of_numbers(column, values, labels, samples.weights)
        else:
            counts = np.bincount(places, samples.counts, minlength=len(values))
            extents = _of_categories(values, counts)
        name = str(samples.names[j])
        found += [(extent.literal(j, name), end) for extent, end in extents]
    return found


def rows_that_satisfy(literals, samples):
    """Return which row satisfies which literal: (n_rows, n_literals), bool."""
    holds = np.zeros((len(samples), len(literals)), dtype=bool)
    of_columns = defaultdict(list)
    for i, literal in enumerate(literals):
        of_columns[literal.column].append(i)
    for j, own in of_columns.items():
        values, places = samples.distinct[j]
        distinct = as_array(values, is_numeric(samples.columns[j]))
        for i in own:
            holds[:, i] = literals[i].holds(distinct)[places]
    return holds


def with_terms(literals, terms):
    """Return some literals and those of terms, and the terms as positions of literals.

    Parameters
    ----------
    literals : list of Literal
    terms : list of Term

    Returns
    -------
    literals : list of Literal
    rules : list of tuple of int
    """

    def key(literal):
        return literal.column, Extent.of(literal).key

    found = {key(literal): literal for literal in literals}
    for term in terms:
        for literal in term.literals:
            found.setdefault(key(literal), literal)
    places = {key: i for i, key in enumerate(found)}
    rules = [tuple(sorted({places[key(one)] for one in t.literals})) for t in terms]
    return list(found.values()), rules


def _of_numbers(column, values, labels, weights):
    """Yield extents, and which ends they are, of a column of numbers."""
    numbers = column.astype(np.float64)
    known = [value for value in values if value is not None]
    # Large integers may be equal as floats.
    known = np.unique(np.array(known, dtype=np.float64))
    if len(values) < 2:
        return
    if len(known) <= _FEW_VALUES:
        points = midpoints(known[:-1], known[1:])
        if len(known) != 2:  # one value tells it from missing ones
            for value in known:
                point = (np.nextafter(value, -inf), value)
                yield Extent(None, (tuple(map(float, point)),)), 0
    else:
        ranked = ranked_numbers(numbers)
        points = [_cuts(ranked, labels, weights, way) for way in ("max", "quantiles")]
        points = np.unique(np.concatenate(points))
    for point in map(float, points):
        yield Extent(None, ((-inf, point),)), -1
        yield Extent(None, ((point, inf),)), 1


def _cuts(ranked, labels, weights, selection):
    """Return cut points of numbers."""
    settings = {
        "max_intervals": _INTERVALS,
        "selection": selection,
        "min_samples_interval": 1,
        "max_segments": _MOST_SEGMENTS,
    }
    return Cutter(labels, weights, settings).partition(*ranked).points


def _of_categories(values, counts):
    """Yield extents of a column of categories, each of which is no end."""
    least = max(2, ceil(_LEAST_SHARE * counts.sum()))
    known = [i for i, value in enumerate(values) if value is not None]
    frequent = [i for i in known if counts[i] >= least]
    frequent.sort(key=lambda i: -counts[i])
    for i in sorted(frequent[:_MOST_CATEGORIES]):
        if len(values) > 1:
            yield Extent((values[i],), None), 0
        if len(known) > 2:
            yield Extent((values[i],), None, complement=True), 0
