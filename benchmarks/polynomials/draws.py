"""Models drawn from a posterior, and how far they are from each other."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np


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
        errors = repeated.squared_errors(self.degrees, self.coefficients)
        return -0.5 * (
            self.n * np.log(2 * np.pi * self.variances) + errors / self.variances
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
