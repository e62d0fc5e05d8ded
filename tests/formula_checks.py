"""Formulas in other programs: each says of all rows what `DNF.holds` says."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pandas as pd
from literal_checks import run, stored


def plain_rows(X, names):
    """Rows as mappings of Python's own values, None where missing."""
    columns = [list(map(stored, X[name].tolist())) for name in names]
    return [dict(zip(names, row)) for row in zip(*columns)]


def answers(dnf, holds):
    """What a formula says of rows, by which of them satisfy it."""
    said = (True, False) if dnf.otherwise is None else (dnf.class_, dnf.otherwise)
    return [said[not held] for held in holds]


def by_python(dnf, rows, **options):
    return list(map(run(dnf, **options), rows))


def frame_of(types, rows):
    """A table of a data base as a data frame, see `made_up_formulas.a_table`."""
    dtypes = {"double": "float64", "float": "float32"}
    columns = zip(*rows)
    return pd.DataFrame(
        {
            name: pd.Series(column, dtype=dtypes.get(type_, object))
            for (name, type_), column in zip(types.items(), columns)
        }
    )
