"""Sweeps: samplers that apply some moves of sums and widths in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._bayes._moves._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._moves._hamiltonian import (
    FIRST_STEP,
    adapted,
    move_jointly,
)
from sklearn_dnfwinnow._bayes._moves._metric import Metric, Moments
from sklearn_dnfwinnow._bayes._moves._slice import slice_sums
from sklearn_dnfwinnow._bayes._moves._widths import centred, non_centred

# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant. 'hamiltonian' is for normal priors, 'gibbs' for
# Cauchy priors: there, 'centred' integrates the mixing variables out, so that they must
# be drawn next.
SWEEPS = {
    "hamiltonian": (move_jointly, centred),
    "gibbs": (draw_sums, centred, draw_mixing, non_centred),
    "slice": (slice_sums, centred),
}
# Widths start within this factor, as a logarithm, of the scales of their prior.
_START = 2.0


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
    metric : Metric or None
        Coordinates of `move_jointly`.
    log_step : float
        Logarithm of the size of its steps.
    acceptance : float
        Probability that the last such move was accepted.
    seen : Moments or None
        What the last part of the warm-up has seen, None after it.
    """

    log_sigma: np.ndarray
    sums: np.ndarray
    predictors: np.ndarray
    mixing: np.ndarray | None = None
    metric: Metric | None = None
    log_step: float = FIRST_STEP
    acceptance: float = 0.0
    seen: Moments | None = None

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


class Sweeps:
    """A sampler, which learns from its warm-up how to move.

    Parameters
    ----------
    problem : Problem
    name : {'hamiltonian', 'gibbs', 'slice'}
    """

    # Parts of the warm-up, each followed by `adapt`.
    windows = 0.2, 0.3, 0.5

    def __init__(self, problem, name):
        self._problem, self._moves = problem, SWEEPS[name]
        self._learns = move_jointly in self._moves

    def start(self, generator):
        """Return the first state of a chain."""
        problem = self._problem
        state = State.dispersed(problem, generator)
        if self._learns:
            state.metric, state.seen = problem.once(Metric.of), Moments(problem)
        return state

    def sweep(self, state, generator):
        """Update a state."""
        for move in self._moves:
            move(self._problem, state, generator)
        if state.seen is not None:
            state.seen.see(state)
            state.log_step = adapted(
                log_step=state.log_step,
                acceptance=state.acceptance,
                n_moves=state.seen.n,
            )

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        if not self._learns:
            return
        metric = Metric.of(self._problem, [state.seen for state in states])
        log_step = np.mean([state.log_step for state in states])
        for state in states:
            state.metric, state.log_step = metric, log_step
            state.seen = Moments(self._problem)

    def settle(self, states):
        """End the warm-up."""
        for state in states:
            state.seen = None
