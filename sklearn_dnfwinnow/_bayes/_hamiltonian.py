"""Hamiltonian: moves of the effects and the widths of a normal prior.

Given the widths, the effects move along trajectories of Hamiltonian dynamics. The part
of the dynamics that belongs to the approximate posterior is solved exactly, as a
rotation; kicks add the rest (Beskos, Pinski, Sanz-Serna & Stuart 2011; Shahbaba, Lan,
Johnson & Neal 2014). The widths are proposed together with effects: the noise, of which
the effects are a function by the approximation, is drawn and kept (Murray & Adams
2010).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from math import cos, exp, isfinite, log, pi, sin, sqrt

import numpy as np

from sklearn_dnfwinnow._bayes._laplace import Conditional, Laplace, drawn_noise
from sklearn_dnfwinnow._bayes._marginal import Marginal, root_of

# A trajectory is about a quarter of a rotation, after which draws would be independent.
_QUARTER, _SHORTEST, _LONGEST = pi / 2, 0.7, 1.2
# Numbers of steps of a trajectory, and the range of their acceptance rates.
_FIRST_STEPS, _FEWEST_STEPS, _MOST_STEPS = 4, 2, 32
_FEW_ACCEPTED, _MANY_ACCEPTED = 0.75, 0.93
# Of random walks: the first step, the factor of later ones, and how often they are
# tried instead of proposals by the interpolated density.
_FIRST_WALK, _WALK, _WALKS = 0.6, 2.0, 0.2


@dataclass(eq=False)
class Memory:
    """What a chain recalls for the next adaptation."""

    places: list = field(default_factory=list)
    nodes: list = field(default_factory=list)
    heights: list = field(default_factory=list)
    accepted: list = field(default_factory=list)


@dataclass(eq=False)
class HamiltonianState:
    """The current state of a chain.

    Attributes
    ----------
    given : Conditional
        The approximate posterior, given the current widths.
    effects : ndarray of shape (n_sets, n_columns)
    places : ndarray of shape (n_sets, n_rows)
        The linear predictors of the effects.
    memory : Memory or None
        None after the warm-up.
    """

    given: Conditional
    effects: np.ndarray
    places: np.ndarray
    memory: Memory | None = field(default_factory=Memory)

    @property
    def log_sigma(self):
        """Return the logarithms of the widths."""
        return self.given.log_sigma

    @property
    def predictors(self):
        """Return the linear predictors: (n_rows, n_sets)."""
        return np.ascontiguousarray(self.places.T)

    @property
    def kept(self):
        """Return what is kept of a draw."""
        return self.effects


class Hamiltonian:
    """The sampler of problems with normal priors and not too many rows.

    Parameters
    ----------
    problem : Problem

    Attributes
    ----------
    shape_of_kept : tuple of int
    """

    # Fractions of the warm-up, each followed by `adapt`.
    windows = 0.25, 0.5, 0.25

    def __init__(self, problem):
        self.problem = problem
        self._laplace = Laplace(problem, np.log(problem.prior.scales))
        self._n_steps = _FIRST_STEPS
        self._n_windows = 0
        n_learned = len(problem.prior.scales) - problem.prior.first
        self._walk = _FIRST_WALK * np.eye(n_learned)
        self._marginal = None
        self.shape_of_kept = problem.n_sets, self._laplace.columns.matrix.shape[1]

    def start(self, log_sigma, generator):
        """Return a state with given widths, and a draw of the approximate posterior."""
        given = Conditional(self._laplace, log_sigma)
        return HamiltonianState(
            given, *given.effects(*drawn_noise(self._laplace, generator))
        )

    def sweep(self, state, generator):
        """Update a state."""
        move_effects(state, generator, self._n_steps)
        if len(self._walk):
            move_widths(state, generator, self._walk, self._marginal)
        if state.memory is not None:
            state.memory.places.append(state.log_sigma)

    def adapt(self, states):
        """Learn from the last window of all chains."""
        places = np.concatenate([state.memory.places for state in states])
        accepted = np.mean([state.memory.accepted for state in states])
        if accepted < _FEW_ACCEPTED:
            self._n_steps = min(_MOST_STEPS, int(1.5 * self._n_steps + 0.5))
        elif accepted > _MANY_ACCEPTED:
            self._n_steps = max(_FEWEST_STEPS, self._n_steps - 1)
        self._n_windows += 1
        is_first = self._n_windows == 1
        if is_first:
            self._laplace = Laplace(self.problem, places.mean(axis=0))
        self._learn_widths(states, places)
        for state in states:
            if is_first:
                state.given = Conditional(self._laplace, state.log_sigma)
                state.memory = Memory()
            state.memory.places.clear()
            state.memory.accepted.clear()

    def settle(self, states):
        """End the adaptation."""
        for state in states:
            state.memory = None

    def _learn_widths(self, states, places):
        """Learn steps of random walks, and the density of the widths."""
        first = self.problem.prior.first
        if not len(self._walk) or len(places) <= len(self._walk):
            return
        self._walk = root_of(places[:, first:]) * (_WALK / sqrt(len(self._walk)))
        nodes = [node for state in states for node in state.memory.nodes]
        heights = [height for state in states for height in state.memory.heights]
        # The heights of the first window are of another approximation.
        if self._n_windows == 1 or len(nodes) <= 2 * len(self._walk) + 2:
            return
        head = np.log(self.problem.prior.scales)[:first]
        self._marginal = Marginal(
            places[:, first:],
            np.array(nodes),
            np.array(heights),
            lambda place: self.problem.prior.log_density(np.append(head, place)),
        )

    def sums(self, kept, log_sigma, generator):
        """Return the sums of groups of kept draws: (n, n_groups, n_sets), float32."""
        groups = self.problem.groups
        sums = np.empty((len(kept), groups.n_groups, self.problem.n_sets), np.float32)
        for own, effects, widths in zip(sums, kept, log_sigma):
            own[:] = self._laplace.columns.sums(
                self.problem, effects.astype(float), widths, generator
            )
        return sums


def move_effects(state, generator, n_steps):
    """Update the effects, given the widths, by a trajectory of some steps.

    Effects are a mean plus multiples of the first gap to it and of the first velocity,
    plus effects of the form ``to_effects(duals)``. So a step only takes products with
    the kernel of rows.
    """
    given = state.given
    laplace, mean, center = given.laplace, given.mean, given.center
    velocity, speeds = given.effects(*drawn_noise(laplace, generator))
    velocity, speeds = velocity - mean, speeds - center
    gap, away = state.effects - mean, state.places - center
    step = _QUARTER / n_steps * generator.uniform(_SHORTEST, _LONGEST)
    turn = np.array([[cos(step), sin(step)], [-sin(step), cos(step)]])

    def kick(places):
        """Return the duals of the force that is left, given predictors."""
        slopes = laplace.residuals(places)
        gaps = laplace.roots * (places - slopes @ given.kernel) - laplace.targets
        return slopes + laplace.roots * given.solve(gaps)

    def energy(effects, places, velocity, speeds):
        kinetic = np.sum(velocity**2) + np.sum((laplace.roots * speeds) ** 2)
        return 0.5 * (np.sum(effects**2) + kinetic) - laplace.log_likelihood(places)

    # Rows: of the effects and of the velocity. Columns: of `gap` and `velocity`.
    factors = np.eye(2)
    duals = np.zeros((2, *state.places.shape))
    places = state.places
    before = energy(state.effects, places, velocity, speeds)
    duals[1] += step / 2 * kick(places)
    for i in range(n_steps):
        factors = turn @ factors
        duals = np.tensordot(turn, duals, axes=1)
        places = center + factors[0, 0] * away + factors[0, 1] * speeds
        places += duals[0] @ given.kernel
        duals[1] += (step if i < n_steps - 1 else step / 2) * kick(places)
    effects = mean + factors[0, 0] * gap + factors[0, 1] * velocity
    effects += given.to_effects(duals[0])
    last = factors[1, 0] * gap + factors[1, 1] * velocity + given.to_effects(duals[1])
    speeds = factors[1, 0] * away + factors[1, 1] * speeds + duals[1] @ given.kernel
    change = before - energy(effects, places, last, speeds)
    rate = exp(min(0.0, change)) if isfinite(change) else 0.0
    if state.memory is not None:
        state.memory.accepted.append(rate)
    if generator.uniform() < rate:
        state.effects, state.places = effects, places


def move_widths(state, generator, walk, marginal):
    """Propose widths, by a random walk or a density, and effects of the same noise.

    The law of widths and noise has the density of the prior of the widths, times the
    marginal density of the targets, times the likelihood in excess of its
    approximation.
    """
    given, first = state.given, len(state.log_sigma) - len(walk)
    prior, laplace = given.laplace.problem.prior, given.laplace
    log_sigma, log_ratio = state.log_sigma.copy(), 0.0
    place = log_sigma[first:]
    if marginal is None or generator.uniform() < _WALKS:
        place = place + walk @ generator.standard_normal(len(place))
    elif isfinite(marginal.log_density(place)):
        place, before, now = marginal.moved(place, generator)
        log_ratio = before - now
    else:
        return
    log_sigma[first:] = place
    log_prior = prior.log_density(log_sigma)
    if not isfinite(log_prior):
        return
    noise = given.noise_of(state.effects, state.places, generator)
    proposed = Conditional(laplace, log_sigma)
    effects, places = proposed.effects(*noise)
    log_ratio += log_prior + proposed.log_marginal + laplace.excess(places)
    log_ratio -= prior.log_density(state.log_sigma)
    log_ratio -= given.log_marginal + laplace.excess(state.places)
    if state.memory is not None:
        height = proposed.log_marginal + laplace.excess(proposed.center)
        state.memory.nodes.append(place)
        state.memory.heights.append(height)
    if log(generator.uniform()) < log_ratio:
        state.given, state.effects, state.places = proposed, effects, places
