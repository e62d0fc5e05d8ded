"""Polya-Gamma variables (Polson, Scott & Windle 2013), as sums of gamma variables.

PG(b, z) is the sum of all Gamma(b) / (2 pi^2 ((k - 1/2)^2 + (z / 2 pi)^2)), k >= 1. One
gamma variable with the mean and the variance of the rest replaces all terms but the
first 4 + 2 |z| / 3. The third cumulant becomes smaller by less than 2e-6 of itself at z
= 0, and by less than 1e-4 anywhere.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport M_PI, fabs, fmax, tanh
from libc.stdint cimport int64_t

from _draws cimport bitgen_t, bits_of, standard_gamma, wald
from _signals cimport listen

# From here on, PG(b, z) is inverse Gaussian: the total variation is b exp(-|z|).
cdef double FAR = 40.0
# Nearer to 0, means and variances would be differences of equal numbers. The law of
# PG(b, z) hardly changes there: its mean by less than 1e-7 of itself.
cdef double NEAR = 1e-3


cdef inline double draw(bitgen_t* bits, double b, double z) noexcept nogil:
    """Draw PG(b, z) for b > 0."""
    cdef Py_ssize_t k
    cdef double t, rest, squares, term, total = 0.0
    z = fmax(fabs(z), NEAR)
    if z >= FAR:
        return 0.25 * wald(bits, 2 * b / z, b * b)
    # Totals of all terms and of their squares, less those of the first ones.
    t = tanh(0.5 * z)
    rest = M_PI * M_PI * t / z
    squares = M_PI * M_PI * M_PI * M_PI * (2 * t - z * (1 - t * t)) / (z * z * z)
    for k in range(4 + <Py_ssize_t> (2 * z / 3)):
        term = 1 / ((k + 0.5) * (k + 0.5) + z * z / (4 * M_PI * M_PI))
        rest -= term
        squares -= term * term
        total += term * standard_gamma(bits, b)
    # One more term, of the shape that gives the variance.
    total += squares / rest * standard_gamma(bits, b * rest * rest / squares)
    return total / (2 * M_PI * M_PI)


def polya_gamma(
    *,
    const double[::1] shapes,    # IN (n,) > 0
    const double[::1] tilts,     # IN (n,)
    double[::1] draws,           # OUT (n,)
    bit_generator,
):
    """Draw PG(shape, tilt) for each pair."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef int64_t work = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(shapes.shape[0]):
            draws[i] = draw(bits, shapes[i], tilts[i])
            listen(&work, 64)
