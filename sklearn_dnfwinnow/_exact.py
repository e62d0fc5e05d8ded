"""Exact engines, and the capped frontier, which is exact as long as it can be."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial
from math import inf, log, sqrt

import numpy as np

from sklearn_dnfwinnow._look_ahead import guesses, no_guesses
from sklearn_dnfwinnow._problem import log_one_plus
from sklearn_dnfwinnow._simd import brute_force, frontier, superset
from sklearn_dnfwinnow._weighted_sum import WeightedSum

# The largest n that is enumerated: 2^28 terms, some seconds.
MAX_BRUTE_FORCE = 28
# The largest n of a superset sum: 2^24 cells, 32 or 64 megabytes.
MAX_SUPERSET = 24
# Sums whose terms differ by more than this many natural logarithms, of the 1,400 that
# float64 spans, keep the values of states as logarithms.
MAX_LOG_SPAN = 600.0
# Powers of alpha that the frontier tabulates; beyond, it works in logarithms too.
MAX_POWERS = 2**20
# States that fit the places of the frontier's table.
MAX_STATES = 2**30


@dataclass(frozen=True)
class Engine:
    """What engines without early stop have in common."""

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Whether W reaches a threshold, and the sum that says so."""
        weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum


@dataclass(frozen=True)
class BruteForce(Engine):
    """All 2^n terms, one by one: the reference for every other engine."""

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem; `stream` is not used."""
        if problem.n > MAX_BRUTE_FORCE:
            raise ValueError(
                f"sampler='brute_force' visits 2**n terms and takes at most "
                f"{MAX_BRUTE_FORCE} specified attributes; a row has n={problem.n} that "
                "are not alike. Use another sampler, such as 'auto'."
            )
        value = brute_force.log_sum(
            problem.columns, problem.planes, log_alpha, problem.log_odds(log_beta)
        )
        return _exact(problem, log_beta, value, "brute_force", 1 << problem.n)


@dataclass(frozen=True)
class Exact(Engine):
    """The superset sum or the frontier, whichever is cheaper.

    Parameters
    ----------
    max_states : int
        Budget of the frontier. It takes 8 ceil(m / 64) + 24 bytes for each state, m
        being the number of distinct agreement sets, and twice that while it grows.
    """

    max_states: int

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem; `stream` is not used."""
        return _superset_or_frontier(problem, log_alpha, log_beta, self.max_states)


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
    """

    max_states: int
    n_replicates: int
    superset: bool = False

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem if its states fit, else an unbiased estimate of W."""
        if self.superset:
            known = _superset_sum(problem, log_alpha, log_beta)
            if known is not None:
                return known
        ordered = _ordered(problem)
        sum_up = partial(_frontier, ordered, log_alpha, log_beta, self.max_states)
        fits, _, n_states, log_values = sum_up(np.empty(1), no_guesses())
        if fits:
            return _exact(problem, log_beta, log_values[0], "frontier", n_states)
        ahead = guesses(ordered, log_alpha, log_beta, stream)
        log_values = np.empty(self.n_replicates)
        _, _, n_states, log_values = sum_up(log_values, ahead, stream)
        log_value, std_error = _mean_of_logs(log_values)
        return WeightedSum(
            log_value + problem.log_free(log_beta),
            std_error,
            False,
            "frontier",
            n_states=n_states,
            n_replicates=self.n_replicates,
        )


def _exact(problem, log_beta, log_value, sampler, n_states):
    """An exact sum, from that of the attributes that are not free."""
    count = partial(density, problem, log_beta)
    value = log_value + problem.log_free(log_beta)
    return WeightedSum(value, 0.0, True, sampler, n_states, _count=count)


def _mean_of_logs(log_values):
    """Logarithm and relative standard error of the mean of exp(log_values)."""
    top = log_values.max()
    values = np.exp(log_values - top)
    mean = float(values.mean())
    spread = float(values.std(ddof=1)) if len(values) > 1 else inf
    return float(top) + log(mean), spread / mean / sqrt(len(values))


def _log_span(problem, log_alpha):
    """How far apart the logarithms of the factors of two terms can be."""
    return (problem.phi_high - problem.phi_low) * log_alpha


def _superset_sum(problem, log_alpha, log_beta):
    """W by the superset sum, or None where the frontier must do."""
    log_first = problem.log_total(log_beta) - problem.log_free(log_beta)
    if (
        problem.n > MAX_SUPERSET
        or log_first > MAX_LOG_SPAN
        or _log_span(problem, log_alpha) > MAX_LOG_SPAN
    ):
        return None
    value = superset.log_sum(
        problem.sets,
        problem.exponents,
        problem.log_odds(log_beta),
        max(problem.phi_high, -problem.phi_low) < 2**15,
        log_alpha,
    )
    return _exact(problem, log_beta, value, "superset", 1 << problem.n)


def _ordered(problem):
    """Attributes that few updates survive first: states die early."""
    sizes = np.bitwise_count(problem.columns).sum(axis=1)
    return problem.reordered(sizes.argsort(kind="stable"))


def _frontier(problem, log_alpha, log_beta, max_states, log_values, ahead, stream=None):
    """Run the frontier: exactly, or without `stream` give up beyond max_states.

    Returns
    -------
    fits : bool
    n_left : int
        Attributes left where it did not.
    n_states : int
    log_values : ndarray of shape (n_replicates,)
        log W, but for free attributes.
    """
    span = problem.phi_high - problem.phi_low
    fits, n_left, n_states, _ = frontier.log_sum(
        problem.columns,
        problem.planes,
        problem.exponents,
        problem.multiplicities,
        log_one_plus(log_beta),
        log_alpha,
        span * log_alpha > MAX_LOG_SPAN or span > MAX_POWERS,
        max_states,
        stream is None,
        stream or 0,
        *ahead,
        log_values,
    )
    log_first = problem.log_total(log_beta) - problem.log_free(log_beta)
    return fits, n_left, n_states, log_values + log_first


def _superset_or_frontier(problem, log_alpha, log_beta, max_states):
    fits, n_left, n_states, log_values = _frontier(
        *(_ordered(problem), log_alpha, log_beta, max_states),
        *(np.empty(1), no_guesses()),
    )
    if fits:
        return _exact(problem, log_beta, log_values[0], "frontier", n_states)
    raise ValueError("too many states")


def density(problem, log_beta):
    """phi, ascending, and the log of the initial weight of all terms with that phi."""
    log_total = problem.log_total(log_beta)
    logs = log_total > MAX_LOG_SPAN
    ordered = _ordered(problem)
    phi, weights = frontier.density(
        ordered.columns,
        ordered.planes,
        ordered.exponents,
        ordered.multiplicities,
        log_one_plus(log_beta),
        logs,
    )
    distinct, places = np.unique(phi, return_inverse=True)
    if logs:
        totals = np.full(len(distinct), -inf)
        np.logaddexp.at(totals, places, weights)
    else:
        with np.errstate(divide="ignore"):
            totals = np.log(np.bincount(places, weights))
    kept = totals > -inf
    return distinct[kept], totals[kept] + log_total
