"""Trace: values of a chain, thinned out when there are too many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


class Trace:
    """The values of every `step`-th sweep of a chain.

    If there is no room for another value, every second one is discarded, and `step` is
    doubled.

    Parameters
    ----------
    capacity : int
        Maximum number of values. It is even, unless it is never exceeded.
    shape : tuple of int
    dtype : dtype
    step : int, default=1
    """

    def __init__(self, capacity, shape, dtype, step=1):
        self._room = np.empty((capacity, *shape), dtype=dtype)
        self._n_values = self._n_sweeps = 0
        self.step = step

    def __len__(self):
        return self._n_values

    def hear(self, value):
        """Keep the value of the next sweep, if it is its turn."""
        self._n_sweeps += 1
        if self._n_sweeps % self.step:
            return
        if self._n_values == len(self._room):
            self._n_values //= 2
            self._room[: self._n_values] = self._room[1::2]
            self.step *= 2
            if self._n_sweeps % self.step:
                return
        self._room[self._n_values] = value
        self._n_values += 1

    def values(self, discarded=0.0):
        """Return the values, without a fraction of the first ones."""
        return self._room[int(discarded * self._n_values) : self._n_values]
