"""Superset weights: implicit weights whose epochs over short rows are compiled."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import superset_epochs
from sklearn_dnfwinnow._terms._term_index import cap_of
from sklearn_dnfwinnow._utils._distinct_rows import behind_updates
from sklearn_dnfwinnow._winnow._weights._update_list import NO_LIMIT, UpdateList
from sklearn_dnfwinnow.samplers._cost_model import MAX_LOG_SPAN, MAX_POWERS

# Maximum number of attributes of a row for the kernel: 2^18 entries.
_MOST_SPECIFIED = 18


class SupersetWeights:
    """Implicit weights for engines that are exact whenever feasible; see `Weights`.

    The engine computes sums of long rows, and sums close to the threshold. Joint
    training and residuals are not supported.

    Parameters
    ----------
    state : ClassState
        Stored examples at the start.
    summer : EngineSummer
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`._update_budget`.
    """

    def __init__(self, state, summer, max_stored_examples=NO_LIMIT):
        self._list = UpdateList(state, max_stored_examples)
        self._summer = summer
        self._presented = None
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

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses, rule):
        """Present rows one after another, and update after wrong predictions."""
        before = self.version
        # The limit may have changed since the last call.
        if self._list.drop_excess() or self._presented is not codes:
            self._take_in(codes)
        n_done = remaining = 0
        while n_done < len(order):
            n_done, remaining = self._kernel.present(
                order=np.ascontiguousarray(order, dtype=np.int64),
                rows=self._places,
                positive=np.ascontiguousarray(positive).view(np.uint8),
                units=units,
                one=one,
                guesses=guesses.view(np.uint8),
                log_threshold=log_threshold,
                margin=rule.margin,
                exceeds=self._exceeds,
                n_done=n_done,
                remaining=remaining,
            )
            self._list.set_size(self._kernel.n_updates, self._kernel.version)
            self.sums["full"] += self._kernel.n_full
            self.sums["skipped"] += self._kernel.n_skipped
            if self._list.drop_excess():
                self._take_in(codes)
        return self.version - before

    def _exceeds(self, row, log_threshold, guess):
        """Return whether a sum reaches a threshold, and its logarithm if exact."""
        self._list.set_size(self._kernel.n_updates, self._kernel.version)
        above, weighted_sum = self._summer.exceeds(
            self._list, self._rows[row], log_threshold, guess
        )
        return above, weighted_sum.log_value if weighted_sum.exact else np.nan

    def _take_in(self, codes):
        """Pass all stored examples and the rows of the epoch to the kernel."""
        self._presented = codes
        rows, self._places = behind_updates(self.updates, codes)
        self._rows = np.ascontiguousarray(rows)
        n_updates = len(self.exponents)
        self._list.reserve(len(rows))
        updates, exponents = self._list.room
        log_beta = self._summer.log_beta
        # The largest size for which the initial weights of terms fit float64.
        most = int(min(_MOST_SPECIFIED, MAX_LOG_SPAN / max(abs(log_beta), 1.0)))
        self._kernel = superset_epochs.SupersetEpochs(
            updates=updates,
            exponents=exponents,
            n_updates=n_updates,
            max_stored_examples=self._list.max_stored_examples,
            version=self.version,
            rows=self._rows,
            log_alpha=self._summer.log_alpha,
            log_odds=np.full(most, log_beta),
            max_powers=MAX_POWERS,
            max_term_size=cap_of(self._summer.engine.max_term_size, rows),
        )
