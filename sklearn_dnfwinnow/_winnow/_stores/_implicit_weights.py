"""Implicit weights: the store whose weights are those that stored examples imply."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import implicit
from sklearn_dnfwinnow._terms._term_index import cap_of
from sklearn_dnfwinnow.samplers._limits import MAX_LOG_SPAN, MAX_POWERS

# Maximum number of attributes of a row for the kernel: 2^18 entries.
_MOST_SPECIFIED = 18


class ImplicitWeights:
    """Weights of one class that are implied by its stored examples.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Codes of stored examples, and of rows to be presented.
    summation : Summation
    k : int
        The class.

    Attributes
    ----------
    kernel : Implicit
    chains : dict of str to int
        Numbers of Markov chains of the sums so far: 'run' and 'ladder', those used and
        those of the full ladder, and 'simulated', those run.
    """

    def __init__(self, rows, summation, k):
        rows = np.ascontiguousarray(summation.masked(rows, k))
        self._n_rows = len(rows)
        ask = _Ask(rows, summation, k)
        self.chains = ask.chains
        # The largest size for which the initial weights of terms fit float64.
        most = min(_MOST_SPECIFIED, MAX_LOG_SPAN / max(abs(summation.log_beta), 1.0))
        self.kernel = implicit.Implicit(
            rows=rows,
            codes=ask.codes,
            counts=ask.counts,
            ask=ask,
            always_asks=not summation.is_exact,
            log_alpha=summation.log_alpha,
            log_odds=np.full(int(most), summation.log_beta),
            max_powers=MAX_POWERS,
            max_term_size=cap_of(summation.max_term_size, rows),
        )

    def first_bounds(self):
        """Return bounds of log W at the start, none: (n_rows, 2)."""
        return np.tile([np.inf, -np.inf], (self._n_rows, 1))

    def make_room(self, amount):
        """Prepare for an update. There always is room."""


class _Ask:
    """The function by which a kernel asks for the sum of a row in class k."""

    def __init__(self, rows, summation, k):
        self._rows, self._summation, self._k = rows, summation, k
        # Of the stored examples, as the kernel lists them.
        self.codes = np.empty_like(rows)
        self.counts = np.empty(len(rows), dtype=np.int64)
        self.chains = {"run": 0, "ladder": 0, "simulated": 0}

    def __call__(self, row, n_stored, version, aim, guess):
        """Return log W of a row, or an infinite number on its side; and if exact."""
        evaluation = self._summation.in_training(
            examples=self.codes[:n_stored],
            net_counts=self.counts[:n_stored],
            k=self._k,
            version=version,
        )
        if np.isnan(aim):
            found = evaluation.weighted_sum(self._rows[row])
            value = found.log_value
        else:
            above, found = evaluation.exceeds(self._rows[row], aim, guess)
            value = found.log_value if found.exact else np.inf if above else -np.inf
        self.chains["run"] += found.n_chains
        self.chains["ladder"] += found.n_ladder
        self.chains["simulated"] += found.n_simulated
        return value, found.exact
