"""Gibbs: moves that draw sums given Polya-Gamma variables, and mixing variables.

Given one Polya-Gamma variable per row, the likelihood is normal in the sums of one set
(Polson, Scott & Windle 2013). A Cauchy prior is a mixture of normal priors: the
variance of the sum of group g is w_g^2 mixing_g. These variables follow the sums
slowly. Each sum is therefore also updated without them.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_dnfwinnow._bayes._moves._sum_draws import Given, factor_for, sum_draws_for
from sklearn_dnfwinnow._kernels import polya_gamma

# Smallest precision whose square root has a finite inverse.
_LEAST_PRECISION = 1e-200


def draw_sums(problem, state, generator):
    """Update the sums of each set, given the sums of all other sets.

    With one set, the widths may be updated first, with the sums integrated out: the
    widths and the sums are drawn as one block, given the Polya-Gamma variables.
    """
    totals = problem.totals
    if problem.prior.family == "cauchy" and state.mixing is None:
        draw_mixing(problem, state, generator)
    methods = problem.once(sum_draws_for)
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
        given_for = partial(
            _given,
            problem=problem,
            state=state,
            k=k,
            precision=precision,
            information=information,
        )
        given, later = given_for(state.log_sigma), methods
        if problem.once(factor_for) is not None and state.proposals is not None:
            given, factor = _propose_widths(problem, state, given, given_for, generator)
            given.sums, later = factor.draw(generator), methods[1:]
        for draw in later:
            given.sums = draw(problem, given, generator)
        state.sums[:, k] = given.sums
        state.predictors[:, k] = problem.to_rows(given.sums)


def _given(log_sigma, *, problem, state, k, precision, information):
    """Return what the sums of a set are drawn from, for some widths."""
    widths = problem.prior.widths(log_sigma, problem.groups.counts)
    variances = widths**2
    if problem.prior.family == "cauchy":
        variances *= state.mixing[:, k]
    return Given(
        sigma=np.exp(log_sigma),
        widths=widths,
        variances=variances,
        precision=precision,
        information=information,
        sums=np.ascontiguousarray(state.sums[:, k]),
    )


def _propose_widths(problem, state, given, given_for, generator):
    """Update the widths by a proposal; return what sums are drawn from, and a factor.

    The density is the prior of the widths times the marginal likelihood (Metropolis &
    Hastings).
    """
    prior, factor_of = problem.prior, problem.once(factor_for)
    factor = factor_of(problem, given)
    place = state.log_sigma[prior.first :]
    if not len(place):
        return given, factor
    proposal, log_ratio = state.proposals.draw(place, generator)
    log_sigma = np.append(state.log_sigma[: prior.first], proposal)
    log_density = prior.log_density(log_sigma)
    if log_density == -np.inf:
        return given, factor
    other = given_for(log_sigma)
    try:
        proposed = factor_of(problem, other)
    except np.linalg.LinAlgError:
        # Widths so large that the matrix has no factor in float64 are not proposed.
        return given, factor
    log_ratio += log_density + proposed.log_marginal
    log_ratio -= prior.log_density(state.log_sigma) + factor.log_marginal
    if -generator.standard_exponential() < log_ratio:
        state.log_sigma = log_sigma
        return other, proposed
    return given, factor


def draw_mixing(problem, state, generator):
    """Draw the mixing variables of Cauchy priors, given the sums and widths."""
    if problem.prior.family == "cauchy":
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
