"""Hamiltonian: a sampler that moves all coordinates and widths together.

A sum, or a coordinate of a row basis, is its width times a parameter of scale 1, which
is a function of a coordinate z. The log density of all z and of the logarithms of the
widths is smooth. Hamiltonian Monte Carlo moves all of them at once (Neal 2011): widths
change together with what the classes of the rows determine, which neither updates of
widths given sums, nor of sums given widths, can do. With normal priors, a function of z
and of its width is moved, see `Parametrization`, and with more than two classes only
contrasts of sets, while what all sets have is drawn from its prior.

Several chains move together: one product of matrices serves all of them. They make the
same number of steps, as in Hoffman, Radul & Sountsov (2021).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

import numpy as np

from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._leapfrog import Leapfrog
from sklearn_dnfwinnow._bayes._hamiltonian._metric import Metric
from sklearn_dnfwinnow._bayes._hamiltonian._modes import starts_of
from sklearn_dnfwinnow._bayes._hamiltonian._parametrization import Parametrization
from sklearn_dnfwinnow._bayes._hamiltonian._place import Place

# Number of leapfrog steps of a move, at random.
_STEPS = 12, 64
# The logarithm of the size of steps differs at random by as much as this.
_SIZES = -0.6, 0.0
# The first logarithm of the size of steps, the rate of acceptance that it is adapted
# to, and the rate at which it is adapted.
_FIRST_STEP, _ACCEPTANCE, _ADAPTED = -1.5, 0.75, 0.7
# One in so many places of the warm-up is learned from.
_SEEN_EVERY = 4


@dataclass(eq=False)
class HamiltonianState:
    """The current state of a chain.

    Attributes
    ----------
    place : Place
    predictors : ndarray of shape (n_rows, n_sets) or None
        Up to a part that all sets of a row have. None until the first sweep.
    sums : ndarray of shape (n_coordinates, n_sets) or None
        The coordinates times their widths, for each set. None likewise.
    log_step : float
        Logarithm of the size of steps.
    seen : list of Place or None
        Places of the last part of the warm-up, None after it.
    n_moves : int
        Number of moves in the last part of the warm-up.
    """

    place: Place
    predictors: np.ndarray | None = None
    sums: np.ndarray | None = None
    log_step: float = _FIRST_STEP
    seen: list | None = field(default_factory=list)
    n_moves: int = 0

    @property
    def log_sigma(self):
        """Return the logarithms of the widths of all orders."""
        return self.place.log_sigma


class Hamiltonian:
    """Hamiltonian Monte Carlo of all coordinates and widths.

    Parameters
    ----------
    problem : Problem
    """

    # Chains that move together, in one thread. One product of matrices for all of them
    # takes less than half the time of one for each.
    n_together = 4
    # The parts of the warm-up after which the metric is adapted. The size of the steps
    # is adapted until its end.
    adapted_after = 0.1, 0.3, 0.6

    def __init__(self, problem):
        self._problem, self._leapfrog = problem, Leapfrog(problem)
        self._starts, self._shares = starts_of(problem)
        # Starts are not typical of coordinates, so that only the metric is learned.
        plain = Parametrization.plain(problem)
        self._use(plain, Metric.learned(problem, plain, self._starts, self._shares))

    def start(self, generator):
        """Return the first state of a chain."""
        start = self._starts[generator.choice(len(self._starts), p=self._shares)]
        state = HamiltonianState(start)
        self._show(state, generator)
        return state

    def sweep(self, states, generators):
        """Update the states of chains that move together."""
        acceptances = self.move(states, generators)
        for state, acceptance in zip(states, acceptances):
            if state.seen is not None:
                if state.n_moves % _SEEN_EVERY == 0:
                    state.seen.append(state.place)
                state.n_moves += 1
                rate = _ADAPTED / np.sqrt(state.n_moves)
                state.log_step += rate * (acceptance - _ACCEPTANCE)

    def move(self, states, generators):
        """Move coordinates and widths; return the probabilities of acceptance.

        The number of steps is that of all chains, their size is that of each.
        """
        metric, parametrization = self._metric, self._parametrization
        before = [state.place for state in states]
        momenta, of_widths = metric.draw(generators)
        log_steps = [
            state.log_step + generator.uniform(*_SIZES)
            for state, generator in zip(states, generators)
        ]
        gains = metric.energies(momenta, of_widths) - parametrization.heights(before)
        # Steps that are too long lead to places without a finite density.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            log_sigma, coordinates, momenta, of_widths, predictors = (
                self._leapfrog.steps(
                    generators[0].integers(*_STEPS),
                    sizes=np.exp(log_steps),
                    log_sigma=np.stack([place.log_sigma for place in before]),
                    coordinates=parametrization.coordinates(before),
                    momenta=momenta,
                    of_widths=of_widths,
                )
            )
            after = parametrization.places(log_sigma, coordinates, predictors)
            gains += parametrization.heights(after)
            gains -= metric.energies(momenta, of_widths)
        acceptances = np.exp(np.minimum(np.nan_to_num(gains, nan=-np.inf), 0.0))
        for state, place, generator, acceptance in zip(
            states, after, generators, acceptances
        ):
            if generator.uniform() < acceptance:
                state.place = place
            self._show(state, generator)
        return acceptances

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        seen = [place for state in states for place in state.seen]
        learned = Parametrization.learned(self._problem, seen)
        self._use(learned, Metric.learned(self._problem, learned, seen))
        for state in states:
            state.seen, state.n_moves = [], 0
        self._agree(states)

    def settle(self, states):
        """End the warm-up."""
        self._agree(states)
        for state in states:
            state.seen = None

    def _use(self, parametrization, metric):
        self._parametrization, self._metric = parametrization, metric
        self._leapfrog.use(parametrization, metric)

    def _show(self, state, generator):
        """Set the predictors and sums of all sets, and draw what all of them have."""
        place, to_sets = state.place, self._problem.once(Contrasts).to_sets
        counts = self._problem.groups.counts
        widths = self._problem.prior.widths(place.log_sigma, counts)[:, np.newaxis]
        same = 0.0
        if self._problem.prior.family == "normal":
            same = generator.standard_normal(widths.shape)
        state.predictors = np.ascontiguousarray(to_sets(place.predictors))
        state.sums = widths * to_sets(place.values, same)

    @staticmethod
    def _agree(states):
        log_step = float(np.mean([state.log_step for state in states]))
        for state in states:
            state.log_step = log_step
