"""Hamiltonian: the move of all sums and widths together, for normal priors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import ceil, cos, exp, log, pi, sin

import numpy as np

from sklearn_dnfwinnow._bayes._moves._metric import probabilities
from sklearn_dnfwinnow._kernels import logistic

# Range of the lengths of trajectories; half a turn of a rotation is pi. Maximum number
# of steps.
_LENGTHS, _MOST_STEPS = (0.6 * pi, 1.4 * pi), 100
# Factors of the size of steps, one of which is drawn. Small steps leave places where
# most other steps are refused.
_FACTORS = 1.0, 1.0, 1.0, 0.4
# The rate of acceptance that the size of the steps is adapted to; the first logarithm
# of this size, and the largest one.
_ACCEPTANCE, FIRST_STEP, _LARGEST = 0.8, log(0.1), 0.0


def move_jointly(problem, state, generator):
    """Update all sums and widths, by one trajectory of Hamiltonian Monte Carlo.

    In the coordinates of a `Metric`, the posterior is about standard normal. Then
    trajectories are rotations. So steps rotate, and in between, the gradient of what is
    left of the potential changes the momentum (Shahbaba, Lan, Johnson & Neal 2014). The
    size of the steps hardly depends on coordinates that the classes leave undetermined.
    """
    landscape = Landscape(problem, state)
    place = landscape.place
    momentum = generator.standard_normal(len(place))
    before = landscape.potential(landscape.at(place)) + 0.5 * momentum @ momentum
    length = generator.uniform(*_LENGTHS)
    longest = exp(state.log_step) * generator.choice(_FACTORS)
    n_steps = min(ceil(length / longest), _MOST_STEPS)
    size = min(length / n_steps, longest)
    turn, lean = cos(size), sin(size)
    with np.errstate(all="ignore"):
        momentum -= size / 2 * landscape.force(place)
        for _ in range(n_steps):
            place, momentum = (
                turn * place + lean * momentum,
                turn * momentum - lean * place,
            )
            force = landscape.force(place)
            momentum -= size * force
        momentum += size / 2 * force
        there = landscape.at(place)
        fall = before - landscape.potential(there) - 0.5 * momentum @ momentum
    state.acceptance = exp(min(fall, 0.0)) if np.isfinite(fall) else 0.0
    if generator.uniform() < state.acceptance:
        state.log_sigma, state.sums = there.log_sigma, there.sums
        state.predictors = there.predictors


@dataclass(eq=False)
class Spot:
    """What belongs to a place; the widths are those of groups: (n_groups, 1)."""

    log_sigma: np.ndarray
    widths: np.ndarray
    z: np.ndarray
    sums: np.ndarray
    predictors: np.ndarray


class Landscape:
    """The potential over places: minus the log posterior density.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    state : State
        Widths that are not learned are taken from it.

    Attributes
    ----------
    place : ndarray
        The place of the state.
    """

    def __init__(self, problem, state):
        prior = problem.prior
        self._problem, self._metric = problem, state.metric
        self._fixed, learned = np.split(state.log_sigma, [prior.first])
        self._shape = state.sums.shape
        widths = prior.widths(state.log_sigma, problem.groups.counts)
        self.place = state.metric.place_of(state.sums / widths[:, np.newaxis], learned)

    def at(self, place, members=None):
        """Return what belongs to a place; predictors by given memberships, if any."""
        problem = self._problem
        z, learned = self._metric.at(place, self._shape)
        log_sigma = np.append(self._fixed, learned)
        widths = problem.prior.widths(log_sigma, problem.groups.counts)[:, np.newaxis]
        sums = widths * z
        if members is None:
            predictors = np.ascontiguousarray(problem.to_rows(sums))
        else:
            predictors = members.T @ sums.astype(members.dtype)
        return Spot(log_sigma, widths, z, sums, predictors)

    def potential(self, spot):
        """Return the potential."""
        problem = self._problem
        height = problem.prior.log_density(spot.log_sigma) + logistic.log_likelihood(
            predictors=spot.predictors,
            weights=problem.weights_of_sets,
            totals=problem.totals,
        )
        return 0.5 * np.sum(spot.z * spot.z) - height

    def force(self, place):
        """Return the gradient of the potential at a place, without that of rotations.

        Products are rounded to float32. A trajectory is as reversible with any function
        of the place, and keeps volumes.
        """
        problem, prior = self._problem, self._problem.prior
        members = problem.once(_in_single_precision)
        spot = self.at(place, members)
        gap = problem.totals[:, np.newaxis] * probabilities(spot.predictors)
        gap -= problem.weights_of_sets
        slopes = (members @ gap.astype(members.dtype)).astype(np.float64)
        # The derivative of a width w by log sigma_o is n_o sigma_o^2 / w.
        by_width = np.einsum("gk,gk->g", slopes, spot.z) / spot.widths[:, 0]
        of_widths = (by_width @ problem.groups.counts) * np.exp(2 * spot.log_sigma)
        of_widths -= prior.log_density_slopes(spot.log_sigma)
        of_z = spot.z + spot.widths * slopes
        return self._metric.gradient(of_z, of_widths[prior.first :]) - place


def adapted(log_step, acceptance, n_moves):
    """Return the size of steps after a move (Robbins & Monro)."""
    return min(log_step + (acceptance - _ACCEPTANCE) / np.sqrt(n_moves), _LARGEST)


def _in_single_precision(problem):
    """Return the memberships as float32."""
    return problem.memberships.astype(np.float32)
