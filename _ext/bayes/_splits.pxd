"""Splits of a sum of two independent Cauchy variables, given the sum (Li & Neal 2008).

With A = a^2 + x^2 and B = b^2 + (s - x)^2, the density of x is, up to a constant,

    1 / (A B) = (1 / A + 1 / B) / (A + B).

The first factor is a mixture: x is Cauchy of scale a, with the weight 1 / a, or s - x is
Cauchy of scale b, with the weight 1 / b. The second factor is largest at x = s / 2, so
that a draw of the mixture is accepted with the probability L / (A + B), where L = a^2 +
b^2 + s^2 / 2. On average this is L / ((a + b)^2 + s^2), which is at least one half.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from _stream cimport Stream, stream_uniform


cdef inline double standard_cauchy(Stream* stream) noexcept nogil:
    """Draw a Cauchy variable: the slope of a point in a half disc."""
    cdef double u, v
    while True:
        u = stream_uniform(stream)
        v = 2 * stream_uniform(stream) - 1
        if 0 < u * u + v * v <= 1:
            return v / u


cdef inline double cauchy_split(
    Stream* stream,
    double a,    # scales
    double b,
    double s,    # the sum
) noexcept nogil:
    """Draw the part of scale a of a sum."""
    cdef double least = a * a + b * b + 0.5 * s * s
    cdef double w, weight, x, y
    while True:
        w = stream_uniform(stream) * (a + b)
        # What is left of w, having chosen a part of the mixture, is uniform again.
        if w < b:
            weight = b
            x = a * standard_cauchy(stream)
            y = s - x
        else:
            weight = a
            w -= b
            y = b * standard_cauchy(stream)
            x = s - y
        # With what is no number, this ends as well.
        if not w * (a * a + x * x + b * b + y * y) > weight * least:
            return x
