"""Choice of a discretizer: what the parameter `discretizer` of classifiers means."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

from sklearn.base import clone

from sklearn_dnfwinnow._preprocessing._column_choice import chosen_columns
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer

# Quantiles that discretizer='auto' tries to cut at: time grows with their square.
_MAX_SEGMENTS = 500


def chosen_discretizer(given, table, ordered=(), **cuts):
    """Return the discretizer that cuts a table, not fitted; None if it cuts nothing.

    Parameters
    ----------
    given : {'auto'}, ClassEntropyDiscretizer or None
        'auto' cuts columns of many distinct numbers.
    table : LabelledTable
    ordered : collection of int, default=()
        Positions of columns that 'auto' cuts, however few numbers they hold.
    **cuts : dict
        Parameters of what 'auto' stands for.
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
    """Return a discretizer that is fitted to a table.

    Parameters
    ----------
    discretizer : ClassEntropyDiscretizer or None
        As `chosen_discretizer` returns it.
    table : LabelledTable
    is_auto : bool
        Whether it is that of 'auto', whose quantiles need no warning.
    """
    if discretizer is None:
        return None
    with warnings.catch_warnings():
        if is_auto:
            warnings.filterwarnings("ignore", "More than max_segments")
        return clone(discretizer).fit(*table.given)
