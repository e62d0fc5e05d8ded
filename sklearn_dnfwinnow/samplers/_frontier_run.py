"""FrontierRun: the state-merging dynamic program on one problem, exact or resampled."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import expm1, inf, log, log2, sqrt
from numbers import Integral

import numpy as np

from sklearn_dnfwinnow._kernels import frontier
from sklearn_dnfwinnow._terms._prior_weights import (
    log_initial_weight,
    log_initial_weights,
)
from sklearn_dnfwinnow._utils._compat import Interval, StrOptions
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus
from sklearn_dnfwinnow.samplers._density import exact_sum
from sklearn_dnfwinnow.samplers._limits import MAX_LOG_SPAN, MAX_POWERS, state_bytes
from sklearn_dnfwinnow.samplers._pilot import guesses, no_guesses
from sklearn_dnfwinnow.samplers._weighted_sum import WeightedSum

MAX_STATES = frontier.MAX_STATES
#: Constraint of a parameter `max_states`.
MAX_STATES_CONSTRAINT = [
    StrOptions({"auto"}),
    Interval(Integral, 1, MAX_STATES, closed="both"),
]
# No estimate is more precise than rounding (relative).
ROUNDING = 1e-12


class FrontierRun:
    """The state-merging dynamic program on one problem.

    Attributes
    ----------
    n_left : int
        Number of attributes left when the states exceeded the budget.
    n_states : int
        Largest number of states so far.
    step : float
        Largest change, relative to the sum, that one more random draw can cause in one
        replicate.
    """

    def __init__(self, problem, log_alpha, log_beta, max_term_size):
        self._problem = problem.fewest_first()  # states die early
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._max_term_size = max_term_size
        if max_term_size is not None and max_term_size >= problem.n:
            self._max_term_size = None

    def exactly(self, max_states):
        """Return W, or None if it requires more states."""
        fits, log_values = self._run(max_states, np.empty(1), no_guesses(), None)
        if not fits:
            return None
        return self._exactly(log_values[0])

    def resampled(self, max_states, n_replicates, stream):
        """Return an estimate of W."""
        ahead, log_seen = guesses(
            problem=self._problem,
            log_alpha=self._log_alpha,
            log_beta=self._log_beta,
            stream=stream,
            max_term_size=self._max_term_size,
        )
        fits, log_values = self._run(max_states, np.empty(n_replicates), ahead, stream)
        if fits:
            # The states may exceed the budget only between two attributes.
            return self._exactly(log_values[0])
        log_value, std_error = _mean_of_logs(log_values)
        # Replicates can agree because all miss the same improbable states. Their spread
        # does not include changes smaller than one more draw in one of them.
        std_error = max(std_error, self.step / n_replicates, _rounding(log_value))
        if log_seen > log_value:
            std_error = max(std_error, expm1(min(log_seen - log_value, 700.0)))
        return WeightedSum(
            log_value + self._problem.log_free(self._log_beta),
            std_error,
            False,
            "frontier",
            n_states=self.n_states,
            n_replicates=n_replicates,
        )

    def log2_states_needed(self):
        """Return log2 of the states of an exact run, by extrapolation."""
        decided = self._problem.n - self.n_left
        return log2(self.n_states) * self._problem.n / decided

    @property
    def bytes_of_state(self):
        """Return the bytes of a state, with its mask and value."""
        return state_bytes(len(self._problem.net_counts), self._max_term_size)

    def _exactly(self, log_value):
        return exact_sum(
            problem=self._problem,
            log_beta=self._log_beta,
            log_value=log_value,
            sampler="frontier",
            n_states=self.n_states,
            max_term_size=self._max_term_size,
        )

    def _run(self, max_states, log_values, ahead, stream):
        p = self._problem
        span = p.phi_high - p.phi_low
        log_span, log_total = span * self._log_alpha, p.log_initial(self._log_beta)
        if self._max_term_size is not None:
            # Values are numbers of terms; the initial weight is in the completions.
            log_span += log_initial_weight(np.ones(p.n), 0.0, self._max_term_size)
            log_total = 0.0
        logs = log_span > MAX_LOG_SPAN or span > MAX_POWERS
        steps = np.zeros_like(log_values)
        found = frontier.log_sum(
            problem=p,
            log_either=log_one_plus(self._log_beta),
            log_alpha=self._log_alpha,
            logs=logs,
            log_completions=log_completions(p.n, self._log_beta, self._max_term_size),
            max_states=max_states,
            exact=stream is None,
            stream=stream or 0,
            ahead=ahead,
            log_values=log_values,
            steps=steps,
        )
        self.n_left, self.n_states = found.n_left, found.n_states
        self.step = steps.max()
        return found.fits, log_values + log_total


def log_completions(n, log_beta, max_term_size):
    """Return the log initial weight of all completions of terms: (n + 1, n_sizes).

    Entry (j, c) is the weight of the terms that consist of c literals and any of j
    attributes, up to the maximum size. Without a maximum size there are no columns.
    """
    if max_term_size is None:
        return np.empty((n + 1, 0))
    log_rest = log_initial_weights(np.ones(n), log_beta, max_term_size)
    return log_rest[:, ::-1] + np.arange(max_term_size + 1) * log_beta


def _mean_of_logs(log_values):
    """Return the log and the relative standard error of the mean of exp(log_values).

    The error of a mean of n values, in units of its standard error, follows Student's t
    with n - 1 degrees of freedom. The standard error is widened so that this ratio has
    standard deviation 1.
    """
    n = len(log_values)
    top = log_values.max()
    values = np.exp(log_values - top)
    mean = float(values.mean())
    if n == 1:
        return float(top) + log(mean), inf
    widening = sqrt((n - 1) / (n - 3)) if n > 3 else 1.0
    std_error = widening * float(values.std(ddof=1)) / mean / sqrt(n)
    return float(top) + log(mean), std_error


def _rounding(log_value):
    """Return the relative error of W that rounding of its logarithm may cause."""
    return max(ROUNDING, 4 * float(np.spacing(abs(log_value))))
