"""Evaluation: the weighted sums of a batch of samples, or only the winning classes.

A class that bounds exclude needs no sum. This changes no prediction: the bounds are
valid for exact sums, and only classes whose sums would be exact are excluded.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._problems._packed_updates import PackedUpdates
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow.samplers._engine import Engine
from sklearn_dnfwinnow.sums import _batch_by_term, _batch_superset
from sklearn_dnfwinnow.sums._log_weighted_sum import log_sum

# Bounds and sums with a smaller relative difference may be in the wrong order.
_ROUNDING = 1e-9
# Bounds take 8 bytes for each code of the stored examples: 128 MiB per thread.
_MOST_CODES = 1 << 24


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Stored examples and exponents of a model, with the engine of their sums.

    Parameters
    ----------
    engine : Engine
        For rows that are not summed term by term.
    term_by_term : bool
        Whether rows are summed term by term if this is fast.
    max_term_size : int or None
        Maximum number of literals in a term.
    log_alpha, log_beta : float
    keys : tuple of int
        Keys of the random streams, in addition to the class and the row.
    updates : ndarray of shape (m, n_attributes), int32
    exponents : ndarray of shape (n_classes, m), int64
    """

    engine: Engine
    term_by_term: bool
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    keys: tuple
    updates: np.ndarray
    exponents: np.ndarray

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        sums = np.empty((len(rows), len(self.exponents)))
        for which, sum_rows in self._ways(rows, self._sums_in_full):
            sums[which] = sum_rows(rows[which])
        return sums

    def winners(self, rows, log_threshold):
        """Return the class of the highest score of each row, the first in a tie."""
        sums = np.empty((len(rows), len(self.exponents)))
        for which, sum_rows in self._ways(rows, self._sums_that_matter):
            sums[which] = sum_rows(rows[which])
        return (sums - log_threshold).argmax(axis=1)

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        found = np.zeros((len(rows), len(self.exponents), 2))
        for which, sum_rows in self._ways(rows, None):
            if sum_rows is not None:
                found[which, :, 0] = sum_rows(rows[which])
                continue
            for i in np.flatnonzero(which):
                for k, weighted_sum in enumerate(self._weighted_sums(rows[i])):
                    found[i, k] = weighted_sum.log_value, weighted_sum.std_error
        return found

    def _ways(self, rows, one_by_one):
        """Yield masks of rows, and functions that sum them jointly, or `one_by_one`."""
        short = tabled = np.zeros(len(rows), dtype=bool)
        if self.term_by_term:
            tabled = _batch_by_term.terms_in_reach(rows, self.max_term_size)
            if self.max_term_size is None:
                short = _batch_superset.cubes_in_reach(
                    self._packed, rows, self.log_beta
                )
        tabled = tabled & ~short
        logs = {"log_alpha": self.log_alpha, "log_beta": self.log_beta}
        if short.any():
            yield short, partial(_batch_superset.log_sums, self._packed, **logs)
        if tabled.any():
            yield (
                tabled,
                partial(
                    _batch_by_term.log_sums,
                    self.updates,
                    self.exponents,
                    max_term_size=self.max_term_size,
                    **logs,
                ),
            )
        others = ~(tabled | short)
        if others.any():
            yield others, one_by_one

    def _sums_in_full(self, rows):
        all_sums = map(self._weighted_sums, rows)
        return np.array([[found.log_value for found in sums] for sums in all_sums])

    def _sums_that_matter(self, rows):
        """Return log W, or -inf if another class is known to have a larger sum."""
        if not self._has_bounds:
            return self._sums_in_full(rows)
        lower, upper, n_sets = self._packed.bounds(rows, self.log_alpha, self.log_beta)
        lower -= _ROUNDING * (1 + np.abs(lower))
        upper += _ROUNDING * (1 + np.abs(upper))
        exact = self.engine.surely_exact(
            n_specified=(rows != 0).sum(axis=1),
            n_sets=n_sets,
            totals=np.abs(self.exponents).sum(axis=1),
            log_beta=self.log_beta,
        )
        lower[~exact], upper[~exact] = -np.inf, np.inf
        least = lower.max(axis=1)
        sums = np.where(upper >= least[:, None], 0.0, -np.inf)
        for i in np.flatnonzero((sums == 0).sum(axis=1) > 1):
            question, best = self.question(rows[i]), least[i]
            # The class with the highest lower bound first: it may exclude others.
            for k in np.argsort(-lower[i], kind="stable"):
                sums[i, k] = -np.inf
                if upper[i, k] >= best:
                    sums[i, k] = log_sum(*question(k)).log_value
                best = max(best, sums[i, k])
        return sums

    def _weighted_sums(self, row):
        """Return the sums of one row in all classes, one after another."""
        question = self.question(row)
        return (log_sum(*question(k)) for k in range(len(self.exponents)))

    def question(self, row):
        """Return a function from a class to the arguments of `log_sum` for a row."""
        compress = self.engine.max_term_size is None
        agreement = self._packed.agreement(row)

        def of_class(k):
            return (
                self.engine,
                agreement.problem(k, compress),
                self.log_alpha,
                self.log_beta,
                stream(*self.keys, k, 0, row=row),
            )

        return of_class

    @cached_property
    def _packed(self):
        return PackedUpdates.of(self.updates, self.exponents)

    @property
    def _has_bounds(self):
        return (
            self.engine.max_term_size is None
            and self._packed.largest_sum > 0
            and self.updates.size <= _MOST_CODES
        )
