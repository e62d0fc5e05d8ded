"""Message from Monte Carlo: from draws of a posterior to a few that stand for them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.utils import check_array

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import StrOptions, validate_params
from sklearn_dnfwinnow.summaries._divergences import Divergences
from sklearn_dnfwinnow.summaries._draw_weights import entropies
from sklearn_dnfwinnow.summaries._exhaustive_search import exhaustive_search
from sklearn_dnfwinnow.summaries._monte_carlo_message import MonteCarloMessage
from sklearn_dnfwinnow.summaries._sequential_search import sequential_search

_SEARCHES = {"exhaustive": exhaustive_search, "sequential": sequential_search}

#: Of a function that finds regions.
SEARCH_CONSTRAINTS = {"search": [StrOptions(set(_SEARCHES))]}

# A best region with a smaller share of the draws stands for too few of them.
_LEAST_SHARE = 1 / 20


@validate_params(
    {
        "log_likelihoods": ["array-like"],
        "divergence": ["array-like", callable],
        **SEARCH_CONSTRAINTS,
    },
    prefer_skip_nested_validation=True,
)
def message_from_monte_carlo(log_likelihoods, divergence, *, search="exhaustive"):
    """Group draws from a posterior into regions, and choose a draw for each.

    This is the message from Monte Carlo of [1]_. A region has draws that data of this
    size hardly tell from one another: each is, within about one nat, as far from the
    representative of the region as the others are. The length of its message is that of
    a two-part code: the name of the region, and the data by one of its models. The
    representative of the first region, which has the shortest message, is an estimate;
    all representatives, by their weights, are a summary of the posterior.

    Parameters
    ----------
    log_likelihoods : array-like of shape (n_draws,)
        Natural logarithm of the likelihood of each draw, without its prior. Finite. A
        constant that all of them share makes no difference to the regions.

    divergence : array-like of shape (n_draws, n_draws), or callable
        Kullback-Leibler divergences between the distributions of the data of two draws,
        in nats: for independent rows, sums over all rows. Row i and column j of the
        matrix have that of j from i: draw i is the truth, draw j the estimate. A
        callable takes indices of draws, an array of int64, and one index of a
        representative, an int. It returns the divergences of the representative from
        each of the draws. Infinite divergences are allowed, negative ones are not.

    search : {'exhaustive', 'sequential'}, default='exhaustive'
        How regions are found.

        - 'exhaustive': each region has the shortest message of all sets of free draws
          that satisfy the boundary rules.
        - 'sequential': the algorithm of the paper. A region grows from the likeliest
          free draw, and stops growing where no free draw is near enough: beyond some
          ten parameters, with a single draw.

    Returns
    -------
    message : MonteCarloMessage

    Raises
    ------
    ValueError
        If `log_likelihoods` is empty, not one-dimensional, or not finite; or
        `divergence` has the wrong shape, or values that are no divergences.

    Warns
    -----
    UserWarning
        If the first region holds less than one draw in twenty, so that no draw stands
        for many. The posterior has too many dimensions for so few draws.

    See Also
    --------
    representative_draws : The same for a Bayesian classifier.

    Notes
    -----
    With u = 1 / likelihood, the length of the message of a region is the logarithm of
    the sum of u over all draws, less the entropy of u within the region, normalized.
    This is equal to the sum of equations 3 and 4 of [1]_, and has no small difference
    of large numbers. So the weight of a region is in proportion to its effective number
    of draws.

    Draws of equal likelihood are in the order of their indices. Apart from that, the
    order of draws makes no difference. There is no randomness.

    Exhaustive search takes memory for ``n_draws ** 2`` floats, and time that grows with
    the square of the number of draws, about a second for 2,000 draws. Sequential search
    with a callable takes memory for ``n_draws`` floats.

    References
    ----------
    .. [1] L. J. Fitzgibbon, D. L. Dowe and L. Allison, "Univariate Polynomial Inference
       by Monte Carlo Message Length Approximation", Nineteenth International Conference
       on Machine Learning, 147-154, 2002.

    Examples
    --------
    Draws of the mean of ten measurements with standard deviation 1, whose posterior is
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
            f"log_likelihoods has shape {log_likelihoods.shape}. Expected (n_draws,)."
        )
    divergences = Divergences(divergence, len(log_likelihoods))
    losses = log_likelihoods.max() - log_likelihoods
    regions, representatives, means = zip(*_SEARCHES[search](losses, divergences))
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
    _warn_of_small_regions(message, len(losses))
    return message


def _warn_of_small_regions(message, n_draws):
    """Warn if no draw stands for many."""
    size = len(message.regions[0])
    if size >= _LEAST_SHARE * n_draws:
        return
    warnings.warn(
        f"The best region holds {size} of {n_draws} draws, less than one in twenty: no "
        "draw stands for many. The posterior has too many dimensions for so few draws. "
        "Use more draws, or average over all of them.",
        UserWarning,
        stacklevel=stacklevel_of_caller(),
    )
