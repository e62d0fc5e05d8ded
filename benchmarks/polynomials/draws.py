"""Models drawn from a posterior, and their summary."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow.summaries import message_from_monte_carlo


@dataclass(frozen=True)
class Summary:
    """Summary of the draws of one trial by the message from Monte Carlo.

    Attributes
    ----------
    representative : int
        The draw that represents the best region.
    share : float
        Fraction of the draws in the best region.
    n_regions : int
    average : array of shape (max_degree + 1,)
        Coefficients of the representatives, weighted by their message lengths.
    small : bool
        Whether there was a warning that the best region has too few draws.
    """

    representative: int
    share: float
    n_regions: int
    average: np.ndarray
    small: bool


@dataclass(frozen=True)
class Draws:
    """Draws for the data of one trial.

    Attributes
    ----------
    n : int
        Observations of the trial.
    degrees : array of shape (n_draws,)
    coefficients : array of shape (n_draws, max_degree + 1)
        Those above the degree are 0.
    variances : array of shape (n_draws,)
        Squares of sigma.
    """

    n: int
    degrees: np.ndarray
    coefficients: np.ndarray
    variances: np.ndarray

    def log_likelihoods(self, data):
        """Return the logarithm of (8) for each draw; data are those of one trial."""
        repeated = data[np.zeros(len(self.degrees), dtype=int)]
        return repeated.log_likelihoods(
            degrees=self.degrees,
            coefficients=self.coefficients,
            variances=self.variances,
        )

    def divergence(self, draws, representative):
        """Return (22): from each of some draws, as the truth, to one as the estimate.

        Parameters
        ----------
        draws : array of int
        representative : int

        Returns
        -------
        divergences : array of float, of the length of `draws`
        """
        estimate = self.variances[representative]
        ratios = self.variances[draws] / estimate
        away = self.coefficients[draws] - self.coefficients[representative]
        distances = np.einsum("ij,ij->i", away, away) / estimate
        return 0.5 * (self.n * (ratios - 1 - np.log(ratios)) + distances)

    def summarize(self, data, search):
        """Return the summary of these draws; data are those of one trial."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            message = message_from_monte_carlo(
                self.log_likelihoods(data), self.divergence, search=search
            )
        return Summary(
            representative=int(message.representatives[0]),
            share=len(message.regions[0]) / len(self.degrees),
            n_regions=len(message.regions),
            average=message.weights @ self.coefficients[message.representatives],
            small=bool(caught),
        )
