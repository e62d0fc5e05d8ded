"""Tolerances that results of floating-point sums are compared with."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

cdef extern from *:
    """
    /* Relative error of a logarithm that was computed at once. */
    #define DNFWINNOW_ROUNDING 1e-12
    /* Relative distance below which two sums, or bounds, may be the other way about. */
    #define DNFWINNOW_SLACK 1e-9
    """
    const double ROUNDING "DNFWINNOW_ROUNDING"
    const double SLACK "DNFWINNOW_SLACK"
