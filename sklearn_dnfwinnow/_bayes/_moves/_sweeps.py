"""Sweeps: samplers that apply some moves of sums and widths in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._bayes._moves._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._moves._slice import slice_sums
from sklearn_dnfwinnow._bayes._moves._widths import centred, non_centred

# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant. 'centred' integrates the mixing variables out, so
# that they must be drawn next.
SWEEPS = {
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


class Sweeps:
    """A sampler that applies moves of sums and widths in turn.

    Parameters
    ----------
    problem : Problem
    name : {'gibbs', 'slice'}
    """

    # Chains that move together, in one thread: only that of one state.
    n_together = 1
    # Nothing is adapted in the warm-up.
    adapted_after = ()

    def __init__(self, problem, name):
        self._problem, self._moves = problem, SWEEPS[name]

    def start(self, generator):
        """Return the first state of a chain."""
        return State.dispersed(self._problem, generator)

    def sweep(self, states, generators):
        """Update the states of chains that move together."""
        for state, generator in zip(states, generators):
            for move in self._moves:
                move(self._problem, state, generator)

    def settle(self, states):
        """End the warm-up."""
