"""Draws summarized by the message from Monte Carlo."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow.summaries import message_from_monte_carlo


@dataclass(frozen=True)
class Summary:
    """What is left of the draws of one trial.

    Attributes
    ----------
    representative : int
        The draw that stands for the best region.
    share : float
        Of the draws, those in the best region.
    weight : float
        Of the best region, among all.
    n_regions : int
    average : array of shape (max_degree + 1,)
        Coefficients of the representatives, weighted by their message lengths.
    small : bool
        Whether there was a warning that the best region has too few draws.
    """

    representative: int
    share: float
    weight: float
    n_regions: int
    average: np.ndarray
    small: bool


def summarize(draws, data, search="sequential"):
    """Return the summary of the draws for the data of one trial.

    The search for regions is that of the paper by default.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        message = message_from_monte_carlo(
            draws.log_likelihoods(data), draws.divergence, search=search
        )
    return Summary(
        representative=int(message.representatives[0]),
        share=len(message.regions[0]) / len(draws.degrees),
        weight=float(message.weights[0]),
        n_regions=len(message.regions),
        average=message.weights @ draws.coefficients[message.representatives],
        small=bool(caught),
    )
