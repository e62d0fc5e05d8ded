"""Implicit weights: a list of stored examples, and summers over the implied weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite

import numpy as np

from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._weights._row_tables import log_sums
from sklearn_dnfwinnow._winnow._weights._update_budget import NO_LIMIT
from sklearn_dnfwinnow._winnow._weights._update_list import UpdateList
from sklearn_dnfwinnow.samplers._engine import Engine
from sklearn_dnfwinnow.sums._log_weighted_sum import exceeds, log_sum

# Equal sums can differ by rounding, and a tie is not a margin; bounds this close,
# relatively, and residuals this close to half a part, are not conclusive.
_ROUNDING, _SLACK, _CAUTION = 1e-12, 1e-9, 1e-6


# -- summers of single rows ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class EngineSummer:
    """Sum single rows with an engine.

    Parameters
    ----------
    engine : Engine
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the initial weight per
        literal.
    keys : tuple of int
        Keys of the random streams, in addition to the row and the version.
    """

    engine: Engine
    log_alpha: float
    log_beta: float
    keys: tuple

    def log_sum(self, updates, row):
        """Return the WeightedSum of a row of codes under an UpdateList."""
        return log_sum(**self._question(updates, row))

    def exceeds(self, updates, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum so far."""
        return exceeds(
            **self._question(updates, row), log_threshold=log_threshold, guess=guess
        )

    def part(self, literals, max_term_size):
        """Return the summer for terms up to a size, in addition to some literals."""
        engine = replace(self.engine, max_term_size=max_term_size)
        return replace(self, engine=engine, keys=(*self.keys, *chain(*literals)))

    def _question(self, updates, row):
        return {
            "engine": self.engine,
            "problem": AgreementProblem.of_row(
                updates.codes,
                updates.exponents,
                row,
                compress=self.engine.max_term_size is None,
            ),
            "log_alpha": self.log_alpha,
            "log_beta": self.log_beta,
            "stream": stream(*self.keys, updates.version, row=row),
        }


@dataclass(frozen=True, eq=False)
class TermSummer:
    """Sum single rows over all their terms, up to a maximum term size.

    It is used for batches so small that a table of all stored examples would cost more
    than it saves.

    Parameters
    ----------
    max_term_size : int
        Maximum number of literals in a term.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the initial weight per
        literal.
    """

    max_term_size: int
    log_alpha: float
    log_beta: float

    def log_sum(self, updates, row):
        """Return the WeightedSum of a row of codes under an UpdateList."""
        ((value,),) = log_sums(
            updates=updates.codes,
            exponents=updates.exponents[None],
            codes=row[None],
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            max_term_size=self.max_term_size,
        )
        return WeightedSum(value, std_error=0.0, exact=True, sampler="table")

    def exceeds(self, updates, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum."""
        weighted_sum = self.log_sum(updates, row)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def part(self, literals, max_term_size):
        """Return the summer for terms up to a size, in addition to some literals."""
        return replace(self, max_term_size=max_term_size)


# -- weights ---------------------------------------------------------------------------


class ImplicitWeights:
    """Term weights of one class as stored examples with exponents; see `Weights`.

    Parameters
    ----------
    state : ClassState
        Stored examples at the start.
    summer : EngineSummer, TermSummer or ConditionedSummer
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`._update_budget`.
    """

    def __init__(self, state, summer, max_stored_examples=NO_LIMIT):
        self._list = UpdateList(state, max_stored_examples)
        self._summer = summer
        # Exact sums of rows, with the promotions and demotions at that time.
        self._known_sums = {}
        self.chains = {"run": 0, "ladder": 0, "simulated": 0}
        self.sums = {"full": 0, "skipped": 0}

    @property
    def updates(self):
        """Codes of the stored examples, distinct: (m, n_attributes), int32."""
        return self._list.codes

    @property
    def exponents(self):
        """Exponents of the stored examples: (m,), int64."""
        return self._list.exponents

    @property
    def discarded(self):
        """Discarded exponents, and the part that is lost: (2,), float64."""
        return self._list.discarded

    @property
    def version(self):
        """Number of updates so far."""
        return self._list.version

    def log_sum(self, row):
        """Return the WeightedSum of a row of codes."""
        return self._summer.log_sum(self._list, row)

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses, rule):
        """Present rows one after another, and update after wrong predictions."""
        wrong = 0
        # The limit may have changed since the last call.
        self._drop_excess()
        for i in order:
            row, remaining = codes[i], int(units[i])
            aim = log_threshold + (rule.margin if positive[i] else -rule.margin)
            while remaining > 0:
                if rule.by_residuals:
                    label = 0 if positive[i] else 1
                    step = _residuals([self], row, label, rule, [log_threshold])[0]
                else:
                    # A right guess can save chains (Tao & Scott 2004, Table I).
                    above, weighted_sum = self._summer.exceeds(
                        self._list, row, aim, guess=bool(guesses[i])
                    )
                    self._count(weighted_sum)
                    guesses[i] = above
                    step = int(positive[i]) - int(above)
                if not step:
                    # Nothing changes, and further repetitions have the same result.
                    break
                amount = min(one, remaining)
                self._update(row, step * (amount // rule.parts))
                wrong += 1
                remaining -= amount
        return wrong

    @staticmethod
    def joint_epoch(all_weights, order, rows, rule):
        """Present rows one after another to the weights of all classes."""
        for weights in all_weights:
            # The limit may have changed since the last call.
            weights._drop_excess()
        steps_of = _residuals if rule.by_residuals else _steps_to_lead
        for i in order:
            row, y = rows.codes[i], rows.labels[i]
            remaining = int(rows.units[i])
            while remaining > 0:
                steps = steps_of(all_weights, row, y, rule)
                if not any(steps):
                    # Nothing changes, and further repetitions have the same result.
                    break
                amount = min(rows.one, remaining)
                for weights, step in zip(all_weights, steps):
                    if step:
                        weights._update(row, step * (amount // rule.parts))
                remaining -= amount

    def _update(self, row, amount):
        if self._list.add(row, amount):
            self._known_sums = {}

    def _drop_excess(self):
        if self._list.drop_excess():
            self._known_sums = {}

    def _count(self, weighted_sum):
        self.sums["full"] += 1
        self.chains["run"] += weighted_sum.n_chains
        self.chains["ladder"] += weighted_sum.n_ladder
        self.chains["simulated"] += weighted_sum.n_simulated

    def _log_sum_in_training(self, row):
        """Return the log sum of a row; count it, and cache it if it is exact."""
        weighted_sum = self.log_sum(row)
        self._count(weighted_sum)
        if weighted_sum.exact:
            known = weighted_sum.log_value, self._list.promoted, self._list.demoted
            self._known_sums[row.tobytes()] = known
        return weighted_sum.log_value

    def _log_bounds(self, row):
        """Return bounds of the log sum of a row, from its last exact sum.

        Each promotion since then multiplied it by at most alpha, and each demotion
        divided it by at most alpha. Estimates give no bounds.
        """
        value, promoted, demoted = self._known_sums.get(row.tobytes(), (None, 0, 0))
        if value is None:
            return -np.inf, np.inf
        log_alpha = self._summer.log_alpha
        return (
            value - (self._list.demoted - demoted) * log_alpha,
            value + (self._list.promoted - promoted) * log_alpha,
        )


# -- parts of a promotion by which classes move ----------------------------------------


def _steps_to_lead(all_weights, row, y, rule):
    """Return 1 for class y and -1 for classes that it does not exceed by the margin.

    All are 0 if there are no such classes. Bounds of their sums may be sufficient, as
    in the kernel of the term table.
    """
    own, margin = None, rule.margin
    least, _ = all_weights[y]._log_bounds(row)
    steps = [0] * len(all_weights)
    for k, weights in enumerate(all_weights):
        _, most = weights._log_bounds(row)
        if k == y or least - most > margin + _SLACK * (1.0 + abs(least) + abs(most)):
            continue
        if own is None:
            least = own = all_weights[y]._log_sum_in_training(row)
        value = weights._log_sum_in_training(row)
        if own - value < max(margin, _ROUNDING * (1.0 + abs(own))):
            steps[k], steps[y] = -1, 1
    return steps


def _residuals(all_weights, row, y, rule, thresholds=()):
    """Return the residuals of all classes and of a threshold, if any, as whole parts.

    A threshold is like the sum of one more class, which is y for rows that should be
    below it. Bounds may show that all residuals are rounded to 0, because no residual
    is larger than that of class y.
    """
    bounds = [weights._log_bounds(row) for weights in all_weights]
    bounds += [(value, value) for value in thresholds]
    extremes = [most for _, most in bounds]
    extremes[y] = bounds[y][0]
    if all(map(isfinite, extremes)):
        extremes[y] -= _SLACK * (1.0 + sum(map(abs, extremes)))
        if rule.residuals(extremes, y)[y] < 0.5 * (1.0 - _CAUTION):
            return [0] * len(bounds)
    log_sums = [weights._log_sum_in_training(row) for weights in all_weights]
    return [round(part) for part in rule.residuals([*log_sums, *thresholds], y)]
