"""Linear predictors of new rows: sums of groups that a row satisfies, or parts of them.

Of most groups a row satisfies all terms, or none. Of the others it gets a part of the
sum, of which the law is that of independent variables given their sum.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from _draws cimport bitgen_t, standard_normal
from _signals cimport listen
from _splits cimport add_cauchy_splits, standard_cauchy, sum_t
from _stream cimport Stream, bits_of_stream, open_stream


cdef struct Scratch:
    # Of all draws each.
    double* matched    # width of the terms of a group that a row satisfies
    double* rest       # width of its other terms
    double* spread     # variance of all splits
    int32_t* pending   # draws whose proposals were refused


cdef inline void add_widths(
    double* widths,            # OUT (n_draws,)
    const double* counts,      # (n_orders,) terms
    const double* without,     # (n_orders,) terms that do not count, or NULL
    const double[:, ::1] powers,
) noexcept nogil:
    """Add up the widths of some terms, to the power that makes them additive."""
    cdef Py_ssize_t o, d
    cdef double n
    for d in range(powers.shape[1]):
        widths[d] = 0.0
    for o in range(powers.shape[0]):
        n = counts[o] if without == NULL else counts[o] - without[o]
        if n > 0:
            for d in range(powers.shape[1]):
                widths[d] += n * powers[o, d]


cdef inline bint are_less(
    const double* counts, const double* totals, Py_ssize_t n_orders
) noexcept nogil:
    """Return whether some terms of a group do not count."""
    cdef Py_ssize_t o
    for o in range(n_orders):
        if counts[o] < totals[o]:
            return True
    return False


cdef void add_row(
    Scratch* scratch,
    Stream* stream,
    const int32_t[::1] groups,
    const double[:, ::1] counts,
    const double[::1] unmatched,
    const double[:, ::1] totals,
    const sum_t[:, :, ::1] sums,
    const double[:, ::1] powers,
    bint cauchy,
    double[:, ::1] out,
) noexcept nogil:
    """Add up the predictors of one row."""
    cdef Py_ssize_t n_orders = powers.shape[0], n_draws = powers.shape[1]
    cdef Py_ssize_t m, k, d, g
    cdef double* matched = scratch.matched
    cdef double* rest = scratch.rest
    cdef double* spread = scratch.spread
    cdef double total
    cdef bitgen_t bits = bits_of_stream(stream)
    out[:, :] = 0.0
    add_widths(spread, &unmatched[0], NULL, powers)
    for k in range(out.shape[0] if cauchy else 0):
        for d in range(n_draws):
            if spread[d] > 0:
                out[k, d] = spread[d] * standard_cauchy(stream)
    for m in range(groups.shape[0]):
        g = groups[m]
        if not are_less(&counts[m, 0], &totals[g, 0], n_orders):
            for k in range(out.shape[0]):
                for d in range(n_draws):
                    out[k, d] += sums[g, k, d]
            continue
        add_widths(matched, &counts[m, 0], NULL, powers)
        add_widths(rest, &totals[g, 0], &counts[m, 0], powers)
        if cauchy:
            for k in range(out.shape[0]):
                add_cauchy_splits(
                    stream, matched, rest, &sums[g, k, 0], n_draws, scratch.pending,
                    &out[k, 0],
                )
            continue
        for d in range(n_draws):
            total = matched[d] + rest[d]
            matched[d] /= total
            spread[d] += matched[d] * rest[d]
        for k in range(out.shape[0]):
            for d in range(n_draws):
                out[k, d] += matched[d] * sums[g, k, d]
    for k in range(0 if cauchy else out.shape[0]):
        for d in range(n_draws):
            if spread[d] > 0:
                out[k, d] += sqrt(spread[d]) * standard_normal(&bits)


def linear_predictors(
    *,
    const int64_t[::1] starts,         # (n_rows + 1,) of groups and counts
    const int32_t[::1] groups,         # of which a row satisfies some terms
    const double[:, ::1] counts,       # (starts[-1], n_orders) how many
    const double[:, ::1] unmatched,    # (n_rows, n_orders) terms of no group
    const double[:, ::1] totals,       # (n_groups, n_orders) terms of each group
    const sum_t[:, :, ::1] sums,       # (n_groups, n_sets, n_draws) of parameters
    const double[:, ::1] powers,       # (n_orders, n_draws) widths; normal: variances
    bint cauchy,
    const uint64_t[::1] streams,       # (n_rows,)
    double[:, :, ::1] out,             # OUT (n_rows, n_sets, n_draws)
):
    """Draw the linear predictors of rows, for each draw of the parameters."""
    cdef Py_ssize_t n_draws = powers.shape[1], i
    cdef int64_t work = 0
    cdef Scratch scratch
    cdef Stream stream
    scratch.matched = <double*> malloc(4 * n_draws * sizeof(double))
    if scratch.matched == NULL:
        raise MemoryError
    scratch.rest = scratch.matched + n_draws
    scratch.spread = scratch.rest + n_draws
    scratch.pending = <int32_t*> (scratch.spread + n_draws)
    try:
        with nogil:
            for i in range(streams.shape[0]):
                open_stream(&stream, streams[i])
                add_row(
                    &scratch, &stream,
                    groups[starts[i]:starts[i + 1]], counts[starts[i]:starts[i + 1]],
                    unmatched[i], totals, sums, powers, cauchy, out[i],
                )
                # A split takes as long as some tens of additions.
                listen(&work, 32 * n_draws * out.shape[1] * (starts[i + 1] - starts[i]))
    finally:
        free(scratch.matched)
