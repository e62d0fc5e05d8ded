"""Slice: updates of one sum at a time by slice sampling, as in Li & Neal (2008)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayes._widths import Widths
from sklearn_dnfwinnow._kernels import _sum_slices


class Slice:
    """Sweeps that leave the posterior of a problem invariant.

    A sweep updates each sum, and then each width given the sums.

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem):
        self._problem = problem
        self._widths = Widths(problem)

    def start(self, state, generator):
        """Initialize the variables of this sampler, which has none."""

    def sweep(self, state, generator):
        """Update all variables of a state."""
        self.update_sums(state, generator)
        self._widths.centred(state, generator)

    def update_sums(self, state, generator):
        """Update each sum given all others."""
        groups, prior = self._problem.groups, self._problem.prior
        state.log_likelihood = _sum_slices.sweep(
            power=prior.power,
            starts=groups.starts,
            members=groups.members,
            weights=self._problem.weights_of_sets,
            totals=self._problem.totals,
            widths=prior.widths(state.log_sigma, groups.counts),
            sums=state.sums,
            predictors=state.predictors,
            bit_generator=generator.bit_generator,
        )
