"""Markov chains: the samplers of the paper, and their engine."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from math import ceil, inf, log1p, nan, sqrt
from numbers import Integral, Real
from typing import Any

import numpy as np

from sklearn_dnfwinnow._kernels import chains
from sklearn_dnfwinnow._utils._estimators import OR_AUTO, Interval, StrOptions
from sklearn_dnfwinnow.samplers._agreement_problem import WeightedSum, log_odds_of
from sklearn_dnfwinnow.samplers._engine import Engine, Sampler

# Maximum number of samples whose phi is kept for diagnostics, over all chains: 64 MiB,
# and a multiple of that as working memory. Of more samples, one in two, three, ... is
# kept.
_MOST_TRACED = 1 << 24
# Maximum number of values of phi, times kinds of features, in the tables of chains:
# for each of 16 lanes two thresholds and a count, 384 bytes per entry.
MAX_TABLE = 1 << 20
# Maximum number of chains of a ladder. Each takes some numbers of 8 bytes, and time.
MAX_RUNGS = 1 << 22


@dataclass(frozen=True, eq=False)
class Observed:
    """Statistics of the chains of a ladder after burn-in: arrays that the kernel fills.

    Attributes
    ----------
    log_ratios, variances : ndarray of shape (n_rungs,), float64
        log(W_i / W_i-1), and its variance.
    moves, attempted, accepted : ndarray of shape (n_rungs,), int64, or None
        Number of examples of a single feature that changed it; numbers of swaps with
        the next chain that were attempted, and accepted.
    traces : ndarray of shape (n_rungs, n_traced), int32, or None
        phi of one sample in `every`, minus its lower bound.
    every : int
    """

    log_ratios: np.ndarray
    variances: np.ndarray
    moves: np.ndarray | None = None
    attempted: np.ndarray | None = None
    accepted: np.ndarray | None = None
    traces: np.ndarray | None = None
    every: int = 1


@dataclass(frozen=True)
class MarkovChainEngine(Engine):
    """Ratios of weighted sums along a ladder of Markov chains (Tao & Scott 2004).

    Parameters
    ----------
    sampler : MarkovChain
        Its parameters, and its method `climb`, define the chains.
    early_stop : bool
        Whether `exceeds` stops when the side of the threshold is determined.
    """

    sampler: Any
    early_stop: bool = True

    def phi_bounds(self, problem):
        """Return bounds on phi over all terms, as tight as the ladder scale requires.

        The paper uses -v and u. The sums of the negative and of the positive aggregated
        net counts are tighter, and equally fast to compute.
        """
        if self.sampler.ladder_scale == "range":
            return problem.phi_low, problem.phi_high
        return -problem.n_demotions, problem.n_promotions

    def n_rungs(self, problem, log_alpha):
        """Return the number of chains: Lemma 3 holds for any m >= max |phi|."""
        low, high = self.phi_bounds(problem)
        scale = high - low if self.sampler.ladder_scale == "sum" else max(high, -low)
        # alpha_i = (1 + kappa / m)^(i - 1) of the paper exceeds alpha at the end. The
        # same number of equal log steps that end at alpha are not longer, so Lemma 3
        # holds; they are equal, so Theorem 6 holds.
        width = log1p(self.sampler.ladder_step / scale)
        n_rungs = log_alpha / width if width else inf
        if n_rungs > MAX_RUNGS:
            raise ValueError(
                f"ladder_step={self.sampler.ladder_step!r} gives a temperature ladder "
                f"of {n_rungs:.3g} chains; at most {MAX_RUNGS} are supported. Use a "
                "larger ladder_step, or sampler='auto'."
            )
        return max(1, ceil(n_rungs - 1e-9))

    def log_sum(self, problem, log_alpha, log_beta, stream, from_term=None):
        """Return an estimate of W.

        All chains start from the term `from_term`, of shape (n,), uint8, 1 where
        constrained. With None, the starts are drawn from alpha = 1.
        """
        return self._climb(problem, log_alpha, log_beta, stream, from_term=from_term)

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Return whether W seems to reach a threshold (Table I), and the sum so far.

        Without `early_stop` every chain runs, and the sum is an estimate of W.
        """
        weighted_sum = self._climb(
            problem,
            log_alpha,
            log_beta,
            stream,
            log_threshold=log_threshold if self.early_stop else nan,
            guess=guess,
        )
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def observed(self, problem, log_alpha, log_beta, stream):
        """Return an estimate of W, and statistics of its chains.

        Parameters
        ----------
        problem, log_alpha, log_beta, stream
            See `log_sum`.

        Returns
        -------
        weighted_sum : WeightedSum
        observed : Observed
        """
        n_rungs = self.n_rungs(problem, log_alpha)
        n_samples = self.n_samples(problem)
        every = -(-n_samples * n_rungs // _MOST_TRACED)
        observed = Observed(
            *np.zeros((2, n_rungs)),
            moves=np.zeros(n_rungs, dtype=np.int64),
            attempted=np.zeros(n_rungs, dtype=np.int64),
            accepted=np.zeros(n_rungs, dtype=np.int64),
            traces=np.empty((n_rungs, -(-n_samples // every)), dtype=np.int32),
            every=every,
        )
        weighted_sum = self._climb(
            problem, log_alpha, log_beta, stream, observed=observed
        )
        return weighted_sum, observed

    def steps(self, n):
        """Return burn-in and length of each chain, in examples of one of n features."""
        burn_in, n_steps = self.sampler.burn_in, self.sampler.n_steps
        return (
            n**2 if burn_in == "auto" else burn_in,
            10 * n**2 if n_steps == "auto" else n_steps,
        )

    def sites_a_sample(self, problem):
        """Return the examples of a single feature between samples."""
        return 1 if self.sampler.transition["random_site"] else problem.n

    def n_samples(self, problem):
        """Return the number of samples of each chain."""
        return -(-self.steps(problem.n)[1] // self.sites_a_sample(problem))

    def in_full(self):
        """Return the engine with tempering along the whole ladder."""
        return replace(self, early_stop=False)

    def _climb(
        self,
        problem,
        log_alpha,
        log_beta,
        stream,
        *,
        observed=None,
        log_threshold=nan,
        guess=True,
        from_term=None,
    ):
        """Run the chains; return the sum, and fill the arrays of `observed`."""
        if observed is None:
            observed = Observed(*np.zeros((2, self.n_rungs(problem, log_alpha))))
        multiplicities, kinds = np.unique(problem.multiplicities, return_inverse=True)
        log_odds = log_odds_of(multiplicities, log_beta)
        n_entries = (problem.phi_high - problem.phi_low + 1) * len(log_odds)
        if n_entries > MAX_TABLE:
            raise ValueError(
                f"sampler={self.sampler.name!r} tabulates the net promotion counts of "
                f"terms for each kind of feature, which takes {n_entries} entries; "
                f"at most {MAX_TABLE} are supported. Use sampler='auto'."
            )
        log_free = problem.log_free(log_beta)
        log_first = problem.log_initial(log_beta)
        n_rungs = len(observed.log_ratios)
        # Tempering in full swaps states along the whole ladder.
        together = self.sampler.tempering and not self.early_stop
        burn_in, n_steps = self.steps(problem.n)
        phi_min, phi_max = self.phi_bounds(problem)
        value, n_used, n_simulated = self.sampler.climb(
            problem=problem,
            log_odds=log_odds,
            kinds=kinds,
            log_alpha=log_alpha,
            log_first=log_first,
            group_size=n_rungs if together else min(n_rungs, chains.CHAINS_AT_ONCE),
            burn_in=burn_in,
            n_steps=n_steps,
            swap_probability=self.sampler.swap_probability * self.sampler.tempering,
            stream=stream,
            log_threshold=log_threshold - log_free,
            guess=guess,
            phi_min=phi_min,
            phi_max=phi_max,
            observed=observed,
            from_term=from_term,
        )
        if n_used == n_rungs:
            # Summed again: the running bound has accumulated rounding of its slack.
            value = log_first + float(observed.log_ratios.sum())
        return WeightedSum(
            log_free + value,
            sqrt(observed.variances.sum()),
            False,
            self.sampler.name,
            n_chains=n_used,
            n_simulated=n_simulated,
            n_ladder=n_rungs,
        )


# More steps would take days, and their products would overflow 64 bits.
_MOST_STEPS = 2**48


class MarkovChain(Sampler):
    """Estimate weighted sums with Markov chains along a temperature ladder.

    Base class. A subclass defines `name` and `transition`, and a method `climb` if the
    kernel does not implement its transition.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    Attributes
    ----------
    transition : dict of str to bool
        Properties of a step. 'random_site': whether it examples one random feature, or
        all features in turn. 'heat_bath': whether a feature is drawn from its
        conditional distribution, or its flip is proposed (Metropolis).
    """

    transition: dict

    runs_chains = True

    _parameter_constraints = {
        "n_steps": [OR_AUTO, Interval(Integral, 1, _MOST_STEPS, closed="both")],
        "burn_in": [OR_AUTO, Interval(Integral, 0, _MOST_STEPS, closed="both")],
        "tempering": ["boolean"],
        "swap_probability": [Interval(Real, 0, 1, closed="both")],
        "ladder_step": [Interval(Real, 0, None, closed="neither")],
        "ladder_scale": [StrOptions({"sum", "max", "range"})],
        "early_stop": ["boolean"],
    }

    def __init__(
        self,
        *,
        n_steps="auto",
        burn_in="auto",
        tempering=False,
        swap_probability=0.9,
        ladder_step=1.0,
        ladder_scale="range",
        early_stop=True,
    ):
        self.n_steps = n_steps
        self.burn_in = burn_in
        self.tempering = tempering
        self.swap_probability = swap_probability
        self.ladder_step = ladder_step
        self.ladder_scale = ladder_scale
        self.early_stop = early_stop

    def engine(self, max_term_size=None):
        """Return the engine of the chains, which sample terms of any size."""
        return MarkovChainEngine(self, self.early_stop)

    def climb(self, **ladder):
        """Simulate the chains; see the kernel for arguments and results."""
        return chains.climb(transition=self.transition, **ladder)

    @classmethod
    def paper(cls):
        """Return the sampler with the temperature ladder of section 3.1."""
        return cls(ladder_scale="sum")


class Metropolis(MarkovChain):
    """Metropolis sampler: each step proposes the flip of one random feature.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : Draw each feature in turn.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import Metropolis
    >>> Metropolis(n_steps=5000)
    Metropolis(n_steps=5000)
    """

    name = "metropolis"
    transition = chains.SAMPLERS["metropolis"]


class Gibbs(MarkovChain):
    """Gibbs sampler: each feature in turn is drawn given all others.

    W is estimated as the product of W(1) and of ratios of sums along a
    :term:`temperature ladder`. Each chain samples terms at its own value
    of alpha [1]_.

    Parameters
    ----------
    n_steps : int or 'auto', default='auto'
        Length of each chain after burn-in: the number of examples of a single feature.
        'auto' is 10 n^2 for a sample with n specified features.

    burn_in : int or 'auto', default='auto'
        Length of the burn-in: the number of examples of a single feature before the
        first sample of a chain. 'auto' is n^2.

    tempering : bool, default=False
        Whether neighbouring chains swap states (parallel tempering). If `early_stop` is
        True, chains swap within groups; otherwise they swap along all temperatures.

    swap_probability : float, default=0.9
        Probability that a swap is attempted before each step. It has no effect unless
        `tempering` is True.

    ladder_step : float, default=1.0
        Step of the temperature ladder, kappa: the values of alpha of neighbouring
        chains differ by a factor of at most 1 + kappa / m.

    ladder_scale : {'sum', 'max', 'range'}, default='range'
        Definition of m, for u promotions and v demotions.

        - 'sum': u + v (section 3.1 of the paper).
        - 'max': max(u, v) (Theorem 4).
        - 'range': the largest possible absolute net promotion count of a term, by the
          sums of the positive and of the negative counts. Counts of equal agreements
          are added first.

        The guarantee of Theorem 4 holds for all of them. 'range' requires the fewest
        chains.

    early_stop : bool, default=True
        Whether training stops the computation of a sum when its side of the threshold
        is determined (Table I of the paper). It has no effect on predictions, which
        compare the sums of the classes and compute all estimates in full. It also has
        no effect on :func:`~sklearn_dnfwinnow.sums.log_weighted_sum`, which has no
        threshold.

    See Also
    --------
    sklearn_dnfwinnow.diagnostics.diagnose_chains : Check the length of the chains.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> clf = DNFWinnowClassifier(sampler=Gibbs(n_steps=5000))
    >>> clf.set_params(sampler__tempering=True).sampler
    Gibbs(n_steps=5000, tempering=True)
    """

    name = "gibbs"
    transition = chains.SAMPLERS["gibbs"]


class MetropolizedGibbs(MarkovChain):
    """Metropolized Gibbs sampler: the flip of each feature in turn is proposed.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : Draw each feature independently of its current value.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import MetropolizedGibbs
    >>> MetropolizedGibbs(burn_in=100)
    MetropolizedGibbs(burn_in=100)
    """

    name = "metropolized_gibbs"
    transition = chains.SAMPLERS["metropolized_gibbs"]
