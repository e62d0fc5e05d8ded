"""Flip search: the cheapest sets of columns that can change the predicted class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from heapq import heappop, heappush
from math import fsum, prod
from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from sklearn_dnfwinnow._terms._term_model import TermModel

# Number of codes of the rows that are scored in one call.
_CODES = 1 << 20


class Flip(NamedTuple):
    """Changes of some columns that change the predicted class of a row.

    Attributes
    ----------
    cost : float
    choices : dict of int to int
        Index of the alternative, by the position of the column among those that can
        change.
    is_exact : bool
        Whether it is proven that no cheaper flip exists.
    """

    cost: float
    choices: dict
    is_exact: bool


@dataclass(frozen=True, eq=False)
class FlipSearch:
    """Search over rows of codes in ascending order of cost.

    Parameters
    ----------
    model : TermModel
    row : ndarray of shape (n_features,), int32
    attributes : list of n_columns lists of int
        Codes that change with each column.
    codes : list of n_columns ndarrays of shape (n_alternatives, n_attributes), int32
        New values of these codes.
    steps : list of n_columns ndarrays of shape (n_alternatives,), int
        Number of steps of each change. Among changes of the same columns, fewer are
        preferred.
    weights : list of n_columns float
        Positive cost of a change of each column.
    target : int or None
        Index of the class to reach; None is any class other than `winner`.
    winner : int
        Index of the predicted class of the row.
    """

    model: TermModel
    row: np.ndarray
    attributes: list
    codes: list
    steps: list
    weights: list
    target: int | None
    winner: int

    def run(self, n, max_changes, max_work):
        """Return the cheapest minimal sets of columns whose change changes the class.

        Parameters
        ----------
        n : int
            Number of sets.
        max_changes : int
            Maximum number of columns of a set.
        max_work : int
            Maximum number of scored rows; a set that is skipped counts as one.

        Returns
        -------
        flips : list of Flip
            Ascending by cost. No set of columns contains another one.
        next_cost : float or None
            Cost of the first sets that were not searched because of `max_work`; None if
            the search is complete.
        """
        found, rest = [], max_work
        for cost, sets in _levels(self.weights, max_changes):
            level = []
            for columns in sets:
                n_rows = prod(len(self.codes[c]) for c in columns)
                is_minimal = not any(
                    flip.choices.keys() <= {*columns} for flip in found
                )
                rest -= n_rows if is_minimal else 1
                if rest < 0:
                    return found, cost
                if is_minimal:
                    level.append(columns)
            flips = sorted(self._flips_among(level), key=lambda flip: flip[0])
            # By rounding, sets of the same cost can contain one another.
            sets = [choices.keys() for _, choices in flips]
            found += [
                Flip(cost, choices, True)
                for _, choices in flips
                if not any(other < choices.keys() for other in sets)
            ]
            if len(found) >= n:
                return found[:n], None
        return found, None

    def climb(self, max_changes, max_work):
        """Return a Flip found by repeating the best single change.

        Changes that are not needed are then undone, the most expensive first. The
        result is None if there is no flip, or if more than `max_work` single changes
        would have to be scored.
        """
        choices, rest = {}, max_work
        while not self._does_flip(self._scores([self.with_choices(choices)]))[0]:
            if len(choices) >= max_changes:
                return None
            tried = [
                {**choices, c: a}
                for c, codes in enumerate(self.codes)
                if c not in choices
                for a in range(len(codes))
            ]
            rest -= len(tried)
            if not tried or rest < 0:
                return None
            scores = np.concatenate(
                [
                    self._scores([self.with_choices(one) for one in tried[batch]])
                    for batch in gen_batches(len(tried), self._n_rows)
                ]
            )
            choices = tried[self._leads(scores).argmax()]
        for c in sorted(choices, key=lambda c: (-self.weights[c], -c)):
            fewer = {other: a for other, a in choices.items() if other != c}
            if self._does_flip(self._scores([self.with_choices(fewer)]))[0]:
                choices = fewer
        cost = fsum(self.weights[c] for c in choices)
        return Flip(cost, dict(sorted(choices.items())), False)

    def with_choices(self, choices):
        """Return the row with some changes."""
        row = self.row.copy()
        for c, place in choices.items():
            row[self.attributes[c]] = self.codes[c][place]
        return row

    @property
    def _n_rows(self):
        """Return the number of rows that are scored in one call."""
        return max(1, _CODES // len(self.row))

    def _flips_among(self, sets):
        """Yield the sort key and choices of the best flip of each set of columns."""
        held, n_held = [], 0
        for columns in sets:
            grid = np.indices([len(self.codes[c]) for c in columns])
            grid = grid.reshape(len(columns), -1)
            held.append((columns, grid))
            n_held += grid.shape[1]
            if n_held >= self._n_rows:
                yield from self._best(held)
                held, n_held = [], 0
        yield from self._best(held)

    def _best(self, held):
        """Yield the best flips of some sets, given grids of all their choices."""
        if not held:
            return
        parts = []
        for columns, grid in held:
            rows = np.repeat(self.row[None], grid.shape[1], axis=0)
            for c, places in zip(columns, grid):
                rows[:, self.attributes[c]] = self.codes[c][places]
            parts.append(rows)
        scores = self._scores(np.concatenate(parts))
        flips = self._does_flip(scores)
        ends = np.cumsum([len(part) for part in parts])
        for end, (columns, grid) in zip(ends, held):
            start = end - grid.shape[1]
            those = np.flatnonzero(flips[start:end])
            if len(those):
                steps = sum(self.steps[c][grid[i]] for i, c in enumerate(columns))
                ordered = np.sort(scores[start:end][those], axis=1)
                lead = ordered[:, -1] - ordered[:, -2]
                best = np.lexsort((those, -lead, steps[those]))[0]
                rank = int(steps[those[best]]), -float(lead[best]), columns
                chosen = grid[:, those[best]].tolist()
                yield rank, dict(zip(columns, chosen))

    def _scores(self, rows):
        """Return the scores of distinct rows, with the same ties as in `predict`."""
        log_sums, _ = self.model.estimate_log_sums(np.asarray(rows, dtype=np.int32))
        return log_sums - self.model.log_thresholds

    def _does_flip(self, scores):
        """Return which rows are predicted as the requested class."""
        winners = scores.argmax(axis=1)
        return winners != self.winner if self.target is None else winners == self.target

    def _leads(self, scores):
        """Return the score margins of the requested class, or of the best other one."""
        k = self.winner if self.target is None else self.target
        lead = scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)
        return -lead if self.target is None else lead


def _levels(weights, max_size):
    """Yield a cost, and an iterator over the sets of columns with this cost, ascending.

    Parameters
    ----------
    weights : list of float
        Positive.
    max_size : int
        Maximum size of a set.
    """
    order = sorted(range(len(weights)), key=lambda c: (weights[c], c))
    heap = []

    def push(places):
        cost = fsum(weights[order[place]] for place in places)
        heappush(heap, (cost, places))

    def pop_all(cost):
        while heap and heap[0][0] == cost:
            _, places = heappop(heap)
            after = places[-1] + 1
            if after < len(order):
                push((*places[:-1], after))
                if len(places) < max_size:
                    push((*places, after))
            yield tuple(sorted(order[place] for place in places))

    if order and max_size:
        push((0,))
    while heap:
        yield heap[0][0], pop_all(heap[0][0])
