"""Exact engines, and the capped frontier, which is exact as long as it can be."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace
from functools import partial
from math import expm1, inf, log, log2, sqrt

import numpy as np

from sklearn_dnfwinnow._kernels import brute_force, frontier, superset
from sklearn_dnfwinnow._problems._agreement_problem import log_one_plus
from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum
from sklearn_dnfwinnow._terms._prior_weights import (
    log_initial_weight,
    log_initial_weights,
)
from sklearn_dnfwinnow._terms._term_index import n_subsets
from sklearn_dnfwinnow.samplers._pilot import guesses, no_guesses

# The largest n that is enumerated: 2^28 terms, some seconds.
MAX_BRUTE_FORCE = 28
# The largest n of a superset sum: 2^24 cells, 32 or 64 megabytes.
MAX_SUPERSET = 24
# Factors that differ by more than this many natural logarithms, of the 1,400 that
# float64 spans, are kept as logarithms.
MAX_LOG_SPAN = 600.0
# Powers of alpha that are tabulated; beyond, the frontier works in logarithms too.
MAX_POWERS = 2**20
# Training asks for the side of the threshold, and estimates this far from it (natural
# logarithms, many times their usual error) are not made again to be more precise.
_NEAR = 0.1
# States that a density may take: it cannot fold updates, and takes more than the sum.
MAX_DENSITY_STATES = 2**24
# Bytes of a state but for its mask: its value, and two places or more of a table; and
# of its value for each size, where sizes count.
_STATE_BYTES, _SIZE_BYTES = 24, 8
# States that fit the places of the frontier's table.
MAX_STATES = 2**30
# No estimate is more precise than rounding (relative).
ROUNDING = 1e-12


@dataclass(frozen=True)
class Engine:
    """What engines without early stop have in common.

    Parameters
    ----------
    max_term_size : int or None
        Most literals of a term, None for any number; for problems not compressed.
    """

    max_term_size: int | None = field(default=None, kw_only=True)

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Whether W reaches a threshold, and the sum that says so."""
        weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum


@dataclass(frozen=True)
class BruteForce(Engine):
    """All 2^n terms, one by one: the reference for every other engine.

    Parameters
    ----------
    max_term_size : int or None
        See `Engine`.
    """

    max_term_size: int | None = None

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem; `stream` is not used."""
        if problem.n > MAX_BRUTE_FORCE:
            raise ValueError(
                f"sampler='brute_force' visits 2**n terms and takes at most "
                f"{MAX_BRUTE_FORCE} specified attributes; n={problem.n} are left after "
                "attributes with equal agreements are merged. Use another sampler, "
                "such as 'auto'."
            )
        value = brute_force.log_sum(
            columns=problem.columns,
            planes=problem.planes,
            log_alpha=log_alpha,
            log_odds=problem.log_odds(log_beta),
            max_term_size=_longest(problem, self.max_term_size),
        )
        return _exact(
            *(problem, log_beta, value, "brute_force", 1 << problem.n),
            self.max_term_size,
        )


@dataclass(frozen=True)
class Exact(Engine):
    """The superset sum or the frontier, whichever is cheaper.

    Parameters
    ----------
    max_states : int
        Budget of the frontier. It takes 8 ceil(m / 64) + 24 bytes for each state, m
        being the number of distinct agreement sets, and twice that while it grows; with
        a `max_term_size`, 8 (max_term_size + 1) bytes more.
    max_term_size : int or None
        See `Engine`.
    """

    max_states: int

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem; `stream` is not used."""
        known, run = _cheaper(
            *(problem, log_alpha, log_beta, self.max_term_size, self.max_states)
        )
        if known is None:
            raise ValueError(
                f"sampler='exact' ran out of max_states={self.max_states} with "
                f"{run.n_left} of {problem.n} attributes left. By how they grew, "
                f"about 2**{run.log2_states_needed():.1f} states are needed, "
                f"{run.bytes_of_state} bytes each, and twice "
                "that for a while. Use sampler='auto' for an estimate."
            )
        return known


@dataclass(frozen=True)
class Frontier(Engine):
    """The frontier, thinned where its states exceed a budget.

    Parameters
    ----------
    max_states : int
        States kept after thinning.
    n_replicates : int
        Independent runs, for the standard error; they share what is exact.
    superset : bool
        Whether the superset sum may take over where it is cheaper.
    max_term_size : int or None
        See `Engine`.
    """

    max_states: int
    n_replicates: int
    superset: bool = False

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem if its states fit, else an unbiased estimate of W."""
        question = problem, log_alpha, log_beta, self.max_term_size
        if self.superset:
            known, _ = _cheaper(*question, self.max_states)
        else:
            known = _Run(*question).exactly(self.max_states)
        return known or _Run(*question).thinned(
            self.max_states, self.n_replicates, stream
        )

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Whether W reaches a threshold: by one run, but where that is near it."""
        once = replace(self, n_replicates=1)
        weighted_sum = once.log_sum(problem, log_alpha, log_beta, stream)
        distance = abs(weighted_sum.log_value - log_threshold)
        if not weighted_sum.exact and distance < _NEAR:
            weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum


def _longest(problem, max_term_size):
    """Most literals of a term, at most one of each attribute."""
    return problem.n if max_term_size is None else min(max_term_size, problem.n)


def _exact(problem, log_beta, log_value, sampler, n_states, max_term_size=None):
    """An exact sum, from that of the attributes that are not free."""
    count = partial(density, problem, log_beta) if max_term_size is None else None
    value = float(log_value) + problem.log_free(log_beta)
    return WeightedSum(value, 0.0, True, sampler, n_states, _count=count)


def _mean_of_logs(log_values):
    """Logarithm and relative standard error of the mean of exp(log_values).

    The error of a mean of n in units of its own standard error follows Student's t with
    n - 1 degrees of freedom; it is widened so that its spread is 1 all the same.
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
    """Relative error of W that rounding of its logarithm may cause."""
    return max(ROUNDING, 4 * float(np.spacing(abs(log_value))))


def _superset_fits(problem, log_beta):
    """Whether the superset sum can be had in float64, and in a tolerable table.

    Powers of alpha are relative to the largest. Those that come to nothing would come
    to nothing in the sum, too, if initial weights are not that far apart themselves.
    """
    log_odds = problem.log_odds(log_beta)
    return (
        problem.n <= MAX_SUPERSET
        and log_odds[log_odds > 0].sum() <= MAX_LOG_SPAN
        and -log_odds[log_odds < 0].sum() <= MAX_LOG_SPAN
        and problem.phi_high - problem.phi_low <= MAX_POWERS
    )


def _log_initial(problem, log_beta):
    """log of the total initial weight, but for free attributes."""
    return problem.log_total(log_beta) - problem.log_free(log_beta)


def _is_narrow(problem):
    """Whether every phi fits 16 bits."""
    return max(problem.phi_high, -problem.phi_low) < 2**15


def _superset_sum(problem, log_alpha, log_beta, max_term_size):
    """W by the superset sum."""
    value = superset.log_sum(
        sets=problem.sets,
        exponents=problem.exponents,
        log_odds=problem.log_odds(log_beta),
        narrow=_is_narrow(problem),
        log_alpha=log_alpha,
        max_term_size=_longest(problem, max_term_size),
    )
    return _exact(problem, log_beta, value, "superset", 1 << problem.n, max_term_size)


# The cost model, in microseconds: least squares on random problems and sums of trained
# models, by `benchmarks/sums/exact.py`. It chooses right in 94 % of cases, and costs
# 2 % over always choosing right; with a largest size of terms 94 % and 8 %. A state
# costs as much as so many cells.
_CELLS_A_STATE = 256
# For each state that the frontier has at most, several are visited, 25 ns each.
_COST_OF_STATE = 0.1
# What a frontier takes however few states it has.
_COST_OF_FRONTIER = 13.1


def superset_cost(n):
    """Of a superset sum over n attributes."""
    return 5.48 + 1.64e-5 * n * 2.0**n


def _frontier_cost(problem, max_term_size):
    m = len(problem.exponents)
    mean_size = int(np.bitwise_count(problem.columns).sum()) / m
    growing = 2.05e-7 * 2.0 ** (0.330 * problem.n + 0.693 * mean_size) * m**2.32
    if max_term_size is None or max_term_size >= problem.n:
        return _COST_OF_FRONTIER + growing
    # Every size of a state is worked on, but there are no more states than terms.
    n_terms = n_subsets(problem.n, max_term_size)
    return 20.0 + 3.5 * problem.n + min(8.0 * growing, 0.041 * n_terms)


def sum_cost(weighted_sum):
    """What a sum took, after its states."""
    if weighted_sum.sampler == "superset":
        return superset_cost(log2(weighted_sum.n_states))
    return _COST_OF_STATE * weighted_sum.n_states


def _cheaper(problem, log_alpha, log_beta, max_term_size, max_states):
    """W by the superset sum or the frontier, or None and the frontier that gave up."""
    question = problem, log_alpha, log_beta, max_term_size
    superset_fits = _superset_fits(problem, log_beta)
    if superset_fits and superset_cost(problem.n) <= _frontier_cost(
        problem, max_term_size
    ):
        return _superset_sum(*question), None
    run = _Run(*question)
    if superset_fits:
        # A frontier that has come to so many states has lost after all.
        max_states = min(max_states, (1 << problem.n) // _CELLS_A_STATE)
    known = run.exactly(max_states)
    if known is None and superset_fits:
        known = _superset_sum(*question)
    return known, run


def log_completions(n, log_beta, max_term_size):
    """log of the initial weight of all that terms may become: (n + 1, n_sizes).

    Entry (j, c) is that of the terms that c literals, and any of j attributes, make up
    to the largest size. Without one there are no columns.
    """
    if max_term_size is None:
        return np.empty((n + 1, 0))
    log_rest = log_initial_weights(np.ones(n), log_beta, max_term_size)
    return log_rest[:, ::-1] + np.arange(max_term_size + 1) * log_beta


class _Run:
    """The frontier on one problem.

    Attributes
    ----------
    n_left : int
        Attributes left where the states exceeded the budget.
    n_states : int
        Largest number of states so far.
    step : float
        What one more random draw may change, of the sum of one replicate (relative).
    """

    def __init__(self, problem, log_alpha, log_beta, max_term_size):
        self._problem = problem.fewest_first()  # states die early
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._max_term_size = max_term_size
        if max_term_size is not None and max_term_size >= problem.n:
            self._max_term_size = None

    def exactly(self, max_states):
        """W, or None if it takes more states."""
        fits, log_values = self._run(max_states, np.empty(1), no_guesses(), None)
        if not fits:
            return None
        return self._exactly(log_values[0])

    def thinned(self, max_states, n_replicates, stream):
        """An estimate of W."""
        ahead, log_seen = guesses(
            problem=self._problem,
            log_alpha=self._log_alpha,
            log_beta=self._log_beta,
            stream=stream,
            max_term_size=self._max_term_size,
        )
        fits, log_values = self._run(max_states, np.empty(n_replicates), ahead, stream)
        if fits:
            # It may exceed the budget between two attributes, and have come back.
            return self._exactly(log_values[0])
        log_value, std_error = _mean_of_logs(log_values)
        # Replicates can agree because all miss the same improbable states. Their spread
        # does not show what changes less than one more draw in one of them.
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
        """The states of an exact run, if they go on growing at the rate so far."""
        decided = self._problem.n - self.n_left
        return log2(self.n_states) * self._problem.n / decided

    @property
    def bytes_of_state(self):
        """What a state takes, mask, value and all."""
        longest = self._max_term_size
        n_sizes = 0 if longest is None else longest + 1
        n_words = self._problem.columns.shape[1]
        return _STATE_BYTES + 8 * n_words + _SIZE_BYTES * n_sizes

    def _exactly(self, log_value):
        return _exact(
            *(self._problem, self._log_beta, log_value, "frontier", self.n_states),
            self._max_term_size,
        )

    def _run(self, max_states, log_values, ahead, stream):
        p = self._problem
        span = p.phi_high - p.phi_low
        log_span, log_total = span * self._log_alpha, _log_initial(p, self._log_beta)
        if self._max_term_size is not None:
            # Values are numbers of terms; the initial weight is in the completions.
            log_span += log_initial_weight(np.ones(p.n), 0.0, self._max_term_size)
            log_total = 0.0
        logs = log_span > MAX_LOG_SPAN or span > MAX_POWERS
        steps = np.zeros_like(log_values)
        found = frontier.log_sum(
            columns=p.columns,
            planes=p.planes,
            exponents=p.exponents,
            multiplicities=p.multiplicities,
            log_either=log_one_plus(self._log_beta),
            log_alpha=self._log_alpha,
            logs=logs,
            log_completions=log_completions(p.n, self._log_beta, self._max_term_size),
            max_states=max_states,
            exact=stream is None,
            stream=stream or 0,
            **ahead._asdict(),
            log_values=log_values,
            steps=steps,
        )
        self.n_left, self.n_states = found.n_left, found.n_states
        self.step = steps.max()
        return found.fits, log_values + log_total


def density(problem, log_beta):
    """phi, ascending, and the log of the initial weight of all terms with that phi."""
    log_total = problem.log_total(log_beta)
    if _superset_fits(problem, log_beta):
        totals = np.zeros(problem.phi_high - problem.phi_low + 1)
        superset.density(
            sets=problem.sets,
            exponents=problem.exponents,
            log_odds=problem.log_odds(log_beta),
            narrow=_is_narrow(problem),
            weights=totals,
            phi_low=problem.phi_low,
        )
        distinct = np.arange(problem.phi_low, problem.phi_high + 1)
        return _logs_of_positive(distinct, totals, problem.log_free(log_beta))
    problem = problem.fewest_first()
    logs = log_total > MAX_LOG_SPAN
    parts = frontier.density(
        columns=problem.columns,
        planes=problem.planes,
        exponents=problem.exponents,
        multiplicities=problem.multiplicities,
        log_either=log_one_plus(log_beta),
        logs=logs,
        max_states=MAX_DENSITY_STATES,
    )
    if parts is None:
        raise ValueError(
            f"The density of this sum takes more than {MAX_DENSITY_STATES} states."
        )
    phi, weights = parts
    distinct, places = np.unique(phi, return_inverse=True)
    if logs:
        totals = np.full(len(distinct), -inf)
        np.logaddexp.at(totals, places, weights)
        kept = totals > -inf
        return distinct[kept], totals[kept] + log_total
    return _logs_of_positive(distinct, np.bincount(places, weights), log_total)


def _logs_of_positive(phi, totals, log_factor):
    kept = totals > 0
    return phi[kept], np.log(totals[kept]) + log_factor
