"""Sweeps: samplers that apply some moves of sums and widths in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._bayes._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._slice import slice_sums
from sklearn_dnfwinnow._bayes._widths import centred, non_centred

# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant. 'centred' integrates the mixing variables out, so
# that they must be drawn next.
SWEEPS = {
    "gibbs": (draw_sums, centred, draw_mixing, non_centred),
    "slice": (slice_sums, centred),
}


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

    @property
    def kept(self):
        """Return what is kept of a draw."""
        return self.sums


class Sweeps:
    """A sampler without adaptation.

    Parameters
    ----------
    problem : Problem
    moves : tuple of callable
    """

    windows = (1.0,)

    def __init__(self, problem, moves):
        self.problem, self._moves = problem, moves
        self.shape_of_kept = problem.groups.n_groups, problem.n_sets

    def start(self, log_sigma, generator):
        """Return a state with given widths, and sums of 0."""
        return State(
            log_sigma=log_sigma,
            sums=np.zeros(self.shape_of_kept),
            predictors=np.zeros((len(self.problem.groups.rows), self.problem.n_sets)),
        )

    def sweep(self, state, generator):
        """Update a state."""
        for move in self._moves:
            move(self.problem, state, generator)

    def adapt(self, states):
        """Learn nothing."""

    def settle(self, states):
        """End the adaptation, of which there is none."""

    def sums(self, kept, log_sigma, generator):
        """Return the sums of groups of kept draws: (n, n_groups, n_sets), float32."""
        return kept
