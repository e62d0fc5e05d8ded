"""Chains: several Markov chains of a problem, in threads."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from time import monotonic

import numpy as np
from threadpoolctl import threadpool_limits

from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._slice import slice_sums
from sklearn_dnfwinnow._bayes._widths import centred, non_centred
from sklearn_dnfwinnow._kernels._logistic import log_likelihood
from sklearn_dnfwinnow._utils._parallel import run_tasks

# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant. 'centred' integrates the mixing variables out, so
# that they must be drawn next.
SWEEPS = {
    "gibbs": (draw_sums, centred, draw_mixing, non_centred),
    "slice": (slice_sums, centred),
}
# Seconds between two printed lines of one chain.
_SILENCE = 10.0
# Widths start within this factor, as a logarithm, of the scales of their prior.
_START = 2.0


class Halted(Exception):
    """A chain ends because another one was ended by an error or Ctrl-C."""


class ChainProgress:
    """Printed progress of chains, which can be halted: threads outlive their caller.

    Parameters
    ----------
    n_sweeps : int or None
        Number of sweeps of each chain. It prints a line every ten seconds, and at its
        end. None prints nothing.
    """

    _halted = False

    def __init__(self, n_sweeps=None):
        self._n_sweeps = n_sweeps
        self._printed = {}

    def halt(self):
        """End all chains, from another thread, after their current sweeps."""
        self._halted = True

    def sweep_made(self, chain, n_sweeps):
        """Report the number of sweeps of a chain."""
        if self._halted:
            raise Halted
        if self._n_sweeps is None:
            return
        now = monotonic()
        due = self._printed.setdefault(chain, now + _SILENCE)
        if n_sweeps == self._n_sweeps or now >= due:
            self._printed[chain] = now + _SILENCE
            print(
                f"[BayesianInteractionClassifier] chain {chain + 1}: "
                f"{n_sweeps} of {self._n_sweeps} sweeps",
                flush=True,
            )


@dataclass(eq=False)
class State:
    """The current state of a chain.

    Attributes
    ----------
    log_sigma : ndarray of shape (max_order + 1,)
    sums : ndarray of shape (n_groups, n_sets)
    predictors : ndarray of shape (n_rows, n_sets)
        For each row, the sum over its groups.
    mixing : ndarray of shape (n_groups, n_sets) or None
        Variances of the sums relative to their widths, see `_gibbs`. None until a move
        draws them.
    """

    log_sigma: np.ndarray
    sums: np.ndarray
    predictors: np.ndarray
    mixing: np.ndarray | None = None

    @classmethod
    def dispersed(cls, problem, generator):
        """Return an initial state, with widths from their prior and sums of 0."""
        prior, groups = problem.prior, problem.groups
        log_scales = np.log(prior.scales)
        return cls(
            log_sigma=np.clip(
                prior.draw_log_sigma(generator),
                log_scales - _START,
                log_scales + _START,
            ),
            sums=np.zeros((groups.n_groups, problem.n_sets)),
            predictors=np.zeros((len(groups.rows), problem.n_sets)),
        )


def run_chains(
    problem,
    *,
    sampler,
    n_chains,
    burn_in,
    n_draws,
    thin,
    seed,
    n_jobs=None,
    progress=None,
):
    """Run Markov chains from dispersed starts.

    Parameters
    ----------
    problem : Problem
        The total weight of each row is positive.
    sampler : {'gibbs', 'slice'}
    n_chains, burn_in, n_draws, thin : int
        Each chain makes ``burn_in + n_draws * thin`` sweeps, and keeps every `thin`-th
        one after the burn-in.
    seed : int
        Results are a function of the problem and the seed, for any `n_jobs`.
    n_jobs : int or None
        See joblib.
    progress : ChainProgress or None
        Receives a report of each sweep.

    Returns
    -------
    draws : Draws
        The first axis are the chains.
    """
    progress = ChainProgress() if progress is None else progress
    lengths = burn_in, n_draws, thin
    # The last bits of results depend on the number of threads of BLAS.
    with threadpool_limits(1, user_api="blas"):
        chains = run_tasks(
            _run_chain,
            [
                (problem, SWEEPS[sampler], lengths, seed, chain, progress)
                for chain in range(n_chains)
            ],
            n_jobs=n_jobs,
            all_progress=[progress],
        )
    return Draws.stack(chains)


def _run_chain(problem, moves, lengths, seed, chain, progress):
    """Return the draws of one chain."""
    burn_in, n_draws, thin = lengths
    sequence = np.random.SeedSequence(seed, spawn_key=(chain,))
    generator = np.random.Generator(np.random.PCG64(sequence))
    draws = Draws(
        sums=np.empty((n_draws, problem.groups.n_groups, problem.n_sets), np.float32),
        log_sigma=np.empty((n_draws, len(problem.prior.scales))),
        log_likelihood=np.empty(n_draws),
    )
    state = State.dispersed(problem, generator)
    for sweep in range(burn_in + n_draws * thin):
        for move in moves:
            move(problem, state, generator)
        kept, left = divmod(sweep - burn_in + 1, thin)
        if kept > 0 and left == 0:
            draws.sums[kept - 1] = state.sums
            draws.log_sigma[kept - 1] = state.log_sigma
            draws.log_likelihood[kept - 1] = log_likelihood(
                predictors=state.predictors,
                weights=problem.weights_of_sets,
                totals=problem.totals,
            )
        progress.sweep_made(chain, sweep + 1)
    return draws
