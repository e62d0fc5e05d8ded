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
from _splits cimport add_cauchy_splits, standard_cauchy, sum_t
from _stream cimport Stream, bits_of_stream, open_stream


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
    # Draws whose proposals were refused.
    cdef int32_t[::1] pending = np.empty(n_draws, dtype=np.int32)
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
                        add_cauchy_splits(
                            &stream, &matched[0], &rest[0], &sums[g, k, 0], n_draws,
                            &pending[0], &out[i, k, 0],
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
