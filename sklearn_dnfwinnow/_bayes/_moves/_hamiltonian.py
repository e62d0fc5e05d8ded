"""Hamiltonian: a sampler that moves all coordinates and widths together.

A sum, or a coordinate of a row basis, with a normal prior is its width times a number z
with a standard normal prior. The log density of all z and of the logarithms of the
widths is smooth. Hamiltonian Monte Carlo moves all of them at once (Neal 2011): widths
change together with what the classes of the rows determine, which neither updates of
widths given sums, nor of sums given widths, can do. With more than two classes, only
contrasts of sets are moved, and what all sets have is drawn from its prior.

With two classes, a Gibbs draw follows. Given Polya-Gamma variables, it draws the widths
of all orders without the sums, and then the sums (`_gibbs`). It is quick where classes
are noisy and orders replace each other, and slow where classes are separated; the other
move is slow and quick there.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import exp

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import diags_array

from sklearn_dnfwinnow._bayes._moves._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._moves._gibbs import draw_sums
from sklearn_dnfwinnow._bayes._moves._modes import dense, modes_of, slopes_of
from sklearn_dnfwinnow._bayes._moves._width_proposals import WidthProposals

# Number of leapfrog steps of a move, at random: if a Gibbs draw follows, and otherwise.
_STEPS, _MORE_STEPS = (12, 40), (12, 64)
# The logarithm of the size of steps differs at random by as much as this: where widths
# are large, only short steps are accepted.
_SIZES = -1.4, 0.3
# The first logarithm of the size of steps, the rate of acceptance that it is adapted
# to, and the rate at which it is adapted.
_FIRST_STEP, _ACCEPTANCE, _ADAPTED = -1.5, 0.75, 0.7
# About how many contrasts of a row have all of its information: most rows are doubtful
# between few classes.
_INFORMED = 2
# The metric treats directions as if only the prior determined them, if the information
# of all rows is below this fraction of that of the prior.
_LEAST_INFORMATION = 0.7


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
    proposals : WidthProposals or None
        Proposals of the widths that are learned, for Gibbs draws.
    warm_up : WarmUp or None
        What the last part of the warm-up has seen, None after it.
    """

    log_sigma: np.ndarray
    coordinates: np.ndarray
    predictors: np.ndarray
    sums: np.ndarray | None = None
    log_step: float = _FIRST_STEP
    proposals: WidthProposals | None = None
    warm_up: "WarmUp | None" = None


class Density:
    """The log density of coordinates and of the logarithms of widths.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    """

    # Products with rows in single precision take half the time. Their relative error of
    # 1e-7 is that of a kernel of the rows that differs by as much.
    dtype = np.float32

    def __init__(self, problem):
        self._problem, self.likelihood = problem, problem.once(Contrasts)
        self._members = problem.memberships.astype(self.dtype)
        self._of_rows = self._members.T
        counts = problem.groups.counts[:, problem.prior.first :]
        self._learned = np.ascontiguousarray(counts.T)

    def predictors(self, log_sigma, coordinates):
        """Return the predictors: (n_rows, n_contrasts)."""
        widths = self._widths(log_sigma)
        return self._to_rows(widths[:, np.newaxis] * coordinates)

    def height(self, log_sigma, coordinates, predictors):
        """Return the log density, up to a constant."""
        return (
            self.likelihood.height(predictors)
            - 0.5 * np.sum(coordinates**2)
            + self._problem.prior.log_density(log_sigma)
        )

    def slopes(self, log_sigma, coordinates):
        """Return the gradients: of the coordinates, and of the widths learned."""
        prior = self._problem.prior
        widths = self._widths(log_sigma)[:, np.newaxis]
        predictors = self._to_rows(widths * coordinates)
        score = self.likelihood.score(predictors).astype(self.dtype)
        score = self._members @ score
        # The derivative of a width w by log sigma_o is n_o sigma_o^2 / w.
        of_widths = np.einsum("gk,gk->g", score, coordinates) / widths[:, 0]
        of_widths = (self._learned @ of_widths) * np.exp(2 * log_sigma[prior.first :])
        return score * widths - coordinates, prior.slope(log_sigma) + of_widths

    def information_of_widths(self, log_sigma, coordinates, predictors):
        """Return the information about widths given coordinates: (n, n)."""
        squares = np.exp(2 * log_sigma[self._problem.prior.first :])
        relative = coordinates / self._widths(log_sigma)[:, np.newaxis]
        directions = [
            square * self._to_rows(counts[:, np.newaxis] * relative)
            for square, counts in zip(squares, self._learned)
        ]
        if not directions:
            return np.zeros((0, 0))
        return self.likelihood.information_along(predictors, np.stack(directions))

    def _to_rows(self, sums):
        return (self._of_rows @ sums.astype(self.dtype)).astype(np.float64)

    def _widths(self, log_sigma):
        return self._problem.prior.widths(log_sigma, self._problem.groups.counts)


class Metric:
    """The metric of the moves: about the precision of the posterior.

    For the coordinates of each contrast it is the identity, plus a matrix of low rank
    for what the rows determine. Coordinates and widths are not coupled. Only the
    efficiency of moves depends on it.

    Parameters
    ----------
    problem : Problem
    log_sigma : ndarray of shape (n_orders,)
        Typical widths.
    information : ndarray of shape (n_rows,)
        Typical information of the rows.
    of_widths : ndarray of shape (n_widths, n_widths)
        Typical information about the widths that are learned.
    """

    def __init__(self, problem, log_sigma, information, of_widths):
        scaled = slopes_of(problem, log_sigma) @ diags_array(np.sqrt(information))
        n_coordinates, n_rows = scaled.shape
        over_rows = n_rows < n_coordinates
        gram = scaled.T @ scaled if over_rows else scaled @ scaled.T
        lengths, vectors = eigh(dense(gram))
        large = lengths > _LEAST_INFORMATION
        lengths, vectors = lengths[large], vectors[:, large]
        if over_rows:
            vectors = (scaled @ vectors) / np.sqrt(lengths)
        self._vectors = vectors
        self._inverse = -(lengths / (1 + lengths))[:, np.newaxis]
        self._root = (np.sqrt(1 + lengths) - 1)[:, np.newaxis]
        precision = of_widths + np.eye(len(of_widths))
        self._root_of_widths = np.linalg.cholesky(precision)
        self._inverse_of_widths = np.linalg.inv(precision)

    def draw(self, shape, generator):
        """Draw momenta of the coordinates, of a shape, and of the widths."""
        noise = generator.standard_normal(shape)
        noise += self._vectors @ (self._root * (self._vectors.T @ noise))
        root = self._root_of_widths
        return noise, root @ generator.standard_normal(len(root))

    def velocities(self, momentum, of_widths):
        """Return the velocities of the coordinates, and of the widths."""
        projected = self._inverse * (self._vectors.T @ momentum)
        velocity = momentum + self._vectors @ projected
        return velocity, self._inverse_of_widths @ of_widths

    def energy(self, momentum, of_widths):
        """Return the kinetic energy."""
        velocity, speeds = self.velocities(momentum, of_widths)
        return 0.5 * (np.sum(momentum * velocity) + of_widths @ speeds)


class WarmUp:
    """What a chain has seen in a part of the warm-up.

    Attributes
    ----------
    places : list of ndarray of shape (n_widths,)
        Logarithms of the widths that are learned, after each sweep.
    n : float
        Total weight of the states.
    """

    _log_sigma = _information = _of_widths = 0.0

    def __init__(self):
        self.places, self.n = [], 0.0

    def see(self, density, *, log_sigma, coordinates, predictors, weight=1.0):
        """See a place, with a weight."""
        likelihood = density.likelihood
        own = likelihood.information(predictors) * min(likelihood.n, _INFORMED)
        of_widths = density.information_of_widths(log_sigma, coordinates, predictors)
        self.n += weight
        self._log_sigma = self._log_sigma + weight * log_sigma
        self._information = self._information + weight * own
        self._of_widths = self._of_widths + weight * of_widths

    def __add__(self, other):
        total = WarmUp()
        for name in ("n", "_log_sigma", "_information", "_of_widths"):
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total

    def means(self):
        """Return the means of what `Metric` is made of."""
        return (
            self._log_sigma / self.n,
            self._information / self.n,
            self._of_widths / self.n,
        )


class Hamiltonian:
    """Hamiltonian Monte Carlo of all coordinates and widths.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    """

    # The parts of the warm-up after which the metric is adapted. The size of the steps
    # is adapted until its end.
    adapted_after = 0.1, 0.3, 0.6

    def __init__(self, problem):
        self._problem, self._density = problem, Density(problem)
        # With more classes, the sums of the others determine the widths.
        self._draws_sums = problem.n_sets == 1
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
        self._metric = Metric(problem, *seen.means())

    def start(self, generator):
        """Return the first state of a chain, at one of the modes."""
        mode = self._modes[generator.choice(len(self._modes), p=self._shares)]
        learned = mode.log_sigma[np.newaxis, self._problem.prior.first :]
        state = HamiltonianState(
            log_sigma=mode.log_sigma,
            coordinates=mode.coordinates,
            predictors=self._of_sets(mode.predictors),
            proposals=WidthProposals(learned),
            warm_up=WarmUp(),
        )
        self._draw_same(state, generator)
        return state

    def sweep(self, state, generator):
        """Update a state."""
        acceptance = self.move(state, generator)
        if self._draws_sums:
            draw_sums(self._problem, state, generator)
            state.coordinates = state.sums / self._widths(state)
        warm_up = state.warm_up
        if warm_up is not None:
            warm_up.places.append(state.log_sigma[self._problem.prior.first :])
            warm_up.see(
                self._density,
                log_sigma=state.log_sigma,
                coordinates=state.coordinates,
                predictors=self._density.likelihood.of_sets(state.predictors),
            )
            rate = _ADAPTED / np.sqrt(warm_up.n)
            state.log_step += rate * (acceptance - _ACCEPTANCE)

    def move(self, state, generator):
        """Move coordinates and widths; return the probability of acceptance."""
        density, metric, first = self._density, self._metric, self._problem.prior.first
        z, log_sigma = state.coordinates, state.log_sigma.copy()
        predictors = density.predictors(log_sigma, z)
        momentum, of_widths = metric.draw(z.shape, generator)
        before = density.height(log_sigma, z, predictors)
        before -= metric.energy(momentum, of_widths)
        size = exp(state.log_step + generator.uniform(*_SIZES))
        fewest, end = _STEPS if self._draws_sums else _MORE_STEPS
        n_steps = generator.integers(fewest, end)
        # Steps that are too long lead to places without a finite density.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            half = size / 2
            for _ in range(n_steps):
                slope, of_width = density.slopes(log_sigma, z)
                momentum = momentum + half * slope
                of_widths = of_widths + half * of_width
                velocity, speed = metric.velocities(momentum, of_widths)
                z = z + size * velocity
                log_sigma[first:] += size * speed
                half = size
            slope, of_width = density.slopes(log_sigma, z)
            momentum = momentum + size / 2 * slope
            of_widths = of_widths + size / 2 * of_width
            predictors = density.predictors(log_sigma, z)
            gain = density.height(log_sigma, z, predictors) - before
            gain -= metric.energy(momentum, of_widths)
        acceptance = exp(min(gain, 0.0)) if np.isfinite(gain) else 0.0
        if generator.uniform() < acceptance:
            state.log_sigma, state.coordinates = log_sigma, z
            state.predictors = self._of_sets(predictors)
        self._draw_same(state, generator)
        return acceptance

    def adapt(self, states):
        """Learn from the last part of the warm-up of all chains."""
        seen = sum((state.warm_up for state in states), start=WarmUp())
        self._metric = Metric(self._problem, *seen.means())
        places = np.concatenate([state.warm_up.places for state in states])
        proposals = WidthProposals(places)
        for state in states:
            state.warm_up, state.proposals = WarmUp(), proposals
        self._agree(states)

    def settle(self, states):
        """End the warm-up."""
        self._agree(states)
        for state in states:
            state.warm_up = None

    def _of_sets(self, predictors):
        return np.ascontiguousarray(self._density.likelihood.to_sets(predictors))

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
