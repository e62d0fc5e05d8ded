"""Splits of a sum of two independent Cauchy variables, given the sum (Li & Neal 2008).

With A = a^2 + x^2 and B = b^2 + (s - x)^2, the density of x is, up to a constant,

    1 / (A B) = (1 / A + 1 / B) / (A + B).

The first factor is a mixture: x is Cauchy of scale a, with the weight 1 / a, or s - x
is Cauchy of scale b, with the weight 1 / b. The second factor is largest at x = s / 2,
so that a draw of the mixture is accepted with the probability L / (A + B), where
L = a^2 + b^2 + s^2 / 2. On average this is L / ((a + b)^2 + s^2), at least one half.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, uint64_t

from _random cimport LANES, draw_lanes
from _stream cimport Stream, stream_uniform


# Sums of groups are stored with single precision, so that more of them stay in the
# cache. What is left of a sum, after some of its parts were drawn, is of double
# precision.
ctypedef fused sum_t:
    float
    double


cdef union Uniforms:
    uint64_t[LANES] bits
    double[LANES] values


cdef inline void draw_uniforms(Stream* stream, Uniforms* out) noexcept nogil:
    """Draw uniform numbers in [1, 2), by the bits of their mantissas."""
    cdef Py_ssize_t lane
    draw_lanes(stream.generators, out.bits)
    for lane in range(LANES):
        out.bits[lane] = (out.bits[lane] >> 12) | <uint64_t> 0x3FF0000000000000


cdef inline double standard_cauchy(Stream* stream) noexcept nogil:
    """Draw a Cauchy variable: the slope of a point in a half disc."""
    cdef double u, v
    while True:
        u = stream_uniform(stream)
        v = 2 * stream_uniform(stream) - 1
        if 0 < u * u + v * v <= 1:
            return v / u


cdef inline void add_cauchy_splits(
    Stream* stream,
    const double* a,        # (n,) scale of the part
    const double* b,        # (n,) scale of the rest
    const sum_t* sums,      # (n,)
    Py_ssize_t n,
    int32_t* pending,       # scratch (n,)
    double* out,            # IN/OUT (n,) a draw of the part is added
) noexcept nogil:
    """Draw parts of sums; proposals are made in lanes, for what is not accepted yet."""
    cdef Py_ssize_t n_pending = n, n_refused, start, n_here, lane, i
    cdef Uniforms choice, abscissa, ordinate
    cdef double[LANES] scale, other, total, part, excess
    cdef double u, v, w, x, y, least
    cdef bint is_first
    for i in range(n):
        pending[i] = <int32_t> i
    while n_pending > 0:
        n_refused = start = 0
        while start < n_pending:
            n_here = min(<Py_ssize_t> LANES, n_pending - start)
            for lane in range(LANES):
                i = pending[start + min(lane, n_here - 1)]
                scale[lane] = a[i]
                other[lane] = b[i]
                total[lane] = sums[i]
            draw_uniforms(stream, &choice)
            draw_uniforms(stream, &abscissa)
            draw_uniforms(stream, &ordinate)
            for lane in range(LANES):
                w = (choice.values[lane] - 1) * (scale[lane] + other[lane])
                is_first = w < other[lane]
                # A Cauchy variable is the slope of a point in a half disc; 0 < u.
                u = abscissa.values[lane] - (1 - 2.0**-53)
                v = 2 * ordinate.values[lane] - 3
                x = (scale[lane] if is_first else other[lane]) * (v / u)
                y = total[lane] - x
                # What is left of w, having chosen a part of the mixture, is uniform.
                w = w if is_first else w - other[lane]
                least = scale[lane] * scale[lane] + other[lane] * other[lane]
                excess[lane] = (
                    w * (least + x * x + y * y)
                    - (other[lane] if is_first else scale[lane])
                    * (least + 0.5 * total[lane] * total[lane])
                )
                excess[lane] = 1.0 if u * u + v * v > 1 else excess[lane]
                part[lane] = x if is_first else y
            for lane in range(n_here):
                i = pending[start + lane]
                # With what is no number, this ends as well.
                if excess[lane] > 0:
                    pending[n_refused] = <int32_t> i
                    n_refused += 1
                else:
                    out[i] += part[lane]
            start += n_here
        n_pending = n_refused
