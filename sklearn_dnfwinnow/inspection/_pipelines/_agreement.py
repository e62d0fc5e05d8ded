"""Agreement: whether preimages give the codes that the transformers really produce.

A preimage is a statement about a transformer: which values of a column give which code.
The statement is compared with the output of the fitted transformer on probes: the
listed values of each column, the neighbours of each cut, values between and beyond the
cuts, unknown values, and each form of missing values. Rows that the transformers refuse
prove nothing, and no sample can have their values.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from collections import defaultdict
from math import ceil, inf, nan

import numpy as np
from sklearn.compose import ColumnTransformer

from sklearn_dnfwinnow._encoding._columns import columns_of, frame_library
from sklearn_dnfwinnow._encoding._missing import is_missing
from sklearn_dnfwinnow._encoding._named_columns import positions_of
from sklearn_dnfwinnow.inspection._pipelines._preimages import (
    CategoricalPreimage,
    NumericPreimage,
    codes_of,
)
from sklearn_dnfwinnow.inspection._pipelines._steps import (
    flatten_steps,
    transform_through,
)

# Maximum number of cells of a transformed table.
_CELLS = 1 << 24
# Maximum numbers of refused tables: of values with a code, which transformers seldom
# refuse, and of others.
_MOST_REFUSED, _FEW_REFUSED = 1000, 50


def agrees(steps, before, after):
    """Return whether preimages before and after some steps give the same codes.

    Parameters
    ----------
    steps : list of transformers
        Fitted.
    before, after : lists of preimages
        Of the same attributes: in the columns that the first step takes, and in those
        that the last one returns.

    Returns
    -------
    is_same : bool
        False also if no row was found that the steps accept.
    """
    if not steps:
        return True
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            trial = _Trial(steps, before, after)
            width = np.shape(trial.transformed(trial.table({})))[1]
        except Exception:  # whatever a foreign step raises
            return False
        n_rows = max(1, _CELLS // max(width, len(after)))
        in_all = [{j: [form] for j in trial.used} for form in _forms_of_missing()]
        return (
            all(
                trial.holds(part, _MOST_REFUSED)
                for part in _chunks(trial.known, n_rows)
            )
            and all(trial.holds(part) for part in _chunks(trial.other, n_rows))
            and all(trial.holds(x, are_alike=True) for x in [trial.unknown, *in_all])
        )


def _forms_of_missing():
    """Return all missing values that a column of objects can have."""
    try:
        import pandas  # here for import time, and since it may not be installed
    except ImportError:
        return [None, nan]
    return [None, nan, pandas.NA, pandas.NaT]


class _Trial:
    """The comparison of preimages with the output of steps.

    Parameters
    ----------
    steps : list of transformers
    before, after : lists of preimages

    Attributes
    ----------
    steps, before, after
        As given.
    used : dict of int to list
        The preimages of each column.
    known, other, unknown : dicts of int to list
        Values of columns with a code, without one, and others.
    """

    def __init__(self, steps, before, after):
        self.steps = steps
        self.before = before
        self.after = after
        self.used = defaultdict(list)
        for preimage in before:
            self.used[preimage.column].append(preimage)
        self.known, self.other, self.unknown = {}, {}, {}
        for column, preimages in self.used.items():
            self.known[column], self.other[column] = [], []
            values = _values_of(preimages)
            for value in values:
                is_known = any(preimage.code_of(value) for preimage in preimages)
                (self.known if is_known else self.other)[column].append(value)
            if not all(isinstance(p, NumericPreimage) for p in preimages):
                self.unknown[column] = [unknown_value(values)]
        n_columns = steps[0].n_features_in_
        self._usual = [self._usual_value(j) for j in range(n_columns)]

    def _usual_value(self, j):
        """Return a value of a column that the steps accept."""
        # An encoder can refuse all but its categories.
        listed = [p.present for p in self.used.get(j, ()) if hasattr(p, "present")]
        listed += [probes.get(j) for probes in (self.known, self.other, self.unknown)]
        values = next(filter(None, listed), None) or [_accepted_value(self.steps, j)]
        return values[len(values) // 2]

    def table(self, probes):
        """Return rows with the probes of some columns, and usual values elsewhere.

        Parameters
        ----------
        probes : dict of int to list
            Values by the position of the column. A shorter list is continued by usual
            values.
        """
        n_rows = max(map(len, probes.values()), default=1)
        columns = [[value] * n_rows for value in self._usual]
        for j, values in probes.items():
            columns[j][: len(values)] = values
        columns = [_container(values) for values in columns]
        names = getattr(self.steps[0], "feature_names_in_", None)
        if names is not None:
            return _frame(names, columns)
        is_object = any(column.dtype.kind == "O" for column in columns)
        table = np.empty((n_rows, len(columns)), dtype=object if is_object else float)
        for j, column in enumerate(columns):
            table[:, j] = column
        return table

    def transformed(self, table):
        """Return the output of the steps for a `table`."""
        found = transform_through(self.steps, table)
        return found.toarray() if hasattr(found, "toarray") else found

    def holds(self, probes, most_refused=None, are_alike=False):
        """Return whether the codes are the same for all rows that the steps accept.

        Refused probes are divided by rows, then by columns.

        Parameters
        ----------
        probes : dict of int to list
        most_refused : int, default=None
            Number of refused tables from which nothing is known of the probes. None
            leaves out the remaining ones from a small number of refused tables on.
        are_alike : bool
            Whether the probes are one row of values that the steps treat alike in the
            columns of a kind: if they refuse the first of these, they refuse all.
        """
        kinds = {j: self._kind(j) for j in probes} if are_alike else {}
        waiting, n_refused, accepted, refused = [probes], 0, set(), set()
        while waiting:
            probes = waiting.pop(0)
            if are_alike:
                probes = {j: v for j, v in probes.items() if kinds[j] not in refused}
            elif n_refused >= (most_refused or _FEW_REFUSED):
                return most_refused is None
            table = self.table(probes)
            try:
                codes = codes_of(self.after, _columns(self.transformed(table)))
                expected = codes_of(self.before, _columns(table))
            except Exception:  # whatever a foreign step raises
                n_refused += 1
                waiting[:0] = _halves(probes)
                if are_alike and len(probes) == 1:
                    refused |= {*map(kinds.get, probes)} - accepted
                continue
            accepted |= {*map(kinds.get, probes)}
            if expected is None or not np.array_equal(codes, expected):
                return False
        return True

    def _kind(self, j):
        """Return the kind of a column: the steps refuse values of equal kinds alike.

        These enter the same transformer, with categories of the same types.
        """
        step, _ = _first_step(self.steps, j)
        types = {
            type(value)
            for preimage in self.used[j]
            if isinstance(preimage, CategoricalPreimage)
            for value in preimage.codes
        }
        return id(step), frozenset(types)


def _values_of(preimages):
    """Return the values that the preimages of a column distinguish, ascending."""
    values, cuts = {}, [[]]
    for preimage in preimages:
        if isinstance(preimage, CategoricalPreimage):
            values.update(dict.fromkeys(preimage.present))
        else:
            cuts.append(preimage.cuts)
    cuts = np.unique(np.concatenate(cuts))
    if len(cuts):
        ends = np.array([2 * cuts[0] - 1, *cuts, 2 * cuts[-1] + 1])
        between = ends[:-1] / 2 + ends[1:] / 2
        near = [np.nextafter(cuts, -inf), cuts, np.nextafter(cuts, inf), between]
        numbers = np.unique(np.concatenate(near))
        values.update(dict.fromkeys(numbers[np.isfinite(numbers)].tolist()))
    return list(values)


def unknown_value(values):
    """Return a value of the same type as others, that is not among them."""
    if values and all(isinstance(value, (int, float)) for value in values):
        return 2.0 * max(map(abs, values)) + 1.5
    return "unknown " + max(map(str, values), key=len, default="")


def _first_step(steps, column):
    """Return the transformer that takes a column first, and its position there."""
    step = steps[0]
    if isinstance(step, ColumnTransformer):
        for _, part, columns in step.transformers_:
            positions = positions_of(columns, step)
            inside = [] if part == "drop" else flatten_steps([part])
            if inside and column in positions:
                return _first_step(inside, positions.index(column))
    return step, column


def _accepted_value(steps, j):
    """Return a value that steps accept in a column that no attribute depends on."""
    step, column = _first_step(steps, j)
    if hasattr(step, "categories_"):
        return step.categories_[column].tolist()[0]
    fills = getattr(step, "statistics_", None)
    if fills is not None and not is_missing(fills.tolist()[column]):
        return fills.tolist()[column]
    return 1.0


def _halves(probes):
    """Return the halves of some probes: by rows, or else by columns; [] for a value."""
    n_rows = max(map(len, probes.values()), default=0)
    if n_rows > 1:
        return [*_chunks(probes, ceil(n_rows / 2))]
    listed = [*probes.items()]
    middle = len(listed) // 2
    return [dict(listed[:middle]), dict(listed[middle:])] if middle else []


def _chunks(probes, n_rows):
    """Yield the probes in parts of at most some rows."""
    for start in range(0, max(map(len, probes.values()), default=0), n_rows):
        part = {j: values[start : start + n_rows] for j, values in probes.items()}
        yield {j: values for j, values in part.items() if values}


def _container(values):
    """Return values as an array: of numbers or booleans, if all are, else of objects.

    Integers remain integers: large ones can be equal as float64.
    """
    types = set(map(type, values))
    if types <= {bool} or types <= {int} or types <= {int, float}:
        return np.array(values)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _frame(names, columns):
    """Return a data frame of pandas, or of polars if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        import polars

        return polars.DataFrame(
            {n: c.tolist() for n, c in zip(names, columns)}, strict=False
        )
    # Objects would become strings of pandas, and None NaN.
    series = [pandas.Series(column, dtype=column.dtype) for column in columns]
    return pandas.DataFrame(dict(enumerate(series))).set_axis(names, axis=1)


def _columns(table):
    """Return the columns of a table, in the form that preimages take."""
    is_frame = frame_library(table) is not None
    return columns_of(table if is_frame else np.asarray(table), exact=True)
