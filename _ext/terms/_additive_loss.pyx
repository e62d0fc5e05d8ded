"""The loss of an additive model: a logistic regression on sparse regressors.

Sums have the same order on any processor.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.math cimport exp, fabs, log, log1p
from libc.stdint cimport int32_t, int64_t

from _signals cimport listen


cdef inline double _to_slope(
    double* logits, const double* targets, double weight, Py_ssize_t n_lanes
) noexcept nogil:
    """Replace the logits of a row by the slopes of its loss, and return the loss."""
    cdef double largest = logits[0], total = 0.0, loss
    cdef Py_ssize_t k
    if n_lanes == 1:
        total = exp(-fabs(largest))
        loss = log1p(total) + max(largest, 0.0) - targets[0] * largest
        logits[0] = (1.0 if largest > 0.0 else total) / (1.0 + total)
        logits[0] = weight * (logits[0] - targets[0])
        return weight * loss
    for k in range(1, n_lanes):
        largest = max(largest, logits[k])
    loss = largest
    for k in range(n_lanes):
        loss -= targets[k] * logits[k]
        logits[k] = exp(logits[k] - largest)
        total += logits[k]
    for k in range(n_lanes):
        logits[k] = weight * (logits[k] / total - targets[k])
    return weight * (loss + log(total))


cdef inline void _products(
    double* totals,
    const double[::1] values,
    const int32_t[::1] rows,
    const double* slopes,
    Py_ssize_t start,
    Py_ssize_t end,
    Py_ssize_t n_lanes,
) noexcept nogil:
    """Find sums of slopes times values, of eight lanes at a time; or in four parts."""
    cdef double some[8]
    cdef const double* of_row
    cdef Py_ssize_t first, i, k
    if n_lanes == 1:
        # The next addition to a part need not wait for the last one.
        some[0] = some[1] = some[2] = some[3] = 0.0
        for i in range(start, end - 3, 4):
            for k in range(4):
                some[k] += values[i + k] * slopes[rows[i + k]]
        for i in range(end - (end - start) % 4, end):
            some[0] += values[i] * slopes[rows[i]]
        totals[0] = (some[0] + some[1]) + (some[2] + some[3])
        return
    for first in range(0, n_lanes, 8):
        for k in range(8):
            some[k] = 0.0
        for i in range(start, end):
            # Behind the last lanes are those of other rows, which do not count.
            of_row = slopes + rows[i] * n_lanes + first
            for k in range(8):
                some[k] += values[i] * of_row[k]
        for k in range(min(8, n_lanes - first)):
            totals[first + k] = some[k]


def penalized_loss(
    *,
    const int64_t[::1] starts,        # IN (n_regressors + 1,) of the entries of each
    const int32_t[::1] rows,          # IN (n_entries,)
    const double[::1] values,         # IN (n_entries,)
    const double[::1] units,          # IN (n_regressors,) of parameters
    const double[:, ::1] targets,     # IN (n_rows, n_lanes) 1 in the class of a row
    const double[::1] weights,        # IN (n_rows,)
    const double[:, ::1] penalties,   # IN (n_regressors + 1, n_lanes)
    const double[:, ::1] parameters,  # IN (n_regressors + 1, n_lanes) intercepts last
    double[::1] room,                 # (n_rows * n_lanes + 7,) of logits
    double[:, ::1] slopes,            # OUT (n_regressors + 1, n_lanes)
):
    """Return the log loss of rows, plus half of the penalties times squares.

    A single lane has the log-odds of the second of two classes; otherwise there is a
    lane for each class.
    """
    cdef Py_ssize_t n = units.shape[0], n_rows = weights.shape[0]
    cdef Py_ssize_t n_lanes = targets.shape[1], i, j, k
    cdef double loss = 0.0, factor
    cdef double* logits = &room[0]
    cdef double* own
    cdef double* of_row
    cdef int64_t work = 0
    with nogil:
        for i in range(n_rows):
            for k in range(n_lanes):
                logits[i * n_lanes + k] = parameters[n, k]
        # The slopes are the room for coefficients.
        for j in range(n):
            listen(&work, 2 * n_lanes * (starts[j + 1] - starts[j]))
            own = &slopes[j, 0]
            for k in range(n_lanes):
                own[k] = units[j] * parameters[j, k]
            if n_lanes == 1:
                factor = own[0]
                for i in range(starts[j], starts[j + 1]):
                    logits[rows[i]] += factor * values[i]
                continue
            for i in range(starts[j], starts[j + 1]):
                factor, of_row = values[i], logits + rows[i] * n_lanes
                for k in range(n_lanes):
                    of_row[k] += factor * own[k]
        for k in range(n_lanes):
            slopes[n, k] = 0.0
        for i in range(n_rows):
            loss += _to_slope(
                logits + i * n_lanes, &targets[i, 0], weights[i], n_lanes
            )
            for k in range(n_lanes):
                slopes[n, k] += logits[i * n_lanes + k]
        for j in range(n):
            own = &slopes[j, 0]
            _products(
                totals=own,
                values=values,
                rows=rows,
                slopes=logits,
                start=starts[j],
                end=starts[j + 1],
                n_lanes=n_lanes,
            )
            for k in range(n_lanes):
                own[k] *= units[j]
        for j in range(n + 1):
            for k in range(n_lanes):
                factor = penalties[j, k] * parameters[j, k]
                loss += 0.5 * factor * parameters[j, k]
                slopes[j, k] += factor
    return loss
