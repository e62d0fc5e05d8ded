"""Hamiltonian: a sampler that moves all coordinates and widths together.

A sum, or a coordinate of a row basis, with a normal prior is its width times a number z
with a standard normal prior. The log density of all z and of the logarithms of the
widths is smooth. Hamiltonian Monte Carlo moves all of them at once (Neal 2011): widths
change together with what the classes of the rows determine, which neither updates of
widths given sums, nor of sums given widths, can do. With more than two classes, only
contrasts of sets are moved, and what all sets have is drawn from its prior.

Several chains move together: one product of matrices serves all of them. They make the
same number of steps, as in Hoffman, Radul & Sountsov (2021).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._bayes._moves._density import Density
from sklearn_dnfwinnow._bayes._moves._leapfrog import Leapfrog
from sklearn_dnfwinnow._bayes._moves._metric import Metric
from sklearn_dnfwinnow._bayes._moves._modes import modes_of
from sklearn_dnfwinnow._bayes._moves._warm_up import WarmUp

# Number of leapfrog steps of a move, at random.
_STEPS = 12, 64
# The logarithm of the size of steps differs at random by as much as this.
_SIZES = -0.6, 0.0
# The first logarithm of the size of steps, the rate of acceptance that it is adapted
# to, and the rate at which it is adapted.
_FIRST_STEP, _ACCEPTANCE, _ADAPTED = -1.5, 0.75, 0.7


@dataclass(eq=False)
class HamiltonianState:
    """The current state of a chain.

    Attributes
    ----------
    log_sigma : ndarray of shape (n_orders,)
    coordinates : ndarray of shape (n_coordinates, n_contrasts)
        In units of their widths.
    predictors : ndarray of shape (n_rows, n_sets)
        Up to a part that all sets of a row have.
    sums : ndarray of shape (n_coordinates, n_sets) or None
        The coordinates times their widths, for each set. None until they are drawn.
    log_step : float
        Logarithm of the size of steps.
    warm_up : WarmUp or None
        What the last part of the warm-up has seen, None after it.
    """

    log_sigma: np.ndarray
    coordinates: np.ndarray
    predictors: np.ndarray
    sums: np.ndarray | None = None
    log_step: float = _FIRST_STEP
    warm_up: "WarmUp | None" = None


class Hamiltonian:
    """Hamiltonian Monte Carlo of all coordinates and widths.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    """

    # Chains that move together, in one thread. One product of matrices for all of them
    # takes less than half the time of one for each.
    n_together = 4
    # The parts of the warm-up after which the metric is adapted. The size of the steps
    # is adapted until its end.
    adapted_after = 0.1, 0.3, 0.6

    def __init__(self, problem):
        self._problem, self._density = problem, Density(problem)
        self._leapfrog = Leapfrog(problem, self._density.likelihood)
        self._modes, self._shares = modes_of(problem)
        seen = WarmUp()
        for mode, share in zip(self._modes, self._shares):
            seen.see(
                self._density,
                log_sigma=mode.log_sigma,
                coordinates=mode.coordinates,
                predictors=mode.predictors,
                weight=share,
            )
        self._learn(seen)

    def start(self, generator):
        """Return the first state of a chain, at one of the modes."""
        mode = self._modes[generator.choice(len(self._modes), p=self._shares)]
        state = HamiltonianState(
            log_sigma=mode.log_sigma,
            coordinates=mode.coordinates,
            predictors=self._of_sets(mode.predictors),
            warm_up=WarmUp(),
        )
        self._draw_same(state, generator)
        return state

    def sweep(self, states, generators):
        """Update the states of chains that move together."""
        acceptances = self.move(states, generators)
        for state, acceptance in zip(states, acceptances):
            warm_up = state.warm_up
            if warm_up is not None:
                warm_up.see(
                    self._density,
                    log_sigma=state.log_sigma,
                    coordinates=state.coordinates,
                    predictors=self._density.likelihood.of_sets(state.predictors),
                )
                rate = _ADAPTED / np.sqrt(warm_up.n)
                state.log_step += rate * (acceptance - _ACCEPTANCE)

    def move(self, states, generators):
        """Move coordinates and widths; return the probabilities of acceptance.

        The number of steps is that of all chains, their size is that of each.
        """
        metric, height = self._metric, self._density.height
        of_sets = self._density.likelihood.of_sets
        log_sigma = np.stack([state.log_sigma for state in states])
        z = np.stack([state.coordinates.T for state in states])
        momenta, of_widths = metric.draw(z.shape[1:], generators)
        gains = metric.energies(momenta, of_widths)
        log_steps = [
            state.log_step + generator.uniform(*_SIZES)
            for state, generator in zip(states, generators)
        ]
        # Steps that are too long lead to places without a finite density.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            predictors = self._leapfrog.steps(
                generators[0].integers(*_STEPS),
                sizes=np.exp(log_steps),
                log_sigma=log_sigma,
                coordinates=z,
                momenta=momenta,
                of_widths=of_widths,
            )
            gains -= metric.energies(momenta, of_widths)
            ends = zip(log_sigma, z, predictors)
            for chain, (state, end) in enumerate(zip(states, ends)):
                own = of_sets(state.predictors)
                gains[chain] += height(end[0], end[1].T, end[2].T)
                gains[chain] -= height(state.log_sigma, state.coordinates, own)
        acceptances = np.exp(np.minimum(np.nan_to_num(gains, nan=-np.inf), 0.0))
        for chain, (state, generator) in enumerate(zip(states, generators)):
            if generator.uniform() < acceptances[chain]:
                state.log_sigma = log_sigma[chain]
                state.coordinates = z[chain].T
                state.predictors = self._of_sets(predictors[chain].T)
            self._draw_same(state, generator)
        return acceptances

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        self._learn(sum((state.warm_up for state in states), start=WarmUp()))
        for state in states:
            state.warm_up = WarmUp()
        self._agree(states)

    def settle(self, states):
        """End the warm-up."""
        self._agree(states)
        for state in states:
            state.warm_up = None

    def _learn(self, seen):
        self._metric = Metric(self._problem, **seen.means())
        self._leapfrog.use(self._metric)

    def _of_sets(self, contrasts):
        return np.ascontiguousarray(self._density.likelihood.to_sets(contrasts))

    def _draw_same(self, state, generator):
        """Draw what all sets have, and set the sums."""
        same = generator.standard_normal((len(state.coordinates), 1))
        sets = self._density.likelihood.to_sets(state.coordinates, same)
        state.sums = self._widths(state) * sets

    def _widths(self, state):
        widths = self._problem.prior.widths
        return widths(state.log_sigma, self._problem.groups.counts)[:, np.newaxis]

    @staticmethod
    def _agree(states):
        log_step = float(np.mean([state.log_step for state in states]))
        for state in states:
            state.log_step = log_step
