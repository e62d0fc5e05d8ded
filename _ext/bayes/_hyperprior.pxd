"""The prior density of log sigma, from which `_bayes._prior.Prior` draws."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, fabs

from _logistic cimport log_one_plus_exp

cdef enum:
    HALF_T, LOG_NORMAL, INVERSE_GAMMA


cdef struct Hyperprior:
    int law
    double shape    # of the inverse gamma law
    double limit    # of log(sigma / scale), to both sides


cdef inline double log_hyperprior(
    double relative, const Hyperprior* of
) noexcept nogil:
    """Return the log density of log(sigma / scale), cut off at both sides."""
    if fabs(relative) > of.limit:
        return -INFINITY
    if of.law == HALF_T:
        # Three degrees of freedom; ln 3 is taken off, as 1 + x / 3 is to be computed.
        return relative - 2.0 * log_one_plus_exp(2.0 * relative - 1.0986122886681098)
    if of.law == LOG_NORMAL:
        # Its standard deviation is log(10) / 2.
        return -0.5 * (relative / 1.151292546497023) * (relative / 1.151292546497023)
    return -of.shape * relative - (of.shape + 1.0) * exp(-relative)


cdef inline double slope_of_hyperprior(
    double relative, const Hyperprior* of
) noexcept nogil:
    """Return the derivative of this log density, within the limits."""
    if of.law == HALF_T:
        return 1.0 - 4.0 / (1.0 + exp(1.0986122886681098 - 2.0 * relative))
    if of.law == LOG_NORMAL:
        return -relative / (1.151292546497023 * 1.151292546497023)
    return (of.shape + 1.0) * exp(-relative) - of.shape
