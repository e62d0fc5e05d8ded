"""Sums of numbers that are kept as logarithms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, log1p


cdef inline double log_add(double a, double b) noexcept nogil:
    """Return log(exp(a) + exp(b))."""
    if a < b:
        a, b = b, a
    return a if b == -INFINITY else a + log1p(exp(b - a))


# -- running sums: exp(top) times total, -inf and 0 at the start -----------------------

cdef inline void add_log(
    double value,
    double lead,                  # how far a value may be above the top
    double* top,                  # IN/OUT
    double* total,                # IN/OUT
) noexcept nogil:
    """Add exp(value). A value too far above the top becomes the next top.

    The logarithm of the sum is top + log(total).
    """
    cdef double above = value - top[0]
    if above <= lead:
        total[0] += exp(above)
    else:
        total[0] = total[0] * exp(-above) + 1.0
        top[0] = value


# -- numbers that are kept as they are or, where `logs`, as logarithms -----------------

cdef inline double times(double a, double b, bint logs) noexcept nogil:
    return a + b if logs else a * b


cdef inline double plus(double a, double b, bint logs) noexcept nogil:
    return log_add(a, b) if logs else a + b


cdef inline double of_log(double x, bint logs) noexcept nogil:
    return x if logs else exp(x)
