"""The schema of an encoding: the discretizer, and the values of each column."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._encoding._attribute import Attribute
from sklearn_dnfwinnow._encoding._columns import is_numeric
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._utils._json_values import check, is_number
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS
from sklearn_dnfwinnow.persistence._discretizer import FITTED_DISCRETIZER
from sklearn_dnfwinnow.persistence._schema import (
    FLAG,
    VALUE,
    ListOf,
    Numbers,
    Record,
    fitted,
    integer,
    optional,
)

# Weights of values are summed as float64, and saved as finite numbers.
_LARGEST_FREQUENCY = 1e300
# Codes of values that the chosen terms compare with.
_CODES = ListOf(integer(1, 2**31 - 1), make=tuple)


def _column(missing, n_classes):
    """Return the schema of the values of a column."""

    def frequencies(found):
        # Kept only if missing values are replaced by the most frequent one.
        n_known = len(found.values) if missing == "most_frequent" else 0
        return Numbers(
            np.float64,
            low=0,
            high=_LARGEST_FREQUENCY,
            shape=(n_classes, n_known + 1),
        )

    def check_values(found, _):
        values = found.values
        check(len({*values}) == len(values), "values that are distinct", values)
        right = missing == "category" or None not in values
        check(right, "no missing value", values)

    fields = {
        "numeric": FLAG,
        "values": ListOf(optional(VALUE)),
        "frequencies": frequencies,
    }
    return Record(fields, check=check_values)


def _check_compared(compared, columns):
    """Check the codes that the chosen terms compare with, of each column."""
    check(len(compared) == len(columns), f"{len(columns)} columns", len(compared))
    for codes, column in zip(compared, columns):
        right = all(code <= len(column["values"]) for code in codes)
        check(right and len({*codes}) == len(codes), "codes of values", codes)


def _check_intervals(column, n_intervals):
    """Check the values of a column that is cut into intervals."""
    known = [value for value in column["values"] if value is not None]
    for value in known:
        right = is_number(value) and 0 <= value < n_intervals and value == int(value)
        check(right, f"intervals from 0 to {n_intervals - 1}", value)
    right = column["numeric"] or not known
    check(right, "intervals to be numeric", column["numeric"])


def encoding(n_classes):
    """Return the schema of an encoding of a table of so many classes."""

    def parts(encoding):
        # A column that does not take part is None.
        columns = [None] * encoding.n_columns
        for j, attribute in zip(encoding.positions.tolist(), encoding.attributes):
            columns[j] = {
                "numeric": is_numeric(attribute.categories),
                "values": attribute.codes,
                "frequencies": attribute.frequencies,
            }
        return {
            **vars(encoding),
            "columns": columns,
        }

    def check_columns(found, _):
        columns, discretizer = [*filter(None, found.columns)], found.discretizer
        check(columns, "a column or more", columns)
        if found.compared is not None:
            _check_compared(found.compared, columns)
        if discretizer is None:
            return
        n_cut = discretizer.n_features_in_
        check(n_cut == len(columns), f"cuts of {len(columns)} columns", n_cut)
        for column, n_intervals in zip(columns, discretizer.n_intervals_.tolist()):
            if n_intervals:
                _check_intervals(column, n_intervals)

    def make(columns, discretizer, **parts):
        active = np.array([column is not None for column in columns])
        columns = [*filter(None, columns)]
        cut_points = [None] * len(columns)
        if discretizer is not None:
            cut_points = discretizer.cut_points_
        attributes = tuple(
            Attribute.of(
                codes={v: code for code, v in enumerate(column["values"], start=1)},
                is_numeric=column["numeric"],
                frequencies=column["frequencies"],
                cut_points=points,
            )
            for column, points in zip(columns, cut_points)
        )
        return Encoding(
            attributes,
            discretizer=discretizer,
            active=None if active.all() else active,
            **parts,
        )

    fields = {
        "missing": fitted(CONSTRAINTS["missing"], str),
        "discretizer": optional(FITTED_DISCRETIZER),
        "columns": lambda found: ListOf(optional(_column(found.missing, n_classes))),
        "literals": fitted(CONSTRAINTS["literals"], str),
        "compared": optional(ListOf(_CODES, make=tuple)),
    }
    return Record(fields, make, parts=parts, check=check_columns)
