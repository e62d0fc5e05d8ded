"""Place: where a chain of Hamiltonian moves is."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._standard import standard_of
from sklearn_dnfwinnow._bayes._problem import Problem


@dataclass(frozen=True, eq=False)
class Place:
    """Widths and coordinates, without what all sets have.

    Attributes
    ----------
    problem : Problem
    log_sigma : ndarray of shape (n_orders,)
    coordinates : ndarray of shape (n_coordinates, n_contrasts)
        Of parameters in units of their widths, see `_standard`.
    predictors : ndarray of shape (n_rows, n_contrasts)
    """

    problem: Problem
    log_sigma: np.ndarray
    coordinates: np.ndarray
    predictors: np.ndarray

    @cached_property
    def height(self):
        """Return the log density of coordinates and log widths, up to a constant."""
        height = self.problem.once(Contrasts).height(self.predictors)
        height += standard_of(self.problem).log_density(self.coordinates)
        return height + self.problem.prior.log_density(self.log_sigma)

    @property
    def values(self):
        """Return the parameters in units of their widths, as coordinates."""
        return standard_of(self.problem).values(self.coordinates)

    @property
    def information(self):
        """Return the information of each row about each contrast: (n_rows, n)."""
        return self.problem.once(Contrasts).information(self.predictors)
