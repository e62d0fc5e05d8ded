"""Warm-up: what a chain of Hamiltonian moves learns before draws are kept."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# About how many contrasts of a row have all of its information: most rows are doubtful
# between few classes.
_INFORMED = 2


class WarmUp:
    """What a chain has seen in a part of the warm-up.

    Attributes
    ----------
    n : float
        Total weight of the states.
    """

    n = _log_sigma = _information = _of_widths = 0.0

    def see(self, density, *, log_sigma, coordinates, predictors, weight=1.0):
        """See a place, with a weight."""
        likelihood = density.likelihood
        own = likelihood.information(predictors) * min(likelihood.n, _INFORMED)
        of_widths = density.information_of_widths(log_sigma, coordinates, predictors)
        self.n = self.n + weight
        self._log_sigma = self._log_sigma + weight * log_sigma
        self._information = self._information + weight * own
        self._of_widths = self._of_widths + weight * of_widths

    def __add__(self, other):
        total = WarmUp()
        for name in ("n", "_log_sigma", "_information", "_of_widths"):
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total

    def means(self):
        """Return the means of what `Metric` is made of."""
        return {
            "log_sigma": self._log_sigma / self.n,
            "information": self._information / self.n,
            "of_widths": self._of_widths / self.n,
        }
