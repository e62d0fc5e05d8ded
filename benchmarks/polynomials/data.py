"""Data of many trials: sufficient statistics of the coefficients, and likelihoods."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from benchmarks.polynomials.basis import MAX_DEGREE, Basis


@dataclass(frozen=True)
class Data:
    """Sufficient statistics of trials with equally many observations.

    Attributes
    ----------
    n : int
        Observations of each trial.
    projections : array of shape (n_trials, max_degree + 1)
        Least-squares coefficients: sums of y_i phi_k(x_i).
    residuals : array of shape (n_trials, max_degree + 1)
        Squared errors of the least-squares fit of each degree.
    totals : array of shape (n_trials,)
        Sums of y_i squared.
    """

    n: int
    projections: np.ndarray
    residuals: np.ndarray
    totals: np.ndarray

    @classmethod
    def of(cls, x, y, max_degree=None):
        """Return the data of trials with points x and values y, (n_trials, n) each."""
        if max_degree is None:
            max_degree = min(MAX_DEGREE, x.shape[1] - 1)
        projections = np.zeros((len(x), max_degree + 1))
        residuals = np.zeros_like(projections)
        for i, (points, values) in enumerate(zip(x, y)):
            phi = Basis(points, max_degree).values
            projections[i] = phi.T @ values
            rest = values[:, None] - np.cumsum(phi * projections[i], axis=1)
            residuals[i] = (rest**2).sum(axis=0)
        return cls(x.shape[1], projections, residuals, (y**2).sum(axis=1))

    @property
    def max_degree(self):
        return self.projections.shape[1] - 1

    def __len__(self):
        return len(self.totals)

    def __getitem__(self, trials):
        """Return the data of some trials."""
        return Data(
            n=self.n,
            projections=self.projections[trials],
            residuals=self.residuals[trials],
            totals=self.totals[trials],
        )

    def squared_errors(self, degrees, coefficients):
        """Return (9) for one model a trial; coefficients above its degree are 0."""
        away = np.where(
            is_inside(coefficients, degrees), coefficients - self.projections, 0.0
        )
        return self.residuals[np.arange(len(self)), degrees] + (away**2).sum(axis=1)

    def log_likelihoods(self, *, degrees, coefficients, variances):
        """Return the logarithm of (8) for one model a trial."""
        errors = self.squared_errors(degrees, coefficients)
        return -0.5 * (self.n * np.log(2 * np.pi * variances) + errors / variances)


def is_inside(coefficients, degrees):
    """Return which coefficients belong to models of some degrees, one model a row."""
    return np.arange(coefficients.shape[1]) <= degrees[:, None]
