"""Slice: the move that updates one sum at a time, as in Li & Neal (2008)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._kernels import sum_slices


def slice_sums(problem, state, generator):
    """Update each sum given all others."""
    groups, prior = problem.groups, problem.prior
    sum_slices.sweep(
        power=prior.power,
        starts=groups.starts,
        members=groups.members,
        weights=problem.weights_of_sets,
        totals=problem.totals,
        widths=prior.widths(state.log_sigma, groups.counts),
        sums=state.sums,
        predictors=state.predictors,
        bit_generator=generator.bit_generator,
    )
