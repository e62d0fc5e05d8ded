"""Engines: from an agreement problem to its weighted sum.

An engine is stateless. It knows neither class, label nor frame, and offers two calls:
`log_sum` for the sum itself, `exceeds` for the side of a threshold it falls on, which
can take less work.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import ceil, log1p, nan, sqrt

import numpy as np

from sklearn_dnfwinnow._initial import log_initial_weight
from sklearn_dnfwinnow._simd import brute_force, chains

# Largest count of values of phi that the tables of chains are made for: for each of 16
# lanes two thresholds and a count, 384 bytes a value.
MAX_PHI_RANGE = 1 << 20
# The largest n that is enumerated: 2^28 terms, some seconds.
MAX_BRUTE_FORCE = 28


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum W, or an estimate of it.

    Attributes
    ----------
    log_value : float
        Natural logarithm of W.
    std_error : float
        Relative standard error of W, that is, the standard error of `log_value`; 0 when
        exact, infinite when the chains were too short to tell.
    exact : bool
        Whether `log_value` is exact, but for rounding.
    sampler : str
        The engine that ran, 'closed_form' where none had to.
    n_chains : int
        Markov chains that the answer took; 0 for exact engines.
    n_simulated : int
        Markov chains run. Chains run in groups, so a sum that stops early (only its
        side of a threshold was asked for) can have run more than it took.
    n_ladder : int
        Markov chains of the full ladder.
    """

    log_value: float
    std_error: float
    exact: bool
    sampler: str
    n_chains: int = 0
    n_simulated: int = 0
    n_ladder: int = 0


def closed_form(problem, log_alpha, log_beta, max_term_size=None):
    """The weighted sum where it needs no engine, else None.

    With no update alive W = (1 + beta)^n; with one, alive inside A, the terms inside A
    are multiplied by alpha^c.
    """
    if max_term_size is not None and max_term_size < problem.n:
        if len(problem.exponents):
            return None
        ones = np.ones(problem.n)
        value = log_initial_weight(ones, log_beta, max_term_size)
        return WeightedSum(value, 0.0, True, "closed_form")
    log_total = problem.n * log1p(np.exp(log_beta))
    if len(problem.exponents) == 0:
        value = log_total
    elif len(problem.exponents) == 1:
        size = int(np.bitwise_count(problem.sets).sum())
        log_inside = size * log1p(np.exp(log_beta))
        log_rest = -np.inf
        if size < problem.n:
            log_rest = log_total + np.log(-np.expm1(log_inside - log_total))
        boost = log_alpha * float(problem.exponents[0])
        value = float(np.logaddexp(log_inside + boost, log_rest))
    elif problem.n == 0:
        value = log_alpha * float(problem.exponents.sum())
    else:
        return None
    return WeightedSum(value, 0.0, True, "closed_form")


@dataclass(frozen=True)
class BruteForce:
    """All 2^n terms, one by one: the reference for every other engine.

    Parameters
    ----------
    max_term_size : int or None
        Most literals of a term, None for any number.
    """

    max_term_size: int | None = None

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """W of a problem; `stream` is not used."""
        if problem.n > MAX_BRUTE_FORCE:
            raise ValueError(
                f"sampler='brute_force' visits 2**n terms and takes at most "
                f"{MAX_BRUTE_FORCE} specified attributes; a row has n={problem.n}. "
                "Use another sampler, such as 'gibbs'."
            )
        cap = problem.n if self.max_term_size is None else self.max_term_size
        value = brute_force.log_sum(
            problem.columns, problem.planes, log_alpha, log_beta, min(cap, problem.n)
        )
        return WeightedSum(value, 0.0, True, "brute_force")

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Whether W reaches a threshold, and the sum that says so."""
        weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum


@dataclass(frozen=True)
class Chains:
    """Ratios of weighted sums along a ladder of Markov chains (Tao & Scott 2004).

    Parameters are those of :func:`sklearn_dnfwinnow.sums.log_weighted_sum`.
    """

    sampler: str
    tempering: bool = False
    swap_probability: float = 0.9
    n_steps: int | str = "auto"
    burn_in: int | str = "auto"
    ladder_step: float = 1.0
    ladder_scale: str = "range"
    early_stop: bool = True
    # Chains walk over terms of any size.
    max_term_size = None

    def phi_bounds(self, problem):
        """Bounds on phi over all terms, as tight as the ladder scale looks.

        The paper takes -v and u. The sums of the negative and of the positive
        aggregated exponents are nearer, and as cheap.
        """
        if self.ladder_scale == "range":
            return problem.phi_low, problem.phi_high
        return -problem.n_demotions, problem.n_promotions

    def n_rungs(self, problem, log_alpha):
        """Chains of the full ladder: Lemma 3 holds for any m >= max |phi|."""
        low, high = self.phi_bounds(problem)
        scale = high - low if self.ladder_scale == "sum" else max(high, -low)
        # The paper's alpha_i = (1 + kappa / m)^(i - 1) oversteps alpha at the end.
        # As many equal log steps that end on alpha are no longer, so Lemma 3 holds, and
        # equal, so Theorem 6 does.
        return max(1, ceil(log_alpha / log1p(self.ladder_step / scale) - 1e-9))

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """An estimate of W."""
        return self._climb(problem, log_alpha, log_beta, stream, nan, True)

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Whether W seems to reach a threshold (Table I), and the sum so far.

        Without `early_stop` every chain runs, and the sum is an estimate of W.
        """
        stop = log_threshold if self.early_stop else nan
        weighted_sum = self._climb(problem, log_alpha, log_beta, stream, stop, guess)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def _climb(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        phi_range = problem.phi_high - problem.phi_low + 1
        if phi_range > MAX_PHI_RANGE:
            raise ValueError(
                f"sampler={self.sampler!r} tabulates the exponents of terms, which "
                f"here take up to {phi_range} values; at most {MAX_PHI_RANGE} are "
                "supported."
            )
        n_rungs = self.n_rungs(problem, log_alpha)
        one_group = self.tempering and not self.early_stop
        group_size = n_rungs if one_group else min(n_rungs, chains.CHAINS_AT_ONCE)
        log_ratios = np.zeros(n_rungs)
        variances = np.zeros(n_rungs)
        value, n_used, n_simulated = chains.climb(
            problem.columns,
            problem.planes,
            problem.phi_low,
            problem.phi_high,
            log_alpha,
            log_beta,
            chains.SAMPLERS[self.sampler],
            n_rungs,
            group_size,
            problem.n**2 if self.burn_in == "auto" else self.burn_in,
            10 * problem.n**2 if self.n_steps == "auto" else self.n_steps,
            self.swap_probability if self.tempering else 0.0,
            stream,
            log_threshold,
            guess,
            *self.phi_bounds(problem),
            log_ratios,
            variances,
        )
        if n_used == n_rungs:
            # Summed afresh: the running bound has taken slack in and out again.
            value = problem.n * log1p(np.exp(log_beta)) + float(log_ratios.sum())
        return WeightedSum(
            value,
            sqrt(variances.sum()),
            False,
            self.sampler,
            n_used,
            n_simulated,
            n_rungs,
        )
