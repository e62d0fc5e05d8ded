"""Doors for the tests into the shared numerics."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from _vectors cimport exp2_lanes, log2_lanes


def exp2_of_lanes(const float[::1] x):
    """Return powers of 2, in float32."""
    found = np.empty(x.shape[0], dtype=np.float32)
    cdef float[::1] powers = found
    exp2_lanes(&x[0], &powers[0], x.shape[0])
    return found


def log2_of_lanes(const float[::1] x):
    """Return binary logarithms, in float32."""
    found = np.empty(x.shape[0], dtype=np.float32)
    cdef float[::1] logs = found
    log2_lanes(&x[0], &logs[0], x.shape[0])
    return found
