"""Doors for the tests into the shared numerics."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int64_t, uint64_t

import numpy as np

from _log_sum_exp cimport add_log, log_add
from _phi cimport add_net_counts, phi_of_set
from _random cimport LANES
from _vectors cimport exp2_lanes, log2_lanes

N_LANES = LANES


def log_of_two(double a, double b):
    """Return log(exp(a) + exp(b))."""
    return log_add(a, b)


def log_of_many(const double[::1] values, double lead):
    """Return the logarithm of the sum of exp(values), added one after another."""
    cdef double top = -INFINITY, total = 0.0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        add_log(values[i], lead, &top, &total)
    return top + log(total)


def phi(const uint64_t[::1] examples, const uint64_t[:, ::1] planes):
    """Return the sum of the net counts of some updates."""
    return phi_of_set(
        &examples[0], NULL, &planes[0, 0], planes.shape[0], planes.shape[1]
    )


def phi_among(
    const uint64_t[::1] examples, const uint64_t[::1] among,
    const uint64_t[:, ::1] planes,
):
    """Return the sum of the net counts of the updates among some others."""
    return phi_of_set(
        &examples[0], &among[0], &planes[0, 0], planes.shape[0], planes.shape[1]
    )


def phi_of_lanes(
    const uint64_t[:, ::1] sets,     # IN (n_words, LANES)
    const uint64_t[:, ::1] planes,   # IN (n_planes, n_words)
    int64_t[::1] totals,             # IN/OUT (LANES,)
):
    """Add the net counts of the updates in the set of each lane."""
    cdef Py_ssize_t w
    for w in range(planes.shape[1]):
        add_net_counts(
            &sets[w, 0], &planes[0, w], planes.shape[0], planes.shape[1], &totals[0]
        )


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
