"""Weights that turn draws of the posterior into draws of the prior, and entropies.

A draw has the weight 1 / f, where f is its likelihood (equation 3 of Fitzgibbon, Dowe
and Allison 2002). The exponential of the entropy of normalized weights is the effective
number of the draws.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: Largest range of the losses of draws whose weights are compared. The weights of
#: others are below the smallest float, in relation to the largest weight.
MOST_APART = 700.0


def draw_weights(losses):
    """Return the weights of draws, the largest of which is 1.

    Parameters
    ----------
    losses : ndarray, float64
        Minus log likelihoods, at most `MOST_APART` from each other.
    """
    return np.exp(losses - losses.max())


def entropies(losses):
    """Return the entropy of the weights of the first m draws, for each m.

    Parameters
    ----------
    losses : ndarray of shape (n, ...), float64
        As above; draws are in the order of the first axis.

    Returns
    -------
    entropies : ndarray of shape (n, ...), float64
        Nats, from 0 to log(m).
    """
    weights = draw_weights(losses)
    totals = np.cumsum(weights, axis=0)
    means = np.cumsum(weights * losses, axis=0) / totals
    return losses.max() - means + np.log(totals)
