"""Message: a few draws that represent a sample of a posterior, from Monte Carlo."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.utils import check_array

from sklearn_dnfwinnow._utils._estimators import StrOptions, validate_params, warn
from sklearn_dnfwinnow.summaries._regions import (
    divergence_matrix,
    entropies,
    exhaustive_search,
    sequential_search,
)


@dataclass(frozen=True, eq=False, repr=False)
class MonteCarloMessage:
    """Regions of similar draws from a posterior, the shortest message first.

    Attributes
    ----------
    regions : list of n_regions ndarrays of int64
        Indices of the draws in each region, ascending. Each draw is in one region.
    representatives : ndarray of shape (n_regions,), int64
        Index of the representative draw of each region: the member with the smallest
        mean divergence from the members.
    lengths : ndarray of shape (n_regions,), float64
        Message lengths, in nats. Only differences are meaningful: all lengths contain
        the logarithm of one sum over all draws, which is a poor estimate of the
        evidence.
    weights : ndarray of shape (n_regions,), float64
        Weights of the representatives in an average over models: ``exp(-lengths)``,
        normalized. They sum to 1.
    divergences : ndarray of shape (n_regions,), float64
        Mean divergence of the representative from the members, in nats. Each member is
        weighted by 1 / likelihood.
    """

    regions: list
    representatives: np.ndarray
    lengths: np.ndarray
    weights: np.ndarray
    divergences: np.ndarray

    def __repr__(self):
        n_draws = sum(map(len, self.regions))
        return (
            f"<MonteCarloMessage: {n_draws} draws in {len(self.regions)} regions; draw "
            f"{self.representatives[0]} stands for {len(self.regions[0])}, "
            f"weight {self.weights[0]:.2f}>"
        )


_SEARCHES = {"exhaustive": exhaustive_search, "sequential": sequential_search}

#: Constraints of the parameters of functions that find regions.
SEARCH_CONSTRAINTS = {"search": [StrOptions(set(_SEARCHES))]}

# A best region with a smaller fraction of the draws represents too few of them.
_LEAST_SHARE = 1 / 20


@validate_params(
    {
        "log_likelihoods": ["array-like"],
        "divergence": ["array-like", callable],
        **SEARCH_CONSTRAINTS,
    }
)
def message_from_monte_carlo(log_likelihoods, divergence, *, search="exhaustive"):
    """Group draws from a posterior into regions, with a representative draw of each.

    This is the message from Monte Carlo of [1]_. A region is a set of draws that the
    data hardly distinguish. The divergence of a member from the representative of the
    region exceeds the mean divergence of the members by at most one nat. A message
    encodes the data in two parts: the name of a region, and the data given a model of
    this region. Its length measures how well the region explains the data. The first
    region has the shortest message, and its representative is an estimate. All
    :term:`representatives <representative>`, with their weights, summarize the
    posterior.

    Parameters
    ----------
    log_likelihoods : array-like of shape (n_draws,)
        Natural logarithm of the likelihood of each draw, without its prior. All values
        must be finite. A common constant has no effect on the regions.

    divergence : array-like of shape (n_draws, n_draws), or callable
        Kullback-Leibler divergences between the data distributions of two draws, in
        nats. For independent samples, they are sums over all samples. Infinite
        divergences are allowed. Negative divergences raise an error.

        - array-like: row i and column j contain the divergence of draw j from draw i,
          where draw i is the truth and draw j the estimate.
        - callable: a function of an array of int64 with indices of draws, and of the
          index of a representative, an int. It returns the divergences of the
          representative from each of the draws.

    search : {'exhaustive', 'sequential'}, default='exhaustive'
        Algorithm that finds the regions.

        - 'exhaustive': each region has the shortest message among all sets of free
          draws that satisfy the boundary rules.
        - 'sequential': the algorithm of the paper. A region grows from the most likely
          free draw until no free draw is close enough. With more than about ten
          parameters, regions contain a single draw.

    Returns
    -------
    message : MonteCarloMessage
        Regions, representatives, message lengths and weights.

    Raises
    ------
    ValueError
        If `log_likelihoods` is empty, not one-dimensional, or not finite; or if
        `divergence` has the wrong shape, or values that are not divergences.

    Warns
    -----
    UserWarning
        If the first region contains less than one draw in twenty, so that no draw
        represents many. The posterior has too many dimensions for the number of draws.

    See Also
    --------
    representative_draws : Summarize the draws of a Bayesian classifier.

    Notes
    -----
    With u = 1 / likelihood, the message length of a region is the logarithm of the sum
    of u over all draws, minus the entropy of the normalized u within the region. It is
    equal to the sum of equations 3 and 4 of [1]_, and avoids a small difference of
    large numbers. The weight of a region is therefore proportional to its effective
    number of draws.

    Draws of equal likelihood are in the order of their indices. Apart from that, the
    order of draws has no effect. The algorithm is deterministic.

    Memory and time grow with the square of the number of draws: an exhaustive search
    takes about a second for 2,000 draws.

    References
    ----------
    .. [1] L. J. Fitzgibbon, D. L. Dowe and L. Allison, "Univariate Polynomial Inference
       by Monte Carlo Message Length Approximation", Nineteenth International Conference
       on Machine Learning, 147-154, 2002.

    Examples
    --------
    Draws of the mean of ten values with standard deviation 1, whose posterior is
    normal:

    >>> import numpy as np
    >>> from sklearn_dnfwinnow.summaries import message_from_monte_carlo
    >>> data = np.array([0.3, 1.1, 0.8, 1.4, 0.2, 0.9, 1.6, 0.7, 0.5, 1.5])
    >>> draws = np.random.default_rng(0).normal(data.mean(), 10**-0.5, size=500)
    >>> log_likelihoods = -0.5 * ((data - draws[:, None]) ** 2).sum(axis=1)
    >>> message = message_from_monte_carlo(
    ...     log_likelihoods,
    ...     lambda i, j: 10 * 0.5 * (draws[i] - draws[j]) ** 2,
    ... )
    >>> round(float(draws[message.representatives[0]]), 2), data.mean().round(2)
    (0.9, np.float64(0.9))
    >>> len(message.regions[0]) > 400
    True
    """
    log_likelihoods = check_array(
        log_likelihoods,
        ensure_2d=False,
        dtype=np.float64,
        input_name="log_likelihoods",
    )
    if log_likelihoods.ndim != 1:
        raise ValueError(
            f"log_likelihoods must be of shape (n_draws,); got {log_likelihoods.shape}."
        )
    matrix = divergence_matrix(divergence, len(log_likelihoods))
    losses = log_likelihoods.max() - log_likelihoods
    regions, representatives, means = zip(*_SEARCHES[search](losses, matrix))
    # The length is log(sum of u over all draws) minus the entropy in the region.
    entropy = np.array([entropies(losses[region])[-1] for region in regions])
    order = np.argsort(-entropy, kind="stable")
    message = MonteCarloMessage(
        regions=[np.sort(regions[r]) for r in order],
        representatives=np.array(representatives)[order],
        lengths=(logsumexp(-log_likelihoods) - entropy)[order],
        weights=softmax(entropy)[order],
        divergences=np.array(means)[order],
    )
    size, n_draws = len(message.regions[0]), len(losses)
    if size < _LEAST_SHARE * n_draws:
        warn(
            f"The best region contains {size} of {n_draws} draws, less than one in "
            "twenty, so that no draw represents many: the posterior has too many "
            "dimensions. Use more draws, or average over all of them.",
        )
    return message
