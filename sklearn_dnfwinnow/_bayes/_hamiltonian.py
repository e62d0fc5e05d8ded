"""Hamiltonian Monte Carlo: moves of all effects at once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

import numpy as np

from sklearn_dnfwinnow._bayes._metric import Metric, dense
from sklearn_dnfwinnow._bayes._parametrization import (
    Parametrization,
    Position,
    starts_of,
)
from sklearn_dnfwinnow._kernels import leapfrog


class Leapfrog:
    """Leapfrog steps of several chains, in single precision.

    The relative error of products with rows, 1e-7, is that of a kernel of the rows that
    differs by as much. Results have the same bits for any instruction set.

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem):
        prior, members = problem.prior, dense(problem.memberships)
        n_coordinates, n_rows = members.shape
        self._n_rows = n_rows
        # Coordinates that fill up a panel have a width, but no other effect.
        counts = np.ones((len(prior.scales), _filled(n_coordinates)), dtype=np.float32)
        counts[:, :n_coordinates] = problem.groups.counts.T
        self._density = {
            "to_rows": _panels(members),
            "to_coordinates": _panels(members.T),
            "counts": counts,
            "weights": _padded(problem.class_weights.T),
            "totals": _padded(problem.totals),
            "basis": problem.contrasts.of_classes.astype(np.float32),
            "is_cauchy": prior.family == "cauchy",
            "hyperprior": prior.for_kernels,
            "first": prior.first,
            "log_scales": np.log(prior.scales),
        }

    def use(self, parametrization, metric):
        """Make the following steps of some coordinates, and by a metric."""
        self._metric = {
            "information": _padded(parametrization.information),
            "to_directions": np.stack([_panels(own) for own in metric.vectors]),
            "from_directions": np.stack([_panels(own.T) for own in metric.vectors]),
            "factors": _padded(metric.factors),
            "variances": metric.variances,
        }

    def steps(self, n_steps, *, sizes, log_sigma, coordinates, momenta, of_widths):
        """Make steps.

        Parameters
        ----------
        n_steps : int
        sizes : ndarray of shape (n_chains,)
            Sizes of steps.
        log_sigma : ndarray of shape (n_chains, n_orders)
        coordinates, momenta : ndarray of shape (n_contrasts, n_chains, n_coordinates)
            The coordinates are those of the parametrization.
        of_widths : ndarray of shape (n_chains, n_widths)
            Momenta of the widths that are learned.

        Returns
        -------
        log_sigma, coordinates, momenta, of_widths : ndarray
        predictors : ndarray of shape (n_contrasts, n_chains, n_rows)
        """
        n_chains, n_coordinates = coordinates.shape[1:]
        log_sigma, of_widths = _with_chains(log_sigma, 0), _with_chains(of_widths, 0)
        coordinates = _with_chains(_padded(coordinates), 1)
        momenta = _with_chains(_padded(momenta), 1)
        shape = *coordinates.shape[:2], _filled(self._n_rows)
        predictors = np.empty(shape, dtype=np.float32)
        leapfrog.leapfrog(
            **self._density,
            **self._metric,
            n_steps=n_steps,
            sizes=_with_chains(sizes, 0),
            log_sigma=log_sigma,
            of_widths=of_widths,
            coordinates=coordinates,
            momenta=momenta,
            predictors=predictors,
        )
        own = np.s_[:, :n_chains, :n_coordinates]
        return (
            log_sigma[:n_chains],
            coordinates[own].astype(np.float64),
            momenta[own].astype(np.float64),
            of_widths[:n_chains],
            predictors[:, :n_chains, : self._n_rows].astype(np.float64),
        )


def _filled(n, whole=leapfrog.N_PANEL):
    """Return a number of columns, with those that fill up the last panel."""
    return max(1, -(-n // whole)) * whole


def _with_zeros(values, axis, whole):
    """Return a copy of values, with zeros that fill up an axis."""
    shape = list(values.shape)
    shape[axis] = _filled(shape[axis], whole)
    filled = np.zeros(shape, dtype=values.dtype)
    filled[tuple(map(slice, values.shape))] = values
    return filled


def _padded(values):
    """Return float32 values with zeros that fill up the last panel."""
    return _with_zeros(values.astype(np.float32), -1, leapfrog.N_PANEL)


def _with_chains(values, axis):
    """Return a copy of values, with chains of zeros that fill up the last product."""
    return _with_zeros(values, axis, leapfrog.N_ABREAST)


def _panels(matrix):
    """Return a matrix as panels of columns, with zeros that fill up both axes."""
    rows = _padded(_padded(matrix.T).T)
    panels = rows.reshape(len(rows), -1, leapfrog.N_PANEL).transpose(1, 0, 2)
    return np.ascontiguousarray(panels)


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
    position : Position
    predictors : ndarray of shape (n_rows, n_sets) or None
        Up to a part that all sets of a row have. None until the first sweep.
    sums : ndarray of shape (n_coordinates, n_sets) or None
        The coordinates times their widths, for each set. None likewise.
    log_step : float
        Logarithm of the size of steps.
    seen : list of Position or None
        Places of the last part of the warm-up, None after it.
    n_moves : int
        Number of moves in the last part of the warm-up.
    """

    position: Position
    predictors: np.ndarray | None = None
    sums: np.ndarray | None = None
    log_step: float = _FIRST_STEP
    seen: list | None = field(default_factory=list)
    n_moves: int = 0

    @property
    def log_sigma(self):
        """Return the logarithms of the widths of all orders."""
        return self.position.log_sigma


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
                    state.seen.append(state.position)
                state.n_moves += 1
                rate = _ADAPTED / np.sqrt(state.n_moves)
                state.log_step += rate * (acceptance - _ACCEPTANCE)

    def move(self, states, generators):
        """Move coordinates and widths; return the probabilities of acceptance.

        The number of steps is that of all chains, their size is that of each.
        """
        metric, parametrization = self._metric, self._parametrization
        before = [state.position for state in states]
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
                    log_sigma=np.stack([position.log_sigma for position in before]),
                    coordinates=parametrization.coordinates(before),
                    momenta=momenta,
                    of_widths=of_widths,
                )
            )
            after = parametrization.places(log_sigma, coordinates, predictors)
            gains += parametrization.heights(after)
            gains -= metric.energies(momenta, of_widths)
        acceptances = np.exp(np.minimum(np.nan_to_num(gains, nan=-np.inf), 0.0))
        for state, position, generator, acceptance in zip(
            states, after, generators, acceptances
        ):
            if generator.uniform() < acceptance:
                state.position = position
            self._show(state, generator)
        return acceptances

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        seen = [position for state in states for position in state.seen]
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
        position, to_sets = state.position, self._problem.contrasts.to_sets
        counts = self._problem.groups.counts
        widths = self._problem.prior.widths(position.log_sigma, counts)[:, np.newaxis]
        same = 0.0
        if self._problem.prior.family == "normal":
            same = generator.standard_normal(widths.shape)
        state.predictors = np.ascontiguousarray(to_sets(position.predictors))
        state.sums = widths * to_sets(position.values, same)

    @staticmethod
    def _agree(states):
        log_step = float(np.mean([state.log_step for state in states]))
        for state in states:
            state.log_step = log_step
