"""Choice of a discretizer: the parameter `discretizer` of classifiers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import clone

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
    table : FactorizedTable
    ordered : collection of int, default=()
        Positions of columns that 'auto' cuts, for any number of distinct values, so
        that monotone scores hold for new numbers, too.
    **cuts : dict
        Parameters of the discretizer of 'auto'.
    """
    if given is None:
        return None
    if isinstance(given, str):
        columns = [
            j
            for j, column in enumerate(table.columns)
            if j in ordered or column.has_many_numbers
        ]
        how = {"columns": columns, "max_segments": _MAX_SEGMENTS, **cuts}
        return ClassEntropyDiscretizer(**how) if columns else None
    return clone(given) if table.columns_to_cut(given) else None
