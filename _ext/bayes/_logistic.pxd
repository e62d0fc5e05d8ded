"""The logistic log likelihood of rows with weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log, log1p


cdef inline double log_one_plus_exp(double x) noexcept nogil:
    """Return log(1 + exp(x))."""
    return x + log1p(exp(-x)) if x > 0.0 else log1p(exp(x))


cdef inline double log_sum_except(
    const double* predictors,   # (n_sets,)
    Py_ssize_t n_sets,
    Py_ssize_t left_out,        # -1: none
) noexcept nogil:
    """Return the logarithm of the sum of exp(predictor), one set left out."""
    cdef double largest = -INFINITY, total = 0.0
    cdef Py_ssize_t k
    for k in range(n_sets):
        if k != left_out and predictors[k] > largest:
            largest = predictors[k]
    for k in range(n_sets):
        if k != left_out:
            total += exp(predictors[k] - largest)
    return largest + log(total)


cdef inline double binary_log_likelihood(
    double log_odds, double weight, double total_weight
) noexcept nogil:
    """Return the log likelihood of one class against the rest, at most 0."""
    return weight * log_odds - total_weight * log_one_plus_exp(log_odds)


cdef inline double row_log_likelihood(
    const double* predictors,   # (n_sets,)
    const double* weights,      # (n_sets,) of class 1 if there is one set
    double total_weight,
    Py_ssize_t n_sets,
) noexcept nogil:
    """Return the log likelihood of the classes of one row, at most 0."""
    cdef double total = 0.0
    cdef Py_ssize_t k
    if n_sets == 1:
        return binary_log_likelihood(predictors[0], weights[0], total_weight)
    for k in range(n_sets):
        total += weights[k] * predictors[k]
    return total - total_weight * log_sum_except(predictors, n_sets, -1)
