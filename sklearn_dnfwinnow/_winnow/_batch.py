"""Batch: the checked input of one training call of Winnow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace

from sklearn_dnfwinnow._encoding._tables._labelled_table import LabelledTable
from sklearn_dnfwinnow._encoding._tables._sparse_table import SparseTable
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

    def choose_active(self):
        """Choose the columns that take part: (n_features,), bool; None for all.

        The columns of conditions are among them.
        """
        if not isinstance(self.table, SparseTable):
            return None
        return self.table.choose_active(
            labels=self.labels,
            weights=self.weights,
            also=self.conditions.columns,
        )

    def at(self, active):
        """Return the batch with some of its columns, None for all of them."""
        return replace(self, table=self.table.at(active))
