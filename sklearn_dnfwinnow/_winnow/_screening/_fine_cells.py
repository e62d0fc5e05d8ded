"""Fine cells: the samples of a table, in the finest cells that conditions compare."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._encoding._column_cuts import Partition
from sklearn_dnfwinnow._encoding._derived_columns import ranks_of
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._quantiles import quantile_starts
from sklearn_dnfwinnow._terms._screening import MOST_VALUES, Cells
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows

# Distinct samples by which terms are chosen: more find the same terms, in more memory.
_MOST_SAMPLES = 50_000


@dataclass(frozen=True, eq=False)
class FineCells:
    """Distinct samples of a table, in cells.

    Parameters
    ----------
    encoding : Encoding
        Of the finest intervals.
    partitions : dict of int to Partition
        These intervals, of the attributes that are cut.
    cells : Cells
    codes_of : list of n_attributes ndarrays of shape (n_cells + 1,), int64
        The code of each cell, in this encoding.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    """

    encoding: Encoding
    partitions: dict
    cells: Cells
    codes_of: list
    labels: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, encoding, known, held_out=None):
        """Return the cells of a table, see `ScreenedTable.of`."""
        found = _fine_partitions(encoding, held_out=held_out, **known)
        fine = encoding.with_partitions(found, known["table"], is_final=False)
        fine, codes = fine.learn(held_out=held_out, **known)
        rows, labels, weights = _merged(
            codes, known["labels"], known["weights"], held_out
        )
        cells, codes_of = _cells(fine, rows, weights, is_cut=found)
        return cls(
            encoding=fine,
            partitions=found,
            cells=cells,
            codes_of=codes_of,
            labels=labels,
            weights=weights,
        )

    def code(self, condition):
        """Return the code that a condition compares with."""
        return int(self.codes_of[condition.feature][condition.code])

    def interval(self, condition):
        """Return the number of the interval below a cut point, or None without one."""
        j = condition.feature
        if j not in self.partitions or not self.cells.ordered[j]:
            return None
        return int(self.encoding.categories[j][self.code(condition) - 1])

    def holding(self, condition):
        """Return which codes satisfy a condition: (n_values + 1,), bool."""
        values = self.encoding.categories[condition.feature]
        return self.holding_among(values, condition, self.interval(condition))

    def holding_among(self, values, condition, border):
        """Return which codes of other intervals satisfy a condition.

        Parameters
        ----------
        values : ndarray of shape (n_values,)
            Of an encoding with the same values, but with fewer intervals.
        condition : Condition
        border : int or None
            The number of the interval below the cut point, in this encoding.

        Returns
        -------
        mask : ndarray of shape (n_values + 1,), bool
        """
        codes, code = np.arange(len(values) + 1), self.code(condition)
        if not self.cells.ordered[condition.feature]:
            others = (codes != code) & (codes > 0)
            return others if condition.is_above else codes == code
        if border is None:
            ranks = ranks_of(values)
            below, known = (ranks <= ranks[code]) & (ranks > 0), ranks > 0
        else:
            below = np.append(False, values <= border)
            known = np.append(False, ~np.isnan(values))
        return known & ~below if condition.is_above else below


def _fine_partitions(encoding, table, labels, weights, held_out):
    """Return the intervals whose borders conditions may compare with, by attribute.

    Those of a discretizer that was given; otherwise quantiles, as many as there may be.
    """
    columns = table.ranked(table.columns_to_cut(encoding.discretizer), held_out)
    rows = slice(None) if held_out is None else ~held_out
    if not columns:
        return {}
    if encoding.discretizer.selection != "quantiles":
        return encoding.discretizer._partitions(columns, labels[rows], weights[rows])
    most = min(MOST_VALUES, encoding.discretizer.max_intervals)
    return {
        j: Partition.of_quantiles(*column, weights[rows], most)
        for j, column in columns.items()
    }


def _merged(codes, labels, weights, held_out):
    """Return distinct samples, or some of them: codes, labels and weights, ordered."""
    kept = slice(None) if held_out is None else ~held_out
    pairs = np.column_stack([codes[kept], labels[kept].astype(np.int32)])
    distinct, _, inverse = distinct_rows(pairs)
    # Sorted first, so that the rounding of sums does not depend on the order of rows.
    order = np.lexsort((weights[kept], inverse))
    totals = np.bincount(inverse[order], weights=weights[kept][order])
    if len(distinct) > _MOST_SAMPLES:
        some = np.random.RandomState(0).permutation(len(distinct))[:_MOST_SAMPLES]
        some.sort()
        distinct, totals = distinct[some], totals[some]
    return distinct[:, :-1], distinct[:, -1], totals


def _cells(encoding, codes, weights, is_cut):
    """Return the cells of codes, and the code of each cell of an attribute.

    Numbers have ranks, or quantiles if there are many. Of the values of other
    attributes, the most frequent have cells. `is_cut` has the attributes that are cut.
    """
    columns, codes_of_cells, ordered = [], [], []
    for j, (values, own) in enumerate(zip(encoding.categories, codes.T)):
        # Two values that are not cut are equal or not.
        few = 1 if j in is_cut else 2
        ranks = ranks_of(values) if few < len(values) else None
        ordered.append(ranks is not None)
        if ranks is None and len(values) == 1 and own.all():
            # All rows satisfy the only condition.
            codes_of, ranks = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.uint8)
        elif ranks is None:
            totals = np.bincount(own, weights=weights, minlength=len(values) + 1)[1:]
            most = np.sort(np.argsort(-totals, kind="stable")[:MOST_VALUES])
            codes_of = np.append(0, most + 1)
            ranks = np.zeros(len(values) + 1, dtype=np.uint8)
            ranks[codes_of] = np.arange(len(codes_of))
        else:
            codes_of = np.zeros(ranks.max() + 1, dtype=np.int64)
            codes_of[ranks] = np.arange(len(ranks))
            codes_of[0] = 0
            if len(codes_of) > MOST_VALUES + 1:
                weights_of = np.bincount(ranks[own], weights, minlength=len(codes_of))
                starts = 1 + quantile_starts(weights_of[1:], MOST_VALUES)
                # The largest rank of each group, after that of missing values.
                codes_of = codes_of[np.append(starts, len(codes_of)) - 1]
                ranks = np.searchsorted(starts, ranks, side="right")
        columns.append(ranks[own])
        codes_of_cells.append(codes_of)
    cells = Cells(
        codes=np.array(columns, dtype=np.uint8),
        ordered=np.array(ordered, dtype=np.uint8),
        n_codes=np.array([len(of) for of in codes_of_cells], dtype=np.int32),
    )
    return cells, codes_of_cells
