"""The reversible-jump sampler of section 4, for the chains of many trials at once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.polynomials.data import is_inside
from benchmarks.polynomials.draws import Draws
from benchmarks.polynomials.priors import draw_variances, log_posterior

BIRTH = DEATH = 0.2
N_SWEEPS, BURN_IN = 3000, 500


@dataclass(frozen=True)
class State:
    """One model a trial; coefficients above its degree are 0."""

    degrees: np.ndarray
    coefficients: np.ndarray
    variances: np.ndarray

    def __getitem__(self, trials):
        return State(
            degrees=self.degrees[trials],
            coefficients=self.coefficients[trials],
            variances=self.variances[trials],
        )


def log_move(degrees, targets, max_degree):
    """Return log p(m | k): of jumps from degrees k to m.

    Steps have a Geometric(.5) distribution over the degrees above, or those below.
    """
    reach = np.where(targets > degrees, max_degree - degrees, degrees)
    steps = np.abs(targets - degrees)
    rates = np.where(targets > degrees, BIRTH, DEATH)
    return np.log(rates) - steps * np.log(2) - np.log1p(-(0.5**reach))


class Sampler:
    """Chains in lockstep: a sweep moves those of all trials.

    Parameters
    ----------
    data : Data

    prior : NormalPrior or AdditivePrior

    generator : numpy.random.Generator
    """

    def __init__(self, data, prior, generator):
        self.data = data
        self.prior = prior
        self.generator = generator

    def run(self, n_sweeps=N_SWEEPS, burn_in=BURN_IN):
        """Return the draws of each trial, one a sweep after those of the burn-in."""
        n_kept = n_sweeps - burn_in
        shape = self.data.projections.shape
        degrees = np.empty((shape[0], n_kept), dtype=np.int64)
        coefficients = np.empty((shape[0], n_kept, shape[1]))
        variances = np.empty((shape[0], n_kept))
        state = self.start()
        for i in range(-burn_in, n_kept):
            state = self.sweep(state)
            if i >= 0:
                degrees[:, i] = state.degrees
                coefficients[:, i] = state.coefficients
                variances[:, i] = state.variances
        return [
            Draws(
                n=self.data.n,
                degrees=degrees[trial],
                coefficients=coefficients[trial],
                variances=variances[trial],
            )
            for trial in range(len(self.data))
        ]

    def start(self):
        """Return the constants of least squares."""
        coefficients = np.zeros_like(self.data.projections)
        coefficients[:, 0] = self.data.projections[:, 0]
        return State(
            degrees=np.zeros(len(self.data), dtype=np.int64),
            coefficients=coefficients,
            variances=self.data.residuals[:, 0] / self.data.n,
        )

    def sweep(self, state):
        """Return the state after a jump or a move of each chain, then sigma's."""
        chosen = self.generator.random(len(self.data))
        births = (chosen < BIRTH) & (state.degrees < self.data.max_degree)
        deaths = (chosen >= BIRTH) & (chosen < BIRTH + DEATH) & (state.degrees > 0)
        degrees, coefficients = state.degrees.copy(), state.coefficients.copy()
        jumps = np.flatnonzero(births | deaths)
        if len(jumps):
            degrees[jumps], coefficients[jumps] = self._jump(
                self.data[jumps], state[jumps], births[jumps]
            )
        moves = np.flatnonzero(~(births | deaths))
        if len(moves):
            coefficients[moves] = self.prior.move(
                self.data[moves],
                degrees=degrees[moves],
                coefficients=coefficients[moves],
                variances=state.variances[moves],
                generator=self.generator,
            )
        return State(
            degrees=degrees,
            coefficients=coefficients,
            variances=draw_variances(self.data, degrees, coefficients, self.generator),
        )

    def _jump(self, data, state, births):
        """Return degrees and coefficients after a birth or a death of each chain."""
        reach = np.where(births, data.max_degree - state.degrees, state.degrees)
        shares = self.generator.random(len(data)) * (1 - 0.5**reach)
        steps = np.clip(np.ceil(-np.log2(1 - shares)), 1, reach).astype(np.int64)
        targets = state.degrees + np.where(births, steps, -steps)
        proposed = self.proposal(data, state, targets)
        lower = _chosen(births, state, proposed)
        upper = _chosen(births, proposed, state)
        ratios = np.where(births, 1, -1) * self.log_ratio(data, lower, upper)
        taken = np.log(self.generator.random(len(data))) < ratios
        degrees = np.where(taken, targets, state.degrees)
        return degrees, np.where(
            taken[:, None], proposed.coefficients, state.coefficients
        )

    def proposal(self, data, state, targets):
        """Return states of other degrees; new coefficients are drawn, others go."""
        means, deviations = self.prior.conditional(data, targets, state.variances)
        drawn = means + deviations * self.generator.standard_normal(means.shape)
        coefficients = np.where(
            is_inside(drawn, state.degrees), state.coefficients, drawn
        )
        kept = is_inside(drawn, targets)
        return replace(
            state, degrees=targets, coefficients=np.where(kept, coefficients, 0.0)
        )

    def log_ratio(self, data, lower, upper):
        """Return the log of (18) without its minimum, for births; deaths: minus it.

        It has the prior of all coefficients: u of prior 1 depends on the degree. The
        probabilities of moves are upside down in (19), which would not keep the
        posterior.
        """
        means, deviations = self.prior.conditional(data, upper.degrees, upper.variances)
        born = is_inside(means, upper.degrees) & ~is_inside(means, lower.degrees)
        eta = (upper.coefficients - means) / deviations
        log_normal = -0.5 * (np.log(2 * np.pi) + eta**2)
        there = log_move(lower.degrees, upper.degrees, data.max_degree)
        back = log_move(upper.degrees, lower.degrees, data.max_degree)
        return (
            self._log_posterior(data, upper)
            - self._log_posterior(data, lower)
            + back
            - there
            - np.where(born, log_normal, 0.0).sum(axis=1)
            + self._log_jacobian(deviations, born)
        )

    def _log_jacobian(self, deviations, born):
        """Return the log of (20) or (21)."""
        return np.where(born, np.log(deviations), 0.0).sum(axis=1)

    def _log_posterior(self, data, state):
        return log_posterior(
            self.prior,
            data,
            degrees=state.degrees,
            coefficients=state.coefficients,
            variances=state.variances,
        )


def _chosen(first, one, other):
    """Return the states of `one` for some trials, and of `other` for the rest."""
    return State(
        degrees=np.where(first, one.degrees, other.degrees),
        coefficients=np.where(first[:, None], one.coefficients, other.coefficients),
        variances=np.where(first, one.variances, other.variances),
    )
