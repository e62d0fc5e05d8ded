"""Early stop: the optimized solution of the paper (Table I).

A bound on W, which every chain tightens, may settle the side of the threshold before
the last chain has run (Theorems 5 and 6).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport isnan


cdef struct EarlyStop:
    double bound                  # log; below W if the guess is 1, above it if 0
    double log_threshold          # NaN: the sum itself is wanted, there is no stop
    double slack                  # what one chain's log ratio differs from the bound by
    bint guess


cdef inline EarlyStop open_stop(
    double log_first,
    double log_alpha,
    double log_step,
    double phi_min,
    double phi_max,
    double log_threshold,
    bint guess,
) noexcept nogil:
    """Return the bound before any chain has run: Table I, lines 3 and 13."""
    cdef EarlyStop stop
    cdef double phi = phi_min if guess else phi_max
    stop.bound = log_first + log_alpha * phi
    stop.slack = log_step * phi
    stop.log_threshold = log_threshold
    stop.guess = guess
    return stop


cdef inline void tighten(EarlyStop* stop, double log_ratio) noexcept nogil:
    """Tighten the bound by log(W_i / W_i-1): Table I, lines 6 and 16."""
    stop.bound += log_ratio - stop.slack


cdef inline bint is_settled(const EarlyStop* stop) noexcept nogil:
    """Return whether the bound tells the side of the threshold: lines 7 and 17.

    Theorem 5 calls the stop certain, of true ratios. These are estimates, and the stop
    is as certain as they are; before the first chain (no ratio at all) it is certain.
    """
    if isnan(stop.log_threshold):
        return False
    if stop.guess:
        return stop.bound >= stop.log_threshold
    return stop.bound < stop.log_threshold
