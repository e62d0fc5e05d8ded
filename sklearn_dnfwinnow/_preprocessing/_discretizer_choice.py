"""Choice of a discretizer: the parameter `discretizer` of classifiers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

from sklearn.base import clone

from sklearn_dnfwinnow._preprocessing._column_choice import chosen_columns
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer

# Maximum number of quantiles that discretizer='auto' considers. Time grows with its
# square.
_MAX_SEGMENTS = 500


def chosen_discretizer(given, table, ordered=(), **cuts):
    """Return the unfitted discretizer of a data set; None if it cuts no column.

    Parameters
    ----------
    given : {'auto'}, ClassEntropyDiscretizer or None
        'auto' cuts columns of many distinct numbers.
    table : LabelledTable
    ordered : collection of int, default=()
        Positions of columns that 'auto' cuts, for any number of distinct values.
    **cuts : dict
        Parameters of the discretizer of 'auto'.
    """
    if given is None:
        return None
    if isinstance(given, str):
        positions = table.to_cut(ordered)
        how = {"columns": positions, "max_segments": _MAX_SEGMENTS, **cuts}
        return ClassEntropyDiscretizer(**how) if positions else None
    chosen = chosen_columns(given.columns, table.numeric, table.names)
    return clone(given) if chosen.any() else None


def fitted_discretizer(discretizer, table, *, is_auto):
    """Return a discretizer that is fitted to a data set.

    Parameters
    ----------
    discretizer : ClassEntropyDiscretizer or None
        As returned by `chosen_discretizer`.
    table : LabelledTable
    is_auto : bool
        Whether it is the one of 'auto', whose quantiles need no warning.
    """
    if discretizer is None:
        return None
    with warnings.catch_warnings():
        if is_auto:
            warnings.filterwarnings("ignore", "More than max_segments")
        return clone(discretizer).fit(*table.given)
