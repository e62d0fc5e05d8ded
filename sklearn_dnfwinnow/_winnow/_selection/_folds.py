"""Folds: the held-out samples, and the encoding of samples without a fold."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._preprocessing._encoding import Encoding
from sklearn_dnfwinnow._preprocessing._factorized_table import FactorizedTable
from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._winnow._conditions._code_conditions import in_codes
from sklearn_dnfwinnow._winnow._conditions._column_conditions import ColumnConditions
from sklearn_dnfwinnow._winnow._presentations import Presentations


def assign_folds(labels, n_folds, seed):
    """Return the fold in which each presentation is held out: (n,), int64.

    The folds have equal numbers of samples of a class, up to one. Equal samples are
    assigned at random: an even distribution would give each fold information on the
    classes in the others. The result is a function of the samples and their numbers,
    like the rest of training.
    """
    turns = np.empty(len(labels), dtype=np.int64)
    chance = np.random.RandomState(seed).permutation(len(turns))
    turns[np.lexsort([chance, labels])] = np.arange(len(turns)) % n_folds
    return turns


@dataclass(frozen=True, eq=False)
class View:
    """Presentations, encoded without the information of some of them.

    Parameters
    ----------
    rows : Presentations
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    conditions : Conditions or None
        Conditions on terms of these codes.
    """

    rows: Presentations
    n_values: np.ndarray
    conditions: Conditions | None = None

    @cached_property
    def distinct(self):
        """Distinct rows of codes."""
        return distinct_rows(self.rows.codes)[0]


@dataclass(frozen=True, eq=False)
class FoldedTable:
    """Presentations, and the fold in which each is held out.

    Parameters
    ----------
    table : FactorizedTable
        Of the presentations.
    rows : Presentations
        Their codes are the codes of the table.
    folds : ndarray of shape (n,), int64
    n_folds, n_classes : int
    missing : {'unspecified', 'category', 'most_frequent'}
    conditions : ColumnConditions
        Conditions on terms.
    """

    table: FactorizedTable
    rows: Presentations
    folds: np.ndarray
    n_folds: int
    n_classes: int
    missing: str
    conditions: ColumnConditions = field(default_factory=ColumnConditions)

    def parts(self, discretizer):
        """Return the folds that must be encoded separately, in lists."""
        if self.table.is_one_view(discretizer, self.missing):
            return [list(range(self.n_folds))]
        return [[fold] for fold in range(self.n_folds)]

    def view(self, discretizer, literals, folds):
        """Return the presentations, encoded without the information of some folds.

        Parameters
        ----------
        discretizer : ClassEntropyDiscretizer or None
        literals : {'equal', 'both', 'ordered'}
        folds : list of int
            One of the lists of `parts`.

        Returns
        -------
        view : View
        """
        encoding = Encoding.empty(
            n_features=len(self.table.columns),
            n_classes=self.n_classes,
            missing=self.missing,
            discretizer=discretizer,
            literals=literals,
            ordered=self.conditions.ordered,
        )
        known = {
            "table": self.table,
            "labels": self.rows.labels,
            "weights": self.rows.units / self.rows.one,
            "held_out": self.folds == folds[0] if len(folds) == 1 else None,
        }
        encoding, codes = encoding.with_cuts(**known).learn(**known)
        conditions = None
        if self.conditions:
            conditions = in_codes(self.conditions, encoding, self.n_classes)
        codes = encoding.with_literals(codes)
        return View(
            rows=replace(self.rows, codes=np.ascontiguousarray(codes)),
            n_values=encoding.n_values,
            conditions=conditions,
        )
