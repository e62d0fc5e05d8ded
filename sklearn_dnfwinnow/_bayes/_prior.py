"""Prior: widths of the parameters of terms, and the priors of these widths."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import comb

import numpy as np

HYPERPRIORS = "half_t", "log_normal", "inverse_gamma"
# Logarithms of widths are at most this far from those of their scales.
LIMIT = 30.0


@dataclass(frozen=True, eq=False)
class Prior:
    """A prior of the parameters of terms, by order, with widths that are learned.

    The parameter of a term of order o is Cauchy(0, sigma_o) or Normal(0, sigma_o^2).

    Attributes
    ----------
    family : {'cauchy', 'normal'}
    hyperprior : str
        The prior distribution of sigma_o, see `_ext/bayes/_hyperprior.pxd`.
    scales : ndarray of shape (max_order + 1,), float64
        Scale of this distribution for each order. If sigma_0 is not learned, the entry
        of order 0 is sigma_0.
    shape : float, default=1.0
        Shape of the inverse gamma distribution.
    first : {0, 1}, default=1
        The first order whose width is learned: 0 if sigma_0 is.
    """

    family: str
    hyperprior: str
    scales: np.ndarray
    shape: float = 1.0
    first: int = 1

    @classmethod
    def of(cls, estimator, n_columns, max_order):
        """Return the prior for the parameters of an estimator.

        A row satisfies up to C(n_columns, o) terms of order o, or one nested term of
        order o. The scale of their widths is chosen so that the sum of all their
        parameters has the scale ``scale / o``. The prior of predictions therefore does
        not depend on the number of columns, and hardly on the number of orders.

        Parameters
        ----------
        estimator : BayesianInteractionClassifier
        n_columns, max_order : int
        """
        power = 1 if estimator.prior == "cauchy" else 2
        is_nested = estimator.interactions == "nested"
        orders = range(1, max_order + 1)
        terms = [1 if is_nested else comb(n_columns, o) for o in orders]
        shares = np.array(terms, dtype=np.float64) ** (-1 / power) / np.array(orders)
        scales = np.append(estimator.intercept_scale, estimator.scale * shares)
        return cls(
            family=estimator.prior,
            hyperprior=estimator.hyperprior,
            scales=scales,
            shape=float(estimator.hyperprior_shape),
            first=0 if estimator.fit_intercept_scale else 1,
        )

    @property
    def power(self):
        """Return the stable index: widths to this power are additive."""
        return 1 if self.family == "cauchy" else 2

    @property
    def for_kernels(self):
        """Return the prior of a width as the kernels take it."""
        law = HYPERPRIORS.index(self.hyperprior)
        return {"law": law, "shape": self.shape, "limit": LIMIT}

    def widths(self, log_sigma, counts):
        """Return the widths of sums of parameters.

        Parameters
        ----------
        log_sigma : ndarray of shape (..., max_order + 1)
            Natural logarithms.
        counts : ndarray of shape (n, max_order + 1)
            Number of terms of each order in each sum.

        Returns
        -------
        widths : ndarray of shape (..., n), float64
            Scales of Cauchy distributions, or standard deviations of normal
            distributions.
        """
        total = np.exp(self.power * log_sigma) @ counts.T
        return total if self.power == 1 else np.sqrt(total)

    # -- coordinates of parameters in units of their widths ----------------------------

    def values(self, coordinates):
        """Return the parameters: hyperbolic sines, if they are Cauchy."""
        return np.sinh(coordinates) if self.power == 1 else coordinates

    def log_slopes(self, coordinates):
        """Return the logarithms of the derivatives of the parameters."""
        if self.power == 1:
            return np.logaddexp(coordinates, -coordinates) - np.log(2)
        return np.zeros(coordinates.shape)

    def log_density_of_coordinates(self, coordinates):
        """Return the log density of all coordinates, up to a constant."""
        if self.power == 1:
            return -np.sum(np.logaddexp(coordinates, -coordinates))
        return -0.5 * np.sum(coordinates**2)

    # -- widths ------------------------------------------------------------------------

    def log_density(self, log_sigma):
        """Return the log density of the logarithms of the widths, up to a constant.

        The kernel `_hyperprior.pxd` has the same density.
        """
        relative = (log_sigma - np.log(self.scales))[self.first :]
        if (np.abs(relative) > LIMIT).any():
            return -np.inf
        if self.hyperprior == "half_t":
            return np.sum(relative - 2 * np.logaddexp(0.0, 2 * relative - np.log(3)))
        if self.hyperprior == "log_normal":
            return -0.5 * np.sum((relative / (np.log(10) / 2)) ** 2)
        return -np.sum(self.shape * relative + (self.shape + 1) * np.exp(-relative))

    def draw_log_sigma(self, generator):
        """Draw the logarithms of the widths of all orders from their prior."""
        shape = self.scales.shape
        if self.hyperprior == "half_t":
            relative = np.log(np.abs(generator.standard_t(3, shape)))
        elif self.hyperprior == "log_normal":
            relative = np.log(10) / 2 * generator.standard_normal(shape)
        else:
            relative = np.log(self.shape + 1)
            relative = relative - np.log(generator.standard_gamma(self.shape, shape))
        relative[: self.first] = 0.0
        return np.log(self.scales) + np.clip(relative, -LIMIT, LIMIT)
