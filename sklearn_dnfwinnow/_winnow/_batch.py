"""Batch: the checked input of one training call of Winnow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

from sklearn_dnfwinnow._encoding._tables._labelled_table import LabelledTable
from sklearn_dnfwinnow._winnow._conditions._column_conditions import ColumnConditions


@dataclass(frozen=True, eq=False)
class Batch(LabelledTable):
    """Samples with positive weight, their classes, and conditions on terms.

    Parameters
    ----------
    table, labels, sample_weights, class_weights, declared
        See `LabelledTable`.
    conditions : ColumnConditions
        Conditions on terms.
    """

    conditions: ColumnConditions = field(default_factory=ColumnConditions)
