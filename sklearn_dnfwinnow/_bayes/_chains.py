"""Chains: Markov chains of a problem, in threads, until they agree."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import ceil
from time import monotonic

import numpy as np
from sklearn.utils import gen_batches

from sklearn_dnfwinnow._bayes._gibbs import State
from sklearn_dnfwinnow._bayes._hamiltonian import HamiltonianState
from sklearn_dnfwinnow._bayes._settings import sampler_for
from sklearn_dnfwinnow._kernels import logistic
from sklearn_dnfwinnow._utils._computing import one_blas_thread, run_tasks
from sklearn_dnfwinnow._utils._draws import effective_sample_size, r_hat
from sklearn_dnfwinnow._utils._progress import Progress

# A quantity that never changes belongs to chains that are stuck.
_STUCK = 1e300


@dataclass(frozen=True, eq=False)
class Convergence:
    """Agreement of chains in the sweeps that were recorded.

    Attributes
    ----------
    n_sweeps : int
        Number of sweeps of each chain, with the warm-up.
    r_hat, ess : ndarray of shape (n_widths + n_log_odds + 1,), float64
        R-hat and effective sample sizes of the logarithms of the widths that are
        learned, of the log-odds of some training rows, and of the log likelihood.
    n_widths : int
    """

    n_sweeps: int
    r_hat: np.ndarray
    ess: np.ndarray
    n_widths: int

    # Chains continue because of widths and log-odds, not of the log likelihood.

    @property
    def worst(self):
        """Return the largest R-hat of widths and log-odds."""
        return float(self.r_hat[:-1].max())

    @property
    def fewest(self):
        """Return the smallest effective sample size of widths and log-odds."""
        return float(self.ess[:-1].min())

    def reached(self, estimator):
        """Return whether both limits of an estimator are reached."""
        return self.worst <= estimator.max_rhat and self.fewest >= estimator.min_ess

    def by_name(self, values):
        """Return `r_hat` or `ess` as a dict."""
        return {
            "log_sigma": values[: self.n_widths],
            "log_odds": values[self.n_widths : -1],
            "log_likelihood": values[-1],
        }


class Trace:
    """The values of every `step`-th sweep of a chain.

    If there is no room for another value, every second one is discarded, and `step` is
    doubled.

    Parameters
    ----------
    capacity : int
        Maximum number of values. It is even, unless it is never exceeded.
    shape : tuple of int
    dtype : dtype
    step : int, default=1
    """

    def __init__(self, capacity, shape, dtype, step=1):
        self._room = np.empty((capacity, *shape), dtype=dtype)
        self._n_values = self._n_sweeps = 0
        self.step = step

    def __len__(self):
        return self._n_values

    def hear(self, value):
        """Keep the value of the next sweep, if it is its turn."""
        self._n_sweeps += 1
        if self._n_sweeps % self.step:
            return
        if self._n_values == len(self._room):
            self._n_values //= 2
            self._room[: self._n_values] = self._room[1::2]
            self.step *= 2
            if self._n_sweeps % self.step:
                return
        self._room[self._n_values] = value
        self._n_values += 1

    def values(self, discarded=0.0):
        """Return the values, without a fraction of the first ones."""
        return self._room[int(discarded * self._n_values) : self._n_values]


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one or several chains.

    Attributes
    ----------
    sums : ndarray of shape (..., n_draws, n_groups, n_sets), float32
        Sums of the parameters of each group.
    log_sigma : ndarray of shape (..., n_draws, max_order + 1), float64
        Natural logarithms of the widths of each order.
    log_likelihood : ndarray of shape (..., n_draws), float64
        Weighted log likelihood of all training samples.
    """

    sums: np.ndarray
    log_sigma: np.ndarray
    log_likelihood: np.ndarray

    @property
    def by_name(self):
        """Return all draws as a dict."""
        return dict(vars(self))


# Convergence is measured without this fraction of the sweeps after the warm-up.
_DISCARDED = 0.2
# After a measurement, chains become longer by this factor.
_LONGER = 1.25
# Number of rows whose log-odds are recorded, and of recorded sweeps of each chain.
_RECORDED_ROWS, _RECORDED_SWEEPS = 16, 4096


class Chains:
    """Several chains of a problem.

    Parameters
    ----------
    problem : Problem
        The total weight of each row is positive.
    sampler : {'auto', 'hmc', 'gibbs', 'slice'}
    n_chains : int
    capacity : int
        Number of draws that each chain keeps at most.
    seed : int
        Results are a function of the problem and the seed, for any `n_jobs`.
    step : int
        Number of sweeps for each draw.
    n_jobs : int or None
        See joblib.
    progress : Progress or None
        Of the sweeps, as a stage.
    """

    def __init__(
        self, problem, *, sampler, n_chains, capacity, seed, step=1, n_jobs=None,
        progress=None,
    ):  # fmt: skip
        self._over_groups, self._n_jobs = problem, n_jobs
        # The last bits of results depend on the number of threads of BLAS.
        with one_blas_thread():
            self._sampler, self._problem = sampler_for(problem, sampler)
        self._progress = Progress() if progress is None else progress
        self._recorder = Recorder(self._problem)
        self.n_sweeps = self._n_measured = 0
        self._chains = []
        for chain in range(n_chains):
            sequence = np.random.SeedSequence(seed, spawn_key=(chain,))
            generator = np.random.Generator(np.random.PCG64(sequence))
            state = self._sampler.start(generator)
            self._chains.append(
                Chain(
                    state=state,
                    generator=generator,
                    sums=Trace(capacity, state.sums.shape, np.float32, step),
                    quantities=Trace(capacity, self._recorder.shape, float, step),
                    recorded=Trace(_RECORDED_SWEEPS, self._recorder.shape, float),
                )
            )

    def warm_up(self, n_sweeps):
        """Make sweeps that are not recorded, and adapt the sampler."""
        for part in self._sampler.adapted_after:
            end = round(part * n_sweeps)
            if end > self.n_sweeps:
                self._advance(end - self.n_sweeps, recorder=None)
                self._sampler.adapt([chain.state for chain in self._chains])
        self._advance(n_sweeps - self.n_sweeps, recorder=None)
        self._sampler.settle([chain.state for chain in self._chains])

    def record(self, n_sweeps):
        """Make sweeps that are recorded."""
        self._advance(n_sweeps, self._recorder)

    def convergence(self):
        """Return how far the chains agree."""
        series = [chain.recorded.values(_DISCARDED) for chain in self._chains]
        prior = self._problem.prior
        learned = np.stack(series)[:, :, prior.first :]
        convergence = Convergence(
            n_sweeps=self.n_sweeps,
            r_hat=np.nan_to_num(r_hat(learned), nan=_STUCK, posinf=_STUCK),
            ess=np.nan_to_num(effective_sample_size(learned), nan=0.0),
            n_widths=len(prior.scales) - prior.first,
        )
        self._progress.end(
            f"R-hat {convergence.worst:.3f}, {convergence.fewest:.0f} effective "
            "samples",
            n=self.n_sweeps - self._n_measured,
        )
        self._n_measured = self.n_sweeps
        return convergence

    def draws(self, n_draws=None):
        """Return the draws of all chains, the first axis; or some, evenly spread.

        With a number of them, a fraction of the first ones is discarded before.
        """
        n_kept = len(self._chains[0].sums)
        chosen = np.arange(n_kept)
        if n_draws is not None:
            first = min(int(_DISCARDED * n_kept), n_kept - n_draws)
            chosen = np.linspace(first, n_kept - 1, n_draws).round().astype(int)
        with one_blas_thread():
            found = run_tasks(
                _draws_of,
                [
                    (chain, chosen, self._problem, self._over_groups)
                    for chain in self._chains
                ],
                n_jobs=self._n_jobs,
            )
        return Draws(*map(np.stack, zip(*(vars(chain).values() for chain in found))))

    def _advance(self, n_sweeps, recorder):
        n_chains = len(self._chains)
        with one_blas_thread():
            groups = run_tasks(
                _advanced,
                [
                    (self._chains[group], n_sweeps, self._sampler, recorder,
                     self._progress)
                    for group in gen_batches(n_chains, self._sampler.n_together)
                ],
                n_jobs=self._n_jobs,
                all_progress=[self._progress],
            )  # fmt: skip
        self._chains = [chain for group in groups for chain in group]
        self.n_sweeps += n_sweeps


class Recorder:
    """The quantities of a state that are recorded.

    They are the logarithms of the widths of all orders, log-odds of some rows, and the
    log likelihood. The log-odds are those of the most frequent class of the row.
    """

    def __init__(self, problem):
        rows = np.linspace(0, len(problem.totals) - 1, _RECORDED_ROWS).astype(int)
        self._problem, self._rows = problem, np.unique(rows)
        self._sets = problem.weights_of_sets[self._rows].argmax(axis=1)
        self.shape = (len(problem.prior.scales) + len(self._rows) + 1,)

    def __call__(self, state):
        """Return the quantities of a state."""
        predictors, n_rows = state.predictors, len(self._rows)
        own = predictors[self._rows]
        log_odds = own[np.arange(n_rows), self._sets]
        if own.shape[1] > 1:
            own[np.arange(n_rows), self._sets] = -np.inf
            log_odds = log_odds - np.logaddexp.reduce(own, axis=1)
        height = logistic.log_likelihood(
            predictors=predictors,
            weights=self._problem.weights_of_sets,
            totals=self._problem.totals,
        )
        return np.concatenate([state.log_sigma, log_odds, [height]])


@dataclass(eq=False)
class Chain:
    """A chain.

    Attributes
    ----------
    state : State or HamiltonianState
    generator : Generator
    sums, quantities : Trace
        Of draws: their sums, and the recorded quantities.
    recorded : Trace
        The quantities of all sweeps.
    """

    state: State | HamiltonianState
    generator: np.random.Generator
    sums: Trace
    quantities: Trace
    recorded: Trace


def _advanced(chains, n_sweeps, sampler, recorder, progress):
    """Return chains that move together after some sweeps, recorded by a recorder."""
    states = [chain.state for chain in chains]
    generators = [chain.generator for chain in chains]
    for _ in range(n_sweeps):
        sampler.sweep(states, generators)
        for chain in chains:
            if recorder is not None:
                quantities = recorder(chain.state)
                chain.sums.hear(chain.state.sums)
                chain.quantities.hear(quantities)
                chain.recorded.hear(quantities)
            progress.check()
    return chains


def _draws_of(chain, chosen, problem, over_groups):
    """Return some draws of a chain of a problem, with the sums of all groups."""
    quantities, sums = chain.quantities.values()[chosen], chain.sums.values()[chosen]
    log_sigma = quantities[:, : len(problem.prior.scales)].copy()
    if problem is not over_groups:
        sums = problem.groups.draw_sums(
            problem=over_groups,
            coordinates=sums,
            log_sigma=log_sigma,
            generator=chain.generator,
        )
    return Draws(
        sums=sums, log_sigma=log_sigma, log_likelihood=quantities[:, -1].copy()
    )


def run_until_converged(estimator, problem, seed):
    """Run chains until they agree, within the limits of an estimator.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier
    problem : Problem
    seed : int

    Returns
    -------
    draws : Draws
        The first axis are the chains.
    convergence : Convergence
    """
    began, max_sweeps = monotonic(), estimator.max_sweeps
    most = estimator.burn_in + max_sweeps
    stage = Progress(estimator).stage("chains", most, step="sweep").start()
    # Chains make at least as many sweeps as they have draws.
    least = ceil(estimator.n_draws / (1 - _DISCARDED))
    chains = Chains(
        problem,
        sampler=estimator.sampler,
        n_chains=estimator.n_chains,
        capacity=2 * least,
        seed=seed,
        n_jobs=estimator.n_jobs,
        progress=stage,
    )
    chains.warm_up(estimator.burn_in)
    n_made, n_sweeps = 0, least
    while True:
        before = monotonic()
        chains.record(n_sweeps - n_made)
        now = monotonic()
        pace = (now - before) / (n_sweeps - n_made)
        n_made = n_sweeps
        convergence = chains.convergence()
        if convergence.reached(estimator) or n_made >= max_sweeps:
            break
        n_sweeps = min(ceil(_LONGER * n_made), max_sweeps)
        if estimator.max_time is not None:
            left = int((estimator.max_time - (now - began)) / max(pace, 1e-9))
            if left < 1:
                break
            n_sweeps = min(n_sweeps, n_made + left)
    stage.finish()
    return chains.draws(estimator.n_draws), convergence
