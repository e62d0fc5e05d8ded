"""Certified weights: implicit, their sums computed in full only where they must be.

What was once known of a row's weighted sum bounds it later on, and can often be brought
up to date for less than a sum costs. The outcome of every presentation, and so every
update, is that of sums in full; see the kernel for how.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import certificates
from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums
from sklearn_dnfwinnow._terms._term_index import cap_of
from sklearn_dnfwinnow._utils._distinct_rows import behind_updates
from sklearn_dnfwinnow._winnow._weights._update_list import NO_LIMIT, UpdateList
from sklearn_dnfwinnow.samplers._cost_model import (
    MAX_LOG_SPAN,
    MAX_SUPERSET,
    sum_cost,
    superset_cost,
)

# Entries of the state that the kernel keeps, and what it comes back for.
_POSITION, _REMAINING, _ANSWER, _N_UPDATES, _VERSION, _PROMOTED, _DEMOTED = range(7)
_N_FULL, _N_INCREMENTAL, _N_SKIPPED, _N_WRONG = range(7, 11)
_COUNTS = {"full": _N_FULL, "increments": _N_INCREMENTAL, "skipped": _N_SKIPPED}
_DONE, _FULL_SUM, _ROOM, _PAUSE, _FORGET = range(5)
_UNKNOWN = 2
# Attributes of a sum that brings another up to date, at most.
_MOST_RESTRICTED = 18
# Microseconds of a sum in full around its kernel, and of one not made yet, at most.
_CALL, _FIRST = 60.0, 2000.0
# Relative error of an exact sum, at most.
_ROUNDING = 1e-12


class CertifiedWeights:
    """Implicit weights for engines that are exact wherever they can be; see `Weights`.

    A sum that had to be estimated certifies nothing, and is made again each time.

    Parameters
    ----------
    state : ClassState
        Updates to start from.
    summer : EngineSummer
    max_updates : int
        Most updates to keep, see :mod:`._update_budget`.
    """

    def __init__(self, state, summer, max_updates=NO_LIMIT):
        self._list = UpdateList(state, max_updates)
        self._summer = summer
        self._max_updates = max_updates
        self.chains = {"run": 0, "ladder": 0, "simulated": 0}
        self.sums = {"full": 0, "increments": 0, "skipped": 0}
        self._history = np.empty((32, 2), dtype=np.int64)
        self._list.reserve(self._list.capacity + 16)
        self._columns = np.ascontiguousarray(self._list.room[0].T)
        self._state = np.zeros(_N_WRONG + 1, dtype=np.int64)
        self._presented = None
        # What float64 has room for.
        spread = _MOST_RESTRICTED * abs(summer.log_beta)
        self._n_restricted = -1 if spread > MAX_LOG_SPAN else _MOST_RESTRICTED

    @property
    def updates(self):
        """Codes of the updates, distinct: (m, n_attributes), int32."""
        return self._list.codes

    @property
    def exponents(self):
        """Exponents of the updates: (m,), int64."""
        return self._list.exponents

    @property
    def version(self):
        """Number of updates made so far."""
        return self._list.version

    def epoch(
        self, order, codes, positive, units, one, log_threshold, guesses, margin=0.0
    ):
        """Present rows one after another, and update where the prediction is wrong."""
        # The bound may be a new one.
        if self._drop_excess() or self._presented is not codes:
            self._get_to_know(codes)
        state = self._state
        state[[_POSITION, _REMAINING, _N_WRONG, *_COUNTS.values()]] = 0
        state[_ANSWER] = _UNKNOWN
        order = np.ascontiguousarray(order, dtype=np.int64)
        positive = np.ascontiguousarray(positive).view(np.uint8)
        reason = _PAUSE
        while reason != _DONE:
            updates, exponents = self._list.room
            reason = certificates.epoch(
                order=order,
                rows=self._rows,
                positive=positive,
                units=units,
                one=one,
                guesses=guesses.view(np.uint8),
                codes=self._codes,
                places=self._row_places,
                known=self._known,
                errors=self._errors,
                since=self._since,
                full_costs=self._costs,
                updates=updates,
                columns=self._columns,
                net=exponents,
                history=self._history,
                state=state,
                bound=self._bound,
                max_updates=self._max_updates,
                n_restricted=self._n_restricted,
                max_term_size=self._max_term_size,
                log_alpha=self._summer.log_alpha,
                log_beta=self._summer.log_beta,
                log_threshold=log_threshold,
                margin=margin,
            )
            version = self._first_version + int(state[_VERSION])
            self._list.set_size(int(state[_N_UPDATES]), version)
            if reason == _FULL_SUM:
                i = order[state[_POSITION]]
                aim = log_threshold + (margin if positive[i] else -margin)
                self._sum_in_full(self._rows[i], aim, bool(guesses[i]))
            elif reason == _ROOM:
                self._make_room()
            elif reason == _FORGET:
                self._drop_excess()
                self._get_to_know(codes)
        for kind, entry in _COUNTS.items():
            self.sums[kind] += int(state[entry])
        return int(state[_N_WRONG])

    def _sum_in_full(self, row, log_threshold, guess):
        above, weighted_sum = self._summer.exceeds(
            self._list, self._codes[row], log_threshold, guess=guess
        )
        self.sums["full"] += 1
        self._state[_ANSWER] = above
        self._costs[row] = _CALL + sum_cost(weighted_sum)
        self._known[row] = weighted_sum.log_value if weighted_sum.exact else np.nan
        self._errors[row] = _ROUNDING
        self._since[row] = self._state[[_VERSION, _PROMOTED, _DEMOTED]]

    def _get_to_know(self, codes):
        """Take some rows in; nothing is known of them, but before the first update."""
        self._presented = codes
        # The updates are rows, too: the first.
        m = len(self.exponents)
        rows, self._rows = behind_updates(self.updates, codes)
        self._codes = np.ascontiguousarray(rows)
        n_rows = len(rows)
        n_specified = (rows != 0).sum(axis=1)
        self._max_term_size = cap_of(self._summer.engine.max_term_size, rows)
        self._row_places = np.full(n_rows, -1, dtype=np.int64)
        self._row_places[:m] = np.arange(m)
        self._known = np.full(n_rows, np.nan)
        if m == 0:
            self._known[:] = log_initial_sums(
                rows, self._summer.log_beta, self._summer.engine.max_term_size
            )
        self._errors = np.full(n_rows, _ROUNDING)
        self._since = np.zeros((n_rows, 3), dtype=np.int64)
        costs = superset_cost(np.minimum(n_specified, MAX_SUPERSET))
        self._costs = _CALL + np.minimum(costs, _FIRST)
        self._first_version = self.version
        self._bound = int(np.abs(self.exponents).sum())
        self._state[[_VERSION, _PROMOTED, _DEMOTED]] = 0
        self._state[_N_UPDATES] = m

    def _drop_excess(self):
        dropped = self._list.drop_excess()
        if dropped:
            self._columns = np.ascontiguousarray(self._list.room[0].T)
        return dropped

    def _make_room(self):
        """Make room for twice as much of what there is no more room for."""
        n_updates = len(self.exponents)
        if n_updates == self._list.capacity:
            self._list.reserve(2 * n_updates + 16)
            self._columns = np.ascontiguousarray(self._list.room[0].T)
        # Not each time: updates need room whenever some have been forgotten.
        if self._state[_VERSION] == len(self._history):
            self._history = np.concatenate([self._history] * 2)
