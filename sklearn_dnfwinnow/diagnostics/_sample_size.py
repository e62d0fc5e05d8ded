"""Sample sizes: the samples that Theorems 1 and 4 require for a given error."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import ceil, exp, log
from numbers import Integral, Real

from scipy.special import bdtrc

from sklearn_dnfwinnow._utils._estimators import Interval, validate_params

# Maximum probability that one run fails; see the notes of `sample_size`.
_ONE_RUN = 1 / 46


@dataclass(frozen=True)
class SampleSize:
    """Requirements of Theorem 4 for the chains of a temperature ladder.

    Attributes
    ----------
    n_samples : int
        Number of independent samples of each chain, S.
    variation_distance : float
        Maximum total variation distance between the distribution of a sample and the
        stationary distribution of the chain.
    n_runs : int
        Number of runs of all chains, odd. Their median is the estimate.
    burn_in : int or None
        Number of steps before a sample, from the distribution at alpha = 1, that
        `variation_distance` requires. None if the relaxation time was not given.
    n_steps : int or None
        Number of steps of each chain in all runs, ``n_runs * n_samples * burn_in``.
    """

    n_samples: int
    variation_distance: float
    n_runs: int
    burn_in: int | None = None
    n_steps: int | None = None


@validate_params(
    {
        "epsilon": [Interval(Real, 0, 1, closed="right")],
        "n_rungs": [Interval(Integral, 1, None, closed="left")],
        "ladder_step": [Interval(Real, 0, None, closed="neither")],
        "delta": [Interval(Real, 0, 1, closed="neither")],
        "relaxation_time": [Interval(Real, 0, None, closed="left"), None],
        "log_weight_range": [Interval(Real, 0, None, closed="left")],
    }
)
def sample_size(
    epsilon,
    n_rungs,
    *,
    ladder_step=1.0,
    delta=0.03,
    relaxation_time=None,
    log_weight_range=0.0,
):
    """Compute the length of Markov chains for a given error of the sum.

    With this number of samples, the estimate is between ``(1 - epsilon) W`` and
    ``(1 + epsilon) W`` with probability at least ``1 - delta`` (Theorem 4 of [1]_;
    Theorem 1 is ``ladder_step=1``). The guarantee is for the worst case. Measured
    errors are far smaller.

    Parameters
    ----------
    epsilon : float
        Maximum relative error of W, at most 1.

    n_rungs : int
        Number of chains of the temperature ladder. It is the attribute ``n_ladder`` of
        a :class:`~sklearn_dnfwinnow.sums.WeightedSum`.

    ladder_step : float, default=1.0
        Step of the temperature ladder, kappa.

    delta : float, default=0.03
        Maximum probability of a larger error.

    relaxation_time : float or None, default=None
        Relaxation time 1 / (1 - second largest eigenvalue) of the slowest chain, in
        steps. It is unknown for real sums; autocorrelation times are lower bounds of
        it. With None, `burn_in` and `n_steps` are not computed.

    log_weight_range : float, default=0.0
        Logarithm of the ratio of the largest weight of a term to the smallest, relative
        to their initial weights. It is log alpha times the range of net promotion
        counts, which chains that start at alpha = 1 have to cover.

    Returns
    -------
    SampleSize
        The required numbers of samples, runs and steps.

    Notes
    -----
    As printed, Theorems 1 and 4 state that a number of samples that does not depend on
    delta suffices for any delta. This cannot be correct. The following holds for S
    samples and epsilon up to 1. Let f be between exp(-kappa) and exp(kappa) (Lemma 3).
    Samples at a distance of epsilon / (5 e^(2 kappa) r) change the mean of f by a
    factor within 1 ± epsilon / (5 r). They change the product of all ratios by a factor
    within exp(± epsilon / 4). The variance of f divided by the square of its mean is at
    most sinh(kappa)^2 < e^(2 kappa) / 4 (Bhatia & Davis). For the product of r means of
    S = 130 e^(2 kappa) r / epsilon^2 samples it is at most exp(epsilon^2 / 520) - 1 <
    epsilon^2 / 519. An error above epsilon requires a deviation of the product by 0.3
    epsilon, which has a probability below 1 / 46 (Chebyshev). For a smaller delta, the
    median of an odd number of runs is wrong only if half of them are wrong.

    A reversible chain of relaxation time t, started from the distribution at alpha = 1,
    is within distance d after t (ln(1 / 2 d) + `log_weight_range` / 2) steps.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] M. Jerrum and A. Sinclair, "The Markov chain Monte Carlo method: an approach
       to approximate counting and integration", in: Approximation Algorithms for
       NP-Hard Problems, PWS, 1996.

    Examples
    --------
    >>> from sklearn_dnfwinnow.diagnostics import sample_size
    >>> wanted = sample_size(0.1, 18)
    >>> wanted.n_samples, round(wanted.variation_distance, 6), wanted.n_runs
    (1729040, 0.00015, 1)
    >>> sample_size(0.1, 18, delta=1e-6).n_runs
    9
    >>> sample_size(0.5, 18, relaxation_time=40, log_weight_range=20).n_steps
    45646920
    """
    spread = exp(2 * ladder_step)
    n_samples = ceil(130 * spread * n_rungs / epsilon**2)
    distance = epsilon / (5 * spread * n_rungs)
    n_runs = 1
    while delta < _ONE_RUN and bdtrc(n_runs // 2, n_runs, _ONE_RUN) > delta:
        n_runs += 2
    burn_in = n_steps = None
    if relaxation_time is not None:
        times = log(1 / (2 * distance)) + log_weight_range / 2
        burn_in = max(1, ceil(relaxation_time * max(0.0, times)))
        n_steps = n_runs * n_samples * burn_in
    return SampleSize(n_samples, distance, n_runs, burn_in, n_steps)
