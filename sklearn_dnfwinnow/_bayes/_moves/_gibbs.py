"""Gibbs: moves that draw sums given Polya-Gamma variables, and mixing variables.

Given one Polya-Gamma variable per row, the likelihood is normal in the sums of one set
(Polson, Scott & Windle 2013). A Cauchy prior is a mixture of normal priors: the
variance of the sum of group g is w_g^2 mixing_g. Only draws along a tree need these
variables. They follow the sums slowly, so that each sum is also updated without them.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._moves._sum_draws import Given, sum_draws_for
from sklearn_dnfwinnow._kernels import polya_gamma

# Smallest precision whose square root has a finite inverse.
_LEAST_PRECISION = 1e-200


def draw_sums(problem, state, generator):
    """Update the sums of each set, given the sums of all other sets."""
    totals = problem.totals
    if state.mixing is None:
        draw_mixing(problem, state, generator)
    widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
    variances, mixing = widths**2, state.mixing
    for k in range(problem.n_sets):
        offset = _log_sum_of_others(state.predictors, k)
        precision = np.empty(len(totals))
        polya_gamma.polya_gamma(
            bit_generator=generator.bit_generator,
            shapes=totals,
            tilts=state.predictors[:, k] - offset,
            out=precision,
        )
        # Draws for rows with tiny weights may be rounded to 0.
        np.maximum(precision, _LEAST_PRECISION, out=precision)
        information = problem.weights_of_sets[:, k] - totals / 2
        information += precision * offset
        given = Given(
            widths=widths,
            variances=variances if mixing is None else variances * mixing[:, k],
            precision=precision,
            information=information,
            sums=np.ascontiguousarray(state.sums[:, k]),
        )
        for draw in problem.once(sum_draws_for):
            given.sums = draw(problem, given, generator)
        state.sums[:, k] = given.sums
        state.predictors[:, k] = problem.to_rows(given.sums)


def draw_mixing(problem, state, generator):
    """Draw the mixing variables of a tree with Cauchy priors, given sums and widths."""
    if problem.prior.family == "cauchy" and problem.groups.parents is not None:
        widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
        relative = state.sums / widths[:, np.newaxis]
        state.mixing = (0.5 + 0.5 * relative**2) / generator.standard_exponential(
            relative.shape
        )


def _log_sum_of_others(predictors, k):
    """Return the logarithm of the sum of exp(predictor) over all sets but one."""
    if predictors.shape[1] == 1:
        return 0.0
    others = np.arange(predictors.shape[1]) != k
    return np.logaddexp.reduce(predictors[:, others], axis=1)
