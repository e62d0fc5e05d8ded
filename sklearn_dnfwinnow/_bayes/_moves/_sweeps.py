"""Sweeps: samplers that apply some moves of sums and widths in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._bayes._moves._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._moves._leading import (
    Leading,
    adapted,
    information_of,
    move_leading,
)
from sklearn_dnfwinnow._bayes._moves._slice import slice_sums
from sklearn_dnfwinnow._bayes._moves._width_proposals import WidthProposals
from sklearn_dnfwinnow._bayes._moves._widths import centred, non_centred

# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant. 'centred' integrates the mixing variables out, so
# that they must be drawn next.
SWEEPS = {
    "gibbs": (draw_sums, move_leading, centred, draw_mixing, non_centred),
    "slice": (slice_sums, centred),
}
# Widths start within this factor, as a logarithm, of the scales of their prior.
_START = 2.0
# First size of the steps of `move_leading`, as a logarithm.
_FIRST_STEP = -1.5


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
    proposals : WidthProposals or None
        Proposals of the widths that are learned. None proposes none.
    leading : Leading or None
        The coordinates of `move_leading`. None moves none.
    log_step : float
        Logarithm of the size of the steps of this move.
    acceptance : float
        Probability that the last such move was accepted.
    warm_up : WarmUp or None
        What the last part of the warm-up has seen, None after it.
    """

    log_sigma: np.ndarray
    sums: np.ndarray
    predictors: np.ndarray
    mixing: np.ndarray | None = None
    proposals: WidthProposals | None = None
    leading: Leading | None = None
    log_step: float = _FIRST_STEP
    acceptance: float = 0.0
    warm_up: "WarmUp | None" = None

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


class WarmUp:
    """What a chain has seen in a part of its warm-up.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    places : list of ndarray of shape (n_widths,)
        Logarithms of the widths that are learned, after each sweep.
    information : ndarray of shape (n_rows, n_sets)
        Sum over these sweeps, see `information_of`.
    """

    def __init__(self, problem):
        self._problem, self.places = problem, []
        self.information = np.zeros((len(problem.totals), problem.n_sets))

    def see(self, state):
        """See a state after a sweep, and adapt its steps."""
        self.places.append(state.log_sigma[self._problem.prior.first :].copy())
        self.information += information_of(self._problem, state.predictors)
        if state.leading is not None:
            state.log_step = adapted(
                log_step=state.log_step,
                acceptance=state.acceptance,
                n_moves=len(self.places),
            )


class Sweeps:
    """A sampler, which learns from its warm-up how to move.

    Parameters
    ----------
    problem : Problem
    name : {'gibbs', 'slice'}
    """

    # Parts of the warm-up, each followed by `adapt`.
    windows = 0.2, 0.3, 0.5

    def __init__(self, problem, name):
        self._problem, self._moves = problem, SWEEPS[name]

    def start(self, generator):
        """Return the first state of a chain."""
        state = State.dispersed(self._problem, generator)
        learned = state.log_sigma[self._problem.prior.first :]
        state.proposals = WidthProposals(learned[np.newaxis])
        state.warm_up = WarmUp(self._problem)
        return state

    def sweep(self, state, generator):
        """Update a state."""
        for move in self._moves:
            move(self._problem, state, generator)
        if state.warm_up is not None:
            state.warm_up.see(state)

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        problem, seen = self._problem, [state.warm_up for state in states]
        places = np.concatenate([one.places for one in seen])
        proposals, leading = WidthProposals(places), None
        if problem.prior.family == "normal" and move_leading in self._moves:
            fixed = states[0].log_sigma[: problem.prior.first]
            leading = Leading.of(
                problem=problem,
                log_sigma=np.append(fixed, places.mean(axis=0)),
                information=sum(one.information for one in seen) / len(places),
            )
        log_step = np.mean([state.log_step for state in states])
        for state in states:
            state.proposals, state.leading = proposals, leading
            state.log_step, state.warm_up = log_step, WarmUp(problem)

    def settle(self, states):
        """End the warm-up."""
        for state in states:
            state.warm_up = None
