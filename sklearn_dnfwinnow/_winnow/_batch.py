"""Batch: what one training call of Winnow is given, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

from sklearn_dnfwinnow._preprocessing._labelled_table import LabelledTable
from sklearn_dnfwinnow._winnow._conditions._column_conditions import ColumnConditions


@dataclass(frozen=True, eq=False)
class Batch(LabelledTable):
    """Rows with some weight, their classes, and conditions on terms.

    Parameters
    ----------
    columns, labels, weights, label, names, given
        As `LabelledTable` has them.
    conditions : ColumnConditions
        On terms.
    """

    conditions: ColumnConditions = field(default_factory=ColumnConditions)
