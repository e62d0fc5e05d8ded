"""Evaluation of a model: the weighted sums of rows, or just the classes that win.

A class that bounds rule out needs no sum. That changes no prediction: bounds hold for
exact sums, so only a class whose sum would be exact is ever ruled out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._problems._agreement_problem import log_one_plus
from sklearn_dnfwinnow._problems._packed_updates import PackedUpdates
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow.samplers._exact import (
    MAX_LOG_SPAN,
    MAX_POWERS,
    MAX_SUPERSET,
    Frontier,
)
from sklearn_dnfwinnow.samplers._markov_chains import Chains
from sklearn_dnfwinnow.sums import _batch_by_term, _batch_superset
from sklearn_dnfwinnow.sums._log_weighted_sum import log_sum

# Bounds and sums that differ by less, relatively, may be the other way about.
_ROUNDING = 1e-9
# Bounds take 8 bytes for each code of the updates: 128 MiB a thread.
_MOST_CODES = 1 << 24


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A model with what sums for it.

    Parameters
    ----------
    engine : BruteForce, Exact, Frontier or Chains
        For rows that are not summed term by term.
    term_by_term : bool
        Whether rows are summed term by term where that is quick.
    max_term_size : int or None
        Most literals of a term.
    log_alpha, log_beta : float
    keys : tuple of int
        What the random streams depend on, besides the class and the row.
    updates : ndarray of shape (m, n_attributes), int32
    exponents : ndarray of shape (n_classes, m), int64
    """

    engine: object
    term_by_term: bool
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    keys: tuple
    updates: np.ndarray
    exponents: np.ndarray

    def log_sums(self, rows):
        """log W of some rows of codes in all classes: (n_rows, n_classes)."""
        return self._evaluate(rows, self._sums_in_full)

    def winners(self, rows, log_threshold):
        """The class of the highest score of each row, the first in a tie: (n_rows,)."""
        sums = self._evaluate(rows, self._sums_that_matter)
        return (sums - log_threshold).argmax(axis=1)

    def estimates(self, rows):
        """log W and its relative standard error: (n_rows, n_classes, 2)."""
        found = np.zeros((len(rows), len(self.exponents), 2))
        for which, sums_of in self._ways(rows):
            if sums_of is not None:
                found[which, :, 0] = sums_of(rows[which])
                continue
            for i in np.flatnonzero(which):
                for k, weighted_sum in enumerate(self._weighted_sums(rows[i])):
                    found[i, k] = weighted_sum.log_value, weighted_sum.std_error
        return found

    def _evaluate(self, rows, sums_one_by_one):
        sums = np.empty((len(rows), len(self.exponents)))
        for which, sums_of in self._ways(rows):
            sums[which] = (sums_of or sums_one_by_one)(rows[which])
        return sums

    def _ways(self, rows):
        """How rows are summed: masks, and what sums them, None for one by one."""
        short = tabled = np.zeros(len(rows), dtype=bool)
        if self.term_by_term:
            tabled = _batch_by_term.terms_in_reach(rows, self.max_term_size)
            if self.max_term_size is None:
                short = _batch_superset.cubes_in_reach(
                    self._packed, rows, self.log_beta
                )
        for which, sums_of in (
            (short, self._sums_of_short),
            (tabled & ~short, self._sums_of_tabled),
            (~(tabled | short), None),
        ):
            if which.any():
                yield which, sums_of

    def _sums_of_short(self, rows):
        return _batch_superset.log_sums(
            self._packed, rows, self.log_alpha, self.log_beta
        )

    def _sums_of_tabled(self, rows):
        return _batch_by_term.log_sums(
            *(self.updates, self.exponents, rows),
            *(self.log_alpha, self.log_beta, self.max_term_size),
        )

    def _sums_in_full(self, rows):
        all_sums = map(self._weighted_sums, rows)
        return np.array([[found.log_value for found in sums] for sums in all_sums])

    def _sums_that_matter(self, rows):
        """log W, or -inf where another class is known to have more."""
        if not self._has_bounds:
            return self._sums_in_full(rows)
        lower, upper, n_sets = self._packed.bounds(rows, self.log_alpha, self.log_beta)
        lower -= _ROUNDING * (1 + np.abs(lower))
        upper += _ROUNDING * (1 + np.abs(upper))
        exact = self._surely_exact((rows != 0).sum(axis=1), n_sets)
        lower[~exact], upper[~exact] = -np.inf, np.inf
        least = lower.max(axis=1)
        sums = np.where(upper >= least[:, None], 0.0, -np.inf)
        for i in np.flatnonzero((sums == 0).sum(axis=1) > 1):
            question, best = self.question(rows[i]), least[i]
            # The most promising first: it may rule out others.
            for k in np.argsort(-lower[i], kind="stable"):
                sums[i, k] = -np.inf
                if upper[i, k] >= best:
                    sums[i, k] = log_sum(*question(k)).log_value
                best = max(best, sums[i, k])
        return sums

    def _weighted_sums(self, row):
        """Of one row in all classes, one after another."""
        question = self.question(row)
        return (log_sum(*question(k)) for k in range(len(self.exponents)))

    def question(self, row):
        """From a class to what is asked of `log_sum` about one row."""
        compress = self.engine.max_term_size is None
        agreement = self._packed.agreement(row)

        def of_class(k):
            return (
                *(self.engine, agreement.problem(k, compress)),
                *(self.log_alpha, self.log_beta, stream(*self.keys, k, 0, row=row)),
            )

        return of_class

    @cached_property
    def _packed(self):
        return PackedUpdates.of(self.updates, self.exponents)

    @property
    def _has_bounds(self):
        return (
            not isinstance(self.engine, Chains)
            and self.engine.max_term_size is None
            and self._packed.largest_sum > 0
            and self.updates.size <= _MOST_CODES
        )

    def _surely_exact(self, n_specified, n_sets):
        """Which sums are no estimates, for certain: (n_rows, n_classes).

        A state of the frontier is a set of sets, reached by constraining some of the
        attributes; a frontier that may give way to the superset sum is never thinned.
        """
        exact = np.ones(n_sets.shape, dtype=bool)
        if not isinstance(self.engine, Frontier):
            return exact
        n = n_specified[:, None]
        few = np.minimum(n, n_sets) <= np.log2(self.engine.max_states)
        span = max(log_one_plus(self.log_beta), -self.log_beta)
        narrow = np.abs(self.exponents).sum(axis=1) <= MAX_POWERS
        summed = (n <= MAX_SUPERSET) & (n * span <= MAX_LOG_SPAN) & narrow
        return few | (n_sets <= 1) | (self.engine.superset & summed)
