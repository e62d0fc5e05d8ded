"""Conditions: what a rule can ask of one column of a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import product
from math import ceil, inf, nextafter

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_numeric
from sklearn_dnfwinnow.rules._literal import Literal

# A number with at most so many values is cut between any two of them, and each of its
# values is a condition, too. Others are cut into so many parts of equally many rows,
# and into so many by a tree.
_FEW_VALUES, _PARTS, _LEAVES = 12, 10, 8
# A cut moves to a number of few digits over at most this fraction of the rows.
_SHIFT = 0.005
# Columns and conditions, at most, and cells of the table of rows and conditions; few
# conditions may have more cells.
_MOST_COLUMNS, _MOST, _MOST_CELLS, _FEWEST = 150, 1500, 1 << 23, 200

# Which cells satisfy a relation to a value. NaN satisfies nothing but "missing".
_HOLDS = {
    "<=": np.less_equal,
    ">": np.greater,
    "=": np.equal,
    "!=": lambda cells, value: (cells < value) | (cells > value),
    "missing": lambda cells, _: np.isnan(cells),
}


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions on the columns of a table.

    Parameters
    ----------
    columns : ndarray of shape (n_conditions,), int
        Column of each condition. Conditions on the same column are neighbours.
    relations : ndarray of shape (n_conditions,), str
        '<=', '>', '=', '!=' or 'missing'.
    values : ndarray of shape (n_conditions,), float64
        Cut of a number, or place of a category among the distinct values.
    """

    columns: np.ndarray
    relations: np.ndarray
    values: np.ndarray

    def __len__(self):
        return len(self.columns)

    def some(self, places):
        """Return some of the conditions."""
        return Conditions(
            self.columns[places], self.relations[places], self.values[places]
        )

    @property
    def kinds(self):
        """Return the kind of each condition: (n_conditions,), int.

        Conditions of a kind differ in their cut, or are the same one.
        """
        has_cut = np.isin(self.relations, ("<=", ">"))
        values = np.where(has_cut, 0.0, self.values)
        keys = zip(self.columns.tolist(), self.relations.tolist(), values.tolist())
        kinds = {}
        return np.array([kinds.setdefault(key, len(kinds)) for key in keys], dtype=int)

    def may_meet(self):
        """Return which conditions a rule may contain together: (n, n), bool.

        One of a column, or both ends of an interval.
        """
        is_other = self.columns[:, None] != self.columns
        ends = (self.relations == ">").astype(int) - (self.relations == "<=")
        return is_other | (ends[:, None] * ends == -1)

    def hold(self, cells):
        """Return which rows satisfy which condition: (n_conditions, n_rows), bool.

        Parameters
        ----------
        cells : ndarray of shape (n_columns, n_rows), float64
            See `Cells`.
        """
        holds = np.empty((len(self), cells.shape[1]), dtype=bool)
        for i, (j, relation) in enumerate(zip(self.columns, self.relations)):
            holds[i] = _HOLDS[relation](cells[j], self.values[i])
        return holds

    def literals(self, rule, table):
        """Return the Literal of each condition of a rule, given by its places."""
        return [self._literal(i, table) for i in rule]

    def _literal(self, i, table):
        """Return the Literal of a condition."""
        j, value = int(self.columns[i]), float(self.values[i])
        relation = self.relations[i]
        values, intervals = None, None
        if relation == "missing":
            values = ()
        elif table.values[j] is None:
            low = {">": value, "=": nextafter(value, -inf)}.get(relation, -inf)
            intervals = ((low, inf if relation == ">" else value),)
        else:
            values = (table.values[j][int(value)],)
        return Literal.of(
            column=j,
            feature=table.names[j],
            values=values,
            intervals=intervals,
            missing=relation == "missing",
            complement=relation == "!=",
        )


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a table as numbers.

    Parameters
    ----------
    numbers : ndarray of shape (n_columns, n_rows), float64
        A number, or the place of a category among the distinct values; NaN is missing.
    values : list
        For each column, its distinct values; None if it is numeric.
    names : list of str
    signs : ndarray of shape (n_columns,), int
        1 if rules may only demand large numbers of a column, -1 if only small ones, and
        0 if any.
    """

    numbers: np.ndarray
    values: list
    names: list
    signs: np.ndarray

    @classmethod
    def of(cls, columns, distinct, names):
        """Return the cells of columns, given their distinct values and places.

        Parameters
        ----------
        columns : list of ndarrays of shape (n_rows,)
            As returned by `columns_of`.
        distinct : list of (list, ndarray of int)
            See `distinct_values`.
        names : list of str
        """
        numbers, values = np.empty((len(columns), len(columns[0]))), []
        for j, (column, (listed, places)) in enumerate(zip(columns, distinct)):
            if is_numeric(column):
                numbers[j] = column
                values.append(None)
                continue
            is_known = np.array([value is not None for value in listed], dtype=bool)
            numbers[j] = np.where(is_known, np.arange(len(listed)), np.nan)[places]
            values.append(listed)
        return cls(numbers, values, names, np.zeros(len(columns), dtype=int))

    def conditions(self, rows, share, weights, floor):
        """Return the conditions that some rows suggest.

        A category is equal to a value or differs from it. A number is compared with
        quantiles and with the cuts of a tree, all moved to numbers of few digits. A
        value can be missing.

        Parameters
        ----------
        rows : ndarray of shape (n_some,), int
        share, weights : ndarrays of shape (n_some,), float64
            What a rule should cover, from 0 to 1, and the weight of each row.
        floor : float
            Weight of the rows that satisfy a condition, at least.
        """
        found = []
        for j in self._telling_columns(rows, share, weights):
            values, cells = self.values[j], self.numbers[j, rows]
            is_known = ~np.isnan(cells)
            if weights[~is_known].sum() >= floor and not self.signs[j]:
                found.append((j, "missing", 0.0))
            if values is None:
                known = cells[is_known], share[is_known], weights[is_known]
                some = _of_numbers(*known, floor=floor, sign=self.signs[j])
            else:
                codes = cells[is_known].astype(int)
                counts = np.bincount(codes, weights[is_known], minlength=len(values))
                some = _of_categories(counts, floor)
            found += [(j, relation, value) for relation, value in some]
        columns, relations, values = zip(*found) if found else ((), (), ())
        every = Conditions(
            np.array(columns, dtype=int),
            np.array(relations, dtype="U7"),
            np.array(values, dtype=np.float64),
        )
        return self._most_telling(every, rows, share, weights)

    def _telling_columns(self, rows, share, weights):
        """Return the columns; of too many, those that tell shares of rows apart best.

        For numbers, by the Kolmogorov-Smirnov statistic.
        """
        if len(self.values) <= _MOST_COLUMNS:
            return range(len(self.values))
        worth, largest = _excess(share, weights), []
        for cells, values in zip(self.numbers[:, rows], self.values):
            distinct, places = np.unique(cells, return_inverse=True)
            sums = np.bincount(places, worth)[: np.count_nonzero(distinct == distinct)]
            sums = np.cumsum(sums) if values is None else sums
            largest.append(np.abs(sums).max(initial=0))
        return np.sort(np.argsort(-np.array(largest), kind="stable")[:_MOST_COLUMNS])

    def _most_telling(self, conditions, rows, share, weights):
        """Return conditions, with what holds, without those that others equal.

        Of too many, those that tell the shares of rows apart best.
        """
        holds = conditions.hold(self.numbers[:, rows])
        _, first = np.unique(np.packbits(holds, axis=1), axis=0, return_index=True)
        kept = np.sort(first)
        most = min(_MOST, max(_FEWEST, _MOST_CELLS // max(len(rows), 1)))
        if len(kept) > most:
            sums = holds[kept] @ _excess(share, weights)
            sizes = holds[kept] @ weights
            spread = np.sqrt(sizes * np.maximum(1 - sizes / weights.sum(), 1e-9))
            order = np.argsort(-np.abs(sums / spread), kind="stable")
            kept = np.sort(kept[order[:most]])
        return conditions.some(kept), holds[kept]


def _excess(share, weights):
    """Return by how much the share of each row exceeds the mean, times its weight."""
    return weights * (share - np.average(share, weights=weights))


def _of_categories(counts, floor):
    """Return conditions on the values of a column: relation and place."""
    frequent = np.flatnonzero((counts >= floor) & (counts < counts.sum()))
    relations = ("=", "!=") if np.count_nonzero(counts) > 2 else ("=",)
    return product(relations, map(float, frequent.tolist()))


def _of_numbers(numbers, share, weights, floor, sign):
    """Yield conditions on a number: relation and cut."""
    order = np.argsort(numbers, kind="stable")
    numbers, share, weights = numbers[order], share[order], weights[order]
    # The end of the rows of each value.
    ends = np.flatnonzero(np.diff(numbers, append=inf))
    values, upto = numbers[ends], np.cumsum(weights)[ends]
    if len(values) < 2:
        return
    is_few = len(values) <= _FEW_VALUES
    if is_few:
        below = np.arange(len(values) - 1)
        if len(values) > 2 and not sign:
            for value, count in zip(values, np.diff(upto, prepend=0.0)):
                if count >= floor:
                    yield "=", float(value)
    else:
        quantiles = np.arange(1, _PARTS) / _PARTS * upto[-1]
        below = np.searchsorted(upto, quantiles)
        below = np.concatenate([below, _tree_cuts(ends, share, weights, floor)])
    total, shift = upto[-1], 0.0 if is_few else _SHIFT * upto[-1]
    for cut in sorted({_round_cut(i, values, upto, shift) for i in below.tolist()}):
        i = np.searchsorted(values, cut, side="right")
        size = upto[i - 1] if i else 0.0
        if sign >= 0 and total - size >= floor:
            yield ">", cut
        if sign <= 0 and size >= floor:
            yield "<=", cut


def _tree_cuts(ends, share, weights, floor):
    """Return the places of the values below the cuts of a small regression tree.

    The tree grows by the split of the largest gain.
    """
    parts = np.cumsum([weights, weights * share], axis=1)[:, ends]
    size, worth = np.concatenate([np.zeros((2, 1)), parts], axis=1)
    floor = max(floor, 5 / len(share) * size[-1])

    def split(start, end):
        """Return gain, start, cut and end of the best split of some values."""
        w, s = size[start:end] - size[start], worth[start:end] - worth[start]
        rest, rest_worth = size[end] - size[start] - w, worth[end] - worth[start] - s
        with np.errstate(all="ignore"):
            gains = s**2 / w + rest_worth**2 / rest
        gains = np.where((w >= floor) & (rest >= floor), gains, 0.0)
        cut = int(gains.argmax())
        before = (worth[end] - worth[start]) ** 2 / (size[end] - size[start])
        return gains[cut] - before, start, start + cut, end

    leaves, cuts = [split(0, len(ends))], []
    while len(cuts) < _LEAVES - 1:
        gain, start, cut, end = leaves.pop(leaves.index(max(leaves)))
        if gain <= 1e-9 * size[-1]:
            break
        cuts.append(cut - 1)
        leaves += [split(start, cut), split(cut, end)]
    return np.array(cuts, dtype=int)


def _round_cut(place, values, upto, shift):
    """Return a cut above a value that has few digits.

    Parameters
    ----------
    place : int
        Of the value below the cut.
    values, upto : ndarrays of shape (n_values,), float64
        Ascending values, and the weight of the rows up to each.
    shift : float
        Weight of the rows over which the cut may move.
    """
    place = min(place, len(values) - 2)
    first = min(np.searchsorted(upto, upto[place] - shift), place)
    last = max(np.searchsorted(upto, upto[place] + shift, side="right"), place + 1)
    low, high = float(values[first]), float(values[min(last, len(values) - 1)])
    near, above = float(values[place]), float(values[place + 1])
    return roundest(low, high, near + (above - near) / 2)


def roundest(low, high, near):
    """Return a number of few digits in [low, high), close to one in it.

    The interval may contain many values: unlike `well_between`, which stays near the
    middle of a gap, this prefers fewer digits, of which the last one may be a half.
    """
    if low < 0 < high:
        return 0.0
    if not low <= near < high:
        return low
    exponent = ceil(np.log10(max(abs(near), 1e-300)))
    for digits in range(18):
        unit = 10.0 ** (exponent - digits)
        for step in (unit, unit / 2):
            ends = [np.floor(near / step) * step, np.ceil(near / step) * step]
            ends = [float(f"{end:.15g}") for end in ends]
            ends = [end for end in ends if low <= end < high]
            if ends:
                return min(ends, key=lambda end: abs(end - near))
    return near
