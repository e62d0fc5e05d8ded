"""Convergence: agreement of chains in what users see."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._convergence import effective_sample_size, r_hat

# A quantity that never changes belongs to chains that are stuck.
_STUCK = 1e300


@dataclass(frozen=True, eq=False)
class Convergence:
    """Agreement of chains in the sweeps that were recorded.

    Attributes
    ----------
    n_sweeps : int
        Number of sweeps of each chain, with the warm-up.
    r_hat, ess : ndarray of shape (n_widths + n_log_odds + 1,), float64
        R-hat and effective sample sizes of the logarithms of the widths that are
        learned, of the log-odds of some training rows, and of the log likelihood.
    n_widths : int
    """

    n_sweeps: int
    r_hat: np.ndarray
    ess: np.ndarray
    n_widths: int

    @classmethod
    def of(cls, series, prior, n_sweeps):
        """Return the agreement of recorded quantities: (n_chains, n, n_quantities)."""
        learned = series[:, :, prior.first :]
        sizes = effective_sample_size(learned)
        return cls(
            n_sweeps=n_sweeps,
            r_hat=np.nan_to_num(r_hat(learned), nan=_STUCK, posinf=_STUCK),
            ess=np.nan_to_num(sizes, nan=0.0),
            n_widths=len(prior.scales) - prior.first,
        )

    # Chains continue because of widths and log-odds, not of the log likelihood.

    @property
    def worst(self):
        """Return the largest R-hat of widths and log-odds."""
        return float(self.r_hat[:-1].max())

    @property
    def fewest(self):
        """Return the smallest effective sample size of widths and log-odds."""
        return float(self.ess[:-1].min())

    def reached(self, max_rhat, min_ess):
        """Return whether both limits are reached."""
        return self.worst <= max_rhat and self.fewest >= min_ess

    def by_name(self, values):
        """Return `r_hat` or `ess` as a dict."""
        return {
            "log_sigma": values[: self.n_widths],
            "log_odds": values[self.n_widths : -1],
            "log_likelihood": values[-1],
        }
