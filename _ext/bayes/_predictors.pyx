"""Linear predictors of new rows: sums of groups that a row satisfies, or parts of them.

Of most groups a row satisfies all terms, or none. Of the others it gets a part of the
sum, of which the law is that of independent variables given their sum.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Compiled for each level of the instruction set.

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from _draws cimport bitgen_t, standard_normal
from _signals cimport listen
from _stream cimport Stream, bits_of_stream, open_stream, stream_uniform

# Sums of groups are stored with single precision, so that more of them stay in the
# cache. What is left of a sum, after some of its parts were drawn, is of double
# precision.
ctypedef fused sum_t:
    float
    double


cdef inline double standard_cauchy(Stream* stream) noexcept nogil:
    """Draw a Cauchy variable: the slope of a point in a half disc."""
    cdef double u, v
    while True:
        u = stream_uniform(stream)
        v = 2 * stream_uniform(stream) - 1
        if 0 < u * u + v * v <= 1:
            return v / u


cdef inline double cauchy_part(
    Stream* stream, double a, double b, double total
) noexcept nogil:
    """Draw a Cauchy variable of scale a, given the total of it and one of scale b.

    With A = a^2 + x^2 and B = b^2 + (total - x)^2, the density of x is, up to a
    constant,

        1 / (A B) = (1 / A + 1 / B) / (A + B)

    (Li & Neal 2008). The first factor is a mixture: x is Cauchy of scale a, with the
    weight 1 / a, or total - x is Cauchy of scale b, with the weight 1 / b. The second
    factor is largest at x = total / 2, so that a draw of the mixture is accepted with
    the probability L / (A + B), where L = a^2 + b^2 + total^2 / 2. On average this is
    L / ((a + b)^2 + total^2), at least one half.
    """
    cdef double w, x, y, least = a * a + b * b
    cdef bint is_first
    while True:
        w = (a + b) * stream_uniform(stream)
        is_first = w < b
        x = (a if is_first else b) * standard_cauchy(stream)
        y = total - x
        # What is left of w, having chosen a part of the mixture, is uniform.
        w = w / b if is_first else (w - b) / a
        # With what is no number, this ends as well.
        if not w * (least + x * x + y * y) > least + 0.5 * total * total:
            return x if is_first else y


cdef inline void add_widths(
    double[::1] widths,             # OUT (n_draws,)
    const double[::1] counts,       # (n_orders,) terms
    const double[:, ::1] powers,    # (n_orders, n_draws)
) noexcept nogil:
    """Add up the widths of some terms, to the power that makes them additive."""
    cdef Py_ssize_t o, d
    widths[:] = 0.0
    for o in range(powers.shape[0]):
        if counts[o] > 0:
            for d in range(powers.shape[1]):
                widths[d] += counts[o] * powers[o, d]


def linear_predictors(
    *,
    const int64_t[::1] starts,         # (n_rows + 1,) of groups and counts
    const int32_t[::1] groups,         # of which a row satisfies some terms
    const double[:, ::1] counts,       # (starts[-1], n_orders) how many
    const double[:, ::1] others,       # (starts[-1], n_orders) how many it does not
    const uint8_t[::1] in_part,        # (starts[-1],) whether there are others
    const double[:, ::1] unmatched,    # (n_rows, n_orders) terms of no group
    const sum_t[:, :, ::1] sums,       # (n_groups, n_sets, n_draws) of parameters
    const double[:, ::1] powers,       # (n_orders, n_draws) widths; normal: variances
    bint cauchy,
    const uint64_t[::1] streams,       # (n_rows,)
    double[:, :, ::1] out,             # OUT (n_rows, n_sets, n_draws)
):
    """Draw the linear predictors of rows, for each draw of the parameters."""
    cdef Py_ssize_t n_draws = powers.shape[1], n_sets = out.shape[1], i, m, k, d, g
    # Of all draws: the width of the terms of a group that a row satisfies, the width of
    # its other terms, and the variance of all splits.
    cdef double[::1] matched = np.empty(n_draws), rest = np.empty(n_draws)
    cdef double[::1] spread = np.empty(n_draws)
    cdef int64_t work = 0
    cdef double total
    cdef Stream stream
    cdef bitgen_t bits
    with nogil:
        out[:] = 0.0
        for i in range(streams.shape[0]):
            open_stream(&stream, streams[i])
            bits = bits_of_stream(&stream)
            add_widths(spread, unmatched[i], powers)
            for k in range(n_sets if cauchy else 0):
                for d in range(n_draws):
                    if spread[d] > 0:
                        out[i, k, d] = spread[d] * standard_cauchy(&stream)
            for m in range(starts[i], starts[i + 1]):
                g = groups[m]
                if not in_part[m]:
                    for k in range(n_sets):
                        for d in range(n_draws):
                            out[i, k, d] += sums[g, k, d]
                    continue
                add_widths(matched, counts[m], powers)
                add_widths(rest, others[m], powers)
                if cauchy:
                    for k in range(n_sets):
                        for d in range(n_draws):
                            out[i, k, d] += cauchy_part(
                                &stream, matched[d], rest[d], sums[g, k, d]
                            )
                    continue
                for d in range(n_draws):
                    total = matched[d] + rest[d]
                    matched[d] /= total
                    spread[d] += matched[d] * rest[d]
                for k in range(n_sets):
                    for d in range(n_draws):
                        out[i, k, d] += matched[d] * sums[g, k, d]
            for k in range(0 if cauchy else n_sets):
                for d in range(n_draws):
                    if spread[d] > 0:
                        out[i, k, d] += sqrt(spread[d]) * standard_normal(&bits)
            # A split takes as long as some tens of additions.
            listen(&work, 32 * n_draws * n_sets * (starts[i + 1] - starts[i]))
