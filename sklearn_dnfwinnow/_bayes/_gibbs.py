"""Gibbs: Polya-Gamma variables, joint draws of sums, and two updates of widths."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._sum_draws import OneAtATime, sum_draws_for
from sklearn_dnfwinnow._bayes._widths import Widths
from sklearn_dnfwinnow._kernels._polya_gamma import polya_gamma

# Smallest precision whose square root has a finite inverse.
_LEAST_PRECISION = 1e-200


class Gibbs:
    """Sweeps that leave the posterior of a problem invariant.

    Given one Polya-Gamma variable per row, the likelihood is normal in the sums of one
    set (Polson, Scott & Windle 2013). A Cauchy prior is a mixture of normal priors: the
    variance of the sum of group g is w_g^2 mixing_g. These variables follow the sums
    slowly. Each sum is therefore also updated without them. Widths are updated twice
    per sweep, given the sums and given the sums in units of their widths (Yu & Meng
    2011).

    Parameters
    ----------
    problem : Problem
    sum_draws : SumDraws or None
        None for the fastest.
    """

    def __init__(self, problem, sum_draws=None):
        self._problem = problem
        self._prior = problem.prior
        self._ways = [sum_draws or sum_draws_for(problem)]
        if problem.prior.family == "cauchy" and not isinstance(
            self._ways[0], OneAtATime
        ):
            self._ways.append(OneAtATime(problem.groups, cauchy=True))
        self._widths = Widths(problem)

    def start(self, state, generator):
        """Initialize the variables of this sampler."""
        self._mix(state, generator)

    def sweep(self, state, generator):
        """Update all variables of a state."""
        self.draw_sums(state, generator)
        # The mixing variables are integrated out here, and drawn again.
        self._widths.centred(state, generator)
        self._mix(state, generator)
        self._widths.non_centred(state, generator)

    def draw_sums(self, state, generator):
        """Update the sums of each set, given the sums of all other sets."""
        sigma = np.exp(state.log_sigma)
        widths = self._prior.widths(state.log_sigma, self._problem.groups.counts)
        for k in range(self._problem.n_sets):
            offset = _log_sum_of_others(state.predictors, k)
            totals = self._problem.totals
            precision = np.empty(len(totals))
            polya_gamma(
                bit_generator=generator.bit_generator,
                shapes=totals,
                tilts=state.predictors[:, k] - offset,
                out=precision,
            )
            # Draws for rows with tiny weights may be rounded to 0.
            np.maximum(precision, _LEAST_PRECISION, out=precision)
            information = self._problem.weights_of_sets[:, k] - totals / 2
            information += precision * offset
            variances = widths**2
            if self._prior.family == "cauchy":
                variances *= state.mixing[:, k]
            for way in self._ways:
                state.sums[:, k], state.predictors[:, k] = way.draw(
                    sigma=sigma,
                    widths=widths,
                    variances=variances,
                    precision=precision,
                    information=information,
                    sums=np.ascontiguousarray(state.sums[:, k]),
                    generator=generator,
                )

    def _mix(self, state, generator):
        """Draw the mixing variables, given the sums and widths."""
        if self._prior.family == "cauchy":
            widths = self._prior.widths(state.log_sigma, self._problem.groups.counts)
            relative = state.sums / widths[:, np.newaxis]
            state.mixing = (0.5 + 0.5 * relative**2) / generator.standard_exponential(
                relative.shape
            )


def _log_sum_of_others(predictors, k):
    """Return the logarithm of the sum of exp(predictor) over all sets but one."""
    n_sets = predictors.shape[1]
    if n_sets == 1:
        return 0.0
    others = [predictors[:, j] for j in range(n_sets) if j != k]
    total = others[0]
    for other in others[1:]:
        total = np.logaddexp(total, other)
    return total
