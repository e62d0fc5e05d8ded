"""Sum slices: each sum of a group is updated by a slice of its own (Li & Neal 2008)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport fmax, log
from libc.stdint cimport int32_t, int64_t

import numpy as np

from _draws cimport bitgen_t, bits_of
from _logistic cimport binary_log_likelihood, log_sum_except
from _signals cimport listen
from _univariate_slice cimport slice_update

# Of slices: the least width of a step, its width in widths of the prior, and how many
# steps there are at most. The likelihood may confine a sum to some units, and the prior
# to some of its widths. A step does not depend on the sum: the chain is reversible.
cdef double LEAST_STEP = 5.0
cdef double STEP = 2.0
cdef int MOST_STEPS = 20


cdef struct Sum:
    int power
    double width
    double now                  # the sum that the log-odds are of
    Py_ssize_t n_rows
    const double* log_odds      # (n_rows,) of the class against the others
    const double* weights       # (n_rows,) of the class
    const double* totals        # (n_rows,) of all classes


cdef double log_posterior(double place, double level, void* context) noexcept nogil:
    """Return the logarithm of prior times likelihood, to which no row adds."""
    cdef const Sum* of = <const Sum*> context
    cdef double relative = place / of.width, shift = place - of.now, total
    cdef Py_ssize_t i
    total = -0.5 * relative * relative
    if of.power == 1:
        total = -log(1.0 + relative * relative)
    for i in range(of.n_rows):
        if total <= level:
            break
        total += binary_log_likelihood(
            of.log_odds[i] + shift, of.weights[i], of.totals[i]
        )
    return total


def sweep(
    *,
    int power,                       # IN 1: Cauchy, 2: normal
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const double[:, ::1] weights,    # IN (n_rows, n_sets)
    const double[::1] totals,        # IN (n_rows,)
    const double[::1] widths,        # IN (n_groups,)
    double[:, ::1] sums,             # IN/OUT (n_groups, n_sets)
    double[:, ::1] predictors,       # IN/OUT (n_rows, n_sets)
    bit_generator,
):
    """Update each sum given all others, in turn."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t n_sets = sums.shape[1], g, k, e, i, n
    cdef double drawn, shift, step
    cdef double[:, ::1] room = np.empty((3, predictors.shape[0]))
    cdef int64_t work = 0
    cdef Sum of
    of.power = power
    of.log_odds = &room[0, 0]
    of.weights = &room[1, 0]
    of.totals = &room[2, 0]
    with nogil:
        for g in range(sums.shape[0]):
            n = starts[g + 1] - starts[g]
            of.n_rows = n
            of.width = widths[g]
            step = fmax(LEAST_STEP, STEP * widths[g])
            for k in range(n_sets):
                of.now = sums[g, k]
                for e in range(n):
                    i = members[starts[g] + e]
                    room[0, e] = predictors[i, k]
                    if n_sets > 1:
                        room[0, e] -= log_sum_except(&predictors[i, 0], n_sets, k)
                    room[1, e] = weights[i, k]
                    room[2, e] = totals[i]
                drawn = slice_update(of.now, step, MOST_STEPS, log_posterior, &of, bits)
                shift = drawn - of.now
                sums[g, k] = drawn
                for e in range(n):
                    predictors[members[starts[g] + e], k] += shift
            listen(&work, 100 * n * n_sets)
