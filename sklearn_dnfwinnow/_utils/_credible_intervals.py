"""Credible intervals: central intervals of draws from a posterior distribution."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Real

import numpy as np

from sklearn_dnfwinnow._utils._compat import Interval

# Constraints of functions that take the fraction of draws in an interval.
COVERAGE_CONSTRAINTS = {"coverage": [Interval(Real, 0, 1, closed="neither")]}


def interval_of(draws, coverage):
    """Return both ends of the central intervals of values: (..., 2).

    Parameters
    ----------
    draws : ndarray of shape (n_draws, ...), float64
    coverage : float
        Fraction of the draws in each interval. The other draws are divided equally
        between both sides.
    """
    tail = (1.0 - coverage) / 2
    return np.moveaxis(np.quantile(draws, (tail, 1.0 - tail), axis=0), 0, -1)
